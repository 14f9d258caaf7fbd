// SPDX-License-Identifier: GPL-2.0-only
#include "bench/numawork.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "wrap.h"

#define RANDOM_PIECE (8 << 10)

static struct worker idle_worker(unsigned index)
{
	return (struct worker){ .pool = pool_new(1), .index = index };
}

/* A pool lives as long as a run process, so nothing else takes it away. */
static void retire(struct worker *worker)
{
	free(worker->pool);
}

/* All words are the same number. */
static void check_words(const uint64_t *words, size_t count, uint64_t expected)
{
	size_t wrong = 0;

	for (size_t i = 0; i < count; i++)
		wrong += words[i] != expected;
	CHECK_UINT(wrong, 0);
}

/* Sizes around the two piece sizes, and starts in the middle; a page is the unit of both. */
static const struct {
	size_t pages, start;
} shapes[] = { { 1, 0 }, { 2, 1 }, { 3, 2 }, { 5, 0 }, { 255, 128 }, { 256, 0 }, { 257, 100 }, { 700, 699 } };

/* No word is missed; as many bytes were counted as there are, so none was met twice. */
static void check_pass(const struct work *work, const struct work_area *area, uint64_t pass)
{
	struct worker worker = idle_worker(3);
	uint64_t sum = 1, *words = (uint64_t *)(void *)area->memory;
	size_t missed = 0;

	work_fill(WORK_FILL_ZERO, area->memory, area->bytes);
	CHECK_UINT(work_pass(work, area, pass, &worker, &sum), area->bytes);
	for (size_t i = 0; i < area->bytes / sizeof(*words); i++)
		missed += words[i] == 0;
	CHECK_UINT(missed, 0);
	retire(&worker);
}

static void whole_passes(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++) {
		struct work_area area = { .bytes = shapes[i].pages * page, .start = shapes[i].start * page };

		area.memory = xmmap(area.bytes, false);
		for (unsigned variant = 0; variant < 8; variant++) {
			struct work work = { .touch = WORK_UPDATE, .turning = variant & 1, .random = variant & 2 };

			check_pass(&work, &area, variant >> 2);
		}
		xmunmap(area.memory, area.bytes);
	}
}

/* The numbers that pieces of 8 KB were written with tell when they were met: order[turn] is a piece plus 1. */
static size_t *order_of(unsigned index, uint64_t pass, size_t pieces)
{
	struct worker worker = idle_worker(index);
	struct work work = { .touch = WORK_WRITE, .random = true };
	struct work_area area = { .memory = xmmap(pieces * RANDOM_PIECE, false), .bytes = pieces * RANDOM_PIECE };
	size_t *order = xcalloc(pieces, sizeof(*order));
	uint64_t turns = 0;

	work_pass(&work, &area, pass, &worker, &turns);
	CHECK_UINT(turns, pieces);
	for (size_t i = 0; i < pieces; i++) {
		uint64_t turn = *(uint64_t *)(void *)(area.memory + i * RANDOM_PIECE);

		CHECK(turn < pieces && order[turn] == 0);
		order[turn < pieces ? turn : 0] = i + 1;
	}
	xmunmap(area.memory, area.bytes);
	retire(&worker);
	return order;
}

static void random_order(void)
{
	static const size_t counts[] = { 1, 2, 3, 64, 100, 127, 128, 129, 1000 };

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		size_t *order = order_of(0, 0, counts[i]), neighbours = 0, same_parity = 0;

		for (size_t turn = 1; turn < counts[i]; turn++) {
			neighbours += order[turn] == order[turn - 1] + 1;
			same_parity += order[turn] % 2 == order[turn - 1] % 2;
		}
		CHECK(counts[i] < 64 || neighbours < counts[i] / 8);
		CHECK(counts[i] < 64 || (same_parity > counts[i] / 4 && same_parity < counts[i] * 3 / 4));
		free(order);
	}
}

static bool same_order(unsigned index, uint64_t pass)
{
	size_t *first = order_of(0, 0, 100), *other = order_of(index, pass, 100);
	bool same = memcmp(first, other, 100 * sizeof(*first)) == 0;

	free(first);
	free(other);
	return same;
}

static void other_orders(void)
{
	CHECK(same_order(0, 0));
	CHECK(!same_order(0, 1));
	CHECK(!same_order(1, 0));
}

/* Pieces of 1 MB are written with 0, 1, 2: forwards from the start and around, or the other way. */
static void direction(void)
{
	static const struct {
		bool turning;
		uint64_t pass;
		uint64_t first, second, third; /* when each megabyte was met; the start is the second one */
	} cases[] = {
		{ false, 0, 2, 0, 1 },
		{ false, 1, 2, 0, 1 },
		{ true, 0, 2, 0, 1 },
		{ true, 1, 0, 2, 1 },
	};
	struct worker worker = idle_worker(0);
	struct work_area area = { .memory = xmmap(3 << 20, false), .bytes = 3 << 20, .start = 1 << 20 };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct work work = { .touch = WORK_WRITE, .turning = cases[i].turning };
		uint64_t sum = 0, *words = (uint64_t *)(void *)area.memory;

		work_pass(&work, &area, cases[i].pass, &worker, &sum);
		check_words(words, 131072, cases[i].first);
		check_words(words + 131072, 131072, cases[i].second);
		check_words(words + 262144, 131072, cases[i].third);
	}
	retire(&worker);
}

/* Words of 5, and a value of 2 that a pass takes and hands on. */
static void touches(void)
{
	static const struct {
		enum work_touch touch;
		uint64_t word, value;
	} cases[] = {
		{ WORK_UPDATE, 7, 3 },
		{ WORK_READ, 5, 2 + 5 * 8192 },
		{ WORK_WRITE, 2, 3 },
		{ WORK_ZERO, 0, 2 },
	};
	struct worker worker = idle_worker(0);
	struct work_area area = { .memory = xmmap(65536, false), .bytes = 65536 };
	uint64_t *words = (uint64_t *)(void *)area.memory;

	for (size_t i = 0; i < 2 * ARRAY_SIZE(cases); i++) {
		struct work work = { .touch = cases[i / 2].touch, .turning = i % 2 };
		uint64_t value = 2;

		for (size_t word = 0; word < 8192; word++)
			words[word] = 5;
		CHECK_UINT(work_pass(&work, &area, 1, &worker, &value), 65536);
		check_words(words, 8192, cases[i / 2].word);
		CHECK_UINT(value, cases[i / 2].value);
	}
	retire(&worker);
}

static void lock(void)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	struct worker worker = idle_worker(0);
	struct work work = { .touch = WORK_READ };
	struct work_area area = { .memory = xmmap(65536, false), .bytes = 65536, .lock = &mutex };
	uint64_t sum = 0;

	CHECK_UINT(work_pass(&work, &area, 0, &worker, &sum), 65536);
	CHECK_INT(pthread_mutex_trylock(&mutex), 0);
	retire(&worker);
}

static void stopped(void)
{
	struct worker worker = idle_worker(0);
	struct work work = { .touch = WORK_WRITE };
	struct work_area area = { .memory = xmmap(65536, false), .bytes = 65536 };
	uint64_t sum = 7;

	pool_wait_end(worker.pool, 1);
	CHECK(worker_stopping(&worker));
	for (int random = 0; random < 2; random++) {
		work.random = random;
		CHECK_UINT(work_pass(&work, &area, 0, &worker, &sum), 0);
		CHECK_UINT(sum, 7);
	}
	retire(&worker);
}

static void fills(void)
{
	size_t words = 32768, ones = 0, page_words = (size_t)sysconf(_SC_PAGESIZE) / sizeof(uint64_t);
	uint64_t *memory = xmmap(words * sizeof(*memory), false);

	work_fill(WORK_FILL_RANDOM, (char *)memory, words * sizeof(*memory));
	for (size_t i = 0; i < words; i++)
		ones += (unsigned)__builtin_popcountll(memory[i]);
	CHECK_NEAR((double)ones, 32.0 * (double)words, 0.01);
	for (size_t i = 0; i < words; i++)
		memory[i] = UINT64_MAX;
	work_fill(WORK_FILL_TOUCH, (char *)memory, words * sizeof(*memory));
	for (size_t i = 0; i < words; i++)
		if ((memory[i] == UINT64_MAX) != (i % page_words != 0))
			CHECK_UINT(i, 0);
	work_fill(WORK_FILL_ZERO, (char *)memory, words * sizeof(*memory));
	check_words(memory, words, 0);
}

static const struct test tests[] = {
	{ "a pass in any order meets every word and counts every byte", whole_passes },
	{ "a random order meets each piece once, neither in a row nor even after odd", random_order },
	{ "workers and passes have orders of their own, the same in every run", other_orders },
	{ "a pass begins at its start, goes around, and turns when asked to", direction },
	{ "updating, reading, writing and zeroing do what they say", touches },
	{ "the lock of an area is given back", lock },
	{ "when the time is over nothing more is touched or counted", stopped },
	{ "memory begins as zeroes, as random bits, or with one byte of a page written", fills },
};

TEST_MAIN(tests)
