// SPDX-License-Identifier: GPL-2.0-only
#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test.h"
#include "wrap.h"

static int file_of(const char *text, size_t length)
{
	int fd = memfd_create("text", MFD_CLOEXEC);

	CHECK(fd >= 0);
	xwrite_all(fd, text, length);
	return fd;
}

static bool look(const char *which, int fd, double *value, char *why, size_t size)
{
	struct number *number = number_parse(which);
	bool found = number_find(number, fd, value, why, size);

	number_free(number);
	return found;
}

static void numbers_are_found(void)
{
	static const struct {
		const char *text, *which;
		double value;
	} rows[] = {
		{ "5", "1", 5 },
		{ "5\n", "1", 5 },
		{ "took 12ms\n", "1", 12 },
		{ "a 1 b 2.5 c -3e2 d\n", "2", 2.5 },
		{ "a 1 b 2.5 c -3e2 d\n", "3", -300 },
		{ "1 2\n3 4\n", "4", 4 },
		{ "+7", "1", 7 },
		{ ".5", "1", .5 },
		{ "-.5", "1", -.5 },
		{ "5.", "1", 5 },
		{ "5.x", "1", 5 },
		{ "1e3", "1", 1000 },
		{ "1E-3s", "1", .001 },
		{ "2e", "1", 2 },
		{ "2e+ 3", "1", 2 },
		{ "2e+ 3", "2", 3 },
		{ "x86 1", "1", 1 },
		{ "x86_64 1", "1", 1 },
		{ "v1.2.3 4", "1", 4 },
		{ "1.2.3 4", "1", 1.2 },
		{ "1.2.3 4", "2", 4 },
		{ "2026-12-02", "1", 2026 },
		{ "2026-12-02", "2", 12 },
		{ "8-4", "2", 4 },
		{ "(-8)", "1", -8 },
		{ "--8", "1", -8 },
		{ "0x1f 2", "1", 2 },
		{ "-0x1f 2", "1", 2 },
		{ "0 x", "1", 0 },
		{ "0xyz", "1", 0 },
		{ "1,234", "1", 1 },
		{ "1,234", "2", 234 },
		{ "time=3.25s", "1", 3.25 },
		{ "\xc2\xb1"
		  "4",
			"1", 4 },
		{ "007", "1", 7 },
		{ "a 1\ntotal: 5 of 6\ntotal: 7\n", "total: ([0-9]+)", 5 },
		{ "a 1\ntotal: 5 of 6\ntotal: 7\n", "total: .*", 5 },
		{ "a 1\ntotal: 5 of 6", "of (.*)", 6 },
		{ "1\n2\n3\n", "^(3)$", 3 },
		{ "rate 5 op/s, 6 B/s", "([0-9]+) B/s", 6 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int fd = file_of(rows[i].text, strlen(rows[i].text));
		double value = 0;
		char why[300] = "";

		CHECK_TEXT(look(rows[i].which, fd, &value, why, sizeof(why)) ? "found" : why, "found");
		CHECK_NEAR(value, rows[i].value, 0);
		close(fd);
	}
}

static void what_is_missing_is_said(void)
{
	static const struct {
		const char *text, *which, *why;
	} rows[] = {
		{ "", "1", "its output has no number" },
		{ "none x1\n", "1", "its output has no number" },
		{ "1\n", "2", "its output has 1 number, and number 2 is asked for" },
		{ "1 2", "3", "its output has 2 numbers, and number 3 is asked for" },
		{ "1e999", "1", "the number 1e999 is too long or too large" },
		{ "1e-400", "1", "the number 1e-400 is too long or too small" },
		{ "-1e999", "-.*", "the number -1e999 is too long or too large" },
		{ "1\n2\n", "total: ([0-9]+)", "no line of its output matches 'total: ([0-9]+)'" },
		{ "", "x", "no line of its output matches 'x'" },
		{ "a 1\n", "a", "what the expression has matched, 'a', has no number" },
		{ "a 1\n", "(a) 1", "what the expression has matched, 'a', has no number" },
		{ "b 2\na 1\n", "(a|b) .*", "what the expression has matched, 'b', has no number" },
		{ "a 1\n", "a( b)? 1", "what the expression has matched, '', has no number" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int fd = file_of(rows[i].text, strlen(rows[i].text));
		double value;
		char why[300] = "";

		CHECK(!look(rows[i].which, fd, &value, why, sizeof(why)));
		CHECK_TEXT(why, rows[i].why);
		close(fd);
	}
}

static void parse(void *text)
{
	number_free(number_parse(text));
}

static void what_is_no_number_and_no_expression_is_refused(void)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{ "", "kbench: option --number: '' is neither the place of a number nor a regular expression\n" },
		{ "0", "kbench: option --number: '0': numbers are counted from 1 to 18446744073709551615\n" },
		{ "000", "kbench: option --number: '000': numbers are counted from 1 to 18446744073709551615\n" },
		{ "99999999999999999999",
			"kbench: option --number: '99999999999999999999': numbers are counted from 1 to 18446744073709551615\n" },
		{ "(", "kbench: option --number: '(' is not a regular expression: " },
		{ "a[", "kbench: option --number: 'a[' is not a regular expression: " },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *err, *text = xstrdup(rows[i].text);

		CHECK_INT(test_capture(parse, text, NULL, &err), 2);
		CHECK_TEXT(strncmp(err, rows[i].message, strlen(rows[i].message)) ? err : rows[i].message,
			rows[i].message);
		free(err);
		free(text);
	}
}

/* The number stands across every place of the blocks that the file is read in. */
static void a_number_is_whole_wherever_it_stands(void)
{
	enum { NEAR = 65536 };
	char *text = xmalloc(NEAR + 40);

	for (size_t at = NEAR - 12; at < NEAR + 4; at++) {
		static const char number[] = " -12.5e-1 ";
		double value = 0;
		char why[300];
		int fd;

		memset(text, 'x', NEAR + 40);
		memcpy(text + at, number, strlen(number));
		fd = file_of(text, NEAR + 40);
		CHECK(look("1", fd, &value, why, sizeof(why)));
		CHECK_NEAR(value, -1.25, 0);
		value = 0;
		CHECK(look(" (-.*) ", fd, &value, why, sizeof(why)));
		CHECK_NEAR(value, -1.25, 0);
		close(fd);
	}
	free(text);
}

static void long_lines_and_numbers_are_cut(void)
{
	size_t length = NUMBER_LINE + 100;
	char *text = xmalloc(length), why[300];
	double value;
	int fd;

	memset(text, ' ', length);
	text[NUMBER_LINE - 1] = '7';
	text[NUMBER_LINE + 50] = '8';
	text[length - 2] = '\n';
	text[length - 1] = '9';
	fd = file_of(text, length);
	CHECK(look("[789]", fd, &value, why, sizeof(why)));
	CHECK_NEAR(value, 7, 0);
	CHECK(look("[89]", fd, &value, why, sizeof(why)));
	CHECK_NEAR(value, 9, 0);
	close(fd);
	memset(text, '1', 1000);
	fd = file_of(text, 1000);
	CHECK(!look("1", fd, &value, why, sizeof(why)));
	CHECK(strstr(why, "is too long or too large") != NULL);
	close(fd);
	free(text);
}

static const struct test tests[] = {
	{ "a number is found by its place or by an expression", numbers_are_found },
	{ "what is missing is said", what_is_missing_is_said },
	{ "what is neither a place nor an expression is a usage error",
		what_is_no_number_and_no_expression_is_refused },
	{ "a number that stands on the edge of a block is whole", a_number_is_whole_wherever_it_stands },
	{ "a line is seen up to its limit, and a number that is too long is none", long_lines_and_numbers_are_cut },
};

TEST_MAIN(tests)
