// SPDX-License-Identifier: GPL-2.0-only
/* What kbench stat prints, of runs that are known. */
#include "report-stat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "test.h"
#include "wrap.h"

#define RUNS 8

/* The values of each command, a round each. A value of NAN is a run that failed; the first 0 ends them. */
struct stat_case {
	enum format format;
	bool verbose, quiet;
	double threshold;
	const char *headline, *error;
	const char *texts[3];
	double values[3][RUNS + 1];
};

static void add_run(struct report_command *command, uint64_t round, double value)
{
	struct result *result = xcalloc(1, RESULT_SIZE);

	result_metric(result, command->series.headline, value, BETTER_LOWER);
	result_metric(result, "cycles", (double)NAN, BETTER_NONE);
	result_remark(result, "cycles: not supported by this machine");
	command->rounds = xrealloc(command->rounds, (command->series.run_count + 1) * sizeof(*command->rounds));
	command->rounds[command->series.run_count] = round;
	series_add(&command->series, result);
}

static void report_case(void *arg)
{
	const struct stat_case *made = arg;
	struct report_style style = { .format = made->format, .verbose = made->verbose, .quiet = made->quiet };
	struct report *report = report_open(&style);
	struct report_command commands[3] = { 0 };
	struct report_stat stat = { .commands = commands, .seed = 5, .threshold = made->threshold };

	for (; stat.count < 3 && made->texts[stat.count]; stat.count++) {
		commands[stat.count].text = made->texts[stat.count];
		commands[stat.count].series =
			(struct series){ .collection = "stat", .name = "", .headline = made->headline };
	}
	for (size_t round = 0; round < RUNS && made->values[0][round] != 0; round++)
		for (size_t i = 0; i < stat.count; i++) {
			if (isnan(made->values[i][round])) {
				commands[i].failures++;
				continue;
			}
			add_run(&commands[i], round + 1, made->values[i][round]);
			report_stat_run(report, &stat, i);
		}
	report_stat_end(report, &stat, made->error);
	for (size_t i = 0; i < stat.count; i++) {
		series_release(&commands[i].series);
		free(commands[i].rounds);
	}
	report_close(report);
	report_finish_stdout();
	_Exit(EXIT_DONE);
}

static char *output_of(struct stat_case made)
{
	char *out, *err;

	CHECK_INT(test_capture(report_case, &made, &out, &err), EXIT_DONE);
	CHECK_TEXT(err, "");
	free(err);
	return out;
}

static void expect(struct stat_case made, const char *text)
{
	char *out = output_of(made);

	CHECK_TEXT(out, text);
	free(out);
}

static void expect_part(struct stat_case made, const char *part)
{
	char *out = output_of(made);

	CHECK_TEXT(strstr(out, part) ? part : out, part);
	free(out);
}

static void one_command_is_a_row_a_metric(void)
{
	expect((struct stat_case){ .headline = "number", .texts = { "echo\n1" }, .values = { { 1, 2, 3, 4 } } },
		"# command: echo 1\n"
		"# +- is half of the mean's 95 % interval, %stddev that of the runs\n"
		"\n"
		"metric  n    mean      +-  %stddev  median     min     max\n"
		"number  4  2.5000  2.0543    51.64  2.5000  1.0000  4.0000\n"
		"cycles  4     n/a     n/a      n/a     n/a     n/a     n/a\n"
		"\n"
		"# cycles: not supported by this machine\n");
	expect((struct stat_case){ .headline = "wall-sec",
		       .quiet = true,
		       .texts = { "true" },
		       .values = { { 0.5, (double)NAN } } },
		"# command: true\n"
		"# +- is half of the mean's 95 % interval, %stddev that of the runs\n"
		"\n"
		"metric    n     mean   +-  %stddev   median      min      max\n"
		"wall-sec  1  0.50000  n/a      n/a  0.50000  0.50000  0.50000\n"
		"cycles    1      n/a  n/a      n/a      n/a      n/a      n/a\n"
		"\n"
		"# 1 of 2 runs failed and is not in here\n");
}

static const struct stat_case twice = {
	.headline = "wall-sec",
	.texts = { "a", "b" },
	.values = { { 10, 11, 12, 10, 11, 12, 10, 11 }, { 20, 22, 24, 20, 22, 24, 20, 22 } },
};

static void several_commands_are_compared_with_the_first(void)
{
	struct stat_case made = twice;

	made.quiet = true;
	expect(made, "# A: a\n"
		     "# B: b\n"
		     "# wall-sec; %stddev of the runs, %change against A with its 95 % interval\n"
		     "\n"
		     "   n    mean  %stddev    %change [95 %]       p  verdict\n"
		     "A  8  10.875     7.67\n"
		     "B  8  21.750     7.67  +100 [+100,+100]  0.0078  regressed\n");
	made.quiet = false;
	expect_part(made, "regressed\n"
			  "\n"
			  "# B with A: Wilcoxon signed-rank of pairs, exact\n"
			  "# seed 5\n");
	made.threshold = 200;
	expect_part(made, "0.0078  below threshold\n");
	made.threshold = 0;
	made.values[1][4] = (double)NAN; /* A's run of that round is in no pair */
	expect_part(made, "A  8  10.875     7.67\nB  7  21.714     8.29  +100 [+100,+100]  0.0156  regressed\n");
	expect_part(made, "# B: 1 of 8 runs failed and is not in here\n");
}

static void no_difference_tells_what_would_have_been_found(void)
{
	expect_part((struct stat_case){ .headline = "number",
			    .texts = { "a", "b", "c" },
			    .values = { { 10, 11, 12, 10, 11, 12, 10, 11 }, { 11, 10, 12, 11, 10, 12, 11, 10 },
				    { 10, 11, 12, 10, 11, 12, 10, 11 } } },
		"C  8  10.875     7.67  +0.00 [+0.00,+0.00]  1.0000  no difference found\n"
		"\n"
		"# B with A: Wilcoxon signed-rank of pairs, exact\n"
		"#   a change of 13.03 % would have been found in 4 of 5 such measurements\n"
		"#   to find one of 1 % takes 786 pairs\n"
		"# C with A: Wilcoxon signed-rank of pairs, exact\n"
		"#   a change of 0.00 % would have been found in 4 of 5 such measurements\n"
		"# p is adjusted for 2 comparisons (Holm)\n"
		"# seed 5\n");
	expect_part(
		(struct stat_case){
			.headline = "number", .texts = { "a", "b" }, .values = { { 10, 11, 12 }, { 20, 21, 22 } } },
		"  0.2500  cannot tell\n"
		"\n"
		"# B with A: Wilcoxon signed-rank of pairs, exact\n"
		"#   too few pairs to tell: a difference can be found from 6 on\n"
		"#   to find one of 1 % takes ");
}

static void nothing_finished_is_no_table(void)
{
	expect((struct stat_case){ .headline = "number", .texts = { "a", "b" }, .error = "it failed" }, "");
	expect((struct stat_case){ .headline = "number", .texts = { "a" }, .values = { { (double)NAN } } },
		"# 1 of 1 runs failed and is not in here\n");
}

static void other_formats_have_each_run(void)
{
	struct stat_case made = twice;

	memset(&made.values[0][2], 0, sizeof(made.values[0]) - 2 * sizeof(double));
	made.format = FORMAT_SIMPLE;
	expect(made, "A 10.000000000\nB 20.000000000\nA 11.000000000\nB 22.000000000\n");
	made.headline = "number";
	expect(made, "A 10\nB 20\nA 11\nB 22\n");
	made.texts[1] = NULL;
	expect(made, "10\n11\n");
	made.format = FORMAT_CSV;
	made.texts[0] = "a,b";
	expect(made, "benchmark,command,run,metric,value,better\r\n"
		     "stat,\"a,b\",1,number,10,lower\r\n"
		     "stat,\"a,b\",1,cycles,,none\r\n"
		     "stat,\"a,b\",2,number,11,lower\r\n"
		     "stat,\"a,b\",2,cycles,,none\r\n");
	made.format = FORMAT_DEFAULT;
	made.verbose = true;
	expect_part(made, "# run 2\n#    11  number\n#   n/a  cycles\n# command: a,b\n");
}

static void json_has_an_object_for_each_command(void)
{
	struct stat_case made = twice;

	made.format = FORMAT_JSON;
	expect_part(made,
		"{\"schema\":1,\"kbench\":\"" KBENCH_VERSION
		"\",\"benchmark\":\"stat\",\"label\":\"A\",\"command\":\"a\",\"headline\":\"wall-sec\","
		"\"status\":\"done\",\"reason\":null,\"parameters\":{},\"warmup\":0,\"seed\":5,\"failures\":0,"
		"\"runs\":[{\"round\":1,\"wall-sec\":10,\"cycles\":null},");
	expect_part(made,
		"\"comparison\":{\"with\":\"A\",\"test\":\"Wilcoxon signed-rank of pairs, exact\",\"pairs\":8,"
		"\"change_percent\":100,\"ci95\":[100,100],\"p\":0.0078125,\"p_adjusted\":0.0078125,"
		"\"verdict\":\"regressed\",\"least_change_percent\":0,\"pairs_needed\":null},");
	made.error = "it failed";
	expect_part(made, "\"status\":\"incomplete\",\"reason\":\"it failed\"");
}

static const struct test tests[] = {
	{ "one command is a row a metric", one_command_is_a_row_a_metric },
	{ "several commands are compared with the first in pairs", several_commands_are_compared_with_the_first },
	{ "where nothing is found it is said what would have been", no_difference_tells_what_would_have_been_found },
	{ "commands that never finished make no table", nothing_finished_is_no_table },
	{ "the other formats have each run", other_formats_have_each_run },
	{ "json has an object for each command", json_has_an_object_for_each_command },
};

TEST_MAIN(tests)
