// SPDX-License-Identifier: GPL-2.0-only
/* The report of kbench stat: commands that were run in turn, round after round. */
#ifndef KBENCH_REPORT_STAT_H
#define KBENCH_REPORT_STAT_H

#include "compare.h"
#include "report.h"

struct report_command {
	const char *text;     /* as typed */
	struct series series; /* of the runs that did not fail */
	uint64_t *rounds;     /* the round of each of them, from 1, ascending */
	uint64_t failures;    /* runs that are not in the series */
};

struct report_stat {
	struct report_command *commands; /* the first is what the others are compared with */
	size_t count;                    /* at most REPORT_LABELS */
	uint64_t seed, warmup;
	double threshold; /* percent; 0: none */
};

/* Commands are named A, B, ... */
#define REPORT_LABELS 26
char report_label(size_t command);

/* The last run of this command was just added. */
void report_stat_run(struct report *report, const struct report_stat *stat, size_t command);

/* There are no more. error is NULL, or why they ended early. */
void report_stat_end(struct report *report, const struct report_stat *stat, const char *error);

#endif
