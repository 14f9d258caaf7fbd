// SPDX-License-Identifier: GPL-2.0-only
#ifndef KBENCH_NEEDS_H
#define KBENCH_NEEDS_H

#include "bench.h"

/*
 * Holds what the run needs against what there is: skip() for CPUs and nodes, die() with the arithmetic for
 * descriptors, tasks, mappings and memory. Raises the soft limits of the calling process where that helps, so it is
 * called in a process of the run.
 */
void needs_meet(const struct run *run);

#endif
