// SPDX-License-Identifier: GPL-2.0-only
/* The list of benchmarks.h as data. */
#ifndef KBENCH_COLLECTIONS_H
#define KBENCH_COLLECTIONS_H

#include "bench.h"

struct entry {
	const char *collection; /* the command words: "sched", "pipe" */
	char *name;
	const struct benchmark *benchmark;
};

struct collection {
	char *name;
	const char *summary;
	const char *usual; /* the benchmark that is meant when none is named; NULL: none */
	size_t count;
	struct entry *entries;
};

struct collections {
	size_t count;
	struct collection *list; /* in the order of benchmarks.h */
};

/* Owned by the caller; freed by collections_free. */
struct collections *collections_load(void);
void collections_free(struct collections *collections);

/* By their words; NULL: there is none. */
const struct collection *collection_find(const struct collections *collections, const char *name);
const struct entry *collection_entry(const struct collection *collection, const char *name);

/* The benchmark that is meant when none is named; NULL: there is none. */
const struct entry *collection_usual(const struct collection *collection);

#endif
