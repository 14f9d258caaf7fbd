// SPDX-License-Identifier: GPL-2.0-only
/* What is said, and that everything ends, when a worker does not work. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "cpus.h"
#include "pool.h"

/* One of three fails, the second; most of the others would work for ever. */

static bool is_victim(const struct worker *worker)
{
	return worker->index == 1;
}

static noreturn void work_for_ever(void)
{
	for (;;)
		pause();
}

static void die_early(struct worker *worker)
{
	if (is_victim(worker))
		die("broken");
	worker_ready(worker);
	work_for_ever();
}

static void die_late(struct worker *worker)
{
	worker_ready(worker);
	errno = EPIPE;
	if (is_victim(worker))
		die_errno("writing");
	work_for_ever();
}

static void die_after_done(struct worker *worker)
{
	worker_ready(worker);
	worker_done(worker, 1);
	if (is_victim(worker))
		die("received something else");
}

static void skip_early(struct worker *worker)
{
	if (is_victim(worker))
		skip("not here");
	worker_ready(worker);
	work_for_ever();
}

static void killed_early(struct worker *worker)
{
	if (is_victim(worker))
		raise(SIGKILL);
	worker_ready(worker);
	work_for_ever();
}

static void killed_late(struct worker *worker)
{
	worker_ready(worker);
	if (is_victim(worker))
		raise(SIGTERM);
	work_for_ever();
}

static void killed_after_done(struct worker *worker)
{
	worker_ready(worker);
	worker_done(worker, 1);
	if (is_victim(worker))
		raise(SIGKILL);
}

static void exit_early(struct worker *worker)
{
	if (is_victim(worker))
		_exit(5);
	worker_ready(worker);
	work_for_ever();
}

static void exit_early_well(struct worker *worker)
{
	if (is_victim(worker))
		_exit(0);
	worker_ready(worker);
	work_for_ever();
}

static void exit_late(struct worker *worker)
{
	worker_ready(worker);
	if (is_victim(worker))
		_exit(5);
	work_for_ever();
}

static void exit_late_well(struct worker *worker)
{
	worker_ready(worker);
	if (is_victim(worker))
		_exit(0);
	worker_done(worker, 1);
}

static void return_early(struct worker *worker)
{
	if (is_victim(worker))
		return;
	worker_ready(worker);
	work_for_ever();
}

static void return_late(struct worker *worker)
{
	worker_ready(worker);
	if (is_victim(worker))
		return;
	work_for_ever();
}

static void echo_late(struct worker *worker)
{
	worker_ready(worker);
	if (is_victim(worker))
		die_echo("the peer has closed");
	work_for_ever();
}

static void reap_failed(struct worker *worker)
{
	worker_ready(worker);
	if (is_victim(worker)) {
		pid_t child = worker_fork(worker);

		if (child == 0)
			_exit(3);
		worker_reap(worker, child);
	}
	work_for_ever();
}

static void reap_killed(struct worker *worker)
{
	worker_ready(worker);
	if (is_victim(worker)) {
		pid_t child = worker_fork(worker);

		if (child == 0) {
			raise(SIGKILL);
			_exit(0);
		}
		worker_reap(worker, child);
	}
	work_for_ever();
}

/* What differs from run to run: ids of processes are "N", places in the source and counts of SIGKILLs are gone. */
static void mask(char *masked, size_t size, const char *text)
{
	char *memory;
	const char *place = strstr(text, "BUG at "), *number = strstr(text, "(process ");

	if (place) {
		const char *message = strstr(place, ": ");

		snprintf(masked, size, "%.*sBUG%s", (int)(place - text), text, message ? message : "");
	} else if (number) {
		number += strlen("(process ");
		snprintf(masked, size, "%.*sN%s", (int)(number - text), text, number + strspn(number, "0123456789"));
	} else {
		snprintf(masked, size, "%s", text);
	}
	memory = strstr(masked, "; out of memory? ");
	if (memory)
		strcpy(memory, ")");
}

static void expect_failure(const struct spawn *spawn, int status, const char *expected)
{
	struct plan plan = { *spawn, 3, 0, found_new() };
	const char *text;
	char masked[700];
	int said = EXIT_DONE;

	CHECK(run_process(run_plan, &plan, &text, &said) != EXIT_DONE);
	CHECK_INT(said, status);
	mask(masked, sizeof(masked), text ? text : "(nothing)");
	CHECK_TEXT(masked, expected);
}

/* A failure that is the same for processes and threads. */
static const struct {
	void (*work)(struct worker *worker);
	int status;
	const char *expected;
} of_all[] = {
	{ die_early, EXIT_FAILED, "idler 1: broken" },
	{ die_late, EXIT_FAILED, "idler 1: writing: Broken pipe" },
	{ die_after_done, EXIT_FAILED, "idler 1: received something else" },
	{ skip_early, EXIT_SKIPPED, "idler 1: not here" },
	{ return_early, EXIT_FAILED, "idler 1: BUG: returned without worker_done" },
	{ return_late, EXIT_FAILED, "idler 1: BUG: returned without worker_done" },
	{ echo_late, EXIT_FAILED, "idler 1: the peer has closed" },
	{ reap_failed, EXIT_FAILED, "idler 1: a forked child ended with status 3" },
	{ reap_killed, EXIT_FAILED, "idler 1: a forked child was killed by signal 9 (Killed)" },
};

static void test_processes(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(of_all); i++)
		expect_failure(&(struct spawn){ .role = "idler", .work = of_all[i].work }, of_all[i].status,
			of_all[i].expected);
}

static void test_threads(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(of_all); i++)
		expect_failure(&(struct spawn){ .role = "idler", .work = of_all[i].work, .thread = true },
			of_all[i].status, of_all[i].expected);
}

/* Ends that only a process has. */
static const struct {
	void (*work)(struct worker *worker);
	const char *expected;
} of_processes[] = {
	{ killed_early, "idler 1 (process N) was killed by signal 9 (Killed)" },
	{ killed_late, "idler 1 (process N) was killed by signal 15 (Terminated)" },
	{ killed_after_done, "idler 1 (process N) was killed by signal 9 (Killed)" },
	{ exit_early, "idler 1 (process N) ended with status 5" },
	{ exit_early_well, "idler 1 (process N) ended with status 0" },
	{ exit_late, "idler 1 (process N) ended with status 5" },
	{ exit_late_well, "BUG: idler 1 ended without worker_done" },
};

static void test_ends(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(of_processes); i++)
		expect_failure(&(struct spawn){ .role = "idler", .work = of_processes[i].work }, EXIT_FAILED,
			of_processes[i].expected);
}

/* In a process of three threads the second is killed: the process is, and its first worker is named. */
static void test_killed_thread(void)
{
	struct plan plan = { { .role = "idler", .work = killed_late, .threads = 3 }, 1, 0, found_new() };
	const char *text;
	char masked[600];
	int said;

	CHECK_INT(run_process(run_plan, &plan, &text, &said), EXIT_FAILED);
	mask(masked, sizeof(masked), text ? text : "(nothing)");
	CHECK_TEXT(masked, "idler 0 (process N) was killed by signal 15 (Terminated)");
}

/* Fails before the last of very many is spawned: nobody waits for those. */
static void test_while_spawning(void)
{
	struct plan plan = { { .role = "idler", .work = die_early }, 1000, 0, found_new() };
	const char *text;
	int said;

	CHECK_INT(run_process(run_plan, &plan, &text, &said), EXIT_FAILED);
	CHECK_TEXT(text, "idler 1: broken");
}

#define OTHER_USERS 1000000 /* from here on nobody runs anything */

static noreturn void say_started(const void *arg, unsigned started)
{
	die("%s after %u", (const char *)arg, started);
}

static void be_refused(void *arg)
{
	const struct spawn spawn = { .role = "idler", .work = die_late };
	struct rlimit limit = { 6, 6 };
	struct pool *pool = pool_new(10);

	if (setrlimit(RLIMIT_NPROC, &limit) < 0 || setuid(OTHER_USERS + (uid_t)getpid()) < 0)
		skip("cannot be another user");
	if (arg)
		pool_on_refusal(pool, say_started, arg);
	for (unsigned i = 0; i < 10; i++)
		pool_spawn(pool, &spawn);
}

static void test_refused(void)
{
	static char word[] = "refused";
	const char *text;
	int said;

	if (test_brief())
		test_skip("the threads of an emulator count too");
	run_process(be_refused, word, &text, &said);
	if (said == EXIT_SKIPPED)
		test_skip(text);
	CHECK_TEXT(text, "refused after 5");
	run_process(be_refused, NULL, &text, &said);
	CHECK_TEXT(text, "fork of idler 5: Resource temporarily unavailable");
}

static void move_away(struct worker *worker)
{
	const unsigned *elsewhere = worker->arg;

	worker_ready(worker);
	if (!is_victim(worker))
		work_for_ever();
	cpus_bind_one(*elsewhere);
	worker_done(worker, 1);
}

static void test_moved(void)
{
	struct cpus allowed;
	unsigned cpus[2];
	char expected[100];

	cpus_allowed(&allowed);
	if (cpus_count(&allowed) < 2)
		test_skip("there is one CPU");
	for (unsigned i = 0; i < 2; i++)
		cpus[i] = cpus_nth(&allowed, i);
	snprintf(expected, sizeof(expected), "idler 1: ran on CPU %u, but was bound to CPU %u", cpus[1], cpus[0]);
	expect_failure(
		&(struct spawn){ .role = "idler", .work = move_away, .arg = &cpus[1], .bound = true, .cpu = cpus[0] },
		EXIT_FAILED, expected);
}

static void test_no_such_cpu(void)
{
	struct plan plan = { { .role = "idler", .work = die_late, .bound = true, .cpu = CPUS_MAX - 1 }, 1, 0,
		found_new() };
	const char *text;
	char expected[100];
	int said;

	snprintf(expected, sizeof(expected), "idler 0: binding to CPU %d: Invalid argument", CPUS_MAX - 1);
	CHECK_INT(run_process(run_plan, &plan, &text, &said), EXIT_FAILED);
	CHECK_TEXT(text, expected);
}

/* The second is killed; the third sees the end of the pipe between them, and says so at about the same time. */
struct channel {
	int ends[2];
};

static void hear_of_death(struct worker *worker)
{
	const struct channel *channel = worker->arg;
	char byte;

	if (!is_victim(worker))
		xclose(channel->ends[1]);
	worker_ready(worker);
	if (is_victim(worker))
		raise(SIGKILL);
	if (worker->index == 2)
		xread_all(channel->ends[0], &byte, 1);
	work_for_ever();
}

static void spawn_channel(void *arg)
{
	struct channel channel = { { -1, -1 } };
	struct pool *pool;

	(void)arg;
	xpipe(channel.ends);
	pool = pool_of(3, &(struct spawn){ .role = "idler", .work = hear_of_death, .arg = &channel });
	xclose(channel.ends[1]);
	run_pool(pool, 0);
}

static void test_cause(void)
{
	const char *text;
	char masked[600];
	int said;

	CHECK_INT(run_process(spawn_channel, NULL, &text, &said), EXIT_FAILED);
	mask(masked, sizeof(masked), text ? text : "(nothing)");
	CHECK_TEXT(masked, "idler 1 (process N) was killed by signal 9 (Killed)");
}

/* Everybody of the run holds the end of a pipe, also a child that a worker has forked. */
static void fork_and_fail(struct worker *worker)
{
	worker_ready(worker);
	if (worker_fork(worker) == 0)
		work_for_ever();
	if (is_victim(worker))
		die("broken");
	work_for_ever();
}

static void test_nobody_left(void)
{
	for (int thread = 0; thread < 2; thread++) {
		struct plan plan = { { .role = "idler", .work = fork_and_fail, .thread = thread }, 3, 0, found_new() };
		int ends[2], said;
		const char *text;
		char byte;

		xpipe(ends);
		CHECK_INT(run_process(run_plan, &plan, &text, &said), EXIT_FAILED);
		CHECK_TEXT(text, "idler 1: broken");
		xclose(ends[1]);
		alarm(DEADLINE_SECONDS);
		CHECK_INT(read(ends[0], &byte, 1), 0);
		alarm(0);
	}
}

static const struct test tests[] = {
	{ "a process that fails ends the run with its words", test_processes },
	{ "a thread that fails ends the run with its words", test_threads },
	{ "a process that is killed or exits ends the run with its name", test_ends },
	{ "a thread that is killed takes its process with it", test_killed_thread },
	{ "a failure is seen while others are spawned", test_while_spawning },
	{ "a task that is refused is explained, or said", test_refused },
	{ "a bound worker that ran elsewhere is a failure", test_moved },
	{ "binding to a CPU that is not there is a failure", test_no_such_cpu },
	{ "a death is the cause, and what others saw of it is not", test_cause },
	{ "after a failure no worker and no child of one is left", test_nobody_left },
};

TEST_MAIN(tests)
