// SPDX-License-Identifier: GPL-2.0-only
/* Runs to record, and what was read as text: for the tests of util/record.h. */
#ifndef KBENCH_TEST_RECORDS_H
#define KBENCH_TEST_RECORDS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "die.h"
#include "record.h"
#include "test.h"
#include "wrap.h"

#define NO_TIME ((double)NAN)

/* The tests write to short names in a folder of their own. */
static inline void enter_folder(void)
{
	if (chdir(test_folder()) < 0)
		die_errno("%s", test_folder());
}

static inline void write_bytes(const char *path, const char *text, size_t length)
{
	FILE *file = fopen(path, "w");

	if (!file || fwrite(text, 1, length, file) != length || fclose(file) == EOF)
		die_errno("%s", path);
}

static inline char *read_bytes(const char *path, size_t *length)
{
	FILE *file = fopen(path, "r"), *copy;
	char *text;
	int c;

	copy = open_memstream(&text, length);
	if (!file || !copy)
		die_errno("%s", path);
	while ((c = fgetc(file)) != EOF)
		fputc(c, copy);
	fclose(file);
	fclose(copy);
	return text;
}

static inline void expect_file(const char *path, const char *text)
{
	size_t length;
	char *found = read_bytes(path, &length);

	CHECK_TEXT(found, text);
	CHECK_UINT(length, strlen(text));
	free(found);
}

static inline struct series *pipe_series(void)
{
	static struct param loop = { .name = "loop", .type = OPT_TYPE_COUNT, .number = 10 };
	static char value[] = "10";
	static struct series series = {
		.collection = "sched", .name = "pipe", .headline = "sec", .params = &loop, .param_count = 1
	};

	loop.value = value;
	return &series;
}

/* A run of sched pipe that took this long. The headline is not the first metric. */
static inline struct result *pipe_result(double sec)
{
	struct result *result = xcalloc(1, RESULT_SIZE);

	result->operations = 10;
	result_metric(result, "switches", 7, BETTER_NONE);
	result_metric(result, "sec", sec, BETTER_LOWER);
	result_metric(result, "op/s", 10 / sec, BETTER_HIGHER);
	return result;
}

static inline void write_result(struct record_writer *writer, const struct result *result, uint64_t index)
{
	struct record_run run = { .series = pipe_series(), .result = result, .id = "a1", .index = index };

	run.time = NO_TIME;
	record_write(writer, &run);
}

static inline void write_run(struct record_writer *writer, double sec, uint64_t index)
{
	struct result *result = pipe_result(sec);

	write_result(writer, result, index);
	free(result);
}

/* One run, by a program of its own. */
static inline void append_run(const char *path, const char *kernel, double sec, uint64_t index)
{
	char *value = xstrdup(kernel);
	struct fact facts[] = { { "kernel", value }, { "thp", NULL } };
	struct record_writer *writer = record_open(path, facts, ARRAY_SIZE(facts));

	free(value);
	write_run(writer, sec, index);
	record_close(writer);
}

static inline void show_row(const struct record_row *row)
{
	static const char *const directions[] = { "", "<", ">" };

	printf("%s", row->name);
	for (size_t i = 0; i < row->metric_count; i++) {
		printf(" | %s%s", row->metrics[i].unit, directions[row->metrics[i].better]);
		for (size_t k = 0; k < row->run_count; k++)
			printf(isnan(row->metrics[i].values[k]) ? " n/a" : " %.17g", row->metrics[i].values[k]);
	}
	printf("\n");
}

/* "SchedPipe/loop=10 | sec< 1 n/a 3 | op/s> 5 n/a 5", then "kernel: 1, 2", then "skipped 1". */
static inline void show_record(const struct record *record)
{
	for (size_t i = 0; i < record->row_count; i++)
		show_row(&record->rows[i]);
	for (size_t i = 0; i < record->fact_count; i++) {
		printf("%s:", record->facts[i].key);
		for (size_t k = 0; k < record->facts[i].value_count; k++)
			printf("%s %s", k ? "," : "", record->facts[i].values[k]);
		printf("\n");
	}
	if (record->skipped)
		printf("skipped %zu\n", record->skipped);
}

/* What to read, for test_capture. */
struct request {
	const char *path, *metric;
	bool places; /* show these as well */
};

static inline void show_place(const struct record_place *place)
{
	printf("line %zu id %s index %u time ", place->line, place->id ? place->id : "n/a", (unsigned)place->index);
	printf(isnan(place->time) ? "n/a\n" : "%.3f\n", place->time);
}

static inline void read_and_show(void *argument)
{
	const struct request *request = argument;
	struct record *record = record_read(request->path, request->metric);

	show_record(record);
	for (size_t i = 0; request->places && i < record->row_count; i++)
		for (size_t k = 0; k < record->rows[i].run_count; k++)
			show_place(&record->rows[i].places[k]);
	record_free(record);
}

static inline void expect_record(const char *path, const char *metric, const char *out, const char *err)
{
	struct request request = { path, metric, false };
	char *found_out, *found_err;

	CHECK_INT(test_capture(read_and_show, &request, &found_out, &found_err), *out ? 0 : 1);
	CHECK_TEXT(found_out, out);
	CHECK_TEXT(found_err, err);
	free(found_out);
	free(found_err);
}

#endif
