// SPDX-License-Identifier: GPL-2.0-only
/* Memory that becomes longer: a mapping that grows downwards as it is touched, and the heap of a process. */
#ifndef KBENCH_FAULTGROWTH_H
#define KBENCH_FAULTGROWTH_H

#include "faultpatterns.h"

/* In check: limits; a skip where nothing grows. */
void growth_stack_check(struct run *run, const struct fault_plan *plan);
void growth_brk_check(struct run *run, const struct fault_plan *plan);

/* A stack is mapped by its highest page; it may grow over all of the region. */
void growth_stack_map(struct faulter *faulter);

/* Takes the region to the end of the heap. */
void growth_brk_prepare(struct region *region);
void growth_brk_map(struct faulter *faulter);
void growth_brk_release(struct faulter *faulter);

#endif
