// SPDX-License-Identifier: GPL-2.0-only
#include "pagesize.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "units.h"

#define POOLS "/sys/kernel/mm/hugepages"

/* MAP_HUGE_SHIFT of the kernel: the logarithm of the size stands above it. */
#define HUGE_SHIFT 26

static uint64_t own_size(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

/* A number of the pool of that page size; false: there is no such pool. */
static bool pool_number(uint64_t page, const char *name, uint64_t *number)
{
	char *path = xasprintf(POOLS "/hugepages-%" PRIu64 "kB/%s", page / 1024, name);
	char *text = read_file(path);
	bool read = text && units_parse_count(text, number);

	free(text);
	free(path);
	return read;
}

/* "4KB, and huge pages of 2MB and 1GB", on the heap. */
static char *known_sizes(void)
{
	char size[UNITS_TEXT], *text = xasprintf("its own pages have %s", units_format_size(size, own_size()));
	const char *joint = ", huge pages ";
	struct dirent *entry;
	DIR *pools = opendir(POOLS);

	while (pools && (entry = readdir(pools))) {
		uint64_t kilobytes;
		char *longer;

		if (sscanf(entry->d_name, "hugepages-%" SCNu64 "kB", &kilobytes) != 1)
			continue;
		longer = xasprintf("%s%s%s", text, joint, units_format_size(size, kilobytes * 1024));
		free(text);
		text = longer;
		joint = ", ";
	}
	if (pools)
		closedir(pools);
	return text;
}

uint64_t pagesize_resolve(uint64_t asked)
{
	uint64_t page = asked ? asked : own_size(), free_pages;
	char size[UNITS_TEXT];

	units_format_size(size, page);
	if (page & (page - 1))
		usage("--page %s: not a power of two", size);
	if (page != own_size() && (page < 1024 || !pool_number(page, "free_hugepages", &free_pages)))
		skip("--page %s: this machine has no such pages; %s", size, known_sizes());
	return page;
}

void pagesize_need(struct run *run, uint64_t page, uint64_t bytes)
{
	uint64_t need = bytes / page, free_pages = 0, reserved = 0, limit = 0, surplus = 0, room;
	char size[UNITS_TEXT];

	if (page == own_size()) {
		run_need(run, NEED_MEMORY, bytes);
		return;
	}
	pool_number(page, "free_hugepages", &free_pages);
	pool_number(page, "resv_hugepages", &reserved);
	pool_number(page, "nr_overcommit_hugepages", &limit);
	pool_number(page, "surplus_hugepages", &surplus);
	room = (free_pages > reserved ? free_pages - reserved : 0) + (limit > surplus ? limit - surplus : 0);
	if (need > room)
		skip("needs %" PRIu64 " huge pages of %s; the pool has %" PRIu64 " free, %" PRIu64
		     " of them reserved, and may grow by %" PRIu64 " (" POOLS "/hugepages-%" PRIu64 "kB/nr_hugepages)",
			need, units_format_size(size, page), free_pages, reserved,
			limit > surplus ? limit - surplus : 0, page / 1024);
}

int pagesize_flags(uint64_t page)
{
	return page == own_size() ? 0 : MAP_HUGETLB | __builtin_ctzll(page) << HUGE_SHIFT;
}

void *pagesize_map(size_t bytes, uint64_t page)
{
	size_t whole = (bytes + (size_t)page - 1) / (size_t)page * (size_t)page;
	char size[UNITS_TEXT];
	void *memory =
		mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | pagesize_flags(page), -1, 0);

	if (memory == MAP_FAILED)
		die_errno("mmap of %zu bytes in pages of %s", whole, units_format_size(size, page));
	return memory;
}
