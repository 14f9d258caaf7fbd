// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starts a program the way a certain caller would:
 *
 *	launch [WORD]... -- PROGRAM [ARGUMENT]...
 *
 *	ignore=N	with signal N ignored
 *	block=N		with signal N blocked
 *	reader-gone	with a pipe as stdout that nobody reads
 *	full-pipe=N	with a full pipe that nobody reads as descriptor N
 *	user=N		as user and group N, in no other group
 *	tasks=N[:M]	with at most N processes and threads for the user (RLIMIT_NPROC), to be raised to M
 *	files=N		with at most N open files (RLIMIT_NOFILE)
 *	humble		at the lowest priority: a hundred spinning workers leave the test a CPU
 *
 * All other signals are at their defaults, which a shell does not grant to what it starts in the background. A program
 * that is still there after five minutes is killed by SIGALRM: no test waits for ever.
 */
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define LIFETIME_SECONDS 300
#define CANNOT_START     77

static void give_up(const char *what)
{
	perror(what);
	exit(CANNOT_START);
}

static void reset_signals(void)
{
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL); /* fails for those that cannot be changed */
	sigemptyset(&none);
	if (sigprocmask(SIG_SETMASK, &none, NULL) < 0)
		give_up("sigprocmask");
}

static void ignore_signal(int number)
{
	if (signal(number, SIG_IGN) == SIG_ERR)
		give_up("signal");
}

static void block_signal(int number)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, number);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		give_up("sigprocmask");
}

static void lose_reader(void)
{
	int ends[2];

	if (pipe(ends) < 0 || dup2(ends[1], STDOUT_FILENO) < 0)
		give_up("pipe");
	close(ends[0]);
	close(ends[1]);
}

/* What it starts holds the reading end. */
static void fill_pipe(int fd)
{
	char page[4096] = { 0 };
	int ends[2];

	if (pipe(ends) < 0 || fcntl(ends[1], F_SETFL, O_NONBLOCK) < 0)
		give_up("pipe");
	while (write(ends[1], page, sizeof(page)) > 0)
		;
	if (fcntl(ends[1], F_SETFL, 0) < 0 || dup2(ends[1], fd) < 0)
		give_up("pipe");
	close(ends[1]);
}

static void become(unsigned id)
{
	if (setgroups(0, NULL) < 0 || setgid(id) < 0 || setuid(id) < 0)
		give_up("setuid");
}

static void set_limit(int resource, unsigned count, unsigned most)
{
	struct rlimit limit = { count, most };

	if (setrlimit(resource, &limit) < 0)
		give_up("setrlimit");
}

static void obey(const char *word)
{
	unsigned number, most;

	if (sscanf(word, "ignore=%u", &number) == 1)
		ignore_signal((int)number);
	else if (sscanf(word, "block=%u", &number) == 1)
		block_signal((int)number);
	else if (sscanf(word, "tasks=%u:%u", &number, &most) == 2)
		set_limit(RLIMIT_NPROC, number, most);
	else if (sscanf(word, "tasks=%u", &number) == 1)
		set_limit(RLIMIT_NPROC, number, number);
	else if (sscanf(word, "files=%u", &number) == 1)
		set_limit(RLIMIT_NOFILE, number, number);
	else if (sscanf(word, "full-pipe=%u", &number) == 1)
		fill_pipe((int)number);
	else if (sscanf(word, "user=%u", &number) == 1)
		become(number);
	else if (strcmp(word, "humble") == 0)
		setpriority(PRIO_PROCESS, 0, 19);
	else if (strcmp(word, "reader-gone") == 0)
		lose_reader();
	else
		give_up(word);
}

int main(int argc, char **argv)
{
	int i = 1;

	(void)argc;
	reset_signals();
	for (; argv[i] && strcmp(argv[i], "--") != 0; i++)
		obey(argv[i]);
	if (!argv[i] || !argv[i + 1])
		give_up("no program");
	alarm(LIFETIME_SECONDS);
	execv(argv[i + 1], argv + i + 1);
	give_up(argv[i + 1]);
}
