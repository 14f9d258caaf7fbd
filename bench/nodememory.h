// SPDX-License-Identifier: GPL-2.0-only
/* Memory on each memory node of a matrix: how much, in which pages, and where it really is. */
#ifndef KBENCH_NODEMEMORY_H
#define KBENCH_NODEMEMORY_H

#include "nodematrix.h"

/* Bytes of last-level cache of the first CPU of a row, or of all its CPUs, of the row that has most; 0: not known. */
uint64_t nodememory_cache(const struct nodematrix *matrix, const struct topology *topology, bool all_cpus);

/*
 * Bytes of memory on each memory node, whole pages: as asked, or for 0 four times the cache, at least 64 MB, at most
 * half of what is free on any of the nodes. A cache that is not known is taken to have 32 MB.
 */
uint64_t nodememory_bytes(
	const struct nodematrix *matrix, const struct topology *topology, uint64_t asked, uint64_t cache);

/*
 * In check: that so much memory can be bound to each of the nodes and has room there, else the run ends with the
 * arithmetic, or is skipped where policies cannot be set. nodememory_declare: to all memory nodes together.
 */
void nodememory_check(const struct cpus *nodes, const struct topology *topology, uint64_t bytes);
void nodememory_declare(const struct nodematrix *matrix, struct run *run, uint64_t bytes);

/* In check: a skip where transparent huge pages are missing or turned off. */
void nodememory_need_huge(void);

/* Memory of one column, bound and touched, in huge pages or small ones. Not given back before the process ends. */
char *nodememory_new(const struct nodematrix *matrix, size_t column, uint64_t bytes, bool huge);
/* A page that is not on the column's node ends the run. */
void nodememory_verify(const struct nodematrix *matrix, size_t column, const void *memory, uint64_t bytes);

/* That the figures are of caches too, where these are known and hold half of the memory of a column or more. */
void nodememory_remark(struct run *run, uint64_t bytes, uint64_t cache);

#endif
