// SPDX-License-Identifier: GPL-2.0-only
#include "memfunctions.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memops.h"
#include "nodepages.h"
#include "units.h"

/* Only what is in user mode: the call itself. */
#define CYCLES "cycles:u"

/* A call of few bytes is not to wait for the look at the end of the run. */
#define BATCH_BYTES (64 << 10)

static void check_sizes(const struct memfunction_options *opt)
{
	char chunk[UNITS_TEXT], size[UNITS_TEXT];

	if (opt->chunk > opt->size)
		usage("--chunk %s: more than --size, which is %s", units_format_size(chunk, opt->chunk),
			units_format_size(size, opt->size));
	if (opt->align & (opt->align - 1))
		usage("--align %" PRIu64 ": not a power of two", opt->align);
}

/* False: none is named, so it may be on any. */
static bool node_set(const char *node, struct cpus *nodes)
{
	uint64_t id;

	cpus_clear(nodes);
	if (!units_parse_count(node, &id) || id >= CPUS_MAX)
		return false;
	cpus_add(nodes, (unsigned)id);
	return true;
}

static void check_node(struct run *run, const char *option, const char *node)
{
	struct cpus nodes;

	if (!*node)
		return;
	if (!node_set(node, &nodes))
		usage("option %s: '%s' is not the number of a node, 0 to %d", option, node, CPUS_MAX - 1);
	nodepages_online(option, &nodes, run_topology(run));
	nodepages_check(&nodes);
}

/* Of one buffer, in whole pages. */
static uint64_t mapped_bytes(const struct memfunction_options *opt, uint64_t page)
{
	uint64_t bytes = opt->size;

	if (__builtin_add_overflow(bytes, opt->align + opt->offset + page - 1, &bytes) || bytes > PTRDIFF_MAX)
		usage("--size %" PRIu64 ": in whole pages more than an address space can hold, %td", opt->size,
			PTRDIFF_MAX);
	return bytes - bytes % page;
}

void memfunction_check(struct run *run, const struct memfunction *kind)
{
	const struct memfunction_options *opt = kind->opt;
	uint64_t page, bytes;

	check_sizes(opt);
	check_node(run, "--source-node", opt->source_node);
	check_node(run, "--target-node", opt->target_node);
	page = pagesize_resolve(opt->page);
	bytes = run_product("--size with --threads",
		run_product("--size of two buffers", mapped_bytes(opt, page), kind->has_source ? 2 : 1), opt->threads);
	run_product("--size with --loops", run_product("--size with --threads", opt->size, opt->threads), opt->loops);
	if (bytes > PTRDIFF_MAX)
		usage("--size %" PRIu64 ": %" PRIu64 " bytes in all are more than an address space can hold, %td",
			opt->size, bytes, PTRDIFF_MAX);
	if (opt->cycles)
		memspeed_check(CYCLES);
	if (opt->cold && !memops_flush(NULL, 0))
		skip("--cold: on this machine user mode cannot flush the caches");
	run_workers(run, opt->threads, false);
	run_need(run, NEED_MAPPINGS, run_product("mappings", 4, opt->threads)); /* stack, guard, two buffers */
	pagesize_need(run, page, bytes);
}

static unsigned char *map_buffer(const struct memfunction_options *opt, uint64_t offset, const char *node)
{
	uint64_t page = pagesize_resolve(opt->page);
	/* Buffers of 1MB side by side compete for the same sets of a TLB: a page that nobody touches keeps them apart. */
	size_t bytes = (size_t)(opt->size + opt->align + offset + (opt->page ? 0 : page));
	unsigned char *memory = pagesize_map(bytes, page);
	struct cpus nodes;

	if (node_set(node, &nodes))
		nodepages_bind(memory, bytes, &nodes);
	return memory + opt->align + offset;
}

static void verify_node(const char *what, const unsigned char *memory, size_t bytes, const char *node)
{
	uint64_t *pages;
	struct cpus nodes;

	if (!node_set(node, &nodes))
		return;
	pages = xcalloc(CPUS_MAX, sizeof(*pages));
	nodepages_verify(what, memory, bytes, &nodes, pages, CPUS_MAX);
	free(pages);
}

/* All of the source has pages of its own: of what was never written the kernel shows one page of zeroes, again and again. */
static void fill(const struct memfunction_area *area)
{
	for (size_t i = 0; area->source && i < area->size; i++)
		area->source[i] = (unsigned char)(i + i / 251);
	memset(area->target, 0x55, area->size);
}

static void verify_bytes(const struct memfunction *kind, const struct memfunction_area *area)
{
	size_t wrong = kind->first_wrong(area);

	if (wrong < area->size)
		die("function '%s' left byte %zu of %zu wrong", kind->names[kind->opt->function], wrong, area->size);
}

static uint64_t warm_passes(
	struct memspeed *speed, const struct memfunction *kind, const struct memfunction_area *area, uint64_t passes)
{
	uint64_t batch = area->size < BATCH_BYTES ? BATCH_BYTES / area->size : 1, done = 0;

	memspeed_start(speed);
	while (memspeed_goes_on(speed->worker, done, passes)) {
		uint64_t count = passes && passes - done < batch ? passes - done : batch;

		kind->passes(area, count);
		done += count;
	}
	memspeed_stop(speed);
	return done;
}

static uint64_t cold_passes(
	struct memspeed *speed, const struct memfunction *kind, const struct memfunction_area *area, uint64_t passes)
{
	uint64_t done = 0;

	for (; memspeed_goes_on(speed->worker, done, passes); done++) {
		if (area->source)
			memops_flush(area->source, area->size);
		memops_flush(area->target, area->size);
		memspeed_start(speed);
		kind->passes(area, 1);
		memspeed_stop(speed);
	}
	return done;
}

static void caller(struct worker *worker)
{
	const struct memfunction *kind = worker->arg;
	const struct memfunction_options *opt = kind->opt;
	struct memfunction_area area = { .size = (size_t)opt->size,
		.chunk = (size_t)(opt->chunk ? opt->chunk : opt->size) };
	struct memspeed speed;
	uint64_t passes;

	if (kind->has_source)
		area.source = map_buffer(opt, opt->offset, opt->source_node);
	area.target = map_buffer(opt, 0, opt->target_node);
	fill(&area);
	kind->passes(&area, 1);
	verify_bytes(kind, &area);
	memspeed_init(&speed, worker, opt->cycles ? CYCLES : NULL);
	worker_ready(worker);
	passes =
		opt->cold ? cold_passes(&speed, kind, &area, opt->loops) : warm_passes(&speed, kind, &area, opt->loops);
	worker_done(worker, passes * opt->size);
	memspeed_release(&speed);
	if (kind->has_source)
		verify_node("source", area.source, area.size, opt->source_node);
	verify_node("target", area.target, area.size, opt->target_node);
}

void memfunction_setup(struct run *run, const struct memfunction *kind)
{
	union {
		const void *in;
		void *out;
	} arg = { .in = kind };

	memspeed_limit(run, kind->opt->loops);
	run_spawn(run, &(struct spawn){
			       .role = "caller",
			       .work = caller,
			       .arg = arg.out,
			       .threads = (unsigned)kind->opt->threads,
		       });
}

/* What is not as it is without options. */
static void remark_memory(struct run *run, const struct memfunction_options *opt, bool has_source)
{
	char text[UNITS_TEXT];

	if (opt->threads > 1)
		run_remark(run, "%" PRIu64 " threads, the sum of what each did with its own memory", opt->threads);
	run_remark_turns(run, opt->threads, "B/s");
	if (opt->chunk)
		run_remark(run, "calls of at most %s", units_format_size(text, opt->chunk));
	if (opt->page)
		run_remark(run, "pages of %s", units_format_size(text, opt->page));
	if (opt->align && !has_source)
		run_remark(run, "the target begins %" PRIu64 " bytes behind the begin of a page", opt->align);
	else if (opt->align || opt->offset)
		run_remark(run, "the target begins %" PRIu64 " bytes behind the begin of a page, the source %" PRIu64,
			opt->align, opt->align + opt->offset);
	if (opt->cold)
		run_remark(run, "caches flushed before each pass");
	if (*opt->source_node)
		run_remark(run, "every page of the source is on node %s", opt->source_node);
	if (*opt->target_node)
		run_remark(run, "every page of the target is on node %s", opt->target_node);
}

void memfunction_report(struct run *run, const struct memfunction *kind)
{
	const struct memfunction_options *opt = kind->opt;
	char size[UNITS_TEXT];

	run_note(run, "function '%s' (%s)", kind->names[opt->function], kind->meanings[opt->function]);
	run_note(run, "Copying %s bytes ...", units_format_size(size, opt->size));
	remark_memory(run, opt, kind->has_source);
	memspeed_report(run, opt->cycles);
}
