// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the tests say of noise in which nothing is hidden, and of noise in which something is. The seed is fixed, so
 * each count is the same in every run; the bounds are those of the binomial distribution, 3.3 deviations wide.
 */
#include <math.h>

#include "noise.h"
#include "stats.h"
#include "test.h"

#define ROUNDS   rounds_of(1000)
#define RUNS_MAX 200

static void fill(struct random *random, enum noise noise, double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		values[i] = draw(random, noise);
}

static const size_t sizes[] = { 5, 10, 20 };

static void identical_sets(void)
{
	struct random random = { 1 };
	double a[20], b[20];

	for (enum noise noise = 0; noise < NOISES; noise++) {
		for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
			size_t n = sizes[i];
			unsigned found = 0;

			for (unsigned round = 0; round < ROUNDS; round++) {
				fill(&random, noise, a, n);
				fill(&random, noise, b, n);
				found += stats_mann_whitney(a, n, b, n).p <= 0.05;
			}
			CHECK(found <= most_of(0.05, ROUNDS));
			CHECK(found > 0);
		}
	}
}

static void identical_pairs(void)
{
	struct random random = { 2 };
	double differences[20];

	for (enum noise noise = 0; noise < NOISES; noise++) {
		for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
			size_t n = sizes[i];
			unsigned found = 0, missed = 0;

			for (unsigned round = 0; round < ROUNDS; round++) {
				struct stats_shift shift;

				for (size_t j = 0; j < n; j++) {
					differences[j] = draw(&random, noise);
					differences[j] -= draw(&random, noise);
				}
				shift = stats_shift_pairs(differences, n);
				found += stats_signed_rank(differences, n, 0).p <= 0.05;
				missed += shift.low > 0 || shift.high < 0;
			}
			CHECK(found <= most_of(0.05, ROUNDS));
			CHECK_UINT(missed, found);
			CHECK_UINT(found > 0, n > 5); /* 5 pairs never reach 5 % */
		}
	}
}

/*
 * Over the whole series the machine becomes slower by 20 deviations. In each pair a coin says which comes first; with
 * the same first each time, the drift is found and taken for a difference.
 */
static unsigned found_in_drift(struct random *random, enum noise noise, size_t n, bool coin)
{
	double differences[20];
	unsigned found = 0;

	for (unsigned round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < n; i++) {
			double step = 20 / (double)(2 * n), first = draw(random, noise);
			double second = draw(random, noise) + step;

			differences[i] = coin && uniform(random) < 0.5 ? first - second : second - first;
		}
		found += stats_signed_rank(differences, n, 0).p <= 0.05;
	}
	return found;
}

static void pairs_under_drift(void)
{
	struct random random = { 3 };

	for (enum noise noise = 0; noise < NOISES; noise++)
		for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
			CHECK(found_in_drift(&random, noise, sizes[i], true) <= most_of(0.05, ROUNDS));
	CHECK(found_in_drift(&random, NORMAL, 10, false) > most_of(0.05, ROUNDS));
}

/* Of a change that is found with power 0.8, a t test must find so many; rank tests may find a little less. */
static void power(void)
{
	struct random random = { 4 };
	double a[10], b[10], change = stats_least_change(10, 10, 0.05);
	unsigned by_mean = 0, by_rank = 0;

	for (unsigned round = 0; round < ROUNDS; round++) {
		fill(&random, NORMAL, a, 10);
		fill(&random, NORMAL, b, 10);
		for (size_t i = 0; i < 10; i++)
			b[i] += change;
		by_mean += stats_welch(a, 10, b, 10).p <= 0.05;
		by_rank += stats_mann_whitney(a, 10, b, 10).p <= 0.05;
	}
	CHECK(by_mean <= most_of(0.8, ROUNDS));
	CHECK(ROUNDS - by_mean <= most_of(0.2, ROUNDS));
	CHECK(ROUNDS - by_rank <= most_of(0.25, ROUNDS));
}

struct alarms {
	unsigned first, drift, modes;
};

static struct alarms alarms_of(struct random *random, enum noise noise, size_t n)
{
	struct alarms alarms = { 0 };
	double values[RUNS_MAX];

	for (unsigned round = 0; round < ROUNDS; round++) {
		struct stats_look look;

		fill(random, noise, values, n);
		look = stats_look(values, n);
		alarms.first += look.first_apart;
		alarms.drift += look.drift;
		alarms.modes += look.two_modes;
	}
	return alarms;
}

static void false_alarms(void)
{
	static const size_t lengths[] = { 5, 8, 12, 20, 50, 200 };
	struct random random = { 5 };

	for (enum noise noise = NORMAL; noise <= UNIFORM; noise++) {
		for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
			struct alarms alarms = alarms_of(&random, noise, lengths[i]);

			CHECK(alarms.first <= most_of(0.02, ROUNDS));
			CHECK(alarms.drift <= most_of(0.015, ROUNDS));
			CHECK(alarms.modes <= most_of(0.01, ROUNDS));
		}
	}
}

static void real_modes(void)
{
	struct random random = { 6 };

	CHECK(alarms_of(&random, TWO_MODES, 20).modes >= 0.9 * ROUNDS);
	CHECK(alarms_of(&random, TWO_MODES, 100).modes >= 0.99 * ROUNDS);
}

static const struct test tests[] = {
	{ "of identical sets, whatever their noise, ranks tell 5 % apart at most", identical_sets },
	{ "of identical pairs the signed ranks tell 5 % apart, and the interval misses 0 in the same",
		identical_pairs },
	{ "with a coin for the order in each pair a drift is never taken for a difference", pairs_under_drift },
	{ "the smallest change that is said to be found is found in four of five cases", power },
	{ "one mode, no drift and no warm-up are taken for what they are in 98 of 100 series", false_alarms },
	{ "two modes that are there are found", real_modes },
};

TEST_MAIN(tests)
