// SPDX-License-Identifier: GPL-2.0-only
/* The block of a memory function, to the byte, for known numbers. */
#include "command.h"

static void add_notes(struct result *result)
{
	result_note(result, "function 'default' (Default memcpy() provided by glibc)");
	result_note(result, "Copying 1MB bytes ...");
}

/* The time of a run is bytes/s here. */
static void add_speed(struct result *result)
{
	add_notes(result);
	result_metric(result, "B/s", result_value(result, "sec"), BETTER_HIGHER);
}

static void add_cycles(struct result *result)
{
	add_speed(result);
	result_metric(result, "cycles/byte", 0.0625, BETTER_LOWER);
}

static void add_remark(struct result *result)
{
	add_speed(result);
	result_remark(result, "2 threads");
}

#define HEAD                                                          \
	"# Running 'sched/pipe' benchmark:\n"                         \
	"# function 'default' (Default memcpy() provided by glibc)\n" \
	"# Copying 1MB bytes ...\n"                                   \
	"\n"

static void the_unit_grows_with_the_speed(void)
{
	static const struct {
		double speed;
		const char *line;
	} rows[] = {
		{ 1023.5, "    1023.500000 bytes/sec\n" },
		{ 1024, "       1.000000 KB/sec\n" },
		{ 1048575.99, "    1023.999990 KB/sec\n" },
		{ 1048576, "       1.000000 MB/sec\n" },
		{ 1073741824.0, "       1.000000 GB/sec\n" },
		{ 22310137600.0, "      20.777935 GB/sec\n" },
		{ 129862035.0 * 1073.741824, "     129.862035 GB/sec\n" },
		{ 1073741824.0 * 123456789, " 123456789.000000 GB/sec\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *expected = xasprintf("%s%s", HEAD, rows[i].line);

		expect((struct command){ .layout = LAYOUT_SPEED, .runs = { { rows[i].speed } }, .add = add_speed },
			expected);
		free(expected);
	}
}

static void what_was_not_measured_is_not_available(void)
{
	expect((struct command){ .layout = LAYOUT_SPEED, .runs = { { 1 } }, .add = add_notes },
		HEAD "            n/a bytes/sec\n");
}

static void cycles_take_the_place_of_the_speed(void)
{
	expect((struct command){ .layout = LAYOUT_SPEED, .runs = { { 1 } }, .add = add_cycles },
		HEAD "       0.062500 cycles/byte\n");
}

static void remarks_stand_below(void)
{
	expect((struct command){ .layout = LAYOUT_SPEED, .runs = { { 1024 } }, .add = add_remark },
		HEAD "       1.000000 KB/sec\n# 2 threads\n");
}

static const struct test tests[] = {
	{ "the unit grows with the speed, in steps of 1024", the_unit_grows_with_the_speed },
	{ "what was not measured is not available", what_was_not_measured_is_not_available },
	{ "cycles take the place of the speed", cycles_take_the_place_of_the_speed },
	{ "remarks stand below", remarks_stand_below },
};

TEST_MAIN(tests)
