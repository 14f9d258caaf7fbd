// SPDX-License-Identifier: GPL-2.0-only
/* Made-up runs with noise of known kinds, the same in every run of a test. */
#ifndef KBENCH_TEST_NOISE_H
#define KBENCH_TEST_NOISE_H

#include <math.h>
#include <stdlib.h>

#include "base.h"
#include "test.h"

enum noise { NORMAL, SKEWED, EXPONENTIAL, UNIFORM, OUTLIERS, TWO_MODES, NOISES };

struct random {
	uint64_t state;
};

/* How often something is made up. */
static unsigned rounds_of(unsigned rounds)
{
	return test_brief() ? rounds / 10 : rounds;
}

/* SplitMix64; in (0, 1). */
static double uniform(struct random *random)
{
	uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	z ^= z >> 31;
	return ((double)(z >> 11) + 0.5) * 0x1p-53;
}

static double normal(struct random *random)
{
	double length = sqrt(-2 * log(uniform(random)));

	return length * cos(2 * M_PI * uniform(random));
}

/* A time of about 10 that has this noise. */
static double draw(struct random *random, enum noise noise)
{
	switch (noise) {
	case NORMAL:
		return 10 + normal(random);
	case SKEWED:
		return 10 * exp(0.5 * normal(random));
	case EXPONENTIAL:
		return 5 - 5 * log(uniform(random));
	case UNIFORM:
		return 9 + 2 * uniform(random);
	case OUTLIERS:
		return 10 + (uniform(random) < 0.1 ? 10 : 1) * fabs(normal(random));
	default:
		return (uniform(random) < 0.3 ? 20 : 10) + 0.3 * normal(random);
	}
}

/* The most that happens in so many rounds when its share is this: the binomial distribution, 3.3 deviations wide. */
static double most_of(double share, double rounds)
{
	return share * rounds + 3.3 * sqrt(share * (1 - share) * rounds);
}

#endif
