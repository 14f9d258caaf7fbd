// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a run found, as data. A struct result is filled by the run process, in memory shared with the supervisor; a
 * struct series collects the runs of one benchmark with one set of parameters. Words are made of them by util/report.
 */
#ifndef KBENCH_RESULT_H
#define KBENCH_RESULT_H

#include <stdarg.h>

#include "options.h"

#define RESULT_METRICS   1024 /* as a line of a record file may have */
#define RESULT_CELLS     960  /* that leave room for what every result has, and counters */
#define RESULT_NOTES     24
#define RESULT_NOTE_TEXT 240
#define METRIC_KEY       64

enum better { BETTER_NONE, BETTER_LOWER, BETTER_HIGHER };

/* Which part of a default block a metric is. */
enum metric_place {
	METRIC_EXTRA,   /* with -v, and in the machine formats */
	METRIC_SHOWN,   /* a line of its own in the default block of LAYOUT_METRICS */
	METRIC_ROW,     /* a row of LAYOUT_ROWS */
	METRIC_CELL,    /* of a matrix of LAYOUT_MATRIX */
	METRIC_COUNTER, /* of -e: a line with what it is for one operation, which is the metric "KEY/op" */
};

struct metric {
	char key[METRIC_KEY]; /* name and unit in one, as in records: "sec", "ns/op", "last-message-sec"; unique in a result */
	double value;         /* NAN: not measured */
	enum better better;
	enum metric_place place;
	/* of METRIC_ROW only: " main,  VALUE, UNIT, NAME", and the text that stands for both when quiet */
	char row_unit[12], row_name[32], row_quiet[40];
	/* of METRIC_CELL only: ids of two nodes, and the distance between them as the kernel says it, 0: not known */
	unsigned row, column, distance;
};

/* Of RESULT_SIZE bytes, zero at first, while metrics are added; a copy has no room for more. */
struct result {
	uint64_t operations;        /* of the run, as a record counts them; 0: not known */
	bool quiet_rows;            /* LAYOUT_ROWS: "value text" in place of the labelled row */
	const char *rows, *columns; /* LAYOUT_MATRIX: whose the ids are, "CPU node"; literals */
	size_t note_count;
	char notes[RESULT_NOTES][RESULT_NOTE_TEXT]; /* "#" lines between the heading and the figures */
	size_t remark_count;
	char remarks[RESULT_NOTES][RESULT_NOTE_TEXT]; /* "#" lines after the figures: placement, warnings */
	size_t metric_count;
	struct metric metrics[];
};

#define RESULT_SIZE (sizeof(struct result) + RESULT_METRICS * sizeof(struct metric))

/* Adds a metric, or gives a new value to the one of that key. More than RESULT_METRICS, or a key too long, is a BUG. */
struct metric *result_metric(struct result *result, const char *key, double value, enum better better);

/*
 * A cell of the matrix of that unit: the metric "UNIT@ROW:COLUMN", in order of rows. A matrix in "B/s" or "read-B/s" is
 * shown in units of 1e9.
 */
struct metric *result_cell(
	struct result *result, const char *unit, unsigned row, unsigned column, double value, enum better better);

/* The value of a metric, NAN where there is none. */
double result_value(const struct result *result, const char *key);

void result_note(struct result *result, const char *format, ...) PRINTF_LIKE(2, 3);
void result_remark(struct result *result, const char *format, ...) PRINTF_LIKE(2, 3);
void result_note_list(struct result *result, const char *format, va_list args) PRINTF_LIKE(2, 0);
void result_remark_list(struct result *result, const char *format, va_list args) PRINTF_LIKE(2, 0);

/* Whether it begins with "warning:". It makes the figures doubtful, and is said in every format. */
bool result_is_warning(const char *remark);

/* A copy on the heap, freed by free(). */
struct result *result_copy(const struct result *result);

/* How the default block of a single run is laid out (Documentation/kbench.1, FORMATS). */
enum layout {
	LAYOUT_TIME,    /* Total time */
	LAYOUT_RATE,    /* Total time, usecs/op, ops/sec: needs the metrics sec, ns/op and op/s */
	LAYOUT_SPEED,   /* cycles/byte, or where there is none B/s as one of bytes/sec, KB/sec, MB/sec, GB/sec */
	LAYOUT_ROWS,    /* " main,  value, unit, name" */
	LAYOUT_METRICS, /* the METRIC_SHOWN metrics, "value key" a line */
	LAYOUT_MATRIX,  /* the METRIC_CELL metrics as tables, one a unit, and the distances */
};

struct series {
	const char *collection, *name; /* "sched", "pipe" */
	const char *operation;         /* what is counted: "round trip" */
	const char *headline;          /* key of the metric that simple format and tables show */
	enum layout layout;
	struct param *params; /* not owned */
	size_t param_count;
	uint64_t warmup;
	struct result **runs; /* owned, as are the results */
	size_t run_count;
};

/* Takes a finished run, on the heap, into the series, which owns it from now on. */
void series_add(struct series *series, struct result *result);

/* The values of one metric over the runs, on the heap, run_count of them; NAN where a run lacks it. */
double *series_values(const struct series *series, const char *key);

/* Frees the runs; the series is empty then. */
void series_release(struct series *series);

#endif
