// SPDX-License-Identifier: GPL-2.0-only
/* What the two halves of util/workers.h know of each other: workers.c makes the tasks, worker.c is called by them. */
#ifndef KBENCH_WORKERS_INTERNAL_H
#define KBENCH_WORKERS_INTERNAL_H

#include <pthread.h>
#include <sys/types.h>

#include "workers.h"

/* What all tasks of the run share. The gate is read once by each; the counters move before it and after the end. */
struct shared {
	_Alignas(CACHE_LINE) atomic_uint gate;
	_Alignas(CACHE_LINE) atomic_uint stop;
	_Alignas(CACHE_LINE) atomic_uint ready, done;
	atomic_uint started;
	atomic_uint expected; /* 0 until all are spawned */
	struct worker_slot slots[];
};

struct pool {
	struct shared *shared;
	unsigned max, count;
	unsigned processes; /* not reaped yet */
	pid_t owner;
	pthread_t *threads; /* of the run process itself */
	unsigned thread_count;
	void (*explain)(const void *arg, unsigned started); /* see pool_on_refusal */
	const void *explain_arg;
};

/* Before a fork or thread that was refused is told as such: calls explain where errno says that it was for a limit. */
void pool_explain_refusal(const struct pool *pool);

#endif
