// SPDX-License-Identifier: GPL-2.0-only
#include "faultreport.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "memfacts.h"
#include "units.h"

/* What a worker may take of its own in a round, on its stack and code, without a word. */
#define STRAY_FAULTS 8

struct tally {
	uint64_t touches, minor, major; /* faults of the touch phase */
	uint64_t faults, fault_ns;      /* of the phase that has the faults */
	uint64_t map_ns, touch_ns, release_ns;
	uint64_t cpu_ns; /* of touchers, and of those who answer them */
	uint64_t served;
	uint64_t writer_rounds, writer_faults, writer_ns;
	double rate; /* the sum of what each worker did in its own time */
};

static void add_slot(struct tally *tally, const struct worker_slot *slot, bool in_map)
{
	uint64_t minor = slot->counts[COUNT_TOUCH_MINOR], major = slot->counts[COUNT_TOUCH_MAJOR];
	uint64_t faults = in_map ? slot->counts[COUNT_MAP_FAULTS] : minor + major;
	uint64_t ns = slot->laps_ns[in_map ? PHASE_MAP : PHASE_TOUCH];

	tally->minor += minor;
	tally->major += major;
	tally->faults += faults;
	tally->fault_ns += ns;
	tally->map_ns += slot->laps_ns[PHASE_MAP];
	tally->touch_ns += slot->laps_ns[PHASE_TOUCH];
	tally->release_ns += slot->laps_ns[PHASE_RELEASE];
	tally->rate += ns ? (double)faults * (double)NSEC_PER_SEC / (double)ns : 0;
	tally->served += slot->counts[COUNT_SERVED];
}

static struct tally tally_slots(const struct run *run, const struct fault_plan *plan)
{
	struct tally tally = { .touches = run_operations(run) };

	for (unsigned i = 0; i < run_worker_count(run); i++) {
		const struct worker_slot *slot = run_slot(run, i);

		if (slot->operations || slot->counts[COUNT_SERVED]) {
			add_slot(&tally, slot, plan->pattern->relation == FAULT_IN_MAP);
			tally.cpu_ns += slot->used.user_ns + slot->used.sys_ns;
		} else {
			tally.writer_rounds += slot->counts[COUNT_WRITER_ROUNDS];
			tally.writer_faults += slot->counts[COUNT_WRITER_FAULTS];
			tally.writer_ns += slot->end_ns - slot->start_ns;
		}
	}
	return tally;
}

/*
 * How many touches a fault is for, where that is known, and the words that say what it is where it is not one. How much
 * the kernel maps around a page of a file depends on fault_around_bytes and, since 6.18, on the folios that it chose; how
 * much an anonymous fault gives, on the sizes of huge pages that are enabled: only seen, not known.
 */
struct expectation {
	bool at_most;
	uint64_t touches;
	char why[120];
};

static uint64_t touches_seen(const struct tally *tally, uint64_t faults)
{
	return faults ? (tally->touches + faults / 2) / faults : 1;
}

static bool at_most(const struct fault_plan *plan)
{
	return plan->pattern->relation == FAULT_AROUND || (plan->thp != THP_NEVER && !plan->huge_size);
}

#define WHY(...) snprintf(expected.why, sizeof(expected.why), __VA_ARGS__)

static struct expectation expect(const struct tally *tally, const struct fault_plan *plan)
{
	struct expectation expected = { .at_most = at_most(plan), .touches = 1 };
	uint64_t seen = touches_seen(tally, tally->faults);
	char size[UNITS_TEXT];

	switch (plan->pattern->relation) {
	case FAULT_EACH:
		if (expected.at_most && seen > 1)
			WHY(": 1 in %" PRIu64 ", a fault may give a huge page", seen);
		break;
	case FAULT_EACH_HUGE:
		expected.touches = plan->huge_size / plan->page_size;
		WHY(": 1 in %" PRIu64 ", a fault gives %s", expected.touches, units_format_size(size, plan->huge_size));
		break;
	case FAULT_AROUND:
		if (seen > 1)
			WHY(": 1 in %" PRIu64 ", the kernel maps pages around it", seen);
		break;
	case FAULT_IN_MAP:
		WHY("; %" PRIu64 " inside mmap: ns/fault is map time per page populated", tally->faults);
		break;
	case FAULT_MAJOR:
		WHY(": a major one waits for a read of the file");
		break;
	case FAULT_SERVED:
		WHY("; %" PRIu64 " answered by a thread", tally->served);
		break;
	case FAULT_SWAPPED:
		seen = touches_seen(tally, tally->major);
		if (seen > 1)
			WHY(": 1 in %" PRIu64 " reads from swap, and its neighbours too", seen);
		break;
	}
	return expected;
}

static bool differ(uint64_t a, uint64_t b, uint64_t slack)
{
	return (a > b ? a - b : b - a) > slack;
}

/* Faults of the other kind than the pattern is about. */
static void compare_kinds(struct run *run, const struct tally *tally, enum fault_relation relation, uint64_t slack)
{
	if (relation == FAULT_MAJOR && tally->minor > slack)
		run_remark(run, "warning: %" PRIu64 " faults found their page in the page cache", tally->minor);
	else if (relation == FAULT_SWAPPED && !tally->major)
		run_remark(run, "warning: no page was read from swap: those that were put out were still at hand");
	else if (relation == FAULT_SERVED && differ(tally->served, tally->touches, 0))
		run_remark(run, "warning: a thread answered %" PRIu64 " faults for %" PRIu64 " touches", tally->served,
			tally->touches);
	else if (relation < FAULT_MAJOR && tally->major > slack)
		run_remark(run, "warning: %" PRIu64 " faults had to wait for a disk", tally->major);
}

static void compare(struct run *run, const struct tally *tally, enum fault_relation relation,
	const struct expectation *expected, uint64_t rounds)
{
	uint64_t faults = tally->touches / expected->touches;
	uint64_t slack = STRAY_FAULTS * rounds + faults / 1000;

	if (expected->at_most && (!tally->faults || tally->faults > tally->touches + slack))
		run_remark(run,
			"warning: %" PRIu64 " faults for %" PRIu64 " touches, where at most one each was expected",
			tally->faults, tally->touches);
	if (!expected->at_most && differ(tally->faults, faults, slack))
		run_remark(run, "warning: %" PRIu64 " faults for %" PRIu64 " touches, where %" PRIu64 " were expected",
			tally->faults, tally->touches, faults);
	if (relation == FAULT_IN_MAP && tally->minor + tally->major > slack)
		run_remark(run, "warning: %" PRIu64 " faults in touches of memory that should have been there",
			tally->minor + tally->major);
	compare_kinds(run, tally, relation, slack);
}

static double ratio(double a, double b)
{
	return b > 0 ? a / b : (double)NAN;
}

static void add_metrics(struct run *run, const struct tally *tally, const struct fault_pattern *pattern)
{
	double faults = (double)tally->faults, touches = (double)tally->touches;
	double map = pattern->map ? ratio((double)tally->map_ns, touches) : (double)NAN;
	bool releases = pattern->release || pattern->releases_in_map;
	double release = releases ? ratio((double)tally->release_ns, touches) : (double)NAN;

	run_metric_shown(run, "ns/fault", ratio((double)tally->fault_ns, faults), BETTER_LOWER);
	run_metric_shown(run, "faults/s", tally->rate, BETTER_HIGHER);
	run_metric_shown(
		run, "faults/cpu-sec", ratio(faults * (double)NSEC_PER_SEC, (double)tally->cpu_ns), BETTER_HIGHER);
	run_metric_shown(run, "map-ns/page", map, BETTER_LOWER);
	run_metric(run, "touch-ns/page", ratio((double)tally->touch_ns, touches), BETTER_LOWER);
	run_metric_shown(run, "unmap-ns/page", release, BETTER_LOWER);
	run_metric(run, "faults", faults, BETTER_NONE);
}

static void add_writer(struct run *run, const struct tally *tally, uint64_t asked)
{
	double achieved = ratio((double)tally->writer_rounds * (double)NSEC_PER_SEC, (double)tally->writer_ns);

	run_note(run,
		"writer: %" PRIu64 " rounds of mapping, protecting and unmapping, %.0f/s of %" PRIu64 "/s, and %" PRIu64
		" faults of its own",
		tally->writer_rounds, achieved, asked, tally->writer_faults);
	run_metric_shown(run, "writer-rounds/s", achieved, BETTER_NONE);
	run_metric(run, "writer-faults", (double)tally->writer_faults, BETTER_NONE);
}

void fault_report(struct run *run, const struct fault_plan *plan)
{
	struct tally tally = tally_slots(run, plan);
	struct expectation expected = expect(&tally, plan);
	char major[48] = "";

	if (tally.major)
		snprintf(major, sizeof(major), ", %" PRIu64 " major fault%s", tally.major, tally.major == 1 ? "" : "s");
	run_note(run, "%" PRIu64 " touches, %" PRIu64 " minor fault%s%s%s", tally.touches, tally.minor,
		tally.minor == 1 ? "" : "s", major, expected.why);
	if (plan->thp != THP_NEVER)
		run_note(run, "thp_fault_alloc of the whole machine rose by %" PRIu64,
			memfacts_count("", "thp_fault_alloc") - plan->thp_before);
	compare(run, &tally, plan->pattern->relation, &expected, tally.touches / (plan->bytes / plan->page_size));
	run_remark_turns(run, plan->workers, "faults/s");
	add_metrics(run, &tally, plan->pattern);
	if (plan->writer)
		add_writer(run, &tally, plan->writer);
}
