// SPDX-License-Identifier: GPL-2.0-only
/* What option tables answer to what cannot be meant. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "test.h"

#define WORDS 8

static const char *const places[] = { "free", "same", "smt", NULL };

static struct {
	uint64_t loops, groups, size, timeout;
	int64_t nice;
	bool threads, quiet;
	unsigned place;
	const char *file;
} opt = { .loops = 1, .size = 4096 };

static const struct opt table[] = {
	OPT_COUNT('l', "loop", &opt.loops, 1, UINT32_MAX, ""),
	OPT_COUNT('g', "group", &opt.groups, 0, OPT_MAX, ""),
	OPT_SIZE('s', "size", &opt.size, 4096, INT64_C(1) << 40, ""),
	OPT_TIME(0, "timeout", &opt.timeout, 0, OPT_MAX, ""),
	OPT_INT('n', "nice", &opt.nice, -20, 19, ""),
	OPT_FLAG('T', "thread", &opt.threads, ""),
	OPT_FLAG(0, "quiet", &opt.quiet, ""),
	OPT_CHOICE(0, "place", &opt.place, places, ""),
	OPT_STRING('o', "output", &opt.file, "FILE", ""),
	OPT_END,
};

struct refused {
	const char *words[WORDS];
	const char *message;
};

static void parse(void *row)
{
	const struct refused *refused = row;
	struct optset *set = optset_new(table);
	char *argv[WORDS + 1] = { NULL };
	int argc = 1;
	bool help;

	while (refused->words[argc - 1])
		argc++;
	memcpy(argv + 1, refused->words, (size_t)argc * sizeof(*argv));
	optset_parse(set, argc, argv, false, &help);
	printf("%zu combinations", optset_combinations(set));
	optset_free(set);
}

static void check_refused(const struct refused *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct refused row = rows[i];
		char *out, *err, expected[600];
		int status = test_capture(parse, &row, &out, &err);

		snprintf(expected, sizeof(expected), "kbench: %s\n", rows[i].message);
		CHECK_INT(status, 2);
		CHECK_TEXT(out, "");
		CHECK_TEXT(err, expected);
		free(out);
		free(err);
	}
}

#define LOOP_RANGE "is out of range (1 to 4294967295)"
#define NOT_COUNT  "is not a count (digits, with k, M, G or T; lists 4,8,16, ranges 1-4, doubling ranges 1-64*2)"
#define NOT_SIZE   "is not a size (bytes, or with K, M, G or T; lists 4K,64K,1M, doubling ranges 4K-1M*2)"
#define NOT_TIME   "is not a time (seconds, or with ns, us, ms, s, m or h; lists 10ms,1s, doubling ranges 1ms-64ms*2)"
#define NOT_INT    "is not a whole number (lists -1,0,1, ranges 1-4, doubling ranges 1-64*2)"
#define TOO_MANY   "makes more than 100000 values (a doubling range is written 1-64*2)"
#define BACKWARDS  "ends before it begins (a range is written from low to high: 1-4)"
#define NO_FACTOR  "has no factor of 2 or more (a doubling range is written 1-64*2)"
#define SIXTY_FOUR "0000000000000000000000000000000000000000000000000000000000000001"

static void values_out_of_range_are_answered(void)
{
	static const struct refused rows[] = {
		{ { "-l", "0" }, "option -l, --loop: '0' " LOOP_RANGE },
		{ { "-l", "-1" }, "option -l, --loop: '-1' " LOOP_RANGE },
		{ { "-l", "4294967296" }, "option -l, --loop: '4294967296' " LOOP_RANGE },
		{ { "-l", "5G" }, "option -l, --loop: '5G' " LOOP_RANGE },
		{ { "-l", "18446744073709551616" }, "option -l, --loop: '18446744073709551616' " LOOP_RANGE },
		{ { "-l", "99999999T" }, "option -l, --loop: '99999999T' " LOOP_RANGE },
		{ { "-l", "4,0,8" }, "option -l, --loop: '0' " LOOP_RANGE },
		{ { "-l", "0-4" }, "option -l, --loop: '0' " LOOP_RANGE },
		{ { "-l", "1-99999999999999999999*2" }, "option -l, --loop: '99999999999999999999' " LOOP_RANGE },
		{ { "-g", "18446744073709551616" },
			"option -g, --group: '18446744073709551616' is out of range (0 to 18446744073709551615)" },
		{ { "-s", "4095" }, "option -s, --size: '4095' is out of range (4KB to 1TB)" },
		{ { "-s", "2TB" }, "option -s, --size: '2TB' is out of range (4KB to 1TB)" },
		{ { "--timeout", "-1s" }, "option --timeout: '-1s' is out of range (0s to 18446744073.709551615s)" },
		{ { "-n", "20" }, "option -n, --nice: '20' is out of range (-20 to 19)" },
		{ { "-n", "-21" }, "option -n, --nice: '-21' is out of range (-20 to 19)" },
		{ { "-n", "-9223372036854775809" },
			"option -n, --nice: '-9223372036854775809' is out of range (-20 to 19)" },
	};

	check_refused(rows, ARRAY_SIZE(rows));
}

static void values_of_another_form_are_answered(void)
{
	static const struct refused rows[] = {
		{ { "-l", "10x" }, "option -l, --loop: '10x' " NOT_COUNT },
		{ { "-l", "1e99" }, "option -l, --loop: '1e99' " NOT_COUNT },
		{ { "-l", "1.5" }, "option -l, --loop: '1.5' " NOT_COUNT },
		{ { "-l", "" }, "option -l, --loop: '' " NOT_COUNT },
		{ { "--loop=" }, "option -l, --loop: '' " NOT_COUNT },
		{ { "-l=5" }, "option -l, --loop: '=5' " NOT_COUNT },
		{ { "-l", " 5" }, "option -l, --loop: ' 5' " NOT_COUNT },
		{ { "-l", "5 " }, "option -l, --loop: '5 ' " NOT_COUNT },
		{ { "-l", "+5" }, "option -l, --loop: '+5' " NOT_COUNT },
		{ { "-l", "-" }, "option -l, --loop: '-' " NOT_COUNT },
		{ { "-l", SIXTY_FOUR }, "option -l, --loop: '" SIXTY_FOUR "' " NOT_COUNT },
		{ { "-s", "1X" }, "option -s, --size: '1X' " NOT_SIZE },
		{ { "--timeout", "5 s" }, "option --timeout: '5 s' " NOT_TIME },
		{ { "--timeout", "0.5ns" }, "option --timeout: '0.5ns' " NOT_TIME },
		{ { "-n", "1k" }, "option -n, --nice: '1k' " NOT_INT },
		{ { "--place", "smtt" }, "option --place: 'smtt' is not one of free, same, smt; did you mean 'smt'?" },
		{ { "--place", "elsewhere" }, "option --place: 'elsewhere' is not one of free, same, smt" },
		{ { "--place", "" }, "option --place: '' is not one of free, same, smt" },
		{ { "--place", "sm" }, "option --place: 'sm' is not one of free, same, smt; did you mean 'smt'?" },
	};

	check_refused(rows, ARRAY_SIZE(rows));
}

static void broken_lists_and_ranges_are_answered(void)
{
	static const struct refused rows[] = {
		{ { "-l", "4,,8" }, "option -l, --loop: '4,,8' " NOT_COUNT },
		{ { "-l", "," }, "option -l, --loop: ',' " NOT_COUNT },
		{ { "-l", "4," }, "option -l, --loop: '4,' " NOT_COUNT },
		{ { "-l", "4,x" }, "option -l, --loop: 'x' " NOT_COUNT },
		{ { "-l", "4-" }, "option -l, --loop: '4-' " NOT_COUNT },
		{ { "-l", "4--8" }, "option -l, --loop: '4--8' " NOT_COUNT },
		{ { "-l", "-1-4" }, "option -l, --loop: '-1-4' " NOT_COUNT },
		{ { "-l", "1-4-8" }, "option -l, --loop: '1-4-8' " NOT_COUNT },
		{ { "-l", "1-4*" }, "option -l, --loop: '1-4*' " NOT_COUNT },
		{ { "-l", "1-4*x" }, "option -l, --loop: '1-4*x' " NOT_COUNT },
		{ { "-l", "1-4*2*2" }, "option -l, --loop: '1-4*2*2' " NOT_COUNT },
		{ { "-l", "4*2" }, "option -l, --loop: '4*2' " NOT_COUNT },
		{ { "-l", "8-4" }, "option -l, --loop: '8-4' " BACKWARDS },
		{ { "-s", "64K-4K*2" }, "option -s, --size: '64K-4K*2' " BACKWARDS },
		{ { "-l", "1-64*0" }, "option -l, --loop: '1-64*0' " NO_FACTOR },
		{ { "-l", "1-64*1" }, "option -l, --loop: '1-64*1' " NO_FACTOR },
		{ { "-g", "0-64*2" },
			"option -g, --group: '0-64*2' begins at 0, which no factor changes (write 0,1-64*2)" },
		{ { "-n", "-5-5" }, "option -n, --nice: '-5-5' " NOT_INT },
		{ { "--place", "same,,smt" }, "option --place: 'same,,smt' is not one of free, same, smt" },
		{ { "--place", "same,smx" },
			"option --place: 'smx' is not one of free, same, smt; did you mean 'smt'?" },
		{ { "--place", "same-smt" }, "option --place: 'same-smt' is not one of free, same, smt" },
	};

	check_refused(rows, ARRAY_SIZE(rows));
}

static void a_sweep_that_is_too_long_is_answered(void)
{
	static const struct refused rows[] = {
		{ { "-l", "1-100001" }, "option -l, --loop: '1-100001' " TOO_MANY },
		{ { "-l", "1,1-100000" }, "option -l, --loop: '1-100000' " TOO_MANY },
		{ { "-l", "1-100000,1" }, "option -l, --loop: '1' " TOO_MANY },
		{ { "-g", "0-18446744073709551615" }, "option -g, --group: '0-18446744073709551615' " TOO_MANY },
		{ { "-s", "4K-1T" }, "option -s, --size: '4K-1T' " TOO_MANY },
		{ { "--timeout", "1-5" }, "option --timeout: '1-5' " TOO_MANY },
		{ { "-l", "1-1000", "-g", "1-101", "-T" },
			"--loop takes 1000 values, --group takes 101 values: more than 100000 combinations" },
		{ { "-l", "1-100000", "-g", "1-100000", "--place", "same,smt" },
			"--loop takes 100000 values, --group takes 100000 values, --place takes 2 values: more than "
			"100000 combinations" },
	};
	static struct refused longest = { { "-l", "1-1000", "-g", "1-100" }, NULL };
	char *out;

	check_refused(rows, ARRAY_SIZE(rows));
	CHECK_INT(test_capture(parse, &longest, &out, NULL), 0);
	CHECK_TEXT(out, "100000 combinations");
	free(out);
}

static void wrong_words_are_answered(void)
{
	static const struct refused rows[] = {
		{ { "--lop" }, "unknown option '--lop': did you mean '--loop'?" },
		{ { "--lop=5" }, "unknown option '--lop': did you mean '--loop'?" },
		{ { "--halp" }, "unknown option '--halp': did you mean '--help'?" },
		{ { "--entirely-else" }, "unknown option '--entirely-else'" },
		{ { "-x" }, "unknown option '-x'" },
		{ { "-Tx" }, "unknown option '-x'" },
		{ { "-?" }, "unknown option '-?'" },
		{ { "-:" }, "unknown option '-:'" },
		{ { "-l" }, "option -l, --loop needs a value" },
		{ { "--loop" }, "option -l, --loop needs a value" },
		{ { "-Tl" }, "option -l, --loop needs a value" },
		{ { "--place" }, "option --place needs a value" },
		{ { "--thread=yes" }, "option -T, --thread takes no value" },
		{ { "--quiet=1" }, "option --quiet takes no value" },
		{ { "--help=loop" }, "option -h, --help takes no value" },
		{ { "x" }, "unexpected word 'x'" },
		{ { "-l", "5", "6" }, "unexpected word '6'" },
		{ { "-T", "x", "-l", "0" }, "unexpected word 'x'" },
		{ { "-o", "--", "x" }, "unexpected word 'x'" },
		{ { "-" }, "unexpected word '-'" },
		{ { "" }, "unexpected word ''" },
		{ { "-l", "0", "--lop" }, "option -l, --loop: '0' " LOOP_RANGE },
	};

	check_refused(rows, ARRAY_SIZE(rows));
}

static const struct test tests[] = {
	{ "a value out of range is answered with the range", values_out_of_range_are_answered },
	{ "a value of another form is answered with the form", values_of_another_form_are_answered },
	{ "broken lists and ranges are answered", broken_lists_and_ranges_are_answered },
	{ "a sweep of more than 100000 combinations is answered", a_sweep_that_is_too_long_is_answered },
	{ "unknown options, missing and unwanted values and stray words are answered", wrong_words_are_answered },
};

TEST_MAIN(tests)
