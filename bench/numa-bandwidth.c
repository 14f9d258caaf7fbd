// SPDX-License-Identifier: GPL-2.0-only
/*
 * numa bandwidth: threads on each node read, write or copy memory of each node.
 *
 * One operation is a byte of it. The threads of a node, one on each of its CPUs unless said otherwise, go over a part of
 * the memory each, again and again, all at the same time and for the same time; their rates add up. Binding and
 * touching memory and moving threads is not measured. Where the memory is and where the threads run is looked up.
 */
#include <pthread.h>
#include <stdlib.h>

#include "nodememory.h"
#include "stream.h"
#include "units.h"

static struct {
	unsigned op;
	uint64_t threads;
	uint64_t bytes;
	uint64_t runtime_ns;
	const char *cpu_nodes, *memory_nodes;
} opt = { .runtime_ns = 20 * NSEC_PER_MSEC, .cpu_nodes = "", .memory_nodes = "" };

static const char *const op_words[] = { "read", "write", "copy", NULL };
static const char *const op_done[] = { "Read", "Wrote", "Copied within" };

#define PIECE     ((size_t)256 << 10) /* gone over between two looks at the clock */
#define PART_UNIT ((size_t)128)       /* what stream_pass wants */

static const struct opt options[] = {
	OPT_CHOICE(0, "op", &opt.op, op_words, "what is done: read, write, or copy, which counts a byte once"),
	OPT_COUNT('t', "threads", &opt.threads, 0, 100000, "threads on a node; 0: one for each allowed CPU of it"),
	OPT_SIZE('s', "size", &opt.bytes, 0, INT64_C(1) << 44,
		"memory on each node; 0: 4 times the last-level caches of a node, at least 64MB, at most half of a "
		"node's free memory"),
	OPT_TIME(0, "runtime", &opt.runtime_ns, NSEC_PER_MSEC, OPT_MAX,
		"of each of the 5 times that a pair of nodes is measured"),
	OPT_STRING('C', "cpu-nodes", &opt.cpu_nodes, "LIST", "from CPUs of these nodes only, such as 0,2 or 0-3"),
	OPT_STRING('M', "mem-nodes", &opt.memory_nodes, "LIST", "to memory of these nodes only"),
	OPT_END,
};

struct job {
	struct nodematrix matrix;
	uint64_t bytes, cache;
	unsigned threads; /* of the row that has most */
	size_t cells;
	double *rates; /* shared, B/s of each thread, 0 where it had no part: [round][row][column][thread] */
	char **memory; /* of each column */
	pthread_barrier_t together;
};

static unsigned threads_of(const struct job *job, size_t row)
{
	return opt.threads ? (unsigned)opt.threads : cpus_count(&job->matrix.rows[row].cpus);
}

static struct job job_new(struct run *run)
{
	struct job job = { .matrix = nodematrix_of(run, opt.cpu_nodes, opt.memory_nodes) };

	job.cells = job.matrix.row_count * job.matrix.column_count;
	job.cache = nodememory_cache(&job.matrix, run->topology, true);
	job.bytes = nodememory_bytes(&job.matrix, run->topology, opt.bytes, job.cache);
	for (size_t row = 0; row < job.matrix.row_count; row++)
		job.threads = threads_of(&job, row) > job.threads ? threads_of(&job, row) : job.threads;
	return job;
}

static void verify(const struct job *job)
{
	for (size_t i = 0; i < job->matrix.column_count; i++)
		nodememory_verify(&job->matrix, i, job->memory[i], job->bytes);
}

static void prepare(struct worker *first)
{
	struct job *job = first->arg;

	nodematrix_go(&job->matrix, 0, 0);
	job->memory = xcalloc(job->matrix.column_count, sizeof(*job->memory));
	for (size_t i = 0; i < job->matrix.column_count; i++)
		job->memory[i] = nodememory_new(&job->matrix, i, job->bytes, false);
	verify(job);
	pthread_barrier_init(&job->together, NULL, job->threads);
}

/* A thread's part of a column, and how far it is. */
struct part {
	char *memory;
	size_t bytes, at;
};

static struct part part_of(const struct job *job, size_t column, unsigned thread, unsigned threads)
{
	size_t bytes = (size_t)job->bytes / threads / PART_UNIT * PART_UNIT;

	return (struct part){ job->memory[column] + thread * bytes, bytes, 0 };
}

/* Goes over the part for so long. Returned: bytes. */
static uint64_t stream(struct worker *worker, struct part *part, uint64_t runtime_ns)
{
	uint64_t start = worker_elapsed(worker), bytes = 0;

	while (worker_elapsed(worker) - start < runtime_ns) {
		size_t left = part->bytes - part->at, piece = left < PIECE ? left : PIECE;

		bytes += stream_pass(opt.op, part->memory + part->at, piece);
		part->at = (part->at + piece) % part->bytes;
	}
	return bytes;
}

/* The first part wakes the CPU up and is not measured. The bytes count to rate, and to the sum. */
static uint64_t measure(struct worker *worker, struct job *job, size_t row, size_t column, double *rate)
{
	unsigned threads = threads_of(job, row);
	struct part part;
	uint64_t start, bytes;

	if (worker->thread >= threads) {
		pthread_barrier_wait(&job->together);
		return 0;
	}
	part = part_of(job, column, worker->thread, threads);
	nodematrix_go(&job->matrix, row, worker->thread);
	pthread_barrier_wait(&job->together);
	stream(worker, &part, opt.runtime_ns / 4);
	start = worker_elapsed(worker);
	bytes = stream(worker, &part, opt.runtime_ns);
	*rate = (double)bytes * (double)NSEC_PER_SEC / (double)(worker_elapsed(worker) - start);
	nodematrix_still(&job->matrix, row, worker->thread);
	return bytes;
}

static void streamer(struct worker *worker)
{
	struct job *job = worker->arg;
	double *rate = job->rates + worker->thread;
	uint64_t bytes = 0;

	worker_ready(worker);
	for (int round = 0; round < NODEMATRIX_ROUNDS; round++)
		for (size_t cell = 0; cell < job->cells; cell++, rate += job->threads)
			bytes += measure(
				worker, job, cell / job->matrix.column_count, cell % job->matrix.column_count, rate);
	worker_done(worker, bytes);
	pthread_barrier_wait(&job->together);
	if (worker->thread == 0)
		verify(job);
}

static void check(struct run *run)
{
	struct job job = job_new(run);

	if (job.bytes / job.threads < PART_UNIT)
		usage("option -s: %llu bytes are too few for %u threads", (unsigned long long)job.bytes, job.threads);
	run_workers(run, job.threads, true);
	nodememory_declare(&job.matrix, run, job.bytes);
	nodematrix_release(&job.matrix);
}

static void setup(struct run *run)
{
	struct job *job = run->state = xmalloc(sizeof(*job));

	*job = job_new(run);
	job->rates = xmmap(NODEMATRIX_ROUNDS * job->cells * job->threads * sizeof(*job->rates), true);
	run_spawn(run, &(struct spawn){
			       .role = "streamer",
			       .work = streamer,
			       .arg = job,
			       .threads = job->threads,
			       .prepare = prepare,
		       });
}

static double sum_of(const double *rates, unsigned count)
{
	double sum = 0;

	for (unsigned i = 0; i < count; i++)
		sum += rates[i];
	return sum;
}

static void report(struct run *run)
{
	const struct job *job = run->state;
	size_t count = NODEMATRIX_ROUNDS * job->cells;
	double *values = xcalloc(count, sizeof(*values));
	char bytes[UNITS_TEXT], runtime[UNITS_TEXT];

	for (size_t i = 0; i < count; i++)
		values[i] = sum_of(job->rates + i * job->threads, job->threads);
	if (opt.threads)
		run_note(run, "%s %s on each memory node, by %u thread%s", op_done[opt.op],
			units_format_size(bytes, job->bytes), job->threads, job->threads == 1 ? "" : "s");
	else
		run_note(run, "%s %s on each memory node, by a thread on each CPU of a node", op_done[opt.op],
			units_format_size(bytes, job->bytes));
	run_note(run, "For %s in each of %d rounds", units_format_time(runtime, opt.runtime_ns), NODEMATRIX_ROUNDS);
	nodematrix_report(&job->matrix, run, "B/s", BETTER_HIGHER, values);
	nodememory_remark(run, job->bytes, job->cache);
	free(values);
}

const struct benchmark benchmark_numa_bandwidth = {
	.summary = "Bandwidth from each node to the memory of each node",
	.operation = "byte",
	.about =
		"The threads of each node in turn read, write or copy memory of each node, all at the same time, each its own "
		"part. One operation is a byte read, written or copied. The result is a matrix of B/s, shown in GB/s "
		"of 10^9 bytes; the number of a run is the mean of its cells. Binding and touching memory is not "
		"measured. A thread that ran elsewhere, or a page that is elsewhere, is an error.",
	.options = options,
	.needs = { .nodes = 1 },
	.layout = LAYOUT_MATRIX,
	.headline = "B/s",
	.check = check,
	.setup = setup,
	.report = report,
};
