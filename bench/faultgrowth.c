// SPDX-License-Identifier: GPL-2.0-only
#include "faultgrowth.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "faultregion.h"
#include "faultspace.h"

#define GROWING (MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN | MAP_FIXED)

/*
 * Between what malloc has of the heap and the region, since malloc may want some more before the gate opens: some of it for
 * each thread that is started, of which half a kilobyte was seen.
 */
#define HEAP_GAP   ((size_t)1 << 20)
#define THREAD_GAP ((size_t)4 << 10)

/* What a process has in its data segment besides that: buffers and tables. */
#define OTHER_DATA ((uint64_t)1 << 20)

static size_t heap_gap(const struct fault_plan *plan)
{
	return HEAP_GAP + (plan->threads + space_helpers(plan)) * THREAD_GAP;
}

static void map_top(char *base, size_t bytes, size_t page)
{
	if (mmap(base + bytes - page, page, PROT_READ | PROT_WRITE, GROWING, -1, 0) == MAP_FAILED)
		die_errno("mmap MAP_GROWSDOWN");
}

/* A system call that would write below a mapping says so where it does not grow: an emulator's does not. */
static bool grows(size_t page)
{
	char *memory = mmap(NULL, 4 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	bool grown;

	if (memory == MAP_FAILED)
		die_errno("mmap of %zu bytes", 4 * page);
	xmunmap(memory + page, 2 * page);
	map_top(memory + page, 2 * page, page);
	grown = syscall(SYS_uname, memory + page) == 0;
	xmunmap(memory, 4 * page);
	return grown;
}

void growth_stack_check(struct run *run, const struct fault_plan *plan)
{
	run_need(run, NEED_STACK, plan->largest);
	if (!grows(plan->page_size))
		skip("MAP_GROWSDOWN: a mapping does not grow here");
}

/* Not before the gate: what is mapped until then by others could come to lie where the mapping is to grow. */
void growth_stack_map(struct faulter *faulter)
{
	const struct region *region = faulter->region;

	region_unmap(region);
	map_top(region->base, region->bytes, region->plan->page_size);
}

/*
 * By the system call: musl's brk and sbrk only refuse. What malloc believes of the break stays true, since it is below the
 * region; between the gate and the end nobody calls it.
 */
static uintptr_t set_break(uintptr_t end)
{
	return (uintptr_t)syscall(SYS_brk, end);
}

static void move_break(const struct region *region, size_t bytes)
{
	uintptr_t end = (uintptr_t)region->base + bytes;

	if (set_break(end) != end)
		die("brk: no room for a heap of %zu bytes more (RLIMIT_DATA, or a mapping above it)", region->bytes);
}

void growth_brk_check(struct run *run, const struct fault_plan *plan)
{
	run_need(run, NEED_DATA, plan->largest);
	run_need(run, NEED_DATA, OTHER_DATA + heap_gap(plan));
}

void growth_brk_prepare(struct region *region)
{
	size_t page = region->plan->page_size;

	region->base = (char *)((set_break(0) + heap_gap(region->plan) + page - 1) & ~(uintptr_t)(page - 1));
}

void growth_brk_map(struct faulter *faulter)
{
	const struct region *region = faulter->region;

	move_break(region, region->bytes);
	if (region->plan->thp == THP_ALWAYS)
		region_advise(region, MADV_HUGEPAGE, "MADV_HUGEPAGE");
}

void growth_brk_release(struct faulter *faulter)
{
	move_break(faulter->region, 0);
}
