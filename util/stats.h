// SPDX-License-Identifier: GPL-2.0-only
/* Every statistic that kbench says is computed here. Inputs are never changed and may be in any order. */
#ifndef KBENCH_STATS_H
#define KBENCH_STATS_H

#include "base.h"

/*
 * A number that does not exist (the deviation of one run) or that no double holds is NAN here and n/a, null or empty
 * on the page.
 */
struct stats {
	size_t n;
	double mean;
	double stddev;  /* sample standard deviation, n - 1; NAN for n < 2 */
	double percent; /* stddev in percent of |mean|; NAN for n < 2 or a mean of 0 */
	double median, min, max;
	double low, high; /* 95 % interval of the mean, Student t with n - 1 degrees of freedom; NAN for n < 2 */
};

/* n = 0: all NAN. A value that is not finite makes all but n NAN. Two passes, so a large mean costs no digits. */
struct stats stats_of(const double *values, size_t n);

/* Quantile of sorted values, type 7 (linear between order statistics); p in [0, 1]; NAN for n = 0 or another p. */
double stats_quantile(const double *sorted, size_t n, double p);

/* A copy on the heap, ascending, NANs last. */
double *stats_sorted(const double *values, size_t n);

/*
 * The value that Student's t with df degrees of freedom exceeds with probability 1 - p: -inf for p = 0, inf for p = 1,
 * NAN for another p outside of (0, 1). Relative error below 1e-10.
 */
double stats_t_quantile(double p, double df);

/*
 * P(|T| > |t|), Student's t with df > 0 degrees of freedom (inf: the normal distribution), by the incomplete beta
 * function. NAN for a t or df that is none.
 */
double stats_t_two_sided(double t, double df);

/*
 * The regularised incomplete beta function I_x(a, b), by Lentz's continued fraction; a, b > 0 and x in [0, 1], else
 * NAN. Relative error below 1e-10 while a or b is below 10000.
 */
double stats_beta(double a, double b, double x);

#endif
