// SPDX-License-Identifier: GPL-2.0-only
#include "faultregion.h"

#include <string.h>
#include <sys/mman.h>

/* Page tables and the windows of fault-around begin on such a border: two regions have none in common. */
#define REGION_ALIGN ((size_t)2 << 20)

/* A mapping that grows downwards stops so many pages above the next one with access (the kernel's stack_guard_gap). */
#define GUARD_PAGES 256

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* At least an alignment below the region and something above it is reserved too. */
void region_init(struct region *region, const struct fault_plan *plan, size_t bytes)
{
	size_t align = larger(larger(plan->huge_size, REGION_ALIGN), GUARD_PAGES * plan->page_size);
	void *reserved = mmap(NULL, bytes + 2 * align, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (reserved == MAP_FAILED)
		die_errno("mmap of %zu bytes of address space", bytes + 2 * align);
	*region = (struct region){ .plan = plan, .bytes = bytes, .fd = -1 };
	region->base = (char *)(((uintptr_t)reserved + 2 * align - 1) & ~(uintptr_t)(align - 1));
	if (plan->pattern->prepare)
		plan->pattern->prepare(region);
}

void region_advise(const struct region *region, int advice, const char *name)
{
	if (madvise(region->base, region->bytes, advice) < 0)
		die_errno("madvise %s", name);
}

/* The range is the region's own (region_init), and nobody else in the process maps memory while it is free. */
void region_map(const struct region *region, int flags)
{
	const struct fault_plan *plan = region->plan;
	void *mapped = mmap(region->base, region->bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED, region->fd, 0);
	char type[32];

	if (mapped == MAP_FAILED && region->fd >= 0)
		die_errno("mmap of %zu bytes of a file in %s%s (%s)", region->bytes, plan->place.origin,
			plan->place.dir, scratch_type(&plan->place, type));
	if (mapped == MAP_FAILED)
		die_errno("mmap of %zu bytes", region->bytes);
	if (plan->thp == THP_ALWAYS)
		region_advise(region, MADV_HUGEPAGE, "MADV_HUGEPAGE");
}

void region_unmap(const struct region *region)
{
	xmunmap(region->base, region->bytes);
}

void region_fill(const struct region *region)
{
	region_map(region, MAP_PRIVATE | MAP_ANONYMOUS);
	memset(region->base, 1, region->bytes);
}
