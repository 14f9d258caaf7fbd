// SPDX-License-Identifier: GPL-2.0-only
/* A table of text cells, columns aligned, two blanks between them, one where it is wide. A heading is a row like any other. */
#ifndef KBENCH_TABLE_H
#define KBENCH_TABLE_H

#include <stdio.h>

#include "base.h"

struct table;

/* columns > 0. */
struct table *table_new(size_t columns);
void table_free(struct table *table);

/* Appends a cell (copied); rows fill from left to right. left: text, flush left; otherwise flush right. */
void table_cell(struct table *table, bool left, const char *format, ...) PRINTF_LIKE(3, 4);

/*
 * A number with so many decimals, with a + where it is asked for; from 10^15 on with six digits and an exponent. "n/a"
 * where it is not finite. text is returned.
 */
#define TABLE_NUMBER 32
const char *table_number_text(char text[TABLE_NUMBER], bool plus, int decimals, double value);

/* A cell for a number with so many decimals. */
void table_number(struct table *table, int decimals, double value);

/*
 * Writes the rows, each line after prefix, without blanks at line ends. A row that is not complete is a BUG. Width is
 * counted in characters, not bytes (UTF-8). Where 80 columns are too few, the gaps between the columns are one blank.
 */
void table_print(const struct table *table, FILE *out, const char *prefix);

/*
 * The power of ten, a multiple of 3, that numbers of six digits and more before the point, or a zero behind it, are
 * shown in: it leaves 1 to 3 digits before the point of the smallest magnitude, or of the largest. Mostly 0. Values that
 * are 0 or not finite do not count.
 */
int table_power(const double *values, size_t n);

/* "10^9 B/s", or the unit alone. On the heap. */
char *table_unit(int power, const char *unit);

/* The same of a row that has a unit of its own: "max-rss-bytes (10^6)". */
char *table_row_unit(int power, const char *unit);

/*
 * How many decimals show `digits` significant digits of every value: 0 to 9, from the smallest magnitude that is not 0.
 * Values that are not finite do not count.
 */
int table_decimals(const double *values, size_t n, int digits);

#endif
