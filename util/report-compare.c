// SPDX-License-Identifier: GPL-2.0-only
#include "report-compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "report-internal.h"
#include "table.h"
#include "units.h"
#include "wrap.h"

const char *const report_compare_formats[] = { "default", "json", "csv", "md", NULL };

/* Where cells go: an aligned table, or one of md. */
struct sheet {
	struct table *table; /* NULL: md */
	size_t columns, next;
	bool *left;   /* of the heading's cells; in md the rule below them says it */
	bool heading; /* the first row is not yet complete */
};

static struct sheet sheet_begin(size_t columns, enum compare_format format)
{
	return (struct sheet){
		.table = format == COMPARE_DEFAULT ? table_new(columns) : NULL,
		.columns = columns,
		.left = xcalloc(columns, sizeof(bool)),
		.heading = true,
	};
}

static void md_cell(const char *text)
{
	for (; *text; text++)
		printf(*text == '|' ? "\\|" : "%c", *text);
}

static void end_md_row(const struct sheet *sheet)
{
	fputs("|\n", stdout);
	for (size_t i = 0; sheet->heading && i < sheet->columns; i++)
		printf("| %s%s", sheet->left[i] ? "---" : "---:", i + 1 < sheet->columns ? " " : " |\n");
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
	if (sheet->heading)
		sheet->left[sheet->next] = left;
	if (++sheet->next < sheet->columns)
		return;
	if (!sheet->table)
		end_md_row(sheet);
	sheet->next = 0;
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
	free(sheet->left);
	putchar('\n');
}

static void number_cell(struct sheet *sheet, int decimals, double value)
{
	char text[TABLE_NUMBER];

	sheet_cell(sheet, table_number_text(text, false, decimals, value));
}

/* A change is more than hundreds of percent only where nobody asks for decimals. */
static void change_cell(struct sheet *sheet, double percent)
{
	char text[TABLE_NUMBER];

	sheet_cell(sheet, table_number_text(text, true, fabs(percent) < 100 ? 2 : 0, percent));
}

/* Digits that are smaller than the interval is wide say nothing. */
static void interval_cell(struct sheet *sheet, const struct comparison *c)
{
	char text[2 * TABLE_NUMBER + 2] = "n/a", low[TABLE_NUMBER], high[TABLE_NUMBER];

	if (isfinite(c->low) && isfinite(c->high)) {
		double width = c->high - c->low;
		bool near_zero = fmin(fabs(c->low), fabs(c->high)) < 1;
		int decimals = width >= 20 && !near_zero ? 0 : width >= 2 ? 1 : 2;

		snprintf(text, sizeof(text), "%s..%s", table_number_text(low, true, decimals, c->low),
			table_number_text(high, true, decimals, c->high));
	}
	sheet_cell(sheet, text);
}

static void deviation_cell(struct sheet *sheet, double percent)
{
	number_cell(sheet, percent < 10 ? 1 : 0, percent);
}

/* The base's side of a row, from any column that has it: a row has one. */
static struct stats base_of(const struct report_compare_table *table, const struct report_compare_row *row)
{
	for (size_t i = 0; i < table->title_count; i++)
		if (row->columns[i])
			return row->columns[i]->base;
	BUG("a row of %s is in no new set", table->benchmark);
}

/* How the numbers of a row are shown. */
struct scale {
	int power, decimals;
	double unit;
};

/* Four significant digits, in all these rows alike. */
static struct scale scale_of(
	const struct report_compare_table *table, const struct report_compare_row *rows, size_t count)
{
	double *means = xcalloc(count, sizeof(*means));
	struct scale scale;

	for (size_t i = 0; i < count; i++)
		means[i] = base_of(table, &rows[i]).mean;
	scale.power = table_power(means, count);
	scale.unit = pow(10, scale.power);
	for (size_t i = 0; i < count; i++)
		means[i] /= scale.unit;
	scale.decimals = table_decimals(means, count, 4);
	free(means);
	return scale;
}

static void mean_cell(struct sheet *sheet, const struct scale *scale, double mean)
{
	number_cell(sheet, scale->decimals, mean / scale->unit);
}

static void labels(
	struct sheet *sheet, const struct report_compare_table *table, const struct report_compare_row *row, int power)
{
	char *unit = table_row_unit(power, row->metric);

	for (size_t i = 0; i < table->key_count; i++)
		sheet_cell(sheet, row->labels[i] ? row->labels[i] : "-");
	if (!table->metric)
		sheet_cell(sheet, unit);
	free(unit);
}

static void one_new_row(struct sheet *sheet, const struct comparison *c, const struct scale *scale)
{
	char text[COMPARE_P_TEXT];

	mean_cell(sheet, scale, c->base.mean);
	deviation_cell(sheet, c->base.percent);
	mean_cell(sheet, scale, c->new.mean);
	deviation_cell(sheet, c->new.percent);
	change_cell(sheet, c->change);
	interval_cell(sheet, c);
	sheet_cell(sheet, compare_p_text(text, c->adjusted));
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
static void print_one(const struct report_compare_table *table, const struct scale *common, enum compare_format format)
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
		struct scale scale = table->metric ? *common : scale_of(table, row, 1);

		labels(&sheet, table, row, scale.power);
		one_new_row(&sheet, row->columns[0], &scale);
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
static void print_several(
	const struct report_compare_table *table, const struct scale *common, enum compare_format format)
{
	size_t extra = table->metric ? 0 : 1;
	struct sheet sheet = sheet_begin(table->key_count + extra + 2 + 3 * table->title_count, format);
	char text[40];

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
		struct scale scale = table->metric ? *common : scale_of(table, row, 1);

		labels(&sheet, table, row, scale.power);
		mean_cell(&sheet, &scale, base.mean);
		deviation_cell(&sheet, base.percent);
		for (size_t k = 0; k < table->title_count; k++) {
			mean_cell(&sheet, &scale, row->columns[k] ? row->columns[k]->new.mean : (double)NAN);
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

static void print_title(
	const struct report_compare_table *table, const struct scale *common, enum compare_format format)
{
	static const char *const words[] = { "", ", lower is better", ", higher is better" };

	printf("\n%s%s%s%s", format == COMPARE_MD ? "### " : "# ", table->benchmark, *table->constant ? " " : "",
		table->constant);
	if (table->metric) {
		char *unit = table_unit(common->power, table->metric);

		printf(": %s%s", unit, words[table->better]);
		free(unit);
	}
	fputs("\n\n", stdout);
}

/* Comparison number i of the table, row by row; NULL: the set has no such row. */
static const struct comparison *cell(const struct report_compare_table *table, size_t i)
{
	return table->rows[i / table->title_count].columns[i % table->title_count];
}

static bool test_is_said(const struct report_compare_table *table, size_t cells, const char *test)
{
	for (size_t i = 0; i < cells; i++)
		if (cell(table, i) && strcmp(compare_test_text(cell(table, i)), test) == 0)
			return true;
	return false;
}

/* Sets of few runs have another test than the rest of their table. */
static void print_tests(const struct report_compare_table *table, enum compare_format format)
{
	size_t cells = table->row_count * table->title_count;
	char text[300];

	for (size_t i = 0; i < cells; i++) {
		const char *test = cell(table, i) ? compare_test_text(cell(table, i)) : NULL;

		if (!test || test_is_said(table, i, test))
			continue;
		snprintf(text, sizeof(text), "%s%s%s", test, cell(table, i)->tests > 1 ? ", p by Holm" : "",
			table->title_count > 1 ? "" : "; 95 % by logarithms; %sd of the runs");
		report_compare_line(format, "test", text);
	}
}

static const char *amount(const struct comparison *c)
{
	return c->test == COMPARE_SIGNED_RANK ? "pairs" : "runs a side";
}

/* Where it is not the noise that keeps a row from a verdict. */
static void print_enough(const struct report_compare_table *table, enum compare_format format)
{
	size_t cells = table->row_count * table->title_count;
	const struct comparison *most = NULL;
	char text[300], rows[60] = "";

	for (size_t i = 0; i < cells; i++)
		if (cell(table, i) && cell(table, i)->enough > (most ? most->enough : 0))
			most = cell(table, i);
	if (!most)
		return;
	if (most->rivals > 1)
		snprintf(rows, sizeof(rows), " in one of %zu rows", most->rivals);
	snprintf(text, sizeof(text), "too few runs to tell: a difference%s can be found from %zu %s on", rows,
		most->enough, amount(most));
	report_compare_line(format, "power", text);
}

/* Nor is it where a test divides by a spread, of which there is none. */
static void print_still(const struct report_compare_table *table, enum compare_format format)
{
	for (size_t i = 0; i < table->row_count * table->title_count; i++) {
		const struct comparison *c = cell(table, i);

		if (c && c->test == COMPARE_WELCH && isnan(c->p) && c->base.n > 1 && c->new.n > 1) {
			report_compare_line(
				format, "power", "runs that do not vary cannot be told apart with fewer than 4 a side");
			return;
		}
	}
}

/* What was not found says little without what could have been found: of all rows, the largest. */
static void print_power(const struct report_compare_table *table, enum compare_format format)
{
	const struct comparison *worst = NULL;
	char text[300], percent[UNITS_TEXT], needs[100] = "", least[TABLE_NUMBER];
	size_t needed;

	for (size_t i = 0; i < table->row_count * table->title_count; i++) {
		const struct comparison *c = cell(table, i);

		if (c && (c->word == COMPARE_NONE || c->word == COMPARE_CANNOT_TELL) && isfinite(c->least) &&
			c->least > (worst ? worst->least : 0))
			worst = c;
	}
	if (!worst)
		return;
	units_format_number(percent, table->threshold > 0 ? table->threshold : 1);
	needed = compare_needed(worst);
	if (needed)
		snprintf(needs, sizeof(needs), "; for %s %% it takes %zu %s", percent, needed, amount(worst));
	snprintf(text, sizeof(text), "where nothing was found, %s %% would have been in 4 of 5 cases%s",
		table_number_text(
			least, false, worst->least < 10 ? table_decimals(&worst->least, 1, 2) : 0, worst->least),
		needs);
	report_compare_line(format, "power", text);
}

void report_compare_table(const struct report_compare_table *table, enum compare_format format)
{
	struct scale common;

	if (format == COMPARE_JSON || format == COMPARE_CSV) {
		report_compare_rows(table, format);
		return;
	}
	common = scale_of(table, table->rows, table->row_count);
	print_title(table, &common, format);
	if (table->title_count == 1)
		print_one(table, &common, format);
	else
		print_several(table, &common, format);
	print_tests(table, format);
	print_enough(table, format);
	print_still(table, format);
	print_power(table, format);
}
