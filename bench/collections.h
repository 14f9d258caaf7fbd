// SPDX-License-Identifier: GPL-2.0-only
/* The list of benchmarks.h as data. */
#ifndef KBENCH_COLLECTIONS_H
#define KBENCH_COLLECTIONS_H

#include "bench.h"

struct entry {
	const char *collection, *name; /* the command words: "sched", "pipe" */
	const struct benchmark *benchmark;
};

struct collection {
	const char *name, *summary;
	const struct entry *entries;
	size_t count;
};

/* All collections in the order of the list. */
const struct collection *collections(size_t *count);

/* By name; NULL: there is none. */
const struct collection *collection_find(const char *name);
const struct entry *collection_entry(const struct collection *collection, const char *name);

#endif
