// SPDX-License-Identifier: GPL-2.0-only
/*
 * mem memset: memory is set to a value, again and again.
 *
 * One operation is a byte set. Mapping the memory, and a first pass that is checked byte for byte, is not measured.
 */
#include "memfunctions.h"
#include "memops.h"

#define VALUE 0xa6 /* another one than the memory has before */

static struct memfunction_options opt = MEMFUNCTION_DEFAULTS;

static const struct opt options[] = {
	MEMFUNCTION_OPTIONS(opt),
	OPT_MENU('f', "function", &opt.function, memops_set_names, memops_set_meanings,
		"which memset, all, or help to list those of this machine"),
	OPT_END,
};

static void passes(const struct memfunction_area *area, uint64_t count)
{
	memops_set *set = memops_set_get(opt.function);

	for (; count > 0; count--)
		for (size_t at = 0, left = area->size; left > 0;) {
			size_t bytes = left < area->chunk ? left : area->chunk;

			set(area->target + at, VALUE, bytes);
			at += bytes;
			left -= bytes;
		}
}

static size_t first_wrong(const struct memfunction_area *area)
{
	size_t i = 0;

	while (i < area->size && area->target[i] == VALUE)
		i++;
	return i;
}

static const struct memfunction kind = {
	.opt = &opt,
	.names = memops_set_names,
	.meanings = memops_set_meanings,
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

const struct benchmark benchmark_mem_memset = {
	.summary = "Setting memory to a value",
	.operation = "byte set",
	.about =
		"Memory is set to a value, again and again, by one function after the other. One operation is a byte set. "
		"Mapping the memory, and a first pass that is checked byte for byte, is not measured.",
	.options = options,
	.layout = LAYOUT_SPEED,
	.headline = "B/s",
	.headline_now = headline_now,
	.check = check,
	.setup = setup,
	.report = report,
};
