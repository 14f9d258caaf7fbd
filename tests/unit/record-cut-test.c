// SPDX-License-Identifier: GPL-2.0-only
/* What is written is what is read, also when the file was cut. */
#include "records.h"

static void round_trip(void)
{
	static const double values[] = { 0.1, 1.0 / 3, 2.0 / 3, 0.30000000000000004, 24263, 5e-324,
		1.7976931348623157e308, 123456789012345680, -0.0001, 0.024263000000000001, 9007199254740993. };
	struct record_writer *writer;
	struct record *record;

	enter_folder();
	writer = record_open("r", NULL, 0);
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		struct result *result = xcalloc(1, RESULT_SIZE);

		result_metric(result, "sec", values[i], BETTER_LOWER);
		result_metric(result, "half", values[i] / 2, BETTER_HIGHER);
		write_result(writer, result, i + 1);
		free(result);
	}
	record_close(writer);
	record = record_read("r", "all");
	CHECK_UINT(record->rows[0].run_count, ARRAY_SIZE(values));
	CHECK_TEXT(record->rows[0].name, "SchedPipe/loop=10");
	CHECK_TEXT(record->rows[0].metrics[0].unit, "sec");
	CHECK_INT(record->rows[0].metrics[1].better, BETTER_HIGHER);
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		volatile double half = values[i] / 2; /* x87 keeps what a double rounds away */

		CHECK(record->rows[0].metrics[0].values[i] == values[i]);
		CHECK(record->rows[0].metrics[1].values[i] == half);
		CHECK_UINT(record->rows[0].places[i].index, i + 1);
		CHECK_TEXT(record->rows[0].places[i].id, "a1");
	}
	CHECK_UINT(record->skipped, 0);
	record_free(record);
}

static void strange_name(void)
{
	static char value[] = "a b/c=d-8", fact[] = " two\r\nlines: # kbench-record: 2 ";
	struct param param = { .name = "command", .type = OPT_TYPE_STRING, .value = value };
	struct series series = { "x", "y", .headline = "sec", .params = &param, .param_count = 1 };
	struct fact facts[] = { { "command", fact } };
	struct result *result = pipe_result(1);
	struct record_writer *writer;
	char *name = record_name(&series), *expected;

	enter_folder();
	writer = record_open("r", facts, ARRAY_SIZE(facts));
	record_write(writer, &(struct record_run){ .series = &series, .result = result, .time = NO_TIME });
	record_close(writer);
	expected = xasprintf("%s | sec< 1\ncommand: two  lines: # kbench-record: 2\n", name);
	expect_record("r", NULL, expected, "");
	free(expected);
	free(name);
	free(result);
}

static void concatenated(void)
{
	size_t length, more;
	char *text, *other, *both;

	enter_folder();
	append_run("a", "1", 0.5, 1);
	append_run("b", "2", 0.25, 1);
	text = read_bytes("a", &length);
	other = read_bytes("b", &more);
	both = xasprintf("%s%s%s", text, other, text);
	write_bytes("r", both, strlen(both));
	expect_record("r", NULL, "SchedPipe/loop=10 | sec< 0.5 0.25 0.5\nkernel: 1, 2\n", "");
	free(text);
	free(other);
	free(both);
}

/* A file of two blocks with two runs each, no two numbers of which begin alike. */
static void write_blocks(const char *path)
{
	static const double secs[] = { 1.0 / 3, 7.0 / 11, 0.0243, 5.0 / 9 };
	struct record_writer *writer = NULL;
	struct fact fact = { "kernel", NULL };

	for (size_t i = 0; i < ARRAY_SIZE(secs); i++) {
		if (i % 2 == 0) {
			fact.value = xasprintf("6.1%zu", i);
			writer = record_open(path, &fact, 1);
			free(fact.value);
		}
		write_run(writer, secs[i], i + 1);
		if (i % 2 == 1)
			record_close(writer);
	}
}

/* The runs of the whole file that end before the cut, and their number. */
static size_t whole_runs(const char *text, size_t length)
{
	size_t count = 0;

	for (const char *at = text; (at = memmem(at, (size_t)(text + length - at), "\nBench", 6)); count++) {
		at = memchr(at + 1, '\n', (size_t)(text + length - at - 1));
		if (!at)
			break;
	}
	return count;
}

static void check_run(const struct record_row *found, const struct record_row *full, size_t run)
{
	CHECK_UINT(found->metric_count, full->metric_count);
	for (size_t i = 0; i < full->metric_count; i++) {
		CHECK_TEXT(found->metrics[i].unit, full->metrics[i].unit);
		CHECK(found->metrics[i].values[run] == full->metrics[i].values[run]);
	}
	CHECK_UINT(found->places[run].index, full->places[run].index);
}

/* All runs before the cut are there, nothing else is; then those of a program that appends. */
static void check_cut(const struct record_row *full, size_t runs)
{
	struct record *record;

	if (runs) {
		record = record_read("cut", "all");
		CHECK_UINT(record->row_count, 1);
		CHECK_UINT(record->rows[0].run_count, runs);
		for (size_t i = 0; i < runs; i++)
			check_run(&record->rows[0], full, i);
		record_free(record);
	}
	append_run("cut", "7", 0.125, 9);
	record = record_read("cut", "all");
	CHECK_UINT(record->row_count, 1);
	CHECK_UINT(record->rows[0].run_count, runs + 1);
	CHECK(record->rows[0].metrics[0].values[runs] == 0.125);
	CHECK_UINT(record->rows[0].places[runs].index, 9);
	CHECK_UINT(record->fact_count, 1);
	for (size_t i = 0; i < runs; i++)
		check_run(&record->rows[0], full, i);
	CHECK_TEXT(record->facts[0].values[record->facts[0].value_count - 1], "7");
	record_free(record);
}

/* Also where the next block was put behind the cut with cat. */
static void check_joined(const struct record_row *full, const char *next, size_t runs)
{
	FILE *file = fopen("cut", "a");
	struct record *record;

	fputs(next, file);
	fclose(file);
	record = record_read("cut", "all");
	CHECK_UINT(record->row_count, 1);
	CHECK_UINT(record->rows[0].run_count, runs + 1);
	CHECK_UINT(record->rows[0].places[runs].index, 9);
	for (size_t i = 0; i < runs; i++)
		check_run(&record->rows[0], full, i);
	record_free(record);
}

/* The warnings, hundreds of which are expected, go to a file. */
static void at_every_byte(void)
{
	size_t length, other_length;
	struct record *full;
	char *text, *other;

	enter_folder();
	write_blocks("whole");
	append_run("other", "7", 0.125, 9);
	text = read_bytes("whole", &length);
	other = read_bytes("other", &other_length);
	full = record_read("whole", "all");
	CHECK_UINT(full->rows[0].run_count, 4);
	CHECK(freopen("warnings", "w", stderr) != NULL);
	for (size_t cut = 0; cut <= length; cut++) {
		size_t runs = whole_runs(text, cut);

		write_bytes("cut", text, cut);
		check_cut(&full->rows[0], runs);
		write_bytes("cut", text, cut);
		check_joined(&full->rows[0], other, runs);
	}
	record_free(full);
	free(text);
	free(other);
}

static void no_result_at_every_byte(void)
{
	size_t length;
	char *text;

	enter_folder();
	append_run("whole", "1", 0.5, 1);
	text = read_bytes("whole", &length);
	for (size_t cut = 0; cut < length; cut++) {
		struct request request = { "cut", "all", false };

		write_bytes("cut", text, cut);
		CHECK_INT(test_capture(read_and_show, &request, NULL, NULL), 1);
	}
	free(text);
}

static const struct test tests[] = {
	{ "numbers, units and places come back as they were written", round_trip },
	{ "a name and a fact of strange characters come back", strange_name },
	{ "files that were put together are read as one", concatenated },
	{ "of a file cut anywhere all whole runs are read, nothing else, and others can be appended", at_every_byte },
	{ "a file cut before its first run ends has no result", no_result_at_every_byte },
};

TEST_MAIN(tests)
