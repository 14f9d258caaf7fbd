// SPDX-License-Identifier: GPL-2.0-only
#include "table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "die.h"
#include "wrap.h"

#define WIDTH         80 /* that a table with wide gaps has at most */
#define MOST_DECIMALS 9

struct cell {
	char *text;
	bool left;
};

struct table {
	size_t columns;
	struct cell *cells;
	size_t count, room;
};

struct table *table_new(size_t columns)
{
	struct table *table = xcalloc(1, sizeof(*table));

	table->columns = columns;
	return table;
}

void table_free(struct table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free(table->cells[i].text);
	free(table->cells);
	free(table);
}

void table_cell(struct table *table, bool left, const char *format, ...)
{
	char *text;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		die_errno("vasprintf");
	va_end(args);
	if (table->count == table->room) {
		table->room = table->room ? 2 * table->room : 4 * table->columns;
		table->cells = xrealloc(table->cells, table->room * sizeof(*table->cells));
	}
	table->cells[table->count++] = (struct cell){ text, left };
}

/* Characters, not bytes: all bytes but those that continue a UTF-8 sequence. */
static size_t width_of(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

static size_t *column_widths(const struct table *table)
{
	size_t *widths = xcalloc(table->columns, sizeof(*widths));

	for (size_t i = 0; i < table->count; i++) {
		size_t *widest = &widths[i % table->columns], width = width_of(table->cells[i].text);

		if (width > *widest)
			*widest = width;
	}
	return widths;
}

/* Holds blanks back until something follows them, so that none ends a line. */
static void write_text(FILE *out, const char *text, size_t *blanks)
{
	for (; *text; text++) {
		if (*text == ' ') {
			++*blanks;
			continue;
		}
		for (; *blanks; --*blanks)
			fputc(' ', out);
		fputc(*text, out);
	}
}

static void write_row(
	FILE *out, const char *prefix, const struct cell *row, const size_t *widths, size_t columns, size_t gap)
{
	size_t blanks = 0;

	write_text(out, prefix, &blanks);
	for (size_t i = 0; i < columns; i++) {
		size_t padding = widths[i] - width_of(row[i].text);

		blanks += (i ? gap : 0) + (row[i].left ? 0 : padding);
		write_text(out, row[i].text, &blanks);
		blanks += row[i].left ? padding : 0;
	}
	fputc('\n', out);
}

const char *table_number_text(char text[TABLE_NUMBER], bool plus, int decimals, double value)
{
	if (!isfinite(value))
		snprintf(text, TABLE_NUMBER, "n/a");
	else if (fabs(value) >= 1e15)
		snprintf(text, TABLE_NUMBER, plus ? "%+.5e" : "%.5e", value);
	else
		snprintf(text, TABLE_NUMBER, plus ? "%+.*f" : "%.*f", decimals, value);
	return text;
}

void table_number(struct table *table, int decimals, double value)
{
	char text[TABLE_NUMBER];

	table_cell(table, false, "%s", table_number_text(text, false, decimals, value));
}

void table_print(const struct table *table, FILE *out, const char *prefix)
{
	size_t *widths, width = width_of(prefix) + 2 * (table->columns - 1);

	if (table->count % table->columns)
		BUG("%zu cells in a table of %zu columns", table->count, table->columns);
	widths = column_widths(table);
	for (size_t i = 0; i < table->columns; i++)
		width += widths[i];
	for (size_t i = 0; i < table->count; i += table->columns)
		write_row(out, prefix, &table->cells[i], widths, table->columns, width > WIDTH ? 1 : 2);
	free(widths);
}

int table_power(const double *values, size_t n)
{
	double least = HUGE_VAL, most = 0;

	for (size_t i = 0; i < n; i++)
		if (isfinite(values[i]) && values[i] != 0) {
			least = fmin(least, fabs(values[i]));
			most = fmax(most, fabs(values[i]));
		}
	if (most == 0 || (least < 1e6 && most >= 0.1))
		return 0;
	return 3 * (int)floor(log10(least >= 1e6 ? least : most) / 3);
}

char *table_unit(int power, const char *unit)
{
	return power ? xasprintf("10^%d %s", power, unit) : xstrdup(unit);
}

char *table_row_unit(int power, const char *unit)
{
	return power ? xasprintf("%s (10^%d)", unit, power) : xstrdup(unit);
}

int table_decimals(const double *values, size_t n, int digits)
{
	double smallest = HUGE_VAL, enough = pow(10, digits - 1) - 0.05;
	int decimals = 0;

	for (size_t i = 0; i < n; i++)
		if (values[i] != 0)
			smallest = fmin(smallest, fabs(values[i])); /* fmin passes over NANs */
	/* Rounding counts: two digits of 9.96 are 10. */
	for (; smallest < enough && decimals < MOST_DECIMALS; decimals++)
		smallest *= 10;
	return decimals;
}
