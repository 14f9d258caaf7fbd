// SPDX-License-Identifier: GPL-2.0-only
/* What the files of util/stats share. */
#ifndef KBENCH_STATS_INTERNAL_H
#define KBENCH_STATS_INTERNAL_H

#include <math.h>

#include "base.h"
#include "stats.h"

#define NO_NUMBER ((double)NAN) /* NAN itself is a float */

/* The value, or NAN where it is infinite. */
double stats_finite(double value);
bool stats_all_finite(const double *values, size_t n);

/* stats_of without the interval, which takes more time than all the rest: low and high are NAN. */
struct stats stats_moments(const double *values, size_t n);

/*
 * The exponent of the power of two that brings all values, min to max, into [-1, 1] when they are divided by it: that
 * rounds nothing that counts.
 */
int stats_exponent(double min, double max);

/* Up to here rank tests count: the smaller of two sets, and pairs. The counts are whole and below 2^53. */
#define STATS_EXACT_SETS  25
#define STATS_EXACT_PAIRS 50

/* Whether the arrangements of two sets are counted: where there are not too many, and it does not take too long. */
bool stats_sets_exact(size_t n, size_t m);

uint64_t stats_choose(size_t total, size_t size);

/*
 * counts[s], s = 0..most: in how many ways `size` of the `total` ranks (whole numbers, any may be equal) have the sum
 * s; and the same for any number of them. On the heap.
 */
uint64_t *stats_count_subsets(const double *ranks, size_t total, size_t size, size_t most);
uint64_t *stats_count_sums(const double *ranks, size_t n, size_t most);

#endif
