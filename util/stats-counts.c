// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "stats-internal.h"
#include "wrap.h"

uint64_t stats_choose(size_t total, size_t size)
{
	uint64_t ways = 1;

	for (size_t i = 1; i <= size; i++)
		ways = ways * (total - size + i) / i;
	return ways;
}

/* with[s] += without[s - rank]: the subsets without the rank, and it. */
static void add_rank(uint64_t *with, const uint64_t *without, size_t rank, size_t most)
{
	for (size_t s = most + 1; s-- > rank;)
		with[s] += without[s - rank];
}

/*
 * Row k has the subsets of k of the ranks that were looked at. Larger k go first, so what they take from the row before
 * does not hold the rank yet.
 */
uint64_t *stats_count_subsets(const double *ranks, size_t total, size_t size, size_t most)
{
	size_t width = most + 1;
	uint64_t *rows = xcalloc((size + 1) * width, sizeof(*rows)), *last = xcalloc(width, sizeof(*last));

	rows[0] = 1;
	for (size_t i = 0; i < total; i++)
		for (size_t k = i < size ? i + 1 : size; k > 0; k--)
			add_rank(rows + k * width, rows + (k - 1) * width, (size_t)ranks[i], most);
	memcpy(last, rows + size * width, width * sizeof(*last));
	free(rows);
	return last;
}

/* Larger sums go first, so what they take does not hold the rank yet. */
uint64_t *stats_count_sums(const double *ranks, size_t n, size_t most)
{
	uint64_t *counts = xcalloc(most + 1, sizeof(*counts));

	counts[0] = 1;
	for (size_t i = 0; i < n; i++)
		add_rank(counts, counts, (size_t)ranks[i], most);
	return counts;
}
