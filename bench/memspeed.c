// SPDX-License-Identifier: GPL-2.0-only
#include "memspeed.h"

#include <math.h>

/* Long beside the clock, a wake-up and an interrupt; short for whoever waits for six functions. */
#define STEADY_NS (200 * NSEC_PER_MSEC)

enum { COUNT_CYCLES, COUNT_MISSED };

void memspeed_check(const char *list)
{
	struct events *events = events_parse(list);
	struct counters *counters = counters_open(events);
	struct counter_value value = counters_read(counters, 0);

	if (value.reason)
		skip("--cycles: %s", value.reason);
	counters_close(counters);
	events_free(events);
}

void memspeed_limit(struct run *run, uint64_t passes)
{
	run->runtime_ns = passes ? 0 : STEADY_NS;
}

void memspeed_init(struct memspeed *speed, struct worker *worker, const char *events)
{
	*speed = (struct memspeed){ .worker = worker };
	if (!events)
		return;
	speed->events = events_parse(events);
	speed->counters = counters_open(speed->events);
}

void memspeed_start(struct memspeed *speed)
{
	if (speed->counters)
		counters_enable(speed->counters);
	worker_lap(speed->worker, MEMSPEED_BETWEEN);
}

void memspeed_stop(struct memspeed *speed)
{
	worker_lap(speed->worker, MEMSPEED_TIMED);
	if (speed->counters)
		counters_disable(speed->counters);
}

void memspeed_release(struct memspeed *speed)
{
	struct worker_slot *slot = speed->worker->slot;
	struct counter_value value;

	if (!speed->counters)
		return;
	value = counters_read(speed->counters, 0);
	slot->counts[COUNT_MISSED] = !isfinite(value.value);
	slot->counts[COUNT_CYCLES] = isfinite(value.value) ? (uint64_t)value.value : 0;
	counters_close(speed->counters);
	events_free(speed->events);
}

bool memspeed_goes_on(const struct worker *worker, uint64_t done, uint64_t passes)
{
	return passes ? done < passes : done == 0 || !worker_stopping(worker);
}

void memspeed_report(struct run *run, bool cycles)
{
	uint64_t counted = 0, missed = 0;
	double speed = 0;

	for (unsigned i = 0; i < run_worker_count(run); i++) {
		const struct worker_slot *slot = run_slot(run, i);

		uint64_t ns = slot->laps_ns[MEMSPEED_FIRST] + slot->laps_ns[MEMSPEED_TIMED];

		speed += ns ? (double)slot->operations * (double)NSEC_PER_SEC / (double)ns : (double)NAN;
		counted += slot->counts[COUNT_CYCLES];
		missed += slot->counts[COUNT_MISSED];
	}
	run_metric(run, "B/s", speed, BETTER_HIGHER);
	if (cycles)
		run_metric(run, "cycles/byte", missed ? (double)NAN : (double)counted / (double)run_operations(run),
			BETTER_LOWER);
}

const char *memspeed_headline(bool cycles)
{
	return cycles ? "cycles/byte" : "B/s";
}
