// SPDX-License-Identifier: GPL-2.0-only
/*
 * The threads of one process: those that touch, in rounds, and after them its helpers: one that answers faults, one that
 * disturbs. The helpers end when the last toucher has.
 */
#ifndef KBENCH_FAULTSPACE_H
#define KBENCH_FAULTSPACE_H

#include "faultpatterns.h"

/* Helpers in each process. */
unsigned space_helpers(const struct fault_plan *plan);

/* In setup: a process. The plan lives as long as the run. */
void space_spawn(struct run *run, struct fault_plan *plan);

#endif
