// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "samples.h"
#include "stats.h"
#include "test.h"

#define EXACT 0.0
#define CLOSE 1e-10
#define NONE  ((double)NAN) /* NAN itself is a float */

static void check_ranks(struct stats_ranks ranks, double statistic, double p, bool exact)
{
	CHECK_NEAR(ranks.statistic, statistic, EXACT);
	CHECK_NEAR(ranks.p, p, CLOSE);
	CHECK_UINT(ranks.exact, exact);
}

static void mann_whitney(void)
{
	static const struct {
		const struct sample *a, *b;
		double u, p;
	} rows[] = {
		{ &a5, &b5, 25, 2 / 252. },
		{ &e3, &f8, 0, 2 / 165. },
		{ &g5, &h5, 0, 1 / 126. },
		{ &sleep1, &sleep2, 25.5, 160 / 2431. },
		{ &d1, &d2, 53.5, 0.01317276088477949 },
		{ &d3, &d4, 75, 8423686 / 30045015. },
		{ &d7, &d8, 29.5, 0.06926406926406926 },
		{ &x, &y, 0, 2 / 35. },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct sample *a = rows[i].a, *b = rows[i].b;

		check_ranks(stats_mann_whitney(a->values, a->n, b->values, b->n), rows[i].u, rows[i].p, true);
		check_ranks(stats_mann_whitney(b->values, b->n, a->values, a->n), (double)(a->n * b->n) - rows[i].u,
			rows[i].p, true);
	}
}

static void mann_whitney_of_many(void)
{
	double a[30], b[30];

	for (size_t i = 0; i < 25; i++) {
		a[i] = 2 * (double)i;
		b[i] = 2 * (double)i + 5;
	}
	check_ranks(stats_mann_whitney(a, 25, b, 25), 253, 16103194792625 / 63205303218876., true);
	for (size_t i = 0; i < 25; i++) {
		a[i] = (double)(i * 7 % 11);
		b[i] = (double)(i * 5 % 13);
	}
	check_ranks(stats_mann_whitney(a, 25, b, 25), 260, 4933997119495 / 15801325804719., true);
	for (size_t i = 0; i < 30; i++) {
		a[i] = (double)(i * 37 % 101);
		b[i] = (double)(i * 41 % 97 + 10);
	}
	check_ranks(stats_mann_whitney(a, 30, b, 26), 330.5, 0.3323380315930925, false);
}

static void mann_whitney_edges(void)
{
	static const struct {
		struct sample a, b;
		double u, p;
		bool exact;
	} rows[] = {
		{ { 0, { 0 } }, { 0, { 0 } }, NONE, NONE, false },
		{ { 1, { 1 } }, { 0, { 0 } }, NONE, NONE, false },
		{ { 1, { 1 } }, { 1, { 2 } }, 0, 1, true },
		{ { 3, { 5, 5, 5 } }, { 2, { 5, 5 } }, 3, 1, true },
		{ { 4, { 5, 5, 5, 5 } }, { 4, { 6, 6, 6, 6 } }, 0, 2 / 70., true },
		{ { 4, { 0, -0.0, 0, 0 } }, { 4, { 0, 0, -0.0, 0 } }, 8, 1, true },
		{ { 4, { 1e300, 2e300, -1e300, 0 } }, { 4, { 1e-300, 2e-300, 3e-300, -1e-300 } }, 9, 62 / 70., true },
		{ { 4, { -1, -2, -3, -4 } }, { 4, { 1, 2, 3, 4 } }, 0, 2 / 70., true },
		{ { 2, { 1, NONE } }, { 2, { 3, 4 } }, NONE, NONE, false },
		{ { 2, { 1, 2 } }, { 2, { 3, HUGE_VAL } }, NONE, NONE, false },
	};
	static const double equal[60] = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check_ranks(stats_mann_whitney(rows[i].a.values, rows[i].a.n, rows[i].b.values, rows[i].b.n), rows[i].u,
			rows[i].p, rows[i].exact);
	check_ranks(stats_mann_whitney(equal, 30, equal, 30), 450, 1, false);
}

static void smallest_p(void)
{
	static const struct {
		size_t n;
		double p;
	} rows[] = { { 3, 0.1 }, { 4, 0.0285714286 }, { 5, 0.00793650794 }, { 6, 0.00216450216 },
		{ 10, 1.08250882e-5 } };
	double values[20];

	for (size_t i = 0; i < 20; i++)
		values[i] = (double)i;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		CHECK_NEAR(stats_mann_whitney(values, rows[i].n, values + rows[i].n, rows[i].n).p, rows[i].p, 3e-9);
}

static void signed_rank(void)
{
	static const struct {
		struct sample differences;
		double w, p;
	} rows[] = {
		/* sleep2 - sleep1: the zero takes rank 1, the others have 2 to 10. */
		{ { 10, { 1.2, 2.4, 1.3, 1.3, 0, 1.0, 1.8, 0.8, 4.6, 1.4 } }, 54, 2 / 512. },
		/* d2 - d1 */
		{ { 15, { -0.4, 1.0, 1.8, -0.2, 6.4, 5.6, 8.9, 1.9, 2.9, -2.4, -1.2, 2.5, 3.9, -1.2, 3.0 } }, 100,
			339 / 16384. },
		{ { 5, { 1, 2, 3, 4, 5 } }, 15, 0.0625 },
		{ { 5, { -1, -2, -3, -4, -5 } }, 0, 0.0625 },
		{ { 6, { 1, 2, 3, 4, 5, 6 } }, 21, 0.03125 },
		{ { 8, { 1, 2, 3, 4, 5, 6, 7, 8 } }, 36, 0.0078125 },
		{ { 10, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 } }, 55, 0.001953125 },
		{ { 20, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 } }, 210,
			1.9073486328125e-6 },
		{ { 8, { -1, 2, -3, 4, 5, 6, 7, 8 } }, 32, 0.0546875 },
		{ { 8, { 0, 0, 1, 1, -1, 2, 2, -3 } }, 21, 0.625 },
		{ { 3, { 0, -0.0, 0 } }, 0, 1 },
		{ { 1, { 3 } }, 1, 1 },
		{ { 2, { 3, -3 } }, 1.5, 1 },
		{ { 6, { 1e-300, 2e-300, 1, 2, 1e300, 2e300 } }, 21, 0.03125 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check_ranks(stats_signed_rank(rows[i].differences.values, rows[i].differences.n, 0), rows[i].w,
			rows[i].p, true);
}

static void signed_rank_edges(void)
{
	static const double none[] = { 1, 2, NONE }, infinite[] = { HUGE_VAL, 2, 1 };
	double values[60];

	check_ranks(stats_signed_rank(NULL, 0, 0), NONE, NONE, false);
	check_ranks(stats_signed_rank(none, 3, 0), NONE, NONE, false);
	check_ranks(stats_signed_rank(infinite, 3, 0), NONE, NONE, false);
	for (size_t i = 0; i < 60; i++)
		values[i] = i % 3 ? (double)(i + 1) : -(double)(i + 1);
	check_ranks(stats_signed_rank(values, 50, 0), 850, 0.03996834652842374, true);
	for (size_t i = 0; i < 60; i++)
		values[i] = (double)(i * 37 % 101) - 40;
	check_ranks(stats_signed_rank(values, 60, 0), 1222, 0.02381479788042479, false);
	for (size_t i = 0; i < 60; i++)
		values[i] = 0;
	check_ranks(stats_signed_rank(values, 60, 0), 0, 1, false);
}

/* Sets of which one lies wholly above the other: the more runs, the smaller p. */
static void apart(void)
{
	double a[90], b[90], last = 1;

	for (size_t i = 0; i < ARRAY_SIZE(a); i++) {
		a[i] = (double)i;
		b[i] = (double)(i + 1000);
	}
	for (size_t n = 4; n <= ARRAY_SIZE(a); n++) {
		struct stats_ranks ranks = stats_mann_whitney(a, n, b, n);
		double pairs = (double)n * (double)n;

		CHECK_NEAR(ranks.statistic, 0, 0);
		CHECK_NEAR(ranks.excess, -pairs / 2, 0);
		CHECK(ranks.p > 0 && (ranks.p < last || n == 26)); /* from there on it is the normal one */
		if (!ranks.exact)
			CHECK_NEAR(ranks.p, erfc((pairs / 2 - 0.5) / sqrt(pairs * (2 * (double)n + 1) / 12) / M_SQRT2),
				1e-10);
		last = ranks.p;
		CHECK(stats_signed_rank(b, n, 0).p <= 0.125 && stats_signed_rank(b, n, 0).excess > 0);
	}
}

/* What rounding makes of 0.1 and 0.3 - 0.2 is one size. */
static void nearly_equal(void)
{
	static const double differences[] = { 0.1, -(0.3 - 0.2), 0.2, 0.4 - 0.2, 5 };
	static const double exactly[] = { 1, -1, 2, 2, 5 };

	check_ranks(stats_signed_rank(differences, 5, 1e-15), stats_signed_rank(exactly, 5, 0).statistic,
		stats_signed_rank(exactly, 5, 0).p, true);
	CHECK_NEAR(stats_signed_rank(differences, 5, 0).statistic, 14, 0);
}

/* Differences 1 to n in size, of which the positive ones have ranks that add up to w. */
static double p_of_sum(size_t n, size_t w)
{
	double differences[20];

	for (size_t rank = n; rank > 0; rank--) {
		bool positive = rank <= w;

		differences[rank - 1] = positive ? (double)rank : -(double)rank;
		w -= positive ? rank : 0;
	}
	return stats_signed_rank(differences, n, 0).p;
}

static void largest_sums(void)
{
	static const struct {
		size_t n, w;
	} rows[] = { { 6, 0 }, { 8, 3 }, { 10, 8 }, { 15, 25 }, { 20, 52 } };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		CHECK(p_of_sum(rows[i].n, rows[i].w) <= 0.05);
		CHECK(p_of_sum(rows[i].n, rows[i].w + 1) > 0.05);
	}
}

static const struct test tests[] = {
	{ "U and its exact p are those of other programs, from either side, with ties and without", mann_whitney },
	{ "25 a side are counted exactly, more are normal with the ties corrected", mann_whitney_of_many },
	{ "U of none, one, equal, huge, tiny, negative and infinite values is defined", mann_whitney_edges },
	{ "two sets that are wholly apart have the smallest p", smallest_p },
	{ "W+ and its exact p have zeros by Pratt's rule and ties on midranks", signed_rank },
	{ "W+ of none, many and infinite differences is defined", signed_rank_edges },
	{ "sets that are wholly apart have the smallest p, whatever their size", apart },
	{ "differences that rounding alone tells apart are tied", nearly_equal },
	{ "the largest sums of ranks that reach 5 % are those of the printed table", largest_sums },
};

TEST_MAIN(tests)
