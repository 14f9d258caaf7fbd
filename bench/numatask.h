// SPDX-License-Identifier: GPL-2.0-only
/* The tasks of numa mem: threads of processes that go over memory in loops and look after it at the end. */
#ifndef KBENCH_NUMATASK_H
#define KBENCH_NUMATASK_H

#include "numaplan.h"

/* What all tasks of a run know. */
struct numa_job {
	const struct run *run;
	struct numa_plan plan;
	char *global; /* the memory of all tasks */
	/* How many pages each task found on each node, id_count counts a task, shared; NULL: nobody wants to know. */
	uint64_t *pages;
	size_t id_count; /* the highest online node id + 1 */
};

/*
 * Memory bound to nodes (NULL: not bound), advised, and touched on a CPU (-1: the caller's) unless -0 says otherwise.
 * NULL of no bytes.
 */
char *numa_memory_new(const struct numa_plan *plan, size_t bytes, bool shared, const struct cpus *nodes, int cpu);

/* For struct spawn, with the job as argument. */
void numa_task_prepare(struct worker *first);
void numa_task_work(struct worker *worker);

#endif
