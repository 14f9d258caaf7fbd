// SPDX-License-Identifier: GPL-2.0-only
/* The formats that are one line a number: simple for pipes, csv for spreadsheets. */
#include "report-internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "csv.h"
#include "die.h"
#include "units.h"

static void nothing_to_say(struct report *report, const struct series *series, const char *text)
{
	(void)report, (void)series, (void)text;
}

static void nothing_at_end(struct report *report)
{
	(void)report;
}

/* The lines have no place for it. */
static void say_warnings(struct report *report, const struct result *result)
{
	for (size_t i = 0; i < result->remark_count; i++)
		if (result_is_warning(result->remarks[i])) {
			report_progress(report, NULL);
			warn("%s", result->remarks[i]);
		}
}

static void simple_run(struct report *report, const struct series *series)
{
	const struct result *result = series->runs[series->run_count - 1];
	double value = result_value(result, series->headline);

	say_warnings(report, result);
	if (!isfinite(value))
		puts("n/a");
	else
		printf("%.*f\n", strcmp(series->headline, "sec") ? 6 : 9, value);
}

const struct report_form report_simple = {
	.run = simple_run,
	.series = nothing_to_say,
	.skip = nothing_to_say,
	.end = nothing_at_end,
};

/* A column for each parameter that was typed: the same ones in every line of a command. */
static void csv_parameters(const struct param *params, size_t count, bool names)
{
	for (size_t i = 0; i < count; i++)
		if (params[i].given) {
			csv_field(stdout, names ? params[i].name : params[i].value);
			putchar(',');
		}
}

static void csv_header(struct report *report, const struct param *params, size_t count)
{
	if (report->header_said)
		return;
	report->header_said = true;
	fputs("benchmark,", stdout);
	csv_parameters(params, count, true);
	fputs("run,metric,value,better\r\n", stdout);
}

void report_csv_run(struct report *report, const char *benchmark, const struct param *params, size_t count,
	uint64_t run, const struct result *result)
{
	static const char *const directions[] = { "none", "lower", "higher" };
	char number[UNITS_TEXT];

	csv_header(report, params, count);
	for (size_t i = 0; i < result->metric_count; i++) {
		const struct metric *metric = &result->metrics[i];

		csv_field(stdout, benchmark);
		putchar(',');
		csv_parameters(params, count, false);
		printf("%" PRIu64 ",", run);
		csv_field(stdout, metric->key);
		printf(",%s,%s\r\n", isfinite(metric->value) ? units_format_number(number, metric->value) : "",
			directions[metric->better]);
	}
}

static void csv_run(struct report *report, const struct series *series)
{
	const struct result *result = series->runs[series->run_count - 1];
	char benchmark[128];

	snprintf(benchmark, sizeof(benchmark), "%s %s", series->collection, series->name);
	say_warnings(report, result);
	report_csv_run(report, benchmark, series->params, series->param_count, series->run_count, result);
}

const struct report_form report_csv = {
	.run = csv_run,
	.series = nothing_to_say,
	.skip = nothing_to_say,
	.end = nothing_at_end,
};

/* Its lines are records, which util/record writes; nothing else may stand among them. */
static void go_run(struct report *report, const struct series *series)
{
	say_warnings(report, series->runs[series->run_count - 1]);
}

const struct report_form report_go = {
	.run = go_run,
	.series = nothing_to_say,
	.skip = nothing_to_say,
	.end = nothing_at_end,
};
