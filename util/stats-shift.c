// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats-internal.h"
#include "wrap.h"

#define MISSED 0.05 /* by a 95 % interval */

/*
 * All sums x[i] + y[j], never written down: their number grows with the square of the runs. x and y ascend. Of pairs,
 * where x and y are the same, each two give one sum: j >= i.
 */
struct sums {
	const double *x, *y;
	size_t n, m;
	bool pairs;
};

static uint64_t sums_count(const struct sums *sums)
{
	uint64_t n = sums->n, m = sums->m;

	return sums->pairs ? n * (n + 1) / 2 : n * m;
}

static uint64_t sums_up_to(const struct sums *sums, double most)
{
	uint64_t count = 0;
	size_t below = sums->m;

	for (size_t i = 0; i < sums->n; i++) {
		while (below > 0 && sums->x[i] + sums->y[below - 1] > most)
			below--;
		if (!sums->pairs)
			count += below;
		else if (below > i)
			count += below - i;
	}
	return count;
}

/* Doubles and these numbers ascend together, and between two neighbours there is none. */
static int64_t ordinal_of(double value)
{
	int64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits < 0 ? INT64_MIN - bits : bits;
}

static double of_ordinal(int64_t ordinal)
{
	int64_t bits = ordinal < 0 ? INT64_MIN - ordinal : ordinal;
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* The k-th smallest sum, k from 1: the smallest double that k sums do not exceed. */
static double sums_kth(const struct sums *sums, uint64_t k)
{
	int64_t low = ordinal_of(sums->x[0] + sums->y[0]),
		high = ordinal_of(sums->x[sums->n - 1] + sums->y[sums->m - 1]);

	while (low < high) {
		int64_t middle = low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);

		if (sums_up_to(sums, of_ordinal(middle)) >= k)
			high = middle;
		else
			low = middle + 1;
	}
	return of_ordinal(low);
}

static double sums_median(const struct sums *sums)
{
	uint64_t count = sums_count(sums);
	double lower = sums_kth(sums, (count + 1) / 2);

	return count % 2 ? lower : lower / 2 + sums_kth(sums, count / 2 + 1) / 2;
}

/*
 * How many sums may be left out at either end, given how many of `all` arrangements have the statistic 0, 1, ... most:
 * as many as its values that together are not more likely than half of the level. *reached gets twice what they are.
 */
static uint64_t exact_depth(const uint64_t *counts, size_t most, uint64_t all, double level, double *reached)
{
	uint64_t tail = 0;
	size_t depth = 0;

	while (depth <= most && 2 * (double)(tail + counts[depth]) <= level * (double)all)
		tail += counts[depth++];
	*reached = 2 * (double)tail / (double)all;
	return depth;
}

static uint64_t normal_depth(double mean, double variance, double *reached)
{
	double deviation = sqrt(variance);
	double most = floor(mean - 0.5 - stats_t_quantile(1 - MISSED / 2, HUGE_VAL) * deviation);

	if (!(most >= 0))
		return 0;
	*reached = stats_t_two_sided((mean - 0.5 - most) / deviation, HUGE_VAL);
	return (uint64_t)most + 1;
}

static double *ranks_up_to(size_t n)
{
	double *ranks = xcalloc(n, sizeof(*ranks));

	for (size_t i = 0; i < n; i++)
		ranks[i] = (double)(i + 1);
	return ranks;
}

static uint64_t exact_depth_of_pairs(size_t n, double level, double *reached)
{
	double *ranks = ranks_up_to(n);
	size_t most = n * (n + 1) / 4;
	uint64_t *counts = stats_count_sums(ranks, n, most), depth;

	depth = exact_depth(counts, most, UINT64_C(1) << n, level, reached);
	free(ranks);
	free(counts);
	return depth;
}

static uint64_t depth_of_pairs(size_t n, double *reached)
{
	double count = (double)n;

	if (n <= STATS_EXACT_PAIRS)
		return exact_depth_of_pairs(n, MISSED, reached);
	return normal_depth(count * (count + 1) / 4, count * (count + 1) * (2 * count + 1) / 24, reached);
}

double stats_pairs_level(size_t n, double level)
{
	double reached = level;

	if (n <= STATS_EXACT_PAIRS)
		exact_depth_of_pairs(n, level, &reached);
	return reached;
}

/* The sums of the smaller set: those of the larger one are as many, and take longer. */
static uint64_t exact_depth_of_sets(size_t n, size_t m, double level, double *reached)
{
	size_t small = n < m ? n : m, least = small * (small + 1) / 2, most = n * m / 2;
	double *ranks = ranks_up_to(n + m);
	uint64_t *counts = stats_count_subsets(ranks, n + m, small, least + most), depth;

	depth = exact_depth(counts + least, most, stats_choose(n + m, small), level, reached);
	free(ranks);
	free(counts);
	return depth;
}

static uint64_t depth_of_sets(size_t n, size_t m, double *reached)
{
	double a = (double)n, b = (double)m;

	if (stats_sets_exact(n, m))
		return exact_depth_of_sets(n, m, MISSED, reached);
	return normal_depth(a * b / 2, a * b * (a + b + 1) / 12, reached);
}

double stats_sets_level(size_t n, size_t m, double level)
{
	double reached = level;

	if (stats_sets_exact(n, m))
		exact_depth_of_sets(n, m, level, &reached);
	return reached;
}

static struct stats_shift shift_of(const struct sums *sums, uint64_t depth, double reached)
{
	struct stats_shift shift = { stats_finite(sums_median(sums)), NO_NUMBER, NO_NUMBER, NO_NUMBER };

	if (!depth)
		return shift;
	shift.low = stats_finite(sums_kth(sums, depth));
	shift.high = stats_finite(sums_kth(sums, sums_count(sums) + 1 - depth));
	shift.coverage = 1 - reached;
	return shift;
}

/* A copy, times the factor, ascending. */
static double *scaled(const double *values, size_t n, double factor)
{
	double *copy = xcalloc(n, sizeof(*copy)), *sorted;

	for (size_t i = 0; i < n; i++)
		copy[i] = values[i] * factor;
	sorted = stats_sorted(copy, n);
	free(copy);
	return sorted;
}

static const struct stats_shift no_shift = { NO_NUMBER, NO_NUMBER, NO_NUMBER, NO_NUMBER };

/* Hodges and Lehmann (1963). A half and a half, because the sum of two values may be more than a double holds. */
struct stats_shift stats_shift_pairs(const double *differences, size_t n)
{
	struct stats_shift shift;
	double *halves, reached = 1;
	uint64_t depth;

	if (!n || !stats_all_finite(differences, n))
		return no_shift;
	halves = scaled(differences, n, 0.5);
	depth = depth_of_pairs(n, &reached);
	shift = shift_of(&(struct sums){ halves, halves, n, n, true }, depth, reached);
	free(halves);
	return shift;
}

struct stats_shift stats_shift_sets(const double *a, size_t n, const double *b, size_t m)
{
	struct stats_shift shift;
	double *x, *y, reached = 1;
	uint64_t depth;

	if (!n || !m || !stats_all_finite(a, n) || !stats_all_finite(b, m))
		return no_shift;
	x = scaled(a, n, -1);
	y = scaled(b, m, 1);
	depth = depth_of_sets(n, m, &reached);
	shift = shift_of(&(struct sums){ x, y, n, m, false }, depth, reached);
	free(x);
	free(y);
	return shift;
}

size_t stats_median_interval(size_t n)
{
	size_t low = 0, high = n / 2 + 1; /* low values may be left out at either end, high may not */

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (2 * stats_beta((double)(n - middle + 1), (double)middle, 0.5) <= MISSED)
			low = middle;
		else
			high = middle;
	}
	return low;
}
