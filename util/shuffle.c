// SPDX-License-Identifier: GPL-2.0-only
#include "shuffle.h"

#include <sys/random.h>
#include <unistd.h>

#include "clock.h"

/* Where the kernel has no random numbers yet, the clock and our id differ from call to call as well. */
uint64_t shuffle_seed(void)
{
	uint32_t seed;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed))
		seed = (uint32_t)clock_now() ^ ((uint32_t)getpid() << 16);
	return (uint64_t)seed + 1;
}

/* SplitMix64 (Steele, Lea, Flood 2014): every seed is a good one. */
static uint64_t next(struct shuffle *shuffle)
{
	uint64_t z = shuffle->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* What is left over when 2^64 is divided by the limit would favour the small ones: it is drawn again. */
size_t shuffle_below(struct shuffle *shuffle, uint64_t limit)
{
	uint64_t left_over = -limit % limit, number;

	do
		number = next(shuffle);
	while (number < left_over);
	return (size_t)(number % limit);
}

void shuffle_order(struct shuffle *shuffle, size_t *order, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t other = shuffle_below(shuffle, i + 1);

		if (other < i)
			order[i] = order[other];
		order[other] = i;
	}
}
