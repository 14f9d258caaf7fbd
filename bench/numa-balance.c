// SPDX-License-Identifier: GPL-2.0-only
/*
 * numa balance: a task whose memory is on another node goes over it, and the kernel brings the memory to the task.
 *
 * One operation is a page gone over. The memory is placed by a policy of the task, which is gone when the measured time
 * begins. In it the task stays on the CPUs of its node, and asks the kernel at intervals where each page is. Some
 * kernels do not tell of a page that is marked to see who touches it: it is where it was last.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/mempolicy.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "localcurve.h"
#include "nodememory.h"
#include "nodepages.h"
#include "numa.h"
#include "numawork.h"
#include "units.h"

#define PIECE        ((size_t)1 << 20) /* gone over between two looks at the clock */
#define USUAL_POINTS 50                /* besides the one at the start */

static struct {
	uint64_t bytes;
	uint64_t runtime_ns, interval_ns;
	unsigned pages;
	const char *from, *to;
} opt = {
	.bytes = 64 << 20,
	.runtime_ns = 5 * NSEC_PER_SEC,
	.from = "",
	.to = "",
};

enum pages { PAGES_4K, PAGES_THP };
static const char *const page_words[] = { "4K", "thp", NULL };

static const struct opt options[] = {
	OPT_SIZE('s', "size", &opt.bytes, 1, INT64_C(1) << 44, "memory of the task"),
	OPT_TIME(0, "runtime", &opt.runtime_ns, NSEC_PER_MSEC, OPT_MAX, "how long it goes over it"),
	OPT_TIME('i', "interval", &opt.interval_ns, 0, OPT_MAX,
		"how often it asks where its pages are, at most 899 times; 0: 50 times"),
	OPT_CHOICE(0, "pages", &opt.pages, page_words,
		"4K: the kernel's small pages, whatever their size; thp: transparent huge pages"),
	OPT_STRING(0, "from", &opt.from, "LIST", "the memory is on the first of these nodes that fits"),
	OPT_STRING(0, "to", &opt.to, "LIST", "the task is on the first of these nodes that fits"),
	OPT_END,
};

static const char *const vmstat_keys[] = { "numa_pages_migrated", "numa_hint_faults", "numa_pte_updates" };

struct seen {
	double vmstat[2][ARRAY_SIZE(vmstat_keys)]; /* of the whole machine: before and after */
	uint64_t huge_bytes;
	struct localpoint points[];
};

struct job {
	unsigned from, to;
	struct cpus cpus; /* of the node to */
	size_t page, pages, count;
	uint64_t interval_ns;
	struct seen *seen; /* shared */
	char *memory;
	void **addresses;
	int *where, *nodes; /* of each page: as told now, and when it was last told */
};

/* The first pair of nodes that fits: the task needs CPUs. */
static void choose_nodes(struct run *run, struct job *job)
{
	struct nodematrix matrix = nodematrix_moves_of(run, opt.from, opt.to);
	const struct topology *topology = run->topology;
	char allowed[NODEPAGES_TEXT];

	for (size_t i = 0; i < matrix.row_count * matrix.column_count; i++) {
		size_t row = i / matrix.column_count, column = i % matrix.column_count;

		job->from = matrix.rows[row].node;
		job->to = matrix.columns[column];
		job->cpus = topology->nodes[topology_node_index(topology, job->to)].cpus;
		cpus_and(&job->cpus, &run->allowed);
		if (nodematrix_is_move(&matrix, row, column) && cpus_count(&job->cpus) > 0) {
			nodematrix_release(&matrix);
			return;
		}
	}
	cpus_format(&run->allowed, allowed, sizeof(allowed));
	if (*opt.from || *opt.to)
		die("options --from and --to: no node that memory can move to has any of the CPUs %s", allowed);
	skip("no node that memory can move to has any of the CPUs %s", allowed);
}

static struct job job_new(struct run *run)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), pages = (opt.bytes + page - 1) / page;
	uint64_t interval_ns = opt.interval_ns ? opt.interval_ns : opt.runtime_ns / USUAL_POINTS;
	uint64_t count = opt.runtime_ns / interval_ns + 1;
	struct job job = {
		.page = (size_t)page, .pages = (size_t)pages, .count = (size_t)count, .interval_ns = interval_ns
	};

	if (count < 2)
		usage("option -i: an interval longer than --runtime tells nothing");
	if (count > LOCALCURVE_POINTS)
		usage("option -i: --runtime has %" PRIu64 " intervals, more than the %d that a result holds", count - 1,
			LOCALCURVE_POINTS - 1);
	choose_nodes(run, &job);
	return job;
}

static void read_vmstat(double values[ARRAY_SIZE(vmstat_keys)])
{
	char *text = read_file("/proc/vmstat");

	for (size_t i = 0; i < ARRAY_SIZE(vmstat_keys); i++)
		values[i] = vmstat_value(text, vmstat_keys[i]);
	free(text);
}

static void set_policy(int mode, const struct cpus *nodes)
{
	if (numa_policy(mode, nodes) < 0)
		die_errno("set_mempolicy");
}

/* Memory under a policy is not balanced, so nothing moves until the policy is gone. */
static void place(struct job *job)
{
	size_t bytes = job->pages * job->page;
	uint64_t before = nodepages_huge("\nAnonHugePages:"), *found = xcalloc(CPUS_MAX, sizeof(*found));
	struct cpus node;

	cpus_clear(&node);
	cpus_add(&node, job->from);
	set_policy(MPOL_BIND, &node);
	job->memory = xmmap(bytes, false);
	nodepages_advise(opt.pages == PAGES_THP ? 1 : -1, job->memory, bytes);
	memset(job->memory, 1, bytes);
	nodepages_verify("memory", job->memory, bytes, &node, found, CPUS_MAX);
	job->seen->huge_bytes = nodepages_huge("\nAnonHugePages:") - before;
	free(found);
	job->addresses = xcalloc(job->pages, sizeof(*job->addresses));
	job->where = xcalloc(2 * job->pages, sizeof(*job->where));
	job->nodes = job->where + job->pages;
	for (size_t i = 0; i < job->pages; i++) {
		job->addresses[i] = job->memory + i * job->page;
		job->nodes[i] = (int)job->from;
	}
}

/* A page that the kernel does not tell of is where it was last. */
static struct localpoint look(struct worker *worker, struct job *job)
{
	struct localpoint point = { .taken = true };
	unsigned cpu = cpus_current();

	if (!cpus_has(&job->cpus, cpu))
		die("ran on CPU %u, but was bound to the CPUs of node %u", cpu, job->to);
	if (numa_move(job->pages, job->addresses, NULL, job->where) < 0)
		die_errno("asking where the memory is");
	point.at_ns = worker_elapsed(worker);
	for (size_t i = 0; i < job->pages; i++) {
		if (job->where[i] < 0)
			point.untold++;
		else
			job->nodes[i] = job->where[i];
		point.local += job->nodes[i] == (int)job->to;
	}
	return point;
}

/* Goes over the memory, piece by piece, and takes a point when one is due. Returned: pages gone over. */
static uint64_t go_over(struct worker *worker, struct job *job)
{
	const struct work work = { .touch = WORK_UPDATE };
	size_t bytes = job->pages * job->page, at = 0;
	uint64_t done = 0, sum = 0;

	for (uint64_t next = 0; next < job->count;) {
		uint64_t now = worker_elapsed(worker);
		struct work_area area = { .memory = job->memory + at };

		if (now >= next * job->interval_ns) {
			struct localpoint point = look(worker, job);

			next = point.at_ns / job->interval_ns;
			next = next < job->count ? next : job->count - 1;
			job->seen->points[next++] = point;
		}
		area.bytes = bytes - at < PIECE ? bytes - at : PIECE;
		done += work_pass(&work, &area, 0, worker, &sum);
		at = (at + area.bytes) % bytes;
	}
	return done / job->page;
}

static void toucher(struct worker *worker)
{
	struct job *job = worker->arg;
	uint64_t pages;

	if (cpus_bind(&job->cpus) < 0)
		die_errno("moving to the CPUs of node %u", job->to);
	place(job);
	read_vmstat(job->seen->vmstat[0]);
	worker_ready(worker);
	set_policy(MPOL_DEFAULT, NULL);
	pages = go_over(worker, job);
	worker_done(worker, pages);
	read_vmstat(job->seen->vmstat[1]);
}

static void check(struct run *run)
{
	struct job job = job_new(run);
	uint64_t bytes = run_product("bytes", job.pages, job.page);
	char *text = read_file("/proc/sys/kernel/numa_balancing");
	const char *off = balancing_is_off(text);
	struct cpus nodes;

	free(text);
	if (off)
		skip("%s", off);
	cpus_clear(&nodes);
	cpus_add(&nodes, job.from);
	cpus_add(&nodes, job.to);
	nodememory_check(&nodes, run->topology, bytes);
	if (opt.pages == PAGES_THP)
		nodememory_need_huge();
	run_workers(run, 1, false);
	run_need(run, NEED_MEMORY, bytes + job.pages * (sizeof(void *) + 2 * sizeof(int)));
}

static void setup(struct run *run)
{
	struct job *job = run->state = xmalloc(sizeof(*job));

	*job = job_new(run);
	job->seen = xmmap(sizeof(*job->seen) + job->count * sizeof(job->seen->points[0]), true);
	run_spawn(run, &(struct spawn){ .role = "toucher", .work = toucher, .arg = job });
}

static void report(struct run *run)
{
	const struct job *job = run->state;
	const struct seen *seen = job->seen;
	struct localcurve curve = {
		.interval_ns = job->interval_ns, .pages = job->pages, .count = job->count, .points = seen->points
	};
	char size[UNITS_TEXT], huge[UNITS_TEXT];

	run_note(run, "%s on node %u, gone over by a task on node %u", units_format_size(size, job->pages * job->page),
		job->from, job->to);
	localcurve_report(&curve, run);
	for (size_t i = 0; i < ARRAY_SIZE(vmstat_keys); i++)
		run_metric(run, vmstat_keys[i], seen->vmstat[1][i] - seen->vmstat[0][i], BETTER_NONE);
	run_remark(run, "--pages %s: %s of %s in huge pages", page_words[opt.pages],
		units_format_size(huge, seen->huge_bytes), size);
}

const struct benchmark benchmark_numa_balance = {
	.summary = "How fast the kernel brings memory to the task that uses it",
	.operation = "page gone over",
	.about =
		"Memory is placed on one node, and a task on the CPUs of another node goes over it, reading and writing every "
		"word, while automatic NUMA balancing is at work. At intervals the task asks where its pages are: the "
		"result is a curve, the share of pages on the task's node over time. The number of a run is the mean of "
		"the curve. Placing the memory is not measured. One operation is a page gone over.",
	.options = options,
	.needs = { .nodes = 1 },
	.layout = LAYOUT_METRICS,
	.headline = "local-percent",
	.check = check,
	.setup = setup,
	.report = report,
};
