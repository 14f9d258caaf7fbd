// SPDX-License-Identifier: GPL-2.0-only
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "needs.h"
#include "supervisor.h"
#include "units.h"

/* Shared by the supervisor and the processes of one run. */
struct exchange {
	struct failure failure;
	atomic_int complete;
	uint64_t wall_ns;
	struct result result; /* of RESULT_SIZE bytes */
};

#define EXCHANGE_SIZE (offsetof(struct exchange, result) + RESULT_SIZE)

struct runner {
	struct conditions conditions;
	struct supervisor *supervisor;
};

struct runner *runner_new(const struct conditions *conditions, void (*tick)(void *), void *tick_arg)
{
	struct runner *runner = xcalloc(1, sizeof(*runner));

	runner->conditions = *conditions;
	runner->supervisor = supervisor_new(tick, tick_arg);
	return runner;
}

void runner_free(struct runner *runner)
{
	supervisor_free(runner->supervisor);
	free(runner);
}

/* Conditions that are made anew before each run. */

/* True: go on. What the command prints is no result. */
static bool prepare(struct runner *runner, struct outcome *outcome)
{
	char *text = xstrdup(runner->conditions.prepare);
	char *const argv[] = { (char[]){ "/bin/sh" }, (char[]){ "-c" }, text, NULL };
	struct command_result result;
	struct ending ending;

	supervisor_run(runner->supervisor, &(struct command){ .argv = argv, .out = -1, .err = -1 }, &ending, &result);
	free(text);
	if (ending.signal) {
		outcome->status = RUN_INTERRUPTED;
		outcome->signal = ending.signal;
	} else if (ending.status) {
		outcome->status = RUN_FAILED;
		snprintf(outcome->reason, sizeof(outcome->reason), "the --prepare command ended with status %d: %s",
			ending_status(&ending), runner->conditions.prepare);
	}
	return !ending.signal && !ending.status;
}

/* True: go on. */
static bool drop_caches(struct outcome *outcome)
{
	int fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
	bool dropped;

	sync();
	dropped = fd >= 0 && write(fd, "3", 1) == 1;
	if (!dropped) {
		outcome->status = RUN_SKIPPED;
		snprintf(outcome->reason, sizeof(outcome->reason),
			"--drop-caches: /proc/sys/vm/drop_caches: %s (it needs root)", strerror(errno));
	}
	if (fd >= 0)
		close(fd);
	return dropped;
}

/* The run process. */

static void check(struct run *run)
{
	if (run->benchmark->needs.nodes)
		run_topology(run);
	if (run->benchmark->check)
		run->benchmark->check(run);
	else
		run_workers(run, 1, false);
	needs_meet(run);
}

static void measure(struct run *run)
{
	run->pool = pool_new(run->worker_max);
	run->benchmark->setup(run);
	pool_wait_ready(run->pool);
	run->gate_ns = pool_release(run->pool);
	pool_wait_end(run->pool, run->runtime_ns);
	if (run->benchmark->until == UNTIL_REAPED) {
		run->wall_ns = clock_now() - run->gate_ns;
		return;
	}
	for (unsigned i = 0; i < pool_count(run->pool); i++) {
		uint64_t wall_ns = pool_slot(run->pool, i)->end_ns - run->gate_ns;

		if (wall_ns > run->wall_ns)
			run->wall_ns = wall_ns;
	}
}

/* What every result has, before what the benchmark adds. */
static void report(struct run *run)
{
	struct worker_usage used = run_usage(run);

	run_metric(run, "sec", (double)run->wall_ns / (double)NSEC_PER_SEC, BETTER_LOWER);
	run->benchmark->report(run);
	run_metric(run, "user-sec", (double)used.user_ns / (double)NSEC_PER_SEC, BETTER_LOWER);
	run_metric(run, "sys-sec", (double)used.sys_ns / (double)NSEC_PER_SEC, BETTER_LOWER);
	run_metric(run, "voluntary-switches", (double)used.voluntary_switches, BETTER_NONE);
	run_metric(run, "involuntary-switches", (double)used.involuntary_switches, BETTER_NONE);
	run_metric(run, "minor-faults", (double)used.minor_faults, BETTER_NONE);
	run_metric(run, "major-faults", (double)used.major_faults, BETTER_NONE);
}

static noreturn void run_process(
	const struct runner *runner, const struct entry *entry, struct exchange *exchange, bool check_only)
{
	struct run run = {
		.benchmark = entry->benchmark,
		.result = &exchange->result,
		.allowed = runner->conditions.cpus,
	};

	die_into(&exchange->failure);
	if (cpus_bind(&run.allowed) < 0)
		die_errno("binding to the CPUs of --cpus");
	check(&run);
	if (!check_only) {
		measure(&run);
		report(&run);
		if (run.benchmark->teardown)
			run.benchmark->teardown(&run);
	}
	exchange->wall_ns = run.wall_ns;
	atomic_store(&exchange->complete, 1);
	_exit(EXIT_DONE);
}

/* Failures. */

static void fail(struct outcome *outcome, int status, const char *text)
{
	if (status == EXIT_USAGE)
		usage("%s", text);
	outcome->status = status == EXIT_SKIPPED ? RUN_SKIPPED : RUN_FAILED;
	snprintf(outcome->reason, sizeof(outcome->reason), "%s", text);
}

static void conclude(
	const struct runner *runner, struct exchange *exchange, const struct ending *ending, struct outcome *outcome)
{
	int status = 0;
	const char *text = failure_text(&exchange->failure, &status);
	char own[200], timeout[UNITS_TEXT];

	if (ending->signal) {
		outcome->status = RUN_INTERRUPTED;
		outcome->signal = ending->signal;
	} else if (ending->timed_out) {
		snprintf(own, sizeof(own), "the run took longer than --timeout %s and was ended",
			units_format_time(timeout, runner->conditions.timeout_ns));
		fail(outcome, EXIT_FAILED, own);
	} else if (text && (text == exchange->failure.text || !WIFSIGNALED(ending->status))) {
		fail(outcome, status, text);
	} else if (WIFSIGNALED(ending->status)) {
		snprintf(own, sizeof(own), "the run process was killed by signal %d (%s)%s", WTERMSIG(ending->status),
			strsignal(WTERMSIG(ending->status)),
			WTERMSIG(ending->status) == SIGKILL ? "; short of memory the kernel does that, see dmesg" : "");
		fail(outcome, EXIT_FAILED, own);
	} else if (!atomic_load(&exchange->complete)) {
		snprintf(own, sizeof(own), "the run process ended with status %d and left no result",
			WEXITSTATUS(ending->status));
		fail(outcome, EXIT_FAILED, own);
	} else {
		outcome->status = RUN_DONE;
	}
}

static void execute(struct runner *runner, const struct entry *entry, struct outcome *outcome, bool check_only)
{
	struct exchange *exchange = xmmap(EXCHANGE_SIZE, true);
	struct ending ending;
	uint64_t start = clock_now();
	pid_t pid = supervisor_fork(runner->supervisor);

	if (pid == 0)
		run_process(runner, entry, exchange, check_only);
	supervisor_wait(runner->supervisor, pid, runner->conditions.timeout_ns, &ending);
	conclude(runner, exchange, &ending, outcome);
	if (outcome->status == RUN_DONE && !check_only) {
		/* What the run cost besides what it measured: its process, its workers, their ends. */
		result_metric(&exchange->result, "outside-sec",
			(double)(clock_now() - start - exchange->wall_ns) / (double)NSEC_PER_SEC, BETTER_NONE);
		outcome->result = result_copy(&exchange->result);
	}
	xmunmap(exchange, EXCHANGE_SIZE);
}

void runner_check(struct runner *runner, const struct entry *entry, struct outcome *outcome)
{
	execute(runner, entry, outcome, true);
}

void runner_run(struct runner *runner, const struct entry *entry, struct outcome *outcome)
{
	if (runner->conditions.drop_caches && !drop_caches(outcome))
		return;
	if (runner->conditions.prepare && !prepare(runner, outcome))
		return;
	execute(runner, entry, outcome, false);
}
