// SPDX-License-Identifier: GPL-2.0-only
/*
 * What kbench starts, it ends: process groups that are watched, timed out, interrupted and reaped with everything in
 * them. All of a group dies when kbench dies, however that is.
 */
#ifndef KBENCH_SUPERVISOR_H
#define KBENCH_SUPERVISOR_H

#include <sys/resource.h>
#include <sys/types.h>

#include "base.h"

struct supervisor;

/* How a process group ended. */
struct ending {
	int status; /* of its leader, as from waitpid */
	int signal; /* that reached kbench meanwhile and ended the group, see util/signals.h; 0: none */
	bool timed_out;
};

/*
 * Blocks the signals that it waits for, for the rest of the process's life. tick (NULL: none) is called about once a second
 * while something is watched.
 */
struct supervisor *supervisor_new(void (*tick)(void *), void *tick_arg);
void supervisor_free(struct supervisor *supervisor);

/* Forks the leader of a new process group, which dies with this process. 0 in the child. */
pid_t supervisor_fork(const struct supervisor *supervisor);

/*
 * Waits until the leader ends, a signal comes or the time (0: none) is over, then ends what is left of the group and waits
 * for the last of it.
 */
void supervisor_wait(const struct supervisor *supervisor, pid_t leader, uint64_t timeout_ns, struct ending *ending);

/*
 * Ends what commands have started and left in groups of their own, such as daemons, and waits for it. but: a child that is
 * no such thing, or 0.
 */
void supervisor_end_orphans(const struct supervisor *supervisor, pid_t but);

/* A program to run, found through PATH. It reads /dev/null and is given the signals that kbench was given. */
struct command {
	char *const *argv;
	int out, err; /* its stdout and stderr; -1: our stderr */
	uint64_t timeout_ns;
	/* Around it, in the process that waits for it: what it forks inherits from there. NULL: nothing. */
	void (*before)(void *arg);
	void (*after)(void *arg);
	void *arg;
};

struct command_result {
	uint64_t wall_ns;   /* from the fork to its end */
	struct rusage used; /* of it and everything it waited for */
	int exec_errno;     /* it could not be started: why; 0: it was */
};

/* Runs a command. *result is only complete when it ended by itself. */
void supervisor_run(const struct supervisor *supervisor, const struct command *command, struct ending *ending,
	struct command_result *result);

/*
 * Runs a --prepare command by the shell; what it prints is no result. True: it ended well. False: *signal interrupted it, or
 * that is 0 and why says what went wrong.
 */
bool supervisor_prepare(const struct supervisor *supervisor, const char *line, uint64_t timeout_ns, int *signal,
	char *why, size_t why_size);

/* Its exit status as a shell has it: 128 + n when signal n killed it. */
int ending_status(const struct ending *ending);

#endif
