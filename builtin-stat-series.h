// SPDX-License-Identifier: GPL-2.0-only
/* kbench stat: all runs of its commands, in turn, and what becomes of them. */
#ifndef KBENCH_BUILTIN_STAT_SERIES_H
#define KBENCH_BUILTIN_STAT_SERIES_H

#include "builtin-stat-run.h"
#include "report-stat.h"

struct stat_plan {
	struct stat_command *commands;
	size_t count; /* 1 to REPORT_LABELS */
	struct stat_conditions conditions;
	const char *number; /* as typed, or NULL */
	uint64_t repeat, warmup, seed;
	double threshold; /* percent; 0: none */
	bool ignore_failure;
	const char *outputs[REPORT_LABELS]; /* record files: none, one, or one a command */
	size_t output_count;
};

/*
 * Runs every command once in each round, in an order that is drawn anew each time, until the rounds are over, a command
 * fails, or a signal comes. Every finished run is reported and recorded. Returned: the exit status.
 */
int stat_series(const struct stat_plan *plan, const struct report_style *style);

#endif
