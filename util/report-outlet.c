// SPDX-License-Identifier: GPL-2.0-only
#include "report-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "die.h"
#include "signals.h"
#include "wrap.h"

struct outlet {
	int out;  /* where stdout leads to */
	int held; /* what was printed and is not yet written, -1: stdout is as it is */
};

/* A limit on the size of files is one on files in memory too, and a pipe has none. */
static bool may_wait(void)
{
	struct stat status;
	struct rlimit limit;

	return fstat(STDOUT_FILENO, &status) == 0 && !S_ISREG(status.st_mode) && getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
	       limit.rlim_cur == RLIM_INFINITY;
}

static int open_held(void)
{
	int fd = memfd_create("kbench-stdout", MFD_CLOEXEC);

	if (fd >= 0 && fcntl(fd, F_SETFL, O_APPEND) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

struct outlet *outlet_open(void)
{
	struct outlet *outlet = xmalloc(sizeof(*outlet));

	*outlet = (struct outlet){ -1, -1 };
	if (!may_wait())
		return outlet;
	outlet->held = open_held();
	outlet->out = outlet->held < 0 ? -1 : fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (outlet->held >= 0 && outlet->out < 0) {
		close(outlet->held);
		outlet->held = -1;
	}
	return outlet;
}

void outlet_close(struct outlet *outlet)
{
	if (outlet->held >= 0) {
		xclose(outlet->held);
		xclose(outlet->out);
	}
	free(outlet);
}

/* What stdio has before belongs there. */
static void flush(void)
{
	if (fflush(stdout) == EOF || ferror(stdout))
		die_errno("stdout");
}

static void lead_to(int fd)
{
	if (dup2(fd, STDOUT_FILENO) < 0)
		die_errno("stdout");
}

void outlet_hold(const struct outlet *outlet)
{
	flush();
	if (outlet->held >= 0)
		lead_to(outlet->held);
}

static void write_out(int fd, const char *text, size_t length)
{
	int done = signals_write_all(fd, text, length);

	if (done < 0)
		die_errno("stdout");
	if (done == 0)
		return;
	die_status(EXIT_SIGNAL + done);
	die("stdout: nobody reads it; ended by signal %d before all was written", done);
}

void outlet_release(const struct outlet *outlet)
{
	char piece[SIGNALS_WRITE];
	ssize_t got;

	flush();
	if (outlet->held < 0)
		return;
	lead_to(outlet->out);
	for (off_t done = 0; (got = pread(outlet->held, piece, sizeof(piece), done)) != 0; done += got > 0 ? got : 0) {
		if (got > 0)
			write_out(outlet->out, piece, (size_t)got);
		else if (errno != EINTR)
			die_errno("stdout");
	}
	if (ftruncate(outlet->held, 0) < 0)
		die_errno("stdout");
}
