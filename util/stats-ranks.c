// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats-internal.h"
#include "wrap.h"

/* Additions that counting may take. */
#define EXACT_WORK 3e7

struct place {
	double value;
	size_t index;
};

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	return (a->value > b->value) - (a->value < b->value);
}

/*
 * Twice the midrank of each value, which is whole; each that is not more than a step above the one below it is its equal.
 * *ties gets the sum of t^3 - t over the groups of t equal values. On the heap.
 */
static double *double_ranks(const double *values, size_t n, double step, double *ties)
{
	struct place *places = xcalloc(n, sizeof(*places));
	double *ranks = xcalloc(n, sizeof(*ranks));

	for (size_t i = 0; i < n; i++)
		places[i] = (struct place){ values[i], i };
	qsort(places, n, sizeof(*places), compare_places);
	*ties = 0;
	for (size_t first = 0, next; first < n; first = next) {
		double equal;

		for (next = first + 1; next < n && places[next].value <= places[next - 1].value + step; next++)
			;
		for (size_t i = first; i < next; i++)
			ranks[places[i].index] = (double)(first + 1 + next);
		equal = (double)(next - first);
		*ties += equal * equal * equal - equal;
	}
	free(places);
	return ranks;
}

static double sum_of(const double *values, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += values[i];
	return sum;
}

/* 1 / 2 off towards the mean, because the statistic takes whole steps. */
static double normal_p(double statistic, double mean, double variance)
{
	double distance = fmax(fabs(statistic - mean) - 0.5, 0);

	return variance > 0 ? stats_t_two_sided(distance / sqrt(variance), HUGE_VAL) : 1;
}

/* Two-sided p of the sum w, where counts[s] of `all` equally likely arrangements have the sum s. */
static double lower_p(const uint64_t *counts, size_t w, uint64_t all)
{
	uint64_t below = 0;

	for (size_t i = 0; i < w; i++)
		below += counts[i];
	return fmin(1, 2 * fmin((double)(below + counts[w]), (double)(all - below)) / (double)all);
}

/* Seen from the other end the tails change sides: the two-sided p stays, and a smaller sum is counted faster. */
static double arrangements_p(double *ranks, size_t total, size_t size, double sum)
{
	double centre = (double)size * (double)(total + 1), p;
	uint64_t *counts;
	bool whole = true;

	if (sum > centre) {
		sum = 2 * centre - sum;
		for (size_t i = 0; i < total; i++)
			ranks[i] = 2 * (double)(total + 1) - ranks[i];
	}
	for (size_t i = 0; i < total; i++)
		whole &= fmod(ranks[i], 2) == 0;
	for (size_t i = 0; whole && i < total; i++)
		ranks[i] /= 2;
	if (whole)
		sum /= 2;
	counts = stats_count_subsets(ranks, total, size, (size_t)sum);
	p = lower_p(counts, (size_t)sum, stats_choose(total, size));
	free(counts);
	return p;
}

/* All ways to part n + m values; in a double, which does not overflow. */
static double arrangements(double n, double m)
{
	double all = 1;

	for (double i = 1; i <= n && isfinite(all); i++)
		all *= (m + i) / i;
	return all;
}

bool stats_sets_exact(size_t n, size_t m)
{
	double small = (double)(n < m ? n : m), large = (double)(n < m ? m : n);

	return small <= STATS_EXACT_SETS && arrangements(small, large) < 0x1p53 &&
	       (small + large) * small * small * large < EXACT_WORK;
}

static double sets_variance(double n, double m, double ties)
{
	double all = n + m;

	return n * m / 12 * (all + 1 - ties / (all * (all - 1)));
}

/* Mann and Whitney (1947); the variance with ties as in Lehmann, Nonparametrics (1975). */
static struct stats_ranks judge_sets(double *ranks, size_t n, size_t m, double ties)
{
	double a = (double)n, b = (double)m, all = a + b;
	double sum = sum_of(ranks, n), u = (sum - a * (a + 1)) / 2;
	struct stats_ranks result = { u, u - a * b / 2, NO_NUMBER, stats_sets_exact(n, m) };

	if (!result.exact)
		result.p = normal_p(u, a * b / 2, sets_variance(a, b, ties));
	else if (n <= m)
		result.p = arrangements_p(ranks, n + m, n, sum);
	else
		result.p = arrangements_p(ranks, n + m, m, all * (all + 1) - sum);
	return result;
}

struct stats_ranks stats_mann_whitney(const double *a, size_t n, const double *b, size_t m)
{
	struct stats_ranks result = { NO_NUMBER, NO_NUMBER, NO_NUMBER, false };
	double *both, *ranks, ties;

	if (!n || !m || !stats_all_finite(a, n) || !stats_all_finite(b, m))
		return result;
	both = xcalloc(n + m, sizeof(*both));
	memcpy(both, a, n * sizeof(*a));
	memcpy(both + n, b, m * sizeof(*b));
	ranks = double_ranks(both, n + m, 0, &ties);
	result = judge_sets(ranks, n, m, ties);
	free(both);
	free(ranks);
	return result;
}

/* Of all C(n + m, n) arrangements, the two that part the sets. */
double stats_least_sets_p(size_t n, size_t m)
{
	double a = (double)n, b = (double)m;

	if (!n || !m)
		return 1;
	if (!stats_sets_exact(n, m))
		return normal_p(0, a * b / 2, sets_variance(a, b, 0));
	return fmin(2 / arrangements(fmin(a, b), fmax(a, b)), 1);
}

double stats_least_pairs_p(size_t n)
{
	double count = (double)n, sum = count * (count + 1) / 2;

	if (n > STATS_EXACT_PAIRS)
		return normal_p(0, sum / 2, sum * (2 * count + 1) / 12);
	return fmin(ldexp(2, -(int)n), 1);
}

static double signs_p(const double *ranks, size_t n, double sum)
{
	double smaller = fmin(sum, sum_of(ranks, n) - sum);
	uint64_t *counts = stats_count_sums(ranks, n, (size_t)smaller);
	double p = lower_p(counts, (size_t)smaller, UINT64_C(1) << n);

	free(counts);
	return p;
}

/* Wilcoxon (1945), zeros as in Pratt (1959). The variance is a quarter of the sum of squared ranks, with any ties. */
static struct stats_ranks judge_differences(const double *differences, double *ranks, size_t n, double step)
{
	struct stats_ranks result = { 0, 0, NO_NUMBER, n <= STATS_EXACT_PAIRS };
	double positive = 0, squares = 0;
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		double rank = ranks[i];

		if (fabs(differences[i]) <= step)
			continue;
		ranks[count++] = rank;
		positive += differences[i] > 0 ? rank : 0;
		squares += rank * rank;
	}
	result.statistic = positive / 2;
	result.excess = positive / 2 - sum_of(ranks, count) / 4;
	if (result.exact)
		result.p = signs_p(ranks, count, positive);
	else
		result.p = normal_p(positive / 2, sum_of(ranks, count) / 4, squares / 16);
	return result;
}

struct stats_ranks stats_signed_rank(const double *differences, size_t n, double step)
{
	struct stats_ranks result = { NO_NUMBER, NO_NUMBER, NO_NUMBER, false };
	double *sizes, *ranks, ties;

	if (!n || !stats_all_finite(differences, n))
		return result;
	sizes = xcalloc(n, sizeof(*sizes));
	for (size_t i = 0; i < n; i++)
		sizes[i] = fabs(differences[i]);
	ranks = double_ranks(sizes, n, step, &ties);
	result = judge_differences(differences, ranks, n, step);
	free(sizes);
	free(ranks);
	return result;
}
