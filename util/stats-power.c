// SPDX-License-Identifier: GPL-2.0-only
#include <float.h>
#include <math.h>

#include "stats-internal.h"

#define POWER     0.8
#define RUNS_MOST 1000000000 /* more are never asked for */

#define STEPS     1500 /* so many keep ten digits for one degree of freedom too, the hardest case */

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
static double least_shift(double df, double level)
{
	double t = stats_t_quantile(1 - level / 2, df), low = 0, high = 4 * t;

	while (high - low > 4 * DBL_EPSILON * high) {
		double middle = low + (high - low) / 2;

		if (beyond(t, df, middle) < POWER)
			low = middle;
		else
			high = middle;
	}
	return high;
}

static bool is_level(double level)
{
	return level > 0 && level < 1;
}

double stats_least_change(size_t n, size_t m, double level)
{
	double a = (double)n, b = (double)m;

	return n < 2 || m < 2 || !is_level(level) ? NO_NUMBER : least_shift(a + b - 2, level) * sqrt(1 / a + 1 / b);
}

double stats_least_change_pairs(size_t n, double level)
{
	return n < 2 || !is_level(level) ? NO_NUMBER : least_shift((double)n - 1, level) / sqrt((double)n);
}

double stats_change_for_ranks(double change)
{
	return change * sqrt(3 / M_PI);
}

/* At which a t test finds what rank tests find at `least`. */
static double of_ranks(double least)
{
	return least / stats_change_for_ranks(1);
}

double stats_least_change_ranks(size_t n, size_t m, double level)
{
	return of_ranks(stats_least_change(n, m, stats_sets_level(n, m, level)));
}

double stats_least_change_signed_rank(size_t n, double level)
{
	return of_ranks(stats_least_change_pairs(n, stats_pairs_level(n, level)));
}

double stats_least_change_welch(size_t n, size_t m, double level)
{
	double small = (double)(n < m ? n : m);

	return small < 2 || !is_level(level) ? NO_NUMBER
					     : least_shift(small - 1, level) * sqrt(1 / (double)n + 1 / (double)m);
}

static bool is_found(double change, size_t n, bool pairs, double level)
{
	double df = pairs ? (double)n - 1 : 2 * (double)n - 2;
	double shift = change * sqrt(pairs ? (double)n : (double)n / 2);

	return beyond(stats_t_quantile(1 - level / 2, df), df, shift) >= POWER;
}

static size_t needed(double change, size_t least, bool pairs, double level)
{
	size_t low = least - 1, high = least; /* low is too few, high enough, once it is found */

	change = fabs(change);
	if (!isfinite(change) || !is_found(change, RUNS_MOST, pairs, level))
		return SIZE_MAX;
	while (!is_found(change, high, pairs, level)) {
		low = high;
		high = high < RUNS_MOST / 2 ? 2 * high : RUNS_MOST;
	}
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (is_found(change, middle, pairs, level))
			high = middle;
		else
			low = middle;
	}
	return high;
}

size_t stats_runs_needed(double change, double level)
{
	return is_level(level) ? needed(change, 2, false, level) : SIZE_MAX;
}

size_t stats_pairs_needed(double change, double level)
{
	size_t least = 2;

	if (!is_level(level))
		return SIZE_MAX;
	while (stats_least_pairs_p(least) > level && least < STATS_EXACT_PAIRS)
		least++;
	return needed(change, least, true, level);
}
