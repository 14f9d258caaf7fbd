// SPDX-License-Identifier: GPL-2.0-only
/* Chains of dependent loads: each line of a piece of memory tells where the next one is, in random order. */
#ifndef KBENCH_CHASE_H
#define KBENCH_CHASE_H

#include "base.h"

#define CHASE_LINE 64 /* bytes from one load to the next place where one may go; a line of most caches */

/*
 * One cycle over all lines of the memory (Sattolo's algorithm): a walk of as many loads as there are lines meets each
 * once and ends where it began. The same seed gives the same chain. At least one line; what is left over is not used.
 */
void chase_build(void *memory, size_t bytes, uint64_t seed);

/* The same chain in other memory. */
void chase_copy(void *memory, const void *from, size_t bytes);

/* So many loads, each at the address that the one before it loaded. Returned: where the next one would go. */
void *chase_walk(void *at, uint64_t loads);

#endif
