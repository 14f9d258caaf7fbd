// SPDX-License-Identifier: GPL-2.0-only
#include "nearest.h"
#include "test.h"

static const char *const words[] = {
	"pipe",
	"messaging",
	"yield",
	"fork",
	"pagefaults",
	"memcpy",
	"memset",
	"all",
	"go",
	"a-word-that-is-longer-than-any-that-somebody-would-type-by-mistake-in-a-command",
	"pile",
};

struct row {
	const char *word, *expected;
};

static void check_rows(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		CHECK_TEXT(nearest(rows[i].word, words, ARRAY_SIZE(words)), rows[i].expected);
}

static void one_mistake_in_three_letters_is_near(void)
{
	static const struct row rows[] = {
		{ "pipe", "pipe" },
		{ "pip", "pipe" },
		{ "pipes", "pipe" },
		{ "pope", "pipe" },
		{ "ppie", "pipe" },
		{ "ipe", "pipe" },
		{ "ofrk", "fork" },
		{ "yeild", "yield" },
		{ "mesaging", "messaging" },
		{ "massagin", "messaging" },
		{ "messangign", "messaging" },
		{ "pagefualt", "pagefaults" },
		{ "fagepaults", "pagefaults" },
		{ "al", "all" },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void more_mistakes_are_too_far(void)
{
	static const struct row rows[] = {
		{ "poop", NULL },
		{ "epip", NULL },
		{ "yyeldd", "yield" },
		{ "yydd", NULL },
		{ "", NULL },
		{ "bench", NULL },
		{ "maxxafin", NULL },
		{ "xxxxfaults", NULL },
		{ "zzzzzzzzzzzzzzzzzzzz", NULL },
		{ "a-word-that-is-longer-than-any-that-somebody-would-type-by-mistake-in-a-commanx", NULL },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void a_beginning_is_near_and_nearer_than_a_mistake(void)
{
	static const struct row rows[] = {
		{ "mess", "messaging" },
		{ "page", "pagefaults" },
		{ "p", "pipe" },
		{ "y", "yield" },
		{ "memse", "memset" },
		{ "a-word", "a-word-that-is-longer-than-any-that-somebody-would-type-by-mistake-in-a-command" },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void the_first_of_equals_is_taken(void)
{
	static const struct row rows[] = { { "pixe", "pipe" }, { "mem", "memcpy" }, { "pi", "pipe" } };

	check_rows(rows, ARRAY_SIZE(rows));
	CHECK_TEXT(nearest("pipe", words, 0), NULL);
}

static const struct test tests[] = {
	{ "one mistake in three letters is near", one_mistake_in_three_letters_is_near },
	{ "a word with more mistakes has no nearest", more_mistakes_are_too_far },
	{ "a beginning is near, and nearer than a mistake", a_beginning_is_near_and_nearer_than_a_mistake },
	{ "the first of equals is taken", the_first_of_equals_is_taken },
};

TEST_MAIN(tests)
