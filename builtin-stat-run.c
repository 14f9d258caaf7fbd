// SPDX-License-Identifier: GPL-2.0-only
#include "builtin-stat-run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "die.h"
#include "units.h"
#include "wrap.h"

#define TAIL_BYTES 2000
#define TAIL_LINES 10

/* What one event has counted; written by the process that waits for the command. */
struct counted {
	double value;
	char remark[COUNTER_REMARK]; /* "": nothing is to be said */
};

/* Around one run, in that process. */
struct around {
	const struct stat_conditions *conditions;
	struct counters *counters;
	struct counted *counted; /* shared with us, one an event */
};

const char *stat_headline(const struct stat_conditions *conditions)
{
	return conditions->number ? "number" : "wall-sec";
}

static void begin_around(void *arg)
{
	struct around *around = arg;

	if (cpus_confine(&around->conditions->cpus) < 0)
		die_or_skip("binding to the CPUs of --cpus");
	if (!around->conditions->events)
		return;
	around->counters = counters_open(around->conditions->events);
	counters_enable(around->counters);
}

static void end_around(void *arg)
{
	struct around *around = arg;

	if (!around->counters)
		return;
	counters_disable(around->counters);
	for (size_t i = 0; i < events_count(around->conditions->events); i++) {
		struct counter_value value = counters_read(around->counters, i);
		struct counted *counted = &around->counted[i];

		counted->value = value.value;
		counter_remark(counted->remark, &value);
	}
	counters_close(around->counters);
}

/* A file without a name, so that a command that prints much never waits for a reader. */
static int open_output(void)
{
	int fd = memfd_create("kbench-output", MFD_CLOEXEC);

	/* What opens /dev/stdout anew writes behind the others too. */
	if (fd < 0 || fcntl(fd, F_SETFL, O_APPEND) < 0)
		die_errno("memfd_create");
	return fd;
}

static int open_errors(const struct stat_conditions *conditions)
{
	int fd = -1;

	if (conditions->quiet) {
		fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
		if (fd < 0)
			die_errno("/dev/null");
	}
	return fd;
}

/* Only what a terminal takes as text. */
static void clean(char *text)
{
	for (; *text; text++)
		if (((unsigned char)*text < ' ' && *text != '\n' && *text != '\t') || *text == 0x7f)
			*text = '?';
}

/* The last lines of what was printed; NULL: nothing was. */
static char *read_tail(int fd)
{
	off_t end = lseek(fd, 0, SEEK_END), start = end > TAIL_BYTES ? end - TAIL_BYTES : 0;
	char *tail = xcalloc(1, TAIL_BYTES + 1), *from = tail, *lines;
	ssize_t got = pread(fd, tail, TAIL_BYTES, start);
	int newlines = 0;

	if (got <= 0) {
		free(tail);
		return NULL;
	}
	for (char *nul = tail; (nul = memchr(nul, '\0', (size_t)(tail + got - nul)));)
		*nul = '?';
	if (tail[got - 1] == '\n')
		tail[--got] = '\0';
	for (char *c = tail + got; c > tail && newlines < TAIL_LINES; c--)
		if (c[-1] == '\n' && ++newlines == TAIL_LINES)
			from = c;
	clean(from);
	lines = xstrdup(from);
	free(tail);
	return lines;
}

PRINTF_LIKE(4, 5)
static void end_with(struct stat_outcome *outcome, enum stat_end end, int status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(outcome->reason, sizeof(outcome->reason), format, args);
	va_end(args);
	outcome->end = end;
	outcome->status = status;
}

/* How it ended, but for the number that it should have printed. */
static void conclude(const struct stat_conditions *conditions, const char *program, const struct ending *ending,
	const struct command_result *used, struct stat_outcome *outcome)
{
	char timeout[UNITS_TEXT];
	int status = ending_status(ending);

	if (ending->signal)
		end_with(outcome, STAT_INTERRUPTED, EXIT_SIGNAL + ending->signal, "interrupted by signal %d",
			ending->signal);
	else if (ending->timed_out)
		end_with(outcome, STAT_FAILED, EXIT_FAILED, "it took longer than --timeout %s and was ended",
			units_format_time(timeout, conditions->timeout_ns));
	else if (used->exec_errno)
		end_with(outcome, STAT_HOPELESS, status, "%.200s: %s", program, strerror(used->exec_errno));
	else if (status > EXIT_SIGNAL && status < EXIT_SIGNAL + NSIG)
		end_with(outcome, STAT_FAILED, status, "it ended with status %d (killed by signal %d, %s)", status,
			status - EXIT_SIGNAL, strsignal(status - EXIT_SIGNAL));
	else if (status)
		end_with(outcome, STAT_FAILED, status, "it ended with status %d", status);
	else
		outcome->end = STAT_DONE;
}

static double seconds_of(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static void add_counted(struct result *result, const char *name, const struct counted *counted)
{
	result_metric(result, name, counted->value, BETTER_NONE)->place = METRIC_COUNTER;
	if (result->remark_count == RESULT_NOTES)
		return;
	if (*counted->remark)
		result_remark(result, "%s: %s", name, counted->remark);
}

static struct result *result_of(const struct stat_conditions *conditions, const struct command_result *used,
	double number, const struct counted *counted)
{
	struct result *all = xcalloc(1, RESULT_SIZE), *result;

	if (conditions->number)
		result_metric(all, "number", number, BETTER_NONE);
	result_metric(all, "wall-sec", (double)used->wall_ns / (double)NSEC_PER_SEC, BETTER_LOWER);
	result_metric(all, "user-sec", seconds_of(used->used.ru_utime), BETTER_LOWER);
	result_metric(all, "sys-sec", seconds_of(used->used.ru_stime), BETTER_LOWER);
	result_metric(all, "max-rss-bytes", (double)used->used.ru_maxrss * 1024, BETTER_LOWER);
	for (size_t i = 0; conditions->events && i < events_count(conditions->events); i++)
		add_counted(all, events_name(conditions->events, i), &counted[i]);
	result = result_copy(all);
	free(all);
	return result;
}

/* True: go on. */
static bool prepare(const struct supervisor *supervisor, uint64_t timeout_ns, const struct stat_command *command,
	struct stat_outcome *outcome)
{
	int signal;
	char why[sizeof(outcome->reason)];

	if (supervisor_prepare(supervisor, command->prepare, timeout_ns, &signal, why, sizeof(why)))
		return true;
	if (signal)
		end_with(outcome, STAT_INTERRUPTED, EXIT_SIGNAL + signal, "interrupted by signal %d", signal);
	else
		end_with(outcome, STAT_HOPELESS, EXIT_FAILED, "%s", why);
	return false;
}

static void measure(const struct supervisor *supervisor, const struct stat_conditions *conditions,
	const struct stat_command *command, int output, struct stat_outcome *outcome)
{
	size_t shared = STAT_EVENTS * sizeof(struct counted);
	struct around around = { .conditions = conditions, .counted = xmmap(shared, true) };
	int errors = open_errors(conditions);
	struct command run = {
		.argv = command->argv,
		.out = output,
		.err = errors,
		.timeout_ns = conditions->timeout_ns,
		.before = begin_around,
		.after = end_around,
		.arg = &around,
	};
	struct command_result used;
	struct ending ending;
	double number = 0;
	char why[300];

	supervisor_run(supervisor, &run, &ending, &used);
	conclude(conditions, command->argv[0], &ending, &used, outcome);
	outcome->printed = !used.exec_errno;
	if (outcome->end == STAT_DONE && conditions->number &&
		!number_find(conditions->number, output, &number, why, sizeof(why)))
		end_with(outcome, STAT_HOPELESS, EXIT_FAILED, "%s", why);
	if (outcome->end == STAT_DONE)
		outcome->result = result_of(conditions, &used, number, around.counted);
	if (errors >= 0)
		xclose(errors);
	xmunmap(around.counted, shared);
}

void stat_run(const struct supervisor *supervisor, const struct stat_conditions *conditions,
	const struct stat_command *command, struct stat_outcome *outcome)
{
	*outcome = (struct stat_outcome){ .end = STAT_DONE };
	if (!command->prepare || prepare(supervisor, conditions->timeout_ns, command, outcome)) {
		int output = open_output();

		measure(supervisor, conditions, command, output, outcome);
		if (outcome->end == STAT_FAILED || outcome->end == STAT_HOPELESS)
			outcome->output = read_tail(output);
		xclose(output);
	}
	supervisor_end_orphans(supervisor, 0);
}
