// SPDX-License-Identifier: GPL-2.0-only
#include "report-stat.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report-internal.h"
#include "units.h"
#include "wrap.h"

char report_label(size_t command)
{
	return (char)('A' + command);
}

static void simple_run(const struct report_stat *stat, size_t command)
{
	const struct series *series = &stat->commands[command].series;
	double value = result_value(series->runs[series->run_count - 1], series->headline);
	char text[UNITS_TEXT];

	if (stat->count > 1)
		printf("%c ", report_label(command));
	if (!isfinite(value))
		puts("n/a");
	else if (strcmp(series->headline, "wall-sec") == 0)
		printf("%.9f\n", value);
	else
		puts(units_format_number(text, value));
}

static void csv_run(struct report *report, const struct report_command *command)
{
	const struct series *series = &command->series;
	struct param *params = xcalloc(series->param_count + 1, sizeof(*params));

	params[0] = (struct param){ .name = "command", .value = xstrdup(command->text), .given = true };
	for (size_t i = 0; i < series->param_count; i++)
		params[i + 1] = series->params[i];
	report_csv_run(report, series->collection, params, series->param_count + 1,
		command->rounds[series->run_count - 1], series->runs[series->run_count - 1]);
	free(params[0].value);
	free(params);
}

static void verbose_run(const struct report_stat *stat, size_t command)
{
	const struct series *series = &stat->commands[command].series;
	const struct result *result = series->runs[series->run_count - 1];
	char label[] = { ' ', report_label(command), '\0' };

	printf("# run %" PRIu64 "%s\n", stat->commands[command].rounds[series->run_count - 1],
		stat->count > 1 ? label : "");
	report_all_metrics(result);
}

void report_stat_run(struct report *report, const struct report_stat *stat, size_t command)
{
	report_progress(report, NULL);
	report_hold(report);
	if (report->style.format == FORMAT_SIMPLE)
		simple_run(stat, command);
	else if (report->style.format == FORMAT_CSV)
		csv_run(report, &stat->commands[command]);
	else if (report->style.format == FORMAT_DEFAULT && report->style.verbose)
		verbose_run(stat, command);
	report_flush(report);
}

/* The headlines of two commands in the rounds that both have, on the heap; returned: how many. */
static size_t pair_values(
	const struct report_command *a, const struct report_command *b, double **a_values, double **b_values)
{
	double *from_a = series_values(&a->series, a->series.headline);
	double *from_b = series_values(&b->series, b->series.headline);
	size_t count = 0, k = 0;

	for (size_t i = 0; i < a->series.run_count; i++) {
		while (k < b->series.run_count && b->rounds[k] < a->rounds[i])
			k++;
		if (k == b->series.run_count || b->rounds[k] != a->rounds[i])
			continue;
		/* count is at most i and k: what is overwritten was read. */
		from_a[count] = from_a[i];
		from_b[count++] = from_b[k];
	}
	*a_values = from_a;
	*b_values = from_b;
	return count;
}

static void compare_with_first(const struct report_stat *stat, size_t command, struct comparison *comparison)
{
	const struct report_command *first = &stat->commands[0], *other = &stat->commands[command];
	bool lower = strcmp(first->series.headline, "wall-sec") == 0;
	double *a, *b;
	size_t n = pair_values(first, other, &a, &b);

	compare_sets(comparison, a, n, b, n, true, lower ? BETTER_LOWER : BETTER_NONE);
	free(a);
	free(b);
}

static struct comparison *compare_all(const struct report_stat *stat)
{
	struct comparison *comparisons = xcalloc(stat->count, sizeof(*comparisons));
	struct comparison *list[REPORT_LABELS];

	for (size_t i = 1; i < stat->count; i++) {
		list[i - 1] = &comparisons[i];
		compare_with_first(stat, i, &comparisons[i]);
	}
	if (stat->count > 1)
		compare_judge(list, stat->count - 1, stat->threshold);
	return comparisons;
}

void report_stat_end(struct report *report, const struct report_stat *stat, const char *error)
{
	struct comparison *comparisons = compare_all(stat);

	report_progress(report, NULL);
	report_hold(report);
	if (report->style.format == FORMAT_DEFAULT)
		report_stat_text(report, stat, comparisons);
	else if (report->style.format == FORMAT_JSON)
		report_stat_json(stat, comparisons, error);
	report_flush(report);
	free(comparisons);
}
