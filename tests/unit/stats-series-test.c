// SPDX-License-Identifier: GPL-2.0-only
#include <float.h>
#include <math.h>

#include "nist.h"
#include "stats.h"
#include "test.h"

#define CLOSE 1e-10
#define NONE  ((double)NAN) /* NAN itself is a float */

static void quartiles_and_fences(void)
{
	static const double values[] = { 10.3, 10.4, 10.3, 10.5, 15.0, 9.9, 10.1 };
	static const double more[] = { 10.3, 10.4, 10.3, 10.5, 11.0, 9.9, 10.1, 9.0, 10.3, 10.3, 10.3, 10.4, 9.7 };
	struct stats_look look = stats_look(values, ARRAY_SIZE(values));

	CHECK_NEAR(look.q1, 10.20, CLOSE);
	CHECK_NEAR(look.q3, 10.45, CLOSE);
	CHECK_NEAR(look.low_fence, 9.825, CLOSE);
	CHECK_NEAR(look.high_fence, 10.825, CLOSE);
	CHECK_NEAR(look.low_outer, 9.45, CLOSE);
	CHECK_NEAR(look.high_outer, 11.2, CLOSE);
	CHECK_UINT(look.outliers, 1);
	CHECK_UINT(look.far_outliers, 1);
	/* Quartiles 10.1 and 10.4: 11.0 and 9.0 are out, 9.0 is far out, 9.7 is not. */
	look = stats_look(more, ARRAY_SIZE(more));
	CHECK_UINT(look.outliers, 2);
	CHECK_UINT(look.far_outliers, 1);
}

static void autocorrelations(void)
{
	double values[NUMACC_COUNT];

	CHECK_NEAR(stats_look(lew, ARRAY_SIZE(lew)).r1, -0.307304800605679, 1e-14);
	CHECK_NEAR(stats_look(mavro, ARRAY_SIZE(mavro)).r1, 0.937989183438248, 1e-13);
	CHECK_NEAR(stats_look(numacc1, ARRAY_SIZE(numacc1)).r1, -0.5, 1e-14);
	for (size_t i = 0; i < ARRAY_SIZE(numacc); i++) {
		numacc_fill(values, numacc[i].mean);
		CHECK_NEAR(stats_look(values, ARRAY_SIZE(values)).r1, -0.999, numacc[i].relative);
	}
	CHECK(stats_look(mavro, ARRAY_SIZE(mavro)).drift);
	CHECK(!stats_look(lew, ARRAY_SIZE(lew)).drift);
}

struct row {
	size_t n;
	double values[16];
	double q1, q3, low_fence, high_outer, r1;
	size_t outliers, far_outliers;
};

static void edges(void)
{
	static const struct row rows[] = {
		{ 0, { 0 }, NONE, NONE, NONE, NONE, NONE, 0, 0 },
		{ 1, { 7 }, 7, 7, 7, 7, NONE, 0, 0 },
		{ 2, { 1, 3 }, 1.5, 2.5, 0, 5.5, -0.5, 0, 0 },
		{ 5, { 0, 0, 0, -0.0, 0 }, 0, 0, 0, 0, NONE, 0, 0 },
		{ 9, { 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 }, 0.1, 0.1, 0.1, 0.1, NONE, 0, 0 },
		{ 4, { -1, -2, -3, -4 }, -3.25, -1.75, -5.5, 2.75, 0.25, 0, 0 },
		{ 4, { 1e300, 2e300, 3e300, 4e300 }, 1.75e300, 3.25e300, -5e299, 7.75e300, 0.25, 0, 0 },
		{ 4, { 1e-300, 2e-300, 3e-300, 4e-300 }, 1.75e-300, 3.25e-300, -5e-301, 7.75e-300, 0.25, 0, 0 },
		{ 4, { DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX }, -DBL_MAX, DBL_MAX, NONE, NONE, 0.25, 0, 0 },
		{ 5, { 5, 5, 5, 5, 1e-300 }, 5, 5, 5, 5, -0.05, 1, 1 },
		{ 9, { 1, 2, 3, 4, NONE, 6, 7, 8, 99 }, NONE, NONE, NONE, NONE, NONE, 0, 0 },
		{ 9, { 1, 2, 3, 4, HUGE_VAL, 6, 7, 8, 99 }, NONE, NONE, NONE, NONE, NONE, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct stats_look look = stats_look(rows[i].values, rows[i].n);

		CHECK_NEAR(look.q1, rows[i].q1, CLOSE);
		CHECK_NEAR(look.q3, rows[i].q3, CLOSE);
		CHECK_NEAR(look.low_fence, rows[i].low_fence, CLOSE);
		CHECK_NEAR(look.high_outer, rows[i].high_outer, CLOSE);
		CHECK_NEAR(look.r1, rows[i].r1, CLOSE);
		CHECK_UINT(look.outliers, rows[i].outliers);
		CHECK_UINT(look.far_outliers, rows[i].far_outliers);
		CHECK(!look.first_apart && !look.drift && !look.two_modes);
		CHECK_UINT(look.mode_n[0] + look.mode_n[1], 0);
		CHECK(isnan(look.mode_mean[0]) && isnan(look.mode_mean[1]));
	}
}

static void first_runs(void)
{
	static const struct {
		size_t n;
		double values[8];
		bool apart;
	} rows[] = {
		{ 5, { 14, 10.1, 10.2, 10.0, 10.1 }, true },
		{ 5, { 6, 10.1, 10.2, 10.0, 10.1 }, true },
		{ 4, { 14, 10.1, 10.2, 10.0 }, false },
		{ 5, { 10.1, 14, 10.2, 10.0, 10.1 }, false },
		{ 6, { 10.4, 10.1, 10.2, 10.0, 10.1, 10.3 }, false },
		{ 6, { 14, 10.1, 10.2, 10.0, 10.1, 20 }, false },
		{ 8, { 6, 5, 5, 5, 5, 5, 5, 5 }, true },
		{ 8, { 5, 5, 5, 5, 5, 5, 5, 5 }, false },
		{ 6, { 1e300, 1e-300, 2e-300, 3e-300, 2e-300, 1e-300 }, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		CHECK_UINT(stats_look(rows[i].values, rows[i].n).first_apart, rows[i].apart);
}

static void drifts(void)
{
	static const struct {
		size_t n;
		double values[10];
		bool drift;
	} rows[] = {
		{ 10, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }, true },
		{ 10, { 9, 9.1, 8.9, 9, 9.1, 5, 5.1, 4.9, 5, 5.1 }, true },
		{ 10, { 1, 10, 2, 9, 3, 8, 4, 7, 5, 6 }, false },
		{ 10, { 3, 9, 1, 4, 10, 8, 2, 6, 7, 5 }, false },
		{ 4, { 1, 2, 3, 4 }, false },
		{ 10, { 1e300, 2e300, 3e300, 4e300, 5e300, 6e300, 7e300, 8e300, 9e300, 1e301 }, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		CHECK_UINT(stats_look(rows[i].values, rows[i].n).drift, rows[i].drift);
}

static void modes(void)
{
	static const struct {
		size_t n;
		double values[16];
		size_t mode_n[2];
		double mode_mean[2];
	} rows[] = {
		{ 8, { 5.1, 9.1, 5.0, 8.9, 5.2, 9.0, 5.1, 5.1 }, { 5, 3 }, { 5.1, 9 } },
		{ 10, { 1, 2, 1.1, 0.9, 2.1, 1.9, 2, 2, 1, 1 }, { 5, 5 }, { 1, 2 } },
		{ 8, { 5.1, 9.1, 5.0, 8.9, 5.2, 5.1, 5.1, 5.1 }, { 0, 0 }, { NONE, NONE } }, /* 2 runs are outliers */
		{ 7, { 5.1, 9.1, 5.0, 8.9, 5.2, 9.0, 5.1 }, { 0, 0 }, { NONE, NONE } },
		{ 8, { 1, 2, 3, 4, 5, 6, 7, 8 }, { 0, 0 }, { NONE, NONE } },
		{ 8, { 5, 5, 5, 5, 6, 6, 6, 6 }, { 0, 0 }, { NONE, NONE } }, /* a clock of this step says the same */
		{ 8, { 5, 5, 5, 5, 6, 5.9, 6, 6 }, { 4, 4 }, { 5, 5.975 } },
		{ 8, { -5.1, -9.1, -5.0, -8.9, -5.2, -9.0, -5.1, -5.1 }, { 3, 5 }, { -9, -5.1 } },
		{ 8, { 0, 0, 1e-300, 1e300, 1e300, 1e300, 0, 0 }, { 5, 3 }, { 2e-301, 1e300 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct stats_look look = stats_look(rows[i].values, rows[i].n);

		CHECK_UINT(look.two_modes, rows[i].mode_n[0] > 0);
		for (size_t j = 0; j < 2; j++) {
			CHECK_UINT(look.mode_n[j], rows[i].mode_n[j]);
			CHECK_NEAR(look.mode_mean[j], rows[i].mode_mean[j], CLOSE);
		}
	}
}

static const struct test tests[] = {
	{ "quartiles and Tukey's fences are the textbook's, and what is beyond them is counted", quartiles_and_fences },
	{ "the autocorrelation of a series is that which NIST certifies", autocorrelations },
	{ "a series of none, one, equal, huge, tiny and infinite values has a defined look", edges },
	{ "a first run far from all others is told, and no other run is taken for it", first_runs },
	{ "a series that climbs, falls or steps drifts, one that alternates does not", drifts },
	{ "two modes need a clear gap and three runs in each", modes },
};

TEST_MAIN(tests)
