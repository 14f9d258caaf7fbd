// SPDX-License-Identifier: GPL-2.0-only
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#define COLUMNS 3

static char *printed(const struct table *table, const char *prefix)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		abort();
	table_print(table, out, prefix);
	fclose(out);
	return text;
}

static void layouts(void)
{
	static const struct {
		bool left[COLUMNS];
		const char *prefix, *cells[4 * COLUMNS + 1], *expected;
	} rows[] = {
		{ { true, false, false }, "", { NULL }, "" },
		{ { true, false, false }, "",
			{ "benchmark", "runs", "usecs/op", "sched pipe", "20", "24.26", "mem", "3", "1000.50" },
			"benchmark   runs  usecs/op\n"
			"sched pipe    20     24.26\n"
			"mem            3   1000.50\n" },
		{ { true, true, true }, " # ", { "a", "b", "note", "long", "longer", "", "", "", "" },
			" # a     b       note\n"
			" # long  longer\n"
			" #\n" },
		{ { false, true, false }, "    ", { "12", "a", "", "3", "bcd ", "4 ", "", "", "" },
			"    12  a\n"
			"     3  bcd   4\n"
			"\n" },
		{ { true, false, true }, "",
			{ "\xc2\xb5s", "\xc2\xb1 5", "\xe2\x82\xac", "secs", "10.25", "\xf0\x9f\x90\xa7.", "e", "1",
				"x" },
			"\xc2\xb5s      \xc2\xb1 5  \xe2\x82\xac\n"
			"secs  10.25  \xf0\x9f\x90\xa7.\n"
			"e         1  x\n" },
		/* 80 columns, and 81 */
		{ { true, false, true }, "##",
			{ "1234567890123456789012345678901234567890123456789012345678901234567890", "1", "1" },
			"##1234567890123456789012345678901234567890123456789012345678901234567890  1  1\n" },
		{ { true, false, true }, "##",
			{ "1234567890123456789012345678901234567890123456789012345678901234567890123", "1", "1" },
			"##1234567890123456789012345678901234567890123456789012345678901234567890123 1 1\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct table *table = table_new(COLUMNS);
		char *text;

		for (size_t j = 0; rows[i].cells[j]; j++)
			table_cell(table, rows[i].left[j % COLUMNS], "%s", rows[i].cells[j]);
		text = printed(table, rows[i].prefix);
		CHECK_TEXT(text, rows[i].expected);
		free(text);
		table_free(table);
	}
}

static void formatted_cells(void)
{
	struct table *table = table_new(2);
	char word[] = "first", *text;

	table_cell(table, true, "%s", word);
	memset(word, 'x', strlen(word));
	table_cell(table, false, "%.*f %%", 2, 1.5);
	text = printed(table, "");
	CHECK_TEXT(text, "first  1.50 %\n");
	free(text);
	table_free(table);
}

static void many_rows(void)
{
	struct table *table = table_new(1);
	char *text;

	for (int i = 0; i < 1000; i++)
		table_cell(table, false, "%d", i);
	text = printed(table, "");
	CHECK_UINT(strlen(text), 1000 * strlen("999\n"));
	CHECK(strncmp(text, "  0\n  1\n", 8) == 0);
	CHECK_TEXT(text + 999 * 4, "999\n");
	free(text);
	table_free(table);
}

static void print_incomplete(void *argument)
{
	struct table *table = table_new(2);

	(void)argument;
	table_cell(table, true, "a");
	table_cell(table, true, "b");
	table_cell(table, true, "c");
	table_print(table, stdout, "");
}

static void incomplete_row(void)
{
	char *out, *err;

	CHECK(test_capture(print_incomplete, NULL, &out, &err) != 0);
	CHECK_TEXT(out, "");
	CHECK(strstr(err, "3 cells in a table of 2 columns") != NULL);
	free(out);
	free(err);
}

static void decimals(void)
{
	static const struct {
		int digits;
		size_t n;
		double values[3];
		int expected;
	} rows[] = {
		{ 4, 0, { 0 }, 0 },
		{ 4, 1, { 0 }, 0 },
		{ 4, 3, { (double)NAN, HUGE_VAL, -HUGE_VAL }, 0 },
		{ 4, 1, { 1 }, 3 },
		{ 4, 1, { -1 }, 3 },
		{ 4, 1, { 10 }, 2 },
		{ 4, 1, { 9.9994 }, 3 },
		{ 4, 1, { 9.9996 }, 2 }, /* 10.00 */
		{ 4, 1, { 1000 }, 0 },
		{ 4, 1, { 1e300 }, 0 },
		{ 4, 1, { 0.001 }, 6 },
		{ 4, 1, { 1e-6 }, 9 },
		{ 4, 1, { 1e-7 }, 9 },
		{ 4, 1, { 1e-300 }, 9 },
		{ 1, 1, { 1 }, 0 },
		{ 1, 1, { 0.006 }, 3 }, /* not 0.01 */
		{ 1, 1, { 0.0096 }, 2 },
		{ 3, 3, { 1234, 0.5, 12 }, 3 },
		{ 3, 3, { 0, 12, (double)NAN }, 1 },
		{ 3, 3, { -0.25, 12, HUGE_VAL }, 3 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		CHECK_INT(table_decimals(rows[i].values, rows[i].n, rows[i].digits), rows[i].expected);
}

static void powers(void)
{
	char *row;
	static const struct {
		size_t n;
		double values[3];
		int expected;
		const char *unit;
	} rows[] = {
		{ 0, { 0 }, 0, "B/s" },
		{ 2, { 0, (double)NAN }, 0, "B/s" },
		{ 2, { HUGE_VAL, 1 }, 0, "B/s" },
		{ 1, { 999999 }, 0, "B/s" },
		{ 1, { 1e6 }, 6, "10^6 B/s" },
		{ 3, { 0, 2.5e10, -3e12 }, 9, "10^9 B/s" },
		{ 2, { 2.5e10, 5 }, 0, "B/s" }, /* one is small enough */
		{ 1, { 0.1 }, 0, "B/s" },
		{ 2, { 0.099, 1e-9 }, -3, "10^-3 B/s" },
		{ 2, { 0.00099, 1e-9 }, -6, "10^-6 B/s" },
		{ 2, { 0.5, 1e-9 }, 0, "B/s" },
		{ 1, { 1e-300 }, -300, "10^-300 B/s" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *unit = table_unit(rows[i].expected, "B/s");

		CHECK_INT(table_power(rows[i].values, rows[i].n), rows[i].expected);
		CHECK_TEXT(unit, rows[i].unit);
		free(unit);
	}
	CHECK_TEXT((row = table_row_unit(-3, "sec")), "sec (10^-3)");
	free(row);
	CHECK_TEXT((row = table_row_unit(0, "sec")), "sec");
	free(row);
}

static const struct test tests[] = {
	{ "columns are aligned by characters, after the prefix, and no line ends in a blank", layouts },
	{ "a cell is a formatted copy", formatted_cells },
	{ "a table grows to any number of rows", many_rows },
	{ "a row that is not complete is a bug and prints nothing", incomplete_row },
	{ "numbers with many digits or zeros are shown in a power of 1000", powers },
	{ "the decimals show the wanted digits of the smallest value that is not zero", decimals },
};

TEST_MAIN(tests)
