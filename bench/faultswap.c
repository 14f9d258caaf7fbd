// SPDX-License-Identifier: GPL-2.0-only
#include "faultswap.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "faultregion.h"
#include "memfacts.h"
#include "units.h"

/* Headers may be older than the kernel. */
#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

/* How often a region is put out before what stays in memory is left there: memory locked by others, or a slow disk. */
#define ATTEMPTS   200

#define LOOK_PAGES 1024 /* at once */

void swap_check(struct run *run, const struct fault_plan *plan)
{
	uint64_t need = run_product("bytes", plan->workers, plan->bytes), all = memfacts_bytes("", "SwapTotal");
	uint64_t left = memfacts_bytes("", "SwapFree");
	char need_text[UNITS_TEXT];
	void *page = xmmap(plan->page_size, false);

	(void)run;
	if (madvise(page, plan->page_size, MADV_PAGEOUT) < 0)
		skip("madvise MADV_PAGEOUT: %s (it needs Linux 5.4)", strerror(errno));
	xmunmap(page, plan->page_size);
	if (!all)
		skip("/proc/meminfo shows no swap");
	if (need > left)
		skip("needs %s of swap; of %" PRIu64 " MB %" PRIu64 " MB are free: too little",
			units_format_size(need_text, need), all >> 20, left >> 20);
}

/* Swap that compresses (zram, zswap) would store equal pages as one word each. */
void swap_fill(struct region *region)
{
	uint64_t *words, noise = (uintptr_t)region->base;

	region_map(region, MAP_PRIVATE | MAP_ANONYMOUS);
	words = (uint64_t *)(void *)region->base;
	for (size_t i = 0; i < region->bytes / sizeof(*words); i++)
		words[i] = noise = noise * 6364136223846793005 + 1442695040888963407; /* Knuth's MMIX */
}

/* Is any page in memory? The swap cache counts. */
static bool any_resident(const struct region *region)
{
	size_t page = region->plan->page_size, pages = region->bytes / page;
	unsigned char there[LOOK_PAGES];

	for (size_t at = 0; at < pages; at += LOOK_PAGES) {
		size_t count = pages - at < LOOK_PAGES ? pages - at : LOOK_PAGES;

		if (mincore(region->base + at * page, count * page, there) < 0)
			die_errno("mincore");
		for (size_t i = 0; i < count; i++)
			if (there[i] & 1)
				return true;
	}
	return false;
}

/*
 * A page that has just been written to a disk is kept in the swap cache, where a touch finds it. One that is mapped from
 * there, clean, and put out once more has nothing to be written and goes.
 */
void swap_out(struct region *region)
{
	const struct page_walk all = {
		.base = region->base,
		.pages = region->bytes / region->plan->page_size,
		.page_size = region->plan->page_size,
		.kind = ORDER_SEQ,
	};

	for (unsigned i = 0; i < ATTEMPTS; i++) {
		region_advise(region, MADV_PAGEOUT, "MADV_PAGEOUT");
		if (!any_resident(region))
			return;
		walk_read(&all);
	}
	region_advise(region, MADV_PAGEOUT, "MADV_PAGEOUT");
}
