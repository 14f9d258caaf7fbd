// SPDX-License-Identifier: GPL-2.0-only
#include "bench/tasklist.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

static const char *numbers_of(const struct tasklist *list, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < list->count && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%u", i ? " " : "", list->numbers[i]);
	return text;
}

static void lists(void)
{
	static const struct {
		const char *text, *numbers;
	} cases[] = {
		{ "0", "0" },
		{ "3,1,2", "3 1 2" },
		{ "0,0,1", "0 0 1" },
		{ "0-3", "0 1 2 3" },
		{ "5-5", "5" },
		{ "0-6#2", "0 2 4 6" },
		{ "0-7#3", "0 3 6" },
		{ "0-3#9", "0" },
		{ "1x3", "1 1 1" },
		{ "0-1x3", "0 0 0 1 1 1" },
		{ "0-2#2x2", "0 0 2 2" },
		{ "0-1,7x2,4-5", "0 1 7 7 4 5" },
		{ "8191", "8191" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct tasklist list = { 0 };
		char text[64];

		CHECK(tasklist_parse(&list, cases[i].text));
		CHECK_TEXT(numbers_of(&list, text, sizeof(text)), cases[i].numbers);
		tasklist_release(&list);
	}
}

static void no_lists(void)
{
	static const char *const cases[] = { "", ",", "0,", ",0", "0,,1", "-", "-1", "1-", "3-2", "0-1-2", " 0", "0 ",
		"+1", "a", "0a", "0x", "0x0", "0#", "0#0", "0-3#", "0-3x2#2", "0_2", "0/2", "8192", "4294967296",
		"0x1048577", "0-1x1048576" };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct tasklist list = { 0 };

		if (tasklist_parse(&list, cases[i]))
			CHECK_TEXT("a list", cases[i]);
		tasklist_release(&list);
	}
}

static void tasks_in_turn(void)
{
	struct tasklist list = { 0 }, empty = { 0 };

	CHECK(tasklist_parse(&list, "4,2"));
	CHECK_UINT(tasklist_of(&list, 0), 4);
	CHECK_UINT(tasklist_of(&list, 1), 2);
	CHECK_UINT(tasklist_of(&list, 2), TASKLIST_NONE);
	CHECK_UINT(tasklist_of(&empty, 0), TASKLIST_NONE);
	tasklist_release(&list);
	CHECK_UINT(list.count, 0);
}

static void sets(void)
{
	struct tasklist list = { 0 };
	struct cpus set;
	char text[32];

	tasklist_set(&list, &set);
	CHECK_UINT(cpus_count(&set), 0);
	CHECK(tasklist_parse(&list, "9,0-1x3"));
	tasklist_set(&list, &set);
	CHECK_TEXT(cpus_format(&set, text, sizeof(text)), "0-1,9");
	tasklist_release(&list);
}

static const struct test tests[] = {
	{ "numbers, ranges, steps and repetitions stand for numbers in their order", lists },
	{ "anything else is no list", no_lists },
	{ "tasks get the numbers in turn, and none after the end", tasks_in_turn },
	{ "a list is also a set", sets },
};

TEST_MAIN(tests)
