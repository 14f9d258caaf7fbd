// SPDX-License-Identifier: GPL-2.0-only
#include "memops.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

#define SMALL   300 /* every size up to this */
#define OFFSETS 64  /* every place in a line */
#define EDGE    64  /* what lies around, and must stay */
#define BIG     ((size_t)1 << 20)

struct memory {
	unsigned char *source, *target, *expected;
	size_t bytes;
};

static unsigned char *line_aligned(size_t bytes)
{
	return aligned_alloc(OFFSETS, (bytes + OFFSETS - 1) / OFFSETS * OFFSETS);
}

static struct memory memory_of(size_t bytes)
{
	struct memory memory = { .bytes = bytes + 2 * EDGE + OFFSETS };

	memory.source = line_aligned(memory.bytes);
	memory.target = line_aligned(memory.bytes);
	memory.expected = line_aligned(memory.bytes);
	for (size_t i = 0; i < memory.bytes; i++)
		memory.source[i] = (unsigned char)(i * 31 + i / 256 + 1);
	return memory;
}

static void memory_release(struct memory *memory)
{
	free(memory->source);
	free(memory->target);
	free(memory->expected);
}

/* One call, byte by byte beside what it should have done. */
static bool copies(memops_copy *copy, struct memory *memory, size_t to, size_t from, size_t bytes)
{
	memset(memory->target, 0xee, memory->bytes);
	memset(memory->expected, 0xee, memory->bytes);
	for (size_t i = 0; i < bytes; i++)
		memory->expected[to + i] = memory->source[from + i];
	copy(memory->target + to, memory->source + from, bytes);
	return memcmp(memory->target, memory->expected, memory->bytes) == 0;
}

static bool sets(memops_set *set, struct memory *memory, size_t to, int byte, size_t bytes)
{
	memset(memory->target, 0xee, memory->bytes);
	memset(memory->expected, 0xee, memory->bytes);
	for (size_t i = 0; i < bytes; i++)
		memory->expected[to + i] = (unsigned char)byte;
	set(memory->target + to, byte, bytes);
	return memcmp(memory->target, memory->expected, memory->bytes) == 0;
}

static void every_routine_copies_every_size_from_and_to_every_offset(void)
{
	struct memory memory = memory_of(SMALL);

	for (unsigned i = 0; memops_copy_get(i); i++) {
		const char *failed = "none";

		for (size_t bytes = 0; bytes <= SMALL; bytes++)
			for (size_t offset = 0; offset < OFFSETS; offset++)
				if (!copies(memops_copy_get(i), &memory, EDGE + offset, EDGE, bytes) ||
					!copies(memops_copy_get(i), &memory, EDGE, EDGE + offset, bytes) ||
					!copies(memops_copy_get(i), &memory, EDGE + offset, EDGE + offset, bytes))
					failed = memops_copy_names[i];
		CHECK_TEXT(failed, "none");
	}
	memory_release(&memory);
}

static void every_routine_sets_every_size_at_every_offset(void)
{
	struct memory memory = memory_of(SMALL);

	for (unsigned i = 0; memops_set_get(i); i++) {
		const char *failed = "none";

		for (size_t bytes = 0; bytes <= SMALL; bytes++)
			for (size_t offset = 0; offset < OFFSETS; offset++)
				if (!sets(memops_set_get(i), &memory, EDGE + offset, 0x5a, bytes))
					failed = memops_set_names[i];
		CHECK_TEXT(failed, "none");
	}
	memory_release(&memory);
}

static void large_ranges_are_copied_and_set_whole(void)
{
	static const size_t sizes[] = { 4095, 4096, 65537, BIG - 1, BIG };
	struct memory memory = memory_of(BIG);

	for (size_t s = 0; s < ARRAY_SIZE(sizes); s++) {
		for (unsigned i = 0; memops_copy_get(i); i++)
			CHECK(copies(memops_copy_get(i), &memory, EDGE + 3, EDGE + 8, sizes[s]));
		for (unsigned i = 0; memops_set_get(i); i++)
			CHECK(sets(memops_set_get(i), &memory, EDGE + 5, 1, sizes[s]));
	}
	memory_release(&memory);
}

static void of_the_value_only_the_lowest_byte_is_set(void)
{
	static const int values[] = { 0, 1, 0x7f, 0x80, 0xff, 0x1234, -1, -256 };
	struct memory memory = memory_of(SMALL);

	for (unsigned i = 0; memops_set_get(i); i++)
		for (size_t v = 0; v < ARRAY_SIZE(values); v++)
			CHECK(sets(memops_set_get(i), &memory, EDGE + 1, values[v], 200));
	memory_release(&memory);
}

/* As an option's menu needs it. */
static void check_menu(const char *const *names, const char *const *meanings, unsigned routines)
{
	for (unsigned i = 0; i < routines; i++) {
		CHECK(names[i] && meanings[i]);
		for (unsigned k = 0; k < i; k++)
			CHECK(strcmp(names[i], names[k]) != 0);
	}
	CHECK_TEXT(names[0], "default");
	CHECK_TEXT(names[routines], NULL);
	CHECK_TEXT(meanings[routines], NULL);
}

static void each_routine_has_a_name_and_a_meaning(void)
{
	unsigned copies_count = 0, sets_count = 0;

	while (memops_copy_get(copies_count))
		copies_count++;
	while (memops_set_get(sets_count))
		sets_count++;
	CHECK(copies_count >= 3);
	CHECK_UINT(sets_count, copies_count);
	check_menu(memops_copy_names, memops_copy_meanings, copies_count);
	check_menu(memops_set_names, memops_set_meanings, sets_count);
}

static void a_flush_leaves_what_is_there(void)
{
	struct memory memory = memory_of(SMALL);

	for (size_t bytes = 0; bytes <= SMALL; bytes += 50) {
		CHECK(copies(memops_copy_get(0), &memory, EDGE + 7, EDGE, bytes));
		if (!memops_flush(memory.target + EDGE + 7, bytes))
			test_skip("user mode cannot flush caches here");
		CHECK(memcmp(memory.target, memory.expected, memory.bytes) == 0);
	}
	memory_release(&memory);
}

static const struct test tests[] = {
	{ "every routine copies every size from and to every offset",
		every_routine_copies_every_size_from_and_to_every_offset },
	{ "every routine sets every size at every offset", every_routine_sets_every_size_at_every_offset },
	{ "large ranges are copied and set whole", large_ranges_are_copied_and_set_whole },
	{ "of the value only the lowest byte is set", of_the_value_only_the_lowest_byte_is_set },
	{ "each routine has a name and a meaning", each_routine_has_a_name_and_a_meaning },
	{ "a flush leaves what is there", a_flush_leaves_what_is_there },
};

TEST_MAIN(tests)
