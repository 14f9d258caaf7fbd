// SPDX-License-Identifier: GPL-2.0-only
/* How workers work: their slots, the gate, laps, the end of the time, what is counted for them, and where they run. */
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "cpus.h"
#include "pool.h"

static void expect_done(struct plan *plan)
{
	const char *text;
	int said;

	CHECK_INT(run_process(run_plan, plan, &text, &said), EXIT_DONE);
	CHECK_TEXT(text, NULL);
}

static void work_little(struct worker *worker)
{
	struct found *found = worker->arg;

	worker_ready(worker);
	found->indices[worker->index] = worker->index;
	found->threads[worker->index] = worker->thread;
	worker_done(worker, 100 + worker->index);
}

static void check_slots(const struct found *found)
{
	for (unsigned i = 0; i < found->count; i++) {
		const struct worker_slot *slot = &found->slots[i];

		CHECK_TEXT(slot->role, "idler");
		CHECK_UINT(slot->operations, 100 + i);
		CHECK_UINT(found->indices[i], i);
		CHECK(slot->start_ns >= found->gate_ns);
		CHECK(slot->end_ns >= slot->start_ns);
		CHECK(slot->end_ns <= found->end_ns);
		CHECK_INT(slot->migrations, -1);
	}
}

static void test_processes(void)
{
	struct found *found = found_new();
	struct plan plan = { { .role = "idler", .work = work_little, .arg = found }, 3, 0, found };

	expect_done(&plan);
	CHECK_UINT(found->count, 3);
	check_slots(found);
	for (unsigned i = 0; i < 3; i++) {
		CHECK(found->slots[i].pid != found->owner);
		CHECK(found->slots[i].pid != found->slots[(i + 1) % 3].pid);
		CHECK_UINT(found->threads[i], 0);
	}
}

static void test_threads(void)
{
	struct found *found = found_new();
	struct plan plan = { { .role = "idler", .work = work_little, .arg = found, .thread = true }, 3, 0, found };

	expect_done(&plan);
	CHECK_UINT(found->count, 3);
	check_slots(found);
	for (unsigned i = 0; i < 3; i++)
		CHECK_INT(found->slots[i].pid, found->owner);
}

static void test_processes_of_threads(void)
{
	struct found *found = found_new();
	struct plan plan = { { .role = "idler", .work = work_little, .arg = found, .threads = 3 }, 2, 0, found };

	expect_done(&plan);
	CHECK_UINT(found->count, 6);
	check_slots(found);
	for (unsigned i = 0; i < 6; i++) {
		CHECK_UINT(found->threads[i], i % 3);
		CHECK_INT(found->slots[i].pid, found->slots[i / 3 * 3].pid);
	}
	CHECK(found->slots[0].pid != found->slots[3].pid);
}

static void prepare_found(struct worker *first)
{
	struct found **other = xmalloc(sizeof(*other));

	*other = first->arg;
	(*other)->child = getpid();
	first->arg = other;
}

static void work_prepared(struct worker *worker)
{
	struct found *found = *(struct found **)worker->arg;

	worker_ready(worker);
	found->args[worker->index] = worker->arg;
	worker_done(worker, 1);
}

static void test_prepare(void)
{
	struct found *found = found_new();
	struct plan plan = {
		{ .role = "idler", .work = work_prepared, .arg = found, .threads = 3, .prepare = prepare_found }, 1, 0,
		found
	};

	expect_done(&plan);
	CHECK_INT(found->child, found->slots[0].pid);
	CHECK(found->args[0] != found);
	CHECK(found->args[1] == found->args[0]);
	CHECK(found->args[2] == found->args[0]);
}

static void mix(void *arg)
{
	struct found *found = arg;
	struct pool *pool = pool_new(5);

	pool_spawn(pool, &(struct spawn){ .role = "idler", .work = work_little, .arg = found });
	pool_spawn(pool, &(struct spawn){ .role = "idler", .work = work_little, .arg = found, .thread = true });
	pool_spawn(pool, &(struct spawn){ .role = "idler", .work = work_little, .arg = found, .threads = 3 });
	found->gate_ns = run_pool(pool, 0);
	keep_slots(found, pool);
}

static void test_mixed(void)
{
	struct found *found = found_new();
	const char *text;
	int said;

	CHECK_INT(run_process(mix, found, &text, &said), EXIT_DONE);
	CHECK_UINT(found->count, 5);
	check_slots(found);
	CHECK_INT(found->slots[1].pid, found->owner);
	CHECK_INT(found->slots[4].pid, found->slots[2].pid);
}

/* Time that passes while others run counts, so only lower bounds hold. */
static void spend(uint64_t ns)
{
	for (uint64_t end = clock_now() + ns; clock_now() < end;)
		;
}

static void work_in_laps(struct worker *worker)
{
	worker_ready(worker);
	spend(2 * NSEC_PER_MSEC);
	worker_lap(worker, 0);
	spend(3 * NSEC_PER_MSEC);
	worker_lap(worker, 1);
	spend(2 * NSEC_PER_MSEC);
	worker_lap(worker, 0);
	worker->slot->counts[WORKER_COUNTS - 1] = worker_elapsed(worker);
	worker_done(worker, 1);
}

static void test_laps(void)
{
	struct found *found = found_new();
	struct plan plan = { { .role = "idler", .work = work_in_laps }, 1, 0, found };
	const struct worker_slot *slot = &found->slots[0];
	uint64_t wall_ns;

	expect_done(&plan);
	wall_ns = slot->end_ns - slot->start_ns;
	CHECK(slot->laps_ns[0] >= 4 * NSEC_PER_MSEC);
	CHECK(slot->laps_ns[1] >= 3 * NSEC_PER_MSEC);
	CHECK(slot->laps_ns[0] + slot->laps_ns[1] <= wall_ns);
	CHECK_UINT(slot->laps_ns[2], 0);
	CHECK(slot->counts[WORKER_COUNTS - 1] >= slot->laps_ns[0] + slot->laps_ns[1]);
	CHECK(slot->counts[WORKER_COUNTS - 1] <= wall_ns);
}

static void work_until_stopped(struct worker *worker)
{
	uint64_t turns = 0;

	worker_ready(worker);
	while (!worker_stopping(worker))
		turns++;
	worker_done(worker, turns);
}

static void test_runtime(void)
{
	for (int thread = 0; thread < 2; thread++) {
		struct found *found = found_new();
		struct plan plan = { { .role = "idler", .work = work_until_stopped, .thread = thread }, 2,
			50 * NSEC_PER_MSEC, found };

		expect_done(&plan);
		CHECK(found->slots[0].end_ns - found->gate_ns >= 50 * NSEC_PER_MSEC);
		CHECK(found->slots[1].end_ns - found->gate_ns >= 50 * NSEC_PER_MSEC);
	}
}

/* The deadline of the process would end a pool that waits for the hour. */
static void test_runtime_left(void)
{
	for (int thread = 0; thread < 2; thread++) {
		struct found *found = found_new();
		struct plan plan = { { .role = "idler", .work = work_little, .arg = found, .thread = thread }, 2,
			3600 * NSEC_PER_SEC, found };

		expect_done(&plan);
		check_slots(found);
	}
}

#define PAGES 500

static void touch_pages(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *memory = xmmap(PAGES * page, false);

	madvise(memory, PAGES * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PAGES; i++)
		*(volatile char *)&memory[i * page] = 1;
}

static uint64_t cpu_time_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * NSEC_PER_SEC + (uint64_t)now.tv_nsec;
}

static void work_hard(struct worker *worker)
{
	spend(20 * NSEC_PER_MSEC); /* before the gate: not counted */
	touch_pages();
	worker_ready(worker);
	for (uint64_t end = cpu_time_ns() + 20 * NSEC_PER_MSEC; cpu_time_ns() < end;)
		;
	touch_pages();
	for (int i = 0; i < 5; i++)
		nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
	worker_done(worker, 1);
}

static void test_usage(void)
{
	for (int thread = 0; thread < 2; thread++) {
		struct found *found = found_new();
		struct plan plan = { { .role = "idler", .work = work_hard, .thread = thread }, 1, 0, found };
		const struct worker_usage *used = &found->slots[0].used;

		expect_done(&plan);
		CHECK(used->user_ns + used->sys_ns >= 19 * NSEC_PER_MSEC);
		CHECK(used->minor_faults >= PAGES);
		CHECK(used->minor_faults < 2 * PAGES);
		CHECK(used->voluntary_switches >= 5);
	}
}

static void test_usage_sum(void)
{
	struct worker_usage sum = { 1, 2, 3, 4, 5, 6 };
	const struct worker_usage part = { 10, 20, 30, 40, 50, 60 };

	worker_usage_add(&sum, &part);
	CHECK_UINT(sum.user_ns, 11);
	CHECK_UINT(sum.sys_ns, 22);
	CHECK_UINT(sum.voluntary_switches, 33);
	CHECK_UINT(sum.involuntary_switches, 44);
	CHECK_UINT(sum.minor_faults, 55);
	CHECK_UINT(sum.major_faults, 66);
}

/* The first and the last CPU that this process may use. */
static void two_cpus(unsigned cpus[2])
{
	struct cpus allowed;

	cpus_allowed(&allowed);
	cpus[0] = cpus_nth(&allowed, 0);
	cpus[1] = cpus_nth(&allowed, cpus_count(&allowed) - 1);
}

static void test_bound(void)
{
	struct found *found = found_new();
	unsigned cpus[2];
	struct plan plan = { { .role = "idler", .work = work_little, .arg = found, .bound = true, .threads = 2 }, 2, 0,
		found };

	two_cpus(cpus);
	plan.spawn.cpu = cpus[1];
	expect_done(&plan);
	for (int i = 0; i < 4; i++) {
		CHECK_INT(found->slots[i].first_cpu, (int)cpus[1]);
		CHECK_INT(found->slots[i].last_cpu, (int)cpus[1]);
	}
}

static void test_bound_each(void)
{
	struct found *found = found_new();
	unsigned cpus[3];
	struct plan plan = { { .role = "idler", .work = work_little, .arg = found, .bound = true, .threads = 3 }, 1, 0,
		found };

	two_cpus(cpus);
	cpus[2] = UINT_MAX;
	plan.spawn.cpus = cpus;
	expect_done(&plan);
	for (int i = 0; i < 2; i++) {
		CHECK_INT(found->slots[i].first_cpu, (int)cpus[i]);
		CHECK_INT(found->slots[i].last_cpu, (int)cpus[i]);
	}
}

static void test_migrations(void)
{
	struct found *found = found_new();
	unsigned cpus[2];
	struct plan plan = {
		{ .role = "idler", .work = work_little, .arg = found, .bound = true, .watch_migrations = true }, 1, 0,
		found
	};
	char *known = read_file("/proc/thread-self/sched");

	two_cpus(cpus);
	plan.spawn.cpu = cpus[0];
	expect_done(&plan);
	CHECK_INT(found->slots[0].migrations, known && strstr(known, "nr_migrations") ? 0 : -1);
}

static void touch_in_child(struct worker *worker)
{
	pid_t child;

	worker_ready(worker);
	child = worker_fork(worker);
	if (child == 0) {
		touch_pages();
		_exit(0);
	}
	worker_reap(worker, child);
	worker_done(worker, 1);
}

static void test_fork(void)
{
	for (int thread = 0; thread < 2; thread++) {
		struct found *found = found_new();
		struct plan plan = { { .role = "idler", .work = touch_in_child, .thread = thread }, 2, 0, found };

		expect_done(&plan);
		CHECK(found->slots[0].used.minor_faults >= PAGES);
		CHECK(found->slots[1].used.minor_faults >= PAGES);
	}
}

static void spawn_too_many(void *arg)
{
	(void)arg;
	pool_of(1, &(struct spawn){ .role = "idler", .work = work_little });
	pool_spawn(pool_new(2), &(struct spawn){ .role = "idler", .work = work_little, .threads = 3 });
}

static void test_too_many(void)
{
	const char *text;
	int said;

	CHECK_INT(run_process(spawn_too_many, NULL, &text, &said), EXIT_FAILED);
	CHECK(text && strstr(text, "3 workers in a pool for 2"));
}

static const struct test tests[] = {
	{ "workers are processes with slots of their own", test_processes },
	{ "workers are threads of the run process", test_threads },
	{ "workers of a process of threads have consecutive indices", test_processes_of_threads },
	{ "a process is prepared once, and its threads inherit what it made", test_prepare },
	{ "processes, threads and processes of threads go together", test_mixed },
	{ "laps charge the time since the last one", test_laps },
	{ "workers stop when the time is over, not before", test_runtime },
	{ "workers that are done end the run before its time", test_runtime_left },
	{ "time, faults and switches are counted from the gate on", test_usage },
	{ "counts of workers add up", test_usage_sum },
	{ "a bound worker runs on its CPU", test_bound },
	{ "each thread of a process can have its own CPU, or none", test_bound_each },
	{ "a bound worker does not migrate, where the kernel tells", test_migrations },
	{ "what a forked child uses counts for its worker", test_fork },
	{ "more workers than the pool has room for are a BUG", test_too_many },
};

TEST_MAIN(tests)
