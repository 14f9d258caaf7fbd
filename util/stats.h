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

/*
 * What follows compares sets of runs. A value that is not finite has no place in a comparison: it makes every double of
 * the answer NAN (and counts 0, flags false). Values may be zero, negative, 1e-300 or 1e300 unless said otherwise.
 */

/*
 * Welch's t of mean(a) - mean(b), two-sided. All NAN for n < 2 or m < 2, where no double holds the difference, and
 * where both deviations are 0: without any spread t would call the smallest difference certain. A t or bound that no
 * double holds is NAN alone.
 */
struct stats_welch {
	double t, df, p;
	double low, high; /* 95 % interval of mean(a) - mean(b) */
};
struct stats_welch stats_welch(const double *a, size_t n, const double *b, size_t m);

/*
 * Welch of the logarithms, b against a: t > 0 where b is larger. All NAN where a value is 0 or negative, or a set is
 * empty; the ratio exists wherever all are positive, the rest where Welch's t does.
 */
struct stats_ratio {
	double ratio;     /* of the geometric means, b to a */
	double low, high; /* its 95 % interval */
	double t, df, p;
};
struct stats_ratio stats_ratio(const double *a, size_t n, const double *b, size_t m);

/* The pooled deviation of the logarithms of two sets; NAN where a value is 0 or negative, or a set is empty. */
double stats_log_deviation(const double *a, size_t n, const double *b, size_t m);

/* Rank tests. The two-sided p is min(1, twice the smaller tail); 1 where all values are equal. */
struct stats_ranks {
	double statistic;
	double excess; /* statistic less what it is on average where there is no difference */
	double p;
	bool exact;
};

/*
 * U of a: the pairs with a > b, ties half. Exact by counting all arrangements of the midranks while one side has at most
 * 25 values and there are not too many, else normal with tie and continuity correction. NAN for an empty side.
 */
struct stats_ranks stats_mann_whitney(const double *a, size_t n, const double *b, size_t m);

/*
 * Wilcoxon's W+: the sum of the ranks of the positive differences. Zeros take ranks and are then left out (Pratt); ties
 * have midranks. Differences whose sizes are not more than `step` apart are tied too, and those of such a size are zeros:
 * what rounding alone makes of equal ones. Exact while n <= 50, else normal with continuity correction. NAN for n = 0;
 * p is 1 where all are 0.
 */
struct stats_ranks stats_signed_rank(const double *differences, size_t n, double step);

/* The smallest p that these tests can give to sets of these sizes, and to so many pairs. */
double stats_least_sets_p(size_t n, size_t m);
double stats_least_pairs_p(size_t n);

/*
 * The level that they really have where `level` is asked for: the largest p that they can give and that is not above it; 0
 * where there is none. Where they are normal that is the level itself.
 */
double stats_sets_level(size_t n, size_t m, double level);
double stats_pairs_level(size_t n, double level);

/*
 * Hodges-Lehmann's estimate of a shift, with the 95 % interval that goes with the rank test: where nothing is tied it
 * holds 0 exactly when the test's p is above 0.05. coverage is the confidence reached, at least 0.95, and exact where
 * the test is. low, high and coverage are NAN where even the smallest p is above 0.05; with an empty set all are.
 */
struct stats_shift {
	double value, low, high, coverage;
};
struct stats_shift stats_shift_pairs(const double *differences, size_t n); /* median of the means of any two */
struct stats_shift stats_shift_sets(const double *a, size_t n, const double *b, size_t m); /* median of all b - a */

/*
 * The 95 % interval of the median reaches from the k-th smallest to the k-th largest of n values: k, or 0 where there
 * is none (n <= 5). By the binomial distribution; for n below 1e9.
 */
size_t stats_median_interval(size_t n);

/*
 * Holm's adjusted p of each p, in the same order; both may be the same array. What is no probability (NAN) is left out:
 * it does not count as a test and is NAN in the answer.
 */
void stats_holm(const double *p, size_t n, double *adjusted);

/* NAN for n = 0 and where a value is 0, negative or not finite. */
double stats_geometric_mean(const double *values, size_t n);

/*
 * The common deviation of two sets with these deviations and sizes. A set of fewer than two says nothing; NAN where
 * neither does.
 */
double stats_pooled(double a, size_t n, double b, size_t m);

/*
 * The smallest change, in standard deviations of a run, that two sets of n and m runs find with power 0.8 by a
 * two-sided t test at that level (noncentral t; to find it in the wrong direction does not count). NAN for n < 2 or m < 2
 * and for a level that is not in (0, 1).
 */
double stats_least_change(size_t n, size_t m, double level);
double stats_least_change_pairs(size_t n, double level); /* in standard deviations of the difference in a pair */

/*
 * The same of the other tests. Welch's t has at least the degrees of freedom of the smaller set. Rank tests have the level
 * that they really have, and of normal runs they need pi / 3 as many (Lehmann, Nonparametrics, 1975).
 */
double stats_least_change_welch(size_t n, size_t m, double level);
double stats_least_change_ranks(size_t n, size_t m, double level);
double stats_least_change_signed_rank(size_t n, double level);

/* The change that a t test finds as often as rank tests find this one. */
double stats_change_for_ranks(double change);

/*
 * How many runs a side, or pairs, find a change of so many standard deviations, up or down, at that level: at least 2, and
 * as many pairs as their signed ranks need to reach it, 6 for 0.05. SIZE_MAX where it is more than 1e9 or the change is 0
 * or not finite.
 */
size_t stats_runs_needed(double change, double level);
size_t stats_pairs_needed(double change, double level);

/* One series in the order of its runs. n = 0: NAN, 0 and false throughout. */
struct stats_look {
	double q1, q3;
	double low_fence, high_fence;  /* Tukey: 1.5 times q3 - q1 beyond the quartiles */
	double low_outer, high_outer;  /* 3 times */
	size_t outliers, far_outliers; /* beyond the fences; beyond the outer ones, which are counted as outliers too */

	/* Autocorrelation at lag 1 as NIST defines it. NAN for n < 2 or where all are equal. */
	double r1;

	/*
	 * The first run is beyond the outer fences of the others and outside of the interval that holds the next one of
	 * them with 99.8 % (Student t). Noise alone does so in fewer than 1 % of normal and 2 % of exponential series.
	 * false for n < 5.
	 */
	bool first_apart;

	/*
	 * Runs beside each other are alike: r1 is above what independent ones reach in 1 % of normal series (Moran's
	 * mean -1/n and variance ((n - 2) / n)^2 / (n - 1)), and in up to 2 % of exponential ones. false for n < 5.
	 */
	bool drift;

	/*
	 * The widest gap that leaves at least 3 runs and a tenth of all on either side is at least 2.5 + 40 / n times the
	 * deviation within the two groups. Normal, uniform, log-normal (sigma 0.5) and exponential series have such a gap
	 * in fewer than 1 %. Where the values have few distinct ones (a coarse clock), the deviation is taken to be not
	 * less than that of rounding to the finest step between them. false for n < 8.
	 */
	bool two_modes;
	size_t mode_n[2]; /* runs in the lower and the upper group; 0 and NAN where there is one mode */
	double mode_mean[2];
};
struct stats_look stats_look(const double *values, size_t n);

#endif
