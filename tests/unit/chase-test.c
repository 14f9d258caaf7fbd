// SPDX-License-Identifier: GPL-2.0-only
#include "chase.h"

#include <stdlib.h>
#include <string.h>

#include "stream.h"
#include "test.h"

/* One cycle: no line is met twice before all were. */
static void check_cycle(char *memory, size_t lines)
{
	bool *met = calloc(lines, sizeof(*met));
	void *at = memory;
	size_t count = 0;

	for (; count < lines; count++) {
		size_t line = (size_t)((char *)at - memory) / CHASE_LINE;

		if ((char *)at < memory || line >= lines || met[line] || ((char *)at - memory) % CHASE_LINE)
			break;
		met[line] = true;
		at = chase_walk(at, 1);
	}
	CHECK_UINT(count, lines);
	CHECK(at == memory);
	free(met);
}

static void cycle(void)
{
	static const size_t counts[] = { 1, 2, 3, 17, 1000, 4096 };

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		size_t bytes = counts[i] * CHASE_LINE;
		char *memory = aligned_alloc(CHASE_LINE, bytes), *copy = aligned_alloc(CHASE_LINE, bytes);

		chase_build(memory, bytes, i);
		check_cycle(memory, counts[i]);
		chase_copy(copy, memory, bytes);
		check_cycle(copy, counts[i]);
		CHECK((char *)chase_walk(memory, counts[i] / 2) - memory ==
			(char *)chase_walk(copy, counts[i] / 2) - copy);
		free(memory);
		free(copy);
	}
}

/* A walk of any length is as many steps of one. */
static void length(void)
{
	size_t lines = 101, bytes = lines * CHASE_LINE;
	char *memory = aligned_alloc(CHASE_LINE, bytes);
	void *at = memory;

	chase_build(memory, bytes, 7);
	for (uint64_t loads = 0; loads < 2 * lines; loads++) {
		CHECK(chase_walk(memory, loads) == at);
		at = chase_walk(at, 1);
	}
	free(memory);
}

/* How far apart lines are that follow each other: a prefetcher finds few that are neighbours. */
static void order(void)
{
	size_t lines = 10000, near = 0, same = 0;
	char *memory = aligned_alloc(CHASE_LINE, lines * CHASE_LINE),
	     *other = aligned_alloc(CHASE_LINE, lines * CHASE_LINE);

	chase_build(memory, lines * CHASE_LINE, 1);
	chase_build(other, lines * CHASE_LINE, 2);
	for (size_t i = 0; i < lines; i++) {
		char *line = memory + i * CHASE_LINE;

		near += labs((char *)chase_walk(line, 1) - line) <= 4 * CHASE_LINE;
		same += (char *)chase_walk(line, 1) - memory == (char *)chase_walk(other + i * CHASE_LINE, 1) - other;
	}
	CHECK(near < 30);
	CHECK(same < 30);
	free(memory);
	free(other);
}

static void stream(void)
{
	size_t bytes = 4096, half = bytes / 2;
	unsigned char *memory = aligned_alloc(64, bytes), *before = malloc(bytes);

	for (size_t i = 0; i < bytes; i++)
		memory[i] = (unsigned char)(i * 7 / 3);
	memcpy(before, memory, bytes);
	CHECK_UINT(stream_pass(STREAM_READ, memory, bytes), bytes);
	CHECK(memcmp(memory, before, bytes) == 0);
	CHECK_UINT(stream_pass(STREAM_COPY, memory, bytes), half);
	CHECK(memcmp(memory, before + half, half) == 0 && memcmp(memory + half, before + half, half) == 0);
	memset(memory, 0xff, bytes);
	CHECK_UINT(stream_pass(STREAM_WRITE, memory, bytes), bytes);
	for (size_t i = 0; i < bytes / 64; i++)
		for (size_t k = 0; k < 64; k += 8) {
			uint64_t word;

			memcpy(&word, memory + i * 64 + k, sizeof(word));
			CHECK_UINT(word, i);
		}
	free(memory);
	free(before);
}

static const struct test tests[] = {
	{ "a chain is one cycle over all lines, and a copy of it the same", cycle },
	{ "a walk makes as many loads as it is asked for", length },
	{ "the order of a chain is random and told by its seed", order },
	{ "a pass reads, writes or copies all of the memory", stream },
};

TEST_MAIN(tests)
