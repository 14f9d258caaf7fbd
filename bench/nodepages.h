// SPDX-License-Identifier: GPL-2.0-only
/* Memory that was asked to be on a NUMA node, and whether it is. */
#ifndef KBENCH_NODEPAGES_H
#define KBENCH_NODEPAGES_H

#include "cpus.h"
#include "topology.h"

#define NODEPAGES_TEXT 160 /* room for nodepages_format's text; a note has some more */

/* One of the nodes that an option names is not online: a usage error. */
void nodepages_online(const char *option, const struct cpus *nodes, const struct topology *topology);

/*
 * Can memory be bound to each of these nodes, which are online? System calls that are refused or missing are a skip; a node
 * without memory, or one that a cpuset forbids, is an error.
 */
void nodepages_check(const struct cpus *nodes);

/* Advises for transparent huge pages (above 0), of which a kernel without them is a skip, or against them (below 0). */
void nodepages_advise(int64_t advice, void *memory, size_t bytes);

/* Binds memory that nobody has touched yet. */
void nodepages_bind(void *memory, size_t bytes, const struct cpus *nodes);

/*
 * Looks up every page of a range, which may be read and written and which nobody works on now, and adds to pages[id],
 * which has room for ids < id_count, those that are on node id. With nodes (NULL: anywhere), a page elsewhere ends the run; what
 * is whose memory it is, for the message. Without nodes, a kernel that does not tell leaves the counts as they were.
 */
void nodepages_verify(
	const char *what, const void *memory, size_t bytes, const struct cpus *nodes, uint64_t *pages, size_t id_count);

/* "12 on node 0, 2036 on node 2", cut with "..." where it is too long; "none" of no pages. Returned: text. */
const char *nodepages_format(const uint64_t *pages, size_t id_count, char text[NODEPAGES_TEXT]);

/* Bytes in transparent huge pages of the calling process, by a key of smaps_rollup; 0: none, or not known. */
uint64_t nodepages_huge(const char *key);

#endif
