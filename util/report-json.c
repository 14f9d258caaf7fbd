// SPDX-License-Identifier: GPL-2.0-only
/* JSON Lines: one object a line, one line a series. Documentation/kbench.1, FORMATS, describes the members. */
#include "report-internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "sysinfo.h"

/* Numbers as numbers, sizes in bytes, times in seconds. */
static void write_parameter(struct json *json, const struct param *param)
{
	switch (param->type) {
	case OPT_TYPE_FLAG:
		json_bool(json, param->name, param->number);
		break;
	case OPT_TYPE_COUNT:
	case OPT_TYPE_SIZE:
	case OPT_TYPE_MB:
		json_integer(json, param->name, param->number);
		break;
	case OPT_TYPE_INT:
		json_number(json, param->name, (double)(int64_t)param->number);
		break;
	case OPT_TYPE_TIME:
		json_number(json, param->name, (double)param->number / (double)NSEC_PER_SEC);
		break;
	default:
		json_string(json, param->name, param->value);
	}
}

static void write_parameters(struct json *json, const struct series *series)
{
	json_object(json, "parameters");
	for (size_t i = 0; i < series->param_count; i++)
		write_parameter(json, &series->params[i]);
	json_object_end(json);
}

static void write_runs(struct json *json, const struct series *series)
{
	json_array(json, "runs");
	for (size_t i = 0; i < series->run_count; i++) {
		const struct result *result = series->runs[i];

		json_object(json, NULL);
		for (size_t k = 0; k < result->metric_count; k++)
			json_number(json, result->metrics[k].key, result->metrics[k].value);
		json_object_end(json);
	}
	json_array_end(json);
}

static void write_interval(struct json *json, double low, double high)
{
	json_array(json, "ci95");
	json_number(json, NULL, low);
	json_number(json, NULL, high);
	json_array_end(json);
}

void report_json_comparison(struct json *json, const struct comparison *comparison)
{
	bool pairs = comparison->test == COMPARE_SIGNED_RANK;
	size_t needed = compare_needed(comparison);

	json_number(json, "change_percent", comparison->change);
	write_interval(json, comparison->low, comparison->high);
	json_number(json, "p", comparison->p);
	json_number(json, "p_adjusted", comparison->adjusted);
	json_string(json, "verdict", compare_word_text(comparison->word));
	json_number(json, "least_change_percent", comparison->least);
	json_number(json, pairs ? "pairs_needed" : "runs_needed", needed ? (double)needed : (double)NAN);
}

/* Of values that are all finite; otherwise there are none. */
static void write_percentiles(struct json *json, const double *values, const struct stats *stats)
{
	static const int percents[] = { 5, 25, 75, 95 };
	double *sorted = stats_sorted(values, stats->n);
	char key[8];

	json_object(json, "percentiles");
	for (size_t i = 0; i < ARRAY_SIZE(percents); i++) {
		snprintf(key, sizeof(key), "%d", percents[i]);
		json_number(json, key,
			isfinite(stats->median) ? stats_quantile(sorted, stats->n, percents[i] / 100.0) : (double)NAN);
	}
	json_object_end(json);
	free(sorted);
}

static void write_stats(struct json *json, const struct series *series, const struct metric *metric)
{
	static const char *const directions[] = { NULL, "lower", "higher" };
	double *values = series_values(series, metric->key);
	struct stats stats = stats_of(values, series->run_count);

	json_object(json, metric->key);
	json_string(json, "better", directions[metric->better]);
	json_integer(json, "n", stats.n);
	json_number(json, "mean", stats.mean);
	json_number(json, "stddev", stats.stddev);
	json_number(json, "stddev_percent", stats.percent);
	json_number(json, "median", stats.median);
	json_number(json, "min", stats.min);
	json_number(json, "max", stats.max);
	write_percentiles(json, values, &stats);
	write_interval(json, stats.low, stats.high);
	json_object_end(json);
	free(values);
}

void report_json_statistics(struct json *json, const struct series *series)
{
	json_object(json, "statistics");
	for (size_t i = 0; series->run_count && i < series->runs[0]->metric_count; i++)
		write_stats(json, series, &series->runs[0]->metrics[i]);
	json_object_end(json);
}

/* The lines in words of the last run. */
static void write_lines(struct json *json, const char *key, const char lines[][RESULT_NOTE_TEXT], size_t count)
{
	json_array(json, key);
	for (size_t i = 0; i < count; i++)
		json_string(json, NULL, lines[i]);
	json_array_end(json);
}

void report_json_remarks(struct json *json, const struct result *last)
{
	write_lines(json, "remarks", last ? last->remarks : NULL, last ? last->remark_count : 0);
}

void report_json_environment(struct json *json)
{
	struct sysinfo *info = sysinfo_read("");

	json_object(json, "environment");
	for (size_t i = 0; i < info->count; i++)
		json_string(json, info->facts[i].key, info->facts[i].value);
	json_object_end(json);
	sysinfo_free(info);
}

static void write_line(const struct series *series, const char *status, const char *reason)
{
	const struct result *last = series->run_count ? series->runs[series->run_count - 1] : NULL;
	struct json json;
	char benchmark[128];

	snprintf(benchmark, sizeof(benchmark), "%s %s", series->collection, series->name);
	json_begin(&json, stdout);
	json_object(&json, NULL);
	json_integer(&json, "schema", REPORT_JSON_SCHEMA);
	json_string(&json, "kbench", KBENCH_VERSION);
	json_string(&json, "benchmark", benchmark);
	json_string(&json, "operation", series->operation);
	json_string(&json, "headline", series->headline);
	json_string(&json, "status", status);
	json_string(&json, "reason", reason);
	write_parameters(&json, series);
	json_integer(&json, "warmup", series->warmup);
	write_runs(&json, series);
	report_json_statistics(&json, series);
	report_json_look(&json, series);
	write_lines(&json, "notes", last ? last->notes : NULL, last ? last->note_count : 0);
	report_json_remarks(&json, last);
	report_json_environment(&json);
	json_object_end(&json);
	putchar('\n');
}

static void json_run(struct report *report, const struct series *series)
{
	(void)report, (void)series;
}

static void json_series(struct report *report, const struct series *series, const char *error)
{
	(void)report;
	write_line(series, error ? "incomplete" : "done", error);
}

static void json_skip(struct report *report, const struct series *series, const char *reason)
{
	(void)report;
	write_line(series, "skipped", reason);
}

static void json_end(struct report *report)
{
	(void)report;
}

const struct report_form report_json = {
	.run = json_run,
	.series = json_series,
	.skip = json_skip,
	.end = json_end,
};
