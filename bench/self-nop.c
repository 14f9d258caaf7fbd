// SPDX-License-Identifier: GPL-2.0-only
/*
 * self nop: workers that do nothing, through the whole machinery.
 *
 * One operation is an empty turn of the loop. What it costs is the price that the harness adds to every other benchmark; what
 * the gate costs is how far apart workers start. The template for a new benchmark.
 */
#include "bench.h"

static struct {
	uint64_t loops;
	uint64_t batch;
	uint64_t threads;
	uint64_t procs;
} opt = { .loops = 100000000, .batch = 1000, .threads = 1, .procs = 1 };

static const struct opt options[] = { OPT_COUNT('l', "loop", &opt.loops, 1, OPT_MAX, "empty operations of each worker"),
	OPT_COUNT('b', "batch", &opt.batch, 1, OPT_MAX, "operations between two looks at the end of the run"),
	OPT_COUNT('t', "threads", &opt.threads, 1, 100000, "threads in each process"),
	OPT_COUNT(0, "procs", &opt.procs, 1, 100000, "processes"), OPT_END };

static void check(struct run *run)
{
	run_workers(run, run_product("workers", opt.threads, opt.procs), opt.threads > 1);
}

static void do_nothing(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		__asm__ volatile("");
}

static void work(struct worker *worker)
{
	uint64_t batches = opt.loops / opt.batch, done = 0;

	worker_ready(worker);
	for (; done < batches && !worker_stopping(worker); done++)
		do_nothing(opt.batch);
	do_nothing(opt.loops % opt.batch);
	worker_done(worker, done * opt.batch + opt.loops % opt.batch);
}

static void setup(struct run *run)
{
	for (uint64_t i = 0; i < opt.procs; i++)
		run_spawn(run, &(struct spawn){ .role = "idler", .work = work, .threads = (unsigned)opt.threads });
}

static void report(struct run *run)
{
	uint64_t first = UINT64_MAX, last = 0, worked_ns = 0, operations = run_operations(run);

	for (unsigned i = 0; i < run_worker_count(run); i++) {
		const struct worker_slot *slot = run_slot(run, i);

		first = slot->start_ns < first ? slot->start_ns : first;
		last = slot->start_ns > last ? slot->start_ns : last;
		worked_ns += slot->end_ns - slot->start_ns;
	}
	run_note(run, "%llu empty operations by %u worker%s", (unsigned long long)operations, run_worker_count(run),
		run_worker_count(run) == 1 ? "" : "s");
	run_metric_shown(run, "ns/op", (double)worked_ns / (double)operations, BETTER_LOWER);
	run_metric_shown(run, "gate-first-us", (double)(first - run->gate_ns) / 1e3, BETTER_LOWER);
	run_metric_shown(run, "gate-skew-us", (double)(last - first) / 1e3, BETTER_LOWER);
}

const struct benchmark benchmark_self_nop = {
	.summary = "The empty operation: what the harness itself costs",
	.operation = "empty operation",
	.about = "Workers turn an empty loop. ns/op is the price that the harness adds to an operation of every other "
		 "benchmark; gate-first-us is the time from the opening of the gate to the first worker's start, "
		 "gate-skew-us from the first start to the last. Creating and ending the workers is not measured.",
	.options = options,
	.layout = LAYOUT_METRICS,
	.headline = "ns/op",
	.check = check,
	.setup = setup,
	.report = report,
};
