// SPDX-License-Identifier: GPL-2.0-only
/*
 * mem memcpy: memory is copied from one place to another, again and again.
 *
 * One operation is a byte copied; the figure is bytes a second, of which a copy moves twice as many: it reads one for each that it
 * writes. Mapping and filling the memory, and a first pass that is checked byte for byte, is not measured.
 */
#include <string.h>

#include "memfunctions.h"
#include "memops.h"

static struct memfunction_options opt = MEMFUNCTION_DEFAULTS;

static const struct opt options[] = {
	MEMFUNCTION_OPTIONS(opt),
	OPT_MENU('f', "function", &opt.function, memops_copy_names, memops_copy_meanings,
		"which memcpy, all, or help to list those of this machine"),
	OPT_SIZE(0, "offset", &opt.offset, 0, 1 << 30, "begin the source so much further into its page"),
	OPT_STRING(0, "source-node", &opt.source_node, "NODE", "node of the source, which is checked"),
	OPT_END,
};

static void passes(const struct memfunction_area *area, uint64_t count)
{
	memops_copy *copy = memops_copy_get(opt.function);

	for (; count > 0; count--)
		for (size_t at = 0, left = area->size; left > 0;) {
			size_t bytes = left < area->chunk ? left : area->chunk;

			copy(area->target + at, area->source + at, bytes);
			at += bytes;
			left -= bytes;
		}
}

static size_t first_wrong(const struct memfunction_area *area)
{
	size_t i = 0;

	while (i < area->size && area->target[i] == area->source[i])
		i++;
	return i;
}

static const struct memfunction kind = {
	.opt = &opt,
	.names = memops_copy_names,
	.meanings = memops_copy_meanings,
	.has_source = true,
	.passes = passes,
	.first_wrong = first_wrong,
};

static void check(struct run *run)
{
	memfunction_check(run, &kind);
}

static void setup(struct run *run)
{
	memfunction_setup(run, &kind);
}

static void report(struct run *run)
{
	memfunction_report(run, &kind);
}

static const char *headline_now(void)
{
	return memspeed_headline(opt.cycles);
}

const struct benchmark benchmark_mem_memcpy = {
	.summary = "Copying memory",
	.operation = "byte copied",
	.about =
		"Memory is copied from one place to another, again and again, by one function after the other. One operation "
		"is a byte copied; a copy moves two, one in and one out. Mapping and filling the memory, and a first pass "
		"that is checked byte for byte, is not measured.",
	.options = options,
	.layout = LAYOUT_SPEED,
	.headline = "B/s",
	.headline_now = headline_now,
	.check = check,
	.setup = setup,
	.report = report,
};
