// SPDX-License-Identifier: GPL-2.0-only
#include "faultpatterns.h"

#include <sys/mman.h>

#include "faultforks.h"
#include "faultgrowth.h"
#include "faultregion.h"
#include "faultserver.h"
#include "faultswap.h"
#include "memfacts.h"
#include "needs.h"
#include "pagesize.h"

#define PRIVATE (MAP_PRIVATE | MAP_ANONYMOUS)
#define SHARED  (MAP_SHARED | MAP_ANONYMOUS)

/* What most patterns are made of. */

static void map_region(struct faulter *faulter)
{
	region_map(faulter->region, faulter->region->plan->pattern->flags);
}

static void unmap_region(struct faulter *faulter)
{
	region_unmap(faulter->region);
}

static void drop_pages(struct faulter *faulter)
{
	region_advise(faulter->region, MADV_DONTNEED, "MADV_DONTNEED");
}

static void fill_memory(struct region *region)
{
	region_fill(region);
}

static void fill_and_drop(struct region *region)
{
	region_fill(region);
	region_advise(region, MADV_DONTNEED, "MADV_DONTNEED");
}

static void zero_page_check(struct run *run, const struct fault_plan *plan)
{
	(void)run, (void)plan;
	if (!memfacts_zero_page())
		skip("this kernel answers a first read with a page of its own, not with the zero page");
}

/* Files. */

static void file_check(struct run *run, const struct fault_plan *plan)
{
	run_need(run, NEED_DESCRIPTORS, plan->regions);
	run_need(run, NEED_FILE, plan->largest);
	scratch_need(&plan->place, run_product("bytes", plan->workers, plan->bytes));
}

static void cold_check(struct run *run, const struct fault_plan *plan)
{
	char type[32];

	file_check(run, plan);
	needs_meet_file(run);
	if (!scratch_can_drop(&plan->place))
		skip("pages of a file in %s%s (%s) stay in memory: set TMPDIR or --file to a file system on a disk",
			plan->place.origin, plan->place.dir, scratch_type(&plan->place, type));
}

static void open_file(struct region *region)
{
	region->fd = scratch_file(&region->plan->place, region->bytes);
}

static void drop_file(struct region *region)
{
	scratch_drop(region->fd);
}

/* Without readahead: each page is a wait of its own. */
static void map_cold(struct faulter *faulter)
{
	map_region(faulter);
	region_advise(faulter->region, MADV_RANDOM, "MADV_RANDOM");
}

/* Huge pages. */

static size_t thp_bytes(void)
{
	size_t bytes = memfacts_thp("");

	if (!bytes)
		skip("transparent huge pages are not available (/sys/kernel/mm/transparent_hugepage/enabled)");
	return bytes;
}

static size_t hugetlb_bytes(void)
{
	uint64_t bytes = memfacts_bytes("", "Hugepagesize");

	if (!bytes)
		skip("/proc/meminfo shows no huge pages of a pool (hugetlb)");
	return (size_t)bytes;
}

static void hugetlb_check(struct run *run, const struct fault_plan *plan)
{
	pagesize_need(run, plan->huge_size, run_product("bytes", plan->workers, plan->bytes));
}

/* Access that comes later: as malloc and garbage collectors reserve memory. */

static void map_without_access(const struct region *region)
{
	if (mmap(region->base, region->bytes, PROT_NONE, PRIVATE | MAP_FIXED | MAP_NORESERVE, -1, 0) == MAP_FAILED)
		die_errno("mmap of %zu bytes", region->bytes);
}

static void give_access(struct faulter *faulter)
{
	const struct region *region = faulter->region;

	if (mprotect(region->base, region->bytes, PROT_READ | PROT_WRITE) < 0)
		die_errno("mprotect of %zu bytes", region->bytes);
	if (region->plan->thp == THP_ALWAYS)
		region_advise(region, MADV_HUGEPAGE, "MADV_HUGEPAGE");
}

static void take_access(struct faulter *faulter)
{
	map_without_access(faulter->region);
}

/* clang-format off */
static const struct fault_pattern patterns[PATTERN_COUNT] = {
	[PATTERN_ANON] = {
		.flags = PRIVATE, .copies = 1,
		.map = map_region, .touch = walk_write, .release = unmap_region,
	},
	[PATTERN_ANON_READ] = {
		.flags = PRIVATE, .copies = 0, .advisable = true, .check = zero_page_check,
		.map = map_region, .touch = walk_read, .release = unmap_region,
	},
	[PATTERN_UPGRADE] = {
		.flags = PRIVATE, .copies = 1, .advisable = true, .check = zero_page_check,
		.map = map_region, .arm = walk_read, .touch = walk_write, .release = unmap_region,
	},
	[PATTERN_SHMEM] = {
		.flags = SHARED, .copies = 1, .advisable = true,
		.map = map_region, .touch = walk_write, .release = unmap_region,
	},
	[PATTERN_FILE_SHARED] = {
		.flags = MAP_SHARED, .copies = 1, .file = true, .relation = FAULT_AROUND, .check = file_check,
		.prepare = open_file, .map = map_region, .touch = walk_write, .release = unmap_region,
	},
	[PATTERN_FILE_PRIVATE] = {
		.flags = MAP_PRIVATE, .copies = 2, .file = true, .check = file_check,
		.prepare = open_file, .map = map_region, .touch = walk_write, .release = unmap_region,
	},
	[PATTERN_FILE_READ] = {
		.flags = MAP_PRIVATE, .copies = 1, .file = true, .relation = FAULT_AROUND, .check = file_check,
		.prepare = open_file, .map = map_region, .touch = walk_read, .release = unmap_region,
	},
	[PATTERN_FILE_COLD] = {
		.flags = MAP_PRIVATE, .copies = 1, .file = true, .relation = FAULT_MAJOR, .check = cold_check,
		.prepare = open_file, .renew = drop_file,
		.map = map_cold, .touch = walk_read, .release = unmap_region,
	},
	[PATTERN_COW_CHILD] = {
		.copies = 2, .forks = true, .child_only = true, .advisable = true, .check = forks_check,
		.prepare = fill_memory,
		.map = forks_toucher, .touch = walk_write, .release = forks_reap_toucher,
	},
	[PATTERN_COW_PARENT] = {
		.copies = 2, .forks = true, .advisable = true, .check = forks_check,
		.prepare = fill_memory,
		.map = forks_holder, .touch = walk_write, .release = forks_reap_holder,
	},
	[PATTERN_COW_LAST] = {
		.copies = 1, .forks = true, .advisable = true, .releases_in_map = true, .prepare = fill_memory,
		.map = forks_leaver, .touch = walk_write,
	},
	[PATTERN_DONTNEED] = {
		.copies = 1, .advisable = true,
		.prepare = fill_and_drop, .touch = walk_write, .release = drop_pages,
	},
	[PATTERN_POPULATE] = {
		.flags = PRIVATE | MAP_POPULATE, .copies = 1, .relation = FAULT_IN_MAP,
		.map = map_region, .touch = walk_write, .release = unmap_region,
	},
	[PATTERN_THP] = {
		.flags = PRIVATE, .copies = 1, .relation = FAULT_EACH_HUGE, .huge_bytes = thp_bytes,
		.map = map_region, .touch = walk_write, .release = unmap_region,
	},
	[PATTERN_HUGETLB] = {
		.flags = PRIVATE | MAP_HUGETLB, .copies = 0, .relation = FAULT_EACH_HUGE,
		.huge_bytes = hugetlb_bytes, .check = hugetlb_check,
		.map = map_region, .touch = walk_write, .release = unmap_region,
	},
	[PATTERN_PROTECT] = {
		.copies = 1, .advisable = true,
		.map = give_access, .touch = walk_write, .release = take_access,
	},
	[PATTERN_STACK] = {
		.copies = 1, .downwards = true, .check = growth_stack_check,
		.map = growth_stack_map, .touch = walk_write, .release = unmap_region,
	},
	[PATTERN_BRK] = {
		.copies = 1, .one_region = true, .advisable = true,
		.check = growth_brk_check, .prepare = growth_brk_prepare,
		.map = growth_brk_map, .touch = walk_write, .release = growth_brk_release,
	},
	[PATTERN_UFFD] = {
		.copies = 1, .served = true, .relation = FAULT_SERVED,
		.check = server_check, .prepare = server_register,
		.touch = walk_write, .release = drop_pages,
	},
	[PATTERN_SWAP] = {
		.copies = 1, .relation = FAULT_SWAPPED, .advisable = true, .check = swap_check,
		.prepare = swap_fill, .renew = swap_out, .touch = walk_write,
	},
};
/* clang-format on */

#define PATTERN_NAME(id, word, meaning) [PATTERN_##id] = (word),
const char *const fault_pattern_names[] = { FAULT_PATTERNS(PATTERN_NAME)[PATTERN_COUNT] = NULL };
#undef PATTERN_NAME

const struct fault_pattern *fault_pattern(unsigned id)
{
	return &patterns[id];
}
