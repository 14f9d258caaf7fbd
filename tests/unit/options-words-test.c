// SPDX-License-Identifier: GPL-2.0-only
/* Options whose values are words: with an optional value, and kept at every occurrence. */
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "test.h"

#define WORDS 8

static struct {
	const char *number;
	struct opt_list prepare, output;
	const char *place;
	uint64_t repeat;
} opt = { .place = "free", .repeat = 5 };

static const struct opt table[] = {
	OPT_COUNT('r', "repeat", &opt.repeat, 1, 100, "runs"),
	OPT_OPTIONAL('n', "number", &opt.number, "N|REGEX", "1", "which number"),
	OPT_LIST('p', "prepare", &opt.prepare, "CMD", "before each run; may be repeated"),
	OPT_LIST(0, "output", &opt.output, "FILE", "where to"),
	OPT_WORDS(0, "place", &opt.place, "WHERE", "on which CPUs"),
	OPT_END,
};

struct parsed {
	struct optset *set;
	int next;
};

/* Words are ended by NULL. */
static struct parsed parse(const char *const *words)
{
	char *argv[WORDS + 1] = { NULL };
	struct parsed parsed = { .set = optset_new(table) };
	int argc = 1;
	bool help;

	while (words[argc - 1])
		argc++;
	memcpy(argv + 1, words, (size_t)argc * sizeof(*words)); /* getopt's argv is not const, but left alone */
	parsed.next = optset_parse(parsed.set, argc, argv, true, &help);
	return parsed;
}

static void an_optional_value_has_one_of_its_own(void)
{
	static const struct {
		const char *words[WORDS];
		const char *number;
		int next;
	} rows[] = {
		{ { NULL }, NULL, 1 },
		{ { "--number" }, "1", 2 },
		{ { "--number", "3" }, "1", 2 }, /* a word by itself is no value */
		{ { "--number=3", "command" }, "3", 2 },
		{ { "--number=", "command" }, "", 2 },
		{ { "--num=a=b" }, "a=b", 2 },
		{ { "-n", "3" }, "1", 2 },
		{ { "-n3" }, "3", 2 },
		{ { "-nr", "3" }, "r", 2 },
		{ { "--number=3", "--number" }, "1", 3 },
		{ { "-n", "-r", "7", "command" }, "1", 4 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct parsed parsed = parse(rows[i].words);

		opt.number = NULL;
		optset_select(parsed.set, 0);
		CHECK_TEXT(opt.number ? opt.number : "none", rows[i].number ? rows[i].number : "none");
		CHECK_INT(parsed.next, rows[i].next);
		optset_free(parsed.set);
		opt.number = NULL;
		opt.repeat = 5;
	}
}

static void check_list(const struct opt_list *list, const char *const *words)
{
	size_t count = 0;

	while (words[count])
		count++;
	CHECK_UINT(list->count, count);
	for (size_t i = 0; i < count && i < list->count; i++)
		CHECK_TEXT(list->words[i], words[i]);
}

static void every_occurrence_is_kept(void)
{
	static const struct {
		const char *words[WORDS];
		const char *prepare[WORDS], *output[WORDS];
	} rows[] = {
		{ { NULL }, { NULL }, { NULL } },
		{ { "-p", "a" }, { "a" }, { NULL } },
		{ { "-p", "a", "--prepare=b,1-4", "-pa" }, { "a", "b,1-4", "a" }, { NULL } },
		{ { "--output", "x", "-p", "", "--out", "--" }, { "" }, { "x", "--" } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct parsed parsed = parse(rows[i].words);

		CHECK_UINT(optset_combinations(parsed.set), 1);
		CHECK_UINT(opt.prepare.count, 0); /* nothing before it is selected */
		optset_select(parsed.set, 0);
		check_list(&opt.prepare, rows[i].prepare);
		check_list(&opt.output, rows[i].output);
		optset_free(parsed.set);
		opt.prepare = opt.output = (struct opt_list){ NULL, 0 };
	}
}

static void parameters_join_the_occurrences(void)
{
	static const char *const words[] = { "-p", "a b", "-p", "c", "-n", NULL };
	struct parsed parsed = parse(words);
	size_t count;
	struct param *params = optset_params(parsed.set, 0, &count);

	CHECK_UINT(count, 5);
	CHECK_TEXT(params[1].value, "1");
	CHECK(params[1].given);
	CHECK_TEXT(params[2].value, "a b, c");
	CHECK(params[2].given);
	CHECK_UINT(params[2].number, 0);
	CHECK_TEXT(params[3].value, "");
	CHECK(!params[3].given);
	params_free(params, count);
	optset_free(parsed.set);
}

static void a_list_of_words_is_swept(void)
{
	static const struct {
		const char *words[WORDS];
		const char *places[WORDS];
	} rows[] = {
		{ { NULL }, { "free" } },
		{ { "--place=same" }, { "same" } },
		{ { "--place=same,free" }, { "same", "free" } },
		{ { "--place", "0,1" }, { "0,1" } },
		{ { "--place", "a,0,1,b,2,3,4,5c" }, { "a", "0,1", "b", "2,3,4,5c" } },
		{ { "--place=a,b", "--place=c" }, { "c" } }, /* the last one counts */
		{ { "--place=stride=4,random" }, { "stride=4", "random" } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct parsed parsed = parse(rows[i].words);
		size_t count = 0;

		for (; rows[i].places[count]; count++) {
			optset_select(parsed.set, count);
			CHECK_TEXT(opt.place, rows[i].places[count]);
		}
		CHECK_UINT(optset_combinations(parsed.set), count);
		optset_free(parsed.set);
		opt.place = "free";
	}
}

static void ask_for_a_stranger(void *of)
{
	optset_given(of, "stranger");
}

static void it_is_known_what_was_typed(void)
{
	static const char *const words[] = { "--rep=5", "-p", "a", NULL };
	struct parsed parsed = parse(words);
	char *err;

	CHECK(optset_given(parsed.set, "repeat"));
	CHECK(optset_given(parsed.set, "prepare"));
	CHECK(!optset_given(parsed.set, "number"));
	CHECK(!optset_given(parsed.set, "output"));
	CHECK_INT(test_capture(ask_for_a_stranger, parsed.set, NULL, &err), 1);
	CHECK(strstr(err, "there is no option --stranger") != NULL);
	free(err);
	optset_free(parsed.set);
}

static void parse_without_value(void *of)
{
	(void)of;
	parse((const char *const[]){ "-r", "5", "--prepare", NULL });
}

static void a_list_needs_a_value(void)
{
	char *err;

	CHECK_INT(test_capture(parse_without_value, NULL, NULL, &err), 2);
	CHECK_TEXT(err, "kbench: option -p, --prepare needs a value\n");
	free(err);
}

static void print_help(void *of)
{
	opts_print_help(of);
}

static void help_shows_what_is_optional(void)
{
	static const char expected[] = "  -r, --repeat N        runs (1 to 100; default 5)\n"
				       "  -n, --number[=N|REGEX]\n"
				       "                        which number\n"
				       "  -p, --prepare CMD     before each run; may be repeated\n"
				       "      --output FILE     where to\n"
				       "      --place WHERE     on which CPUs (default free)\n";
	struct opt copy[ARRAY_SIZE(table)];
	char *out;

	memcpy(copy, table, sizeof(table));
	CHECK_INT(test_capture(print_help, copy, &out, NULL), 0);
	CHECK_TEXT(out, expected);
	free(out);
}

static const struct test tests[] = {
	{ "an option with an optional value has one of its own where none is typed",
		an_optional_value_has_one_of_its_own },
	{ "an option that is a list keeps every occurrence in order", every_occurrence_is_kept },
	{ "a list of words is swept, and two numbers are one word", a_list_of_words_is_swept },
	{ "the parameter of a list is its words, joined", parameters_join_the_occurrences },
	{ "it is known which options were typed", it_is_known_what_was_typed },
	{ "an option that is a list needs a value", a_list_needs_a_value },
	{ "help puts an optional value into brackets", help_shows_what_is_optional },
};

TEST_MAIN(tests)
