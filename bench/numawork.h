// SPDX-License-Identifier: GPL-2.0-only
/*
 * How a task of numa mem goes over memory: what it does to the 64-bit words of a line, and in which order it meets the
 * lines.
 */
#ifndef KBENCH_NUMAWORK_H
#define KBENCH_NUMAWORK_H

#include <pthread.h>

#include "workers.h"

enum work_touch {
	WORK_UPDATE, /* read, add, write back */
	WORK_READ,
	WORK_WRITE,
	WORK_ZERO, /* by memset */
	WORK_TOUCHES
};

struct work {
	enum work_touch touch;
	bool turning; /* every second pass goes backwards */
	bool random;  /* the pieces of a pass are met in random order, each once */
};

/* Memory of whole pages. A pass begins at start, a page's first byte, and goes around. */
struct work_area {
	char *memory;
	size_t bytes, start;
	pthread_mutex_t *lock; /* held during a pass; NULL: none */
};

/*
 * A worker's pass over an area; passes are counted from 0. Returns the bytes touched: all of it, or less when the time
 * of the run is over, which is looked at before each piece (1 MB, or 8 KB in random order). *sum takes up what is read.
 */
size_t work_pass(const struct work *work, const struct work_area *area, uint64_t pass, const struct worker *worker,
	uint64_t *sum);

/* What is in the memory before the first pass. Every page is written to, so that it is there. */
enum work_fill { WORK_FILL_TOUCH, WORK_FILL_ZERO, WORK_FILL_RANDOM };
void work_fill(enum work_fill fill, char *memory, size_t bytes);

#endif
