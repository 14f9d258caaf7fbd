// SPDX-License-Identifier: GPL-2.0-only
/* A whole command with known results, through util/report.h: for the tests of the formats. */
#ifndef KBENCH_TEST_COMMAND_H
#define KBENCH_TEST_COMMAND_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "report.h"
#include "test.h"
#include "wrap.h"

/* Options as they come from a command line. */
#define LOOP(text, n, list)                                                                                      \
	{                                                                                                        \
		.name = "loop", .type = OPT_TYPE_COUNT, .number = (n), .value = (char[]){ text }, .given = true, \
		.swept = (list)                                                                                  \
	}
#define SIZE(text, n)                                                                   \
	{                                                                               \
		.name = "size", .type = OPT_TYPE_SIZE, .number = (n), .value = (char[]) \
		{                                                                       \
			text                                                            \
		}                                                                       \
	}

/* What a command is: its style, its parameter sets and the seconds of their runs. A run of 0 s is the end of a set. */
struct command {
	struct report_style style;
	enum layout layout;
	const char *headline;
	bool table, skipped;
	const char *error;
	struct param params[2][3]; /* of each set; a NULL name ends them */
	double runs[2][9];
	void (*add)(struct result *result); /* notes, remarks, metrics beside sec */
};

static inline struct series series_of(const struct command *command, struct param *params)
{
	struct series series = {
		.collection = "sched",
		.name = "pipe",
		.operation = "round trip",
		.headline = command->headline ? command->headline : "sec",
		.layout = command->layout,
		.params = params,
	};

	while (series.param_count < 3 && params[series.param_count].name)
		series.param_count++;
	return series;
}

static inline void report_set(
	struct report *report, const struct command *command, const double *runs, struct param *params)
{
	struct series series = series_of(command, params);

	for (; *runs != 0; runs++) {
		struct result *result = xcalloc(1, RESULT_SIZE);

		result_metric(result, "sec", *runs, BETTER_LOWER);
		if (command->add)
			command->add(result);
		series_add(&series, result);
		report_run(report, &series);
	}
	if (command->skipped)
		report_skip(report, &series, "no such machine");
	else
		report_series(report, &series, command->error);
	series_release(&series);
}

static inline void report_command(void *arg)
{
	struct command *command = arg;
	struct report *report = report_open(&command->style);

	report_begin(report, "sched", "pipe", command->table);
	for (size_t i = 0; i < 2; i++)
		if (command->params[i][0].name || command->runs[i][0] != 0 || i == 0)
			report_set(report, command, command->runs[i], command->params[i]);
	report_end(report);
	report_close(report);
	report_finish_stdout();
	_Exit(EXIT_DONE);
}

/* What the command prints, on the heap. */
static inline void run_command(struct command *command, char **out)
{
	char *err;

	CHECK_INT(test_capture(report_command, command, out, &err), EXIT_DONE);
	CHECK_TEXT(err, "");
	free(err);
}

static inline void expect(struct command command, const char *text)
{
	char *out;

	run_command(&command, &out);
	CHECK_TEXT(out, text);
	free(out);
}

/* A line of its own for some metrics, one of which was not measured. */
static inline void add_shown(struct result *result)
{
	result_note(result, "a note");
	result_metric(result, "ns/fault", 512.0626, BETTER_LOWER)->place = METRIC_SHOWN;
	result_metric(result, "map-ns/page", (double)NAN, BETTER_LOWER)->place = METRIC_SHOWN;
	result_metric(result, "hidden", 1, BETTER_LOWER);
}

#endif
