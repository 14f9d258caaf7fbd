// SPDX-License-Identifier: GPL-2.0-only
/* Running benchmarks, in parts: which and with what words, what all of a command share, and one benchmark's runs. */
#ifndef KBENCH_BUILTIN_BENCH_H
#define KBENCH_BUILTIN_BENCH_H

#include "builtin.h"
#include "record.h"
#include "runner.h"
#include "sysinfo.h"

/* One command: what its benchmarks share. */
struct session {
	const struct common *common;
	struct conditions conditions;
	struct runner *runner;
	struct report *report;
	struct record_writer *writers[2]; /* of -o and of -f go; NULL: not asked for */
	struct sysinfo *info;             /* what records say of the machine; NULL until one is written */
	char id[RECORD_ID];               /* of all runs of this command, in records */
	double precision;                 /* percent; 0: repeat as often as was asked */
	char **limits;                    /* of --cpu-max; one NULL where none was given */
	size_t limit_count;
	const char *limit; /* the one that is under way; its group is in conditions */
	bool all;
	/* of the benchmark that is under way, for the progress line */
	struct progress progress;
	char words[128];
	char skipped[600]; /* why, as it was said last: several rows may have one reason */
};

/* How the part of a command that one benchmark is ended; the worst of several is the command's. */
enum verdict { DONE, SKIPPED, FAILED, INTERRUPTED };

void session_begin(struct session *session, const struct common *common, bool all);
void session_end(struct session *session);

/* Appends the run that was just added to the series to the file of -o. */
void session_record(struct session *session, const struct series *series);

/*
 * Makes the group of limit i of --cpu-max, and removes the one before; i = limit_count only removes. False: it cannot be
 * made, which was said.
 */
bool session_limit(struct session *session, size_t i);

/* The parameters of combination i, and the conditions that were given as parameters after them. Freed by params_free. */
struct param *session_params(const struct session *session, const struct optset *set, size_t i, size_t *count);

/* The progress line; arg is the session. */
void session_progress(void *arg);

enum verdict run_benchmark(
	struct session *session, const struct entry *entry, const struct optset *set, struct outcome *outcome);

#endif
