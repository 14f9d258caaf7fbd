// SPDX-License-Identifier: GPL-2.0-only
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "death.h"
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
	const struct conditions *conditions;
	struct supervisor *supervisor;
};

struct runner *runner_new(const struct conditions *conditions, void (*tick)(void *), void *tick_arg)
{
	struct runner *runner = xcalloc(1, sizeof(*runner));

	runner->conditions = conditions;
	runner->supervisor = supervisor_new(tick, tick_arg);
	return runner;
}

void runner_free(struct runner *runner)
{
	supervisor_free(runner->supervisor);
	free(runner);
}

/* Conditions that are made anew before each run. */

/* True: go on. */
static bool prepare(struct runner *runner, struct outcome *outcome)
{
	const struct conditions *conditions = runner->conditions;

	if (supervisor_prepare(runner->supervisor, conditions->prepare, conditions->timeout_ns, &outcome->signal,
		    outcome->reason, sizeof(outcome->reason)))
		return true;
	outcome->status = outcome->signal ? RUN_INTERRUPTED : RUN_FAILED;
	return false;
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
		snprintf(outcome->reason, sizeof(outcome->reason), "--drop-caches: /proc/sys/vm/drop_caches: %s%s",
			strerror(errno), errno == EACCES || errno == EPERM ? " (it needs root)" : "");
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

/* Short of memory the kernel takes the run, and not who tells of it. Where it may not be set, it is a matter of luck. */
static void offer_to_oom_killer(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	while (write(fd, "1000", 4) < 0 && errno == EINTR)
		;
	close(fd);
}

/* Joining comes before anything else, so that all that the run takes is the group's. */
static void enter_group(const struct conditions *conditions)
{
	if (conditions->fresh && cgroup_enter(conditions->fresh) < 0)
		die_errno("entering the group of --cpu-max");
	if (!conditions->fresh && conditions->group && cgroup_join(conditions->group, false) < 0)
		die_or_skip("--cgroup: joining %s", conditions->group);
}

static void measure(struct run *run, struct counters *counters)
{
	run->pool = pool_new(run->worker_max);
	pool_on_refusal(run->pool, needs_refused, run);
	run->benchmark->setup(run);
	pool_wait_ready(run->pool);
	if (counters)
		counters_enable(counters);
	run->gate_ns = pool_release(run->pool);
	pool_wait_end(run->pool, run->runtime_ns);
	if (counters)
		counters_disable(counters);
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

/* The total of each event, and what it is for one operation. */
static void report_counters(struct run *run, const struct events *events, struct counters *counters)
{
	uint64_t operations = run_operations(run);

	for (size_t i = 0; i < events_count(events); i++) {
		struct counter_value value = counters_read(counters, i);
		char key[200], remark[COUNTER_REMARK];
		const char *said;

		result_metric(run->result, events_name(events, i), value.value, BETTER_NONE)->place = METRIC_COUNTER;
		snprintf(key, sizeof(key), "%s/op", events_name(events, i));
		run_metric(run, key, operations ? value.value / (double)operations : (double)NAN, BETTER_LOWER);
		said = counter_remark(remark, &value);
		if (said && run->result->remark_count < RESULT_NOTES)
			run_remark(run, "%s: %s", events_name(events, i), said);
	}
	counters_close(counters);
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
		.allowed = runner->conditions->cpus,
	};

	struct counters *counters = NULL;

	die_into(&exchange->failure);
	offer_to_oom_killer();
	enter_group(runner->conditions);
	if (cpus_confine(&run.allowed) < 0)
		die_or_skip("binding to the CPUs of --cpus");
	check(&run);
	if (!check_only) {
		if (runner->conditions->events)
			counters = counters_open(runner->conditions->events);
		measure(&run, counters);
		report(&run);
		if (counters)
			report_counters(&run, runner->conditions->events, counters);
		exchange->result.operations = run_operations(&run);
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
	char own[DEATH_TEXT + 50], death[DEATH_TEXT], timeout[UNITS_TEXT];

	if (ending->signal) {
		outcome->status = RUN_INTERRUPTED;
		outcome->signal = ending->signal;
	} else if (ending->timed_out) {
		snprintf(own, sizeof(own), "the run took longer than --timeout %s and was ended",
			units_format_time(timeout, runner->conditions->timeout_ns));
		fail(outcome, EXIT_FAILED, own);
	} else if (text && (text == exchange->failure.text || !WIFSIGNALED(ending->status))) {
		fail(outcome, status, text);
	} else if (WIFSIGNALED(ending->status)) {
		snprintf(own, sizeof(own), "the run process was killed by %s",
			death_text(death, WTERMSIG(ending->status)));
		fail(outcome, EXIT_FAILED, own);
	} else if (!atomic_load(&exchange->complete)) {
		snprintf(own, sizeof(own), "the run process ended with status %d and left no result",
			WEXITSTATUS(ending->status));
		fail(outcome, EXIT_FAILED, own);
	} else {
		outcome->status = RUN_DONE;
	}
}

/* How the group of --cpu-max fared. */
static void report_throttling(const struct cgroup_throttling *throttling, struct result *result)
{
	result_metric(result, "periods", (double)throttling->periods, BETTER_NONE);
	result_metric(result, "throttled-periods", (double)throttling->throttled, BETTER_LOWER);
	result_metric(result, "throttled-sec", (double)throttling->throttled_ns / (double)NSEC_PER_SEC, BETTER_LOWER);
	result_remark(result, "throttled in %llu of %llu periods", (unsigned long long)throttling->throttled,
		(unsigned long long)throttling->periods);
}

static void execute(struct runner *runner, const struct entry *entry, struct outcome *outcome, bool check_only)
{
	struct exchange *exchange = xmmap(EXCHANGE_SIZE, true);
	struct ending ending;
	struct cgroup_fresh *fresh = runner->conditions->fresh;
	uint64_t start = clock_now();
	pid_t pid;

	if (fresh)
		cgroup_run_begins(fresh);
	pid = supervisor_fork(runner->supervisor);

	if (pid == 0)
		run_process(runner, entry, exchange, check_only);
	supervisor_wait(runner->supervisor, pid, runner->conditions->timeout_ns, &ending);
	conclude(runner, exchange, &ending, outcome);
	if (outcome->status == RUN_DONE && !check_only) {
		/* What the run cost besides what it measured: its process, its workers, their ends. */
		result_metric(&exchange->result, "outside-sec",
			(double)(clock_now() - start - exchange->wall_ns) / (double)NSEC_PER_SEC, BETTER_NONE);
		if (fresh) {
			struct cgroup_throttling throttling = cgroup_run_ends(fresh);

			report_throttling(&throttling, &exchange->result);
		}
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
	if (runner->conditions->drop_caches && !drop_caches(outcome))
		return;
	if (!runner->conditions->prepare || prepare(runner, outcome))
		execute(runner, entry, outcome, false);
	if (runner->conditions->prepare)
		supervisor_end_orphans(runner->supervisor, cgroup_janitor(runner->conditions->fresh));
}
