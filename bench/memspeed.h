// SPDX-License-Identifier: GPL-2.0-only
/* What benchmarks of bytes a second share: how long they run, what they time and what they count. */
#ifndef KBENCH_MEMSPEED_H
#define KBENCH_MEMSPEED_H

#include "bench.h"
#include "counters.h"

#define OPT_CYCLES(p) OPT_FLAG('c', "cycles", (p), "measure cycles a byte, with the counter of the CPU")
#define OPT_PASSES(p) OPT_COUNT('l', "nr_loops", (p), 0, OPT_MAX, "passes; 0 is as many as a steady figure takes")

/* What the time of a worker is charged to. */
enum {
	MEMSPEED_TIMED,
	MEMSPEED_FIRST, /* the part of the timed before it, where a benchmark tells two apart */
	MEMSPEED_AFTER, /* what comes after stop, where that is told */
	MEMSPEED_BETWEEN,
};

#define MEMSPEED_COUNTS 2 /* of worker_slot, taken here; those behind are free */

/* In check: events ("cycles:u") must be what this machine counts; otherwise a skip with the reason. */
void memspeed_check(const char *events);

/* In setup: without a number of passes (0) workers stop after a time in which the speed is steady. */
void memspeed_limit(struct run *run, uint64_t passes);

/* What a worker times: from start to stop. */
struct memspeed {
	struct worker *worker;
	struct events *events;
	struct counters *counters; /* NULL: none */
};

/* Before worker_ready. events is NULL where only the time is wanted. */
void memspeed_init(struct memspeed *speed, struct worker *worker, const char *events);
void memspeed_start(struct memspeed *speed);
void memspeed_stop(struct memspeed *speed);

/* After worker_done: leaves what was counted in the slot. */
void memspeed_release(struct memspeed *speed);

/* Whether another pass is to be made: passes is 0 for as many as there is time for, of which one is made always. */
bool memspeed_goes_on(const struct worker *worker, uint64_t done, uint64_t passes);

/* In report: B/s, the sum of the bytes of each worker (its operations) over its timed part; and cycles/byte, where they were counted. */
void memspeed_report(struct run *run, bool cycles);

/* For headline_now. */
const char *memspeed_headline(bool cycles);

#endif
