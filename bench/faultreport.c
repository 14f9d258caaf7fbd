// SPDX-License-Identifier: GPL-2.0-only
#include "faultreport.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "units.h"

/* What a worker may take of its own in a round, on its stack and code, without a word. */
#define STRAY_FAULTS 8

struct tally {
	uint64_t touches, minor, major; /* faults of the touch phase */
	uint64_t faults, fault_ns;      /* of the phase that has the faults */
	uint64_t map_ns, touch_ns, release_ns;
	double rate; /* the sum of what each worker did in its own time */
};

static struct tally tally_slots(const struct run *run, const struct fault_pattern *pattern)
{
	bool in_map = pattern->relation == FAULT_IN_MAP;
	struct tally tally = { .touches = run_operations(run) };

	for (unsigned i = 0; i < run_worker_count(run); i++) {
		const struct worker_slot *slot = run_slot(run, i);
		uint64_t minor = slot->counts[COUNT_TOUCH_MINOR], major = slot->counts[COUNT_TOUCH_MAJOR];
		uint64_t faults = in_map ? slot->counts[COUNT_MAP_FAULTS] : minor + major;
		uint64_t ns = slot->laps_ns[in_map ? PHASE_MAP : PHASE_TOUCH];

		tally.minor += minor;
		tally.major += major;
		tally.faults += faults;
		tally.fault_ns += ns;
		tally.map_ns += slot->laps_ns[PHASE_MAP];
		tally.touch_ns += slot->laps_ns[PHASE_TOUCH];
		tally.release_ns += slot->laps_ns[PHASE_RELEASE];
		tally.rate += ns ? (double)faults * (double)NSEC_PER_SEC / (double)ns : 0;
	}
	return tally;
}

/*
 * How many touches a fault is for, and the words that say so where it is not one. How much the kernel maps around a
 * page of a file depends on fault_around_bytes and, since 6.18, on the folios that it chose: only seen, not known.
 */
struct expectation {
	uint64_t touches;
	char why[120];
};

static struct expectation expect(
	const struct tally *tally, const struct fault_pattern *pattern, size_t page_size, size_t huge_size)
{
	struct expectation expected = { .touches = 1 };
	char size[UNITS_TEXT];

	switch (pattern->relation) {
	case FAULT_EACH:
		break;
	case FAULT_EACH_HUGE:
		expected.touches = huge_size / page_size;
		snprintf(expected.why, sizeof(expected.why), ": 1 in %" PRIu64 ", a fault gives %s", expected.touches,
			units_format_size(size, huge_size));
		break;
	case FAULT_AROUND:
		expected.touches = tally->faults ? (tally->touches + tally->faults / 2) / tally->faults : 1;
		if (expected.touches > 1)
			snprintf(expected.why, sizeof(expected.why),
				": 1 in %" PRIu64 ", the kernel maps pages around it", expected.touches);
		break;
	case FAULT_IN_MAP:
		snprintf(expected.why, sizeof(expected.why),
			"; %" PRIu64 " inside mmap: ns/fault is map time per page populated", tally->faults);
		break;
	}
	return expected;
}

static bool differ(uint64_t a, uint64_t b, uint64_t slack)
{
	return (a > b ? a - b : b - a) > slack;
}

static void compare(struct run *run, const struct tally *tally, const struct fault_pattern *pattern,
	const struct expectation *expected, uint64_t rounds)
{
	uint64_t faults = tally->touches / expected->touches;
	uint64_t slack = STRAY_FAULTS * rounds + faults / 1000;

	if (pattern->relation != FAULT_AROUND && differ(tally->faults, faults, slack))
		run_remark(run, "warning: %" PRIu64 " faults for %" PRIu64 " touches, where %" PRIu64 " were expected",
			tally->faults, tally->touches, faults);
	if (pattern->relation == FAULT_AROUND && (!tally->faults || tally->faults > tally->touches + slack))
		run_remark(run,
			"warning: %" PRIu64 " faults for %" PRIu64 " touches, where at most one each was expected",
			tally->faults, tally->touches);
	if (pattern->relation == FAULT_IN_MAP && tally->minor + tally->major > slack)
		run_remark(run, "warning: %" PRIu64 " faults in touches of memory that should have been there",
			tally->minor + tally->major);
	if (tally->major > slack)
		run_remark(run, "warning: %" PRIu64 " faults had to wait for a disk", tally->major);
}

static double ratio(double a, double b)
{
	return b > 0 ? a / b : (double)NAN;
}

static void add_metrics(struct run *run, const struct tally *tally, bool maps)
{
	struct worker_usage used = run_usage(run);
	double faults = (double)tally->faults, touches = (double)tally->touches;
	double cpu_ns = (double)(used.user_ns + used.sys_ns);

	run_metric_shown(run, "ns/fault", ratio((double)tally->fault_ns, faults), BETTER_LOWER);
	run_metric_shown(run, "faults/s", tally->rate, BETTER_HIGHER);
	run_metric_shown(run, "faults/cpu-sec", ratio(faults * (double)NSEC_PER_SEC, cpu_ns), BETTER_HIGHER);
	run_metric_shown(run, "map-ns/page", maps ? ratio((double)tally->map_ns, touches) : (double)NAN, BETTER_LOWER);
	run_metric(run, "touch-ns/page", ratio((double)tally->touch_ns, touches), BETTER_LOWER);
	run_metric_shown(run, "unmap-ns/page", ratio((double)tally->release_ns, touches), BETTER_LOWER);
	run_metric(run, "faults", faults, BETTER_NONE);
}

void fault_report(
	struct run *run, const struct fault_pattern *pattern, size_t page_size, size_t huge_size, uint64_t loops)
{
	struct tally tally = tally_slots(run, pattern);
	struct expectation expected = expect(&tally, pattern, page_size, huge_size);
	char major[48] = "";

	if (tally.major)
		snprintf(major, sizeof(major), ", %" PRIu64 " major fault%s", tally.major, tally.major == 1 ? "" : "s");
	run_note(run, "%" PRIu64 " touches, %" PRIu64 " minor fault%s%s%s", tally.touches, tally.minor,
		tally.minor == 1 ? "" : "s", major, expected.why);
	compare(run, &tally, pattern, &expected, run_worker_count(run) * loops);
	add_metrics(run, &tally, pattern->map != NULL);
}
