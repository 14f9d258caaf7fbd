// SPDX-License-Identifier: GPL-2.0-only
#include "record-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "die.h"
#include "signals.h"
#include "units.h"
#include "wrap.h"

struct record_writer {
	const char *path; /* for messages */
	int fd;
	int reader;        /* the same file open for reading, -1: it cannot be */
	bool regular;      /* else a pipe or a device, which has no length and nothing to take back */
	char *environment; /* the first lines of a block */
	off_t end;         /* where our last run ended, -1 before the first */
	char (*units)[sizeof(((struct metric *)NULL)->key)]; /* said in this block */
	size_t unit_count;
};

/* Facts that two kernels on one machine share. benchstat makes a table of its own for each value of such a key. */
static bool is_configuration(const char *key)
{
	static const char *const keys[] = {
		"machine",
		"cpu-model",
		"cpus-online",
		"nodes",
		"memory-total",
		"page-size",
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (strcmp(keys[i], key) == 0)
			return true;
	return false;
}

/* Where the kernel has no random numbers yet, the time and our id differ as well. */
void record_draw_id(char id[RECORD_ID])
{
	uint64_t bits;

	if (getrandom(&bits, sizeof(bits), GRND_NONBLOCK) != sizeof(bits))
		bits = clock_now() ^ ((uint64_t)getpid() << 48);
	snprintf(id, RECORD_ID, "%016" PRIx64, bits);
}

double record_now(void)
{
	struct timespec now;

	if (clock_gettime(CLOCK_REALTIME, &now) < 0)
		die_errno("clock_gettime");
	return (double)now.tv_sec + (double)now.tv_nsec / (double)NSEC_PER_SEC;
}

/* A fact is one line, whatever a kernel put into it. */
static void put_line(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
	fputc('\n', out);
}

static char *compose_environment(const struct fact *facts, size_t count)
{
	char *text;
	size_t length;
	FILE *out = xopen_memstream(&text, &length);

	fputs(RECORD_START "\n", out);
	for (size_t i = 0; i < count; i++) {
		if (!facts[i].value || !*facts[i].value)
			continue;
		fprintf(out, "%s%s: ", is_configuration(facts[i].key) ? "" : "# ", facts[i].key);
		put_line(out, facts[i].value);
	}
	xclose_memstream(out);
	return text;
}

static int open_retrying(const char *path, int flags)
{
	int fd;

	do
		fd = open(path, flags | O_CLOEXEC, 0666);
	while (fd < 0 && errno == EINTR);
	return fd;
}

static void look_at_file(struct record_writer *writer)
{
	struct stat status;

	if (fstat(writer->fd, &status) < 0)
		die_errno("%s", writer->path);
	if (S_ISBLK(status.st_mode))
		die("option -o: %s: is a block device", writer->path);
	writer->regular = S_ISREG(status.st_mode);
	if (writer->regular)
		writer->reader = open_retrying(writer->path, O_RDONLY);
}

/* Opened anew, a file would have a second place to write to, and what is printed would overwrite what is recorded. */
static bool is_our_stdout(const struct record_writer *writer)
{
	struct stat own, out;

	return writer->regular && fstat(writer->fd, &own) == 0 && fstat(STDOUT_FILENO, &out) == 0 &&
	       own.st_dev == out.st_dev && own.st_ino == out.st_ino;
}

struct record_writer *record_open(const char *path, const struct fact *facts, size_t fact_count)
{
	struct record_writer *writer = xcalloc(1, sizeof(*writer));
	bool to_stdout = !path || strcmp(path, "/dev/stdout") == 0;

	if (path && !*path)
		usage("option -o: '' is not the name of a file");
	writer->path = path ? path : "/dev/stdout";
	writer->reader = -1;
	writer->end = -1;
	writer->fd = to_stdout ? STDOUT_FILENO : open_retrying(path, O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY);
	if (writer->fd < 0)
		die_errno("option -o: %s", writer->path);
	look_at_file(writer);
	if (!to_stdout && is_our_stdout(writer)) {
		xclose(writer->fd);
		writer->fd = STDOUT_FILENO;
	}
	writer->environment = compose_environment(facts, fact_count);
	return writer;
}

void record_close(struct record_writer *writer)
{
	if (writer->fd != STDOUT_FILENO)
		xclose(writer->fd);
	if (writer->reader >= 0)
		xclose(writer->reader);
	free(writer->environment);
	free(writer->units);
	free(writer);
}

/* A signal came while the file could not be written: kbench waits no longer. */
static noreturn void end_by(const struct record_writer *writer, int signal_number)
{
	die_status(EXIT_SIGNAL + signal_number);
	die("%s: ended by signal %d before the run could be recorded", writer->path, signal_number);
}

static void lock(const struct record_writer *writer)
{
	unsigned looks = 0;

	while (writer->regular && flock(writer->fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			die_errno("%s: cannot be locked", writer->path);
		if (!signals_let_wait(&looks))
			end_by(writer, signals_pending());
	}
}

static void unlock(const struct record_writer *writer)
{
	if (writer->regular)
		flock(writer->fd, LOCK_UN);
}

/* Where the next write to a regular file goes. */
static off_t next_place(const struct record_writer *writer)
{
	struct stat status;
	off_t place;

	if (fcntl(writer->fd, F_GETFL) & O_APPEND) {
		if (fstat(writer->fd, &status) < 0)
			die_errno("%s", writer->path);
		return status.st_size;
	}
	place = lseek(writer->fd, 0, SEEK_CUR);
	if (place < 0)
		die_errno("%s", writer->path);
	return place;
}

/*
 * Two words, because one could become the unit of a number that was cut. Of two, one stands where a number must, or
 * lacks its other half, for every reader.
 */
static void mark_cut(const struct record_writer *writer, FILE *out, off_t place)
{
	char last = '\n';
	ssize_t got;

	if (place == 0)
		return;
	do
		got = pread(writer->reader, &last, 1, place - 1);
	while (got < 0 && errno == EINTR);
	if (got == 1 && last == '\n')
		return;
	if (got == 1)
		warn("%s: the last line was cut: it is marked as damaged", writer->path);
	fputs(" cut cut\n", out);
}

static void begin_block(struct record_writer *writer, FILE *out)
{
	fputs(writer->environment, out);
	writer->unit_count = 0;
}

/* Readers split at blanks. */
static void put_unit(FILE *out, const char *unit)
{
	for (; *unit; unit++)
		fputc((unsigned char)*unit <= ' ' ? '-' : *unit, out);
}

static bool is_said(const struct record_writer *writer, const char *unit)
{
	for (size_t i = 0; i < writer->unit_count; i++)
		if (strcmp(writer->units[i], unit) == 0)
			return true;
	return false;
}

static void put_directions(struct record_writer *writer, FILE *out, const struct result *result)
{
	for (size_t i = 0; i < result->metric_count; i++) {
		const struct metric *metric = &result->metrics[i];

		if (metric->better == BETTER_NONE || !isfinite(metric->value) || is_said(writer, metric->key))
			continue;
		writer->units = xrealloc(writer->units, (writer->unit_count + 1) * sizeof(*writer->units));
		memcpy(writer->units[writer->unit_count++], metric->key, sizeof(metric->key));
		fputs("Unit ", out);
		put_unit(out, metric->key);
		fprintf(out, " better=%s\n", metric->better == BETTER_LOWER ? "lower" : "higher");
	}
}

static void put_place(FILE *out, const struct record_run *run)
{
	fputs("# run:", out);
	if (run->id && *run->id) {
		fputs(" id=", out);
		record_put_value(out, run->id);
	}
	fprintf(out, " index=%" PRIu64, run->index);
	if (isfinite(run->time))
		fprintf(out, " time=%.3f", run->time);
	fputc('\n', out);
}

static void put_metric(FILE *out, const char *unit, double value)
{
	char number[UNITS_TEXT];

	if (!isfinite(value))
		return;
	fprintf(out, " %s ", units_format_number(number, value));
	put_unit(out, unit);
}

static void put_result(FILE *out, const struct series *series, const struct result *result)
{
	char *name = record_name(series);

	fprintf(out, "Benchmark%s %" PRIu64, name, result->operations ? result->operations : 1);
	put_metric(out, series->headline, result_value(result, series->headline));
	for (size_t i = 0; i < result->metric_count; i++)
		if (strcmp(result->metrics[i].key, series->headline) != 0)
			put_metric(out, result->metrics[i].key, result->metrics[i].value);
	fputc('\n', out);
	free(name);
}

/* Where another has written meanwhile, the environment before our place is his, and ours is said again. */
static char *compose(struct record_writer *writer, const struct record_run *run, off_t place, size_t *length)
{
	char *text;
	FILE *out = xopen_memstream(&text, length);

	if (writer->end < 0 || (writer->regular && place != writer->end)) {
		if (writer->regular)
			mark_cut(writer, out, place);
		begin_block(writer, out);
	}
	put_directions(writer, out, run->result);
	put_place(out, run);
	put_result(out, run->series, run->result);
	xclose_memstream(out);
	return text;
}

/* Half a line would spoil the next one, which is another's. */
static noreturn void take_back(const struct record_writer *writer, off_t place, size_t written, size_t length)
{
	struct stat status;
	int error = errno;
	bool at_end = fstat(writer->fd, &status) == 0 && status.st_size == place + (off_t)written;

	if (written && (!at_end || ftruncate(writer->fd, place) < 0))
		warn("%s: a part of a run could not be taken back", writer->path);
	if (written && written < length)
		die("%s: the run is not recorded: only %zu of its %zu bytes had room", writer->path, written, length);
	errno = error;
	die_errno("%s: the run is not recorded", writer->path);
}

static void write_regular(struct record_writer *writer, const char *text, size_t length, off_t place)
{
	ssize_t put;

	do
		put = write(writer->fd, text, length);
	while (put < 0 && errno == EINTR);
	if (put < 0 || (size_t)put < length)
		take_back(writer, place, put < 0 ? 0 : (size_t)put, length);
	while (fdatasync(writer->fd) < 0) {
		if (errno == EINVAL)
			break;
		if (errno != EINTR)
			take_back(writer, place, length, length);
	}
	writer->end = place + put;
}

static void write_stream(struct record_writer *writer, const char *text, size_t length)
{
	int done = signals_write_all(writer->fd, text, length);

	if (done < 0)
		die_errno("%s: the run is not recorded", writer->path);
	if (done > 0)
		end_by(writer, done);
	writer->end = 0;
}

void record_write(struct record_writer *writer, const struct record_run *run)
{
	off_t place = 0;
	size_t length;
	char *text;

	if (!isfinite(result_value(run->result, run->series->headline))) {
		warn("%s: a run without %s is not recorded", writer->path, run->series->headline);
		return;
	}
	fflush(NULL); /* what is printed and what is recorded may be one file */
	lock(writer);
	if (writer->regular)
		place = next_place(writer);
	text = compose(writer, run, place, &length);
	if (writer->regular)
		write_regular(writer, text, length, place);
	else
		write_stream(writer, text, length);
	unlock(writer);
	free(text);
}
