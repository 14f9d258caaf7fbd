// SPDX-License-Identifier: GPL-2.0-only
/* A comparison of sets becomes text here: tables for people (default, md) and lines for programs (json, csv). */
#ifndef KBENCH_REPORT_COMPARE_H
#define KBENCH_REPORT_COMPARE_H

#include "compare.h"

enum compare_format { COMPARE_DEFAULT, COMPARE_JSON, COMPARE_CSV, COMPARE_MD };
extern const char *const report_compare_formats[]; /* their words, NULL-terminated */

struct report_compare_row {
	const char **labels; /* one a key of the table; NULL: the row has no such part */
	const char *metric;
	struct comparison **columns; /* one a new set; NULL: the set has no such row */
};

/* The rows of one benchmark. */
struct report_compare_table {
	const char *benchmark; /* "SchedMessaging" */
	const char *constant;  /* "nr_loops=10 fds=20": what all rows have in common; "" */
	const char **keys;     /* what tells the rows apart */
	size_t key_count;
	const char *metric; /* the one of all rows, or NULL: each row has its own */
	enum better better; /* of that metric */
	const char *base;   /* titles of the sets */
	const char **titles;
	size_t title_count;
	const struct report_compare_row *rows;
	size_t row_count;
	const double *geomeans; /* of the ratios of a column, in percent of change; NULL: none is meant */
	double threshold;
};

void report_compare_begin(enum compare_format format);

void report_compare_table(const struct report_compare_table *table, enum compare_format format);

/* json and csv of it, which report_compare_table calls. */
void report_compare_rows(const struct report_compare_table *table, enum compare_format format);

/* A line in words before or after the tables: "#" in default, an item of a list in md, an object of this kind in json; not in csv. */
void report_compare_line(enum compare_format format, const char *kind, const char *text);

/* The same for what must not be missed: in csv, whose lines have no place for it, it goes to stderr. */
void report_compare_notice(enum compare_format format, const char *kind, const char *text);

#endif
