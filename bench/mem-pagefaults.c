// SPDX-License-Identifier: GPL-2.0-only
/*
 * mem pagefaults: workers touch memory that they have just mapped, page by page, and the kernel gives it to them.
 *
 * One operation is one page touched. A round maps, touches and releases; each of the three is timed apart, and the
 * headline is the time of the touches over the page faults that the kernel counted in them. Opening and filling files,
 * filling memory that is to be copied, and waiting for each other is not measured. Transparent huge pages are off in the
 * workers, whatever the machine's setting, but for the pattern thp.
 */
#include "bench.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "faultpatterns.h"
#include "faultreport.h"
#include "scratchfile.h"
#include "units.h"

#define DEFAULT_BYTES ((uint64_t)128 << 20) /* of all workers */
#define DEFAULT_LEAST ((uint64_t)1 << 20)   /* of each */

enum { VMA_OWN, VMA_CARVED };
static const char *const vma_words[] = { "own", "carved", NULL };

static struct {
	unsigned pattern, vma;
	uint64_t threads, procs, seed, size, loops;
	const char *order;
} opt = { .pattern = PATTERN_ANON, .vma = VMA_OWN, .threads = 1, .procs = 1, .seed = 1, .loops = 1, .order = "seq" };

static const struct opt options[] = {
	OPT_CHOICE('p', "pattern", &opt.pattern, fault_pattern_names, "what a touch makes the kernel do"),
	OPT_COUNT('t', "threads", &opt.threads, 1, INT32_MAX, "threads in each process"),
	OPT_COUNT(0, "procs", &opt.procs, 1, INT32_MAX, "processes"),
	OPT_CHOICE(0, "vma", &opt.vma, vma_words, "a mapping for each thread, or one for all of a process"),
	OPT_WORDS(0, "order", &opt.order, "ORDER", "of the touches: seq, reverse, random or stride=N"),
	OPT_COUNT(0, "seed", &opt.seed, 0, OPT_MAX, "of the random order"),
	OPT_SIZE('s', "size", &opt.size, 0, OPT_MAX,
		"memory of each worker; 0 is 128MB divided among them, at least 1MB each"),
	OPT_COUNT('l', "loops", &opt.loops, 1, OPT_MAX, "rounds of mapping, touching and releasing"),
	OPT_END,
};

/* What follows from the options. */
struct plan {
	const struct fault_pattern *pattern;
	struct page_order order;
	size_t page_size, huge_size; /* huge_size: of the pattern thp */
	uint64_t workers, bytes;     /* bytes of each */
};

static struct plan plan_make(void)
{
	struct plan plan = { .pattern = fault_pattern(opt.pattern), .page_size = (size_t)sysconf(_SC_PAGESIZE) };
	uint64_t unit = plan.page_size;

	if (!page_order_parse(opt.order, &plan.order))
		usage("--order %s: not seq, reverse, random or stride=N with N from 1", opt.order);
	if (plan.pattern->huge) {
		plan.huge_size = huge_page_bytes();
		if (!plan.huge_size)
			skip("transparent huge pages are not available (/sys/kernel/mm/transparent_hugepage/enabled)");
		unit = plan.huge_size;
	}
	plan.workers = run_product("threads", opt.procs, opt.threads);
	plan.bytes = opt.size;
	if (!plan.bytes) {
		plan.bytes = DEFAULT_BYTES / plan.workers;
		plan.bytes = plan.bytes > DEFAULT_LEAST ? plan.bytes : DEFAULT_LEAST;
		plan.bytes = plan.bytes > unit ? plan.bytes - plan.bytes % unit : unit;
	}
	if (plan.bytes % unit)
		usage("--size %" PRIu64 ": not a multiple of the page size, %" PRIu64, plan.bytes, unit);
	return plan;
}

static uint64_t regions_in_process(void)
{
	return opt.vma == VMA_OWN ? opt.threads : 1;
}

static void check_pattern(const struct fault_pattern *pattern)
{
	const char *name = fault_pattern_names[opt.pattern];

	if (pattern->child_only && opt.threads > 1)
		usage("--pattern %s: a forked child has one thread; use --procs", name);
	if (pattern->forks && opt.threads > 1 && opt.vma != VMA_CARVED)
		usage("--pattern %s: one fork is for all threads of a process; use --vma carved", name);
	if (pattern->zero_page && !zero_page_given())
		skip("this kernel answers a first read with a page of its own, not with the zero page");
}

static void check_order(const struct page_order *order, uint64_t pages)
{
	if (order->kind == ORDER_STRIDE && order->stride > pages)
		usage("--order %s: a worker has only %" PRIu64 " pages", opt.order, pages);
	if (order->kind == ORDER_RANDOM && pages > WALK_TABLE_PAGES)
		usage("--order random: %" PRIu64 " pages are more than can be put in random order", pages);
}

static void check(struct run *run)
{
	struct plan plan = plan_make();
	uint64_t pages = plan.bytes / plan.page_size;
	uint64_t bytes = run_product("bytes", plan.workers, plan.bytes);
	/* The memory, an entry in a page table for each of its pages, and the order. */
	uint64_t page_bytes = plan.pattern->copies * plan.page_size + sizeof(uint64_t) +
			      (plan.order.kind == ORDER_RANDOM ? WALK_TABLE_BYTES : 0);

	check_pattern(plan.pattern);
	check_order(&plan.order, pages);
	if (bytes / opt.procs > PTRDIFF_MAX)
		usage("--size %" PRIu64 ": more than an address space can hold", plan.bytes);
	run_product("touches", run_product("touches", plan.workers, pages), opt.loops);
	run_workers(run, plan.workers, false);
	run_need(run, NEED_MAPPINGS, 2 * opt.threads + 3 * regions_in_process()); /* a region has two neighbours */
	run_need(run, NEED_MEMORY, run_product("bytes", bytes / plan.page_size, page_bytes));
	if (plan.pattern->file) {
		run_need(run, NEED_DESCRIPTORS, regions_in_process());
		scratch_need(bytes);
	}
}

/* What the threads of a process share. */
struct space {
	const struct plan *plan;
	struct region carved;
	pthread_barrier_t barrier;
};

static void prepare(struct worker *first)
{
	struct space *space = xcalloc(1, sizeof(*space));
	const struct plan *plan = first->arg;

	space->plan = plan;
	first->arg = space;
	/*
	 * For the whole process and beforehand: an madvise would come after the faults that mmap takes for populate.
	 * An emulator does not know it; the faults that are counted tell what pages there were.
	 */
	if (prctl(PR_SET_THP_DISABLE, plan->pattern->huge ? 0L : 1L, 0L, 0L, 0L) < 0 && errno != EINVAL)
		die_errno("prctl PR_SET_THP_DISABLE");
	if (opt.vma == VMA_OWN)
		return;
	region_init(&space->carved, plan->pattern, (size_t)(opt.threads * plan->bytes), plan->huge_size);
	errno = pthread_barrier_init(&space->barrier, NULL, (unsigned)opt.threads);
	if (errno)
		die_errno("pthread_barrier_init");
}

static void round_own(struct faulter *faulter)
{
	faulter_map(faulter);
	faulter_touch(faulter);
	faulter_release(faulter);
}

/* The first thread maps and releases for all. */
static void round_carved(struct faulter *faulter, pthread_barrier_t *barrier)
{
	bool leads = faulter->worker->thread == 0;

	if (leads)
		faulter_map(faulter);
	pthread_barrier_wait(barrier);
	faulter_touch(faulter);
	pthread_barrier_wait(barrier);
	if (leads)
		faulter_release(faulter);
}

static void toucher(struct worker *worker)
{
	struct space *space = worker->arg;
	const struct plan *plan = space->plan;
	size_t bytes = (size_t)plan->bytes;
	struct region own;
	struct faulter faulter = { .worker = worker, .pattern = plan->pattern, .region = &space->carved };

	if (opt.vma == VMA_OWN) {
		region_init(&own, plan->pattern, bytes, plan->huge_size);
		faulter.region = &own;
	}
	faulter.walk = (struct page_walk){
		.base = faulter.region->base + (opt.vma == VMA_OWN ? 0 : worker->thread * bytes),
		.pages = bytes / plan->page_size,
		.page_size = plan->page_size,
	};
	walk_init(&faulter.walk, &plan->order, opt.seed + worker->index);
	worker_ready(worker);
	if (opt.vma == VMA_OWN)
		for (uint64_t i = 0; i < opt.loops; i++)
			round_own(&faulter);
	else
		for (uint64_t i = 0; i < opt.loops; i++)
			round_carved(&faulter, &space->barrier);
	worker_done(worker, opt.loops * faulter.walk.pages);
}

static void setup(struct run *run)
{
	struct plan *plan = xmalloc(sizeof(*plan));
	struct spawn spawn = {
		.role = "toucher", .work = toucher, .arg = plan, .threads = (unsigned)opt.threads, .prepare = prepare
	};

	*plan = plan_make();
	run->state = plan;
	for (uint64_t i = 0; i < opt.procs; i++)
		run_spawn(run, &spawn);
}

static void note_plan(struct run *run, const struct plan *plan)
{
	char size[UNITS_TEXT], page[UNITS_TEXT], order[64] = "";

	if (plan->order.kind == ORDER_RANDOM)
		snprintf(order, sizeof(order), " (seed %" PRIu64 ")", opt.seed);
	run_note(run,
		"%s: %" PRIu64 " thread%s in %s%" PRIu64
		" process%s touch%s %s each, page size %s, order %s%s, %" PRIu64 " round%s",
		fault_pattern_names[opt.pattern], opt.threads, opt.threads == 1 ? "" : "s",
		opt.procs == 1 ? "" : "each of ", opt.procs, opt.procs == 1 ? "" : "es", plan->workers == 1 ? "es" : "",
		units_format_size(size, plan->bytes), units_format_size(page, plan->page_size), opt.order, order,
		opt.loops, opt.loops == 1 ? "" : "s");
}

static void report(struct run *run)
{
	const struct plan *plan = run->state;
	char type[32];

	note_plan(run, plan);
	if (opt.threads > 1)
		run_note(run, "%s",
			opt.vma == VMA_OWN ? "a mapping for each thread" : "one mapping for all threads of a process");
	if (plan->pattern->file)
		run_note(run, "temporary files in %s, file system %s, in the page cache", scratch_dir(),
			scratch_type(type));
	fault_report(run, plan->pattern, plan->page_size, plan->huge_size, opt.loops);
}

#define PATTERN_HELP(id, word, meaning) " " word ": " meaning "."

const struct benchmark benchmark_mem_pagefaults = {
	.summary = "What the kernel spends to give a page",
	.operation = "page touched",
	.about =
		"Workers map memory, touch every page of it once, and release it, each phase timed apart. One operation "
		"is a page touched; ns/fault is the time of the touches over the faults that the kernel counted in them. "
		"Filling what is to be read or copied, and waiting for each other, is not measured. In the cow patterns "
		"mapping is the fork and unmapping the end of the child; in dontneed unmapping is the madvise. Transparent "
		"huge pages are off in the workers but for thp. The patterns are:" FAULT_PATTERNS(PATTERN_HELP),
	.options = options,
	.layout = LAYOUT_METRICS,
	.headline = "ns/fault",
	.check = check,
	.setup = setup,
	.report = report,
};
