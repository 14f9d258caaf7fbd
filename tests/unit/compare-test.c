// SPDX-License-Identifier: GPL-2.0-only
#include "compare.h"

#include <math.h>

#include "noise.h"
#include "test.h"

#define ROUNDS rounds_of(200)

static const double base[] = { 1.00, 1.01, 0.99, 1.02, 0.98, 1.005, 0.995, 1.015 };
static const double worse[] = { 1.10, 1.11, 1.09, 1.12, 1.08, 1.105, 1.095, 1.115 };

static struct comparison compared(
	const double *a, size_t n, const double *b, size_t m, bool pairs, enum better better, double threshold)
{
	struct comparison comparison, *all[] = { &comparison };

	compare_sets(&comparison, a, n, b, m, pairs, better);
	compare_judge(all, 1, threshold);
	return comparison;
}

static void words_of_sets(void)
{
	static const struct {
		const double *a, *b;
		size_t n, m;
		enum better better;
		double threshold;
		enum compare_word word;
	} rows[] = {
		{ base, worse, 8, 8, BETTER_LOWER, 0, COMPARE_REGRESSED },
		{ worse, base, 8, 8, BETTER_LOWER, 0, COMPARE_IMPROVED },
		{ base, worse, 8, 8, BETTER_HIGHER, 0, COMPARE_IMPROVED },
		{ base, worse, 8, 8, BETTER_NONE, 0, COMPARE_CHANGED },
		{ base, worse, 8, 8, BETTER_LOWER, 20, COMPARE_BELOW },
		{ base, base, 8, 8, BETTER_LOWER, 0, COMPARE_NONE },
		{ base, base, 8, 8, BETTER_LOWER, 5, COMPARE_NONE },
		{ base, base, 8, 8, BETTER_LOWER, 0.1, COMPARE_CANNOT_TELL },
		{ base, worse, 4, 4, BETTER_LOWER, 0, COMPARE_REGRESSED },
		{ base, worse, 3, 3, BETTER_LOWER, 0, COMPARE_REGRESSED },
		{ base, worse, 1, 8, BETTER_LOWER, 0, COMPARE_CANNOT_TELL },
		{ base, worse, 1, 1, BETTER_LOWER, 0, COMPARE_CANNOT_TELL },
		{ base, worse, 0, 8, BETTER_LOWER, 0, COMPARE_CANNOT_TELL },
		{ base, worse, 0, 0, BETTER_LOWER, 0, COMPARE_CANNOT_TELL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct comparison c =
			compared(rows[i].a, rows[i].n, rows[i].b, rows[i].m, false, rows[i].better, rows[i].threshold);

		CHECK_TEXT(compare_word_text(c.word), compare_word_text(rows[i].word));
	}
}

static void tests_of_sets(void)
{
	CHECK_INT(compared(base, 8, worse, 8, false, BETTER_LOWER, 0).test, COMPARE_MANN_WHITNEY);
	CHECK_INT(compared(base, 4, worse, 4, false, BETTER_LOWER, 0).test, COMPARE_MANN_WHITNEY);
	CHECK_INT(compared(base, 3, worse, 8, false, BETTER_LOWER, 0).test, COMPARE_WELCH);
	CHECK_INT(compared(base, 8, worse, 8, true, BETTER_LOWER, 0).test, COMPARE_SIGNED_RANK);
	CHECK_NEAR(compared(base, 8, worse, 8, true, BETTER_LOWER, 0).p, 2.0 / 256, 1e-12);
	CHECK_INT(compared(base, 5, worse, 5, true, BETTER_LOWER, 0).word, COMPARE_CANNOT_TELL);
	CHECK_INT(compared(base, 6, worse, 6, true, BETTER_LOWER, 0).word, COMPARE_REGRESSED);
}

/* The signs of a change, and an interval that holds it. */
static void changes(void)
{
	struct comparison c = compared(base, 8, worse, 8, false, BETTER_LOWER, 0), half;

	CHECK_NEAR(c.change, 100 * (1.101875 / 1.001875 - 1), 1e-12);
	CHECK(c.low < c.change && c.change < c.high);
	CHECK(c.low > 0);
	CHECK_UINT(compare_needed(&c), 0);
	c = compared(worse, 8, base, 8, false, BETTER_LOWER, 0);
	CHECK(c.high < 0);
	c = compared(base, 8, base, 8, false, BETTER_LOWER, 0);
	CHECK_NEAR(c.change, 0, 0.0);
	CHECK(c.least > 1 && c.least < 5);
	CHECK(compare_needed(&c) > 8 && compare_needed(&c) < 100);
	half = compared(base, 8, base, 8, false, BETTER_LOWER, 0.5);
	CHECK(compare_needed(&half) > compare_needed(&c));
}

/* Ratios do not exist for these; ranks do. */
static void zeros_and_negatives(void)
{
	static const double zeros[8] = { 0 }, some[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	static const double below[] = { -1, -2, -3, -4, -5, -6, -7, -8 };
	struct comparison c = compared(zeros, 8, some, 8, false, BETTER_LOWER, 0);

	CHECK_INT(c.word, COMPARE_REGRESSED);
	CHECK(isnan(c.change) && isnan(c.low) && isnan(c.high) && isnan(c.least));
	c = compared(zeros, 8, zeros, 8, false, BETTER_LOWER, 0);
	CHECK_INT(c.word, COMPARE_NONE);
	CHECK_NEAR(c.p, 1, 0.0);
	c = compared(some, 8, below, 8, false, BETTER_LOWER, 0);
	CHECK_INT(c.word, COMPARE_IMPROVED);
	c = compared(some, 8, below, 8, true, BETTER_HIGHER, 0);
	CHECK_INT(c.word, COMPARE_REGRESSED);
}

/* The word goes with the test, wherever the mean or a wide interval lie. */
static void directions(void)
{
	static const double rates[] = { 100, 101, 102, 103 }, slower[] = { 97, 98, 99, 20 };
	static const double times[] = { 1, 1.001, 1.002, 1.003 }, shorter[] = { .99, .991, .992, .01 };
	static const double zeros[5] = { 0 }, below[] = { -1, -2, -3, -4, -5 };

	CHECK_INT(compared(rates, 4, slower, 4, false, BETTER_HIGHER, 0).word, COMPARE_REGRESSED);
	CHECK_INT(compared(slower, 4, rates, 4, false, BETTER_HIGHER, 0).word, COMPARE_IMPROVED);
	CHECK_INT(compared(times, 4, shorter, 4, false, BETTER_LOWER, 0).word, COMPARE_IMPROVED);
	CHECK_INT(compared(shorter, 4, times, 4, false, BETTER_LOWER, 0).word, COMPARE_REGRESSED);
	CHECK_INT(compared(zeros, 5, below, 5, false, BETTER_LOWER, 0).word, COMPARE_IMPROVED);
	CHECK_INT(compared(base, 3, worse, 3, false, BETTER_HIGHER, 0).word, COMPARE_IMPROVED);
}

/* 2 to 3 and 3 to 2 are one ratio, and so are 0.1 to 0.3 and 0.2 to 0.6. */
static void tied_ratios(void)
{
	static const double a[] = { 4, 3, 2 }, b[] = { 1, 2, 3 };
	static const double whole[2][12] = { { 2, 2, 3, 4, 5, 2, 2, 1, 1, 1, 5, 2 },
		{ 5, 4, 3, 6, 3, 5, 2, 2, 5, 7, 2, 4 } };
	double tenths[2][12];

	CHECK_NEAR(compared(a, 3, b, 3, true, BETTER_LOWER, 0).p, 0.75, 0);
	CHECK_NEAR(compared(whole[0], 12, whole[1], 12, true, BETTER_LOWER, 0).p, 0.05859375, 0);
	for (size_t i = 0; i < 24; i++)
		tenths[i / 12][i % 12] = whole[i / 12][i % 12] / 10;
	CHECK_NEAR(compared(tenths[0], 12, tenths[1], 12, true, BETTER_LOWER, 0).p, 0.05859375, 0);
	for (size_t i = 0; i < 24; i++)
		tenths[i / 12][i % 12] = whole[i / 12][i % 12] / 7e9;
	CHECK_NEAR(compared(tenths[0], 12, tenths[1], 12, true, BETTER_LOWER, 0).p, 0.05859375, 0);
}

/* Many runs, of which all differ: there is no number of them for which nothing is found. */
static void many_runs(void)
{
	double a[100], b[100];

	for (size_t i = 0; i < ARRAY_SIZE(a); i++) {
		a[i] = 100 + (double)i / 100;
		b[i] = 2 * a[i];
	}
	for (size_t n = 6; n <= ARRAY_SIZE(a); n++) {
		CHECK_INT(compared(a, n, b, n, false, BETTER_LOWER, 0).word, COMPARE_REGRESSED);
		CHECK_INT(compared(a, n, b, n, true, BETTER_LOWER, 0).word, COMPARE_REGRESSED);
	}
}

/* No double holds a hundred times these, or one over the other. */
static void huge_ratios(void)
{
	static const double tiny[] = { 1e-200, 1.1e-200, 1.2e-200, 1.3e-200, 1.4e-200, 1.5e-200 };
	static const double huge[] = { 1e200, 1.1e200, 1.2e200, 1.3e200, 1.4e200, 1.5e200 };
	static const double large[] = { 1e307, 1.1e307, 1.2e307, 1.3e307 },
			    larger[] = { 9e307, 9.1e307, 9.2e307, 9.3e307 };

	CHECK_INT(compared(tiny, 6, huge, 6, true, BETTER_LOWER, 0).word, COMPARE_REGRESSED);
	CHECK_INT(compared(huge, 6, tiny, 6, true, BETTER_LOWER, 0).word, COMPARE_IMPROVED);
	CHECK_NEAR(compared(large, 4, larger, 4, false, BETTER_LOWER, 0).change, 695.65217391304348, 1e-12);
}

static void one_outlier(void)
{
	static const double a[] = { 10.0, 10.1, 9.9, 10.0, 10.2 }, b[] = { 10.3, 10.4, 10.3, 10.5, 15.0 };
	struct comparison c = compared(a, 5, b, 5, false, BETTER_LOWER, 0);

	CHECK_INT(c.word, COMPARE_REGRESSED);
	CHECK(compare_disagreement(&c) != NULL);
	c = compared(base, 8, worse, 8, false, BETTER_LOWER, 0);
	CHECK(compare_disagreement(&c) == NULL);
}

/* What rounding makes of nothing is nothing. */
static void rounded(void)
{
	static const double a[] = { 0.3, 0.3, 0.3, 0.3, 0.3, 0.3 };
	double b[6];

	for (size_t i = 0; i < ARRAY_SIZE(b); i++)
		b[i] = 0.1 + 0.2;
	CHECK(b[0] != a[0]);
	CHECK_INT(compared(a, 6, b, 6, true, BETTER_LOWER, 0).word, COMPARE_NONE);
}

/* Without a t that a double holds there is a direction all the same. */
static void no_t(void)
{
	static const double a[] = { 1e10, 1e10 }, b[] = { 1e-300, 2e-300 };

	CHECK_INT(compared(a, 2, b, 2, false, BETTER_LOWER, 0).word, COMPARE_IMPROVED);
}

/* Tests that are near the border of 0.05 on either side of it, without a run far out. */
static void near_border(void)
{
	static const double a[] = { 1, 1.01, 1.02, 1.03 }, b[] = { 1.025, 1.04, 1.05, 1.06 };
	struct comparison c = compared(a, 4, b, 4, false, BETTER_LOWER, 0);

	CHECK(!c.outliers && c.p > 0.05 && c.welch_p < 0.05);
	CHECK_TEXT(compare_disagreement(&c), "the mean moved, and the ranks hardly enough");
}

/* Rows of many and few runs: one that is wholly apart is found among forty, and in a row of few runs nothing can be. */
static void many_rows(void)
{
	enum { ROWS = 40 };
	struct random random = { 7 };
	struct comparison comparisons[ROWS], *all[ROWS];
	double a[26], b[26];

	for (size_t few = 4; few <= 26; few += 22) {
		for (size_t i = 0; i < ROWS; i++) {
			for (size_t k = 0; k < 26; k++) {
				a[k] = 1 + uniform(&random) / 100;
				b[k] = 1 + uniform(&random) / 100 + (i == 0);
			}
			all[i] = &comparisons[i];
			compare_sets(all[i], a, few, b, 26, false, BETTER_LOWER);
		}
		compare_judge(all, ROWS, 0);
		CHECK_INT(comparisons[0].word, COMPARE_REGRESSED);
		CHECK_UINT(comparisons[0].tests, ROWS);
	}
	compare_sets(all[1], a, 4, b, 4, false, BETTER_LOWER);
	compare_judge(all, ROWS, 0);
	CHECK_INT(comparisons[1].word, COMPARE_CANNOT_TELL);
	CHECK_UINT(comparisons[1].rivals, ROWS - 1); /* what was found is none */
	CHECK_UINT(comparisons[1].enough, 7);        /* 2 / C(14, 7) * 39 is below 0.05, and of 6 runs it is not */
}

/* Rows that have no p are no rivals. */
static void rows_without_p(void)
{
	static const double same[] = { 1, 1, 1 }, few[] = { 1.01, 1.02, 1.03, 1.04 },
			    others[] = { 1, 1.025, 1.035, 1.045 };
	struct comparison comparisons[2], *all[] = { &comparisons[0], &comparisons[1] };

	compare_sets(all[0], same, 3, same, 3, false, BETTER_LOWER);
	compare_sets(all[1], few, 4, others, 4, false, BETTER_LOWER);
	compare_judge(all, 2, 0);
	CHECK_INT(comparisons[0].word, COMPARE_CANNOT_TELL);
	CHECK_INT(comparisons[1].word, COMPARE_NONE);
	CHECK_UINT(comparisons[1].tests, 1);
}

static void pairs_that_are_enough(void)
{
	CHECK_UINT(compared(base, 0, worse, 0, true, BETTER_LOWER, 0).enough, 6);
	CHECK_UINT(compared(base, 5, worse, 5, true, BETTER_LOWER, 0).enough, 6);
	CHECK_UINT(compared(base, 1, worse, 8, false, BETTER_LOWER, 0).enough, 2);
}

/* How often a change is found that is as large as the smallest that should be, in one of so many rows of normal runs. */
static double power_of_least(struct random *random, size_t n, bool pairs, size_t rows)
{
	enum { TABLES = 2000, DEVIATIONS = 100 };
	double level = 0.05 / (double)rows;
	double change = pairs ? stats_least_change_signed_rank(n, level) : stats_least_change_ranks(n, n, level);
	unsigned found = 0, tables = rounds_of(TABLES);

	for (unsigned t = 0; t < tables; t++) {
		struct comparison comparisons[5] = { 0 }, *all[5];
		double a[20], b[20];

		for (size_t row = 0; row < rows; row++) {
			for (size_t i = 0; i < n; i++) {
				a[i] = exp(normal(random) / DEVIATIONS);
				b[i] = (pairs ? a[i] : 1) * exp((normal(random) + (row ? 0 : change)) / DEVIATIONS);
			}
			all[row] = &comparisons[row];
			compare_sets(all[row], a, n, b, n, pairs, BETTER_LOWER);
		}
		compare_words(all, rows, 0);
		found += comparisons[0].word == COMPARE_REGRESSED;
	}
	return found / (double)tables;
}

static void least_changes(void)
{
	static const struct {
		size_t n, rows;
		bool pairs;
	} cases[] = { { 8, 1, true }, { 10, 2, true }, { 20, 1, true }, { 5, 1, false }, { 8, 1, false },
		{ 10, 5, false } };
	struct random random = { 11 };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		double power = power_of_least(&random, cases[i].n, cases[i].pairs, cases[i].rows);

		CHECK(power > 0.74 && power < 0.86);
	}
}

static bool is_found(const struct comparison *c)
{
	return c->word == COMPARE_IMPROVED || c->word == COMPARE_REGRESSED;
}

/* Tables of identical sets: how many have a row in which something is found. */
static unsigned false_tables(struct random *random, enum noise noise, size_t rows, size_t n, bool pairs)
{
	struct comparison comparisons[10], *all[10];
	double a[20], b[20];
	unsigned found = 0;

	for (unsigned round = 0; round < ROUNDS; round++) {
		bool any = false;

		for (size_t i = 0; i < rows; i++) {
			for (size_t k = 0; k < n; k++) {
				a[k] = draw(random, noise);
				b[k] = draw(random, noise);
			}
			all[i] = &comparisons[i];
			compare_sets(all[i], a, n, b, n, pairs, BETTER_LOWER);
		}
		compare_words(all, rows, 0);
		for (size_t i = 0; i < rows; i++)
			any |= is_found(all[i]);
		found += any;
	}
	return found;
}

static void identical_tables(void)
{
	struct random random = { 6 };

	for (enum noise noise = 0; noise < NOISES; noise++) {
		CHECK(false_tables(&random, noise, 1, 10, false) <= most_of(0.05, ROUNDS));
		CHECK(false_tables(&random, noise, 1, 10, true) <= most_of(0.05, ROUNDS));
		CHECK(false_tables(&random, noise, 10, 8, false) <= most_of(0.05, ROUNDS));
	}
}

/* So that the test above cannot pass because nothing is ever found. */
static void real_changes(void)
{
	struct random random = { 7 };
	unsigned found = 0;
	double a[10], b[10];

	for (unsigned round = 0; round < ROUNDS; round++) {
		struct comparison c, *all = &c;

		for (size_t i = 0; i < ARRAY_SIZE(a); i++) {
			a[i] = draw(&random, NORMAL);
			b[i] = draw(&random, NORMAL) + 2;
		}
		compare_sets(&c, a, ARRAY_SIZE(a), b, ARRAY_SIZE(b), false, BETTER_LOWER);
		compare_words(&all, 1, 0);
		CHECK(c.word != COMPARE_IMPROVED);
		found += c.word == COMPARE_REGRESSED;
	}
	CHECK(found > 0.95 * ROUNDS);
}

static const struct test tests[] = {
	{ "each word is said of the sets that it is meant for", words_of_sets },
	{ "the test is chosen by the number of runs and by whether they are pairs", tests_of_sets },
	{ "a change has its sign, its interval, and what could have been found", changes },
	{ "values that have no ratio are compared by their ranks", zeros_and_negatives },
	{ "the word has the direction of what the test has found", directions },
	{ "equal ratios are tied, whatever rounding makes of them", tied_ratios },
	{ "a large change is found with any number of runs", many_runs },
	{ "ratios that no double holds are compared all the same", huge_ratios },
	{ "differences that rounding makes are none", rounded },
	{ "a change is found in its direction where no double holds Welch's t", no_t },
	{ "tests that disagree near the border are not said to have outliers", near_border },
	{ "the rows of a table are held against those that can still be found", many_rows },
	{ "rows that have no p make nothing harder", rows_without_p },
	{ "how many pairs or runs are enough is said of none too", pairs_that_are_enough },
	{ "the smallest change that is said to be found is found in four of five tables", least_changes },
	{ "an outlier that hides a change from the mean is told", one_outlier },
	{ "of identical sets a difference is said in at most 5 % of the tables", identical_tables },
	{ "of sets that differ by two deviations it is said", real_changes },
};

TEST_MAIN(tests)
