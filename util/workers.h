// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tasks of one run: threads or processes from the same source, a gate that lets them go together, and for each its
 * own stamps and counts in shared memory. Used inside the run process only, whose signals SIGCHLD and SIGUSR1 are
 * blocked. A worker that fails or dies ends the run process at once (util/die.h says why); the supervisor ends the
 * rest.
 */
#ifndef KBENCH_WORKERS_H
#define KBENCH_WORKERS_H

#include <stdatomic.h>

#include "base.h"

#define WORKER_LAPS   4
#define WORKER_COUNTS 6

/* What the kernel counted for a worker between gate and end. */
struct worker_usage {
	uint64_t user_ns, sys_ns;
	uint64_t voluntary_switches, involuntary_switches;
	uint64_t minor_faults, major_faults;
};

/* What a worker leaves. In shared memory, on cache lines of its own; read by others after the end only. */
struct worker_slot {
	_Alignas(CACHE_LINE) atomic_int finished;
	int pid;                 /* of the process it is in */
	const char *role;        /* as given to the spawn: a literal, the same in every process of the run */
	int first_cpu, last_cpu; /* where it passed the gate, and where it ended */
	int64_t migrations;      /* from CPU to CPU between the two, by the scheduler's count; -1: not known */
	uint64_t start_ns, end_ns;
	uint64_t operations;
	uint64_t laps_ns[WORKER_LAPS];  /* see worker_lap */
	uint64_t counts[WORKER_COUNTS]; /* the benchmark's own */
	struct worker_usage used;
};

/* What the kernel counts of the calling thread, since it began. */
struct worker_usage worker_usage_now(void);

/* Adds one's counts to a sum. */
void worker_usage_add(struct worker_usage *sum, const struct worker_usage *part);

struct pool;

struct worker {
	struct pool *pool;
	struct worker_slot *slot;
	void *arg;       /* as given to the spawn */
	unsigned index;  /* order of spawning in the run, counted from 0 */
	unsigned thread; /* order within its process, counted from 0 */
	int cpu;         /* the CPU it is bound to, or -1 */
	bool watch_migrations;
	uint64_t lap_start_ns;
	struct worker_usage before, of_children;
	int64_t migrations_before;
};

struct spawn {
	const char *role; /* "sender": in messages, and so that a reader knows */
	void (*work)(struct worker *worker);
	void *arg;
	bool thread;      /* a thread of the run process; otherwise a process */
	unsigned threads; /* a process of this many workers, the first one in its main thread; 0 is 1 */
	/* Once in the new process, before its other threads, which inherit first->arg. */
	void (*prepare)(struct worker *first);
	bool bound; /* run on this CPU only (every thread of it); held against getcpu at both ends */
	unsigned cpu;
	const unsigned *cpus;  /* with bound: in place of cpu, one a thread of the process; UINT_MAX: not bound */
	bool watch_migrations; /* costs a file read at each end, outside of the worker's own stamps */
};

/* Room for at most max workers; shared memory is only taken by those that exist. */
struct pool *pool_new(unsigned max);

/*
 * When a process or thread is refused for some limit (EAGAIN), explain is called before anything is said, in the process
 * that was refused, with the number of those that were started before. It may say more, and die.
 */
void pool_on_refusal(struct pool *pool, void (*explain)(const void *arg, unsigned started), const void *arg);

/* Starts the worker or workers; those in a process of several threads have consecutive indices. */
void pool_spawn(struct pool *pool, const struct spawn *spawn);

/* Returns when every worker has called worker_ready. */
void pool_wait_ready(struct pool *pool);

/* Opens the gate. Returned: when. */
uint64_t pool_release(struct pool *pool);

/*
 * Returns when every worker has ended and is reaped or joined. After runtime_ns (0: no limit) worker_stopping becomes
 * true for all.
 */
void pool_wait_end(struct pool *pool, uint64_t runtime_ns);

unsigned pool_count(const struct pool *pool);
const struct worker_slot *pool_slot(const struct pool *pool, unsigned index);

/*
 * For the worker. ready: prepared; returns when the gate is open, with the start stamped. done: the work is done, that
 * many operations; stamps the end. Between the two stands the measured loop and nothing else. After done a worker
 * may still check what it received.
 */
void worker_ready(struct worker *worker);
void worker_done(struct worker *worker, uint64_t operations);

/* Charges the time since the last lap (or the gate) to laps_ns[lap]. About 50 ns: for phases, not for operations. */
void worker_lap(struct worker *worker, unsigned lap);

/* The time of the run is over: end the loop. One load. */
bool worker_stopping(const struct worker *worker);

/* Nanoseconds since the worker passed the gate. */
uint64_t worker_elapsed(const struct worker *worker);

/*
 * For benchmarks that measure forking: fork, with the promise that the child dies with its parent. 0 in the child, which
 * must leave with _exit. worker_reap waits for it, adds what it used (of the child: faults, switches, times) to the
 * worker's counts, and dies when its status is not 0.
 */
int worker_fork(struct worker *worker);
void worker_reap(struct worker *worker, int pid);

/* The calling process is killed when the one that forked it dies; parent is that one's id, taken before the fork. */
void die_with_parent(int parent);

#endif
