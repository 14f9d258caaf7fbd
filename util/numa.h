// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory policy system calls, without libnuma. Each returns 0 or -1 with errno; ENOSYS and EPERM are for the
 * caller to turn into a skip. maxnode is passed as bits + 1, as the kernel wants it.
 */
#ifndef KBENCH_NUMA_H
#define KBENCH_NUMA_H

#include "cpus.h"

/* MPOL_BIND of a range to a set of nodes, of pages there already too when move is set (MPOL_MF_MOVE | STRICT). */
int numa_bind(void *address, size_t bytes, const struct cpus *nodes, bool move);

/* MPOL_DEFAULT, MPOL_BIND or MPOL_INTERLEAVE for the calling thread; nodes NULL with MPOL_DEFAULT. */
int numa_policy(int mode, const struct cpus *nodes);

/* Can this process use memory policies at all? 0, or -1 with errno ENOSYS or EPERM. Changes nothing. */
int numa_probe(void);

/* The nodes that the calling process may allocate on (Mems_allowed); false: not known. */
bool numa_allowed(struct cpus *nodes);

/*
 * Moves count pages of the calling process, page i to nodes[i] (move_pages, MPOL_MF_MOVE); with nodes NULL it asks where
 * they are. status[i] is left alone where the kernel did not come to the page, else the node it is on or -errno.
 */
int numa_move(unsigned long count, void **pages, const int *nodes, int *status);

/*
 * Asks the kernel for the node of every page of a range (move_pages without nodes). counts[id] is raised by the pages on
 * node id (ids >= CPUS_MAX do not exist), *absent by those that are not there (never touched). Reads at most every
 * page once, in batches.
 */
int numa_locate(const void *address, size_t bytes, uint64_t *counts, size_t count_len, uint64_t *absent);

#endif
