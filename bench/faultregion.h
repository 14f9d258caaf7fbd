// SPDX-License-Identifier: GPL-2.0-only
/* The memory of a region, and the steps that most patterns are made of. Each dies where it does not succeed. */
#ifndef KBENCH_FAULTREGION_H
#define KBENCH_FAULTREGION_H

#include "faultpatterns.h"

/*
 * Reserves an address range for a region and keeps its neighbours out of reach: adjacent mappings of the same kind
 * would become one, and two workers share what each should have for itself. Prepares the pattern in it.
 */
void region_init(struct region *region, const struct fault_plan *plan, size_t bytes);

/* Maps all of the range with these flags, and advises as the plan says. */
void region_map(const struct region *region, int flags);

void region_unmap(const struct region *region);
void region_advise(const struct region *region, int advice, const char *name);

/* Private memory, every page written. */
void region_fill(const struct region *region);

#endif
