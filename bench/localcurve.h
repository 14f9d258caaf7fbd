// SPDX-License-Identifier: GPL-2.0-only
/* The share of a task's pages that are on its node, over time: how fast automatic NUMA balancing brings them there. */
#ifndef KBENCH_LOCALCURVE_H
#define KBENCH_LOCALCURVE_H

#include "bench.h"

#define LOCALCURVE_POINTS 900 /* at most, the one at the start included: a metric each */
#define LOCALCURVE_GOAL   90  /* percent */

struct localpoint {
	uint64_t at_ns;  /* since the start */
	uint64_t local;  /* pages on the node */
	uint64_t untold; /* pages that the kernel did not tell of: they are where they were last */
	bool taken;      /* false: the task came too late for it */
};

/* Point i was due at i * interval_ns. */
struct localcurve {
	uint64_t interval_ns, pages;
	size_t count;
	const struct localpoint *points;
};

/* Percent of the pages; NAN: not taken. */
double localcurve_percent(const struct localcurve *curve, size_t i);

/* Seconds to the first point with so many percent; NAN: there is none. */
double localcurve_reached(const struct localcurve *curve, double percent);

/* Percent, over the time from the first point to the last: what was found at a point holds until the next one taken. */
double localcurve_mean(const struct localcurve *curve);

/*
 * In report: notes that draw it, in few lines however many points there are, metrics of all points, of the mean, the last and of the time to the goal, and a remark where that was not reached, points are missing or pages were not told of.
 */
void localcurve_report(const struct localcurve *curve, struct run *run);

/* The number of a line "KEY N" of /proc/vmstat; NAN: there is no such line, or no text. */
double vmstat_value(const char *text, const char *key);

/*
 * Why the kernel balances no memory between nodes, by the text of /proc/sys/kernel/numa_balancing (NULL: there is no
 * such file); NULL: it does.
 */
const char *balancing_is_off(const char *text);

#endif
