// SPDX-License-Identifier: GPL-2.0-only
/*
 * numa latency: a task on each node walks chains of dependent loads in memory of each node.
 *
 * One operation is a load, whose address the load before it gave: a walk in random order over all lines of memory that
 * is larger than the last-level cache. Memory is bound, touched and chained, and tasks moved, outside of the
 * measured walks. Where the memory is and where the task runs is looked up.
 */
#include "chase.h"
#include "nodememory.h"
#include "nodepages.h"
#include "units.h"

static struct {
	uint64_t loads;
	uint64_t bytes;
	unsigned pages;
	const char *cpu_nodes, *memory_nodes;
} opt = { .loads = 200000, .cpu_nodes = "", .memory_nodes = "" };

enum pages { PAGES_4K, PAGES_THP };
static const char *const page_words[] = { "4K", "thp", NULL };

static const struct opt options[] = {
	OPT_COUNT('l', "loop", &opt.loads, 1, OPT_MAX, "loads of each of the 5 times that a pair of nodes is measured"),
	OPT_SIZE('s', "size", &opt.bytes, 0, INT64_C(1) << 44,
		"memory of each chain; 0: 4 times the last-level cache, at least 64MB, at most half of a node's free "
		"memory"),
	OPT_CHOICE(0, "pages", &opt.pages, page_words,
		"4K: the kernel's small pages, whatever their size; thp: transparent huge pages"),
	OPT_STRING('C', "cpu-nodes", &opt.cpu_nodes, "LIST", "from CPUs of these nodes only, such as 0,2 or 0-3"),
	OPT_STRING('M', "mem-nodes", &opt.memory_nodes, "LIST", "to memory of these nodes only"),
	OPT_END,
};

/* values, huge_bytes: shared. */
struct job {
	struct nodematrix matrix;
	uint64_t bytes, cache;
	double *values; /* ns a load: [round][row][column] */
	uint64_t *huge_bytes;
};

struct column {
	char *memory;
	void *at;
};

static struct job job_new(struct run *run)
{
	struct job job = { .matrix = nodematrix_of(run, opt.cpu_nodes, opt.memory_nodes) };

	job.cache = nodememory_cache(&job.matrix, run->topology, false);
	job.bytes = nodememory_bytes(&job.matrix, run->topology, opt.bytes, job.cache);
	return job;
}

static uint64_t other_bytes(const struct job *job)
{
	return job->cache && 2 * job->cache < job->bytes ? 2 * job->cache : job->bytes;
}

/* Chains that were just written are in the caches, at random places: as much other memory drives them out. */
static void drive_out(const struct job *job)
{
	size_t bytes = (size_t)other_bytes(job);
	char *memory = xmmap(bytes, false);

	for (size_t i = 0; i < bytes; i += CHASE_LINE)
		memory[i] = 1;
	xmunmap(memory, bytes);
}

static void verify(const struct job *job, const struct column *columns)
{
	for (size_t i = 0; i < job->matrix.column_count; i++)
		nodememory_verify(&job->matrix, i, columns[i].memory, job->bytes);
}

static struct column *prepare(const struct job *job)
{
	struct column *columns = xcalloc(job->matrix.column_count, sizeof(*columns));
	uint64_t before = nodepages_huge("\nAnonHugePages:");

	nodematrix_go(&job->matrix, 0, 0);
	for (size_t i = 0; i < job->matrix.column_count; i++) {
		columns[i].memory = columns[i].at = nodememory_new(&job->matrix, i, job->bytes, opt.pages == PAGES_THP);
		if (i == 0)
			chase_build(columns[0].memory, (size_t)job->bytes, 1);
		else
			chase_copy(columns[i].memory, columns[0].memory, (size_t)job->bytes);
	}
	verify(job, columns);
	*job->huge_bytes = nodepages_huge("\nAnonHugePages:") - before;
	drive_out(job);
	return columns;
}

/* The first part wakes the CPU up and is not measured. */
static double walk(struct worker *worker, struct column *column)
{
	uint64_t start;

	column->at = chase_walk(column->at, opt.loads / 8);
	start = worker_elapsed(worker);
	column->at = chase_walk(column->at, opt.loads);
	return (double)(worker_elapsed(worker) - start) / (double)opt.loads;
}

static void walker(struct worker *worker)
{
	const struct job *job = worker->arg;
	const struct nodematrix *matrix = &job->matrix;
	struct column *columns = prepare(job);
	double *value = job->values;

	worker_ready(worker);
	for (int round = 0; round < NODEMATRIX_ROUNDS; round++)
		for (size_t row = 0; row < matrix->row_count; row++) {
			nodematrix_go(matrix, row, 0);
			for (size_t i = 0; i < matrix->column_count; i++)
				*value++ = walk(worker, &columns[i]);
			nodematrix_still(matrix, row, 0);
		}
	worker_done(worker, (uint64_t)(value - job->values) * opt.loads);
	verify(job, columns);
}

static void check(struct run *run)
{
	struct job job = job_new(run);

	run_workers(run, 1, false);
	nodememory_declare(&job.matrix, run, job.bytes);
	run_need(run, NEED_MEMORY, other_bytes(&job));
	if (opt.pages == PAGES_THP)
		nodememory_need_huge();
	nodematrix_release(&job.matrix);
}

static void setup(struct run *run)
{
	struct job *job = run->state = xmalloc(sizeof(*job));

	*job = job_new(run);
	job->values = xmmap(
		NODEMATRIX_ROUNDS * job->matrix.row_count * job->matrix.column_count * sizeof(*job->values), true);
	job->huge_bytes = xmmap(sizeof(*job->huge_bytes), true);
	run_spawn(run, &(struct spawn){ .role = "walker", .work = walker, .arg = job });
}

static void report(struct run *run)
{
	const struct job *job = run->state;
	uint64_t all = job->bytes * job->matrix.column_count;
	char bytes[UNITS_TEXT], huge[UNITS_TEXT], sum[UNITS_TEXT];

	run_note(run, "Walked chains of %s on each memory node, %llu loads in each of %d rounds",
		units_format_size(bytes, job->bytes), (unsigned long long)opt.loads, NODEMATRIX_ROUNDS);
	nodematrix_report(&job->matrix, run, "ns/load", BETTER_LOWER, job->values);
	run_remark(run, "--pages %s: %s of %s in huge pages", page_words[opt.pages],
		units_format_size(huge, *job->huge_bytes), units_format_size(sum, all));
	if (opt.pages == PAGES_THP && *job->huge_bytes < all - all / 10)
		run_remark(run, "warning: memory of --pages thp is not in huge pages");
	nodememory_remark(run, job->bytes, job->cache);
}

const struct benchmark benchmark_numa_latency = {
	.summary = "Latency of a load from each node to the memory of each node",
	.operation = "load",
	.about =
		"A task on each node in turn walks chains in memory of each node: each load gives the address of the next, "
		"in random order, once over all lines. One operation is a load. The result is a matrix of ns/load; "
		"the number of a run is the mean of its cells. Binding, touching and chaining the memory is not "
		"measured. A task that ran elsewhere, or a page that is elsewhere, is an error.",
	.options = options,
	.needs = { .nodes = 1 },
	.layout = LAYOUT_MATRIX,
	.headline = "ns/load",
	.check = check,
	.setup = setup,
	.report = report,
};
