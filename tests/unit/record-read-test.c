// SPDX-License-Identifier: GPL-2.0-only
#include <sys/stat.h>

#include "records.h"

struct example {
	const char *text;
	size_t length;
	const char *out, *err; /* what is read, with all metrics; what is said */
};

/* A text may have NUL bytes. */
#define TEXT(text) (text), sizeof(text) - 1

static void check_examples(const struct example *examples, size_t count)
{
	enter_folder();
	for (size_t i = 0; i < count; i++) {
		write_bytes("r", examples[i].text, examples[i].length);
		expect_record("r", "all", examples[i].out, examples[i].err);
	}
}

static void results(void)
{
	static const struct example examples[] = {
		{ TEXT("BenchmarkA 1 2 sec\n"), "A | sec< 2\n", "" },
		{ TEXT("BenchmarkA/x=1 1000 2.5 sec 3 op/s 4e3 x\n"), "A/x=1 | sec< 2.5 | op/s> 3 | x 4000\n", "" },
		{ TEXT("BenchmarkA-8 1 2 ns/op\nBenchmarkA-16 1 3 ns/op\nBenchmarkA 1 4 ns/op\n"), "A | ns/op< 2 3 4\n",
			"" },
		{ TEXT("BenchmarkA/x=a-8 1 2 x\nBenchmarkA/x=a- 1 2 x\nBenchmarkA/-8 1 2 x\n"),
			"A/x=a | x 2\nA/x=a- | x 2\nA/ | x 2\n", "" },
		{ TEXT("BenchmarkA \t1\v2\f\tsec \n"), "A | sec< 2\n", "" },
		{ TEXT("\xef\xbb\xbf"
		       "BenchmarkA 1 2 sec\n\xef\xbb\xbf"
		       "BenchmarkA 1 3 sec\n"),
			"A | sec< 2 3\n", "" },
		{ TEXT("BenchmarkA 1 2 sec\r\n# k: v\r\nBenchmarkB 1 3 sec\r\n"), "A | sec< 2\nB | sec< 3\nk: v\n",
			"" },
		{ TEXT("BenchmarkA 0 2 sec\nBenchmarkA 18446744073709551615 3 sec\n"), "A | sec< 2 3\n", "" },
		{ TEXT("BenchmarkA 1 1 a 2 b\nBenchmarkB 1 9 z\nBenchmarkA 1 3 b\nBenchmarkA 1 4 c 5 a\n"),
			"A | a 1 n/a 5 | b 2 3 n/a | c n/a n/a 4\nB | z 9\n", "" },
		{ TEXT("Benchmark\xc3\x84x 1 2 sec\nBenchmarkA/\xc3\xa4 1 2 \xc2\xb5s\n"), "A/\xc3\xa4 | \xc2\xb5s 2\n",
			"" },
	};

	check_examples(examples, ARRAY_SIZE(examples));
}

static void numbers(void)
{
	static const struct {
		const char *text;
		double value;
	} rows[] = {
		{ "0", 0 },
		{ "-0.5", -0.5 },
		{ "+7", 7 },
		{ ".5", .5 },
		{ "5.", 5 },
		{ "007", 7 },
		{ "1e22", 1e22 },
		{ "1E-22", 1e-22 },
		{ "1e+23", 1e23 },
		{ "9007199254740993", 9007199254740992. },
		{ "0.1", 0.1 },
		{ "0.30000000000000004", 0.30000000000000004 },
		{ "1.7976931348623157e308", 1.7976931348623157e308 },
		{ "2.2250738585072014e-308", 2.2250738585072014e-308 },
		{ "5e-324", 5e-324 },
		{ "1e-999", 0 },
		{ "0.000000000000000000000000000001234567", 1.234567e-30 },
		{ "123456789012345678901234567890", 123456789012345678901234567890. },
		{ "3.14159265358979323846264338327950288", 3.14159265358979323846264338327950288 },
		{ "0000000000000000000000000000000000000000000001.50", 1.5 },
	};

	enter_folder();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *line = xasprintf("BenchmarkA 1 %s sec\n", rows[i].text);
		struct record *record;

		write_bytes("r", line, strlen(line));
		free(line);
		record = record_read("r", NULL);
		CHECK_NEAR(record->rows[0].metrics[0].values[0], rows[i].value, 0);
		record_free(record);
	}
}

#define ZEROS "00000000000000000000000000000000000000000000000000000000000000000000000000000000"

static void damaged(void)
{
	static const struct {
		const char *line, *why;
		size_t length;
	} rows[] = {
#define LINE(line, why) { line, why, sizeof(line) - 1 }
		LINE("BenchmarkA 1", "no value"),
		LINE("BenchmarkA 1 2", "a value without a unit"),
		LINE("BenchmarkA 1 2 sec 3", "a value without a unit"),
		LINE("BenchmarkA x 2 sec", "the number of iterations is not an integer"),
		LINE("BenchmarkA -1 2 sec", "the number of iterations is not an integer"),
		LINE("BenchmarkA 1.5 2 sec", "the number of iterations is not an integer"),
		LINE("BenchmarkA 18446744073709551616 2 sec", "the number of iterations is not an integer"),
		LINE("BenchmarkA cut cut", "the number of iterations is not an integer"),
		LINE("BenchmarkA 1 cut cut", "a value is not a finite number"),
		LINE("BenchmarkA 1 2 cut cut", "a value is not a finite number"),
		LINE("BenchmarkA 1 2 s cut cut", "a value is not a finite number"),
		LINE("BenchmarkA 1 inf sec", "a value is not a finite number"),
		LINE("BenchmarkA 1 -Inf sec", "a value is not a finite number"),
		LINE("BenchmarkA 1 nan sec", "a value is not a finite number"),
		LINE("BenchmarkA 1 1e999 sec", "a value is not a finite number"),
		LINE("BenchmarkA 1 1" ZEROS ZEROS ZEROS ZEROS " sec", "a value is not a finite number"),
		LINE("BenchmarkA 1 0x10 sec", "a value is not a finite number"),
		LINE("BenchmarkA 1 1e sec", "a value is not a finite number"),
		LINE("BenchmarkA 1 1e+ sec", "a value is not a finite number"),
		LINE("BenchmarkA 1 . sec", "a value is not a finite number"),
		LINE("BenchmarkA 1 - sec", "a value is not a finite number"),
		LINE("BenchmarkA 1 1,5 sec", "a value is not a finite number"),
		LINE("BenchmarkA 1 1.2.3 sec", "a value is not a finite number"),
		LINE("BenchmarkA 1 12\0 sec", "a value is not a finite number"),
		LINE("BenchmarkA 1 2 3 sec", "a number where a unit must stand"),
		LINE("BenchmarkA 1 2 s\0c", "a control character in a unit"),
		LINE("BenchmarkA 1 2 \033[31m", "a control character in a unit"),
		LINE("BenchmarkA\0 1 2 sec", "a control character in the name"),
		LINE("BenchmarkA\177 1 2 sec", "a control character in the name"),
		LINE("BenchmarkA 1 2 sec 3 op/s 4 sec", "a unit stands twice"),
		LINE("BenchmarkA 1 2 sec 3 sec", "a unit stands twice"),
	};

	enter_folder();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *text = xasprintf("BenchmarkB 1 5 sec\n%*s\nBenchmarkB 1 6 sec\n", (int)rows[i].length, "");
		char *err = xasprintf("kbench: r:2: damaged, skipped: %s\n", rows[i].why);

		memcpy(strchr(text, '\n') + 1, rows[i].line, rows[i].length);
		write_bytes("r", text, strlen("BenchmarkB 1 5 sec\n") * 2 + rows[i].length + 1);
		expect_record("r", "all", "B | sec< 5 6\nskipped 1\n", err);
		free(text);
		free(err);
	}
}

static void cut_last_line(void)
{
	static const struct example examples[] = {
		{ TEXT("BenchmarkA 1 2 sec\nBenchmarkA 1 3 sec"), "A | sec< 2\nskipped 1\n",
			"kbench: r:2: damaged, skipped: the file ends in the middle of it\n" },
		{ TEXT("BenchmarkA 1 2 sec\nBenchmarkA"), "A | sec< 2\nskipped 1\n",
			"kbench: r:2: damaged, skipped: the file ends in the middle of it\n" },
		{ TEXT("BenchmarkA 1 2 sec\n# run: id"), "A | sec< 2\n", "" },
		{ TEXT("BenchmarkA 1 2 sec\nBenchm"), "A | sec< 2\n", "" },
		/* concatenated to one that begins a block */
		{ TEXT("# a: 1\nBenchmarkA 1 2 sec\n# a: 9\nBenchmarkA 1 3 s# kbench-record: 1\n# b: 2\nBenchmarkA 1 4 sec\n"),
			"A | sec< 2 4\na: 1\nb: 2\nskipped 1\n",
			"kbench: r:4: damaged, skipped: a value is not a finite number\n" },
		{ TEXT("# a: 1\nBenchmarkA 1 2 sec\n# a: 3# kbench-record: 1\r\nBenchmarkA 1 4 sec\n"),
			"A | sec< 2 4\na: 1\n", "" },
	};

	check_examples(examples, ARRAY_SIZE(examples));
}

static void many_damaged(void)
{
	char *text, *err, *line;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	enter_folder();
	fputs("BenchmarkA 1 2 sec\n", out);
	for (int i = 0; i < 13; i++)
		fputs("BenchmarkA 1\n", out);
	fclose(out);
	write_bytes("r", text, length);
	free(text);
	out = open_memstream(&err, &length);
	for (int i = 2; i < 12; i++)
		fprintf(out, "kbench: r:%d: damaged, skipped: no value\n", i);
	fputs("kbench: r: 3 more damaged lines\n", out);
	fclose(out);
	line = xasprintf("A | sec< 2\nskipped %d\n", 13);
	expect_record("r", "all", line, err);
	free(line);
	free(err);
}

static void other_lines(void)
{
	static const struct example examples[] = {
		/* go test -v -bench . */
		{ TEXT("=== RUN   TestX\n--- PASS: TestX (0.00s)\ngoos: linux\ngoarch: amd64\npkg: example.org/x\n"
		       "cpu: AMD EPYC 7B13\nBenchmarkFib\nBenchmarkFib-8   \t 5000000\t       280.4 ns/op\t      16 B/op"
		       "\t       1 allocs/op\nBenchmarkFib/n=2-8 \t 100 \t 3 ns/op\nPASS\nok  \texample.org/x\t1.7s\n"),
			"Fib | ns/op< 280.39999999999998 | B/op< 16 | allocs/op< 1\nFib/n=2 | ns/op< 3\n"
			"goos: linux\ngoarch: amd64\npkg: example.org/x\ncpu: AMD EPYC 7B13\n",
			"" },
		{ TEXT("Benchmarking is fun 1 2\nBenchmark 1 2 sec\nbenchmarkA 1 2 sec\n BenchmarkA 1 2 sec\n\n\n"
		       "\0\0\n\xff\xfe\nBenchmarkA 1 2 sec\n"),
			"A | sec< 2\n", "" },
		{ TEXT("http://x\nKey: v\n# Key: v\n#k: v\n##k: v\nk\0: v\nk: v\0w\na b: c\n: c\nBenchmarkA 1 2 sec\n"),
			"A | sec< 2\n", "" },
		{ TEXT("Unit\nUnit \nUnit x\nUnit x better\nUnit x better=maybe\nUnit x assume=exact\n"
		       "BenchmarkA 1 2 x\n"),
			"A | x 2\n", "" },
		{ TEXT("Unit x better=higher\nBenchmarkA 1 2 x 3 y 4 sec\nUnit y assume=nothing better=lower\n"
		       "Unit sec better=higher\n"),
			"A | x> 2 | y< 3 | sec> 4\n", "" },
	};

	check_examples(examples, ARRAY_SIZE(examples));
}

static void facts(void)
{
	static const struct example examples[] = {
		{ TEXT("# kernel: 1\ncpu:  a b \t\nBenchmarkA 1 2 sec\n# kernel: 2\nBenchmarkA 1 3 sec\n"
		       "# kernel: 1\nBenchmarkB 1 4 sec\n"),
			"A | sec< 2 3\nB | sec< 4\nkernel: 1, 2\ncpu: a b\n", "" },
		/* what held for no run never held */
		{ TEXT("# x: 1\n# x: 2\n# y: 1\n# y:\nBenchmarkA 1 2 sec\n# z: 1\n"), "A | sec< 2\nx: 2\n", "" },
		{ TEXT("# x: 1\n# kbench-record: 1\n# y: 1\nBenchmarkA 1 2 sec\n# kbench-record: 1\nBenchmarkA 1 2 sec\n"),
			"A | sec< 2 2\ny: 1\n", "" },
		{ TEXT("x: 1\nBenchmarkA 1 2 sec\n# x: 2\nBenchmarkA 1 2\nx: 3\nBenchmarkA 1 2 sec\n"),
			"A | sec< 2 2\nx: 1, 3\nskipped 1\n",
			"kbench: r:4: damaged, skipped: a value without a unit\n" },
	};

	check_examples(examples, ARRAY_SIZE(examples));
}

static void places(void)
{
	static const char text[] = "# run: id=a index=7 time=1764685619.123\nBenchmarkA 1 2 sec\n"
				   "BenchmarkA 1 2 sec\n"
				   "# run: id=b x=1 index=x time=soon word =\nPASS\nBenchmarkA 1 2 sec\n"
				   "# run: id=a index=8\nBenchmarkA 1 2\nBenchmarkA 1 2 sec\n"
				   "# run: id= index=9\nBenchmarkA 1 2 sec\n"
				   "# run: id=c\n# kbench-record: 1\nBenchmarkA 1 2 sec\n";
	struct request request = { "r", "none", true };
	char *out;

	enter_folder();
	write_bytes("r", text, strlen(text));
	CHECK_INT(test_capture(read_and_show, &request, &out, NULL), 0);
	CHECK_TEXT(out, "A\nskipped 1\n"
			"line 2 id a index 7 time 1764685619.123\n"
			"line 3 id n/a index 0 time n/a\n"
			"line 6 id b index 0 time n/a\n"
			"line 9 id n/a index 0 time n/a\n"
			"line 11 id n/a index 9 time n/a\n"
			"line 14 id n/a index 0 time n/a\n");
	free(out);
}

static void chosen_metric(void)
{
	static const struct {
		const char *metric, *out;
	} rows[] = {
		{ NULL, "A | a 1 3 n/a\nB | b 4\n" },
		{ "a", "A | a 1 3 n/a\nB\n" },
		{ "b", "A | b n/a 2 9\nB | b 4\n" },
		{ "c", "A\nB\n" },
		{ "all", "A | a 1 3 n/a | b n/a 2 9\nB | b 4\n" },
	};
	static const char text[] = "BenchmarkA 1 1 a\nBenchmarkA 1 2 b 3 a\nBenchmarkB 1 4 b\nBenchmarkA 1 9 b\n";

	enter_folder();
	write_bytes("r", text, strlen(text));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect_record("r", rows[i].metric, rows[i].out, "");
}

static void unreadable(void)
{
	enter_folder();
	CHECK_INT(mkdir("folder", 0777), 0);
	expect_record("none", NULL, "", "kbench: none: No such file or directory\n");
	expect_record("folder", NULL, "", "kbench: folder: Is a directory\n");
	expect_record("/dev/null", NULL, "", "kbench: /dev/null: is empty\n");
	write_bytes("r", "\n", 1);
	expect_record("r", NULL, "", "kbench: r: has no result\n");
	write_bytes("r", "BenchmarkA 1\n", 13);
	expect_record("r", NULL, "", "kbench: r:1: damaged, skipped: no value\nkbench: r: has no result\n");
	expect_record("/dev/zero", NULL, "", "kbench: /dev/zero:1: the line is longer than 64 MB\n");
}

/* Lines longer than a block, and a line that ends where a block does. */
static void long_lines(void)
{
	static const size_t lengths[] = { 10 << 20, 131071, 131072, 262143, 262144, 262145 };

	enter_folder();
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		char *text = xmalloc(lengths[i] + 100);
		size_t length = lengths[i];

		memset(text, 'x', length);
		memcpy(text, "BenchmarkA", 10);
		memcpy(text + length - 9, " 1 2 sec\n", 9);
		length += (size_t)sprintf(text + length, "BenchmarkB 1 3 sec\n");
		write_bytes("r", text, length);
		free(text);
		struct record *record = record_read("r", NULL);
		CHECK_UINT(record->row_count, 2);
		CHECK_UINT(strlen(record->rows[0].name), lengths[i] - 9 - strlen("Benchmark"));
		CHECK_NEAR(record->rows[0].metrics[0].values[0], 2, 0);
		CHECK_TEXT(record->rows[1].name, "B");
		CHECK_NEAR(record->rows[1].metrics[0].values[0], 3, 0);
		record_free(record);
	}
}

static char *line_of(size_t pairs)
{
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	fputs("BenchmarkA 1", out);
	for (size_t i = 0; i < pairs; i++)
		fprintf(out, " %zu u%zu", i, i);
	fputs("\nBenchmarkB 1 5 sec\n", out);
	fclose(out);
	return text;
}

static void many_metrics(void)
{
	char *most = line_of(1024), *more = line_of(1025);
	struct record *record;

	enter_folder();
	write_bytes("r", most, strlen(most));
	record = record_read("r", "all");
	CHECK_UINT(record->rows[0].metric_count, 1024);
	CHECK_TEXT(record->rows[0].metrics[1023].unit, "u1023");
	CHECK_NEAR(record->rows[0].metrics[1023].values[0], 1023, 0);
	record_free(record);
	write_bytes("r", more, strlen(more));
	expect_record("r", NULL, "B | sec< 5\nskipped 1\n", "kbench: r:1: damaged, skipped: more than 1024 values\n");
	free(most);
	free(more);
}

static const struct test tests[] = {
	{ "result lines are read as other tools write them, and a last -8 is no part of a name", results },
	{ "a number is read as the nearest double", numbers },
	{ "a damaged line is skipped, and file, line and reason are said", damaged },
	{ "a last line without its end is damaged, also where another file follows it", cut_last_line },
	{ "after ten damaged lines the rest is counted", many_damaged },
	{ "all other lines are passed over in silence", other_lines },
	{ "a fact holds until it changes or a block begins, and is kept with all its values", facts },
	{ "a run line holds for the next result alone", places },
	{ "of all metrics those are kept that are asked for", chosen_metric },
	{ "a file without a result ends the program", unreadable },
	{ "a line may be longer than what is read at once", long_lines },
	{ "a line of too many values is damaged", many_metrics },
};

TEST_MAIN(tests)
