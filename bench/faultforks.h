// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copy on write, the map and release phases: a child that touches, one that lives while its parent touches, and one
 * that has ended by then.
 */
#ifndef KBENCH_FAULTFORKS_H
#define KBENCH_FAULTFORKS_H

#include "faultpatterns.h"

/* In check: the descriptors. */
void forks_check(struct run *run, const struct fault_plan *plan);

void forks_toucher(struct faulter *faulter);
void forks_reap_toucher(struct faulter *faulter);

void forks_holder(struct faulter *faulter);
void forks_reap_holder(struct faulter *faulter);

/* The end of the child is charged to the release phase. */
void forks_leaver(struct faulter *faulter);

#endif
