// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "nearest.h"

#define LONGEST 63 /* longer words are not names that somebody mistyped */

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * The distance by dynamic programming over prefixes (optimal string alignment), of which only the last three rows are
 * kept: a swap looks two rows back. Both words have at most LONGEST bytes.
 */
static unsigned distance(const char *a, const char *b)
{
	unsigned rows[3][LONGEST + 1];
	unsigned length_a = (unsigned)strlen(a), length_b = (unsigned)strlen(b);

	for (unsigned j = 0; j <= length_b; j++)
		rows[0][j] = j;
	for (unsigned i = 1; i <= length_a; i++) {
		unsigned *row = rows[i % 3], *above = rows[(i - 1) % 3];

		row[0] = i;
		for (unsigned j = 1; j <= length_b; j++) {
			row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], rows[(i - 2) % 3][j - 2] + 1);
		}
	}
	return rows[length_a % 3][length_b];
}

/* How far a word may be from what was meant: one mistake in three letters. */
static unsigned farthest(size_t length)
{
	return length < 6 ? 1 : length < 9 ? 2 : 3;
}

const char *nearest(const char *word, const char *const *candidates, size_t count)
{
	size_t length = strlen(word);
	const char *best = NULL;
	unsigned best_distance;

	if (length == 0 || length > LONGEST)
		return NULL;
	best_distance = farthest(length) + 1;
	for (size_t i = 0; i < count; i++) {
		unsigned far;

		if (strncmp(candidates[i], word, length) == 0)
			far = 0;
		else if (strlen(candidates[i]) <= LONGEST)
			far = distance(word, candidates[i]);
		else
			continue;
		if (far < best_distance) {
			best = candidates[i];
			best_distance = far;
		}
	}
	return best;
}
