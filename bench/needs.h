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

/* The part of it that files need, for a check that writes one. */
void needs_meet_file(const struct run *run);

/*
 * A process or thread of the run (a struct run) was refused, after so many were started: dies with the arithmetic where that
 * can be told. Few tasks are not held against limits before.
 */
void needs_refused(const void *run, unsigned started);

#endif
