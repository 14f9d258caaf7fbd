// SPDX-License-Identifier: GPL-2.0-only
/* What the options of numa mem come to: tasks, memory, places, work. */
#ifndef KBENCH_NUMAPLAN_H
#define KBENCH_NUMAPLAN_H

#include "bench.h"
#include "numawork.h"
#include "tasklist.h"

#define NUMA_TASKS_MAX 1048576
#define NUMA_BYTES_MAX (INT64_C(1) << 44)

struct numa_options {
	uint64_t processes, threads;
	uint64_t global, process, locked, thread; /* bytes */
	uint64_t loops, runtime_ns, sleep_us, perturb_ns;
	bool reads, writes, backwards, zero, random;
	bool fill_zero, fill_random, fill_on_cpu0;
	int64_t thp;
	const char *cpus, *nodes;
	bool details, all, show_convergence, measure_convergence, quiet, serialize;
};

struct numa_plan {
	const struct numa_options *options;
	unsigned processes, threads, tasks; /* threads: of each process; tasks: all threads */
	/* Bytes, whole pages: of all tasks, of each process, the part of it for under the lock, of each thread. */
	size_t global, process, locked, thread;
	uint64_t loops; /* UINT64_MAX: no end */
	struct tasklist cpus, nodes;
	struct work work;
	enum work_fill fill;
};

/* The options are not copied. Those that make no sense, alone or together, are usage errors. */
struct numa_plan numa_plan_new(const struct numa_options *options, const struct run *run);
void numa_plan_release(struct numa_plan *plan);

/* In check: declares tasks, mappings and memory, and holds what is bound to a node against the memory of that node. */
void numa_plan_declare(const struct numa_plan *plan, struct run *run);

/*
 * The nodes that a task's own memory is bound to, and that of the process of which it is the first task: *set, or NULL:
 * not bound. The memory of all is bound to all nodes that are listed.
 */
const struct cpus *numa_plan_nodes(const struct numa_plan *plan, unsigned task, struct cpus *set);
const struct cpus *numa_plan_global_nodes(const struct numa_plan *plan, struct cpus *set);

#endif
