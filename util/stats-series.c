// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "stats-internal.h"

#define ORDER_LEAST 5 /* runs of which the first, or the order, can tell anything */
#define DRIFT_LEVEL 0.01
#define FIRST_LEVEL 0.002
#define MODES_LEAST 8 /* runs of which two modes can be told */
#define MODE_LEAST  3 /* runs in each */

static void set_fences(struct stats_look *look, const double *sorted, size_t n)
{
	double range;

	look->q1 = stats_quantile(sorted, n, 0.25);
	look->q3 = stats_quantile(sorted, n, 0.75);
	range = look->q3 - look->q1;
	look->low_fence = stats_finite(look->q1 - 1.5 * range);
	look->high_fence = stats_finite(look->q3 + 1.5 * range);
	look->low_outer = stats_finite(look->q1 - 3 * range);
	look->high_outer = stats_finite(look->q3 + 3 * range);
}

static void count_outliers(struct stats_look *look, const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		look->outliers += values[i] < look->low_fence || values[i] > look->high_fence;
		look->far_outliers += values[i] < look->low_outer || values[i] > look->high_outer;
	}
}

/* Of distances to the first value, scaled, for the reasons that the moments have. */
static double autocorrelation(const double *values, size_t n, double min, double max)
{
	int exponent = stats_exponent(min, max);
	double first = ldexp(values[0], -exponent), sum = 0, mean, last = 0, products = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		sum += ldexp(values[i], -exponent) - first;
	mean = sum / (double)n;
	for (size_t i = 0; i < n; i++) {
		double distance = ldexp(values[i], -exponent) - first - mean;

		products += i ? last * distance : 0;
		squares += distance * distance;
		last = distance;
	}
	return min < max ? stats_finite(products / squares) : NO_NUMBER;
}

static bool has_drift(double r1, size_t n)
{
	double count = (double)n, deviation = (count - 2) / (count * sqrt(count - 1));
	double distance = (r1 + 1 / count) / deviation;

	return n >= ORDER_LEAST && distance > 0 && stats_t_two_sided(distance, HUGE_VAL) < 2 * DRIFT_LEVEL;
}

/*
 * Two conditions, because quartiles of a few runs are often too narrow, and the deviation is too narrow where runs are
 * skewed.
 */
static bool is_first_apart(const double *values, size_t n)
{
	struct stats_look fences = { .outliers = 0 };
	double *sorted, t;
	struct stats others;

	if (n < ORDER_LEAST)
		return false;
	sorted = stats_sorted(values + 1, n - 1);
	set_fences(&fences, sorted, n - 1);
	free(sorted);
	count_outliers(&fences, values, 1);
	if (!fences.far_outliers)
		return false;
	others = stats_moments(values + 1, n - 1);
	t = (values[0] - others.mean) / (others.stddev * sqrt(1 + 1 / (double)(n - 1)));
	return stats_t_two_sided(t, (double)(n - 2)) <= FIRST_LEVEL;
}

/* How many of the sorted values stand below the widest gap that parts enough from enough. */
static size_t widest_gap(const double *sorted, size_t n)
{
	size_t tenth = (n + 9) / 10, least = tenth > MODE_LEAST ? tenth : MODE_LEAST, place = least;

	for (size_t i = least; i <= n - least; i++)
		if (sorted[i] - sorted[i - 1] > sorted[place] - sorted[place - 1])
			place = i;
	return place;
}

static double finest_step(const double *sorted, size_t n)
{
	double step = HUGE_VAL;

	for (size_t i = 1; i < n; i++)
		if (sorted[i] > sorted[i - 1])
			step = fmin(step, sorted[i] - sorted[i - 1]);
	return step;
}

static void find_modes(struct stats_look *look, const double *sorted, size_t n)
{
	struct stats low, high;
	double least, deviation;
	size_t place;

	if (n < MODES_LEAST)
		return;
	place = widest_gap(sorted, n);
	low = stats_moments(sorted, place);
	high = stats_moments(sorted + place, n - place);
	deviation = stats_pooled(low.stddev, low.n, high.stddev, high.n);
	deviation = fmax(deviation, finest_step(sorted, n) / sqrt(12)); /* that of rounding to this step */
	least = (2.5 + 40 / (double)n) * deviation;
	look->two_modes = high.min - low.max >= least;
	if (!look->two_modes)
		return;
	look->mode_n[0] = low.n;
	look->mode_n[1] = high.n;
	look->mode_mean[0] = low.mean;
	look->mode_mean[1] = high.mean;
}

struct stats_look stats_look(const double *values, size_t n)
{
	struct stats_look look = { NO_NUMBER, NO_NUMBER, NO_NUMBER, NO_NUMBER, NO_NUMBER, NO_NUMBER, 0, 0, NO_NUMBER,
		false, false, false, { 0, 0 }, { NO_NUMBER, NO_NUMBER } };
	double *sorted;

	if (!n || !stats_all_finite(values, n))
		return look;
	sorted = stats_sorted(values, n);
	set_fences(&look, sorted, n);
	count_outliers(&look, values, n);
	look.r1 = autocorrelation(values, n, sorted[0], sorted[n - 1]);
	look.drift = has_drift(look.r1, n);
	look.first_apart = is_first_apart(values, n);
	find_modes(&look, sorted, n);
	free(sorted);
	return look;
}
