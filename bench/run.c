// SPDX-License-Identifier: GPL-2.0-only
/* What a benchmark asks of the machinery, in the run process: the functions of bench.h. */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench.h"

/*
 * What a task that does nothing takes at least. A thread: its kernel stack, its struct task_struct, the first pages of its
 * stack. A process, forked from one as small as ours, also: page tables, mappings, and the pages that it writes to.
 * Measured on x86-64 with 1000 of each: 85 KB and 155 KB.
 */
#define THREAD_BYTES  (UINT64_C(32) << 10)
#define PROCESS_BYTES (UINT64_C(96) << 10)

const struct topology *run_topology(struct run *run)
{
	if (!run->topology)
		run->topology = topology_read("/sys");
	return run->topology;
}

void run_need(struct run *run, enum need need, uint64_t amount)
{
	if (__builtin_add_overflow(run->needs[need], amount, &run->needs[need]))
		usage("the options together ask for more than any machine has");
}

void run_workers(struct run *run, uint64_t count, bool threads)
{
	if (count > INT32_MAX)
		usage("%llu tasks are more than Linux has ids for", (unsigned long long)count);
	run->worker_max += (unsigned)count;
	run_need(run, NEED_TASKS, count);
	run->task_bytes += count * (threads ? THREAD_BYTES : PROCESS_BYTES);
	if (threads)
		run_need(run, NEED_MAPPINGS, 2 * count); /* a stack and its guard */
}

uint64_t run_product(const char *what, uint64_t a, uint64_t b)
{
	uint64_t product;

	if (__builtin_mul_overflow(a, b, &product))
		usage("%s: %" PRIu64 " x %" PRIu64 " is more than can be counted, %" PRIu64, what, a, b, UINT64_MAX);
	return product;
}

void run_spawn(struct run *run, const struct spawn *spawn)
{
	pool_spawn(run->pool, spawn);
}

void run_use_fifo(struct run *run)
{
	struct sched_param priority = { .sched_priority = sched_get_priority_min(SCHED_FIFO) };

	(void)run;
	/* musl has a function of this name that only refuses. */
	if (syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &priority) < 0)
		skip("SCHED_FIFO: %s (it needs CAP_SYS_NICE or a limit on real-time priority)", strerror(errno));
}

unsigned run_worker_count(const struct run *run)
{
	return pool_count(run->pool);
}

const struct worker_slot *run_slot(const struct run *run, unsigned index)
{
	return pool_slot(run->pool, index);
}

uint64_t run_operations(const struct run *run)
{
	uint64_t operations = 0;

	for (unsigned i = 0; i < pool_count(run->pool); i++)
		operations += pool_slot(run->pool, i)->operations;
	return operations;
}

struct worker_usage run_usage(const struct run *run)
{
	struct worker_usage sum = { 0 };

	for (unsigned i = 0; i < pool_count(run->pool); i++)
		worker_usage_add(&sum, &pool_slot(run->pool, i)->used);
	return sum;
}

void run_note(struct run *run, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	result_note_list(run->result, format, args);
	va_end(args);
}

void run_remark(struct run *run, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	result_remark_list(run->result, format, args);
	va_end(args);
}

void run_remark_turns(struct run *run, uint64_t workers, const char *sum)
{
	unsigned cpus = cpus_count(&run->allowed);

	if (workers > cpus)
		run_remark(run,
			"warning: %" PRIu64
			" workers took turns on %u CPU%s: %s adds what each did in its own time, and may be "
			"too much",
			workers, cpus, cpus == 1 ? "" : "s", sum);
}

void run_metric(struct run *run, const char *key, double value, enum better better)
{
	result_metric(run->result, key, value, better);
}

void run_metric_shown(struct run *run, const char *key, double value, enum better better)
{
	result_metric(run->result, key, value, better)->place = METRIC_SHOWN;
}

void run_metric_row(struct run *run, const char *key, double value, enum better better, const char *unit,
	const char *name, const char *quiet)
{
	struct metric *metric = result_metric(run->result, key, value, better);

	metric->place = METRIC_ROW;
	snprintf(metric->row_unit, sizeof(metric->row_unit), "%s", unit);
	snprintf(metric->row_name, sizeof(metric->row_name), "%s", name);
	snprintf(metric->row_quiet, sizeof(metric->row_quiet), "%s", quiet);
}

void run_matrix(struct run *run, const char *rows, const char *columns)
{
	run->result->rows = rows;
	run->result->columns = columns;
}

void run_metric_cell(struct run *run, const char *unit, unsigned row, unsigned column, double value, enum better better)
{
	struct metric *metric = result_cell(run->result, unit, row, column, value, better);
	const struct topology *topology = run_topology(run);
	int from = topology_node_index(topology, row), to = topology_node_index(topology, column);

	if (from >= 0 && to >= 0)
		metric->distance = topology_distance(topology, (size_t)from, (size_t)to);
}

void run_metric_rate(struct run *run, uint64_t operations)
{
	double ns = (double)run->wall_ns, count = (double)operations;

	run_metric(run, "ns/op", ns / count, BETTER_LOWER);
	run_metric(run, "op/s", count * (double)NSEC_PER_SEC / ns, BETTER_HIGHER);
}
