// SPDX-License-Identifier: GPL-2.0-only
/*
 * The default format. A single run is the block that perf bench prints, to the byte where perf has the benchmark: readers
 * count lines and blanks in it. Everything of our own begins with "#". Several runs are a table.
 */
#include "report-internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "table.h"
#include "units.h"
#include "wrap.h"

static void heading(struct report *report)
{
	if (report->heading_said)
		return;
	report->heading_said = true;
	if (report->style.all)
		printf("# Running %s/%s benchmark...\n", report->collection, report->name);
	else
		printf("# Running '%s/%s' benchmark:\n", report->collection, report->name);
}

void report_notes(const struct result *result)
{
	for (size_t i = 0; i < result->note_count; i++) {
		fputs("# ", stdout);
		report_put(result->notes[i], strlen(result->notes[i]));
		putchar('\n');
	}
}

/* Total seconds with milliseconds cut off, not rounded, as this line has always been. */
static void total_time(const struct result *result)
{
	uint64_t ms = (uint64_t)(result_value(result, "sec") * 1000.0);

	printf("\n     Total time: %" PRIu64 ".%03" PRIu64 " [sec]\n", ms / 1000, ms % 1000);
}

static void time_block(const struct result *result)
{
	report_notes(result);
	total_time(result);
}

static void rate_block(const struct result *result)
{
	time_block(result);
	printf("\n %14f usecs/op\n", result_value(result, "ns/op") / (double)NSEC_PER_USEC);
	printf(" %14" PRIu64 " ops/sec\n", (uint64_t)result_value(result, "op/s"));
}

static void rows_block(const struct result *result)
{
	putchar('\n');
	report_notes(result);
	for (size_t i = 0; i < result->metric_count; i++) {
		const struct metric *metric = &result->metrics[i];
		char unit[sizeof(metric->row_unit) + 1];

		if (metric->place != METRIC_ROW)
			continue;
		snprintf(unit, sizeof(unit), "%s,", metric->row_unit);
		if (result->quiet_rows)
			printf("%15.3f %s\n", metric->value, metric->row_quiet);
		else
			printf(" %-30s %15.3f, %-15s %s\n", "main,", metric->value, unit, metric->row_name);
	}
}

static void metrics_block(const struct result *result)
{
	report_notes(result);
	total_time(result);
	putchar('\n');
	for (size_t i = 0; i < result->metric_count; i++) {
		const struct metric *metric = &result->metrics[i];

		if (metric->place != METRIC_SHOWN)
			continue;
		if (isfinite(metric->value))
			printf(" %14.3f %s\n", metric->value, metric->key);
		else
			printf(" %14s %s\n", "n/a", metric->key);
	}
}

static void print_and_free(char *text)
{
	fputs(text, stdout);
	free(text);
}

static void matrix_block(const struct result *result)
{
	report_notes(result);
	print_and_free(report_matrices("", &result, 1));
	putchar('\n');
	print_and_free(report_distances(result));
}

static void (*const blocks[])(const struct result *) = {
	[LAYOUT_TIME] = time_block,
	[LAYOUT_RATE] = rate_block,
	[LAYOUT_SPEED] = report_speed,
	[LAYOUT_ROWS] = rows_block,
	[LAYOUT_METRICS] = metrics_block,
	[LAYOUT_MATRIX] = matrix_block,
};

/* A number with so many digits, whole ones as they are. */
static const char *short_number(char text[TABLE_NUMBER], double value, int digits)
{
	return table_number_text(text, false, value == floor(value) ? 0 : table_decimals(&value, 1, digits), value);
}

void report_all_metrics(const struct result *result)
{
	struct table *table = table_new(2);

	for (size_t i = 0; i < result->metric_count; i++) {
		const struct metric *metric = &result->metrics[i];
		char text[TABLE_NUMBER];

		table_cell(table, false, "%s", short_number(text, metric->value, 6));
		table_cell(table, true, "%s", metric->key);
	}
	table_print(table, stdout, "#   ");
	table_free(table);
}

static double for_one_operation(const struct result *result, const char *event)
{
	char key[METRIC_KEY + sizeof("/op")];

	snprintf(key, sizeof(key), "%s/op", event);
	return result_value(result, key);
}

/* The counters of a single run. */
static void counter_lines(const struct result *result)
{
	struct table *table = table_new(3);
	bool any = false;

	for (size_t i = 0; i < result->metric_count; i++) {
		const struct metric *metric = &result->metrics[i];
		char total[TABLE_NUMBER], part[TABLE_NUMBER];

		if (metric->place != METRIC_COUNTER)
			continue;
		any = true;
		table_cell(table, false, "%s",
			isfinite(metric->value) ? short_number(total, metric->value, 5) : "<not supported>");
		table_cell(table, true, "%s", metric->key);
		table_cell(table, false, "%s%s", short_number(part, for_one_operation(result, metric->key), 5), " /op");
	}
	if (any)
		table_print(table, stdout, "# ");
	table_free(table);
}

static void text_run(struct report *report, const struct series *series)
{
	const struct result *result = series->runs[series->run_count - 1];

	heading(report);
	if (!report->table) {
		blocks[series->layout](result);
		counter_lines(result);
		for (size_t i = 0; i < result->remark_count && !report->style.quiet; i++)
			report_line("", result->remarks[i]);
	}
	if (report->style.verbose) {
		printf("# run %zu\n", series->run_count);
		report_all_metrics(result);
	}
}

static struct param *copy_swept(const struct series *series, size_t *count)
{
	struct param *swept = xcalloc(series->param_count, sizeof(*swept));

	*count = 0;
	for (size_t i = 0; i < series->param_count; i++)
		if (series->params[i].swept) {
			swept[*count] = series->params[i];
			swept[(*count)++].value = xstrdup(series->params[i].value);
		}
	return swept;
}

static void counter_headings(struct report *report, const struct report_row *row)
{
	static const char *const titles[] = { "total", "per op", "+-", "%stddev" };

	report->counters = table_new(row->swept_count + 1 + ARRAY_SIZE(titles));
	for (size_t i = 0; i < row->swept_count; i++)
		table_cell(report->counters, false, "%s", row->swept[i].name);
	table_cell(report->counters, true, "event");
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++)
		table_cell(report->counters, false, "%s", titles[i]);
}

/* They are printed below the table, when the runs are gone. "pages=thp, " tells the sets of a sweep apart. */
static void keep_matrices(struct report *report, struct report_row *row, const struct series *series)
{
	char *before = xstrdup("");

	for (size_t i = 0; i < row->swept_count; i++) {
		char *longer = xasprintf("%s%s=%s, ", before, row->swept[i].name, row->swept[i].value);

		free(before);
		before = longer;
	}
	row->matrices = report_matrices(before, (const struct result *const *)series->runs, series->run_count);
	free(report->distances);
	report->distances = report_distances(series->runs[0]);
	free(before);
}

/* A row for one event of a series: the mean total, and for one operation with its interval. */
static void counter_row(
	struct report *report, const struct report_row *row, const struct series *series, const struct metric *metric)
{
	char key[METRIC_KEY + sizeof("/op")], text[TABLE_NUMBER];
	double *totals = series_values(series, metric->key), *parts;
	struct stats total = stats_of(totals, series->run_count), part;

	snprintf(key, sizeof(key), "%s/op", metric->key);
	parts = series_values(series, key);
	part = stats_of(parts, series->run_count);
	if (!report->counters)
		counter_headings(report, row);
	for (size_t i = 0; i < row->swept_count; i++)
		table_cell(report->counters, false, "%s", row->swept[i].value);
	table_cell(report->counters, true, "%s", metric->key);
	table_cell(report->counters, false, "%s",
		isfinite(total.mean) ? short_number(text, total.mean, 5) : "<not supported>");
	table_cell(report->counters, false, "%s", short_number(text, part.mean, 5));
	table_cell(report->counters, false, "%s", short_number(text, (part.high - part.low) / 2, 5));
	table_number(report->counters, 2, part.percent);
	free(totals);
	free(parts);
}

static void text_series(struct report *report, const struct series *series, const char *error)
{
	struct report_row *row;
	double *values;

	(void)error;
	if (!report->table || !series->run_count)
		return;
	values = series_values(series, series->headline);
	report->headline = series->headline;
	report->rows = xrealloc(report->rows, (report->row_count + 1) * sizeof(*report->rows));
	row = &report->rows[report->row_count++];
	*row = (struct report_row){ 0 };
	row->swept = copy_swept(series, &row->swept_count);
	row->stats = stats_of(values, series->run_count);
	for (size_t i = 0; i < series->runs[0]->metric_count; i++)
		if (series->runs[0]->metrics[i].place == METRIC_COUNTER)
			counter_row(report, row, series, &series->runs[0]->metrics[i]);
	if (series->layout == LAYOUT_MATRIX)
		keep_matrices(report, row, series);
	report_remarks_add(report, series);
	free(values);
}

static void print_unit(const struct report *report, int power)
{
	char *unit = table_unit(power, report->headline);

	printf("# %s; +- is half of the mean's 95 %% interval, %%stddev that of the runs\n\n", unit);
	free(unit);
}

/* Five digits of the smallest mean, for all rows alike. */
static void print_table(const struct report *report)
{
	static const char *const titles[] = { "n", "mean", "+-", "%stddev", "median", "min", "max" };
	size_t swept = report->rows[0].swept_count;
	struct table *table = table_new(swept + ARRAY_SIZE(titles));
	double *means = xcalloc(report->row_count, sizeof(*means)), unit;
	int power, decimals;

	for (size_t i = 0; i < report->row_count; i++)
		means[i] = report->rows[i].stats.mean;
	power = table_power(means, report->row_count);
	unit = pow(10, power);
	for (size_t i = 0; i < report->row_count; i++)
		means[i] /= unit;
	decimals = table_decimals(means, report->row_count, 5);
	print_unit(report, power);
	for (size_t i = 0; i < swept; i++)
		table_cell(table, false, "%s", report->rows[0].swept[i].name);
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++)
		table_cell(table, false, "%s", titles[i]);
	for (size_t i = 0; i < report->row_count; i++) {
		const struct report_row *row = &report->rows[i];
		const struct stats *stats = &row->stats;

		for (size_t k = 0; k < swept; k++)
			table_cell(table, false, "%s", row->swept[k].value);
		table_cell(table, false, "%zu", stats->n);
		table_number(table, decimals, stats->mean / unit);
		table_number(table, decimals, (stats->high - stats->low) / 2 / unit);
		table_number(table, 2, stats->percent);
		table_number(table, decimals, stats->median / unit);
		table_number(table, decimals, stats->min / unit);
		table_number(table, decimals, stats->max / unit);
	}
	table_print(table, stdout, "  ");
	table_free(table);
	free(means);
}

static void forget_rows(struct report *report)
{
	for (size_t i = 0; i < report->row_count; i++) {
		for (size_t k = 0; k < report->rows[i].swept_count; k++)
			free(report->rows[i].swept[k].value);
		free(report->rows[i].swept);
		free(report->rows[i].matrices);
	}
	report_remarks_free(report);
	if (report->counters)
		table_free(report->counters);
	report->counters = NULL;
	free(report->distances);
	report->distances = NULL;
	free(report->rows);
	report->rows = NULL;
	report->row_count = 0;
}

static void text_end(struct report *report)
{
	if (report->row_count) {
		print_table(report);
		for (size_t i = 0; i < report->row_count && report->distances; i++)
			printf("\n%s", report->rows[i].matrices);
		if (report->distances)
			printf("\n%s", report->distances);
		if (report->counters) {
			putchar('\n');
			table_print(report->counters, stdout, "  ");
		}
		if (!report->style.quiet)
			report_remarks_print(report);
	}
	if (report->style.all && report->heading_said)
		putchar('\n');
	forget_rows(report);
}

static void text_skip(struct report *report, const struct series *series, const char *reason)
{
	(void)series;
	if (!report->style.all)
		return;
	heading(report);
	printf("# skipped: %s\n", reason);
}

const struct report_form report_text = {
	.run = text_run,
	.series = text_series,
	.skip = text_skip,
	.end = text_end,
};
