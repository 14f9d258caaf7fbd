// SPDX-License-Identifier: GPL-2.0-only
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "needs.h"
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
	sigset_t awaited;   /* what the supervisor waits for */
	sigset_t inherited; /* the mask that kbench was started with */
	void (*tick)(void *);
	void *tick_arg;
};

/* An ending signal that the caller had ignored (nohup) stays ignored. */
static void await_unless_ignored(sigset_t *set, int signal_number)
{
	struct sigaction action;

	if (sigaction(signal_number, NULL, &action) < 0)
		die_errno("sigaction");
	if (action.sa_handler != SIG_IGN)
		sigaddset(set, signal_number);
}

struct runner *runner_new(const struct conditions *conditions, void (*tick)(void *), void *tick_arg)
{
	struct runner *runner = xcalloc(1, sizeof(*runner));
	sigset_t blocked;

	runner->conditions = *conditions;
	runner->tick = tick;
	runner->tick_arg = tick_arg;
	sigemptyset(&runner->awaited);
	await_unless_ignored(&runner->awaited, SIGINT);
	await_unless_ignored(&runner->awaited, SIGTERM);
	await_unless_ignored(&runner->awaited, SIGHUP);
	sigaddset(&runner->awaited, SIGCHLD);
	blocked = runner->awaited;
	sigaddset(&blocked, SIGUSR1); /* the pool's own */
	if (sigprocmask(SIG_BLOCK, &blocked, &runner->inherited) < 0)
		die_errno("sigprocmask");
	/*
	 * Orphans of a run come to us, so that we can wait for the last of them. Where it is refused (user-mode emulation)
	 * they are killed all the same, and init waits.
	 */
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	return runner;
}

void runner_free(struct runner *runner)
{
	free(runner);
}

/* The supervisor: a process group, watched until its leader ends. */

struct ending {
	int status; /* as from waitpid; 0 when we ended it */
	int signal; /* that reached kbench meanwhile; 0: none */
	bool timed_out;
};

static bool has_ended(pid_t pid)
{
	siginfo_t info = { .si_pid = 0 };

	while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
		if (errno != EINTR)
			die_errno("waitid");
	return info.si_pid == pid;
}

/* The next signal, or -1 after this many nanoseconds. */
static int next_signal(const struct runner *runner, uint64_t ns)
{
	struct timespec limit = { .tv_sec = (time_t)(ns / NSEC_PER_SEC), .tv_nsec = (long)(ns % NSEC_PER_SEC) };
	int signal_number = sigtimedwait(&runner->awaited, NULL, &limit);

	if (signal_number < 0 && errno != EAGAIN && errno != EINTR)
		die_errno("sigtimedwait");
	return signal_number;
}

static void watch(const struct runner *runner, pid_t pid, uint64_t timeout_ns, struct ending *ending)
{
	uint64_t start = clock_now();

	while (!has_ended(pid)) {
		uint64_t elapsed = clock_now() - start, wait_ns = NSEC_PER_SEC;
		int signal_number;

		if (timeout_ns && elapsed >= timeout_ns) {
			ending->timed_out = true;
			return;
		}
		if (timeout_ns && timeout_ns - elapsed < wait_ns)
			wait_ns = timeout_ns - elapsed;
		signal_number = next_signal(runner, wait_ns);
		if (signal_number > 0 && signal_number != SIGCHLD) {
			ending->signal = signal_number;
			return;
		}
		if (runner->tick)
			runner->tick(runner->tick_arg);
	}
}

/* Ends what is left of the group and waits for the last of it. While the leader is not reaped its id is not reused. */
static int end_group(pid_t leader)
{
	int status, leader_status = 0;
	pid_t pid;

	kill(-leader, SIGKILL);
	while ((pid = waitpid(-leader, &status, 0)) > 0 || errno == EINTR)
		if (pid == leader)
			leader_status = status;
	return leader_status;
}

/* Forks the leader of a new process group. 0 in the child. */
static pid_t fork_leader(void)
{
	pid_t parent = getpid(), pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		die_errno("fork");
	if (pid == 0) {
		setpgid(0, 0);
		die_with_parent(parent);
	} else {
		setpgid(pid, pid); /* whoever comes first; it fails when the child is gone */
	}
	return pid;
}

/* Conditions that are made anew before each run. */

static noreturn void exec_shell(const struct runner *runner)
{
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &runner->inherited, NULL);
	/* What it prints is no result, and it must not wait for a terminal that is not its own. */
	dup2(STDERR_FILENO, STDOUT_FILENO);
	dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
	execl("/bin/sh", "sh", "-c", runner->conditions.prepare, (char *)NULL);
	die_errno("/bin/sh");
}

/*
 * Between kbench and the shell stands a process that outlives kbench for a moment: when kbench dies it is told, and ends the
 * group with everything that the command has started.
 */
static noreturn void guard_prepare(const struct runner *runner)
{
	sigset_t set;
	pid_t shell;
	int status;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0)
		die_errno("prctl PR_SET_PDEATHSIG");
	shell = fork();
	if (shell < 0)
		die_errno("fork");
	if (shell == 0)
		exec_shell(runner);
	while (waitpid(shell, &status, WNOHANG) == 0)
		if (sigwaitinfo(&set, NULL) == SIGTERM)
			kill(0, SIGKILL);
	_exit(WIFSIGNALED(status) ? EXIT_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status));
}

/* True: go on. */
static bool prepare(struct runner *runner, struct outcome *outcome)
{
	struct ending ending = { 0 };
	pid_t pid = fork_leader();

	if (pid == 0)
		guard_prepare(runner);
	watch(runner, pid, 0, &ending);
	ending.status = end_group(pid);
	if (ending.signal) {
		outcome->status = RUN_INTERRUPTED;
		outcome->signal = ending.signal;
	} else if (ending.status) {
		outcome->status = RUN_FAILED;
		snprintf(outcome->reason, sizeof(outcome->reason), "the --prepare command ended with status %d: %s",
			WIFEXITED(ending.status) ? WEXITSTATUS(ending.status) : EXIT_SIGNAL + WTERMSIG(ending.status),
			runner->conditions.prepare);
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
	struct ending ending = { 0 };
	uint64_t start = clock_now();
	pid_t pid = fork_leader();

	if (pid == 0)
		run_process(runner, entry, exchange, check_only);
	watch(runner, pid, runner->conditions.timeout_ns, &ending);
	ending.status = end_group(pid);
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
