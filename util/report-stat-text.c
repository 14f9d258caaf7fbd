// SPDX-License-Identifier: GPL-2.0-only
/* The default format: for one command a row a metric, for several a row a command. Lines in words begin with "#". */
#include "report-stat.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report-internal.h"
#include "table.h"
#include "wrap.h"

/* What stands before a line about one of several commands: "B: ". */
static const char *prefix(const struct report_stat *stat, size_t command, char text[4])
{
	text[0] = '\0';
	if (stat->count > 1)
		snprintf(text, 4, "%c: ", report_label(command));
	return text;
}

static void say_command(const char *before, const char *text)
{
	printf("# %s", before);
	report_put(text, strlen(text));
	putchar('\n');
}

static void heading(struct table *table, const char *const *titles, size_t count)
{
	for (size_t i = 0; i < count; i++)
		table_cell(table, i == 0, "%s", titles[i]);
}

static void metric_row(struct table *table, const struct series *series, const struct metric *metric)
{
	double *values = series_values(series, metric->key);
	struct stats stats = stats_of(values, series->run_count);
	int power = table_power(&stats.mean, 1), decimals;
	double unit = pow(10, power), shown = stats.mean / unit;
	char *name = table_row_unit(power, metric->key);

	decimals = table_decimals(&shown, 1, 5);
	table_cell(table, true, "%s", name);
	table_cell(table, false, "%zu", stats.n);
	if (metric->place == METRIC_COUNTER && !isfinite(stats.mean))
		table_cell(table, false, "<not supported>");
	else
		table_number(table, decimals, shown);
	table_number(table, decimals, (stats.high - stats.low) / 2 / unit);
	table_number(table, 2, stats.percent);
	table_number(table, decimals, stats.median / unit);
	table_number(table, decimals, stats.min / unit);
	table_number(table, decimals, stats.max / unit);
	free(name);
	free(values);
}

static void one_command(const struct series *series)
{
	static const char *const titles[] = { "metric", "n", "mean", "+-", "%stddev", "median", "min", "max" };
	struct table *table;

	printf("# +- is half of the mean's 95 %% interval, %%stddev that of the runs\n\n");
	table = table_new(ARRAY_SIZE(titles));
	heading(table, titles, ARRAY_SIZE(titles));
	for (size_t i = 0; i < series->runs[0]->metric_count; i++)
		metric_row(table, series, &series->runs[0]->metrics[i]);
	table_print(table, stdout, "");
	table_free(table);
}

/* Three digits: more would only be noise, and wide. */
static int change_decimals(double percent)
{
	if (fabs(percent) >= 100)
		return 0;
	return fabs(percent) >= 10 ? 1 : 2;
}

static const char *change_text(char text[TABLE_NUMBER], double percent)
{
	return table_number_text(text, true, change_decimals(percent), percent);
}

/* "+5.35 [+4.10,+6.52]" */
static void change_cell(struct table *table, const struct comparison *comparison)
{
	char change[TABLE_NUMBER], low[TABLE_NUMBER], high[TABLE_NUMBER];

	change_text(change, comparison->change);
	if (isfinite(comparison->low) && isfinite(comparison->high))
		table_cell(table, false, "%s [%s,%s]", change, change_text(low, comparison->low),
			change_text(high, comparison->high));
	else
		table_cell(table, false, "%s", change);
}

/* How means are shown: five digits of the smallest, for all rows alike. */
struct scale {
	int power, decimals;
	double unit;
};

static void command_row(struct table *table, const struct report_stat *stat, size_t i,
	const struct comparison *comparison, const struct scale *scale)
{
	const struct series *series = &stat->commands[i].series;
	double *values = series_values(series, series->headline);
	struct stats stats = stats_of(values, series->run_count);
	char text[COMPARE_P_TEXT];

	table_cell(table, true, "%c", report_label(i));
	table_cell(table, false, "%zu", stats.n);
	table_number(table, scale->decimals, stats.mean / scale->unit);
	table_number(table, 2, stats.percent);
	if (i) {
		change_cell(table, comparison);
		table_cell(table, false, "%s", compare_p_text(text, comparison->adjusted));
	} else {
		table_cell(table, false, "%s", "");
		table_cell(table, false, "%s", "");
	}
	table_cell(table, true, "%s", i ? compare_word_text(comparison->word) : "");
	free(values);
}

static struct scale scale_of(const struct report_stat *stat)
{
	struct scale scale;
	double means[REPORT_LABELS];

	for (size_t i = 0; i < stat->count; i++) {
		const struct series *series = &stat->commands[i].series;
		double *values = series_values(series, series->headline);

		means[i] = stats_of(values, series->run_count).mean;
		free(values);
	}
	scale.power = table_power(means, stat->count);
	scale.unit = pow(10, scale.power);
	for (size_t i = 0; i < stat->count; i++)
		means[i] /= scale.unit;
	scale.decimals = table_decimals(means, stat->count, 5);
	return scale;
}

/* What the verdict was made with, and where nothing was found, what these runs could have found. */
static void say_test(const struct report_stat *stat, size_t i, const struct comparison *comparison)
{
	bool found = comparison->word != COMPARE_NONE && comparison->word != COMPARE_CANNOT_TELL;
	double wanted = stat->threshold > 0 ? stat->threshold : 1;
	size_t needed;

	printf("# %c with %c: %s\n", report_label(i), report_label(0), compare_test_text(comparison));
	if (found)
		return;
	if (comparison->enough)
		printf("#   too few pairs to tell: a difference can be found from %zu on\n", comparison->enough);
	if (isfinite(comparison->least))
		printf("#   a change of %.2f %% would have been found in 4 of 5 such measurements\n",
			comparison->least);
	needed = compare_needed(comparison);
	if (needed)
		printf("#   to find one of %g %% takes %zu pairs\n", wanted, needed);
}

static void several_commands(const struct report_stat *stat, const struct comparison *comparisons, bool quiet)
{
	static const char *const titles[] = { "", "n", "mean", "%stddev", "%change [95 %]", "p", "verdict" };
	struct table *table = table_new(ARRAY_SIZE(titles));
	struct scale scale = scale_of(stat);
	char *unit = table_unit(scale.power, stat->commands[0].series.headline);

	printf("# %s; %%stddev of the runs, %%change against A with its 95 %% interval\n\n", unit);
	free(unit);
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++)
		table_cell(table, i == 0 || i + 1 == ARRAY_SIZE(titles), "%s", titles[i]);
	for (size_t i = 0; i < stat->count; i++)
		command_row(table, stat, i, &comparisons[i], &scale);
	table_print(table, stdout, "");
	table_free(table);
	if (quiet)
		return;
	putchar('\n');
	for (size_t i = 1; i < stat->count; i++)
		say_test(stat, i, &comparisons[i]);
	if (stat->count > 2)
		printf("# p is adjusted for %zu comparisons (Holm)\n", stat->count - 1);
	printf("# seed %" PRIu64 "\n", stat->seed);
}

static void say_look(const char *before, const struct series *series)
{
	char *text = report_look(series), *rest = NULL;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		report_line(before, line);
	free(text);
}

static const struct result *last_of(const struct report_stat *stat, size_t i)
{
	const struct series *series = &stat->commands[i].series;

	return series->run_count ? series->runs[series->run_count - 1] : NULL;
}

static bool is_said(const struct report_stat *stat, size_t commands, const char *remark)
{
	for (size_t i = 0; i < commands; i++) {
		const struct result *last = last_of(stat, i);

		for (size_t k = 0; last && k < last->remark_count; k++)
			if (strcmp(last->remarks[k], remark) == 0)
				return true;
	}
	return false;
}

/* What the last run of any command has to remark, each once. */
static void say_remarks(const struct report_stat *stat)
{
	for (size_t i = 0; i < stat->count; i++) {
		const struct result *last = last_of(stat, i);

		for (size_t k = 0; last && k < last->remark_count; k++)
			if (!is_said(stat, i, last->remarks[k]))
				report_line("", last->remarks[k]);
	}
}

static void say_runs(const struct report_stat *stat, size_t i, bool quiet)
{
	const struct report_command *command = &stat->commands[i];
	uint64_t all = command->failures + command->series.run_count;
	char before[4];

	prefix(stat, i, before);
	if (command->failures)
		printf("# %s%" PRIu64 " of %" PRIu64 " runs failed and %s not in here\n", before, command->failures,
			all, command->failures == 1 ? "is" : "are");
	if (!quiet)
		say_look(before, &command->series);
}

/* Of the only command. */
static bool more_is_said(const struct report_stat *stat, bool quiet)
{
	const struct result *last = last_of(stat, 0);
	char *look = report_look(&stat->commands[0].series);
	bool more = stat->commands[0].failures || (!quiet && (*look || (last && last->remark_count)));

	free(look);
	return more;
}

void report_stat_text(const struct report *report, const struct report_stat *stat, const struct comparison *comparisons)
{
	char before[4];
	bool any = false;

	for (size_t i = 0; i < stat->count; i++)
		any |= stat->commands[i].series.run_count > 0;
	for (size_t i = 0; any && i < stat->count; i++)
		say_command(stat->count > 1 ? prefix(stat, i, before) : "command: ", stat->commands[i].text);
	if (any && stat->count > 1)
		several_commands(stat, comparisons, report->style.quiet);
	else if (any) {
		one_command(&stat->commands[0].series);
		if (more_is_said(stat, report->style.quiet))
			putchar('\n');
	}
	for (size_t i = 0; i < stat->count; i++)
		say_runs(stat, i, report->style.quiet);
	if (!report->style.quiet)
		say_remarks(stat);
}
