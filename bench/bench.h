// SPDX-License-Identifier: GPL-2.0-only
/*
 * The contract between a benchmark and the machinery. A benchmark describes itself in one struct; it declares what it
 * needs, creates its tasks, and returns numbers. It prints nothing, reads no clock, creates no thread by itself, and
 * installs no handler. Documentation/adding-a-benchmark.md walks through one.
 */
#ifndef KBENCH_BENCH_H
#define KBENCH_BENCH_H

#include "cpus.h"
#include "die.h"
#include "options.h"
#include "result.h"
#include "topology.h"
#include "workers.h"
#include "wrap.h"

struct run;

/* What every run of the benchmark needs, whatever its options. Unmet: a skip with the reason. */
struct needs {
	unsigned cpus;  /* CPUs that the process may use */
	unsigned nodes; /* online NUMA nodes; with any number run->topology is there from check on */
};

/* When the measured region ends; it begins with the opening of the gate. */
enum region_end {
	UNTIL_LAST_END, /* the last worker's end stamp */
	UNTIL_REAPED,   /* the last worker's process is gone */
};

/* A word that an option takes and what it means, a line of the help page. */
struct term {
	const char *word, *meaning;
};

struct benchmark {
	const char *summary;       /* one line for listings, without a full stop */
	const char *operation;     /* what is counted: "round trip" */
	const char *about;         /* a paragraph for the help page: what one operation is, what is not measured */
	const struct term *terms;  /* ended by a NULL; NULL: none need a line */
	const char *terms_of;      /* the heading of the terms */
	const struct opt *options; /* ended by OPT_END */
	struct needs needs;
	enum layout layout;
	const char *headline;              /* key of the metric for simple format and tables */
	const char *(*headline_now)(void); /* it, where the options that are selected decide; NULL: always headline */
	enum region_end until;

	/*
	 * Called before anything runs, for every set of parameters, in the supervisor and again in the run process: holds the
	 * options against each other (usage()) and the machine (skip()), and declares workers and needs. Changes nothing
	 * outside of *run. May be NULL when there is one worker.
	 */
	void (*check)(struct run *run);
	void (*setup)(struct run *run);    /* untimed: creates resources and spawns workers in the order it needs */
	void (*report)(struct run *run);   /* after the end: adds notes, remarks and metrics */
	void (*teardown)(struct run *run); /* NULL: what the end of the process frees is enough */
};

/* Needs that depend on options. */
enum need {
	NEED_DESCRIPTORS, /* open files in one process */
	NEED_TASKS,       /* processes and threads */
	NEED_MAPPINGS,    /* in one address space */
	NEED_MEMORY,      /* bytes */
	NEED_FILE,        /* bytes of the largest file that is written */
	NEED_STACK,       /* bytes of the largest stack */
	NEED_DATA,        /* bytes of data segment in one process */
	NEED_KINDS
};

struct run {
	const struct benchmark *benchmark;
	struct pool *pool;
	struct result *result;
	void *state;                     /* the benchmark's, from setup to report */
	struct cpus allowed;             /* the CPUs of this run */
	const struct topology *topology; /* see run_topology */
	uint64_t wall_ns;                /* the measured region; known in report */
	uint64_t runtime_ns;             /* set in check or setup: worker_stopping is true after this time; 0: never */
	unsigned worker_max;             /* set by run_workers */
	uint64_t needs[NEED_KINDS];
	uint64_t task_bytes; /* set by run_workers: memory of the tasks themselves */
	uint64_t gate_ns;    /* when the gate was opened; known in report */
};

/* In check: the run has this many workers, as threads of one process or as processes. Declares the tasks. */
void run_workers(struct run *run, uint64_t count, bool threads);

/* In check: raises a need by this amount. Unmet is an error with the arithmetic; soft limits are raised for the run. */
void run_need(struct run *run, enum need need, uint64_t amount);

/* The topology, read when it is first asked for: it is many small files. */
const struct topology *run_topology(struct run *run);

/* a * b, or a usage error that says what is too large. */
uint64_t run_product(const char *what, uint64_t a, uint64_t b);

/* In setup. */
void run_spawn(struct run *run, const struct spawn *spawn);

/* In setup, before workers are spawned: they inherit SCHED_FIFO at the lowest priority. Not permitted: a skip. */
void run_use_fifo(struct run *run);

/* In report: what the workers left, and sums of it. */
unsigned run_worker_count(const struct run *run);
const struct worker_slot *run_slot(const struct run *run, unsigned index);
uint64_t run_operations(const struct run *run);
struct worker_usage run_usage(const struct run *run);

/* In report. A note stands above the figures, a remark below; a metric's key is name and unit in one ("ns/op"). */
void run_note(struct run *run, const char *format, ...) PRINTF_LIKE(2, 3);
void run_remark(struct run *run, const char *format, ...) PRINTF_LIKE(2, 3);
/* Of a metric that is the sum of what each worker did in its own time: warns where they took turns on fewer CPUs. */
void run_remark_turns(struct run *run, uint64_t workers, const char *sum);
void run_metric(struct run *run, const char *key, double value, enum better better);
void run_metric_shown(struct run *run, const char *key, double value, enum better better);
void run_metric_row(struct run *run, const char *key, double value, enum better better, const char *unit,
	const char *name, const char *quiet);

/*
 * In report: a cell of a matrix over NUMA nodes, the metric "UNIT@ROW:COLUMN"; NAN: not measured, and a remark says why.
 * A result has room for RESULT_CELLS. run_matrix says whose the ids of rows and columns are, in literals: "CPU node".
 */
void run_matrix(struct run *run, const char *rows, const char *columns);
void run_metric_cell(
	struct run *run, const char *unit, unsigned row, unsigned column, double value, enum better better);

/* In report: ns/op and op/s, from the wall time of the region and this many operations. */
void run_metric_rate(struct run *run, uint64_t operations);

#endif
