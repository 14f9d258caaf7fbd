// SPDX-License-Identifier: GPL-2.0-only
/* The commands, and what the options before them say. A command returns the exit status of the program. */
#ifndef KBENCH_BUILTIN_H
#define KBENCH_BUILTIN_H

#include "collections.h"
#include "report.h"

struct common {
	const struct collections *collections;
	const struct opt *options; /* their table */
	unsigned format;           /* an enum format */
	uint64_t repeat, warmup;
	bool repeat_given;
	uint64_t timeout_ns;
	const char *cpus, *prepare, *output, *events;
	const char *precision;
	uint64_t max_runs;
	const char *cgroup, *cpu_max;
	bool drop_caches, verbose, quiet;
};

/* argv[0] is the collection, or "all". */
int cmd_bench(const struct common *common, int argc, char **argv);
/* argv[0] is the command's own word. */
int cmd_list(const struct common *common, int argc, char **argv);
int cmd_stat(const struct common *common, int argc, char **argv);
int cmd_env(const struct common *common, int argc, char **argv);
int cmd_compare(const struct common *common, int argc, char **argv);

/* The CPUs of --cpus, or all that this process may use. usage() for what is no list of them. */
void common_cpus(const struct common *common, struct cpus *cpus);

/* What -e lists, NULL for NULL; freed by events_free. usage() for what is no event. */
struct events;
struct events *common_events(const char *list);

/* The percentage that an option was given, 0 for NULL. usage() for what is none. */
double common_percent(const char *option, const char *text);

/* What a record says of the machine and of us; freed by sysinfo_free. */
struct sysinfo;
struct sysinfo *common_facts(void);

/* Help pages, on stdout. */
void help_overview(const struct collections *collections, const struct opt *common);
void help_collection(const struct collection *collection);
void help_benchmark(const struct entry *entry);
void help_all(const struct collection *collection); /* NULL: of every collection */

#endif
