// SPDX-License-Identifier: GPL-2.0-only
#include "numareport.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "convergence.h"
#include "nodepages.h"

#define MB 1048576.0
#define GB 1e9

/* Of -d and -c: a line of a record is to stay readable. */
#define TASKS_SHOWN     24
#define PROCESSES_SHOWN 24

struct times {
	double max, min, sum; /* seconds that tasks took from the gate to their ends */
};

static double seconds_of(const struct worker_slot *slot)
{
	return (double)(slot->end_ns - slot->start_ns) / (double)NSEC_PER_SEC;
}

static struct times times_of(const struct run *run)
{
	struct times times = { .min = seconds_of(run_slot(run, 0)) };

	for (unsigned i = 0; i < run_worker_count(run); i++) {
		double seconds = seconds_of(run_slot(run, i));

		times.max = seconds > times.max ? seconds : times.max;
		times.min = seconds < times.min ? seconds : times.min;
		times.sum += seconds;
	}
	return times;
}

static void note_tasks(struct run *run, const struct numa_plan *plan)
{
	run_note(run, "%u task%s will execute (on %zu nodes, %u CPUs): %gMB global, %gMB process, %gMB thread memory",
		plan->tasks, plan->tasks == 1 ? "" : "s", run->topology->node_count, cpus_count(&run->allowed),
		(double)plan->global / MB, (double)plan->process / MB, (double)plan->thread / MB);
}

/* The latency is that of the last process; a process that was not on one node at the end has none. */
static void report_convergence(struct run *run, const struct numa_plan *plan)
{
	uint64_t latest = 0;
	unsigned apart = 0;
	double seconds;

	for (unsigned i = 0; i < plan->processes; i++) {
		uint64_t since = run_slot(run, i * plan->threads)->counts[NUMA_SINCE_NS];

		apart += since == CONVERGENCE_NEVER;
		latest = since > latest ? since : latest;
	}
	seconds = (double)latest / (double)NSEC_PER_SEC;
	if (apart)
		run_remark(run, "not converged: %u of %u processes did not end with all threads on one node", apart,
			plan->processes);
	else if (plan->options->show_convergence)
		run_remark(run, "converged after %.3f s: since then each process (of %u) ran on one node", seconds,
			plan->processes);
	if (!apart && plan->options->measure_convergence)
		run_metric_row(run, "convergence-sec", seconds, BETTER_LOWER, "secs", "NUMA-convergence-latency",
			"secs latency to NUMA-converge");
}

static void report_rows(struct run *run, const struct numa_plan *plan)
{
	struct times times = times_of(run);
	double tasks = plan->tasks, bytes = (double)run_operations(run), each = bytes / tasks;

	if (bytes == 0)
		die("no task got as far as touching any memory in the time given");
	run_metric_row(run, "runtime-max-sec", times.max, BETTER_LOWER, "secs", "runtime-max/thread",
		"secs slowest (max) thread-runtime");
	run_metric_row(run, "runtime-min-sec", times.min, BETTER_LOWER, "secs", "runtime-min/thread",
		"secs fastest (min) thread-runtime");
	run_metric_row(run, "runtime-avg-sec", times.sum / tasks, BETTER_LOWER, "secs", "runtime-avg/thread",
		"secs average thread-runtime");
	run_metric_row(run, "spread-percent", 50 * (times.max - times.min) / times.max, BETTER_LOWER, "%",
		"spread-runtime/thread", "% difference between max/avg runtime");
	run_metric_row(
		run, "data-thread-GB", each / GB, BETTER_NONE, "GB", "data/thread", "GB data processed, per thread");
	run_metric_row(run, "data-total-GB", bytes / GB, BETTER_NONE, "GB", "data-total", "GB data processed, total");
	run_metric_row(run, "ns/byte-thread", times.max * (double)NSEC_PER_SEC / each, BETTER_LOWER, "nsecs",
		"runtime/byte/thread", "nsecs/byte/thread runtime");
	run_metric_row(run, "thread-GB/s", each / GB / times.max, BETTER_HIGHER, "GB/sec", "thread-speed",
		"GB/sec/thread speed");
	run_metric_row(run, "total-GB/s", bytes / GB / times.max, BETTER_HIGHER, "GB/sec", "total-speed",
		"GB/sec total speed");
	run_metric(run, "B/s", bytes / times.max, BETTER_HIGHER);
}

static void report_list(struct run *run, const char *what, const struct tasklist *list, const struct numa_plan *plan)
{
	size_t tasks = plan->tasks, bound = list->count < tasks ? list->count : tasks;

	if (bound)
		run_remark(run, "%s: %zu of %zu tasks bound", what, bound, tasks);
	if (list->count > tasks)
		run_remark(run, "%s: the list has %zu more than there are tasks", what, list->count - tasks);
}

static void report_pages(struct run *run, const uint64_t *pages, size_t id_count)
{
	char text[NODEPAGES_TEXT];
	bool known = false;

	for (size_t id = 0; pages && id < id_count; id++)
		known = known || pages[id];
	if (pages)
		run_remark(run, "pages: %s", known ? nodepages_format(pages, id_count, text) : "n/a");
}

static void report_huge_pages(struct run *run)
{
	uint64_t bytes = nodepages_huge("\nShmemPmdMapped:"), needed = run->needs[NEED_MEMORY];

	for (unsigned i = 0; i < run_worker_count(run); i++)
		bytes += run_slot(run, i)->counts[NUMA_HUGE_BYTES];
	run_remark(run, "huge pages: %gMB of %gMB", (double)bytes / MB, (double)needed / MB);
}

static void report_details(struct run *run, const struct numa_plan *plan)
{
	char key[40];

	for (unsigned i = 0; i < plan->tasks && i < TASKS_SHOWN; i++) {
		snprintf(key, sizeof(key), "task-%u-sec", i);
		run_metric(run, key, seconds_of(run_slot(run, i)), BETTER_NONE);
		snprintf(key, sizeof(key), "task-%u-GB", i);
		run_metric(run, key, (double)run_slot(run, i)->operations / GB, BETTER_NONE);
	}
	if (plan->tasks > TASKS_SHOWN)
		run_remark(run, "details: of the first %d tasks only", TASKS_SHOWN);
}

static void report_nodes(struct run *run, const struct numa_plan *plan)
{
	char key[40];

	for (unsigned i = 0; i < plan->processes && i < PROCESSES_SHOWN; i++) {
		snprintf(key, sizeof(key), "process-%u-nodes", i);
		run_metric(run, key, (double)run_slot(run, i * plan->threads)->counts[NUMA_NODES], BETTER_LOWER);
	}
	if (plan->processes > PROCESSES_SHOWN)
		run_remark(run, "nodes: of the first %d processes only", PROCESSES_SHOWN);
}

void numa_report(struct run *run, const struct numa_plan *plan, const uint64_t *pages, size_t id_count)
{
	const struct numa_options *options = plan->options;

	if (!options->quiet)
		note_tasks(run, plan);
	run->result->quiet_rows = options->quiet;
	if (options->show_convergence || options->measure_convergence)
		report_convergence(run, plan);
	report_rows(run, plan);
	report_list(run, "-C", &plan->cpus, plan);
	report_list(run, "-M", &plan->nodes, plan);
	report_pages(run, pages, id_count);
	if (options->thp)
		report_huge_pages(run);
	if (options->perturb_ns)
		run_metric(run, "moves", (double)run_slot(run, 0)->counts[NUMA_MOVES], BETTER_NONE);
	if (options->show_convergence)
		report_nodes(run, plan);
	if (options->details)
		report_details(run, plan);
}
