// SPDX-License-Identifier: GPL-2.0-only
/* A comparison for programs, a line a row, and the lines in words of all formats. */
#include "report-compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "die.h"
#include "json.h"
#include "report-internal.h"
#include "units.h"
#include "wrap.h"

static const char *const directions[] = { "none", "lower", "higher" };

void report_compare_begin(enum compare_format format)
{
	if (format == COMPARE_CSV)
		fputs("benchmark,parameters,metric,base,new,base_n,base_mean,base_stddev_percent,new_n,new_mean,"
		      "new_stddev_percent,change_percent,low_percent,high_percent,p,p_adjusted,test,verdict\r\n",
			stdout);
}

void report_compare_line(enum compare_format format, const char *kind, const char *text)
{
	struct json json;

	switch (format) {
	case COMPARE_DEFAULT:
		report_line("", text);
		break;
	case COMPARE_MD:
		fputs("* ", stdout);
		report_put(text, strlen(text));
		putchar('\n');
		break;
	case COMPARE_JSON:
		json_begin(&json, stdout);
		json_object(&json, NULL);
		json_integer(&json, "schema", REPORT_JSON_SCHEMA);
		json_string(&json, "type", kind);
		json_string(&json, "text", text);
		json_object_end(&json);
		putchar('\n');
		break;
	case COMPARE_CSV:
		break;
	}
}

void report_compare_notice(enum compare_format format, const char *kind, const char *text)
{
	report_compare_line(format, kind, text);
	if (format == COMPARE_CSV)
		warn("%s", text);
}

static void json_set(struct json *json, const char *key, const char *title, const struct stats *stats)
{
	json_object(json, key);
	json_string(json, "set", title);
	json_integer(json, "n", stats->n);
	json_number(json, "mean", stats->mean);
	json_number(json, "stddev_percent", stats->percent);
	json_number(json, "median", stats->median);
	json_number(json, "min", stats->min);
	json_number(json, "max", stats->max);
	json_object_end(json);
}

static void json_row(const struct report_compare_table *table, const struct report_compare_row *row, size_t column)
{
	const struct comparison *c = row->columns[column];
	struct json json;

	json_begin(&json, stdout);
	json_object(&json, NULL);
	json_integer(&json, "schema", REPORT_JSON_SCHEMA);
	json_string(&json, "type", "row");
	json_string(&json, "benchmark", table->benchmark);
	json_string(&json, "constant", table->constant);
	json_object(&json, "parameters");
	for (size_t i = 0; i < table->key_count; i++)
		json_string(&json, table->keys[i], row->labels[i]);
	json_object_end(&json);
	json_string(&json, "metric", row->metric);
	json_string(&json, "better", c->better == BETTER_NONE ? NULL : directions[c->better]);
	json_set(&json, "base", table->base, &c->base);
	json_set(&json, "new", table->titles[column], &c->new);
	json_string(&json, "test", compare_test_text(c));
	report_json_comparison(&json, c);
	json_number(&json, "welch_t", c->welch_t);
	json_number(&json, "welch_p", c->welch_p);
	json_object_end(&json);
	putchar('\n');
}

static void json_geomean(const struct report_compare_table *table, size_t column)
{
	struct json json;

	json_begin(&json, stdout);
	json_object(&json, NULL);
	json_integer(&json, "schema", REPORT_JSON_SCHEMA);
	json_string(&json, "type", "geomean");
	json_string(&json, "benchmark", table->benchmark);
	json_string(&json, "metric", table->metric);
	json_string(&json, "new", table->titles[column]);
	json_number(&json, "change_percent", table->geomeans[column]);
	json_object_end(&json);
	putchar('\n');
}

static void csv_number(double value)
{
	char text[UNITS_TEXT];

	putchar(',');
	if (isfinite(value))
		fputs(units_format_number(text, value), stdout);
}

static void csv_text(const char *text)
{
	putchar(',');
	csv_field(stdout, text);
}

/* "nr_loops=10 group=4", on the heap. */
static char *parameters_of(const struct report_compare_table *table, const struct report_compare_row *row)
{
	char *text;
	size_t length;
	FILE *out = xopen_memstream(&text, &length);

	fputs(table->constant, out);
	for (size_t i = 0; i < table->key_count; i++)
		if (row->labels[i])
			fprintf(out, "%s%s=%s", ftell(out) > 0 ? " " : "", table->keys[i], row->labels[i]);
	xclose_memstream(out);
	return text;
}

static void csv_row(const struct report_compare_table *table, const struct report_compare_row *row, size_t column)
{
	const struct comparison *c = row->columns[column];
	char *parameters = parameters_of(table, row);

	csv_field(stdout, table->benchmark);
	csv_text(parameters);
	free(parameters);
	csv_text(row->metric);
	csv_text(table->base);
	csv_text(table->titles[column]);
	printf(",%zu", c->base.n);
	csv_number(c->base.mean);
	csv_number(c->base.percent);
	printf(",%zu", c->new.n);
	csv_number(c->new.mean);
	csv_number(c->new.percent);
	csv_number(c->change);
	csv_number(c->low);
	csv_number(c->high);
	csv_number(c->p);
	csv_number(c->adjusted);
	csv_text(compare_test_text(c));
	csv_text(compare_word_text(c->word));
	fputs("\r\n", stdout);
}

static void each_row(const struct report_compare_table *table,
	void (*print)(const struct report_compare_table *, const struct report_compare_row *, size_t))
{
	for (size_t i = 0; i < table->row_count; i++)
		for (size_t k = 0; k < table->title_count; k++)
			if (table->rows[i].columns[k])
				print(table, &table->rows[i], k);
}

void report_compare_rows(const struct report_compare_table *table, enum compare_format format)
{
	each_row(table, format == COMPARE_JSON ? json_row : csv_row);
	for (size_t k = 0; format == COMPARE_JSON && table->geomeans && k < table->title_count; k++)
		json_geomean(table, k);
}
