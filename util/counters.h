// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel and hardware counters (perf_event_open) over the measured region. Opened on the run process before it has
 * workers, which inherit them; enabled when the gate opens; read after the last worker has ended.
 */
#ifndef KBENCH_COUNTERS_H
#define KBENCH_COUNTERS_H

#include "base.h"

/* What the words of -e name. */
struct events;

/*
 * Parses a list such as "cycles,instructions:u,r01c2,sched:sched_switch"; usage() for a word that is none (with the
 * nearest known one), an empty one, and an event that is named twice, be it by an alias. The tracepoint's number is read
 * from tracefs when the list is parsed; one that has none there is an event that is not supported, with the reason.
 *
 * task-clock takes no modifier, since the kernel counts all of it whatever is asked. Of an event that happens in the
 * kernel only, such as context-switches, ":u" counts none.
 */
struct events *events_parse(const char *list);
void events_free(struct events *events);
size_t events_count(const struct events *events);

/* As typed: "instructions:u". */
const char *events_name(const struct events *events, size_t i);

/* "ns", or NULL where the value is how often something happened. */
const char *events_unit(const struct events *events, size_t i);

/* For a help page: the words for events but raw ones and tracepoints, an alias after its event; NULL after the last. */
const char *events_known(size_t i);

/* Open counters of one run. */
struct counters;

/*
 * Opens all events on the calling thread, inherited by what it forks and the threads it creates from now on, disabled.
 * One that the machine does not have or does not permit is no error: its value is NAN and its reason is said. events
 * must outlive the counters.
 */
struct counters *counters_open(const struct events *events);

/* For the caller and all that have inherited, also those that exist already. What regions count is added up. */
void counters_enable(struct counters *counters);
void counters_disable(struct counters *counters);

struct counter_value {
	double value;   /* NAN: not counted; scaled to the whole region where the event was multiplexed */
	double running; /* part of the region that it was counted in, 0 to 1; below 1 the value is an estimate */
	const char *
		reason; /* of a NAN: "not supported by this machine", "not permitted (perf_event_paranoid is 2)"; else NULL */
};

/*
 * After counters_disable. A region in which none of the tasks ran has the value 0. The reason of an event that could
 * not be opened is there from the start. It is valid until counters_close.
 */
struct counter_value counters_read(struct counters *counters, size_t i);
/* What is to be said of a value, made in text; NULL: nothing, all of it was counted. */
#define COUNTER_REMARK 200
const char *counter_remark(char text[COUNTER_REMARK], const struct counter_value *value);

void counters_close(struct counters *counters);

#endif
