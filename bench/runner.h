// SPDX-License-Identifier: GPL-2.0-only
/*
 * One run, seen from the supervisor: a process of its own, watched, timed out, and ended with everything it started.
 */
#ifndef KBENCH_RUNNER_H
#define KBENCH_RUNNER_H

#include "cgroup.h"
#include "collections.h"
#include "counters.h"

/* Conditions of all runs of a command. */
struct conditions {
	struct cpus cpus;    /* where runs may run; a subset of what the process is allowed */
	uint64_t timeout_ns; /* 0: none */
	const char *prepare; /* shell command before each run, or NULL */
	bool drop_caches;
	const char *group;          /* each run joins this cgroup, a path below the mount; NULL: none */
	struct cgroup_fresh *fresh; /* in its place: each run enters this one */
	struct events *events;      /* counted over the region; NULL: none */
};

enum run_status {
	RUN_DONE,
	RUN_FAILED,
	RUN_SKIPPED,
	RUN_INTERRUPTED, /* by a signal to kbench */
};

struct outcome {
	enum run_status status;
	int signal;            /* RUN_INTERRUPTED: which */
	char reason[600];      /* RUN_FAILED and RUN_SKIPPED: why, without context */
	struct result *result; /* RUN_DONE of runner_run: on the heap, the caller's */
};

struct runner;

/*
 * The conditions are not copied, and may change between runs. Blocks the signals that the supervisor waits for, for the
 * rest of the process's life. tick (NULL: none) is called about
 * once a second while a run goes on.
 */
struct runner *runner_new(const struct conditions *conditions, void (*tick)(void *), void *tick_arg);
void runner_free(struct runner *runner);

/*
 * Before anything runs: the benchmark's check and needs against the options that are selected now. A usage error ends
 * the program. RUN_DONE: it can run; otherwise outcome->reason says why not.
 */
void runner_check(struct runner *runner, const struct entry *entry, struct outcome *outcome);

/* Runs --drop-caches and --prepare, then the benchmark once with the options that are selected now. */
void runner_run(struct runner *runner, const struct entry *entry, struct outcome *outcome);

#endif
