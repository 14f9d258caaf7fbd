// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "stats.h"
#include "test.h"

#define CLOSE 1e-10
#define NONE  ((double)NAN) /* NAN itself is a float */

static void printed_table(void)
{
	static const struct {
		size_t n;
		double expected;
	} rows[] = { { 3, 3.0709 }, { 4, 2.3808 }, { 5, 2.0244 }, { 6, 1.7955 }, { 8, 1.5066 }, { 10, 1.3249 },
		{ 15, 1.0598 }, { 20, 0.9091 }, { 30, 0.7356 }, { 50, 0.5659 } };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		CHECK(fabs(stats_least_change(rows[i].n, rows[i].n, 0.05) - rows[i].expected) <= 0.00005);
}

/* Integrated in another way, by Simpson's rule over the density of S itself. */
static void digits(void)
{
	static const struct {
		size_t n, m;
		double expected;
	} sets[] = {
		{ 0, 5, NONE },
		{ 1, 5, NONE },
		{ 5, 1, NONE },
		{ 2, 2, 5.653489266405797 },
		{ 3, 3, 3.070892843773184 },
		{ 8, 8, 1.5066358502331572 },
		{ 50, 50, 0.5658829350788978 },
		{ 4, 9, 1.8498832014623559 },
		{ 9, 4, 1.8498832014623559 },
	};
	static const struct {
		size_t n;
		double expected;
	} pairs[] = {
		{ 0, NONE },
		{ 1, NONE },
		{ 2, 11.5498884358825 },
		{ 3, 3.2640435498200473 },
		{ 6, 1.4345453439499902 },
		{ 20, 0.6604424098186749 },
		/* Normal: 1.95996398454005424 + 0.841621233572914205, over the root of n. */
		{ 1000000000, 2.80158521811296845 / 31622.7766016838 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(sets); i++)
		CHECK_NEAR(stats_least_change(sets[i].n, sets[i].m, 0.05), sets[i].expected, CLOSE);
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
		CHECK_NEAR(stats_least_change_pairs(pairs[i].n, 0.05), pairs[i].expected, i < 6 ? CLOSE : 1e-8);
}

static void needed(void)
{
	static const size_t n[] = { 2, 3, 4, 7, 20, 1000, 1234567 };

	for (size_t i = 0; i < ARRAY_SIZE(n); i++) {
		double change = stats_least_change(n[i], n[i], 0.05);

		CHECK_UINT(stats_runs_needed(change * (1 + 1e-8), 0.05), n[i]);
		CHECK_UINT(stats_runs_needed(-change * (1 + 1e-8), 0.05), n[i]);
		CHECK_UINT(stats_runs_needed(change * (1 - 1e-8), 0.05), n[i] + 1);
		change = stats_least_change_pairs(n[i], 0.05);
		CHECK_UINT(stats_pairs_needed(change * (1 + 1e-8), 0.05), n[i] < 6 ? 6 : n[i]);
		CHECK_UINT(stats_pairs_needed(change * (1 - 1e-8), 0.05), n[i] < 6 ? 6 : n[i] + 1);
	}
}

static void needed_edges(void)
{
	static const struct {
		double change;
		size_t runs, pairs;
	} rows[] = {
		{ 0, SIZE_MAX, SIZE_MAX },
		{ NONE, SIZE_MAX, SIZE_MAX },
		{ HUGE_VAL, SIZE_MAX, SIZE_MAX },
		{ -HUGE_VAL, SIZE_MAX, SIZE_MAX },
		{ 1e-300, SIZE_MAX, SIZE_MAX },
		{ 1e-3, 15697761, 7848882 }, /* the normal numbers, and z^2 / 4 and z^2 / 2 more for t */
		{ 8.8e-5, SIZE_MAX, SIZE_MAX },
		{ 1e300, 2, 6 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		CHECK_UINT(stats_runs_needed(rows[i].change, 0.05), rows[i].runs);
		CHECK_UINT(stats_pairs_needed(rows[i].change, 0.05), rows[i].pairs);
	}
	CHECK(stats_pairs_needed(9e-5, 0.05) < 1000000000);
}

static const struct test tests[] = {
	{ "the smallest change that two sets find is that of the printed table", printed_table },
	{ "the smallest change has ten digits, from two runs up", digits },
	{ "so many runs find just the change that is the smallest for so many", needed },
	{ "no change, none that is finite and one for a billion runs have a defined answer", needed_edges },
};

TEST_MAIN(tests)
