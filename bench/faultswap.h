// SPDX-License-Identifier: GPL-2.0-only
/* Memory that is in swap when it is touched. */
#ifndef KBENCH_FAULTSWAP_H
#define KBENCH_FAULTSWAP_H

#include "faultpatterns.h"

/* In check: a skip with the arithmetic where there is too little swap, or no MADV_PAGEOUT. */
void swap_check(struct run *run, const struct fault_plan *plan);

/* Maps and fills with what does not compress. */
void swap_fill(struct region *region);

/* Puts all pages out, and out of the swap cache too, as far as the kernel does that; the faults tell how far it did. */
void swap_out(struct region *region);

#endif
