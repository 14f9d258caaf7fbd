// SPDX-License-Identifier: GPL-2.0-only
/*
 * Results become words here, and only here. A report is opened once a command; it is told when a series begins, of every
 * run, and when the series ends, and writes to stdout what its format shows at that moment. A write that fails ends
 * the program with an error: nothing is lost in silence.
 */
#ifndef KBENCH_REPORT_H
#define KBENCH_REPORT_H

#include "result.h"

enum format { FORMAT_DEFAULT, FORMAT_SIMPLE, FORMAT_JSON, FORMAT_CSV, FORMAT_GO };
extern const char *const report_formats[]; /* their words, NULL-terminated, for OPT_CHOICE */

struct report;

struct report_style {
	enum format format;
	bool verbose, quiet;
	bool all; /* several benchmarks follow each other: "# Running sched/pipe benchmark..." and an empty line at the end */
};

struct report *report_open(const struct report_style *style);

/*
 * A benchmark begins: all series up to report_end are its parameter sets. table: there is more than one run or set, so
 * each set is a row instead of a block. The names are not copied.
 */
void report_begin(struct report *report, const char *collection, const char *name, bool table);

/* The last run of the series was just added. */
void report_run(struct report *report, const struct series *series);

/* No more runs of this series: error is NULL, or why it ended early (json says so). */
void report_series(struct report *report, const struct series *series, const char *error);

/* In place of a series: it cannot run here. */
void report_skip(struct report *report, const struct series *series, const char *reason);

/* The benchmark ends: tables are printed. */
void report_end(struct report *report);

void report_close(struct report *report);

/* The progress line on stderr, only where stderr is a terminal and not quiet. NULL wipes it. */
void report_progress(const struct report *report, const char *text);

/* Runs that are made one after the other. */
struct progress {
	const char *words; /* what is run */
	uint64_t done, planned;
	uint64_t start_ns, last_ns; /* on the clock: when the first of them began, and when the last one ended */
};

/* As that line: "sched pipe: run 3 of 20, 4 s, about 27 s left". Runs beyond the plan are not told. */
void report_progress_runs(const struct report *report, const struct progress *progress);

/*
 * Nanoseconds from now until the planned runs are over: each takes as long as the mean of those that are done. It falls
 * while a run is under way. 0 < done < planned.
 */
uint64_t progress_left(const struct progress *progress, uint64_t now);

/* Everything said on stdout must have arrived: flushes and closes it, or dies. */
void report_finish_stdout(void);

#endif
