// SPDX-License-Identifier: GPL-2.0-only
/* kbench stat: one run of one command. */
#ifndef KBENCH_BUILTIN_STAT_RUN_H
#define KBENCH_BUILTIN_STAT_RUN_H

#include "counters.h"
#include "cpus.h"
#include "number.h"
#include "result.h"
#include "supervisor.h"

struct stat_command {
	char **argv;         /* what is executed */
	char *text;          /* as typed */
	const char *prepare; /* shell command before each run, or NULL */
};

/* Of all runs. */
struct stat_conditions {
	struct number *number; /* what is measured: the number it prints, or NULL: its time */
	struct events *events; /* or NULL; at most STAT_EVENTS */
	struct cpus cpus;
	uint64_t timeout_ns; /* 0: none */
	bool quiet;          /* its stderr goes nowhere */
};

#define STAT_EVENTS 100

/* The key of what is measured. */
const char *stat_headline(const struct stat_conditions *conditions);

enum stat_end {
	STAT_DONE,
	STAT_FAILED,      /* the command, by its status or by --timeout: another run may do better */
	STAT_HOPELESS,    /* it cannot be started or prepared, or prints no number */
	STAT_INTERRUPTED, /* by a signal to kbench */
};

struct stat_outcome {
	enum stat_end end;
	int status;            /* with which kbench ends, if it does: that of the command, or an enum exit_status */
	char reason[600];      /* of STAT_FAILED, STAT_HOPELESS and STAT_INTERRUPTED */
	bool printed;          /* it ran, and may have */
	char *output;          /* of STAT_FAILED and STAT_HOPELESS: the end of what it printed, on the heap, or NULL */
	struct result *result; /* of STAT_DONE: on the heap */
};

void stat_run(const struct supervisor *supervisor, const struct stat_conditions *conditions,
	const struct stat_command *command, struct stat_outcome *outcome);

#endif
