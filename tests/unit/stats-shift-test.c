// SPDX-License-Identifier: GPL-2.0-only
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "samples.h"
#include "stats.h"
#include "test.h"

#define CLOSE 1e-10
#define NONE  ((double)NAN) /* NAN itself is a float */

/* Low and high are differences of numbers with one decimal: near 0 their error is that of the numbers. */
static void check_bound(double actual, double expected)
{
	CHECK_NEAR(isnan(actual) ? actual : actual + 1, expected + 1, 1e-14);
}

static void check_shift(struct stats_shift shift, const struct stats_shift *expected)
{
	check_bound(shift.value, expected->value);
	check_bound(shift.low, expected->low);
	check_bound(shift.high, expected->high);
	CHECK_NEAR(shift.coverage, expected->coverage, CLOSE);
}

static void sets(void)
{
	static const struct {
		const struct sample *a, *b;
		struct stats_shift expected;
	} rows[] = {
		{ &a5, &b5, { -3.0, -3.4, -2.6, 0.9682539682539683 } },
		{ &e3, &f8, { 0.8, 0.4, 1.3, 0.9515151515151515 } },
		{ &g5, &h5, { 0.4, 0.2, 5.0, 0.9682539682539683 } },
		{ &sleep1, &sleep2, { 1.35, -0.1, 3.6, 0.9567429474550218 } },
		{ &d7, &d8, { -0.07, -0.25, 0.01, 0.9588744588744589 } },
		{ &x, &y, { 431.35, NONE, NONE, NONE } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct sample *a = rows[i].a, *b = rows[i].b;
		const struct stats_shift *e = &rows[i].expected;
		const struct stats_shift back = { -e->value, -e->high, -e->low, e->coverage };

		check_shift(stats_shift_sets(a->values, a->n, b->values, b->n), e);
		check_shift(stats_shift_sets(b->values, b->n, a->values, a->n), &back);
	}
}

static void pairs(void)
{
	static const struct {
		struct sample differences;
		struct stats_shift expected;
	} rows[] = {
		{ { 10, { 1.2, 2.4, 1.3, 1.3, 0, 1.0, 1.8, 0.8, 4.6, 1.4 } }, { 1.3, 0.9, 2.7, 0.951171875 } },
		{ { 15, { -0.4, 1.0, 1.8, -0.2, 6.4, 5.6, 8.9, 1.9, 2.9, -2.4, -1.2, 2.5, 3.9, -1.2, 3.0 } },
			{ 2, 0.3, 3.9, 0.95208740234375 } },
		{ { 5, { 1, 2, 3, 4, 5 } }, { 3, NONE, NONE, NONE } },
		{ { 6, { 6, 5, 4, 3, 2, 1 } }, { 3.5, 1, 6, 0.96875 } },
		{ { 8, { -1, 2, -3, 4, 5, 6, 7, 8 } }, { 3.75, -0.5, 7, 0.9609375 } },
		{ { 8, { 0, 0, 1, 1, -1, 2, 2, -3 } }, { 0.5, -1.5, 1.5, 0.9609375 } },
		{ { 6, { 0, 0, 0, 0, 0, 0 } }, { 0, 0, 0, 0.96875 } },
		{ { 1, { -7 } }, { -7, NONE, NONE, NONE } },
		{ { 0, { 0 } }, { NONE, NONE, NONE, NONE } },
		{ { 3, { 1, 2, NONE } }, { NONE, NONE, NONE, NONE } },
		{ { 3, { 1, -HUGE_VAL, 2 } }, { NONE, NONE, NONE, NONE } },
		{ { 2, { DBL_MAX, DBL_MAX } }, { DBL_MAX, NONE, NONE, NONE } },
		{ { 6, { 1e-300, 1e-300, 1e-300, 1e-300, 1e-300, 1e-300 } }, { 1e-300, 1e-300, 1e-300, 0.96875 } },
		{ { 7, { -1e300, 0, 1, 2, 3, 4, 1e300 } }, { 2, -5e299, 5e299, 0.953125 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check_shift(stats_shift_pairs(rows[i].differences.values, rows[i].differences.n), &rows[i].expected);
}

static void set_edges(void)
{
	static const struct {
		struct sample a, b;
		struct stats_shift expected;
	} rows[] = {
		{ { 0, { 0 } }, { 1, { 1 } }, { NONE, NONE, NONE, NONE } },
		{ { 1, { 1 } }, { 0, { 0 } }, { NONE, NONE, NONE, NONE } },
		{ { 1, { 1 } }, { 1, { 3 } }, { 2, NONE, NONE, NONE } },
		{ { 2, { 1, NONE } }, { 1, { 3 } }, { NONE, NONE, NONE, NONE } },
		{ { 2, { 1, 2 } }, { 1, { HUGE_VAL } }, { NONE, NONE, NONE, NONE } },
		{ { 4, { 5, 5, 5, 5 } }, { 4, { 5, 5, 5, 5 } }, { 0, 0, 0, 0.97142857142857142 } },
		{ { 1, { -DBL_MAX } }, { 1, { DBL_MAX } }, { NONE, NONE, NONE, NONE } },
		{ { 4, { 1e300, 1e300, 1e300, 1e300 } }, { 4, { 0, 0, 0, 0 } },
			{ -1e300, -1e300, -1e300, 0.97142857142857142 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check_shift(stats_shift_sets(rows[i].a.values, rows[i].a.n, rows[i].b.values, rows[i].b.n),
			&rows[i].expected);
}

/* Sorted, all of them written down: the k-th of n * (n + 1) / 2 means, or of n * m differences. */
static double kth_of(const double *sums, size_t count, size_t k)
{
	double *sorted = stats_sorted(sums, count), value = sorted[k - 1];

	free(sorted);
	return value;
}

/* 649 and 671 at either end is what the normal distribution says: 1.96 deviations off the mean of W+ and of U. */
static void many(void)
{
	static double sums[60 * 61 / 2];
	double values[60], others[30];
	struct stats_shift shift;
	size_t count = 0;

	for (size_t i = 0; i < 60; i++)
		values[i] = (double)(i * 37 % 101) - 40;
	for (size_t i = 0; i < 60; i++)
		for (size_t j = i; j < 60; j++)
			sums[count++] = (values[i] + values[j]) / 2;
	shift = stats_shift_pairs(values, 60);
	CHECK_NEAR(shift.value, (kth_of(sums, count, 915) + kth_of(sums, count, 916)) / 2, 0);
	CHECK_NEAR(shift.low, kth_of(sums, count, 649), 0);
	CHECK_NEAR(shift.high, kth_of(sums, count, count + 1 - 649), 0);
	CHECK_NEAR(shift.coverage, 0.950222052567406, CLOSE);
	count = 0;
	for (size_t i = 0; i < 30; i++)
		others[i] = (double)(i * 41 % 97) + 10;
	for (size_t i = 0; i < 60; i++)
		for (size_t j = 0; j < 30; j++)
			sums[count++] = others[j] - values[i];
	shift = stats_shift_sets(values, 60, others, 30);
	CHECK_NEAR(shift.value, (kth_of(sums, count, 900) + kth_of(sums, count, 901)) / 2, 0);
	CHECK_NEAR(shift.low, kth_of(sums, count, 671), 0);
	CHECK_NEAR(shift.high, kth_of(sums, count, count + 1 - 671), 0);
	CHECK_NEAR(shift.coverage, 0.9505091688915289, CLOSE);
}

/* A small change of every value moves 0 over a bound of the interval just where p passes 5 %. */
static void agrees_with_the_test(void)
{
	double a[11], b[9], differences[12];

	for (size_t i = 0; i < 11; i++)
		a[i] = sqrt((double)i + 2);
	for (int step = -60; step <= 60; step++) {
		struct stats_shift shift;

		for (size_t i = 0; i < 9; i++)
			b[i] = log((double)i + 3) + step * 0.05;
		for (size_t i = 0; i < 12; i++)
			differences[i] = sin((double)(i * i)) + step * 0.05;
		shift = stats_shift_sets(a, 11, b, 9);
		CHECK_UINT(shift.low <= 0 && shift.high >= 0, stats_mann_whitney(a, 11, b, 9).p > 0.05);
		shift = stats_shift_pairs(differences, 12);
		CHECK_UINT(shift.low <= 0 && shift.high >= 0, stats_signed_rank(differences, 12, 0).p > 0.05);
	}
}

static void median_intervals(void)
{
	static const struct {
		size_t n, k;
	} rows[] = { { 0, 0 }, { 1, 0 }, { 2, 0 }, { 5, 0 }, { 6, 1 }, { 7, 1 }, { 8, 1 }, { 9, 2 }, { 10, 2 },
		{ 12, 3 }, { 15, 4 }, { 17, 5 }, { 18, 5 }, { 20, 6 }, { 25, 8 }, { 50, 18 }, { 100, 40 }, { 200, 86 },
		{ 1000, 469 }, { 1000000, 499020 } };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		CHECK_UINT(stats_median_interval(rows[i].n), rows[i].k);
}

static const struct test tests[] = {
	{ "the shift of two sets and its interval are the order statistics of all differences", sets },
	{ "the shift of pairs and its interval are the order statistics of the means of any two", pairs },
	{ "the shift of none, one, equal, huge and infinite values is defined", set_edges },
	{ "the shift of many values finds in the sums what sorting them finds", many },
	{ "the interval holds 0 just where the rank test finds nothing", agrees_with_the_test },
	{ "the interval of the median leaves out as many as the binomial distribution allows", median_intervals },
};

TEST_MAIN(tests)
