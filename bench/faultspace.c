// SPDX-License-Identifier: GPL-2.0-only
#include "faultspace.h"

#include <errno.h>
#include <pthread.h>
#include <sys/prctl.h>

#include "faultregion.h"
#include "faultround.h"
#include "faultserver.h"
#include "faultwriter.h"

/* What the threads of a process share. */
struct space {
	struct fault_plan plan;
	struct region carved;
	pthread_barrier_t barrier;
	bool last_round;      /* carved: said by the first thread, before the barrier that ends a round */
	atomic_uint touching; /* threads that have not yet done so */
	int ends[2];          /* a pipe; there is something to read when none is left: the helpers' end */
};

unsigned space_helpers(const struct fault_plan *plan)
{
	return plan->pattern->served + (plan->writer > 0);
}

static void space_init(struct space *space)
{
	struct fault_plan *plan = &space->plan;

	atomic_store(&space->touching, plan->threads);
	if (plan->pattern->served)
		plan->server = server_open();
	if (space_helpers(plan))
		xpipe(space->ends);
	if (!plan->carved)
		return;
	region_init(&space->carved, plan, (size_t)plan->largest);
	errno = pthread_barrier_init(&space->barrier, NULL, plan->threads);
	if (errno)
		die_errno("pthread_barrier_init");
}

static void prepare(struct worker *first)
{
	struct space *space = xcalloc(1, sizeof(*space));
	const struct fault_plan *plan = first->arg;

	space->plan = *plan;
	first->arg = space;
	/*
	 * For the whole process and beforehand: an madvise would come after the faults that mmap takes for populate.
	 * An emulator does not know it; the faults that are counted tell what pages there were.
	 */
	if (prctl(PR_SET_THP_DISABLE, plan->thp == THP_NEVER ? 1L : 0L, 0L, 0L, 0L) < 0 && errno != EINVAL)
		die_errno("prctl PR_SET_THP_DISABLE");
	space_init(space);
}

static bool is_last(const struct faulter *faulter, uint64_t round)
{
	uint64_t rounds = faulter->region->plan->rounds;

	return rounds ? round == rounds : worker_stopping(faulter->worker);
}

/* Both return how many rounds there were. */

static uint64_t rounds_own(struct faulter *faulter)
{
	uint64_t round = 0;

	do {
		round_map(faulter);
		round_touch(faulter);
		round_release(faulter);
	} while (!is_last(faulter, ++round));
	return round;
}

/* The first thread maps and releases for all, and says when it is enough. */
static uint64_t rounds_carved(struct faulter *faulter, struct space *space)
{
	bool leads = faulter->worker->thread == 0, last;
	uint64_t round = 0;

	do {
		if (leads)
			round_map(faulter);
		pthread_barrier_wait(&space->barrier);
		round_touch(faulter);
		round++;
		if (leads)
			space->last_round = is_last(faulter, round);
		pthread_barrier_wait(&space->barrier);
		last = space->last_round;
		if (leads)
			round_release(faulter);
	} while (!last);
	return round;
}

/* A stack grows downwards, so that is the order in which it is touched one page after the other. */
static void turn(struct page_order *order)
{
	if (order->kind == ORDER_SEQ)
		order->kind = ORDER_REVERSE;
	else if (order->kind == ORDER_REVERSE)
		order->kind = ORDER_SEQ;
}

static void faulter_init(struct faulter *faulter, struct worker *worker, struct space *space, struct region *own)
{
	const struct fault_plan *plan = &space->plan;
	struct page_order order = plan->order;
	size_t bytes = (size_t)plan->bytes;

	if (!plan->carved)
		region_init(own, plan, bytes);
	*faulter = (struct faulter){ .worker = worker, .region = plan->carved ? &space->carved : own };
	faulter->walk = (struct page_walk){
		.base = faulter->region->base + (plan->carved ? worker->thread * bytes : 0),
		.pages = bytes / plan->page_size,
		.page_size = plan->page_size,
	};
	if (plan->pattern->downwards)
		turn(&order);
	walk_init(&faulter->walk, &order, plan->seed + worker->index);
}

static void touch(struct worker *worker, struct space *space)
{
	struct faulter faulter;
	struct region own;
	uint64_t rounds;

	faulter_init(&faulter, worker, space, &own);
	worker_ready(worker);
	rounds = space->plan.carved ? rounds_carved(&faulter, space) : rounds_own(&faulter);
	worker_done(worker, rounds * faulter.walk.pages);
	if (atomic_fetch_sub(&space->touching, 1) == 1 && space_helpers(&space->plan))
		xwrite_all(space->ends[1], "", 1);
}

static void work(struct worker *worker)
{
	struct space *space = worker->arg;
	const struct fault_plan *plan = &space->plan;

	if (worker->thread < plan->threads)
		touch(worker, space);
	else if (worker->thread == plan->threads && plan->pattern->served)
		server_work(worker, plan, space->ends[0]);
	else
		writer_work(worker, plan->writer, space->ends[0]);
}

void space_spawn(struct run *run, struct fault_plan *plan)
{
	struct spawn spawn = {
		.role = "toucher",
		.work = work,
		.arg = plan,
		.threads = plan->threads + space_helpers(plan),
		.prepare = prepare,
	};

	run_spawn(run, &spawn);
}
