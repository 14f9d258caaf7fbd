// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "units.h"

struct number {
	const char *text;
	uint64_t value;
};

typedef bool parser(const char *text, uint64_t *number);
typedef const char *formatter(char text[UNITS_TEXT], uint64_t number);

static void check_parsed(parser *parse, const struct number *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t value = 12345;

		if (!parse(rows[i].text, &value))
			printf("# '%s' is refused\n", rows[i].text);
		CHECK_UINT(value, rows[i].value);
	}
}

static void check_refused(parser *parse, const char *const *texts)
{
	for (; *texts; texts++) {
		uint64_t value = 12345;
		bool parsed = parse(*texts, &value);

		if (parsed)
			printf("# '%s' is taken\n", *texts);
		CHECK(!parsed);
		CHECK_UINT(value, 12345);
	}
}

/* Also: what is formatted reads back as the same number. */
static void check_formatted(formatter *format, parser *parse, const struct number *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char text[UNITS_TEXT];
		uint64_t value = 0;

		CHECK(format(text, rows[i].value) == text);
		CHECK_TEXT(text, rows[i].text);
		CHECK(parse(text, &value));
		CHECK_UINT(value, rows[i].value);
	}
}

/* No kind of number is written like this. */
static const char *const no_number[] = {
	"",
	" ",
	"-1",
	"+1",
	" 5",
	"5 ",
	"1e3",
	"1e99",
	"0x10",
	"10x",
	"1,5",
	".",
	".5",
	"k",
	"K",
	"-",
	"1 k",
	"5\n",
	"18446744073709551616",
	"99999999999999999999999999",
	"1.",
	"nan",
	"inf",
	"1_000",
	"1kk",
	"\xd9\xa1",
	NULL,
};

static void percentages_are_read(void)
{
	static const struct {
		const char *text;
		double value;
	} rows[] = { { "2", 2 }, { "0.5", 0.5 }, { "10%", 10 }, { "0.05%", 0.05 }, { "1000000", 1e6 } };
	static const char *const refused[] = { "", "0", "0.0", "-1", "1.", ".5", "1.5.2", "1%%", "1 %", "nan", "inf",
		"1e3", "1000001", "x" };
	double value = 7;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		CHECK(units_parse_percent(rows[i].text, &value));
		CHECK_NEAR(value, rows[i].value, 0.0);
	}
	value = 7;
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		CHECK(!units_parse_percent(refused[i], &value));
	CHECK_NEAR(value, 7, 0.0);
}

static void counts_are_read(void)
{
	static const struct number rows[] = {
		{ "0", 0 },
		{ "7", 7 },
		{ "007", 7 },
		{ "10k", 10000 },
		{ "2M", 2000000 },
		{ "3G", 3000000000 },
		{ "4T", 4000000000000 },
		{ "18446744073709551615", UINT64_MAX },
		{ "18446744073709551k", 18446744073709551000ULL },
		{ "18446744T", 18446744000000000000ULL },
	};

	check_parsed(units_parse_count, rows, ARRAY_SIZE(rows));
}

static void other_counts_are_refused(void)
{
	static const char *const texts[] = {
		"1.5",
		"1.5k",
		"1K",
		"1m",
		"1g",
		"1t",
		"1kB",
		"1s",
		"18446744073709552k",
		"18446745T",
		NULL,
	};

	check_refused(units_parse_count, no_number);
	check_refused(units_parse_count, texts);
}

static void sizes_are_read(void)
{
	static const struct number rows[] = {
		{ "0", 0 },
		{ "64", 64 },
		{ "64B", 64 },
		{ "4K", 4096 },
		{ "4KB", 4096 },
		{ "4k", 4096 },
		{ "4kB", 4096 },
		{ "1M", 1 << 20 },
		{ "1MB", 1 << 20 },
		{ "2G", 2ULL << 30 },
		{ "2GB", 2ULL << 30 },
		{ "3T", 3ULL << 40 },
		{ "3TB", 3ULL << 40 },
		{ "16777215T", 16777215ULL << 40 },
		{ "18446744073709551615B", UINT64_MAX },
	};

	check_parsed(units_parse_size, rows, ARRAY_SIZE(rows));
}

static void other_sizes_are_refused(void)
{
	static const char *const texts[] = {
		"1.5M",
		"1b",
		"1kb",
		"1m",
		"1KiB",
		"1BB",
		"1BK",
		"1P",
		"16777216T",
		"17179869184G",
		NULL,
	};

	check_refused(units_parse_size, no_number);
	check_refused(units_parse_size, texts);
}

static void times_are_read(void)
{
	static const struct number rows[] = {
		{ "0", 0 },
		{ "5", 5 * NSEC_PER_SEC },
		{ "5s", 5 * NSEC_PER_SEC },
		{ "1ns", 1 },
		{ "20us", 20 * NSEC_PER_USEC },
		{ "100ms", 100 * NSEC_PER_MSEC },
		{ "2m", 120 * NSEC_PER_SEC },
		{ "1h", 3600 * NSEC_PER_SEC },
		{ "0.5", NSEC_PER_SEC / 2 },
		{ "1.5s", 1500 * NSEC_PER_MSEC },
		{ "1.50000000000000000000000s", 1500 * NSEC_PER_MSEC },
		{ "0.000000001", 1 },
		{ "2.000ns", 2 },
		{ "0.25us", 250 },
		{ "1.1m", 66 * NSEC_PER_SEC },
		{ "0.333h", 1198800 * NSEC_PER_MSEC },
		{ "0.0001220703125h", 439453125 },
		{ "18446744073.709551615", UINT64_MAX },
		{ "18446744073709551615ns", UINT64_MAX },
	};

	check_parsed(units_parse_time, rows, ARRAY_SIZE(rows));
}

static void other_times_are_refused(void)
{
	static const char *const texts[] = {
		"1.5.5",
		"1.s",
		"1.-5s",
		"0.5ns",
		"0.0000000001",
		"1.0000001ms",
		"0.00000000000001h",
		"1S",
		"1M",
		"1min",
		"1sec",
		"1 s",
		"1K",
		"18446744073.709551616",
		"18446744074s",
		"307445735m",
		"5124096h",
		NULL,
	};

	check_refused(units_parse_time, no_number);
	check_refused(units_parse_time, texts);
}

static void whole_numbers_may_be_negative(void)
{
	static const struct {
		const char *text;
		int64_t value;
	} rows[] = {
		{ "0", 0 },
		{ "-0", 0 },
		{ "-1", -1 },
		{ "19", 19 },
		{ "9223372036854775807", INT64_MAX },
		{ "-9223372036854775808", INT64_MIN },
	};
	static const char *const refused[] = {
		"",
		"-",
		"--1",
		"+1",
		"- 1",
		" 1",
		"1 ",
		"1k",
		"1.0",
		"9223372036854775808",
		"-9223372036854775809",
		"18446744073709551616",
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int64_t value = 12345;

		CHECK(units_parse_int(rows[i].text, &value));
		CHECK_INT(value, rows[i].value);
	}
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		int64_t value = 12345;

		CHECK(!units_parse_int(refused[i], &value));
		CHECK_INT(value, 12345);
	}
}

static void counts_are_written(void)
{
	static const struct number rows[] = {
		{ "0", 0 },
		{ "1000", 1000 },
		{ "1000000", 1000000 },
		{ "18446744073709551615", UINT64_MAX },
	};

	check_formatted(units_format_count, units_parse_count, rows, ARRAY_SIZE(rows));
}

static void sizes_are_written(void)
{
	static const struct number rows[] = {
		{ "0", 0 },
		{ "1", 1 },
		{ "1023", 1023 },
		{ "1KB", 1024 },
		{ "1500", 1500 },
		{ "1025KB", 1025 << 10 },
		{ "1MB", 1048576 },
		{ "3GB", 3ULL << 30 },
		{ "1024TB", 1ULL << 50 },
		{ "18446744073709551615", UINT64_MAX },
	};

	check_formatted(units_format_size, units_parse_size, rows, ARRAY_SIZE(rows));
}

static void times_are_written(void)
{
	static const struct number rows[] = {
		{ "0s", 0 },
		{ "1ns", 1 },
		{ "999ns", 999 },
		{ "1us", 1000 },
		{ "1.5us", 1500 },
		{ "1001ns", 1001 },
		{ "100ms", 100000000 },
		{ "1s", NSEC_PER_SEC },
		{ "1.5s", 1500 * NSEC_PER_MSEC },
		{ "1.001s", 1001000000 },
		{ "5s", 5000000000 },
		{ "1m", 60 * NSEC_PER_SEC },
		{ "90s", 90 * NSEC_PER_SEC },
		{ "1h", 3600 * NSEC_PER_SEC },
		{ "90m", 5400 * NSEC_PER_SEC },
		{ "1.05us", 1050 },
		{ "18446744073.709551615s", UINT64_MAX },
	};

	check_formatted(units_format_time, units_parse_time, rows, ARRAY_SIZE(rows));
}

static void megabytes_are_read_and_written(void)
{
	static const struct number rows[] = {
		{ "0", 0 },
		{ "1", 1048576 },
		{ "0.5", 524288 },
		{ "0.00000095367431640625", 1 },
		{ "0.00009918212890625", 104 },
		{ "64", 64 << 20 },
		{ "16777216", 1ULL << 44 },
	};
	static const char *const refused[] = { "", "-1", "1.", ".5", "1.2.3", "1MB", "1e3", "0x10", " 1", "1 ",
		"99999999999999" };
	uint64_t bytes = 12345;

	check_formatted(units_format_mb, units_parse_mb, rows, ARRAY_SIZE(rows));
	CHECK(units_parse_mb("0.1", &bytes));
	CHECK_UINT(bytes, 104858);
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		CHECK(!units_parse_mb(refused[i], &bytes));
	CHECK_UINT(bytes, 104858);
}

static void numbers_are_written_as_short_as_they_read_back(void)
{
	static const struct {
		double number;
		const char *text;
	} rows[] = {
		{ 0, "0" },
		{ 0.1, "0.1" },
		{ -2.5, "-2.5" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ 1e300, "1e+300" },
		{ 9007199254740993.0, "9007199254740992" },
	};
	char text[UNITS_TEXT];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		CHECK_TEXT(units_format_number(text, rows[i].number), rows[i].text);
}

static const struct test tests[] = {
	{ "counts are read with k, M, G and T as powers of 1000", counts_are_read },
	{ "a count with anything else in it, or above 64 bits, is refused", other_counts_are_refused },
	{ "sizes are read with K, M, G and T as powers of 1024", sizes_are_read },
	{ "a size with anything else in it, or above 64 bits, is refused", other_sizes_are_refused },
	{ "times are read exactly, bare numbers as seconds", times_are_read },
	{ "a time that is not a whole number of ns below 2^64 is refused", other_times_are_refused },
	{ "megabytes are read with a fraction and written without need of one", megabytes_are_read_and_written },
	{ "numbers are written with as few digits as read back the same",
		numbers_are_written_as_short_as_they_read_back },
	{ "percentages are above 0, with a fraction and a sign if wanted", percentages_are_read },
	{ "whole numbers may be negative and nothing else", whole_numbers_may_be_negative },
	{ "counts are written as digits", counts_are_written },
	{ "sizes are written with the largest unit that divides them", sizes_are_written },
	{ "times are written as the shortest text that reads back the same", times_are_written },
};

TEST_MAIN(tests)
