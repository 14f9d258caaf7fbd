// SPDX-License-Identifier: GPL-2.0-only
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#define WORDS 8

static const char *const places[] = { "free", "same", "smt", NULL };
static const char *const huge_modes[] = { "anon", "thp", NULL };

/* Every test runs in a process of its own, so each begins with these. */
static struct {
	uint64_t loops, groups, pages, size, timeout;
	int64_t nice;
	bool threads, quiet;
	unsigned place, huge;
	const char *file, *cpus;
} opt = { .loops = 1000, .groups = 10, .pages = 1, .size = 1 << 20, .timeout = 5 * NSEC_PER_SEC, .cpus = "0-3" };

static const struct opt table[] = {
	OPT_COUNT('l', "loop", &opt.loops, 1, UINT32_MAX, "round trips"),
	OPT_COUNT('g', "group", &opt.groups, 0, OPT_MAX, "groups of senders and receivers"),
	OPT_SIZE('s', "size", &opt.size, 4096, INT64_C(1) << 40,
		"bytes of memory that every worker touches before the "
		"clock starts and again after it has stopped"),
	OPT_TIME(0, "timeout", &opt.timeout, 0, OPT_MAX, "end a run that takes longer"),
	OPT_INT('n', "nice", &opt.nice, -20, 19, "priority"),
	OPT_FLAG('T', "thread", &opt.threads, "threads instead of processes"),
	OPT_FLAG(0, "quiet", &opt.quiet, "print less"),
	OPT_CHOICE(0, "place", &opt.place, places, "where the two tasks run"),
	OPT_CHOICE(0, "huge-pages", &opt.huge, huge_modes, "what backs the memory"),
	OPT_STRING('o', "output", &opt.file, "FILE", "append to FILE"),
	OPT_STRING(0, "other-nodes", &opt.cpus, "LIST", "CPUs"),
	OPT_END,
};

struct parsed {
	struct optset *set;
	int next; /* what optset_parse returned */
	bool help;
};

/* Words are ended by NULL. */
static struct parsed parse(const char *const *words, bool stop_at_word)
{
	char *argv[WORDS + 1] = { NULL };
	struct parsed parsed = { .set = optset_new(table) };
	int argc = 1;

	while (words[argc - 1])
		argc++;
	memcpy(argv + 1, words, (size_t)argc * sizeof(*words)); /* getopt's argv is not const, but left alone */
	parsed.next = optset_parse(parsed.set, argc, argv, stop_at_word, &parsed.help);
	return parsed;
}

/* All combinations of the parameters that were typed: "loop=1 size=4KB; loop=2 size=4KB". */
static void describe(const struct optset *set, char *text, size_t size)
{
	FILE *out = fmemopen(text, size, "w");

	for (size_t i = 0; i < optset_combinations(set); i++) {
		size_t count;
		struct param *params = optset_params(set, i, &count);
		const char *before = i ? "; " : "";

		for (size_t p = 0; p < count; p++) {
			if (!params[p].given)
				continue;
			fprintf(out, "%s%s%s=%s", before, params[p].name, params[p].swept ? "*" : "", params[p].value);
			before = " ";
		}
		params_free(params, count);
	}
	fclose(out);
}

struct accepted {
	const char *words[WORDS];
	const char *combinations; /* swept parameters have a star */
};

static void check_accepted(const struct accepted *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct parsed parsed = parse(rows[i].words, false);
		char text[1000] = "";

		describe(parsed.set, text, sizeof(text));
		CHECK_TEXT(text, rows[i].combinations);
		CHECK(!parsed.help);
		optset_free(parsed.set);
	}
}

static void single_values_are_taken(void)
{
	static const struct accepted rows[] = {
		{ { NULL }, "" },
		{ { "-l", "5" }, "loop=5" },
		{ { "-l5" }, "loop=5" },
		{ { "--loop", "10k" }, "loop=10000" },
		{ { "--loop=4294967295" }, "loop=4294967295" },
		{ { "--lo", "7" }, "loop=7" },
		{ { "-g", "18446744073709551615" }, "group=18446744073709551615" },
		{ { "-s", "1M" }, "size=1MB" },
		{ { "-s", "4097" }, "size=4097" },
		{ { "--timeout", "1.5" }, "timeout=1.5s" },
		{ { "--timeout", "100ms" }, "timeout=100ms" },
		{ { "-n", "-20" }, "nice=-20" },
		{ { "-n-1" }, "nice=-1" },
		{ { "-T" }, "thread=true" },
		{ { "-Tl", "3" }, "loop=3 thread=true" },
		{ { "-T", "--quiet" }, "thread=true quiet=true" },
		{ { "--place", "smt" }, "place=smt" },
		{ { "-o", "a,b 1-4" }, "output=a,b 1-4" },
		{ { "-o", "" }, "output=" },
		{ { "-o", "--" }, "output=--" },
	};

	check_accepted(rows, ARRAY_SIZE(rows));
}

static void lists_and_ranges_are_walked(void)
{
	static const struct accepted rows[] = {
		{ { "-l", "4,8,16" }, "loop*=4; loop*=8; loop*=16" },
		{ { "-l", "8,8" }, "loop*=8; loop*=8" },
		{ { "-l", "1-4" }, "loop*=1; loop*=2; loop*=3; loop*=4" },
		{ { "-l", "3-3" }, "loop=3" },
		{ { "-l", "1-8*2" }, "loop*=1; loop*=2; loop*=4; loop*=8" },
		{ { "-l", "1-15*2" }, "loop*=1; loop*=2; loop*=4; loop*=8" },
		{ { "-l", "2-54*3" }, "loop*=2; loop*=6; loop*=18; loop*=54" },
		{ { "-l", "1,5-6,10-40*2" }, "loop*=1; loop*=5; loop*=6; loop*=10; loop*=20; loop*=40" },
		{ { "-g", "18446744073709551614-18446744073709551615" },
			"group*=18446744073709551614; group*=18446744073709551615" },
		{ { "-g", "9000000000000000000-18446744073709551615*2" },
			"group*=9000000000000000000; group*=18000000000000000000" },
		{ { "-s", "4K-16K*2" }, "size*=4KB; size*=8KB; size*=16KB" },
		{ { "-s", "4K,1M" }, "size*=4KB; size*=1MB" },
		{ { "-s", "4096-4097" }, "size*=4KB; size*=4097" },
		{ { "--timeout", "1-4*2" }, "timeout*=1s; timeout*=2s; timeout*=4s" },
		{ { "-n", "-1,0,1" }, "nice*=-1; nice*=0; nice*=1" },
		{ { "-n", "0-2" }, "nice*=0; nice*=1; nice*=2" },
		{ { "--huge-pages", "anon,thp" }, "huge-pages*=anon; huge-pages*=thp" },
	};

	check_accepted(rows, ARRAY_SIZE(rows));
}

static void the_last_of_two_wins(void)
{
	static const struct accepted rows[] = {
		{ { "-l", "5", "--loop", "6" }, "loop=6" },
		{ { "-l", "1-100000", "-l", "6", "-g", "1-10" },
			"loop=6 group*=1; loop=6 group*=2; loop=6 group*=3; loop=6 group*=4; loop=6 group*=5; "
			"loop=6 group*=6; loop=6 group*=7; loop=6 group*=8; loop=6 group*=9; loop=6 group*=10" },
		{ { "-o", "a", "-o", "b" }, "output=b" },
	};

	check_accepted(rows, ARRAY_SIZE(rows));
}

static void the_last_option_of_the_table_varies_fastest(void)
{
	static const struct accepted rows[] = {
		{ { "--place", "same,smt", "-T", "-l", "1,2,3" },
			"loop*=1 thread=true place*=same; loop*=1 thread=true place*=smt; "
			"loop*=2 thread=true place*=same; loop*=2 thread=true place*=smt; "
			"loop*=3 thread=true place*=same; loop*=3 thread=true place*=smt" },
	};

	check_accepted(rows, ARRAY_SIZE(rows));
}

static void a_selected_combination_is_in_the_variables(void)
{
	static const char *const words[] = { "-l1,2", "-s4K", "--timeout=1ms", "-n-5,-6", "-T", "--place=same,smt",
		"-oname", NULL };
	struct parsed parsed = parse(words, false);

	CHECK_UINT(optset_combinations(parsed.set), 8);
	CHECK_UINT(opt.loops, 1000);
	CHECK(!opt.threads);
	optset_select(parsed.set, 6); /* loop 2, nice -6, place same */
	CHECK_UINT(opt.loops, 2);
	CHECK_UINT(opt.size, 4096);
	CHECK_UINT(opt.timeout, NSEC_PER_MSEC);
	CHECK_INT(opt.nice, -6);
	CHECK(opt.threads);
	CHECK(!opt.quiet);
	CHECK_UINT(opt.place, 1);
	CHECK_TEXT(opt.file, "name");
	CHECK_UINT(opt.groups, 10);
	CHECK_TEXT(opt.cpus, "0-3");
	optset_select(parsed.set, 1); /* loop 1, nice -5, place smt */
	CHECK_UINT(opt.loops, 1);
	CHECK_INT(opt.nice, -5);
	CHECK_UINT(opt.place, 2);
	optset_free(parsed.set);
}

static void parameters_are_the_whole_table(void)
{
	static const struct {
		const char *name, *value;
		bool given, swept;
	} expected[] = {
		{ "loop", "2", true, true },
		{ "group", "10", false, false },
		{ "size", "1MB", false, false },
		{ "timeout", "5s", false, false },
		{ "nice", "0", false, false },
		{ "thread", "false", false, false },
		{ "quiet", "true", true, false },
		{ "place", "free", true, false },
		{ "huge-pages", "anon", false, false },
		{ "output", "", false, false },
		{ "other-nodes", "0-3", false, false },
	};
	static const char *const words[] = { "-l", "1,2", "--quiet", "--place", "free", NULL };
	struct parsed parsed = parse(words, false);
	size_t count;
	struct param *params = optset_params(parsed.set, 1, &count);

	CHECK_UINT(count, ARRAY_SIZE(expected));
	for (size_t i = 0; i < count; i++) {
		CHECK_TEXT(params[i].name, expected[i].name);
		CHECK_TEXT(params[i].value, expected[i].value);
		CHECK_INT(params[i].given, expected[i].given);
		CHECK_INT(params[i].swept, expected[i].swept);
	}
	params_free(params, count);
	optset_free(parsed.set);
}

static void the_parse_ends_where_it_must(void)
{
	static const struct {
		const char *words[WORDS];
		bool stop_at_word;
		int next;
		bool help;
	} rows[] = {
		{ { NULL }, false, 1, false },
		{ { NULL }, true, 1, false },
		{ { "-l", "5" }, false, 3, false },
		{ { "-l", "5", "pipe", "-l", "x" }, true, 3, false },
		{ { "pipe", "-h" }, true, 1, false },
		{ { "-T", "-", "-l" }, true, 2, false },
		{ { "--", "-l", "x" }, true, 2, false },
		{ { "--", "-l", "x" }, false, 2, false },
		{ { "-T", "--", "word" }, false, 3, false },
		{ { "-T", "--" }, false, 3, false },
		{ { "-h" }, false, 2, true },
		{ { "--help", "word" }, false, 2, true },
		{ { "-l", "5", "--help", "--lop" }, false, 4, true },
		{ { "-Th" }, true, 2, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct parsed parsed = parse(rows[i].words, rows[i].stop_at_word);

		CHECK_INT(parsed.next, rows[i].next);
		CHECK_INT(parsed.help, rows[i].help);
		optset_free(parsed.set);
	}
}

static void print_help(void *of)
{
	opts_print_help(of);
}

static void help_is_made_from_the_table(void)
{
	static const char expected[] =
		"  -l, --loop N          round trips (1 to 4294967295; default 1000)\n"
		"  -g, --group N         groups of senders and receivers (default 10)\n"
		"  -s, --size SIZE       bytes of memory that every worker touches before the\n"
		"                        clock starts and again after it has stopped (4KB to 1TB;\n"
		"                        default 1MB)\n"
		"      --timeout TIME    end a run that takes longer (default 5s)\n"
		"  -n, --nice N          priority (-20 to 19; default 0)\n"
		"  -T, --thread          threads instead of processes\n"
		"      --quiet           print less\n"
		"      --place WORD      where the two tasks run (free, same, smt; default free)\n"
		"      --huge-pages WORD what backs the memory (anon, thp; default anon)\n"
		"  -o, --output FILE     append to FILE\n"
		"      --other-nodes LIST\n"
		"                        CPUs (default 0-3)\n";
	struct opt copy[ARRAY_SIZE(table)];
	char *out;

	memcpy(copy, table, sizeof(table));
	CHECK_INT(test_capture(print_help, copy, &out, NULL), 0);
	CHECK_TEXT(out, expected);
	free(out);
}

static void make_set(void *of)
{
	optset_free(optset_new(of));
}

static void a_table_that_contradicts_itself_is_a_bug(void)
{
	static uint64_t number = 5;
	static unsigned choice = 3;
	static int64_t negative = -1;
	static struct {
		struct opt table[3];
		const char *message;
	} rows[] = {
		{ { OPT_COUNT('l', "loop", &number, 1, 9, "a"), OPT_COUNT('l', "other", &number, 1, 9, "b"), OPT_END },
			"options --loop and --other have the same letter -l" },
		{ { OPT_COUNT('l', "loop", &number, 1, 9, "a"), OPT_COUNT(0, "loop", &number, 1, 9, "b"), OPT_END },
			"two options are named --loop" },
		{ { OPT_COUNT('h', "hours", &number, 1, 9, "a"), OPT_END },
			"options --hours and --help have the same letter -h" },
		{ { OPT_COUNT(0, "help", &number, 1, 9, "a"), OPT_END }, "two options are named --help" },
		{ { OPT_COUNT(0, "few", &number, 1, 4, "a"), OPT_END },
			"the default of option --few is out of its range" },
		{ { OPT_SIZE(0, "many", &number, 6, OPT_MAX, "a"), OPT_END },
			"the default of option --many is out of its range" },
		{ { OPT_INT(0, "nice", &negative, 0, 4, "a"), OPT_END },
			"the default of option --nice is out of its range" },
		{ { OPT_CHOICE(0, "place", &choice, places, "a"), OPT_END },
			"the default of option --place is none of its choices" },
	};
	static struct opt sound[] = { OPT_COUNT(0, "one", &number, 5, 5, "a"), OPT_COUNT(0, "two", &number, 1, 9, "b"),
		OPT_END };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *err;

		CHECK_INT(test_capture(make_set, rows[i].table, NULL, &err), 1);
		CHECK(strstr(err, "BUG at ") != NULL);
		CHECK_TEXT(strstr(err, rows[i].message) ? rows[i].message : err, rows[i].message);
		free(err);
	}
	CHECK_INT(test_capture(make_set, sound, NULL, NULL), 0);
}

static const struct test tests[] = {
	{ "single values of every type are taken", single_values_are_taken },
	{ "lists and ranges are walked in the order typed", lists_and_ranges_are_walked },
	{ "an option given twice has its last value", the_last_of_two_wins },
	{ "the last option of the table varies fastest", the_last_option_of_the_table_varies_fastest },
	{ "a selected combination is in the variables, and nothing before",
		a_selected_combination_is_in_the_variables },
	{ "the parameters are the whole table, defaults included", parameters_are_the_whole_table },
	{ "the parse ends at a word, at -- and at help", the_parse_ends_where_it_must },
	{ "help has a paragraph for every option, wrapped at 80 columns", help_is_made_from_the_table },
	{ "a table that contradicts itself ends the process", a_table_that_contradicts_itself_is_a_bug },
};

TEST_MAIN(tests)
