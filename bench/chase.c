// SPDX-License-Identifier: GPL-2.0-only
#include "chase.h"

#include "shuffle.h"

static void **line_at(void *memory, size_t i)
{
	return (void **)(void *)((char *)memory + i * CHASE_LINE);
}

void chase_build(void *memory, size_t bytes, uint64_t seed)
{
	struct shuffle shuffle = { seed };
	size_t lines = bytes / CHASE_LINE;

	for (size_t i = 0; i < lines; i++)
		*line_at(memory, i) = line_at(memory, i);
	for (size_t i = lines; i-- > 1;) {
		void **line = line_at(memory, i), **other = line_at(memory, shuffle_below(&shuffle, i)), *place = *line;

		*line = *other;
		*other = place;
	}
}

void chase_copy(void *memory, const void *from, size_t bytes)
{
	const char *source = from;

	for (size_t i = 0; i < bytes / CHASE_LINE; i++) {
		const char *next = *(char *const *)(const void *)(source + i * CHASE_LINE);

		*line_at(memory, i) = (char *)memory + (next - source);
	}
}

static inline void *next(void *at)
{
	return *(void **)at;
}

static inline void *four_on(void *at)
{
	return next(next(next(next(at))));
}

void *chase_walk(void *at, uint64_t loads)
{
	for (; loads >= 16; loads -= 16)
		at = four_on(four_on(four_on(four_on(at))));
	for (; loads; loads--)
		at = next(at);
	return at;
}
