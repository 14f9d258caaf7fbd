// SPDX-License-Identifier: GPL-2.0-only
#include "workers-internal.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "cpus.h"
#include "death.h"
#include "die.h"
#include "wrap.h"

/* Address space only: what a worker does not touch costs nothing. Sanitizers want some room. */
#define STACK_BYTES (256 * 1024)

/* How long the death that caused a worker's "the peer has closed" may take to reach us. */
#define ECHO_GRACE_NS (200 * NSEC_PER_MSEC)

struct pool *pool_new(unsigned max)
{
	struct pool *pool = xcalloc(1, sizeof(*pool));

	pool->shared = xmmap(sizeof(struct shared) + max * sizeof(struct worker_slot), true);
	pool->max = max;
	pool->owner = getpid();
	return pool;
}

unsigned pool_count(const struct pool *pool)
{
	return pool->count;
}

const struct worker_slot *pool_slot(const struct pool *pool, unsigned index)
{
	if (index >= pool->count)
		BUG("slot %u of %u", index, pool->count);
	return &pool->shared->slots[index];
}

/* The end of the owner. */

static const struct worker_slot *slot_of_process(const struct pool *pool, pid_t pid)
{
	for (unsigned i = 0; i < pool->count; i++)
		if (pool->shared->slots[i].pid == pid)
			return &pool->shared->slots[i];
	return NULL;
}

static noreturn void die_of_death(const struct pool *pool, pid_t pid, int status)
{
	const struct worker_slot *slot = slot_of_process(pool, pid);
	const char *role = slot ? slot->role : "child";
	unsigned index = slot ? (unsigned)(slot - pool->shared->slots) : 0;

	char text[DEATH_TEXT];

	if (WIFSIGNALED(status))
		die("%s %u (process %d) was killed by %s", role, index, (int)pid, death_text(text, WTERMSIG(status)));
	die_echo("%s %u (process %d) ended with status %d", role, index, (int)pid, WEXITSTATUS(status));
}

static void await_signal(const sigset_t *set, uint64_t ns)
{
	struct timespec limit = { .tv_sec = (time_t)(ns / NSEC_PER_SEC), .tv_nsec = (long)(ns % NSEC_PER_SEC) };

	if (sigtimedwait(set, NULL, &limit) < 0 && errno != EAGAIN && errno != EINTR)
		die_errno("sigtimedwait");
}

/* Only children of this thread: a worker in another thread waits for those that it forked. False: none there. */
static bool wait_child(int options, pid_t *pid, int *status)
{
	do
		*pid = waitpid(-1, status, options | __WNOTHREAD);
	while (*pid < 0 && errno == EINTR);
	if (*pid < 0 && errno != ECHILD)
		die_errno("waitpid");
	return *pid > 0;
}

/*
 * A worker said that its peer has gone. What took the peer away is most likely a death that is about to be seen: its
 * descriptors are closed before it can be waited for.
 */
static void await_cause(const struct pool *pool, const sigset_t *deaths)
{
	uint64_t end = clock_now() + ECHO_GRACE_NS;
	pid_t pid;
	int status;

	for (uint64_t now = clock_now(); now < end && !die_has_cause(); now = clock_now()) {
		while (wait_child(WNOHANG, &pid, &status))
			if (WIFSIGNALED(status))
				die_of_death(pool, pid, status);
		await_signal(deaths, end - now);
	}
}

static void check_status(struct pool *pool, pid_t pid, int status)
{
	sigset_t deaths;

	pool->processes--;
	/* Before the gate is open no end is a good one: the others would wait for this worker for ever. */
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && atomic_load(&pool->shared->gate))
		return;
	sigemptyset(&deaths);
	sigaddset(&deaths, SIGCHLD);
	if (WIFEXITED(status))
		await_cause(pool, &deaths);
	die_of_death(pool, pid, status);
}

/* Takes note of workers that have ended, without waiting for any. */
static void reap_ended(struct pool *pool)
{
	pid_t pid;
	int status;

	while (wait_child(WNOHANG, &pid, &status))
		check_status(pool, pid, status);
}

/* Before the gate nobody may end. SIGCHLD is pending when somebody did: one cheap call while thousands are spawned. */
static void notice_deaths(struct pool *pool)
{
	struct timespec now = { 0, 0 };
	sigset_t deaths;

	sigemptyset(&deaths);
	sigaddset(&deaths, SIGCHLD);
	if (sigtimedwait(&deaths, NULL, &now) == SIGCHLD)
		reap_ended(pool);
}

static sigset_t pool_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGUSR1);
	return set;
}

void pool_wait_ready(struct pool *pool)
{
	struct shared *shared = pool->shared;
	sigset_t set = pool_signals();

	atomic_store(&shared->expected, pool->count);
	while (atomic_load(&shared->ready) < pool->count) {
		if (sigwaitinfo(&set, NULL) == SIGCHLD)
			reap_ended(pool);
	}
	notice_deaths(pool);
}

uint64_t pool_release(struct pool *pool)
{
	uint64_t now = clock_now();

	atomic_store(&pool->shared->gate, 1);
	syscall(SYS_futex, &pool->shared->gate, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	return now;
}

/* Returns when the time is over or everybody has ended by himself. */
static void wait_runtime(struct pool *pool, uint64_t runtime_ns)
{
	uint64_t start = clock_now(), end = runtime_ns < UINT64_MAX - start ? start + runtime_ns : UINT64_MAX;
	sigset_t set = pool_signals();

	for (uint64_t now = clock_now(); now < end; now = clock_now()) {
		if (atomic_load(&pool->shared->done) == pool->count)
			return;
		await_signal(&set, end - now);
		reap_ended(pool);
	}
	atomic_store(&pool->shared->stop, 1);
}

void pool_wait_end(struct pool *pool, uint64_t runtime_ns)
{
	pid_t pid;
	int status;

	if (runtime_ns)
		wait_runtime(pool, runtime_ns);
	while (pool->processes && wait_child(0, &pid, &status))
		check_status(pool, pid, status);
	for (unsigned i = 0; i < pool->thread_count; i++)
		pthread_join(pool->threads[i], NULL);
	for (unsigned i = 0; i < pool->count; i++)
		if (!atomic_load(&pool->shared->slots[i].finished))
			BUG("%s %u ended without worker_done", pool->shared->slots[i].role, i);
}

/* The start of a worker. */

static struct worker worker_of(struct pool *pool, const struct spawn *spawn, unsigned index, unsigned thread)
{
	return (struct worker){
		.pool = pool,
		.slot = &pool->shared->slots[index],
		.arg = spawn->arg,
		.index = index,
		.thread = thread,
		.cpu = spawn->bound ? (int)(spawn->cpus ? spawn->cpus[thread] : spawn->cpu) : -1,
		.watch_migrations = spawn->watch_migrations,
	};
}

static void worker_run(struct worker *worker, void (*work)(struct worker *))
{
	die_role(worker->slot->role, worker->index);
	if (worker->cpu >= 0 && cpus_bind_one((unsigned)worker->cpu) < 0)
		die_or_skip("binding to CPU %d", worker->cpu);
	work(worker);
	if (!atomic_load(&worker->slot->finished))
		BUG("returned without worker_done");
}

void pool_on_refusal(struct pool *pool, void (*explain)(const void *arg, unsigned started), const void *arg)
{
	pool->explain = explain;
	pool->explain_arg = arg;
}

void pool_explain_refusal(const struct pool *pool)
{
	int error = errno;

	if (error == EAGAIN && pool->explain)
		pool->explain(pool->explain_arg, atomic_load(&pool->shared->started));
	errno = error;
}

struct thread_start {
	struct worker worker;
	void (*work)(struct worker *);
};

static void *thread_main(void *arg)
{
	struct thread_start *start = arg;

	worker_run(&start->worker, start->work);
	return NULL;
}

static pthread_t start_thread(const struct worker *worker, void (*work)(struct worker *))
{
	/* Never freed: the thread may look at it for as long as its process lives. */
	struct thread_start *start = xmalloc(sizeof(*start));
	pthread_attr_t attributes;
	pthread_t thread;

	start->worker = *worker;
	start->work = work;
	pthread_attr_init(&attributes);
	errno = pthread_attr_setstacksize(&attributes, STACK_BYTES);
	if (errno)
		die_errno("pthread_attr_setstacksize");
	errno = pthread_create(&thread, &attributes, thread_main, start);
	if (errno)
		pool_explain_refusal(worker->pool);
	if (errno)
		die_errno("starting thread %u", worker->index + 1);
	atomic_fetch_add(&worker->pool->shared->started, 1);
	pthread_attr_destroy(&attributes);
	return thread;
}

static noreturn void process_main(struct pool *pool, const struct spawn *spawn, unsigned first_index, unsigned count)
{
	struct worker first = worker_of(pool, spawn, first_index, 0);
	pthread_t *threads = count > 1 ? xcalloc(count, sizeof(*threads)) : NULL;

	die_with_parent(pool->owner);
	die_role(spawn->role, first_index);
	if (spawn->prepare)
		spawn->prepare(&first);
	for (unsigned i = 1; i < count; i++) {
		struct worker fellow = worker_of(pool, spawn, first_index + i, i);

		fellow.arg = first.arg;
		threads[i] = start_thread(&fellow, spawn->work);
	}
	worker_run(&first, spawn->work);
	for (unsigned i = 1; i < count; i++)
		pthread_join(threads[i], NULL);
	_exit(EXIT_DONE);
}

static void spawn_thread(struct pool *pool, const struct spawn *spawn, unsigned index)
{
	struct worker worker = worker_of(pool, spawn, index, 0);

	if (!pool->threads)
		pool->threads = xcalloc(pool->max, sizeof(*pool->threads));
	worker.slot->pid = pool->owner;
	pool->threads[pool->thread_count++] = start_thread(&worker, spawn->work);
}

static void spawn_process(struct pool *pool, const struct spawn *spawn, unsigned index, unsigned count)
{
	pid_t pid = fork();

	if (pid < 0) {
		pool_explain_refusal(pool);
		die_errno("fork of %s %u", spawn->role, index);
	}
	if (pid == 0)
		process_main(pool, spawn, index, count);
	atomic_fetch_add(&pool->shared->started, 1);
	for (unsigned i = 0; i < count; i++)
		pool->shared->slots[index + i].pid = pid;
	pool->processes++;
}

void pool_spawn(struct pool *pool, const struct spawn *spawn)
{
	unsigned index = pool->count, count = spawn->threads ? spawn->threads : 1;

	if (count > pool->max - index)
		BUG("%u workers in a pool for %u", index + count, pool->max);
	for (unsigned i = 0; i < count; i++)
		pool->shared->slots[index + i].role = spawn->role;
	pool->count += count;
	if (spawn->thread)
		spawn_thread(pool, spawn, index);
	else
		spawn_process(pool, spawn, index, count);
	notice_deaths(pool);
}
