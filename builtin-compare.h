// SPDX-License-Identifier: GPL-2.0-only
/* kbench compare, in parts: builtin-compare.c is the command, builtin-compare-rows.c makes tables of record files. */
#ifndef KBENCH_BUILTIN_COMPARE_H
#define KBENCH_BUILTIN_COMPARE_H

#include "record.h"
#include "report-compare.h"

/* The files of one command; the first is the base. */
struct compare_files {
	struct record **records;
	size_t count;
};

struct compare_wish {
	const char *metric; /* NULL: the headline of each row */
	double threshold;   /* percent; 0: none */
	unsigned format;    /* an enum compare_format */
};

/* What all tables together say. */
struct compare_outcome {
	size_t compared, regressed, unclear; /* pairs of a row and a new set */
};

/* What a table is told besides its rows: in how many of them. */
struct compare_remarks {
	size_t drifts, outlier_rows, mode_rows;
	size_t unpaired; /* runs that have no partner in the other set */
	size_t same;     /* runs that are in both sets */
};

/* One metric of two rows of the same name, on the heap; as pairs, where the runs were made in turns. */
struct comparison *compare_row(const struct record_row *base, const struct record_values *base_metric,
	const struct record_row *new, const struct record_values *new_metric, struct compare_remarks *remarks);

/* Prints every table of the base's benchmarks and says what stands on one side only. */
struct compare_outcome compare_tables(const struct compare_files *files, const struct compare_wish *wish);

/* Prints what differs between the machines and kernels of the files. */
void compare_environments(const struct compare_files *files, enum compare_format format);

#endif
