// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "records.h"

#define ENV_OF(kernel) "# kbench-record: 1\n# kernel: " kernel "\n"
#define UNITS          "Unit sec better=lower\nUnit op/s better=higher\n"
#define RUN(sec, rate, index) \
	"# run: id=a1 index=" index "\nBenchmarkSchedPipe/loop=10 10 " sec " sec 7 switches " rate " op/s\n"

static void first_block(void)
{
	struct fact facts[] = {
		{ "kernel", (char[]){ "6.1" } },
		{ "cpu-model", (char[]){ "AMD\nEPYC" } },
		{ "thp", NULL },
		{ "nodes", (char[]){ "0" } },
		{ "swap", (char[]){ "" } },
	};
	struct record_writer *writer;

	enter_folder();
	writer = record_open("r", facts, ARRAY_SIZE(facts));
	expect_file("r", "");
	write_run(writer, 0.5, 1);
	write_run(writer, 0.25, 2);
	record_close(writer);
	expect_file("r", "# kbench-record: 1\n# kernel: 6.1\ncpu-model: AMD EPYC\nnodes: 0\n" UNITS RUN(
				 "0.5", "20", "1") RUN("0.25", "40", "2"));
}

static void places(void)
{
	static const struct {
		const char *id;
		uint64_t index;
		double time;
		const char *line;
	} rows[] = {
		{ "5f3a", 7, 1764685619.123, "# run: id=5f3a index=7 time=1764685619.123\n" },
		{ NULL, 1, 0, "# run: index=1 time=0.000\n" },
		{ "a b\n", UINT64_MAX, NO_TIME, "# run: id=a%20b%0a index=18446744073709551615\n" },
	};

	enter_folder();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct record_writer *writer = record_open("r", NULL, 0);
		struct result *result = xcalloc(1, RESULT_SIZE);
		char *text;

		result_metric(result, "sec", 1, BETTER_NONE);
		record_write(
			writer, &(struct record_run){ pipe_series(), result, rows[i].id, rows[i].index, rows[i].time });
		record_close(writer);
		free(result);
		text = xasprintf("# kbench-record: 1\n%sBenchmarkSchedPipe/loop=10 1 1 sec\n", rows[i].line);
		expect_file("r", text);
		free(text);
		unlink("r");
	}
}

static void later_unit(void)
{
	struct record_writer *writer;
	struct result *result = pipe_result(0.5);

	enter_folder();
	writer = record_open("r", NULL, 0);
	result_metric(result, "op/s", NO_TIME, BETTER_HIGHER);
	result_metric(result, "odd unit", (double)INFINITY, BETTER_HIGHER);
	write_result(writer, result, 1);
	result_metric(result, "op/s", 20, BETTER_HIGHER);
	result_metric(result, "odd unit", 3, BETTER_HIGHER);
	write_result(writer, result, 2);
	record_close(writer);
	free(result);
	expect_file("r", "# kbench-record: 1\nUnit sec better=lower\n"
			 "# run: id=a1 index=1\nBenchmarkSchedPipe/loop=10 10 0.5 sec 7 switches\n"
			 "Unit op/s better=higher\nUnit odd-unit better=higher\n"
			 "# run: id=a1 index=2\nBenchmarkSchedPipe/loop=10 10 0.5 sec 7 switches 20 op/s 3 odd-unit\n");
}

static void without_headline(void *argument)
{
	struct record_writer *writer = record_open("r", NULL, 0);
	struct result *result = pipe_result(0.5);

	(void)argument;
	result_metric(result, "sec", NO_TIME, BETTER_LOWER);
	write_result(writer, result, 1);
	record_close(writer);
}

static void append_third(void *argument)
{
	(void)argument;
	append_run("r", "3", 0.125, 3);
}

static void expect_said(void (*body)(void *), void *argument, int status, const char *text)
{
	char *err;

	CHECK_INT(test_capture(body, argument, NULL, &err), status);
	CHECK_TEXT(err, text);
	free(err);
}

static void no_headline(void)
{
	enter_folder();
	expect_said(without_headline, NULL, 0, "kbench: r: a run without sec is not recorded\n");
	expect_file("r", "");
}

static void appended(void)
{
	enter_folder();
	append_run("r", "1", 0.5, 1);
	expect_said(append_third, NULL, 0, "");
	expect_file("r", ENV_OF("1") UNITS RUN("0.5", "20", "1") ENV_OF("3") UNITS RUN("0.125", "80", "3"));
}

static void after_a_cut(void)
{
	static const char text[] = "BenchmarkOld 1 2 se";

	enter_folder();
	write_bytes("r", text, strlen(text));
	expect_said(append_third, NULL, 0, "kbench: r: the last line was cut: it is marked as damaged\n");
	expect_file("r", "BenchmarkOld 1 2 se cut cut\n" ENV_OF("3") UNITS RUN("0.125", "80", "3"));
	expect_said(append_third, NULL, 0, "");
}

static void in_turn(void)
{
	struct fact fact = { "kernel", (char[]){ "1" } };
	struct record_writer *writer;

	enter_folder();
	writer = record_open("r", &fact, 1);
	write_run(writer, 0.5, 1);
	append_run("r", "2", 0.25, 2);
	write_run(writer, 0.5, 3);
	write_run(writer, 0.5, 4);
	record_close(writer);
	expect_file("r", ENV_OF("1") UNITS RUN("0.5", "20", "1") ENV_OF("2") UNITS RUN("0.25", "40", "2") ENV_OF("1")
				 UNITS RUN("0.5", "20", "3") RUN("0.5", "20", "4"));
}

static void run_to(void *argument)
{
	append_run(argument, "1", 0.5, 1);
}

static void refused(void)
{
	static const struct {
		const char *path, *text;
	} rows[] = {
		{ "/dev/full", "kbench: /dev/full: the run is not recorded: No space left on device\n" },
		{ "folder", "kbench: option -o: folder: Is a directory\n" },
		{ "none/r", "kbench: option -o: none/r: No such file or directory\n" },
	};

	char none[] = "";

	enter_folder();
	CHECK_INT(mkdir("folder", 0777), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *path = xstrdup(rows[i].path);

		expect_said(run_to, path, 1, rows[i].text);
		free(path);
	}
	expect_said(run_to, none, 2, "kbench: option -o: '' is not the name of a file\n");
}

static void run_into_limit(void *argument)
{
	const struct rlimit *limit = argument;

	signal(SIGXFSZ, SIG_IGN);
	if (setrlimit(RLIMIT_FSIZE, limit) < 0)
		die_errno("setrlimit");
	append_run("r", "2", 0.25, 2);
}

static void no_room(void)
{
	static const struct {
		size_t more; /* room beyond the first run */
		const char *text;
	} rows[] = {
		{ 0, "kbench: r: the run is not recorded: File too large\n" },
		{ 100, "kbench: r: the run is not recorded: only 100 of its 156 bytes had room\n" },
		{ 155, "kbench: r: the run is not recorded: only 155 of its 156 bytes had room\n" },
	};
	static const char before[] = ENV_OF("1") UNITS RUN("0.5", "20", "1");

	enter_folder();
	append_run("r", "1", 0.5, 1);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct rlimit limit = { strlen(before) + rows[i].more, strlen(before) + rows[i].more };

		expect_said(run_into_limit, &limit, 1, rows[i].text);
		expect_file("r", before);
	}
}

static void print_and_run(void *argument)
{
	struct record_writer *writer = record_open(argument, NULL, 0);

	printf("before\n");
	write_run(writer, 0.5, 1);
	printf("after\n");
	record_close(writer);
}

static void expect_printed(char *path)
{
	char *out, *err;

	CHECK_INT(test_capture(print_and_run, path, &out, &err), 0);
	CHECK_TEXT(out, "before\n# kbench-record: 1\n" UNITS RUN("0.5", "20", "1") "after\n");
	CHECK_TEXT(err, "");
	free(out);
	free(err);
}

static void to_stdout(void)
{
	char path[] = "/dev/stdout", file[] = "/proc/self/fd/1";

	expect_printed(NULL);
	expect_printed(path);
	expect_printed(file);
}

/* What arrives at the other end of a pipe. */
static void expect_piped(int fd)
{
	static const char expected[] = ENV_OF("1") UNITS RUN("0.5", "20", "1");
	char text[1024];
	ssize_t got = read(fd, text, sizeof(text) - 1);

	text[got < 0 ? 0 : got] = '\0';
	CHECK_TEXT(text, expected);
	CHECK_INT(close(fd), 0);
}

static void to_pipes(void)
{
	char fifo[] = "fifo", null[] = "/dev/null";
	int fd;

	enter_folder();
	CHECK_INT(mkfifo(fifo, 0666), 0);
	fd = open(fifo, O_RDONLY | O_NONBLOCK);
	expect_said(run_to, fifo, 0, "");
	expect_piped(fd);
	expect_said(run_to, null, 0, "");
}

static void closed_pipe(void *argument)
{
	int ends[2];

	(void)argument;
	signal(SIGPIPE, SIG_IGN);
	xpipe(ends);
	if (dup2(ends[1], STDOUT_FILENO) < 0)
		die_errno("dup2");
	xclose(ends[0]);
	append_run(NULL, "1", 0.5, 1);
}

static void to_nobody(void)
{
	expect_said(closed_pipe, NULL, 1, "kbench: /dev/stdout: the run is not recorded: Broken pipe\n");
}

static void write_many(double sec)
{
	struct fact fact = { "kernel", xasprintf("%g", sec) };
	struct record_writer *writer = record_open("r", &fact, 1);

	free(fact.value);
	for (uint64_t i = 1; i <= 50; i++)
		write_run(writer, sec, i);
	record_close(writer);
}

/* No run stands below the other's environment. */
static void check_environments(void)
{
	FILE *file = fopen("r", "r");
	char line[256];
	double kernel = 0, sec;

	while (fgets(line, sizeof(line), file)) {
		sscanf(line, "# kernel: %lf", &kernel);
		if (sscanf(line, "BenchmarkSchedPipe/loop=10 10 %lf", &sec) == 1)
			CHECK_NEAR(sec, kernel, 0);
	}
	fclose(file);
}

/* Each finds its own runs there, in order. */
static void check_together(const struct record_row *row)
{
	uint64_t index[3] = { 0 };

	CHECK_UINT(row->run_count, 100);
	for (size_t i = 0; i < row->run_count; i++) {
		double sec = row->metrics[0].values[i];

		CHECK(sec == 1 || sec == 2);
		CHECK_UINT(row->places[i].index, ++index[sec == 2]);
	}
}

static void two_writers(void)
{
	struct record *record;
	int status = -1;
	pid_t child;

	enter_folder();
	child = fork();
	write_many(child ? 1 : 2);
	if (child == 0)
		_exit(0);
	CHECK(waitpid(child, &status, 0) == child);
	CHECK_INT(status, 0);
	record = record_read("r", "sec");
	CHECK_UINT(record->skipped, 0);
	CHECK_UINT(record->row_count, 1);
	check_together(&record->rows[0]);
	check_environments();
	record_free(record);
}

static const struct test tests[] = {
	{ "opening writes nothing, the first run brings the environment, the second a line", first_block },
	{ "a run says its series, its index and when it ended, as far as that is known", places },
	{ "what was not measured is left out, and a unit is explained when it first appears", later_unit },
	{ "a run without its headline is not recorded", no_headline },
	{ "a second program appends a block of its own", appended },
	{ "a line that was cut is marked as damaged before the next block", after_a_cut },
	{ "a run after another program's says its environment again", in_turn },
	{ "where nothing can be written the program ends and says where", refused },
	{ "a run that does not fit is taken back", no_room },
	{ "what is printed and what is recorded can share stdout", to_stdout },
	{ "pipes and devices take records", to_pipes },
	{ "a reader that has gone is an error", to_nobody },
	{ "two writers at once leave all lines whole", two_writers },
};

TEST_MAIN(tests)
