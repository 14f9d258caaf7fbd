// SPDX-License-Identifier: GPL-2.0-only
#include "cpus.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

static void lists(void)
{
	static const struct {
		const char *text, *shortest;
		unsigned count;
	} cases[] = {
		{ "", "", 0 },
		{ "\n", "", 0 },
		{ "0", "0", 1 },
		{ "0\n", "0", 1 },
		{ "0-3,8,10-11", "0-3,8,10-11", 7 },
		{ "0-3,8,10-11\n", "0-3,8,10-11", 7 },
		{ "3,2,1", "1-3", 3 },
		{ "1,1,1-2", "1-2", 2 },
		{ "5-5", "5", 1 },
		{ "63-64", "63-64", 2 },
		{ "0,1,16,17", "0-1,16-17", 4 },
		{ "007", "7", 1 },
		{ "8191", "8191", 1 },
		{ "0-8191", "0-8191", 8192 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct cpus set;
		char text[64];

		CHECK(cpus_parse(cases[i].text, &set));
		CHECK_TEXT(cpus_format(&set, text, sizeof(text)), cases[i].shortest);
		CHECK_UINT(cpus_count(&set), cases[i].count);
	}
}

static void no_lists(void)
{
	static const char *const cases[] = { ",", "1,", ",1", "1,,2", "-", "-1", "1-", "3-2", "1-2-3", " 1", "1 ",
		"1, 2", "+1", "0x1", "a", "1a", "1\n\n", "\n1", "8192", "0-8192", "4294967296", "99999999999999999999",
		"0-31:2/4" };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct cpus set;

		if (cpus_parse(cases[i], &set))
			CHECK_TEXT("a list", cases[i]);
	}
}

static void cut(void)
{
	static const struct {
		size_t size;
		const char *text;
	} cases[] = {
		{ 13, "0,10-12,1000" },
		{ 12, "0,10-12,..." },
		{ 11, "0,..." },
		{ 6, "0,..." },
		{ 5, "..." },
		{ 4, "..." },
		{ 3, ".." },
		{ 1, "" },
	};
	struct cpus set;

	CHECK(cpus_parse("0,10-12,1000", &set));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char text[32];

		memset(text, '#', sizeof(text));
		CHECK_TEXT(cpus_format(&set, text, cases[i].size), cases[i].text);
		CHECK(text[cases[i].size] == '#');
	}
}

static void walk(void)
{
	static const unsigned members[] = { 0, 31, 32, 63, 64, 127, 8191 };
	struct cpus set;
	size_t found = 0;

	cpus_clear(&set);
	CHECK_INT(cpus_next(&set, 0), -1);
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		cpus_add(&set, members[i]);
	for (int cpu = cpus_next(&set, 0); cpu >= 0; cpu = cpus_next(&set, (unsigned)cpu + 1), found++) {
		if (found < ARRAY_SIZE(members)) {
			CHECK_UINT((unsigned)cpu, members[found]);
			CHECK_UINT(cpus_nth(&set, (unsigned)found), members[found]);
		}
	}
	CHECK_UINT(found, ARRAY_SIZE(members));
	CHECK_INT(cpus_next(&set, 8192), -1);
}

static void algebra(void)
{
	static const struct {
		const char *a, *b, *both;
		bool a_in_b;
	} cases[] = {
		{ "", "", "", true },
		{ "", "5", "", true },
		{ "5", "", "", false },
		{ "0-3", "2-9", "2-3", false },
		{ "100-200", "0-8191", "100-200", true },
		{ "0-8191", "8191", "8191", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct cpus a, b;
		char text[64];

		CHECK(cpus_parse(cases[i].a, &a) && cpus_parse(cases[i].b, &b));
		CHECK_INT(cpus_subset(&a, &b), cases[i].a_in_b);
		cpus_and(&a, &b);
		CHECK_TEXT(cpus_format(&a, text, sizeof(text)), cases[i].both);
	}
}

static void membership(void)
{
	struct cpus set;

	cpus_clear(&set);
	cpus_add(&set, 64);
	CHECK(cpus_has(&set, 64));
	CHECK(!cpus_has(&set, 0) && !cpus_has(&set, 63) && !cpus_has(&set, 65));
	CHECK(!cpus_has(&set, 8192) && !cpus_has(&set, UINT32_MAX));
}

static void add_too_high(void *argument)
{
	struct cpus set;

	(void)argument;
	cpus_clear(&set);
	cpus_add(&set, 8192);
}

static void nth_of_too_few(void *argument)
{
	struct cpus set;

	(void)argument;
	cpus_clear(&set);
	cpus_add(&set, 7);
	cpus_nth(&set, 1);
}

static void misuse(void)
{
	char *message;

	CHECK(test_capture(add_too_high, NULL, NULL, &message) != 0);
	CHECK(strstr(message, "8192"));
	free(message);
	CHECK(test_capture(nth_of_too_few, NULL, NULL, &message) != 0);
	CHECK(strstr(message, "member 1 of a set of 1"));
	free(message);
}

static void binding(void)
{
	struct cpus allowed, now, none;

	cpus_allowed(&allowed);
	CHECK(cpus_count(&allowed) > 0);
	for (int cpu = cpus_next(&allowed, 0); cpu >= 0; cpu = cpus_next(&allowed, (unsigned)cpu + 1)) {
		CHECK_INT(cpus_bind_one((unsigned)cpu), 0);
		CHECK_UINT(cpus_current(), (unsigned)cpu);
		cpus_allowed(&now);
		CHECK_UINT(cpus_count(&now), 1);
	}
	CHECK_INT(cpus_bind(&allowed), 0);
	cpus_allowed(&now);
	CHECK(cpus_subset(&allowed, &now) && cpus_subset(&now, &allowed));
	cpus_clear(&none);
	CHECK_INT(cpus_bind(&none), -1);
	CHECK_INT(errno, EINVAL);
}

static const struct test tests[] = {
	{ "a list of CPUs is read, and written in its shortest form", lists },
	{ "what is no list of CPUs is refused", no_lists },
	{ "a list that has no room ends in dots, and never beyond the room", cut },
	{ "a walk meets every member of a set once, in order", walk },
	{ "sets are intersected and compared", algebra },
	{ "a set has what was added and nothing else", membership },
	{ "a number that no set can have is a bug", misuse },
	{ "a thread runs where it was bound", binding },
};

TEST_MAIN(tests)
