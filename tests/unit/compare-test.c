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
	struct comparison c = compared(base, 8, worse, 8, false, BETTER_LOWER, 0);

	CHECK_NEAR(c.change, 100 * (1.101875 / 1.001875 - 1), 1e-12);
	CHECK(c.low < c.change && c.change < c.high);
	CHECK(c.low > 0);
	CHECK_UINT(c.needed, 0);
	c = compared(worse, 8, base, 8, false, BETTER_LOWER, 0);
	CHECK(c.high < 0);
	c = compared(base, 8, base, 8, false, BETTER_LOWER, 0);
	CHECK_NEAR(c.change, 0, 0.0);
	CHECK(c.least > 1 && c.least < 5);
	CHECK(c.needed > 8 && c.needed < 100);
	CHECK(compared(base, 8, base, 8, false, BETTER_LOWER, 0.5).needed > c.needed);
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
	{ "an outlier that hides a change from the mean is told", one_outlier },
	{ "of identical sets a difference is said in at most 5 % of the tables", identical_tables },
	{ "of sets that differ by two deviations it is said", real_changes },
};

TEST_MAIN(tests)
