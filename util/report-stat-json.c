// SPDX-License-Identifier: GPL-2.0-only
/* One object a command. Documentation/kbench.1, STAT, describes the members. */
#include "report-stat.h"

#include <stdio.h>
#include <stdlib.h>

#include "report-internal.h"

static void write_runs(struct json *json, const struct report_command *command)
{
	json_array(json, "runs");
	for (size_t i = 0; i < command->series.run_count; i++) {
		const struct result *result = command->series.runs[i];

		json_object(json, NULL);
		json_integer(json, "round", command->rounds[i]);
		for (size_t k = 0; k < result->metric_count; k++)
			json_number(json, result->metrics[k].key, result->metrics[k].value);
		json_object_end(json);
	}
	json_array_end(json);
}

static void write_comparison(struct json *json, const struct comparison *comparison)
{
	json_object(json, "comparison");
	json_string(json, "with", (const char[]){ report_label(0), '\0' });
	json_string(json, "test", compare_test_text(comparison));
	json_integer(json, "pairs", comparison->base.n);
	report_json_comparison(json, comparison);
	json_object_end(json);
}

static void write_line(const struct report_stat *stat, size_t i, const struct comparison *comparison, const char *error)
{
	const struct report_command *command = &stat->commands[i];
	const struct series *series = &command->series;
	struct json json;

	json_begin(&json, stdout);
	json_object(&json, NULL);
	json_integer(&json, "schema", REPORT_JSON_SCHEMA);
	json_string(&json, "kbench", KBENCH_VERSION);
	json_string(&json, "benchmark", series->collection);
	json_string(&json, "label", (const char[]){ report_label(i), '\0' });
	json_string(&json, "command", command->text);
	json_string(&json, "headline", series->headline);
	json_string(&json, "status", error ? "incomplete" : "done");
	json_string(&json, "reason", error);
	json_object(&json, "parameters");
	for (size_t k = 0; k < series->param_count; k++)
		json_string(&json, series->params[k].name, series->params[k].value);
	json_object_end(&json);
	json_integer(&json, "warmup", stat->warmup);
	json_integer(&json, "seed", stat->seed);
	json_integer(&json, "failures", command->failures);
	write_runs(&json, command);
	report_json_statistics(&json, series);
	report_json_look(&json, series);
	if (i)
		write_comparison(&json, comparison);
	report_json_remarks(&json, series->run_count ? series->runs[series->run_count - 1] : NULL);
	report_json_environment(&json);
	json_object_end(&json);
	putchar('\n');
}

void report_stat_json(const struct report_stat *stat, const struct comparison *comparisons, const char *error)
{
	for (size_t i = 0; i < stat->count; i++)
		write_line(stat, i, &comparisons[i], error);
}
