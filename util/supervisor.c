// SPDX-License-Identifier: GPL-2.0-only
#include "supervisor.h"

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
#include "die.h"
#include "processes.h"
#include "signals.h"
#include "workers.h"
#include "wrap.h"

struct supervisor {
	sigset_t awaited;
	sigset_t of_runs;   /* the mask of what it starts: there the ending signals end */
	sigset_t inherited; /* the mask that kbench was started with */
	bool adopts;        /* what has lost its parent comes to us, and is of what we started */
	void (*tick)(void *);
	void *tick_arg;
};

static bool has_children(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

struct supervisor *supervisor_new(void (*tick)(void *), void *tick_arg)
{
	struct supervisor *supervisor = xcalloc(1, sizeof(*supervisor));
	sigset_t ending;

	supervisor->tick = tick;
	supervisor->tick_arg = tick_arg;
	signals_ending(&ending);
	supervisor->awaited = ending;
	sigaddset(&supervisor->awaited, SIGCHLD);
	if (sigprocmask(SIG_BLOCK, &supervisor->awaited, &supervisor->inherited) < 0)
		die_errno("sigprocmask");
	supervisor->of_runs = supervisor->inherited;
	for (int i = 1; i < NSIG; i++)
		if (sigismember(&ending, i) == 1)
			sigdelset(&supervisor->of_runs, i);
	sigaddset(&supervisor->of_runs, SIGCHLD);
	sigaddset(&supervisor->of_runs, SIGUSR1); /* the pool's own */
	/*
	 * Orphans of a group come to us, so that we can wait for the last of them. Where it is refused (user-mode emulation)
	 * they are killed all the same, and init waits. So it is in a process that had children before it became kbench:
	 * their orphans are none of our business.
	 */
	supervisor->adopts = !has_children() && prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
	return supervisor;
}

void supervisor_free(struct supervisor *supervisor)
{
	free(supervisor);
}

pid_t supervisor_fork(const struct supervisor *supervisor)
{
	pid_t parent = getpid(), pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		die_errno("fork of the first process of a run, held to ulimit -u and the pids.max of the cgroup");
	if (pid == 0) {
		setpgid(0, 0);
		sigprocmask(SIG_SETMASK, &supervisor->of_runs, NULL);
		die_with_parent(parent);
	} else {
		setpgid(pid, pid); /* whoever comes first; it fails when the child is gone */
	}
	return pid;
}

static bool has_ended(pid_t pid)
{
	siginfo_t info = { .si_pid = 0 };

	while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
		if (errno != EINTR)
			die_errno("waitid");
	return info.si_pid == pid;
}

/* The next signal, or -1 after this many nanoseconds. */
static int next_signal(const struct supervisor *supervisor, uint64_t ns)
{
	struct timespec limit = { .tv_sec = (time_t)(ns / NSEC_PER_SEC), .tv_nsec = (long)(ns % NSEC_PER_SEC) };
	int signal_number = sigtimedwait(&supervisor->awaited, NULL, &limit);

	if (signal_number < 0 && errno != EAGAIN && errno != EINTR)
		die_errno("sigtimedwait");
	return signal_number;
}

static void watch(const struct supervisor *supervisor, pid_t pid, uint64_t timeout_ns, struct ending *ending)
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
		signal_number = next_signal(supervisor, wait_ns);
		if (signal_number > 0 && signal_number != SIGCHLD) {
			ending->signal = signal_number;
			raise(signal_number); /* it stays pending */
			return;
		}
		if (supervisor->tick)
			supervisor->tick(supervisor->tick_arg);
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

void supervisor_wait(const struct supervisor *supervisor, pid_t leader, uint64_t timeout_ns, struct ending *ending)
{
	*ending = (struct ending){ 0 };
	watch(supervisor, leader, timeout_ns, ending);
	ending->status = end_group(leader);
}

/* Returned: how many there were. What may not be killed (setuid) is left. */
static unsigned end_children(pid_t but)
{
	struct processes *processes = processes_open();
	struct process process;
	unsigned count = 0;

	while (processes && processes_next(processes, &process)) {
		if (process.parent != getpid() || process.pid == but || kill(process.pid, SIGKILL) < 0)
			continue;
		while (waitpid(process.pid, NULL, 0) < 0 && errno == EINTR)
			;
		count++;
	}
	processes_close(processes);
	return count;
}

void supervisor_end_orphans(const struct supervisor *supervisor, pid_t but)
{
	/* Children of those that were ended are ours now. */
	while (supervisor->adopts && has_children() && end_children(but))
		;
}

static noreturn void not_started(int *exec_errno)
{
	*exec_errno = errno;
	/* As a shell has it, but for what is not the program's doing. */
	switch (errno) {
	case ENOENT:
		_exit(127);
	case EAGAIN:
	case EMFILE:
	case ENFILE:
	case ENOMEM:
		_exit(EXIT_FAILED);
	default:
		_exit(126);
	}
}

/* In the child: what the command inherits is what kbench was given. exec_errno is shared with the supervisor. */
static noreturn void exec_command(const struct supervisor *supervisor, const struct command *command, int *exec_errno)
{
	int nothing = open("/dev/null", O_RDONLY);

	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	/* It is no foreground group: asking the terminal would stop it for ever. Now that is an error. */
	signal(SIGTTIN, SIG_IGN);
	signal(SIGTTOU, SIG_IGN);
	sigprocmask(SIG_SETMASK, &supervisor->inherited, NULL);
	if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0)
		not_started(exec_errno);
	/* stdout first: where it goes to our stderr, that is not yet another. */
	dup2(command->out < 0 ? STDERR_FILENO : command->out, STDOUT_FILENO);
	if (command->err >= 0)
		dup2(command->err, STDERR_FILENO);
	if (nothing > STDERR_FILENO)
		close(nothing);
	execvp(command->argv[0], command->argv);
	not_started(exec_errno);
}

static pid_t start(const struct supervisor *supervisor, const struct command *command, int *exec_errno)
{
	pid_t pid = fork();

	if (pid < 0)
		not_started(exec_errno);
	if (pid == 0)
		exec_command(supervisor, command, exec_errno);
	return pid;
}

static pid_t reap(pid_t pid, int *status, struct rusage *used)
{
	pid_t ended;

	do {
		ended = wait4(pid, status, WNOHANG, used);
	} while (ended < 0 && errno == EINTR);
	return ended;
}

/*
 * Between kbench and the command stands a process that outlives kbench for a moment: when kbench dies it is told, and ends
 * the group with everything that the command has started.
 */
static noreturn void guard(
	const struct supervisor *supervisor, const struct command *command, struct command_result *result)
{
	uint64_t start_ns;
	sigset_t set;
	pid_t parent = getppid(), pid;
	int status;

	/* What the command sends to its group is not for us. */
	sigfillset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0)
		die_errno("prctl PR_SET_PDEATHSIG");
	if (command->before)
		command->before(command->arg);
	start_ns = clock_now();
	pid = start(supervisor, command, &result->exec_errno);
	while (reap(pid, &status, &result->used) == 0)
		if (sigwaitinfo(&set, NULL) == SIGTERM && getppid() != parent)
			kill(0, SIGKILL);
	result->wall_ns = clock_now() - start_ns;
	if (command->after)
		command->after(command->arg);
	_exit(WIFSIGNALED(status) ? EXIT_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status));
}

void supervisor_run(const struct supervisor *supervisor, const struct command *command, struct ending *ending,
	struct command_result *result)
{
	struct command_result *shared = xmmap(sizeof(*shared), true);
	pid_t pid = supervisor_fork(supervisor);

	if (pid == 0)
		guard(supervisor, command, shared);
	supervisor_wait(supervisor, pid, command->timeout_ns, ending);
	*result = *shared;
	xmunmap(shared, sizeof(*shared));
}

bool supervisor_prepare(const struct supervisor *supervisor, const char *line, uint64_t timeout_ns, int *signal,
	char *why, size_t why_size)
{
	char *text = xstrdup(line);
	char *const argv[] = { (char[]){ "/bin/sh" }, (char[]){ "-c" }, text, NULL };
	struct command_result result;
	struct ending ending;

	supervisor_run(supervisor, &(struct command){ .argv = argv, .out = -1, .err = -1, .timeout_ns = timeout_ns },
		&ending, &result);
	free(text);
	*signal = ending.signal;
	if (ending.signal)
		return false;
	if (ending.timed_out)
		snprintf(why, why_size, "the --prepare command took longer than --timeout: %s", line);
	else if (result.exec_errno)
		snprintf(why, why_size, "the --prepare command cannot be started: %s: %s", *argv,
			strerror(result.exec_errno));
	else if (ending.status)
		snprintf(why, why_size, "the --prepare command ended with status %d: %s", ending_status(&ending), line);
	return !ending.timed_out && !result.exec_errno && !ending.status;
}

int ending_status(const struct ending *ending)
{
	return WIFSIGNALED(ending->status) ? EXIT_SIGNAL + WTERMSIG(ending->status) : WEXITSTATUS(ending->status);
}
