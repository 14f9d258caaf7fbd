// SPDX-License-Identifier: GPL-2.0-only
#include <float.h>
#include <math.h>

#include "stats-internal.h"

#define POWER       0.8
#define LEVEL       0.05 /* of the two-sided test */

#define RUNS_MOST   1000000000 /* more are never asked for */
#define PAIRS_LEAST 6          /* signed ranks of 5 pairs have no p below 2 / 2^5 */

#define STEPS       1500 /* so many keep ten digits for one degree of freedom too, the hardest case */

/* Where a density below exp(-45) of its highest begins. */
#define NEGLIGIBLE 45.0

static double normal_below(double z)
{
	return erfc(-z * M_SQRT1_2) / 2;
}

/*
 * P(T > t), t > 0, where T is noncentral t: (Z + shift) / S, and S^2 is chi-squared with df >= 1 degrees of freedom,
 * divided by df. Over x = log(S), whose density is exp(df * (x - exp(2 x) / 2)) times a constant, both fall off fast at
 * both ends, so the trapezoidal rule is exact to a double; the constant falls out of the quotient.
 */
static double beyond(double t, double df, double shift)
{
	double low = -sqrt(2 * NEGLIGIBLE / df) - NEGLIGIBLE / df, high = fmin(3, sqrt(NEGLIGIBLE / df));
	double step = (high - low) / STEPS, all = 0, part = 0;

	for (int i = 0; i <= STEPS; i++) {
		double x = low + i * step, weight = exp(df * (x - expm1(2 * x) / 2));

		all += weight;
		part += weight * normal_below(shift - t * exp(x));
	}
	return part / all;
}

/* How far T must be shifted to be found. */
static double least_shift(double df)
{
	double t = stats_t_quantile(1 - LEVEL / 2, df), low = 0, high = 4 * t;

	while (high - low > 4 * DBL_EPSILON * high) {
		double middle = low + (high - low) / 2;

		if (beyond(t, df, middle) < POWER)
			low = middle;
		else
			high = middle;
	}
	return high;
}

double stats_least_change(size_t n, size_t m)
{
	double a = (double)n, b = (double)m;

	return n < 2 || m < 2 ? NO_NUMBER : least_shift(a + b - 2) * sqrt(1 / a + 1 / b);
}

double stats_least_change_pairs(size_t n)
{
	return n < 2 ? NO_NUMBER : least_shift((double)n - 1) / sqrt((double)n);
}

static bool is_found(double change, size_t n, bool pairs)
{
	double df = pairs ? (double)n - 1 : 2 * (double)n - 2;
	double shift = change * sqrt(pairs ? (double)n : (double)n / 2);

	return beyond(stats_t_quantile(1 - LEVEL / 2, df), df, shift) >= POWER;
}

static size_t needed(double change, size_t least, bool pairs)
{
	size_t low = least - 1, high = least; /* low is too few, high enough, once it is found */

	change = fabs(change);
	if (!isfinite(change) || !is_found(change, RUNS_MOST, pairs))
		return SIZE_MAX;
	while (!is_found(change, high, pairs)) {
		low = high;
		high = high < RUNS_MOST / 2 ? 2 * high : RUNS_MOST;
	}
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (is_found(change, middle, pairs))
			high = middle;
		else
			low = middle;
	}
	return high;
}

size_t stats_runs_needed(double change)
{
	return needed(change, 2, false);
}

size_t stats_pairs_needed(double change)
{
	return needed(change, PAIRS_LEAST, true);
}
