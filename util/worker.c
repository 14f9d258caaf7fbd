// SPDX-License-Identifier: GPL-2.0-only
#include "workers-internal.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "cpus.h"
#include "death.h"
#include "die.h"
#include "wrap.h"

static struct worker_usage usage_from(const struct rusage *usage)
{
	return (struct worker_usage){
		.user_ns = (uint64_t)usage->ru_utime.tv_sec * NSEC_PER_SEC +
			   (uint64_t)usage->ru_utime.tv_usec * NSEC_PER_USEC,
		.sys_ns = (uint64_t)usage->ru_stime.tv_sec * NSEC_PER_SEC +
			  (uint64_t)usage->ru_stime.tv_usec * NSEC_PER_USEC,
		.voluntary_switches = (uint64_t)usage->ru_nvcsw,
		.involuntary_switches = (uint64_t)usage->ru_nivcsw,
		.minor_faults = (uint64_t)usage->ru_minflt,
		.major_faults = (uint64_t)usage->ru_majflt,
	};
}

/* The kernel brings its own account of a thread that runs up to date when the clock is asked for, and not for getrusage. */
struct worker_usage worker_usage_now(void)
{
	struct rusage usage;
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	if (getrusage(RUSAGE_THREAD, &usage) < 0)
		die_errno("getrusage");
	return usage_from(&usage);
}

void worker_usage_add(struct worker_usage *sum, const struct worker_usage *part)
{
	sum->user_ns += part->user_ns;
	sum->sys_ns += part->sys_ns;
	sum->voluntary_switches += part->voluntary_switches;
	sum->involuntary_switches += part->involuntary_switches;
	sum->minor_faults += part->minor_faults;
	sum->major_faults += part->major_faults;
}

static void usage_subtract(struct worker_usage *from, const struct worker_usage *part)
{
	from->user_ns -= part->user_ns;
	from->sys_ns -= part->sys_ns;
	from->voluntary_switches -= part->voluntary_switches;
	from->involuntary_switches -= part->involuntary_switches;
	from->minor_faults -= part->minor_faults;
	from->major_faults -= part->major_faults;
}

/* -1 where the kernel was built without the scheduler's debug files. */
static int64_t migrations_now(void)
{
	char *text = read_file("/proc/thread-self/sched");
	const char *line = text ? strstr(text, "nr_migrations") : NULL;
	const char *colon = line ? strchr(line, ':') : NULL;
	int64_t count = colon ? strtoll(colon + 1, NULL, 10) : -1;

	free(text);
	return count;
}

static int current_cpu(const struct worker *worker)
{
	int cpu = (int)cpus_current();

	if (worker->cpu >= 0 && cpu != worker->cpu)
		die("ran on CPU %d, but was bound to CPU %d", cpu, worker->cpu);
	return cpu;
}

void worker_ready(struct worker *worker)
{
	struct shared *shared = worker->pool->shared;

	if (worker->watch_migrations)
		worker->migrations_before = migrations_now();
	/* The first use of the slot and of the clock's page are faults, which must not count as the loop's. */
	worker->slot->start_ns = clock_now();
	if (atomic_fetch_add(&shared->ready, 1) + 1 == atomic_load(&shared->expected))
		kill(worker->pool->owner, SIGUSR1);
	while (!atomic_load(&shared->gate))
		syscall(SYS_futex, &shared->gate, FUTEX_WAIT, 0, NULL, NULL, 0);
	worker->before = worker_usage_now();
	worker->slot->first_cpu = current_cpu(worker);
	worker->slot->start_ns = worker->lap_start_ns = clock_now();
}

void worker_done(struct worker *worker, uint64_t operations)
{
	struct worker_slot *slot = worker->slot;
	struct shared *shared = worker->pool->shared;
	int64_t migrations;

	slot->end_ns = clock_now();
	slot->used = worker_usage_now();
	usage_subtract(&slot->used, &worker->before);
	worker_usage_add(&slot->used, &worker->of_children);
	slot->last_cpu = current_cpu(worker);
	slot->operations = operations;
	migrations = worker->watch_migrations ? migrations_now() : -1;
	slot->migrations = migrations < 0 ? -1 : migrations - worker->migrations_before;
	atomic_store(&slot->finished, 1);
	if (atomic_fetch_add(&shared->done, 1) + 1 == atomic_load(&shared->expected))
		kill(worker->pool->owner, SIGUSR1);
}

void worker_lap(struct worker *worker, unsigned lap)
{
	uint64_t now = clock_now();

	worker->slot->laps_ns[lap] += now - worker->lap_start_ns;
	worker->lap_start_ns = now;
}

bool worker_stopping(const struct worker *worker)
{
	return atomic_load_explicit(&worker->pool->shared->stop, memory_order_relaxed);
}

uint64_t worker_elapsed(const struct worker *worker)
{
	return clock_now() - worker->slot->start_ns;
}

void die_with_parent(int parent)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		die_errno("prctl PR_SET_PDEATHSIG");
	if (getppid() != parent)
		_exit(EXIT_FAILED);
}

int worker_fork(struct worker *worker)
{
	pid_t parent = getpid(), pid = fork();

	if (pid < 0) {
		pool_explain_refusal(worker->pool);
		die_errno("fork");
	}
	if (pid == 0)
		die_with_parent(parent);
	return pid;
}

void worker_reap(struct worker *worker, int pid)
{
	struct rusage usage;
	struct worker_usage used;
	char text[DEATH_TEXT];
	int status;

	while (wait4(pid, &status, 0, &usage) < 0)
		if (errno != EINTR)
			die_errno("wait4");
	if (WIFSIGNALED(status))
		die("a forked child was killed by %s", death_text(text, WTERMSIG(status)));
	if (WEXITSTATUS(status))
		die("a forked child ended with status %d", WEXITSTATUS(status));
	used = usage_from(&usage);
	worker_usage_add(&worker->of_children, &used);
}
