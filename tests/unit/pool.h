// SPDX-License-Identifier: GPL-2.0-only
/* A pool in a process that stands for the run process, and what is found in it: for the tests of util/workers. */
#ifndef KBENCH_TEST_POOL_H
#define KBENCH_TEST_POOL_H

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "die.h"
#include "test.h"
#include "workers.h"
#include "wrap.h"

#define DEADLINE_SECONDS 100 /* of a pool: a hang is a failure, and no test waits for less than it needs */

/* Runs body as the process of a run. Returned: its exit status, or 128 + signal; *text: its last words, or NULL. */
static inline int run_process(void (*body)(void *), void *arg, const char **text, int *said)
{
	struct failure *failure = xmmap(sizeof(*failure), true);
	int status;
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (pid == 0) {
		sigset_t set;

		sigemptyset(&set);
		sigaddset(&set, SIGCHLD);
		sigaddset(&set, SIGUSR1);
		sigprocmask(SIG_BLOCK, &set, NULL);
		die_into(failure);
		alarm(DEADLINE_SECONDS);
		body(arg);
		_exit(EXIT_DONE);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	*text = failure_text(failure, said);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static inline struct pool *pool_of(unsigned count, const struct spawn *spawn)
{
	struct pool *pool = pool_new(count * (spawn->threads ? spawn->threads : 1));

	for (unsigned i = 0; i < count; i++)
		pool_spawn(pool, spawn);
	return pool;
}

static inline uint64_t run_pool(struct pool *pool, uint64_t runtime_ns)
{
	uint64_t gate_ns;

	pool_wait_ready(pool);
	gate_ns = pool_release(pool);
	pool_wait_end(pool, runtime_ns);
	return gate_ns;
}

/* What a body finds: read by the test after the process has ended. */
struct found {
	unsigned count;
	uint64_t gate_ns, end_ns;
	int owner;
	struct worker_slot slots[16];
	unsigned indices[16], threads[16]; /* as the workers saw themselves */
	const void *args[16];
	int child;
};

static inline struct found *found_new(void)
{
	return xmmap(sizeof(struct found), true);
}

static inline void keep_slots(struct found *found, const struct pool *pool)
{
	found->end_ns = clock_now();
	found->owner = getpid();
	found->count = pool_count(pool);
	for (unsigned i = 0; i < found->count; i++)
		found->slots[i] = *pool_slot(pool, i);
}

/* A pool that is expected to work: spawned as often as asked, run, and looked at. */
struct plan {
	struct spawn spawn;
	unsigned count;
	uint64_t runtime_ns;
	struct found *found;
};

static inline void run_plan(void *arg)
{
	struct plan *plan = arg;
	struct pool *pool = pool_of(plan->count, &plan->spawn);

	plan->found->gate_ns = run_pool(pool, plan->runtime_ns);
	keep_slots(plan->found, pool);
}

#endif
