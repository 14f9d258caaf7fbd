// SPDX-License-Identifier: GPL-2.0-only
/* What the formats of util/report.h share. Each format is one struct of functions in a file of its own. */
#ifndef KBENCH_REPORT_INTERNAL_H
#define KBENCH_REPORT_INTERNAL_H

#include "json.h"
#include "report.h"
#include "stats.h"

struct comparison;
struct report_stat;

/* A finished series in a table. */
struct report_row {
	struct param *swept; /* copies of the swept parameters */
	size_t swept_count;
	struct stats stats; /* of the headline */
	char *matrices;     /* NULL: none */
};

/* Below a table: a line about one of its rows. */
struct report_remark {
	size_t row;
	char *text;
};

struct report {
	struct report_style style;
	struct outlet *outlet;
	bool table;
	const struct report_form *form;
	const char *collection, *name; /* of the benchmark that is under way */
	bool heading_said;
	bool header_said; /* csv */
	const char *headline;
	struct report_row *rows;
	size_t row_count;
	struct table *counters;        /* of -e, below the table of the headline; NULL: none yet */
	struct report_remark *remarks; /* ascending rows */
	char *distances;               /* of LAYOUT_MATRIX; NULL: none */
	size_t remark_count;
};

/* Called as the functions of report.h of the same names say. */
struct report_form {
	void (*run)(struct report *report, const struct series *series);
	void (*series)(struct report *report, const struct series *series, const char *error);
	void (*skip)(struct report *report, const struct series *series, const char *reason);
	void (*end)(struct report *report);
};

/*
 * What is printed between the two must have arrived before more work is done for it: stdout is written, or kbench dies. A
 * pipe or terminal that takes nothing holds nobody up whom a signal has told to end: between the two stdout is a file in
 * memory, which is then written in pieces.
 */
void report_hold(const struct report *report);
void report_flush(const struct report *report);

/* How that is done. stdout as it is: where writing cannot wait, or such a file cannot be had. */
struct outlet *outlet_open(void);
void outlet_close(struct outlet *outlet);
void outlet_hold(const struct outlet *outlet);
void outlet_release(const struct outlet *outlet);

/* A header, once, and a line of csv for each metric. run counts from 1. */
void report_csv_run(struct report *report, const char *benchmark, const struct param *params, size_t count,
	uint64_t run, const struct result *result);

/* The remarks of a series that has just become the last row, and what its runs look like. */
void report_remarks_add(struct report *report, const struct series *series);
void report_remarks_print(const struct report *report);
void report_remarks_free(struct report *report);

/* So many bytes, with blanks for control characters: a name must not begin a line, or move a terminal's cursor. */
void report_put(const char *text, size_t length);

/* A line for each note. */
void report_notes(const struct result *result);

/* "# ", both texts, and a newline, wrapped at 80 columns. */
void report_line(const char *before, const char *text);

/* What the runs of the headline look like in their order: a line in words for each thing found. On the heap. */
char *report_look(const struct series *series);
void report_json_look(struct json *json, const struct series *series);

/*
 * The matrices of some runs, which have the same cells: medians, and of several runs how much they vary; and the distances
 * between the nodes. Tables, each with a line above that says what it is; before is what that line begins with. On the
 * heap.
 */
char *report_matrices(const char *before, const struct result *const *runs, size_t count);
char *report_distances(const struct result *result);

/* The block of LAYOUT_SPEED. */
void report_speed(const struct result *result);

/* What -v shows of a run: each metric on a line. */
void report_all_metrics(const struct result *result);

/* Members of a json line that every kind of line has. */
void report_json_statistics(struct json *json, const struct series *series);
void report_json_comparison(struct json *json, const struct comparison *comparison);
void report_json_remarks(struct json *json, const struct result *last); /* NULL: no run */
void report_json_environment(struct json *json);

/* kbench stat: comparisons[i] is command i against the first; nothing stands in comparisons[0]. */
void report_stat_text(
	const struct report *report, const struct report_stat *stat, const struct comparison *comparisons);
void report_stat_json(const struct report_stat *stat, const struct comparison *comparisons, const char *error);

#define REPORT_JSON_SCHEMA 1

extern const struct report_form report_text, report_simple, report_json, report_csv, report_go;

#endif
