// SPDX-License-Identifier: GPL-2.0-only
/*
 * mem pagefaults: workers touch memory that they have just mapped, page by page, and the kernel gives it to them.
 *
 * One operation is one page touched. A round maps, touches and releases; each of the three is timed apart, and the
 * headline is the time of the touches over the page faults that the kernel counted in them. Opening and filling files,
 * filling memory that is to be copied, and waiting for each other is not measured. A process may have helpers besides:
 * threads that answer faults or disturb, and whose faults are counted apart.
 */
#include "bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "faultpatterns.h"
#include "faultreport.h"
#include "faultspace.h"
#include "faultwriter.h"
#include "memfacts.h"
#include "units.h"

#define DEFAULT_BYTES ((uint64_t)128 << 20) /* of all workers */
#define DEFAULT_LEAST ((uint64_t)1 << 20)   /* of each */

enum { VMA_OWN, VMA_CARVED };
static const char *const vma_words[] = { "own", "carved", NULL };

/* In the order of enum thp_setting. */
static const char *const thp_words[] = { "pattern", "default", "always", "never", NULL };

static struct {
	unsigned pattern, vma, thp;
	uint64_t threads, procs, seed, size, loops, runtime_ns, writer;
	const char *order, *file;
} opt = {
	.pattern = PATTERN_ANON, .vma = VMA_OWN, .thp = THP_PATTERN, .threads = 1, .procs = 1, .seed = 1, .order = "seq"
};

#define PATTERN_TERM(id, word, meaning) { word, meaning },
static const struct term terms[] = { FAULT_PATTERNS(PATTERN_TERM){ NULL, NULL } };
#undef PATTERN_TERM

static const struct opt options[] = {
	OPT_CHOICE('p', "pattern", &opt.pattern, fault_pattern_names, "what a touch makes the kernel do"),
	OPT_COUNT('t', "threads", &opt.threads, 1, INT32_MAX, "threads in each process"),
	OPT_COUNT(0, "procs", &opt.procs, 1, INT32_MAX, "processes"),
	OPT_CHOICE(0, "vma", &opt.vma, vma_words, "a mapping for each thread, or one for all of a process"),
	OPT_WORDS(0, "order", &opt.order, "ORDER", "of the touches: seq, reverse, random or stride=N"),
	OPT_COUNT(0, "seed", &opt.seed, 0, OPT_MAX, "of the random order"),
	OPT_CHOICE(0, "thp", &opt.thp, thp_words,
		"transparent huge pages: only for the pattern thp, as the machine is set, by madvise, or none"),
	OPT_COUNT(0, "writer", &opt.writer, 0, WRITER_RATE_MAX,
		"rounds a second in which one more thread of each process maps, protects and unmaps"),
	OPT_STRING(0, "file", &opt.file, "DIR", "directory of the files of file patterns; without it TMPDIR or /tmp"),
	OPT_SIZE('s', "size", &opt.size, 0, OPT_MAX,
		"memory of each worker; 0 is 128MB divided among them, at least 1MB each"),
	OPT_COUNT('l', "loops", &opt.loops, 0, OPT_MAX,
		"rounds of mapping, touching and releasing; 0 is one, or what --runtime has time for"),
	OPT_TIME(0, "runtime", &opt.runtime_ns, 0, OPT_MAX, "begin rounds for so long, in place of --loops"),
	OPT_END,
};

static uint64_t plan_pages(const struct fault_plan *plan)
{
	return plan->bytes / plan->page_size;
}

static uint64_t plan_bytes(const struct fault_plan *plan)
{
	uint64_t unit = plan->huge_size ? plan->huge_size : plan->page_size, bytes = opt.size;

	if (!bytes) {
		bytes = DEFAULT_BYTES / plan->workers;
		bytes = bytes > DEFAULT_LEAST ? bytes : DEFAULT_LEAST;
		bytes = bytes > unit ? bytes - bytes % unit : unit;
	}
	if (bytes % unit)
		usage("--size %" PRIu64 ": not a multiple of the page size, %" PRIu64, bytes, unit);
	return bytes;
}

static enum thp_setting plan_thp(const struct fault_pattern *pattern, const char *name)
{
	if (opt.thp == THP_PATTERN)
		return opt.pattern == PATTERN_THP ? THP_ALWAYS : THP_NEVER;
	if (pattern->huge_bytes)
		usage("--thp %s: the pattern %s says by itself what its pages are", thp_words[opt.thp], name);
	if (opt.thp == THP_ALWAYS && opt.pattern == PATTERN_ANON)
		usage("--thp always: for %s that is --pattern %s", name, fault_pattern_names[PATTERN_THP]);
	if (opt.thp == THP_ALWAYS && !pattern->advisable)
		usage("--thp always: an madvise does not make the pages of %s huge ones", name);
	if (opt.thp == THP_ALWAYS && !memfacts_thp(""))
		skip("transparent huge pages are not available (/sys/kernel/mm/transparent_hugepage/enabled)");
	return opt.thp;
}

static struct fault_plan plan_make(void)
{
	const struct fault_pattern *pattern = fault_pattern(opt.pattern);
	struct fault_plan plan = {
		.pattern = pattern,
		.name = fault_pattern_names[opt.pattern],
		.place = scratch_place(opt.file),
		.page_size = (size_t)sysconf(_SC_PAGESIZE),
		.threads = (unsigned)opt.threads,
		.carved = opt.vma == VMA_CARVED,
		.rounds = opt.loops || opt.runtime_ns ? opt.loops : 1,
		.seed = opt.seed,
		.writer = opt.writer,
		.server = -1,
	};

	if (!page_order_parse(opt.order, &plan.order))
		usage("--order %s: not seq, reverse, random or stride=N with N from 1", opt.order);
	plan.thp = plan_thp(pattern, plan.name);
	if (pattern->huge_bytes)
		plan.huge_size = pattern->huge_bytes();
	plan.workers = run_product("--procs with --threads", opt.procs, opt.threads);
	plan.bytes = plan_bytes(&plan);
	plan.regions = opt.vma == VMA_OWN ? opt.threads : 1;
	plan.largest = opt.vma == VMA_OWN ? plan.bytes : run_product("--size with --threads", opt.threads, plan.bytes);
	return plan;
}

static void check_options(const struct fault_plan *plan)
{
	const struct fault_pattern *pattern = plan->pattern;
	uint64_t pages = plan_pages(plan);

	if (opt.loops && opt.runtime_ns)
		usage("--runtime is in place of --loops %" PRIu64 ": give one of them", opt.loops);
	if (opt.file && !pattern->file)
		usage("--file %s: the pattern %s has no file", opt.file, plan->name);
	if (pattern->child_only && opt.threads > 1)
		usage("--pattern %s: a forked child has one thread; use --procs", plan->name);
	if (pattern->forks && opt.threads > 1 && opt.vma != VMA_CARVED)
		usage("--pattern %s: one fork is for all threads of a process; use --vma carved", plan->name);
	if (pattern->one_region && opt.threads > 1 && opt.vma != VMA_CARVED)
		usage("--pattern %s: a process has one heap; use --vma carved or --procs", plan->name);
	if (plan->order.kind == ORDER_STRIDE && plan->order.stride > pages)
		usage("--order %s: a worker has only %" PRIu64 " pages", opt.order, pages);
	if (plan->order.kind == ORDER_RANDOM && pages > WALK_TABLE_PAGES)
		usage("--order random: %" PRIu64 " pages are more than can be put in random order", pages);
}

static void check(struct run *run)
{
	struct fault_plan plan = plan_make();
	uint64_t pages = plan_pages(&plan), extra = space_helpers(&plan);
	uint64_t bytes = run_product("--size with --threads", plan.workers, plan.bytes);
	/* The memory, an entry in a page table for each of its pages, and the order. */
	uint64_t page_bytes = plan.pattern->copies * plan.page_size + sizeof(uint64_t) +
			      (plan.order.kind == ORDER_RANDOM ? WALK_TABLE_BYTES : 0);

	check_options(&plan);
	if (bytes / opt.procs > PTRDIFF_MAX)
		usage("--size %" PRIu64 ": more than an address space can hold, %td", plan.bytes, PTRDIFF_MAX);
	run_product("touches of --loops", run_product("touches", plan.workers, pages), plan.rounds);
	run_workers(run, plan.workers + opt.procs * extra, false);
	/* A thread has a stack and its guard; a region has two neighbours, and so has the writer's. */
	run_need(run, NEED_MAPPINGS, 2 * (opt.threads + extra) + 3 * (plan.regions + (opt.writer > 0)));
	run_need(run, NEED_MEMORY, run_product("bytes", bytes / plan.page_size, page_bytes));
	run_need(run, NEED_DESCRIPTORS, extra ? 2 + (opt.writer > 0) : 0); /* a pipe, and the writer's timer */
	if (plan.pattern->check)
		plan.pattern->check(run, &plan);
	run->runtime_ns = opt.runtime_ns;
}

static void setup(struct run *run)
{
	struct fault_plan *plan = xmalloc(sizeof(*plan));

	*plan = plan_make();
	plan->thp_before = memfacts_count("", "thp_fault_alloc");
	run->state = plan;
	for (uint64_t i = 0; i < opt.procs; i++)
		space_spawn(run, plan);
}

static void note_plan(struct run *run, const struct fault_plan *plan)
{
	char size[UNITS_TEXT], page[UNITS_TEXT], time[UNITS_TEXT], order[64] = "", rounds[64];

	if (plan->order.kind == ORDER_RANDOM)
		snprintf(order, sizeof(order), " (seed %" PRIu64 ")", opt.seed);
	if (plan->rounds)
		snprintf(rounds, sizeof(rounds), "%" PRIu64 " round%s", plan->rounds, plan->rounds == 1 ? "" : "s");
	else
		snprintf(rounds, sizeof(rounds), "rounds for %s", units_format_time(time, opt.runtime_ns));
	run_note(run,
		"%s: %" PRIu64 " thread%s in %s%" PRIu64 " process%s touch%s %s each, page size %s, order %s%s, %s",
		plan->name, opt.threads, opt.threads == 1 ? "" : "s", opt.procs == 1 ? "" : "each of ", opt.procs,
		opt.procs == 1 ? "" : "es", plan->workers == 1 ? "es" : "", units_format_size(size, plan->bytes),
		units_format_size(page, plan->page_size), opt.order, order, rounds);
}

static void report(struct run *run)
{
	const struct fault_plan *plan = run->state;
	char type[32];

	note_plan(run, plan);
	if (opt.threads > 1)
		run_note(run, "%s",
			opt.vma == VMA_OWN ? "a mapping for each thread" : "one mapping for all threads of a process");
	if (plan->pattern->file)
		run_note(run, "temporary files in %s, file system %s, %s", plan->place.dir,
			scratch_type(&plan->place, type),
			plan->pattern->renew ? "dropped from the page cache before each round" : "in the page cache");
	fault_report(run, plan);
}

const struct benchmark benchmark_mem_pagefaults = {
	.summary = "What the kernel spends to give a page",
	.operation = "page touched",
	.about =
		"Workers map memory, touch every page of it once, and release it, each phase timed apart. One operation "
		"is a page touched; ns/fault is the time of the touches over the faults that the kernel counted in them. "
		"Filling what is to be read or copied, putting it out of memory, and waiting for each other, is not "
		"measured. In the cow patterns mapping is the fork and unmapping the end of the child; in dontneed and "
		"uffd unmapping is the madvise.",
	.terms = terms,
	.terms_of = "Patterns",
	.options = options,
	.layout = LAYOUT_METRICS,
	.headline = "ns/fault",
	.check = check,
	.setup = setup,
	.report = report,
};
