// SPDX-License-Identifier: GPL-2.0-only
#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#define BAD "\xef\xbf\xbd" /* U+FFFD, what a byte that is not UTF-8 becomes */

/* A stream into memory and the writer upon it. */
struct sink {
	struct json json;
	char *text;
	size_t size;
};

static void sink_open(struct sink *sink)
{
	FILE *out = open_memstream(&sink->text, &sink->size);

	if (!out)
		abort();
	json_begin(&sink->json, out);
}

static void sink_expect(struct sink *sink, const char *expected)
{
	fclose(sink->json.out);
	CHECK_TEXT(sink->text, expected);
	CHECK_UINT(sink->size, strlen(expected));
	free(sink->text);
}

static void strings(void)
{
	static const struct {
		const char *value, *expected;
	} rows[] = {
		{ "", "\"\"" },
		{ "sched pipe", "\"sched pipe\"" },
		{ NULL, "null" },
		{ "say \"a\\b\"/", "\"say \\\"a\\\\b\\\"/\"" },
		{ "\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\"" },
		{ "\x01\x0b\x1f\x7f", "\"\\u0001\\u000b\\u001f\x7f\"" },
		{ "\xc2\xb5s \xe2\x82\xac \xf0\x9f\x90\xa7", "\"\xc2\xb5s \xe2\x82\xac \xf0\x9f\x90\xa7\"" },
		{ "\xc2\x80\xdf\xbf", "\"\xc2\x80\xdf\xbf\"" },
		{ "\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf",
			"\"\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\"" },
		{ "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink sink;

		sink_open(&sink);
		json_string(&sink.json, NULL, rows[i].value);
		sink_expect(&sink, rows[i].expected);
	}
}

static void bad_bytes(void)
{
	static const struct {
		const char *value, *expected;
	} rows[] = {
		/* bytes that begin nothing */
		{ "a\x80z", "\"a" BAD "z\"" },
		{ "\xbf\xf8\xfc\xfe\xff", "\"" BAD BAD BAD BAD BAD "\"" },
		/* cut short: by the end, by a character, by another beginning */
		{ "\xc3", "\"" BAD "\"" },
		{ "\xe2\x82", "\"" BAD BAD "\"" },
		{ "\xf0\x9f\x90", "\"" BAD BAD BAD "\"" },
		{ "\xe2\x82z", "\"" BAD BAD "z\"" },
		{ "\xe2\"", "\"" BAD "\\\"\"" },
		{ "\xe2\xc2\xb5", "\"" BAD "\xc2\xb5\"" },
		/* overlong */
		{ "\xc0\x80\xc1\xbf", "\"" BAD BAD BAD BAD "\"" },
		{ "\xe0\x9f\xbf", "\"" BAD BAD BAD "\"" },
		{ "\xf0\x8f\xbf\xbf", "\"" BAD BAD BAD BAD "\"" },
		/* surrogates, and beyond U+10FFFF */
		{ "\xed\xa0\x80", "\"" BAD BAD BAD "\"" },
		{ "\xed\xbf\xbf", "\"" BAD BAD BAD "\"" },
		{ "\xf4\x90\x80\x80", "\"" BAD BAD BAD BAD "\"" },
		{ "\xf7\xbf\xbf\xbf", "\"" BAD BAD BAD BAD "\"" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink sink;

		sink_open(&sink);
		json_string(&sink.json, NULL, rows[i].value);
		sink_expect(&sink, rows[i].expected);
	}
}

static void numbers(void)
{
	static const struct {
		double value;
		const char *expected;
	} rows[] = {
		{ 0, "0" },
		{ -0.0, "-0" },
		{ 1, "1" },
		{ -1.5, "-1.5" },
		{ 100000, "100000" },
		{ 0.1, "0.1" },
		{ 24263.117, "24263.117" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ 0x1.fffffffffffffp-1, "0.9999999999999999" },
		{ 9007199254740993.0, "9007199254740992" },
		{ 1e22, "1e+22" },
		{ 1e-300, "1e-300" },
		{ 0x1.fffffffffffffp+1023, "1.7976931348623157e+308" },
		{ 0x1p-1022, "2.2250738585072014e-308" },
		{ 0x1p-1074, "4.94065645841247e-324" },
		{ (double)NAN, "null" },
		{ HUGE_VAL, "null" },
		{ -HUGE_VAL, "null" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink sink;

		sink_open(&sink);
		json_number(&sink.json, NULL, rows[i].value);
		sink_expect(&sink, rows[i].expected);
	}
}

static void integers(void)
{
	static const struct {
		uint64_t value;
		const char *expected;
	} rows[] = {
		{ 0, "0" },
		{ 9007199254740993, "9007199254740993" },
		{ UINT64_MAX, "18446744073709551615" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink sink;

		sink_open(&sink);
		json_integer(&sink.json, NULL, rows[i].value);
		sink_expect(&sink, rows[i].expected);
	}
}

static void nesting(void)
{
	struct sink sink;
	struct json *json = &sink.json;

	sink_open(&sink);
	json_object(json, NULL);
	json_string(json, "name", "sched pipe");
	json_object(json, "environment");
	json_object_end(json);
	json_array(json, "runs");
	json_number(json, NULL, 1.5);
	json_number(json, NULL, (double)NAN);
	json_object(json, NULL);
	json_bool(json, "warm", false);
	json_bool(json, "last", true);
	json_object_end(json);
	json_array(json, NULL);
	json_array_end(json);
	json_string(json, NULL, NULL);
	json_array_end(json);
	json_integer(json, "loops", 1000);
	json_object_end(json);
	sink_expect(&sink, "{\"name\":\"sched pipe\",\"environment\":{},"
			   "\"runs\":[1.5,null,{\"warm\":false,\"last\":true},[],null],\"loops\":1000}");
}

static void keys(void)
{
	struct sink sink;

	sink_open(&sink);
	json_object(&sink.json, NULL);
	json_integer(&sink.json, "a\"\n\xff", 1);
	json_object_end(&sink.json);
	sink_expect(&sink, "{\"a\\\"\\n" BAD "\":1}");
}

static void end_what_never_began(void *argument)
{
	struct json json;

	(void)argument;
	json_begin(&json, stdout);
	json_object_end(&json);
}

static void write_two_values(void *argument)
{
	struct json json;

	(void)argument;
	json_begin(&json, stdout);
	json_integer(&json, NULL, 1);
	json_integer(&json, NULL, 2);
}

static void misuse(void)
{
	char *err;

	CHECK(test_capture(end_what_never_began, NULL, NULL, &err) != 0);
	CHECK(strstr(err, "json '}' closes nothing") != NULL);
	free(err);
	CHECK(test_capture(write_two_values, NULL, NULL, &err) != 0);
	CHECK(strstr(err, "a second outermost json value") != NULL);
	free(err);
}

static const struct test tests[] = {
	{ "quotes, backslashes and control characters are escaped, UTF-8 is not", strings },
	{ "every byte that is not UTF-8 becomes U+FFFD", bad_bytes },
	{ "a number is the shortest text that reads back, and null where it is none", numbers },
	{ "an integer above 2^53 keeps all its digits", integers },
	{ "commas stand between members and nowhere else", nesting },
	{ "a key is quoted as a string is", keys },
	{ "an end without a beginning and a second outermost value are bugs", misuse },
};

TEST_MAIN(tests)
