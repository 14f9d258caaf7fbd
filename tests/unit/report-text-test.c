// SPDX-License-Identifier: GPL-2.0-only
/* The default format of known numbers, to the byte. */
#include "command.h"

static void add_rate(struct result *result)
{
	result_note(result, "Executed 100000 pipe operations between two processes");
	result_metric(result, "ns/op", result_value(result, "sec") * 1e4, BETTER_LOWER);
	result_metric(result, "op/s", 1e5 / result_value(result, "sec"), BETTER_HIGHER);
	result_remark(result, "placed freely");
}

static void test_rate(void)
{
	expect((struct command){ .layout = LAYOUT_RATE, .runs = { { 2.4263869 } }, .add = add_rate },
		"# Running 'sched/pipe' benchmark:\n"
		"# Executed 100000 pipe operations between two processes\n"
		"\n"
		"     Total time: 2.426 [sec]\n"
		"\n"
		"      24.263869 usecs/op\n"
		"          41213 ops/sec\n"
		"# placed freely\n");
}

static void test_all(void)
{
	expect((struct command){ .style = { .all = true, .quiet = true },
		       .layout = LAYOUT_RATE,
		       .runs = { { 0.001 } },
		       .add = add_rate },
		"# Running sched/pipe benchmark...\n"
		"# Executed 100000 pipe operations between two processes\n"
		"\n"
		"     Total time: 0.001 [sec]\n"
		"\n"
		"       0.010000 usecs/op\n"
		"      100000000 ops/sec\n"
		"\n");
}

static void test_wide(void)
{
	expect((struct command){ .style = { .quiet = true },
		       .layout = LAYOUT_RATE,
		       .runs = { { 123456789.9999 } },
		       .add = add_rate },
		"# Running 'sched/pipe' benchmark:\n"
		"# Executed 100000 pipe operations between two processes\n"
		"\n"
		"     Total time: 123456789.999 [sec]\n"
		"\n"
		" 1234567899.999000 usecs/op\n"
		"              0 ops/sec\n");
}

static void add_groups(struct result *result)
{
	result_note(result, "20 sender and receiver processes per group");
	result_note(result, "10 groups == 400 processes run");
	result_metric(result, "last-message-sec", 1, BETTER_LOWER);
}

static void test_time(void)
{
	expect((struct command){ .layout = LAYOUT_TIME, .runs = { { 3.0359 } }, .add = add_groups },
		"# Running 'sched/pipe' benchmark:\n"
		"# 20 sender and receiver processes per group\n"
		"# 10 groups == 400 processes run\n"
		"\n"
		"     Total time: 3.035 [sec]\n");
}

static void add_row(struct result *result, const char *unit, const char *name, const char *quiet, double value)
{
	struct metric *metric = result_metric(result, name, value, BETTER_NONE);

	metric->place = METRIC_ROW;
	snprintf(metric->row_unit, sizeof(metric->row_unit), "%s", unit);
	snprintf(metric->row_name, sizeof(metric->row_name), "%s", name);
	snprintf(metric->row_quiet, sizeof(metric->row_quiet), "%s", quiet);
}

static void add_rows(struct result *result)
{
	result_note(result, "2 tasks will execute");
	add_row(result, "secs", "runtime-max/thread", "secs slowest (max) thread-runtime", 1.0061);
	add_row(result, "%", "spread-runtime/thread", "% difference between max/avg runtime", 0.3);
	add_row(result, "GB/sec", "total-speed", "GB/sec total speed", 15.862);
}

static void add_quiet_rows(struct result *result)
{
	add_rows(result);
	result->note_count = 0;
	result->quiet_rows = true;
}

static void test_rows(void)
{
	expect((struct command){ .layout = LAYOUT_ROWS, .runs = { { 1 } }, .add = add_rows },
		"# Running 'sched/pipe' benchmark:\n"
		"\n"
		"# 2 tasks will execute\n"
		" main,                                    1.006, secs,           runtime-max/thread\n"
		" main,                                    0.300, %,              spread-runtime/thread\n"
		" main,                                   15.862, GB/sec,         total-speed\n");
	expect((struct command){ .layout = LAYOUT_ROWS, .runs = { { 1 } }, .add = add_quiet_rows },
		"# Running 'sched/pipe' benchmark:\n"
		"\n"
		"          1.006 secs slowest (max) thread-runtime\n"
		"          0.300 % difference between max/avg runtime\n"
		"         15.862 GB/sec total speed\n");
}

static void test_shown(void)
{
	expect((struct command){ .layout = LAYOUT_METRICS, .runs = { { 0.5 } }, .add = add_shown },
		"# Running 'sched/pipe' benchmark:\n"
		"# a note\n"
		"\n"
		"     Total time: 0.500 [sec]\n"
		"\n"
		"        512.063 ns/fault\n"
		"            n/a map-ns/page\n");
}

/* Nodes 0 and 8 by 0, 8 and 16, of which 16 was not reached from 8; the numbers grow with the seconds of the run. */
static void add_cells(struct result *result)
{
	static const unsigned ids[] = { 0, 8, 16 }, distances[] = { 10, 22, 160, 22, 10, 0 };
	double value = 81.2 * result_value(result, "sec");

	result->rows = "CPU node";
	result->columns = "memory node";
	result_note(result, "a note");
	for (size_t i = 0; i < 6; i++)
		result_cell(result, "ns/load", ids[i / 3], ids[i % 3], i == 5 ? (double)NAN : value + 10 * (double)i,
			BETTER_LOWER)
			->distance = distances[i];
	result_remark(result, "a remark");
}

static void test_matrix(void)
{
	expect((struct command){ .layout = LAYOUT_MATRIX, .runs = { { 1 } }, .add = add_cells },
		"# Running 'sched/pipe' benchmark:\n"
		"# a note\n"
		"# ns/load: CPU node (rows) by memory node (columns), best *, worst !\n"
		"\n"
		"  node       0        8       16\n"
		"     0   81.20*   91.20   101.20\n"
		"     8  111.20   121.20!     n/a\n"
		"\n"
		"# distance, as the kernel says it\n"
		"\n"
		"  node   0   8   16\n"
		"     0  10  22  160\n"
		"     8  22  10  n/a\n"
		"# a remark\n");
}

/* Two matrices of one cell each, on the only node. */
static void add_one_cell(struct result *result)
{
	result->rows = result->columns = "node";
	result_cell(result, "read-B/s", 0, 0, 10.25e9, BETTER_HIGHER)->distance = 10;
	result_cell(result, "B/s", 0, 0, 0.5e9, BETTER_HIGHER)->distance = 10;
}

static void test_one_node(void)
{
	expect((struct command){ .layout = LAYOUT_MATRIX, .runs = { { 1 } }, .add = add_one_cell },
		"# Running 'sched/pipe' benchmark:\n"
		"# read-GB/s: node (rows) by node (columns)\n"
		"\n"
		"  node      0\n"
		"     0  10.25\n"
		"\n"
		"# GB/s: node (rows) by node (columns)\n"
		"\n"
		"  node       0\n"
		"     0  0.5000\n"
		"\n"
		"# distance, as the kernel says it\n"
		"\n"
		"  node   0\n"
		"     0  10\n");
}

static void add_remarks(struct result *result)
{
	result_remark(result, "holds for all");
	result_remark(result, "took %g s", result_value(result, "sec"));
	if (result_value(result, "sec") > 2)
		result_remark(result, "warning: too slow");
}

#define TABLE_HEAD                            \
	"# Running 'sched/pipe' benchmark:\n" \
	"# sec; +- is half of the mean's 95 % interval, %stddev that of the runs\n\n"

static void test_table(void)
{
	/* mean 2, deviation 1, t(0.975, 2) = 4.302653: half an interval is 4.302653 / sqrt(3). */
	expect((struct command){ .table = true, .runs = { { 1, 2, 3 } }, .add = add_remarks },
		TABLE_HEAD "  n    mean      +-  %stddev  median     min     max\n"
			   "  3  2.0000  2.4841    50.00  2.0000  1.0000  3.0000\n"
			   "\n"
			   "# holds for all\n"
			   "# took 1..3 s\n"
			   "# warning: too slow (in 1 of 3 runs)\n");
	expect((struct command){ .style = { .quiet = true }, .table = true, .runs = { { 1, 1 } }, .add = add_remarks },
		TABLE_HEAD "  n    mean      +-  %stddev  median     min     max\n"
			   "  2  1.0000  0.0000     0.00  1.0000  1.0000  1.0000\n");
}

/* The first number of a row of many digits is not in the way of the others. */
static void test_powers(void)
{
	expect((struct command){ .table = true, .runs = { { 1.5e9, 2.5e9 } } },
		"# Running 'sched/pipe' benchmark:\n"
		"# 10^9 sec; +- is half of the mean's 95 % interval, %stddev that of the runs\n\n"
		"  n    mean      +-  %stddev  median     min     max\n"
		"  2  2.0000  6.3531    35.36  2.0000  1.5000  2.5000\n");
}

static void add_row_remarks(struct result *result)
{
	double sec = result_value(result, "sec");

	result_remark(result, "%d token%s of 4 bytes", sec < 10 ? 1 : 2, sec < 10 ? "" : "s");
	result_remark(result, "holds for all");
	result_remark(result, "pages on node0 %.1f, on node1 -%.0f of 0x%x; a line of many words that do not fit", sec,
		sec, (unsigned)sec);
}

static void test_row_remarks(void)
{
	expect((struct command){ .table = true,
		       .params = { { LOOP("10", 10, true), SIZE("4", 4) }, { LOOP("1000", 1000, true), SIZE("4", 4) } },
		       .runs = { { 3, 1, 2 }, { 20 } },
		       .add = add_row_remarks },
		TABLE_HEAD "  loop  n     mean      +-  %stddev   median      min      max\n"
			   "    10  3   2.0000  2.4841    50.00   2.0000   1.0000   3.0000\n"
			   "  1000  1  20.0000     n/a      n/a  20.0000  20.0000  20.0000\n"
			   "\n"
			   "# holds for all\n"
			   "# loop=10: 1 token of 4 bytes\n"
			   "# loop=10: pages on node0 3.0, on node1 -3 of 0x3; a line of many words that do\n"
			   "#   not fit (in 1 of 3 runs)\n"
			   "# loop=10: pages on node0 1.0, on node1 -1 of 0x1; a line of many words that do\n"
			   "#   not fit (in 1 of 3 runs)\n"
			   "# loop=10: pages on node0 2.0, on node1 -2 of 0x2; a line of many words that do\n"
			   "#   not fit (in 1 of 3 runs)\n"
			   "# loop=1000: 2 tokens of 4 bytes\n"
			   "# loop=1000: pages on node0 20.0, on node1 -20 of 0x14; a line of many words\n"
			   "#   that do not fit\n");
}

static void test_look(void)
{
	expect((struct command){ .table = true, .runs = { { 9, 1.1, 1, 1.2, 1.1, 1.2, 1, 1.1 } } },
		TABLE_HEAD "  n    mean      +-  %stddev  median     min     max\n"
			   "  8  2.0875  2.3359   133.85  1.1000  1.0000  9.0000\n"
			   "\n"
			   "# 1 of 8 runs is an outlier, far out\n"
			   "# the first run stands apart; warm-up runs (-w) would leave it out\n");
}

static void test_left(void)
{
	/* Two of five runs took 20 in all, 10 each; then 4 and 15 of the third have gone by. */
	struct progress progress = { .done = 2, .planned = 5, .start_ns = 100, .last_ns = 120 };

	CHECK_UINT(progress_left(&progress, 120), 30);
	CHECK_UINT(progress_left(&progress, 124), 26);
	CHECK_UINT(progress_left(&progress, 135), 20);
}

static void test_matrix_runs(void)
{
	expect((struct command){ .layout = LAYOUT_MATRIX,
		       .table = true,
		       .headline = "sec",
		       .params = { { LOOP("1", 1, true) }, { LOOP("2", 2, true) } },
		       .runs = { { 1, 2, 4 }, { 2 } },
		       .add = add_cells },
		TABLE_HEAD "  loop  n    mean      +-  %stddev  median     min     max\n"
			   "     1  3  2.3333  3.7946    65.47  2.0000  1.0000  4.0000\n"
			   "     2  1  2.0000     n/a      n/a  2.0000  2.0000  2.0000\n"
			   "\n"
			   "# loop=1, ns/load, medians: CPU node (rows) by memory node (columns), best *, worst !\n"
			   "\n"
			   "  node      0       8      16\n"
			   "     0  162.4*  172.4   182.4\n"
			   "     8  192.4   202.4!    n/a\n"
			   "\n"
			   "# loop=1, ns/load: %stddev of 3 runs\n"
			   "\n"
			   "  node      0      8     16\n"
			   "     0  65.47  62.18  59.21\n"
			   "     8  56.52  54.05    n/a\n"
			   "\n"
			   "# loop=2, ns/load: CPU node (rows) by memory node (columns), best *, worst !\n"
			   "\n"
			   "  node      0       8      16\n"
			   "     0  162.4*  172.4   182.4\n"
			   "     8  192.4   202.4!    n/a\n"
			   "\n"
			   "# distance, as the kernel says it\n"
			   "\n"
			   "  node   0   8   16\n"
			   "     0  10  22  160\n"
			   "     8  22  10  n/a\n"
			   "\n"
			   "# a remark\n");
}

static void test_sweep(void)
{
	expect((struct command){ .table = true,
		       .params = { { LOOP("10", 10, true), SIZE("4", 4) }, { LOOP("1000", 1000, true), SIZE("4", 4) } },
		       .runs = { { 0.5 }, { 20 } } },
		TABLE_HEAD "  loop  n      mean   +-  %stddev    median       min       max\n"
			   "    10  1   0.50000  n/a      n/a   0.50000   0.50000   0.50000\n"
			   "  1000  1  20.00000  n/a      n/a  20.00000  20.00000  20.00000\n");
}

static void test_nothing(void)
{
	expect((struct command){ .table = true, .error = "broken" }, "");
	expect((struct command){ .skipped = true }, "");
	expect((struct command){ .style = { .all = true }, .skipped = true }, "# Running sched/pipe benchmark...\n"
									      "# skipped: no such machine\n"
									      "\n");
}

static void test_interrupted(void)
{
	expect((struct command){ .table = true, .error = "interrupted by signal 2", .runs = { { 1, 1 } } },
		TABLE_HEAD "  n    mean      +-  %stddev  median     min     max\n"
			   "  2  1.0000  0.0000     0.00  1.0000  1.0000  1.0000\n");
}

static void test_verbose(void)
{
	struct command command = {
		.style = { .verbose = true }, .table = true, .runs = { { 1.5, 2 } }, .add = add_shown
	};
	char *out;

	run_command(&command, &out);
	*strstr(out, "# sec; ") = '\0';
	CHECK_TEXT(out, "# Running 'sched/pipe' benchmark:\n"
			"# run 1\n"
			"#   1.50000  sec\n"
			"#   512.063  ns/fault\n"
			"#       n/a  map-ns/page\n"
			"#         1  hidden\n"
			"# run 2\n"
			"#         2  sec\n"
			"#   512.063  ns/fault\n"
			"#       n/a  map-ns/page\n"
			"#         1  hidden\n");
	free(out);
}

static void show_progress(void *arg)
{
	struct report *report = report_open(&(struct report_style){ .quiet = arg != NULL });

	report_progress(report, "run 1 of 5");
	report_progress(report, NULL);
}

static void test_progress(void)
{
	char *out, *err;

	CHECK_INT(test_capture(show_progress, NULL, &out, &err), 0);
	CHECK_TEXT(out, "");
	CHECK_TEXT(err, "");
}

static const struct test tests[] = {
	{ "a rate is the known block to the byte", test_rate },
	{ "in all a block has the other heading and an empty line", test_all },
	{ "figures that are wider than their field are whole", test_wide },
	{ "a time is the known block to the byte", test_time },
	{ "rows are the known ones to the byte, labelled or in words", test_rows },
	{ "metrics are lines of value and key", test_shown },
	{ "several runs are a row, with their remarks, in which numbers are ranges", test_table },
	{ "figures of many digits are in a power of 1000", test_powers },
	{ "remarks of all rows stand once, others with their row, within 80 columns", test_row_remarks },
	{ "what a careful reader must know of the runs is said below", test_look },
	{ "the time left falls while a run is under way", test_left },
	{ "a matrix has real ids, marks its best and worst cell, and is followed by the distances", test_matrix },
	{ "one node is a matrix of one cell, and bytes are shown as GB/s", test_one_node },
	{ "several runs of a matrix are medians and their spread, for each set", test_matrix_runs },
	{ "sets are rows with a column for what is swept", test_sweep },
	{ "without a run there is nothing, but for a skip in all", test_nothing },
	{ "a series that ended early shows its runs", test_interrupted },
	{ "verbose shows every metric of every run in # lines", test_verbose },
	{ "progress is only for a terminal", test_progress },
};

TEST_MAIN(tests)
