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

#endif
