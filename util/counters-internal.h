// SPDX-License-Identifier: GPL-2.0-only
/* What the files of util/counters share, and what their tests look at. */
#ifndef KBENCH_COUNTERS_INTERNAL_H
#define KBENCH_COUNTERS_INTERNAL_H

#include "counters.h"

struct event {
	char *name;    /* as typed */
	char *what;    /* the same for all words of one event, without the modifier */
	uint32_t type; /* PERF_TYPE_ */
	uint64_t config;
	bool only_user, only_kernel;
	char *reason; /* why it cannot be counted, where that is known before it is opened; else NULL */
};

/* Is it task-clock? */
bool event_is_clock(const struct event *event);

/* events_parse with tracefs looked for under a root directory. */
struct events *events_parse_under(const char *root, const char *list);

const struct event *events_get(const struct events *events, size_t i);

/*
 * Finds the number of a tracepoint, "sched:sched_switch". Returned: NULL, or why there is none, on the heap. The name has
 * been held against tracepoint_named.
 */
char *tracepoint_find(const char *root, const char *name, uint64_t *id);

/* Has this the form of a tracepoint's name: two words with one colon between? */
bool tracepoint_named(const char *name);

/* What one event's file says, as the kernel lays it out. The times are sums over all tasks. */
struct counter_reading {
	uint64_t count, enabled_ns, running_ns;
};

struct counter_value counter_scale(const struct counter_reading *reading);

/* Why an event that perf_event_open refused with this errno is not counted, on the heap. */
char *counter_refusal(const char *root, int error);

#endif
