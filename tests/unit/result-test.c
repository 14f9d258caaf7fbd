// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "result.h"
#include "test.h"
#include "wrap.h"

static struct result *result_new(void)
{
	return xcalloc(1, RESULT_SIZE);
}

static void test_metrics(void)
{
	struct result *result = result_new();

	result_metric(result, "sec", 1.5, BETTER_LOWER);
	result_metric(result, "op/s", 7, BETTER_HIGHER)->place = METRIC_SHOWN;
	CHECK_UINT(result->metric_count, 2);
	CHECK_TEXT(result->metrics[0].key, "sec");
	CHECK_NEAR(result->metrics[0].value, 1.5, 0);
	CHECK_INT(result->metrics[0].better, BETTER_LOWER);
	CHECK_INT(result->metrics[0].place, METRIC_EXTRA);
	CHECK_TEXT(result->metrics[1].key, "op/s");
	CHECK_INT(result->metrics[1].place, METRIC_SHOWN);
}

static void test_same_key(void)
{
	struct result *result = result_new();

	result_metric(result, "sec", 1, BETTER_LOWER)->place = METRIC_ROW;
	result_metric(result, "seconds", 2, BETTER_LOWER);
	result_metric(result, "sec", 3, BETTER_NONE);
	CHECK_UINT(result->metric_count, 2);
	CHECK_NEAR(result_value(result, "sec"), 3, 0);
	CHECK_NEAR(result_value(result, "seconds"), 2, 0);
	CHECK_INT(result->metrics[0].better, BETTER_NONE);
	CHECK_INT(result->metrics[0].place, METRIC_ROW);
}

static void test_values(void)
{
	struct result *result = result_new();

	CHECK_NEAR(result_value(result, "sec"), (double)NAN, 0);
	result_metric(result, "faults", (double)NAN, BETTER_NONE);
	CHECK_NEAR(result_value(result, "faults"), (double)NAN, 0);
	CHECK_NEAR(result_value(result, "fault"), (double)NAN, 0);
}

static void test_lines(void)
{
	struct result *result = result_new();

	result_note(result, "%d groups", 10);
	result_note(result, "100%%");
	result_remark(result, "placed on CPU %u", 3U);
	CHECK_UINT(result->note_count, 2);
	CHECK_TEXT(result->notes[0], "10 groups");
	CHECK_TEXT(result->notes[1], "100%");
	CHECK_UINT(result->remark_count, 1);
	CHECK_TEXT(result->remarks[0], "placed on CPU 3");
}

/* Text of so many letters, on the heap. */
static char *letters(size_t count)
{
	char *text = xcalloc(1, count + 1);

	memset(text, 'x', count);
	return text;
}

static void fill_metrics(struct result *result, size_t count)
{
	char key[METRIC_KEY];

	for (size_t i = 0; i < count; i++) {
		snprintf(key, sizeof(key), "metric-%zu", i);
		result_metric(result, key, (double)i, BETTER_NONE);
	}
}

static void test_room(void)
{
	struct result *result = result_new();
	char *key = letters(sizeof(result->metrics[0].key) - 1), *note = letters(RESULT_NOTE_TEXT - 1);

	fill_metrics(result, RESULT_METRICS - 1);
	result_metric(result, key, 5, BETTER_NONE);
	CHECK_UINT(result->metric_count, RESULT_METRICS);
	CHECK_NEAR(result_value(result, key), 5, 0);
	result_metric(result, "metric-7", 70, BETTER_NONE);
	CHECK_NEAR(result_value(result, "metric-7"), 70, 0);
	for (int i = 0; i < RESULT_NOTES; i++)
		result_note(result, "%s", note);
	CHECK_UINT(result->note_count, RESULT_NOTES);
	CHECK_TEXT(result->notes[RESULT_NOTES - 1], note);
}

static void one_metric_more(void *arg)
{
	fill_metrics(arg, RESULT_METRICS + 1);
}

static void one_letter_more(void *arg)
{
	struct result *result = arg;

	result_metric(result, letters(sizeof(result->metrics[0].key)), 1, BETTER_NONE);
}

static void one_note_more(void *arg)
{
	for (int i = 0; i <= RESULT_NOTES; i++)
		result_note(arg, "note");
}

static void one_remark_more(void *arg)
{
	for (int i = 0; i <= RESULT_NOTES; i++)
		result_remark(arg, "remark");
}

static void test_no_room(void)
{
	static const struct {
		void (*overfill)(void *);
		const char *said;
	} cases[] = {
		{ one_metric_more, "no room for metric metric-1024" },
		{ one_letter_more, "no room for metric xxxx" },
		{ one_note_more, "no room for another note" },
		{ one_remark_more, "no room for another note" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *err;

		CHECK_INT(test_capture(cases[i].overfill, result_new(), NULL, &err), EXIT_FAILED);
		CHECK(strstr(err, "BUG at ") != NULL);
		CHECK(strstr(err, cases[i].said) != NULL);
	}
}

/* A note may hold what a user gave, such as the name of a folder. */
static void test_note_text(void)
{
	struct result *result = result_new();

	result_note(result, "%s", letters(RESULT_NOTE_TEXT + 50));
	CHECK_UINT(strlen(result->notes[0]), RESULT_NOTE_TEXT - 1);
	CHECK_TEXT(result->notes[0] + RESULT_NOTE_TEXT - 6, "xx...");
	free(result);
}

static void test_series(void)
{
	struct series series = { .collection = "sched", .name = "pipe" };
	struct result *result = result_new();
	double *values;

	for (int i = 1; i <= 3; i++) {
		result_metric(result, "sec", i, BETTER_LOWER);
		if (i == 2)
			result_metric(result, "extra", 20, BETTER_NONE);
		series_add(&series, result_copy(result));
	}
	result_metric(result, "sec", 99, BETTER_LOWER);
	CHECK_UINT(series.run_count, 3);
	values = series_values(&series, "sec");
	for (int i = 0; i < 3; i++)
		CHECK_NEAR(values[i], i + 1, 0);
	free(values);
	values = series_values(&series, "extra");
	CHECK_NEAR(values[0], (double)NAN, 0);
	CHECK_NEAR(values[1], 20, 0);
	free(values);
	series_release(&series);
	CHECK_UINT(series.run_count, 0);
	CHECK(series.runs == NULL);
	series_add(&series, result);
	CHECK_NEAR(result_value(series.runs[0], "sec"), 99, 0);
	series_release(&series);
}

static void test_copy(void)
{
	struct result *result = result_new(), *copy;

	result_metric(result, "sec", 1, BETTER_LOWER);
	result_note(result, "note");
	result->quiet_rows = true;
	copy = result_copy(result);
	CHECK(memcmp(copy, result, sizeof(*copy) + sizeof(copy->metrics[0])) == 0);
	CHECK(copy != result);
	free(copy);
	free(result);
}

static const struct test tests[] = {
	{ "a metric has key, value and direction, in the order of coming", test_metrics },
	{ "a metric of a known key takes the new value and keeps its place", test_same_key },
	{ "what was not measured is NAN", test_values },
	{ "notes and remarks are lines of their own", test_lines },
	{ "there is room for as much as is promised", test_room },
	{ "one more of anything is a BUG", test_no_room },
	{ "a note is cut where it is too long, and one sees it", test_note_text },
	{ "a series owns its runs", test_series },
	{ "a copy is the whole result", test_copy },
};

TEST_MAIN(tests)
