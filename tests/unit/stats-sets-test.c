// SPDX-License-Identifier: GPL-2.0-only
#include <float.h>
#include <math.h>

#include "samples.h"
#include "stats.h"
#include "test.h"

#define EXACT 0.0
#define CLOSE 1e-10
#define NONE  ((double)NAN) /* NAN itself is a float */

static struct stats_welch welch_of(const struct sample *a, const struct sample *b)
{
	return stats_welch(a->values, a->n, b->values, b->n);
}

static void welch_tests(void)
{
	static const struct {
		const struct sample *a, *b;
		double t, df, p;
	} rows[] = {
		{ &d1, &d2, -2.4553563982860051, 24.988529290231414, 0.021378001462867032 },
		{ &d3, &d4, -1.5654335235985052, 9.9047412486508289, 0.14884169660532799 },
		{ &d7, &d8, 1.9590058081081015, 7.0305599598843143, 0.090773324285666888 },
		{ &x, &y, -9.5594977219326583, 2.0008523488562839, 0.010751561149784497 },
		{ &sleep1, &sleep2, -1.860813467486853, 17.77647351617849, 0.07939414018735814 },
		{ &a5, &b5, 19.86798535597566, 8, 4.291536427685212e-8 },
		{ &e3, &f8, -4.785811398926624, 3.847792897444408, 0.009617065099914092 },
		{ &g5, &h5, -1.359009027732812, 4.02427048839538, 0.2453208897101984 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct stats_welch welch = welch_of(rows[i].a, rows[i].b);

		CHECK_NEAR(welch.t, rows[i].t, CLOSE);
		CHECK_NEAR(welch.df, rows[i].df, CLOSE);
		CHECK_NEAR(welch.p, rows[i].p, CLOSE);
		welch = welch_of(rows[i].b, rows[i].a);
		CHECK_NEAR(welch.t, -rows[i].t, CLOSE);
		CHECK_NEAR(welch.p, rows[i].p, CLOSE);
	}
}

static void welch_intervals(void)
{
	static const struct {
		const struct sample *a, *b;
		double low, high;
	} rows[] = {
		{ &d1, &d2, -3.98409626714093, -0.349237066192405 },
		{ &sleep1, &sleep2, -3.365483230711711, 0.205483230711711 },
		{ &a5, &b5, 2.651801011443177, 3.348198988556823 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct stats_welch welch = welch_of(rows[i].a, rows[i].b);

		CHECK_NEAR(welch.low, rows[i].low, CLOSE);
		CHECK_NEAR(welch.high, rows[i].high, CLOSE);
	}
}

/* Half the interval of two against two with deviations of sqrt(2): the 0.975 quantile of t, two degrees of freedom. */
#define HALF (4.30265272974946 * M_SQRT2)

static void welch_edges(void)
{
	static const struct {
		struct sample a, b;
		struct stats_welch expected;
	} rows[] = {
		{ { 0, { 0 } }, { 0, { 0 } }, { NONE, NONE, NONE, NONE, NONE } },
		{ { 0, { 0 } }, { 2, { 1, 2 } }, { NONE, NONE, NONE, NONE, NONE } },
		{ { 1, { 1 } }, { 2, { 1, 2 } }, { NONE, NONE, NONE, NONE, NONE } },
		{ { 2, { 5, 5 } }, { 2, { 5, 5 } }, { NONE, NONE, NONE, NONE, NONE } },
		{ { 2, { 5, 5 } }, { 3, { 6, 6, 6 } }, { NONE, NONE, NONE, NONE, NONE } },
		{ { 2, { 0, 0 } }, { 2, { 0, 0 } }, { NONE, NONE, NONE, NONE, NONE } },
		{ { 2, { 3, 3 } }, { 2, { 2, 4 } }, { 0, 1, 1, -12.7062047361747, 12.7062047361747 } },
		{ { 2, { 1, 3 } }, { 2, { 3, 5 } }, { -M_SQRT2, 2, 0.29289321881345248, -2 - HALF, -2 + HALF } },
		{ { 2, { -1, -3 } }, { 2, { -3, -5 } }, { M_SQRT2, 2, 0.29289321881345248, 2 - HALF, 2 + HALF } },
		{ { 2, { 1e300, 3e300 } }, { 2, { 3e300, 5e300 } },
			{ -M_SQRT2, 2, 0.29289321881345248, (-2 - HALF) * 1e300, (-2 + HALF) * 1e300 } },
		{ { 2, { 1e-300, 3e-300 } }, { 2, { 3e-300, 5e-300 } },
			{ -M_SQRT2, 2, 0.29289321881345248, (-2 - HALF) * 1e-300, (-2 + HALF) * 1e-300 } },
		{ { 2, { -DBL_MAX, -DBL_MAX } }, { 2, { 1e308, 1.5e308 } }, { NONE, NONE, NONE, NONE, NONE } },
		{ { 2, { 1, NONE } }, { 2, { 3, 5 } }, { NONE, NONE, NONE, NONE, NONE } },
		{ { 2, { 1, 3 } }, { 2, { 3, HUGE_VAL } }, { NONE, NONE, NONE, NONE, NONE } },
		{ { 2, { -HUGE_VAL, 3 } }, { 2, { 3, 5 } }, { NONE, NONE, NONE, NONE, NONE } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct stats_welch welch = welch_of(&rows[i].a, &rows[i].b);

		CHECK_NEAR(welch.t, rows[i].expected.t, CLOSE);
		CHECK_NEAR(welch.df, rows[i].expected.df, CLOSE);
		CHECK_NEAR(welch.p, rows[i].expected.p, CLOSE);
		CHECK_NEAR(welch.low, rows[i].expected.low, CLOSE);
		CHECK_NEAR(welch.high, rows[i].expected.high, CLOSE);
	}
}

static void check_ratio(const struct sample *a, const struct sample *b, const struct stats_ratio *expected)
{
	struct stats_ratio ratio = stats_ratio(a->values, a->n, b->values, b->n);

	CHECK_NEAR(ratio.ratio, expected->ratio, CLOSE);
	CHECK_NEAR(ratio.low, expected->low, CLOSE);
	CHECK_NEAR(ratio.high, expected->high, CLOSE);
	CHECK_NEAR(ratio.t, expected->t, CLOSE);
	CHECK_NEAR(ratio.df, expected->df, CLOSE);
	CHECK_NEAR(ratio.p, expected->p, CLOSE);
}

static void ratios(void)
{
	static const struct stats_ratio expected = { 0.91843106213920754, 0.90937900850440809, 0.9275732208613699,
		-19.83469386898151, 7.9428164185877983, 4.7452548877078273e-8 };
	static const struct {
		struct sample a, b;
		double ratio;
	} rows[] = {
		{ { 0, { 0 } }, { 0, { 0 } }, NONE },
		{ { 1, { 2 } }, { 0, { 0 } }, NONE },
		{ { 1, { 2 } }, { 1, { 3 } }, 1.5 },
		{ { 2, { 5, 5 } }, { 2, { 6, 6 } }, 1.2 },
		{ { 2, { 0, 5 } }, { 2, { 6, 7 } }, NONE },
		{ { 2, { 4, 5 } }, { 2, { 6, -7 } }, NONE },
		{ { 2, { 4, 5 } }, { 2, { 6, HUGE_VAL } }, NONE },
		{ { 2, { 4, NONE } }, { 2, { 6, 7 } }, NONE },
		{ { 1, { 1e300 } }, { 1, { 1e-300 } }, 0 },
		{ { 1, { 1e-300 } }, { 1, { 1e300 } }, NONE },
		{ { 1, { 1e-300 } }, { 1, { 3e-300 } }, 3 },
	};

	check_ratio(&a5, &b5, &expected);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct stats_ratio ratio = { rows[i].ratio, NONE, NONE, NONE, NONE, NONE };

		check_ratio(&rows[i].a, &rows[i].b, &ratio);
	}
}

/* The logarithms of both are the same but for 1e-12 of spread: without their last digits t would have none at all. */
static void ratio_of_the_last_digits(void)
{
	static const double a[] = { 1e9 + 0x1p-10, 1e9, 1e9 - 0x1p-10 }, b[] = { 1e9 + 0x1p-9, 1e9 + 0x1p-10, 1e9 };
	struct stats_ratio ratio = stats_ratio(a, 3, b, 3);

	CHECK_NEAR(ratio.t, sqrt(1.5), CLOSE);
	CHECK_NEAR(ratio.df, 4, CLOSE);
}

static void holm(void)
{
	static const struct {
		size_t n;
		double p[6], expected[6];
	} rows[] = {
		{ 5, { .01, .02, .03, .04, .05 }, { .05, .08, .09, .09, .09 } },
		{ 5, { .05, .03, .01, .04, .02 }, { .09, .09, .05, .09, .08 } },
		{ 6, { .001, .008, .039, .041, .042, .06 }, { .006, .04, .156, .156, .156, .156 } },
		{ 1, { .3 }, { .3 } },
		{ 3, { .4, .5, .9 }, { 1, 1, 1 } },
		{ 2, { 0, 1 }, { 0, 1 } },
		{ 4, { NONE, .02, NONE, .01 }, { NONE, .02, NONE, .02 } },
		{ 3, { -.1, .04, HUGE_VAL }, { NONE, .04, NONE } },
		{ 1, { NONE }, { NONE } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		double adjusted[6], *same = adjusted;

		stats_holm(rows[i].p, rows[i].n, adjusted);
		for (size_t j = 0; j < rows[i].n; j++) {
			CHECK_NEAR(adjusted[j], rows[i].expected[j], CLOSE);
			adjusted[j] = rows[i].p[j];
		}
		stats_holm(same, rows[i].n, adjusted);
		for (size_t j = 0; j < rows[i].n; j++)
			CHECK_NEAR(adjusted[j], rows[i].expected[j], CLOSE);
	}
	stats_holm(NULL, 0, NULL);
}

static void geometric_means(void)
{
	static const struct {
		size_t n;
		double values[4], expected;
	} rows[] = {
		{ 4, { 1.02, 0.97, 1.10, 0.88 }, 0.98926311333075632 },
		{ 0, { 0 }, NONE },
		{ 1, { 7 }, 7 },
		{ 3, { 0.1, 0.1, 0.1 }, 0.1 },
		{ 2, { 2, 0 }, NONE },
		{ 2, { 2, -2 }, NONE },
		{ 2, { 2, NONE }, NONE },
		{ 2, { 2, HUGE_VAL }, NONE },
		{ 2, { 1e300, 1e300 }, 1e300 },
		{ 3, { 1e-300, 1e300, 1e300 }, 1e100 },
		{ 2, { 1e300, 1e-300 }, 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		CHECK_NEAR(stats_geometric_mean(rows[i].values, rows[i].n), rows[i].expected, CLOSE);
}

static void pooled(void)
{
	static const struct {
		double a;
		size_t n;
		double b;
		size_t m;
		double expected;
	} rows[] = {
		{ 1, 5, 1, 5, 1 },
		{ 3, 2, 4, 2, 3.5355339059327378 },
		{ 3, 4, 1, 2, 2.6457513110645906 },
		{ NONE, 1, 2, 5, 2 },
		{ 2, 5, NONE, 1, 2 },
		{ NONE, 1, NONE, 0, NONE },
		{ NONE, 4, 2, 5, NONE },
		{ 3e300, 2, 4e300, 2, 3.5355339059327378e300 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		CHECK_NEAR(stats_pooled(rows[i].a, rows[i].n, rows[i].b, rows[i].m), rows[i].expected, CLOSE);
}

static const struct test tests[] = {
	{ "Welch's t, degrees of freedom and p agree with other programs", welch_tests },
	{ "the interval of the difference of means agrees with other programs", welch_intervals },
	{ "Welch's t of few, equal, huge, tiny and infinite values is defined", welch_edges },
	{ "the ratio of two sets agrees with Welch on logarithms, and exists for positive values", ratios },
	{ "the ratio sees what differs in the last digits", ratio_of_the_last_digits },
	{ "Holm's p are those of the textbook, in the order of the rows, without the rows that have none", holm },
	{ "the geometric mean has ten digits and neither overflows nor vanishes", geometric_means },
	{ "the pooled deviation weighs each set by its degrees of freedom", pooled },
};

TEST_MAIN(tests)
