// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "counters.h"
#include "counting.h"
#include "cpus.h"
#include "test.h"
#include "wrap.h"

#define ROUND_TRIPS 500

/* The faults happen in the kernel, which copies to pages that are not there. */
static void have_pages_touched(void)
{
	char *pages = fresh_pages();
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	for (size_t i = 0; i < PAGES; i++)
		xread_all(fd, pages + i * page_bytes(), 1);
	xclose(fd);
}

static void *touch_as_thread(void *unused)
{
	touch_pages();
	return unused;
}

static void thread_touches(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, touch_as_thread, NULL) != 0)
		abort();
	pthread_join(thread, NULL);
}

static void fork_and_wait(void (*body)(void))
{
	pid_t pid = fork();

	if (pid < 0)
		abort();
	if (pid == 0) {
		body();
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void process_touches(void)
{
	fork_and_wait(touch_pages);
}

/* Every round trip on one CPU has two switches: each end has to wait for the other. */
static void echo(int in, int out, bool first)
{
	char byte = 0;

	for (int i = 0; i < ROUND_TRIPS; i++) {
		if (first)
			xwrite_all(out, &byte, 1);
		xread_all(in, &byte, 1);
		if (!first)
			xwrite_all(out, &byte, 1);
	}
}

static void switch_often(void)
{
	int there[2], back[2];
	pid_t pid;

	cpus_bind_one(cpus_current());
	xpipe(there);
	xpipe(back);
	pid = fork();
	if (pid < 0)
		abort();
	if (pid == 0) {
		echo(there[0], back[1], false);
		_exit(0);
	}
	echo(back[0], there[1], true);
	waitpid(pid, NULL, 0);
}

static void check_near_usage(struct counters *counters, size_t i, long used)
{
	check_within(counters, i, (double)(used - SLACK), (double)(used + SLACK));
}

static void faults_agree(void)
{
	static void (*const bodies[])(void) = { touch_pages, have_pages_touched, thread_touches, process_touches };
	struct events *events = events_parse("page-faults,minor-faults,major-faults");

	for (size_t i = 0; i < ARRAY_SIZE(bodies); i++) {
		struct counters *counters = open_or_skip(events);
		struct rusage used = count_child(counters, bodies[i]);

		CHECK(used.ru_minflt >= PAGES);
		check_near_usage(counters, 0, used.ru_minflt + used.ru_majflt);
		check_near_usage(counters, 1, used.ru_minflt);
		check_near_usage(counters, 2, used.ru_majflt);
		counters_close(counters);
	}
	events_free(events);
}

static void switches_agree(void)
{
	struct events *events = events_parse("cs");
	struct counters *counters = open_or_skip(events);
	struct rusage used = count_child(counters, switch_often);

	CHECK(used.ru_nvcsw + used.ru_nivcsw >= 2 * ROUND_TRIPS);
	check_near_usage(counters, 0, used.ru_nvcsw + used.ru_nivcsw);
	counters_close(counters);
	events_free(events);
}

static void check_modes(void (*body)(void), double in_user, double in_kernel)
{
	struct events *events = events_parse("faults:u,faults:k,faults");
	struct counters *counters = open_or_skip(events);

	count_child(counters, body);
	check_within(counters, 0, in_user, in_user + STRAY);
	check_within(counters, 1, in_kernel, in_kernel + STRAY);
	check_within(counters, 2, in_user + in_kernel, in_user + in_kernel + 2 * STRAY);
	counters_close(counters);
	events_free(events);
}

static void modes_are_told_apart(void)
{
	need_own_faults();
	check_modes(touch_pages, PAGES, 0);
	check_modes(have_pages_touched, 0, PAGES);
}

static void *wait_and_touch(void *gate)
{
	char byte;

	xread_all(*(int *)gate, &byte, 1);
	touch_pages();
	return NULL;
}

static void threads_are_counted(void)
{
	struct events *events = events_parse("faults");
	struct counters *counters = open_or_skip(events);
	int gate[2];
	char byte = 0;
	pthread_t thread;

	need_own_faults();
	xpipe(gate);
	if (pthread_create(&thread, NULL, wait_and_touch, &gate[0]) != 0)
		abort();
	counters_enable(counters);
	xwrite_all(gate[1], &byte, 1);
	pthread_join(thread, NULL);
	counters_disable(counters);
	check_within(counters, 0, PAGES, PAGES + STRAY);
	counters_close(counters);
	events_free(events);
}

static void regions_add_up(void)
{
	struct events *events = events_parse("faults");
	struct counters *counters = open_or_skip(events);
	double once;

	need_own_faults();
	process_touches();
	check_within(counters, 0, 0, 0);
	counters_enable(counters);
	process_touches();
	counters_disable(counters);
	check_within(counters, 0, PAGES, PAGES + STRAY);
	once = counters_read(counters, 0).value;
	process_touches();
	CHECK_NEAR(counters_read(counters, 0).value, once, 0);
	counters_enable(counters);
	process_touches();
	counters_disable(counters);
	check_within(counters, 0, 2 * PAGES, 2 * (PAGES + STRAY));
	counters_close(counters);
	events_free(events);
}

static uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * NSEC_PER_SEC + (uint64_t)now.tv_nsec;
}

/* Most of this time is the kernel's. The clock of the CPU may leave out what a hypervisor stole. */
static void clock_has_the_kernels_time(void)
{
	struct events *events = events_parse("task-clock");
	struct counters *counters = open_or_skip(events);
	uint64_t outer = clock_now(), inner;

	counters_enable(counters);
	inner = cpu_ns();
	while (cpu_ns() - inner < 20 * NSEC_PER_MSEC)
		syscall(SYS_getppid);
	inner = cpu_ns() - inner;
	counters_disable(counters);
	outer = clock_now() - outer;
	check_within(counters, 0, 0.95 * (double)inner, 1.05 * (double)outer);
	counters_close(counters);
	events_free(events);
}

static void descriptors_close(void)
{
	struct events *events = events_parse("task-clock");
	int next = dup(STDOUT_FILENO);
	struct counters *counters;

	close(next);
	counters = open_or_skip(events);
	CHECK_INT(fcntl(next, F_GETFD), FD_CLOEXEC);
	counters_close(counters);
	CHECK_INT(fcntl(next, F_GETFD), -1);
	events_free(events);
}

static void tracepoints_are_counted(void)
{
	struct events *events = events_parse("sched:sched_switch,context-switches");
	struct counters *counters = open_or_skip(events);
	struct rusage used = count_child(counters, switch_often);

	check_near_usage(counters, 0, used.ru_nvcsw + used.ru_nivcsw);
	check_near_usage(counters, 1, used.ru_nvcsw + used.ru_nivcsw);
	counters_close(counters);
	events_free(events);
}

static const struct test tests[] = {
	{ "faults agree with getrusage, also those of a child that was there before", faults_agree },
	{ "context switches agree with getrusage", switches_agree },
	{ "faults in user mode and in the kernel are told apart", modes_are_told_apart },
	{ "a thread that was there before the region is counted", threads_are_counted },
	{ "nothing is counted outside of regions, and regions add up", regions_add_up },
	{ "task-clock has the time in the kernel too", clock_has_the_kernels_time },
	{ "a tracepoint is counted", tracepoints_are_counted },
	{ "descriptors are closed, and by exec too", descriptors_close },
};
TEST_MAIN(tests)
