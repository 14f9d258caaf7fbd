// SPDX-License-Identifier: GPL-2.0-only
/*
 * numa migrate: a task asks the kernel to move its memory from each node to each other one.
 *
 * One operation is a page moved. Only the calls that move are timed. Memory is mapped, bound to the first node and touched
 * before them, every time anew; where its pages are is looked up before and afterwards. Pages are small ones.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nodememory.h"
#include "nodepages.h"
#include "numa.h"
#include "pagemoves.h"
#include "units.h"

static struct {
	unsigned method;
	uint64_t batch;
	uint64_t bytes;
	const char *from, *to;
} opt = { .batch = 512, .bytes = 16 << 20, .from = "", .to = "" };

static const char *const method_words[] = { "move_pages", "mbind", NULL };

static const struct opt options[] = {
	OPT_CHOICE(0, "method", &opt.method, method_words,
		"the call that moves: move_pages, or mbind to another node with MPOL_MF_MOVE"),
	OPT_COUNT('b', "batch", &opt.batch, 1, OPT_MAX, "pages that a call moves"),
	OPT_SIZE('s', "size", &opt.bytes, 1, INT64_C(1) << 44,
		"memory that is moved in each of the 5 rounds of a pair of nodes"),
	OPT_STRING(0, "from", &opt.from, "LIST", "from these nodes only, such as 0,2 or 0-3"),
	OPT_STRING(0, "to", &opt.to, "LIST", "to these nodes only"),
	OPT_END,
};

/* What a pair of nodes is measured with. */
struct job {
	struct nodematrix matrix;
	size_t page, pages;      /* bytes of one; in the memory */
	double *values;          /* shared, ns a page, NAN: none moved: [round][row][column] */
	struct pagemoves *moves; /* shared: [row][column] */
	uint64_t *moving_ns;     /* shared: the time of all calls */
	/* Of each page; errors: of each call, 0: none. */
	void **addresses;
	int *nodes, *status, *where, *errors;
};

static uint64_t pages_of(uint64_t bytes)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	return (bytes + page - 1) / page;
}

static size_t move_by_pages(struct job *job, size_t batch)
{
	size_t calls = 0;

	for (size_t i = 0; i < job->pages; i += batch) {
		size_t count = job->pages - i < batch ? job->pages - i : batch;

		if (numa_move(count, job->addresses + i, job->nodes + i, job->status + i) < 0)
			job->errors[calls] = errno;
		calls++;
	}
	return calls;
}

static size_t move_by_policy(struct job *job, size_t batch)
{
	size_t calls = 0;
	struct cpus node;

	cpus_clear(&node);
	cpus_add(&node, (unsigned)job->nodes[0]);
	for (size_t i = 0; i < job->pages; i += batch) {
		size_t count = job->pages - i < batch ? job->pages - i : batch;

		if (numa_bind(job->addresses[i], count * job->page, &node, true) < 0)
			job->errors[calls] = errno;
		calls++;
	}
	return calls;
}

static void place(struct job *job, unsigned from, unsigned to)
{
	size_t bytes = job->pages * job->page;
	uint64_t *found = xcalloc(CPUS_MAX, sizeof(*found));
	char *memory = xmmap(bytes, false);
	struct cpus node;

	cpus_clear(&node);
	cpus_add(&node, from);
	nodepages_advise(-1, memory, bytes);
	nodepages_bind(memory, bytes, &node);
	memset(memory, 1, bytes);
	nodepages_verify("memory", memory, bytes, &node, found, CPUS_MAX);
	free(found);
	for (size_t i = 0; i < job->pages; i++) {
		job->addresses[i] = memory + i * job->page;
		job->nodes[i] = (int)to;
		job->status[i] = job->where[i] = PAGEMOVES_UNTRIED;
		job->errors[i] = 0;
	}
}

/* What is known of a page that the kernel did not speak of is the error of the call. */
static void spread_errors(struct job *job, size_t calls, size_t batch)
{
	for (size_t call = 0; call < calls; call++)
		for (size_t i = call * batch; job->errors[call] && i < job->pages && i - call * batch < batch; i++)
			if (job->status[i] == PAGEMOVES_UNTRIED)
				job->status[i] = -job->errors[call];
}

static struct pagemoves look_up(struct job *job, unsigned from, unsigned to)
{
	struct pagemoves moves = { 0 };
	size_t wrong;

	if (numa_move(job->pages, job->addresses, NULL, job->where) < 0)
		die_errno("asking where the memory is");
	if (!pagemoves_count(&moves, job->status, job->where, job->pages, to, &wrong))
		die("page %zu from node %u is said to be moved to node %u, but is not there (%d)", wrong, from, to,
			job->where[wrong]);
	return moves;
}

/* Returned: ns a page that was moved, NAN: none was. */
static double measure(struct worker *worker, struct job *job, size_t row, size_t column)
{
	unsigned from = job->matrix.rows[row].node, to = job->matrix.columns[column];
	size_t batch = opt.batch < job->pages ? (size_t)opt.batch : job->pages, calls;
	struct pagemoves moves;
	uint64_t start, ns;

	place(job, from, to);
	start = worker_elapsed(worker);
	calls = opt.method ? move_by_policy(job, batch) : move_by_pages(job, batch);
	ns = worker_elapsed(worker) - start;
	spread_errors(job, calls, batch);
	moves = look_up(job, from, to);
	pagemoves_add(&job->moves[row * job->matrix.column_count + column], &moves);
	*job->moving_ns += ns;
	xmunmap(job->addresses[0], job->pages * job->page);
	return moves.pages[PAGE_MOVED] ? (double)ns / (double)moves.pages[PAGE_MOVED] : (double)NAN;
}

static struct pagemoves moves_of(const struct job *job)
{
	struct pagemoves sum = { 0 };

	for (size_t i = 0; i < job->matrix.row_count * job->matrix.column_count; i++)
		pagemoves_add(&sum, &job->moves[i]);
	return sum;
}

static void mover(struct worker *worker)
{
	struct job *job = worker->arg;
	const struct nodematrix *matrix = &job->matrix;
	double *value = job->values;

	job->addresses = xcalloc(job->pages, sizeof(*job->addresses));
	job->nodes = xcalloc(4 * job->pages, sizeof(*job->nodes));
	job->status = job->nodes + job->pages;
	job->where = job->status + job->pages;
	job->errors = job->where + job->pages;
	worker_ready(worker);
	for (int round = 0; round < NODEMATRIX_ROUNDS; round++)
		for (size_t row = 0; row < matrix->row_count; row++) {
			nodematrix_go(matrix, row, 0);
			for (size_t i = 0; i < matrix->column_count; i++)
				*value++ =
					nodematrix_is_move(matrix, row, i) ? measure(worker, job, row, i) : (double)NAN;
			nodematrix_still(matrix, row, 0);
		}
	worker_done(worker, moves_of(job).pages[PAGE_MOVED]);
}

static void check(struct run *run)
{
	struct nodematrix matrix = nodematrix_moves_of(run, opt.from, opt.to);
	uint64_t pages = pages_of(opt.bytes), bytes = run_product("bytes", pages, (uint64_t)sysconf(_SC_PAGESIZE));
	struct cpus nodes;

	cpus_clear(&nodes);
	for (size_t i = 0; i < matrix.row_count; i++)
		cpus_add(&nodes, matrix.rows[i].node);
	for (size_t i = 0; i < matrix.column_count; i++)
		cpus_add(&nodes, matrix.columns[i]);
	nodememory_check(&nodes, run->topology, bytes);
	run_workers(run, 1, false);
	run_need(run, NEED_MEMORY, bytes + pages * (sizeof(void *) + 4 * sizeof(int)));
	nodematrix_release(&matrix);
}

static void setup(struct run *run)
{
	struct job *job = run->state = xcalloc(1, sizeof(*job));
	size_t cells;

	job->matrix = nodematrix_moves_of(run, opt.from, opt.to);
	job->page = (size_t)sysconf(_SC_PAGESIZE);
	job->pages = (size_t)pages_of(opt.bytes);
	cells = job->matrix.row_count * job->matrix.column_count;
	job->values = xmmap(NODEMATRIX_ROUNDS * cells * sizeof(*job->values), true);
	job->moves = xmmap(cells * sizeof(*job->moves), true);
	job->moving_ns = xmmap(sizeof(*job->moving_ns), true);
	run_spawn(run, &(struct spawn){ .role = "mover", .work = mover, .arg = job });
}

/* "5 busy, 12 other (Permission denied)" of the pages that did not move. */
static const char *format_left(const struct pagemoves *moves, char text[NODEPAGES_TEXT])
{
	size_t used = 0;

	for (int fate = PAGE_MOVED + 1; fate < PAGE_FATES; fate++)
		if (moves->pages[fate] && used < NODEPAGES_TEXT)
			used += (size_t)snprintf(text + used, NODEPAGES_TEXT - used, "%s%" PRIu64 " %s",
				used ? ", " : "", moves->pages[fate], page_fate_words[fate]);
	if (moves->error && used < NODEPAGES_TEXT)
		snprintf(text + used, NODEPAGES_TEXT - used, " (%s)", strerror(moves->error));
	return text;
}

/* What moved, and what did not: of all pairs a metric each. */
static void report_fates(struct run *run, const struct pagemoves *moves)
{
	uint64_t left = 0;
	char key[METRIC_KEY], text[NODEPAGES_TEXT] = "";

	for (int fate = 0; fate < PAGE_FATES; fate++) {
		snprintf(key, sizeof(key), "pages-%s", page_fate_words[fate]);
		run_metric(run, key, (double)moves->pages[fate], fate == PAGE_MOVED ? BETTER_NONE : BETTER_LOWER);
		left += fate == PAGE_MOVED ? 0 : moves->pages[fate];
	}
	format_left(moves, text);
	if (!moves->pages[PAGE_MOVED])
		die("no page was moved: %s", text);
	if (left)
		run_remark(run, "warning: %" PRIu64 " of %" PRIu64 " pages did not move: %s", left,
			left + moves->pages[PAGE_MOVED], text);
	else
		run_remark(run, "all %" PRIu64 " pages were found on the node that they were moved to",
			moves->pages[PAGE_MOVED]);
}

static void report(struct run *run)
{
	const struct job *job = run->state;
	struct pagemoves moves = moves_of(job);
	double pages = (double)moves.pages[PAGE_MOVED], sec = (double)*job->moving_ns / (double)NSEC_PER_SEC;
	char bytes[UNITS_TEXT];

	run_note(run, "Moved %s from node to node with %s, %" PRIu64 " pages a call, in each of %d rounds",
		units_format_size(bytes, job->pages * job->page), method_words[opt.method], opt.batch,
		NODEMATRIX_ROUNDS);
	report_fates(run, &moves);
	nodematrix_report(&job->matrix, run, "ns/page", BETTER_LOWER, job->values);
	run_metric(run, "pages/s", pages / sec, BETTER_HIGHER);
	run_metric(run, "B/s", pages * (double)job->page / sec, BETTER_HIGHER);
}

const struct benchmark benchmark_numa_migrate = {
	.summary = "Moving pages from node to node, when asked to",
	.operation = "page moved",
	.about =
		"A task asks the kernel to move its memory from each node to each other one. One operation is a page moved, "
		"which is found on the other node afterwards. The result is a matrix of ns/page; the number of a "
		"run is the mean of its cells. Mapping, binding and touching memory is not measured. The task runs on the "
		"first CPU of the node that it moves from or, where that has none, of all that it may use. Pages "
		"are small ones.",
	.options = options,
	.needs = { .nodes = 1 },
	.layout = LAYOUT_MATRIX,
	.headline = "ns/page",
	.check = check,
	.setup = setup,
	.report = report,
};
