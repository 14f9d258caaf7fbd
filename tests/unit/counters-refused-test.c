// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "counters.h"
#include "counting.h"
#include "sysfile.h"
#include "test.h"
#include "wrap.h"

#define LOOPS 1000000

static void run_a_known_loop(void)
{
	for (volatile int i = 0; i < LOOPS;)
		i++;
}

static void hardware_has_value_or_reason(void)
{
	struct events *events = events_parse("instructions:u,branches:k,cycles,cache-misses,r00c0");
	struct counters *counters = counters_open(events);

	count_child(counters, run_a_known_loop);
	for (size_t i = 0; i < events_count(events); i++) {
		struct counter_value value = counters_read(counters, i);

		if (value.reason)
			CHECK(strncmp(value.reason, "not ", 4) == 0);
		CHECK(isnan(value.value) == (value.reason != NULL));
		CHECK(value.reason || (value.running > 0 && value.running <= 1));
	}
	counters_close(counters);
	events_free(events);
}

/* Three to five an execution of the body on the machines that there are, and more under a sanitizer. */
static void instructions_are_counted(void)
{
	struct events *events = events_parse("instructions:u");
	struct counters *counters = open_or_skip(events);
	struct counter_value value;

	count_child(counters, run_a_known_loop);
	value = counters_read(counters, 0);
	CHECK_TEXT(value.reason, NULL);
	CHECK(value.value >= 3 * LOOPS);
	CHECK(value.value <= 30 * LOOPS);
	counters_close(counters);
	events_free(events);
}

static void become_nobody(void)
{
	if (geteuid() == 0 && (setresgid(65534, 65534, 65534) < 0 || setresuid(65534, 65534, 65534) < 0))
		test_skip("no way to be an ordinary user");
}

static void ordinary_users_are_told(void)
{
	struct events *events = events_parse("faults,faults:k,faults:u,task-clock"),
		      *user_faults = events_parse("faults:u");
	char *level = sysfile_text("", "/proc/sys/kernel/perf_event_paranoid"), *reason;
	struct counters *counters;

	if (!level || strcmp(level, "2") != 0)
		test_skip("perf_event_paranoid is not 2");
	need_own_faults();
	counters_close(open_or_skip(user_faults));
	events_free(user_faults);
	reason = xasprintf("not permitted (perf_event_paranoid is %s)", level);
	become_nobody();
	counters = counters_open(events);
	count_child(counters, touch_pages);
	for (size_t i = 0; i < 2; i++) {
		CHECK(isnan(counters_read(counters, i).value));
		CHECK_TEXT(counters_read(counters, i).reason, reason);
	}
	check_within(counters, 2, PAGES, PAGES + STRAY);
	CHECK(counters_read(counters, 3).value > 0);
	counters_close(counters);
	events_free(events);
	free(reason);
	free(level);
}

/* From now on perf_event_open fails with this errno. */
static void filter_out(unsigned error)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = ARRAY_SIZE(filter), .filter = filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		test_skip("system calls cannot be filtered");
}

static void do_nothing(void)
{
}

static void check_without_the_call(unsigned error, const char *reason)
{
	struct events *events = events_parse("faults,cycles,r1");
	struct counters *counters;

	filter_out(error);
	counters = counters_open(events);
	count_child(counters, do_nothing);
	for (size_t i = 0; i < events_count(events); i++) {
		CHECK(isnan(counters_read(counters, i).value));
		CHECK_TEXT(counters_read(counters, i).reason, reason);
	}
	counters_close(counters);
	events_free(events);
}

static void filtered_call_is_told(void)
{
	check_without_the_call(EPERM, "not permitted (perf_event_open is filtered)");
}

static void missing_call_is_told(void)
{
	check_without_the_call(ENOSYS, "not supported by this kernel (no perf_event_open)");
}

static const struct test tests[] = {
	{ "a hardware event has a value or a reason", hardware_has_value_or_reason },
	{ "the instructions of a loop are counted", instructions_are_counted },
	{ "an ordinary user is told what is not permitted, and has the rest", ordinary_users_are_told },
	{ "a filter of system calls is a reason", filtered_call_is_told },
	{ "a kernel without perf_event_open is a reason", missing_call_is_told },
};
TEST_MAIN(tests)
