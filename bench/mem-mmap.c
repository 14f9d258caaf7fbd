// SPDX-License-Identifier: GPL-2.0-only
/*
 * mem mmap: memory is mapped, every page of it touched, and unmapped, again and again.
 *
 * One operation is a byte mapped. What is measured is mapping and touching, the sum of which is in B/s, and apart from it
 * unmapping. That the touches found what was asked for, no page or every page, is told by the faults that the kernel counted.
 */
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>

#include "memspeed.h"
#include "pagesize.h"
#include "units.h"

/* The kernel's work is what is measured. */
#define CYCLES "cycles"

/* What a worker may take of its own in the touches of a pass, on its stack and code, without a word. */
#define STRAY_FAULTS 4

/* In a slot: faults in the touches. Behind those of memspeed. */
#define COUNT_FAULTS MEMSPEED_COUNTS

static const char *const function_names[] = { "demand", "populate", NULL };
static const char *const function_meanings[] = { "mmap() whose pages come when they are touched",
	"mmap() with MAP_POPULATE, whose pages are there before", NULL };
enum { DEMAND, POPULATE };

static struct {
	uint64_t size, page, loops, seed, threads;
	unsigned function;
	bool cycles;
} opt = { .size = 1 << 20, .threads = 1, .function = OPT_ALL };

static const struct opt options[] = {
	OPT_SIZE('s', "size", &opt.size, 1, OPT_MAX, "bytes of a mapping, in whole pages"),
	OPT_PAGE(&opt.page),
	OPT_MENU('f', "function", &opt.function, function_names, function_meanings,
		"which mmap: demand, populate, all, or help to tell what they are"),
	OPT_PASSES(&opt.loops),
	OPT_CYCLES(&opt.cycles),
	OPT_COUNT('r', "randomize", &opt.seed, 0, OPT_MAX,
		"touch a random byte of each page, from this seed; 0 is the first one"),
	OPT_COUNT('t', "threads", &opt.threads, 1, INT32_MAX, "threads of one process, each with mappings of its own"),
	OPT_END,
};

static void check(struct run *run)
{
	uint64_t page = pagesize_resolve(opt.page), bytes = run_product("--size with --threads", opt.size, opt.threads);
	char size[UNITS_TEXT], unit[UNITS_TEXT];

	if (opt.size % page)
		usage("--size %s: not a multiple of the page size, %s", units_format_size(size, opt.size),
			units_format_size(unit, page));
	run_product("--size with --loops", bytes, opt.loops);
	if (bytes > PTRDIFF_MAX)
		usage("--size %" PRIu64 ": %" PRIu64 " bytes in all are more than an address space can hold, %td",
			opt.size, bytes, PTRDIFF_MAX);
	if (opt.cycles)
		memspeed_check(CYCLES);
	run_workers(run, opt.threads, false);
	run_need(run, NEED_MAPPINGS, run_product("mappings", 3, opt.threads)); /* stack, guard, its own */
	pagesize_need(run, page, bytes);
}

/* One store a page (a load before it would fault by itself), at an offset that the state of a linear congruential generator gives (Knuth's MMIX), or the first byte. */
static void touch(volatile char *memory, size_t bytes, size_t page)
{
	for (size_t at = 0; at < bytes; at += page)
		memory[at] = 1;
}

static uint64_t touch_randomly(volatile char *memory, size_t bytes, size_t page, uint64_t state)
{
	for (size_t at = 0; at < bytes; at += page) {
		state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		memory[at + (size_t)(state >> 32) % page] = 1;
	}
	return state;
}

static void *map(size_t bytes, int flags)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	if (memory == MAP_FAILED)
		die_errno("mmap of %zu bytes", bytes);
	return memory;
}

static uint64_t faults_now(void)
{
	struct worker_usage usage = worker_usage_now();

	return usage.minor_faults + usage.major_faults;
}

static void mapper(struct worker *worker)
{
	size_t bytes = (size_t)opt.size, page = (size_t)pagesize_resolve(opt.page);
	int flags = pagesize_flags(page) | (opt.function == POPULATE ? MAP_POPULATE : 0);
	uint64_t passes = 0, state = opt.seed + worker->index, *faults = &worker->slot->counts[COUNT_FAULTS];
	struct memspeed speed;

	memspeed_init(&speed, worker, opt.cycles ? CYCLES : NULL);
	worker_ready(worker);
	for (; memspeed_goes_on(worker, passes, opt.loops); passes++) {
		char *memory;

		memspeed_start(&speed);
		memory = map(bytes, flags);
		worker_lap(worker, MEMSPEED_FIRST);
		*faults -= faults_now();
		worker_lap(worker, MEMSPEED_BETWEEN);
		if (opt.seed)
			state = touch_randomly(memory, bytes, page, state);
		else
			touch(memory, bytes, page);
		memspeed_stop(&speed);
		*faults += faults_now();
		worker_lap(worker, MEMSPEED_BETWEEN);
		xmunmap(memory, bytes);
		worker_lap(worker, MEMSPEED_AFTER);
	}
	worker_done(worker, passes * bytes);
	memspeed_release(&speed);
}

static void setup(struct run *run)
{
	memspeed_limit(run, opt.loops);
	run_spawn(run, &(struct spawn){ .role = "mapper", .work = mapper, .threads = (unsigned)opt.threads });
}

static uint64_t lap_sum(const struct run *run, unsigned lap)
{
	uint64_t ns = 0;

	for (unsigned i = 0; i < run_worker_count(run); i++)
		ns += run_slot(run, i)->laps_ns[lap];
	return ns;
}

/* What the kernel counted beside what was touched. Fewer faults than touches are larger pages than were asked for. */
static void compare_faults(struct run *run, uint64_t touches, uint64_t passes)
{
	uint64_t faults = 0, stray = STRAY_FAULTS * passes + touches / 1000;

	for (unsigned i = 0; i < run_worker_count(run); i++)
		faults += run_slot(run, i)->counts[COUNT_FAULTS];
	if (opt.function == POPULATE && faults > stray)
		run_remark(run,
			"warning: %" PRIu64 " faults in %" PRIu64 " touches of pages that should have been there",
			faults, touches);
	else if (opt.function == DEMAND && faults > touches + stray)
		run_remark(run, "warning: %" PRIu64 " faults for %" PRIu64 " touches", faults, touches);
	else if (opt.function == DEMAND && faults + stray < touches)
		run_remark(run,
			"%" PRIu64 " touches, %" PRIu64 " faults: the kernel gives larger pages or several at once",
			touches, faults);
	run_metric(run, "faults", (double)faults, BETTER_NONE);
}

static void report(struct run *run)
{
	uint64_t page = pagesize_resolve(opt.page), bytes = run_operations(run), touches = bytes / page;
	char text[UNITS_TEXT];

	run_note(run, "function '%s' (%s)", function_names[opt.function], function_meanings[opt.function]);
	run_note(run, "Mapping %s bytes ...", units_format_size(text, opt.size));
	memspeed_report(run, opt.cycles);
	run_metric(run, "map-ns/page", (double)lap_sum(run, MEMSPEED_FIRST) / (double)touches, BETTER_LOWER);
	run_metric(run, "touch-ns/page", (double)lap_sum(run, MEMSPEED_TIMED) / (double)touches, BETTER_LOWER);
	run_metric(run, "unmap-ns/page", (double)lap_sum(run, MEMSPEED_AFTER) / (double)touches, BETTER_LOWER);
	if (opt.threads > 1)
		run_remark(run, "%" PRIu64 " threads, the sum of what each did in its own time", opt.threads);
	run_remark_turns(run, opt.threads, "B/s");
	if (opt.page)
		run_remark(run, "pages of %s", units_format_size(text, page));
	compare_faults(run, touches, bytes / opt.size);
}

static const char *headline_now(void)
{
	return memspeed_headline(opt.cycles);
}

const struct benchmark benchmark_mem_mmap = {
	.summary = "Mapping memory and touching its pages",
	.operation = "byte mapped",
	.about =
		"Threads map memory, touch every page of it, and unmap it, again and again. One operation is a byte mapped; "
		"B/s is of mapping and touching together, and unmapping is timed apart.",
	.options = options,
	.layout = LAYOUT_SPEED,
	.headline = "B/s",
	.headline_now = headline_now,
	.check = check,
	.setup = setup,
	.report = report,
};
