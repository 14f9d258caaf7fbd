// SPDX-License-Identifier: GPL-2.0-only
#include "faultround.h"

#include <sys/resource.h>

static struct rusage usage_now(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_THREAD, &usage) < 0)
		die_errno("getrusage");
	return usage;
}

void round_touch_part(struct faulter *faulter)
{
	struct worker *worker = faulter->worker;
	struct rusage before = usage_now(), after;

	worker_lap(worker, PHASE_OTHER);
	faulter->region->plan->pattern->touch(&faulter->walk);
	worker_lap(worker, PHASE_TOUCH);
	after = usage_now();
	worker->slot->counts[COUNT_TOUCH_MINOR] += (uint64_t)(after.ru_minflt - before.ru_minflt);
	worker->slot->counts[COUNT_TOUCH_MAJOR] += (uint64_t)(after.ru_majflt - before.ru_majflt);
}

void round_map(struct faulter *faulter)
{
	const struct fault_pattern *pattern = faulter->region->plan->pattern;
	struct worker *worker = faulter->worker;
	long before;

	if (pattern->renew)
		pattern->renew(faulter->region);
	if (!pattern->map)
		return;
	before = usage_now().ru_minflt;
	worker_lap(worker, PHASE_OTHER);
	pattern->map(faulter);
	worker_lap(worker, pattern->releases_in_map ? PHASE_OTHER : PHASE_MAP);
	worker->slot->counts[COUNT_MAP_FAULTS] += (uint64_t)(usage_now().ru_minflt - before);
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
