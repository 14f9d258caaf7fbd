// SPDX-License-Identifier: GPL-2.0-only
#include "faultround.h"

void round_touch_part(struct faulter *faulter)
{
	struct worker *worker = faulter->worker;
	struct worker_usage before = worker_usage_now(), after;

	worker_lap(worker, PHASE_OTHER);
	faulter->region->plan->pattern->touch(&faulter->walk);
	worker_lap(worker, PHASE_TOUCH);
	after = worker_usage_now();
	worker->slot->counts[COUNT_TOUCH_MINOR] += after.minor_faults - before.minor_faults;
	worker->slot->counts[COUNT_TOUCH_MAJOR] += after.major_faults - before.major_faults;
}

void round_map(struct faulter *faulter)
{
	const struct fault_pattern *pattern = faulter->region->plan->pattern;
	struct worker *worker = faulter->worker;
	uint64_t before;

	if (pattern->renew)
		pattern->renew(faulter->region);
	if (!pattern->map)
		return;
	before = worker_usage_now().minor_faults;
	worker_lap(worker, PHASE_OTHER);
	pattern->map(faulter);
	worker_lap(worker, pattern->releases_in_map ? PHASE_OTHER : PHASE_MAP);
	worker->slot->counts[COUNT_MAP_FAULTS] += worker_usage_now().minor_faults - before;
}

void round_touch(struct faulter *faulter)
{
	const struct fault_pattern *pattern = faulter->region->plan->pattern;

	if (pattern->arm)
		pattern->arm(&faulter->walk);
	if (!pattern->child_only)
		round_touch_part(faulter);
}

void round_release(struct faulter *faulter)
{
	const struct fault_pattern *pattern = faulter->region->plan->pattern;

	if (!pattern->release)
		return;
	worker_lap(faulter->worker, PHASE_OTHER);
	pattern->release(faulter);
	worker_lap(faulter->worker, PHASE_RELEASE);
}
