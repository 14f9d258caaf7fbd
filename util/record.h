// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records: runs kept in a file, in the Go benchmark text format (Documentation/kbench.1, RECORDS). A file may be
 * concatenated, cut at any byte, edited by hand, hold CR LF, come from another tool. What cannot be read is skipped with
 * a warning that gives file and line.
 */
#ifndef KBENCH_RECORD_H
#define KBENCH_RECORD_H

#include "result.h"
#include "sysinfo.h"

/* One run, about to be written. */
struct record_run {
	const struct series *series; /* gives the name: collection, name, params */
	const struct result *result;
	const char *id; /* of the series of runs that were made in one command: compare pairs by it; NULL: none */
	uint64_t index; /* of the run in its series, from 1; with several commands in turn: of the round */
	double time;    /* seconds since the epoch, when it ended; NAN: not known */
};

/*
 * Writing. A writer appends to a file (path, not copied) or writes to stdout (path NULL). Opening looks whether the file
 * can be written and dies where it cannot (directory, permission); it writes nothing yet. Each run is one write, on the
 * disk before record_write returns, under a lock, so that several programs may append to one file. The first run is
 * preceded by the environment (facts, copied; those without a value are left out), and so is one that follows another
 * program's. A write that fails part-way is taken back and is an error that ends the program. A file that was cut in
 * the middle of a line gets " cut cut" there, which makes the line damaged for every reader, and a warning. A run without
 * a finite headline is not recorded, with a warning; of the other metrics those that are not finite are left out.
 */
/* An id for all runs of one command, another one each time; and what record_run.time is now. */
#define RECORD_ID 20
void record_draw_id(char id[RECORD_ID]);
double record_now(void);

struct record_writer;
struct record_writer *record_open(const char *path, const struct fact *facts, size_t fact_count);
void record_write(struct record_writer *writer, const struct record_run *run);
void record_close(struct record_writer *writer);

/*
 * "SchedPipe/loop=1000/place=free": how a series is named. What is off (false, "", 0) is left out unless it is swept;
 * what would not read back stands as %XX. A series without name and parameters is its collection alone, "Stat". On the
 * heap.
 */
char *record_name(const struct series *series);

/*
 * Reading. "key: value" and "# key: value" are facts that hold until they change; "# kbench-record: 1" ends them all.
 * "# run: id=ID index=N time=SECONDS" tells of the next result. "Unit UNIT better=lower|higher" holds for the whole file,
 * the last one counts. A result line is damaged when its iterations are no integer, a value is not a finite decimal
 * number, a value lacks its unit or a unit looks like a number or stands twice, it has control characters or more than
 * 1024 values, or is the last and lacks its newline. All else is passed over, as is a name that stands alone. A last -8
 * of a name is the number of CPUs of Go's tools and is cut off.
 */

struct record_values {
	const char *unit;
	enum better better; /* of the file's Unit lines, or known for the unit (sec, ns/op: lower; op/s, B/s: higher) */
	double *values;     /* one a run of the row, in the order of the runs; NAN: this run does not have it */
};

/* All runs of one name in one file. */
struct record_row {
	const char *name; /* without "Benchmark" */
	size_t run_count;
	struct record_values *metrics; /* the first is the headline: what stood first on the line */
	size_t metric_count;
	struct record_place {
		const char *id; /* as it stands in the file, or NULL */
		uint64_t index; /* 0: not known */
		double time;    /* NAN: not known */
		size_t line;
	} * places; /* one a run */
};

struct record {
	const char *path;
	struct record_row *rows; /* in the order of their first run */
	size_t row_count;
	struct record_fact {
		const char *key;
		const char **values; /* every value that held for some run, in order, each once */
		size_t value_count;
	} * facts;
	size_t fact_count;
	size_t skipped; /* damaged lines */
};

/*
 * Reads a file. metric: NULL keeps the headline of each row, "all" keeps all, another word keeps that unit alone.
 * Dies where the file cannot be read, is a directory, is empty, has no result, or has a line of 64 MB; rows that lack
 * the metric have metric_count 0. The headline of a row is that of its first run. All is valid until record_free.
 */
struct record *record_read(const char *path, const char *metric);
/* The same, for a file that is held against another: NULL keeps what is the headline there, of rows that are there. */
struct record *record_read_against(const char *path, const char *metric, const struct record *base);
void record_free(struct record *record);

#endif
