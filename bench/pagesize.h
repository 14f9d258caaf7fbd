// SPDX-License-Identifier: GPL-2.0-only
/* Memory in pages of a size that was asked for: the machine's own, or huge pages of a pool (hugetlb). */
#ifndef KBENCH_PAGESIZE_H
#define KBENCH_PAGESIZE_H

#include "bench.h"

#define OPT_PAGE(p) OPT_SIZE('p', "page", (p), 0, OPT_MAX, "size of pages, as 2MB or 1GB; 0 is the machine's own")

/* In check. 0 is the machine's own size, which is returned. A size without a pool is a skip with those that have one. */
uint64_t pagesize_resolve(uint64_t asked);

/* In check: declares so many bytes, a multiple of the page. A pool that has too few is a skip with the arithmetic. */
void pagesize_need(struct run *run, uint64_t page, uint64_t bytes);

/* What mmap wants to be told besides MAP_ANONYMOUS and MAP_PRIVATE. */
int pagesize_flags(uint64_t page);

/* Private memory, zeroed, not touched; the size is rounded up to whole pages. It is there until the process ends. */
void *pagesize_map(size_t bytes, uint64_t page);

#endif
