// SPDX-License-Identifier: GPL-2.0-only
#include "stats.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nist.h"
#include "test.h"

/* The 0.975 quantile of t with one degree of freedom. */
#define T1    12.7062047361747
#define EXACT 0.0
#define CLOSE 1e-10
#define NONE  ((double)NAN) /* NAN itself is a float */

static void check_stats(const struct stats *actual, const struct stats *expected, double relative)
{
	CHECK_UINT(actual->n, expected->n);
	CHECK_NEAR(actual->mean, expected->mean, relative);
	CHECK_NEAR(actual->stddev, expected->stddev, relative);
	CHECK_NEAR(actual->percent, expected->percent, relative);
	CHECK_NEAR(actual->median, expected->median, relative);
	CHECK_NEAR(actual->min, expected->min, EXACT);
	CHECK_NEAR(actual->max, expected->max, EXACT);
	CHECK_NEAR(actual->low, expected->low, relative);
	CHECK_NEAR(actual->high, expected->high, relative);
}

static void nist_mavro_and_lew(void)
{
	static const struct stats expected_mavro = { ARRAY_SIZE(mavro), 2.001856, 0.000429123454003053,
		0.021436279832468111, 2.0018, 2.0013, 2.0027, 2.00173404446375287, 2.00197795553624713 };
	static const struct stats expected_lew = { ARRAY_SIZE(lew), -177.435, 277.332168044316, 156.30071183493456,
		-162, -579, 300, -216.105749472153462, -138.764250527846538 };
	struct stats s = stats_of(mavro, ARRAY_SIZE(mavro));

	/* As doubles these values have a deviation that differs from the certified one by 8e-14. */
	check_stats(&s, &expected_mavro, 1e-13);
	CHECK_NEAR(s.mean, expected_mavro.mean, 1e-15);
	s = stats_of(lew, ARRAY_SIZE(lew));
	check_stats(&s, &expected_lew, 1e-14);
}

static void nist_numacc(void)
{
	struct stats s = stats_of(numacc1, ARRAY_SIZE(numacc1));
	double values[NUMACC_COUNT];

	CHECK_NEAR(s.mean, 10000002, EXACT);
	CHECK_NEAR(s.stddev, 1, 1e-14);
	for (size_t i = 0; i < ARRAY_SIZE(numacc); i++) {
		numacc_fill(values, numacc[i].mean);
		s = stats_of(values, ARRAY_SIZE(values));
		CHECK_NEAR(s.mean, numacc[i].mean, 1e-14);
		CHECK_NEAR(s.stddev, 0.1, numacc[i].relative);
	}
}

static void edges(void)
{
	static const struct {
		double values[4];
		struct stats expected;
	} rows[] = {
		{ { 0 }, { 0, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE } },
		{ { 5 }, { 1, 5, NONE, NONE, 5, 5, 5, NONE, NONE } },
		{ { 0.1, 0.1, 0.1 }, { 3, 0.1, 0, 0, 0.1, 0.1, 0.1, 0.1, 0.1 } },
		{ { 0, 0, 0, 0 }, { 4, 0, 0, NONE, 0, 0, 0, 0, 0 } },
		{ { 3, 1 }, { 2, 2, M_SQRT2, 100 * M_SQRT1_2, 2, 1, 3, 2 - T1, 2 + T1 } },
		{ { -3, -1 }, { 2, -2, M_SQRT2, 100 * M_SQRT1_2, -2, -3, -1, -2 - T1, -2 + T1 } },
		{ { -1, 1 }, { 2, 0, M_SQRT2, NONE, 0, -1, 1, -T1, T1 } },
		{ { 4, 1, 2, 3 }, { 4, 2.5, 1.2909944487358056, 51.639777949432226, 2.5, 1, 4, 0.44573974323947924,
					  4.554260256760521 } },
		{ { 1e300, 3e300 }, { 2, 2e300, M_SQRT2 * 1e300, 100 * M_SQRT1_2, 2e300, 1e300, 3e300, (2 - T1) * 1e300,
					    (2 + T1) * 1e300 } },
		{ { 1e-300, 3e-300 }, { 2, 2e-300, M_SQRT2 * 1e-300, 100 * M_SQRT1_2, 2e-300, 1e-300, 3e-300,
					      (2 - T1) * 1e-300, (2 + T1) * 1e-300 } },
		{ { 1e-300, 1e300 }, { 2, 5e299, 5e299 * M_SQRT2, 100 * M_SQRT2, 5e299, 1e-300, 1e300,
					     (0.5 - T1 / 2) * 1e300, (0.5 + T1 / 2) * 1e300 } },
		{ { -1e300, -1 }, { 2, -5e299, 5e299 * M_SQRT2, 100 * M_SQRT2, -5e299, -1e300, -1,
					  (-0.5 - T1 / 2) * 1e300, (-0.5 + T1 / 2) * 1e300 } },
		{ { 0x1p-1074, 0x1p-1074 },
			{ 2, 0x1p-1074, 0, 0, 0x1p-1074, 0x1p-1074, 0x1p-1074, 0x1p-1074, 0x1p-1074 } },
		{ { DBL_MAX, DBL_MAX, DBL_MAX }, { 3, DBL_MAX, 0, 0, DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX } },
		{ { -DBL_MAX, DBL_MAX }, { 2, 0, NONE, NONE, 0, -DBL_MAX, DBL_MAX, NONE, NONE } },
		{ { NONE }, { 1, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE } },
		{ { 1, NONE, 3 }, { 3, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE } },
		{ { 1, 2, HUGE_VAL }, { 3, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE } },
		{ { -HUGE_VAL, HUGE_VAL }, { 2, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct stats s = stats_of(rows[i].values, rows[i].expected.n);

		check_stats(&s, &rows[i].expected, CLOSE);
	}
}

static void input_is_kept(void)
{
	static const double before[] = { 3, 1, 2 };
	double values[] = { 3, 1, 2 };
	double *sorted = stats_sorted(values, ARRAY_SIZE(values));

	free(sorted);
	stats_of(values, ARRAY_SIZE(values));
	CHECK(memcmp(values, before, sizeof(values)) == 0);
}

static void sorted_copy(void)
{
	static const double values[] = { 2, NONE, -HUGE_VAL, 1e300, NONE, -7, HUGE_VAL, 2 };
	static const double expected[] = { -HUGE_VAL, -7, 2, 2, 1e300, HUGE_VAL, NONE, NONE };
	double *sorted = stats_sorted(values, ARRAY_SIZE(values));

	for (size_t i = 0; i < ARRAY_SIZE(expected); i++)
		CHECK(sorted[i] == expected[i] || (isnan(sorted[i]) && isnan(expected[i])));
	free(sorted);
	sorted = stats_sorted(NULL, 0);
	CHECK(sorted != NULL);
	free(sorted);
}

static void quantiles(void)
{
	static const struct {
		size_t n;
		double sorted[7], p, expected;
	} rows[] = {
		{ 7, { 9.9, 10.1, 10.3, 10.3, 10.4, 10.5, 15.0 }, 0.25, 10.20 },
		{ 7, { 9.9, 10.1, 10.3, 10.3, 10.4, 10.5, 15.0 }, 0.50, 10.30 },
		{ 7, { 9.9, 10.1, 10.3, 10.3, 10.4, 10.5, 15.0 }, 0.75, 10.45 },
		{ 7, { 9.9, 10.1, 10.3, 10.3, 10.4, 10.5, 15.0 }, 0, 9.9 },
		{ 7, { 9.9, 10.1, 10.3, 10.3, 10.4, 10.5, 15.0 }, 1, 15.0 },
		{ 7, { 9.9, 10.1, 10.3, 10.3, 10.4, 10.5, 15.0 }, 0.95, 13.65 },
		{ 4, { 1, 2, 3, 4 }, 0.1, 1.3 },
		{ 2, { 1, 2 }, 0.5, 1.5 },
		{ 1, { 3 }, 0, 3 },
		{ 1, { 3 }, 0.5, 3 },
		{ 1, { 3 }, 1, 3 },
		{ 0, { 3 }, 0.5, NONE },
		{ 2, { 1, 2 }, -0.1, NONE },
		{ 2, { 1, 2 }, 1.1, NONE },
		{ 2, { 1, 2 }, NONE, NONE },
		{ 2, { -DBL_MAX, DBL_MAX }, 0.75, DBL_MAX / 2 },
		{ 3, { -HUGE_VAL, 1, HUGE_VAL }, 0.5, 1 },
	};
	static const double infinite[] = { 1, HUGE_VAL, HUGE_VAL };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		CHECK_NEAR(stats_quantile(rows[i].sorted, rows[i].n, rows[i].p), rows[i].expected, 1e-15);
	CHECK(stats_quantile(infinite, ARRAY_SIZE(infinite), 0.25) == HUGE_VAL);
	CHECK(stats_quantile(infinite, ARRAY_SIZE(infinite), 0.75) == HUGE_VAL);
}

/* Columns: 0.95, 0.975 and 0.995. */
static void t_table(void)
{
	static const double p[] = { 0.95, 0.975, 0.995 };
	static const struct {
		double df, t[ARRAY_SIZE(p)];
	} rows[] = {
		{ 1, { 6.31375151467504, 12.7062047361747, 63.6567411628716 } },
		{ 2, { 2.91998558035373, 4.30265272974946, 9.92484320091829 } },
		{ 3, { 2.35336343480182, 3.18244630528371, 5.84090930973336 } },
		{ 4, { 2.13184678632665, 2.77644510519779, 4.60409487134999 } },
		{ 5, { 2.01504837333302, 2.57058183563632, 4.03214298355523 } },
		{ 8, { 1.85954803753090, 2.30600413520417, 3.35538733133340 } },
		{ 10, { 1.81246112281168, 2.22813885198627, 3.16927267261695 } },
		{ 18, { 1.73406360661754, 2.10092204024104, 2.87844047273861 } },
		{ 24, { 1.71088207990943, 2.06389856162803, 2.79693950477446 } },
		{ 30, { 1.69726088659396, 2.04227245630124, 2.74999565356723 } },
		{ 60, { 1.67064886490464, 2.00029782201426, 2.66028302885504 } },
		{ 200, { 1.65250810091088, 1.97189622363391, 2.60063443619156 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		for (size_t j = 0; j < ARRAY_SIZE(p); j++) {
			CHECK_NEAR(stats_t_quantile(p[j], rows[i].df), rows[i].t[j], CLOSE);
			CHECK_NEAR(stats_t_quantile(1 - p[j], rows[i].df), -rows[i].t[j], CLOSE);
			CHECK_NEAR(stats_t_two_sided(rows[i].t[j], rows[i].df), 2 * (1 - p[j]), CLOSE);
		}
	}
}

static void t_quantiles(void)
{
	static const struct {
		double p, df, expected;
	} rows[] = {
		{ 0.975, 0.5, 164.557673480488533 },
		{ 0.975, 3.7, 2.8675207071911894 },
		{ 0.6, 5, 0.267180865704145127 },
		{ 0.75, 1, 1 },
		{ 0.5, 7, 0 },
		{ 0.500000001, 5, 2.63430544963702411e-9 },
		{ 0.9999999, 5, 39.3418196210526105 },
		{ 1e-20, 1, -3.18309886183790672e19 },
		{ 0.975, 10000, 1.96020123989062626 },
		{ 0.975, 20000, 1.96008260515813519 },
		{ 0.975, 1e6, 1.95996635681410704 },
		{ 0.975, HUGE_VAL, 1.95996398454005424 },
		{ 0.6, HUGE_VAL, 0.253347103135799741 },
		{ -0.1, 5, NONE },
		{ 1.1, 5, NONE },
		{ NONE, 5, NONE },
		{ 0.975, 0, NONE },
		{ 0.975, -1, NONE },
		{ 0.975, NONE, NONE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		CHECK_NEAR(stats_t_quantile(rows[i].p, rows[i].df), rows[i].expected, CLOSE);
	CHECK(stats_t_quantile(0, 5) == -HUGE_VAL);
	CHECK(stats_t_quantile(1, 5) == HUGE_VAL);
}

static void t_tails(void)
{
	static const struct {
		double t, df, expected;
	} rows[] = {
		{ 2.5, 3.7, 0.071822022911826776 },
		{ 40, 5, 1.8411962171772954e-7 },
		{ 0.001, 5, 0.99924078677219765 },
		{ 3, 0.5, 0.36730815598594345 },
		/* Welch's t of pairs of samples. */
		{ -2.4553563982860051, 24.988529290231414, 0.021378001462867032 },
		{ -1.5654335235985052, 9.9047412486508289, 0.14884169660532799 },
		{ 1.9590058081081015, 7.0305599598843143, 0.090773324285666888 },
		{ -9.5594977219326583, 2.0008523488562839, 0.010751561149784497 },
		{ -1.860813467486853, 17.77647351617849, 0.07939414018735814 },
		{ 19.86798535597566, 8, 4.291536427685212e-8 },
		{ -4.785811398926624, 3.847792897444408, 0.009617065099914092 },
		{ -1.359009027732812, 4.02427048839538, 0.2453208897101984 },
		{ -19.83469386898151, 7.9428164185877983, 4.7452548877078273e-8 },
		/* Far out, and up to so many degrees of freedom that t is normal. */
		{ 1, 1, 0.5 },
		{ 1e10, 1, 6.36619772367581343e-11 },
		{ 2, 123.4, 0.0476960814483902308 },
		{ 2, 5000, 0.0455542599882939723 },
		{ 2, 10000, 0.0455272606614354427 },
		{ 30, 10000, 2.04432704742557067e-189 },
		{ 2, 10001, 0.0455272579619007658 },
		{ 25, 20000, 7.41940332477188582e-136 },
		{ 0.5, 1e6, 0.617075187472371388 },
		{ 2.5, 1e6, 0.0124194895021632462 },
		{ 6, 1e6, 1.97384981235443467e-9 },
		{ 1.96, 1e15, 0.0499957902964411497 },
		{ 2, HUGE_VAL, 0.0455002638963584144 },
		{ 1e-6, 5, 0.999999240786620355 },
		{ 0, 5, 1 },
		{ 0, HUGE_VAL, 1 },
		{ 1e300, 5, 0 },
		{ HUGE_VAL, 5, 0 },
		{ -HUGE_VAL, 20000, 0 },
		{ 1e10, 20000, 0 },
		{ HUGE_VAL, HUGE_VAL, 0 },
		{ NONE, 5, NONE },
		{ 2, 0, NONE },
		{ 2, -1, NONE },
		{ 2, NONE, NONE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		CHECK_NEAR(stats_t_two_sided(rows[i].t, rows[i].df), rows[i].expected, CLOSE);
		CHECK_NEAR(stats_t_two_sided(-rows[i].t, rows[i].df), rows[i].expected, CLOSE);
	}
}

/* Of the normal distribution, for which libm has a function. */
static void normal_tails(void)
{
	static const double df[] = { HUGE_VAL, 1e300, 1e18, 1e17 };

	for (size_t i = 0; i < ARRAY_SIZE(df); i++)
		for (unsigned step = 0; step <= 3700; step++) {
			double z = step / 100.0;

			CHECK_NEAR(stats_t_two_sided(z, df[i]), erfc(z / M_SQRT2), CLOSE);
		}
	CHECK_NEAR(stats_t_quantile(0.975, HUGE_VAL), 1.959963984540054, CLOSE);
	CHECK_NEAR(
		stats_t_quantile(1 - 1e-15, HUGE_VAL), 7.941345326170998, 1e-3); /* 1 - 1e-15 has few digits itself */
}

static void incomplete_beta(void)
{
	static const struct {
		double a, b, x, expected;
	} rows[] = {
		{ 1, 1, 0.25, 0.25 },
		{ 2, 3, 0.5, 0.6875 },
		{ 0.5, 0.5, 0.5, 0.5 },
		{ 5, 0.5, 0.999, 0.922281992100966761 },
		{ 0.001, 2, 0.5, 0.999806746536947748 },
		{ 30, 2, 0.1, 2.80000000000000465e-29 },
		{ 1000, 1000, 0.5, 0.5 },
		{ 1000, 1000, 0.49, 0.18555265943151145 },
		{ 2, 3, 0, 0 },
		{ 2, 3, 1, 1 },
		{ 0, 3, 0.5, NONE },
		{ 2, -1, 0.5, NONE },
		{ 2, 3, -0.1, NONE },
		{ 2, 3, 1.1, NONE },
		{ 2, 3, NONE, NONE },
		{ NONE, 3, 0.5, NONE },
		{ 2, HUGE_VAL, 0.5, NONE },
		{ HUGE_VAL, 2, 0.5, NONE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		CHECK_NEAR(stats_beta(rows[i].a, rows[i].b, rows[i].x), rows[i].expected, CLOSE);
}

static const struct test tests[] = {
	{ "mean and deviation of Mavro and Lew are those that NIST certifies", nist_mavro_and_lew },
	{ "a mean a hundred million times the deviation costs no digits that doubles have", nist_numacc },
	{ "none, one, equal, zero, negative, huge, tiny and infinite values have defined statistics", edges },
	{ "the statistics leave their input as it was", input_is_kept },
	{ "the sorted copy is ascending with NANs last, and exists for no values too", sorted_copy },
	{ "quantiles are linear between the order statistics (type 7)", quantiles },
	{ "quantiles and tails of Student's t agree with the printed table", t_table },
	{ "quantiles of t hold in the middle, far out, and for any degrees of freedom", t_quantiles },
	{ "two-sided tails of t keep ten digits from 1 down to 1e-189", t_tails },
	{ "the tails of a normal distribution are those of libm", normal_tails },
	{ "the incomplete beta function has ten digits", incomplete_beta },
};

TEST_MAIN(tests)
