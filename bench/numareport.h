// SPDX-License-Identifier: GPL-2.0-only
/* The rows and remarks of numa mem, from what its tasks left. */
#ifndef KBENCH_NUMAREPORT_H
#define KBENCH_NUMAREPORT_H

#include "numaplan.h"

/* What a task leaves in its slot's counts. Operations are bytes. */
enum {
	NUMA_SUM,        /* of what it read, so that reading is not for nothing */
	NUMA_MOVES,      /* of -x */
	NUMA_HUGE_BYTES, /* in huge pages; one task of each process */
	NUMA_NODES,      /* that the process ended on; first task of each process, as the next one */
	NUMA_SINCE_NS,   /* since when that is one node, see struct convergence */
};

/* pages[id]: how many were found on node id; NULL: nobody has looked. */
void numa_report(struct run *run, const struct numa_plan *plan, const uint64_t *pages, size_t id_count);

#endif
