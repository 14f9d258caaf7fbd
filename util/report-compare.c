// SPDX-License-Identifier: GPL-2.0-only
#include "report-compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "die.h"
#include "json.h"
#include "table.h"
#include "units.h"
#include "wrap.h"

#define CELL_TEXT 64

const char *const report_compare_formats[] = { "default", "json", "csv", "md", NULL };

static const char *const directions[] = { "none", "lower", "higher" };

/* Where cells go: an aligned table, or one of md. */
struct sheet {
	struct table *table; /* NULL: md */
	size_t columns, next;
	bool heading; /* md: the first row is followed by the rule */
};

static struct sheet sheet_begin(size_t columns, enum compare_format format)
{
	return (struct sheet){
		.table = format == COMPARE_DEFAULT ? table_new(columns) : NULL,
		.columns = columns,
		.heading = true,
	};
}

static void md_cell(const char *text)
{
	for (; *text; text++)
		printf(*text == '|' ? "\\|" : "%c", *text);
}

static void put_cell(struct sheet *sheet, bool left, const char *text)
{
	if (sheet->table) {
		table_cell(sheet->table, left, "%s", text);
	} else {
		fputs("| ", stdout);
		md_cell(text);
		putchar(' ');
	}
	if (++sheet->next < sheet->columns)
		return;
	sheet->next = 0;
	if (sheet->table)
		return;
	fputs("|\n", stdout);
	for (size_t i = 0; sheet->heading && i < sheet->columns; i++)
		fputs(i + 1 < sheet->columns ? "| ---: " : "| --- |\n", stdout);
	sheet->heading = false;
}

static void sheet_cell(struct sheet *sheet, const char *text)
{
	put_cell(sheet, false, text);
}

static void sheet_word(struct sheet *sheet, const char *text)
{
	put_cell(sheet, true, text);
}

static void sheet_end(struct sheet *sheet)
{
	if (sheet->table) {
		table_print(sheet->table, stdout, "");
		table_free(sheet->table);
	}
	putchar('\n');
}

static void number_cell(struct sheet *sheet, int decimals, double value)
{
	char text[CELL_TEXT] = "n/a";

	if (isfinite(value))
		snprintf(text, sizeof(text), "%.*f", decimals, value);
	sheet_cell(sheet, text);
}

/* A change is more than hundreds of percent only where nobody asks for decimals. */
static void change_cell(struct sheet *sheet, double percent)
{
	char text[CELL_TEXT] = "n/a";

	if (isfinite(percent))
		snprintf(text, sizeof(text), "%+.*f", fabs(percent) < 100 ? 2 : 0, percent);
	sheet_cell(sheet, text);
}

static void interval_cell(struct sheet *sheet, const struct comparison *c)
{
	char text[CELL_TEXT] = "n/a";

	if (isfinite(c->low) && isfinite(c->high)) {
		int decimals = fmax(fabs(c->low), fabs(c->high)) < 100 ? 1 : 0;

		snprintf(text, sizeof(text), "%+.*f..%+.*f", decimals, c->low, decimals, c->high);
	}
	sheet_cell(sheet, text);
}

static void p_cell(struct sheet *sheet, double p)
{
	char text[CELL_TEXT] = "n/a";

	if (p < 0.0001)
		snprintf(text, sizeof(text), "<.0001");
	else if (isfinite(p))
		snprintf(text, sizeof(text), "%.4f", p);
	sheet_cell(sheet, text);
}

static void labels(struct sheet *sheet, const struct report_compare_table *table, const struct report_compare_row *row)
{
	for (size_t i = 0; i < table->key_count; i++)
		sheet_cell(sheet, row->labels[i] ? row->labels[i] : "-");
	if (!table->metric)
		sheet_cell(sheet, row->metric);
}

/* The base's side of a row, from any column that has it: a row has one. */
static struct stats base_of(const struct report_compare_table *table, const struct report_compare_row *row)
{
	for (size_t i = 0; i < table->title_count; i++)
		if (row->columns[i])
			return row->columns[i]->base;
	BUG("a row of %s is in no new set", table->benchmark);
}

/* Four significant digits: of all rows of one metric alike, or of each row. */
static int decimals_of(const struct report_compare_table *table, const struct report_compare_row *row)
{
	double *means = xcalloc(table->row_count, sizeof(*means));
	size_t count = 0;
	int decimals;

	for (size_t i = 0; i < table->row_count; i++)
		if (table->metric || &table->rows[i] == row)
			means[count++] = base_of(table, &table->rows[i]).mean;
	decimals = table_decimals(means, count, 4);
	free(means);
	return decimals;
}

static void one_new_row(struct sheet *sheet, const struct comparison *c, int decimals)
{
	number_cell(sheet, decimals, c->base.mean);
	number_cell(sheet, 1, c->base.percent);
	number_cell(sheet, decimals, c->new.mean);
	number_cell(sheet, 1, c->new.percent);
	change_cell(sheet, c->change);
	interval_cell(sheet, c);
	p_cell(sheet, c->adjusted);
	sheet_word(sheet, compare_word_text(c->word));
}

static void headings(struct sheet *sheet, const struct report_compare_table *table)
{
	for (size_t i = 0; i < table->key_count; i++)
		sheet_cell(sheet, table->keys[i]);
	if (!table->metric)
		sheet_cell(sheet, "metric");
}

static void geomean_labels(struct sheet *sheet, const struct report_compare_table *table, size_t blanks)
{
	for (size_t i = 0; i < table->key_count; i++)
		sheet_cell(sheet, i ? "" : "geomean");
	for (size_t i = 0; i < blanks; i++)
		sheet_cell(sheet, "");
}

/* One new set: everything in a row. */
static void print_one(const struct report_compare_table *table, enum compare_format format)
{
	static const char *const titles[] = { "base", "%sd", "new", "%sd", "%change", "95 %", "p" };
	size_t extra = table->metric ? 0 : 1;
	struct sheet sheet = sheet_begin(table->key_count + extra + ARRAY_SIZE(titles) + 1, format);

	headings(&sheet, table);
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++)
		sheet_cell(&sheet, titles[i]);
	sheet_word(&sheet, "verdict");
	for (size_t i = 0; i < table->row_count; i++) {
		const struct report_compare_row *row = &table->rows[i];

		labels(&sheet, table, row);
		one_new_row(&sheet, row->columns[0], decimals_of(table, row));
	}
	if (table->geomeans) {
		geomean_labels(&sheet, table, 4);
		change_cell(&sheet, table->geomeans[0]);
		for (size_t i = 0; i < 3; i++)
			sheet_cell(&sheet, "");
	}
	sheet_end(&sheet);
}

/* Several new sets: three columns each. Their titles stand above as lines, numbered. */
static void print_several(const struct report_compare_table *table, enum compare_format format)
{
	size_t extra = table->metric ? 0 : 1;
	struct sheet sheet = sheet_begin(table->key_count + extra + 2 + 3 * table->title_count, format);
	char text[CELL_TEXT];

	headings(&sheet, table);
	sheet_cell(&sheet, "base");
	sheet_cell(&sheet, "%sd");
	for (size_t k = 0; k < table->title_count; k++) {
		snprintf(text, sizeof(text), "%zu: mean", k + 1);
		sheet_cell(&sheet, text);
		sheet_cell(&sheet, "%change");
		sheet_word(&sheet, "verdict");
	}
	for (size_t i = 0; i < table->row_count; i++) {
		const struct report_compare_row *row = &table->rows[i];
		struct stats base = base_of(table, row);
		int decimals = decimals_of(table, row);

		labels(&sheet, table, row);
		number_cell(&sheet, decimals, base.mean);
		number_cell(&sheet, 1, base.percent);
		for (size_t k = 0; k < table->title_count; k++) {
			number_cell(&sheet, decimals, row->columns[k] ? row->columns[k]->new.mean : (double)NAN);
			change_cell(&sheet, row->columns[k] ? row->columns[k]->change : (double)NAN);
			sheet_word(&sheet, row->columns[k] ? compare_word_text(row->columns[k]->word) : "missing");
		}
	}
	if (table->geomeans) {
		geomean_labels(&sheet, table, 2);
		for (size_t k = 0; k < table->title_count; k++) {
			sheet_cell(&sheet, "");
			change_cell(&sheet, table->geomeans[k]);
			sheet_cell(&sheet, "");
		}
	}
	sheet_end(&sheet);
}

void report_compare_begin(enum compare_format format)
{
	if (format == COMPARE_CSV)
		fputs("benchmark,parameters,metric,base,new,base_n,base_mean,base_stddev_percent,new_n,new_mean,"
		      "new_stddev_percent,change_percent,low_percent,high_percent,p,p_holm,test,verdict\r\n",
			stdout);
}

void report_compare_line(enum compare_format format, const char *kind, const char *text)
{
	struct json json;

	switch (format) {
	case COMPARE_DEFAULT:
		printf("# %s\n", text);
		break;
	case COMPARE_MD:
		printf("> %s\n", text);
		break;
	case COMPARE_JSON:
		json_begin(&json, stdout);
		json_object(&json, NULL);
		json_integer(&json, "schema", 1);
		json_string(&json, "type", kind);
		json_string(&json, "text", text);
		json_object_end(&json);
		putchar('\n');
		break;
	case COMPARE_CSV:
		break;
	}
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

static void json_judgement(struct json *json, const struct comparison *c)
{
	json_number(json, "change_percent", c->change);
	json_array(json, "ci95");
	json_number(json, NULL, c->low);
	json_number(json, NULL, c->high);
	json_array_end(json);
	json_string(json, "test", compare_test_text(c));
	json_number(json, "p", c->p);
	json_number(json, "p_holm", c->adjusted);
	json_number(json, "welch_t", c->welch_t);
	json_number(json, "welch_p", c->welch_p);
	json_string(json, "verdict", compare_word_text(c->word));
	json_number(json, "least_change_percent", c->least);
	if (c->needed)
		json_integer(json, "runs_needed", c->needed);
	else
		json_number(json, "runs_needed", (double)NAN);
}

static void json_row(const struct report_compare_table *table, const struct report_compare_row *row, size_t column)
{
	const struct comparison *c = row->columns[column];
	struct json json;

	json_begin(&json, stdout);
	json_object(&json, NULL);
	json_integer(&json, "schema", 1);
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
	json_judgement(&json, c);
	json_object_end(&json);
	putchar('\n');
}

static void json_geomean(const struct report_compare_table *table, size_t column)
{
	struct json json;

	json_begin(&json, stdout);
	json_object(&json, NULL);
	json_integer(&json, "schema", 1);
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

static void csv_row(const struct report_compare_table *table, const struct report_compare_row *row, size_t column)
{
	const struct comparison *c = row->columns[column];
	char parameters[4096];
	size_t length = (size_t)snprintf(parameters, sizeof(parameters), "%s", table->constant);

	for (size_t i = 0; i < table->key_count && length < sizeof(parameters); i++)
		length += (size_t)snprintf(parameters + length, sizeof(parameters) - length, "%s%s=%s",
			length ? " " : "", table->keys[i], row->labels[i] ? row->labels[i] : "");
	csv_field(stdout, table->benchmark);
	csv_text(parameters);
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

static void print_title(const struct report_compare_table *table, enum compare_format format)
{
	static const char *const words[] = { "", ", lower is better", ", higher is better" };

	printf("%s%s%s%s", format == COMPARE_MD ? "### " : "# ", table->benchmark, *table->constant ? " " : "",
		table->constant);
	if (table->metric)
		printf(": %s%s", table->metric, words[table->better]);
	fputs("\n\n", stdout);
}

/* What was found with the numbers says little without what could have been found. */
static void print_notes(const struct report_compare_table *table, enum compare_format format)
{
	const struct comparison *found = NULL;
	double least = 0;
	size_t needed = 0;
	char text[300], percent[UNITS_TEXT];

	for (size_t i = 0; i < table->row_count; i++)
		for (size_t k = 0; k < table->title_count; k++) {
			const struct comparison *c = table->rows[i].columns[k];

			if (!c)
				continue;
			found = c;
			if (c->word != COMPARE_NONE && c->word != COMPARE_CANNOT_TELL)
				continue;
			least = fmax(least, c->least);
			needed = c->needed > needed ? c->needed : needed;
		}
	if (!found)
		return;
	snprintf(text, sizeof(text), "%s%s; 95 %%: interval of the change; %%sd: deviation of the runs",
		compare_test_text(found), table->row_count * table->title_count > 1 ? ", p by Holm" : "");
	report_compare_line(format, "test", text);
	if (least > 0) {
		units_format_number(percent, table->threshold > 0 ? table->threshold : 1);
		snprintf(text, sizeof(text),
			"nothing found: a change of %.*f %% would have been found in 4 of 5 cases; for %s %% "
			"it takes %zu %s",
			least < 10 ? 1 : 0, least, percent, needed,
			found->test == COMPARE_SIGNED_RANK ? "pairs" : "runs a side");
		report_compare_line(format, "power", text);
	}
}

void report_compare_table(const struct report_compare_table *table, enum compare_format format)
{
	if (format == COMPARE_JSON) {
		each_row(table, json_row);
		for (size_t k = 0; table->geomeans && k < table->title_count; k++)
			json_geomean(table, k);
		return;
	}
	if (format == COMPARE_CSV) {
		each_row(table, csv_row);
		return;
	}
	print_title(table, format);
	if (table->title_count == 1)
		print_one(table, format);
	else
		print_several(table, format);
	print_notes(table, format);
}
