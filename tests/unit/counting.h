// SPDX-License-Identifier: GPL-2.0-only
/* Counters over what a child does, for the tests of util/counters. */
#ifndef KBENCH_TEST_COUNTING_H
#define KBENCH_TEST_COUNTING_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counters.h"
#include "test.h"
#include "wrap.h"

#define PAGES 2000
#define SLACK 64  /* how far a count may be from getrusage: the two do not begin and end at once */
#define STRAY 500 /* faults of a process that is forked, and ends; most under a sanitizer */

/* The thread sanitizer touches pages of its own for each that the program touches. */
static inline void need_own_faults(void)
{
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
	test_skip("the thread sanitizer has faults too");
#endif
#endif
#ifdef __SANITIZE_THREAD__
	test_skip("the thread sanitizer has faults too");
#endif
}

static inline size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static inline char *fresh_pages(void)
{
	char *pages = xmmap(PAGES * page_bytes(), false);

	madvise(pages, PAGES * page_bytes(), MADV_NOHUGEPAGE);
	return pages;
}

static inline void touch_pages(void)
{
	volatile char *pages = fresh_pages();

	for (size_t i = 0; i < PAGES; i++)
		pages[i * page_bytes()] = 1;
}

static inline struct counters *open_or_skip(const struct events *events)
{
	struct counters *counters = counters_open(events);

	for (size_t i = 0; i < events_count(events); i++) {
		const char *reason = counters_read(counters, i).reason;

		if (reason)
			test_skip(reason);
	}
	return counters;
}

static inline void add_usage(struct rusage *sum, const struct rusage *part, int sign)
{
	sum->ru_minflt += sign * part->ru_minflt;
	sum->ru_majflt += sign * part->ru_majflt;
	sum->ru_nvcsw += sign * part->ru_nvcsw;
	sum->ru_nivcsw += sign * part->ru_nivcsw;
}

static inline void add_usage_of(struct rusage *sum, int who, int sign)
{
	struct rusage now;

	getrusage(who, &now);
	add_usage(sum, &now, sign);
}

/* A child that is there, and waits, before the events are enabled; *until has what it used up to there. */
static inline pid_t fork_at_gate(int gate, int ready, struct rusage *until, void (*body)(void))
{
	pid_t pid = fork();
	char byte = 0;

	if (pid < 0)
		abort();
	if (pid > 0)
		return pid;
	/* A first time, so that what the calls themselves touch, most under a sanitizer, is in *until. */
	xwrite_all(ready, &byte, 1);
	xread_all(gate, &byte, 1);
	getrusage(RUSAGE_SELF, until);
	xwrite_all(ready, &byte, 1);
	xread_all(gate, &byte, 1);
	body();
	_exit(0);
}

/* Opens, forks, enables, lets the child go, disables. Returned: what getrusage says about the region. */
static inline struct rusage count_child(struct counters *counters, void (*body)(void))
{
	struct rusage used = { 0 }, *until = xmmap(sizeof(*until), true);
	int gate[2], ready[2];
	char byte = 0;
	pid_t pid;

	xpipe(gate);
	xpipe(ready);
	add_usage_of(&used, RUSAGE_CHILDREN, -1);
	pid = fork_at_gate(gate[0], ready[1], until, body);
	xread_all(ready[0], &byte, 1);
	xwrite_all(gate[1], &byte, 1);
	xread_all(ready[0], &byte, 1);
	add_usage_of(&used, RUSAGE_SELF, -1);
	counters_enable(counters);
	xwrite_all(gate[1], &byte, 1);
	waitpid(pid, NULL, 0);
	counters_disable(counters);
	add_usage_of(&used, RUSAGE_SELF, 1);
	add_usage_of(&used, RUSAGE_CHILDREN, 1);
	add_usage(&used, until, -1);
	return used;
}

static inline void check_within(struct counters *counters, size_t i, double least, double most)
{
	struct counter_value value = counters_read(counters, i);

	CHECK_TEXT(value.reason, NULL);
	CHECK(value.value >= least);
	CHECK(value.value <= most);
	if (!(value.value >= least && value.value <= most))
		printf("#   event %zu: %f, not %f to %f\n", i, value.value, least, most);
	CHECK_NEAR(value.running, 1, 0);
}

#endif
