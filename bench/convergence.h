// SPDX-License-Identifier: GPL-2.0-only
/* On how many nodes the threads of a process run, and since when it is one. Shared by the threads of the process. */
#ifndef KBENCH_CONVERGENCE_H
#define KBENCH_CONVERGENCE_H

#include <stdatomic.h>

#include "base.h"

#define CONVERGENCE_NEVER UINT64_MAX

struct convergence {
	uint64_t since_ns; /* since when all are on one node, without a break, or CONVERGENCE_NEVER; see _judge */
	unsigned threads;
	atomic_int nodes[]; /* where each thread was when it was last seen; -1: nobody has seen it */
};

/* On the heap. */
struct convergence *convergence_new(unsigned threads);

/* A thread is on that node (any number that stands for it; -1: not known). */
void convergence_see(struct convergence *convergence, unsigned thread, int node);

/* The number of nodes that the threads were last seen on. */
unsigned convergence_nodes(const struct convergence *convergence);

/* Looks at what was seen and sets since_ns: to now, or back to never. For one of the threads. */
void convergence_judge(struct convergence *convergence, uint64_t now_ns);

#endif
