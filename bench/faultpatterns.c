// SPDX-License-Identifier: GPL-2.0-only
#include "faultpatterns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "die.h"
#include "scratchfile.h"
#include "sysfile.h"
#include "wrap.h"

#define THP_DIR "/sys/kernel/mm/transparent_hugepage"

/* Page tables and the windows of fault-around begin on such a border: two regions have none in common. */
#define REGION_ALIGN ((size_t)2 << 20)

static struct rusage usage_now(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_THREAD, &usage) < 0)
		die_errno("getrusage");
	return usage;
}

static void touch_part(struct faulter *faulter)
{
	struct worker *worker = faulter->worker;
	struct rusage before = usage_now(), after;

	worker_lap(worker, PHASE_OTHER);
	faulter->pattern->touch(&faulter->walk);
	worker_lap(worker, PHASE_TOUCH);
	after = usage_now();
	worker->slot->counts[COUNT_TOUCH_MINOR] += (uint64_t)(after.ru_minflt - before.ru_minflt);
	worker->slot->counts[COUNT_TOUCH_MAJOR] += (uint64_t)(after.ru_majflt - before.ru_majflt);
}

/* What most patterns are made of. */

/* The range is the region's own (region_init), and nobody else in the process maps memory while it is free. */
static void map_with(const struct region *region, int flags)
{
	if (mmap(region->base, region->bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED, region->fd, 0) == MAP_FAILED)
		die_errno("mmap of %zu bytes", region->bytes);
}

static void map_region(struct faulter *faulter)
{
	map_with(faulter->region, faulter->pattern->flags);
}

static void unmap_region(struct faulter *faulter)
{
	xmunmap(faulter->region->base, faulter->region->bytes);
}

static void open_file(struct region *region)
{
	region->fd = scratch_file(region->bytes);
}

static void fill_memory(struct region *region)
{
	map_with(region, MAP_PRIVATE | MAP_ANONYMOUS);
	memset(region->base, 1, region->bytes);
}

static void advise(const struct region *region, int advice, const char *name)
{
	if (madvise(region->base, region->bytes, advice) < 0)
		die_errno("madvise %s", name);
}

static void map_huge(struct faulter *faulter)
{
	map_region(faulter);
	advise(faulter->region, MADV_HUGEPAGE, "MADV_HUGEPAGE");
}

static void fill_and_drop(struct region *region)
{
	fill_memory(region);
	advise(region, MADV_DONTNEED, "MADV_DONTNEED");
}

static void drop_pages(struct faulter *faulter)
{
	advise(faulter->region, MADV_DONTNEED, "MADV_DONTNEED");
}

/*
 * Copy on write. Who is to wait reads from a pipe until the other, who alone can write, closes it; so does its death,
 * of which worker_reap then tells.
 */

static void await_close(int fd)
{
	char byte;

	while (read(fd, &byte, 1) < 0)
		if (errno != EINTR)
			die_errno("read");
}

/* True in the child. Making the pipe is not part of the price. */
static bool fork_with_pipe(struct faulter *faulter)
{
	xpipe(faulter->region->ends);
	worker_lap(faulter->worker, PHASE_OTHER);
	faulter->region->child = worker_fork(faulter->worker);
	return faulter->region->child == 0;
}

static void fork_toucher(struct faulter *faulter)
{
	if (!fork_with_pipe(faulter))
		return;
	/* The child's first lap takes its first faults: on the stack, and on the shared memory where laps are kept. */
	worker_lap(faulter->worker, PHASE_OTHER);
	touch_part(faulter);
	xclose(faulter->region->ends[1]);
	_exit(EXIT_DONE);
}

static void reap_toucher(struct faulter *faulter)
{
	struct region *region = faulter->region;

	xclose(region->ends[1]);
	await_close(region->ends[0]);
	xclose(region->ends[0]);
	worker_lap(faulter->worker, PHASE_OTHER);
	worker_reap(faulter->worker, region->child);
}

static void fork_holder(struct faulter *faulter)
{
	if (!fork_with_pipe(faulter))
		return;
	xclose(faulter->region->ends[1]);
	await_close(faulter->region->ends[0]);
	_exit(EXIT_DONE);
}

static void reap_holder(struct faulter *faulter)
{
	xclose(faulter->region->ends[1]);
	xclose(faulter->region->ends[0]);
	worker_reap(faulter->worker, faulter->region->child);
}

#define PRIVATE (MAP_PRIVATE | MAP_ANONYMOUS)
#define SHARED  (MAP_SHARED | MAP_ANONYMOUS)

/* clang-format off */
static const struct fault_pattern patterns[PATTERN_COUNT] = {
	[PATTERN_ANON] = {
		.flags = PRIVATE, .copies = 1,
		.map = map_region, .touch = walk_write, .release = unmap_region,
	},
	[PATTERN_ANON_READ] = {
		.flags = PRIVATE, .copies = 0, .zero_page = true,
		.map = map_region, .touch = walk_read, .release = unmap_region,
	},
	[PATTERN_UPGRADE] = {
		.flags = PRIVATE, .copies = 1, .zero_page = true,
		.map = map_region, .arm = walk_read, .touch = walk_write, .release = unmap_region,
	},
	[PATTERN_SHMEM] = {
		.flags = SHARED, .copies = 1,
		.map = map_region, .touch = walk_write, .release = unmap_region,
	},
	[PATTERN_FILE_SHARED] = {
		.flags = MAP_SHARED, .copies = 1, .file = true, .relation = FAULT_AROUND,
		.prepare = open_file, .map = map_region, .touch = walk_write, .release = unmap_region,
	},
	[PATTERN_FILE_PRIVATE] = {
		.flags = MAP_PRIVATE, .copies = 2, .file = true,
		.prepare = open_file, .map = map_region, .touch = walk_write, .release = unmap_region,
	},
	[PATTERN_FILE_READ] = {
		.flags = MAP_PRIVATE, .copies = 1, .file = true, .relation = FAULT_AROUND,
		.prepare = open_file, .map = map_region, .touch = walk_read, .release = unmap_region,
	},
	[PATTERN_COW_CHILD] = {
		.copies = 2, .forks = true, .child_only = true,
		.prepare = fill_memory, .map = fork_toucher, .touch = walk_write, .release = reap_toucher,
	},
	[PATTERN_COW_PARENT] = {
		.copies = 2, .forks = true,
		.prepare = fill_memory, .map = fork_holder, .touch = walk_write, .release = reap_holder,
	},
	[PATTERN_DONTNEED] = {
		.copies = 1,
		.prepare = fill_and_drop, .touch = walk_write, .release = drop_pages,
	},
	[PATTERN_POPULATE] = {
		.flags = PRIVATE | MAP_POPULATE, .copies = 1, .relation = FAULT_IN_MAP,
		.map = map_region, .touch = walk_write, .release = unmap_region,
	},
	[PATTERN_THP] = {
		.flags = PRIVATE, .copies = 1, .huge = true, .relation = FAULT_EACH_HUGE,
		.map = map_huge, .touch = walk_write, .release = unmap_region,
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

void region_init(struct region *region, const struct fault_pattern *pattern, size_t bytes, size_t page_bytes)
{
	size_t align = page_bytes > REGION_ALIGN ? page_bytes : REGION_ALIGN;
	void *reserved = mmap(NULL, bytes + 2 * align, PROT_NONE, PRIVATE | MAP_NORESERVE, -1, 0);

	if (reserved == MAP_FAILED)
		die_errno("mmap of %zu bytes of address space", bytes + 2 * align);
	*region = (struct region){ .bytes = bytes, .fd = -1 };
	region->base = (char *)(((uintptr_t)reserved + align) & ~(uintptr_t)(align - 1));
	if (pattern->prepare)
		pattern->prepare(region);
}

void faulter_map(struct faulter *faulter)
{
	struct worker *worker = faulter->worker;
	long before = usage_now().ru_minflt;

	if (!faulter->pattern->map)
		return;
	worker_lap(worker, PHASE_OTHER);
	faulter->pattern->map(faulter);
	worker_lap(worker, PHASE_MAP);
	worker->slot->counts[COUNT_MAP_FAULTS] += (uint64_t)(usage_now().ru_minflt - before);
}

void faulter_touch(struct faulter *faulter)
{
	if (faulter->pattern->arm)
		faulter->pattern->arm(&faulter->walk);
	if (!faulter->pattern->child_only)
		touch_part(faulter);
}

void faulter_release(struct faulter *faulter)
{
	worker_lap(faulter->worker, PHASE_OTHER);
	faulter->pattern->release(faulter);
	worker_lap(faulter->worker, PHASE_RELEASE);
}

bool zero_page_given(void)
{
	size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	void *memory = xmmap(bytes, false);
	volatile char *page = memory;
	long before, after;

	(void)*page;
	before = usage_now().ru_minflt;
	*page = 1;
	after = usage_now().ru_minflt;
	xmunmap(memory, bytes);
	return after > before;
}

static bool marked_is(const char *path, const char *word)
{
	char *marked = sysfile_marked("", path);
	bool is = marked && !strcmp(marked, word);

	free(marked);
	return is;
}

size_t huge_page_bytes(void)
{
	char *text = sysfile_text("", THP_DIR "/hpage_pmd_size"), *path, *own;
	size_t bytes = text ? strtoul(text, NULL, 10) : 0;
	bool off;

	/* Newer kernels have a setting for each size, which overrides the common one unless it says "inherit". */
	path = xasprintf(THP_DIR "/hugepages-%zukB/enabled", bytes / 1024);
	own = sysfile_marked("", path);
	if (own && strcmp(own, "inherit"))
		off = !strcmp(own, "never");
	else
		off = marked_is(THP_DIR "/enabled", "never");
	free(text);
	free(path);
	free(own);
	return off ? 0 : bytes;
}
