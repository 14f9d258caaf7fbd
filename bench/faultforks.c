// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who is to wait reads from a pipe until the other, who alone can write, closes it; so does its death, of which
 * worker_reap then tells.
 */
#include "faultforks.h"

#include <errno.h>
#include <unistd.h>

#include "faultround.h"

void forks_check(struct run *run, const struct fault_plan *plan)
{
	run_need(run, NEED_DESCRIPTORS, 2 * plan->regions);
	run_need(run, NEED_TASKS, plan->regions);
}

static void await_close(int fd)
{
	char byte;

	while (read(fd, &byte, 1) < 0)
		if (errno != EINTR)
			die_errno("read");
}

/* True in the child. Making the pipe is not part of the price. */
static bool fork_with_pipe(struct faulter *faulter)
{
	xpipe(faulter->region->ends);
	worker_lap(faulter->worker, PHASE_OTHER);
	faulter->region->child = worker_fork(faulter->worker);
	return faulter->region->child == 0;
}

void forks_toucher(struct faulter *faulter)
{
	if (!fork_with_pipe(faulter))
		return;
	/* The child's first lap takes its first faults: on the stack, and on the shared memory where laps are kept. */
	worker_lap(faulter->worker, PHASE_OTHER);
	round_touch_part(faulter);
	xclose(faulter->region->ends[1]);
	_exit(EXIT_DONE);
}

void forks_reap_toucher(struct faulter *faulter)
{
	struct region *region = faulter->region;

	xclose(region->ends[1]);
	await_close(region->ends[0]);
	xclose(region->ends[0]);
	worker_lap(faulter->worker, PHASE_OTHER);
	worker_reap(faulter->worker, region->child);
}

void forks_holder(struct faulter *faulter)
{
	if (!fork_with_pipe(faulter))
		return;
	xclose(faulter->region->ends[1]);
	await_close(faulter->region->ends[0]);
	_exit(EXIT_DONE);
}

void forks_reap_holder(struct faulter *faulter)
{
	xclose(faulter->region->ends[1]);
	xclose(faulter->region->ends[0]);
	worker_reap(faulter->worker, faulter->region->child);
}

void forks_leaver(struct faulter *faulter)
{
	int child = worker_fork(faulter->worker);

	if (child == 0)
		_exit(EXIT_DONE);
	worker_lap(faulter->worker, PHASE_MAP);
	worker_reap(faulter->worker, child);
	worker_lap(faulter->worker, PHASE_RELEASE);
}
