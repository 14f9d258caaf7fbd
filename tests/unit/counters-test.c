// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counters-internal.h"
#include "die.h"
#include "test.h"
#include "wrap.h"

#define TRACING       "sys/kernel/tracing/"
#define DEBUG_TRACING "sys/kernel/debug/tracing/"

static void words_name_events(void)
{
	static const struct {
		const char *word, *what;
		uint32_t type;
		uint64_t config;
		bool only_user, only_kernel;
	} rows[] = {
		{ "task-clock", "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, false, false },
		{ "cs:k", "context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, false, true },
		{ "migrations", "cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, false, false },
		{ "faults:u", "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, true, false },
		{ "minor-faults", "minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, false, false },
		{ "major-faults", "major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, false, false },
		{ "cpu-cycles:k", "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, false, true },
		{ "instructions:u", "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, true, false },
		{ "branch-instructions", "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, false,
			false },
		{ "branch-misses", "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, false, false },
		{ "cache-references", "cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, false,
			false },
		{ "cache-misses", "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, false, false },
		{ "idle-cycles-frontend", "stalled-cycles-frontend", PERF_TYPE_HARDWARE,
			PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, false, false },
		{ "idle-cycles-backend", "stalled-cycles-backend", PERF_TYPE_HARDWARE,
			PERF_COUNT_HW_STALLED_CYCLES_BACKEND, false, false },
		{ "r01c2", "r1c2", PERF_TYPE_RAW, 0x1c2, false, false },
		{ "rFFFFffffFFFFffff:u", "rffffffffffffffff", PERF_TYPE_RAW, UINT64_MAX, true, false },
		{ "sched:sched_switch", "sched:sched_switch", PERF_TYPE_TRACEPOINT, 316, false, false },
		{ "sched:sched_switch:k", "sched:sched_switch", PERF_TYPE_TRACEPOINT, 316, false, true },
	};

	test_file(test_folder(), TRACING "events/sched/sched_switch/id", "316\n");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct events *events = events_parse_under(test_folder(), rows[i].word);
		const struct event *event = events_get(events, 0);

		CHECK_UINT(events_count(events), 1);
		CHECK_TEXT(events_name(events, 0), rows[i].word);
		CHECK_TEXT(event->what, rows[i].what);
		CHECK_UINT(event->type, rows[i].type);
		CHECK_UINT(event->config, rows[i].config);
		CHECK_INT(event->only_user, rows[i].only_user);
		CHECK_INT(event->only_kernel, rows[i].only_kernel);
		CHECK_TEXT(event->reason, NULL);
		events_free(events);
	}
}

static void list_keeps_its_order(void)
{
	static const char *const names[] = { "cycles", "instructions:u", "instructions:k", "r1", "task-clock", "cs" };
	struct events *events = events_parse("cycles,instructions:u,instructions:k,r1,task-clock,cs");

	CHECK_UINT(events_count(events), ARRAY_SIZE(names));
	for (size_t i = 0; i < events_count(events) && i < ARRAY_SIZE(names); i++) {
		CHECK_TEXT(events_name(events, i), names[i]);
		CHECK_TEXT(events_unit(events, i), strcmp(names[i], "task-clock") == 0 ? "ns" : NULL);
	}
	events_free(events);
}

static void known_words_are_events(void)
{
	const char *word;
	size_t i;

	for (i = 0; (word = events_known(i)); i++) {
		struct events *events = events_parse(word);

		CHECK_TEXT(events_name(events, 0), word);
		events_free(events);
	}
	CHECK_UINT(i, 14 + 7);
}

static void parse(void *list)
{
	events_parse_under(test_folder(), list);
}

static void wrong_lists_are_refused(void)
{
	static const struct {
		char list[48];
		const char *message;
	} rows[] = {
		{ "", "an event without a name in the list of events" },
		{ "cs,", "an event without a name in the list of events" },
		{ ",cs", "an event without a name in the list of events" },
		{ "cs,,faults", "an event without a name in the list of events" },
		{ ":u", "an event without a name in the list of events" },
		{ "cs,cycels", "unknown event 'cycels': did you mean 'cycles'?" },
		{ "instrctions:u", "unknown event 'instrctions:u': did you mean 'instructions:u'?" },
		{ "cs, faults", "unknown event ' faults': did you mean 'faults'?" },
		{ "xyzzy", "unknown event 'xyzzy': no name of one, no rNNNN (hexadecimal), no SUBSYSTEM:TRACEPOINT" },
		{ "r", "unknown event 'r': no name of one, no rNNNN (hexadecimal), no SUBSYSTEM:TRACEPOINT" },
		{ "r01g", "unknown event 'r01g': no name of one, no rNNNN (hexadecimal), no SUBSYSTEM:TRACEPOINT" },
		{ "r10000000000000000",
			"unknown event 'r10000000000000000': no name of one, no rNNNN (hexadecimal), no SUBSYSTEM:TRACEPOINT" },
		{ "../x:y", "unknown event '../x:y': no name of one, no rNNNN (hexadecimal), no SUBSYSTEM:TRACEPOINT" },
		{ "x:", "unknown event 'x:': no name of one, no rNNNN (hexadecimal), no SUBSYSTEM:TRACEPOINT" },
		{ "cycles:q", "event 'cycles:q': takes one modifier, u (user mode) or k (kernel mode)" },
		{ "cycles:uk", "event 'cycles:uk': takes one modifier, u (user mode) or k (kernel mode)" },
		{ "cycles:u:k", "event 'cycles:u:k': takes one modifier, u (user mode) or k (kernel mode)" },
		{ "cycles:", "event 'cycles:': takes one modifier, u (user mode) or k (kernel mode)" },
		{ "r1:x", "event 'r1:x': takes one modifier, u (user mode) or k (kernel mode)" },
		{ "a:b:c", "event 'a:b:c': takes one modifier, u (user mode) or k (kernel mode)" },
		{ "task-clock:u",
			"event 'task-clock:u': the kernel counts user and kernel time alike; it takes no modifier" },
		{ "cs,faults,cs", "event 'cs' is named twice" },
		{ "cs,context-switches", "event 'context-switches' is 'cs' again" },
		{ "r01,r1", "event 'r1' is 'r01' again" },
		{ "a:b,a:b", "event 'a:b' is named twice" },
	};

	test_folder();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *list = xstrdup(rows[i].list), *expected = xasprintf("kbench: option -e: %s\n", rows[i].message),
		     *err;

		CHECK_INT(test_capture(parse, list, NULL, &err), EXIT_USAGE);
		CHECK_TEXT(err, expected);
		free(err);
		free(expected);
		free(list);
	}
}

static void check_tracepoint(const char *word, uint64_t id, const char *reason)
{
	struct events *events = events_parse_under(test_folder(), word);
	struct counters *counters = counters_open(events);

	CHECK_TEXT(events_get(events, 0)->reason, reason);
	if (reason)
		CHECK_TEXT(counters_read(counters, 0).reason, reason);
	else
		CHECK_UINT(events_get(events, 0)->config, id);
	counters_close(counters);
	events_free(events);
}

static void tracepoints_have_numbers(void)
{
	check_tracepoint("a:b", 0, "no tracepoints (tracefs is not mounted on /sys/kernel/tracing)");
	test_file(test_folder(), DEBUG_TRACING "events/a/b/id", "12\n");
	check_tracepoint("a:b", 12, NULL);
	check_tracepoint("a:b:u", 12, NULL);
	check_tracepoint("a:c", 0, "this kernel has no such tracepoint");
	test_file(test_folder(), TRACING "events/a/b/id", "13\n");
	test_file(test_folder(), TRACING "events/a-b/c_1/id", "14\n");
	check_tracepoint("a:b", 13, NULL);
	check_tracepoint("a-b:c_1", 14, NULL);
	test_file(test_folder(), TRACING "events/a/d/id", "none\n");
	check_tracepoint("a:d", 0, "this kernel has no such tracepoint");
}

static void multiplexed_counts_are_scaled(void)
{
	static const struct {
		struct counter_reading reading;
		double value, running;
		const char *reason;
	} rows[] = {
		{ { 1000, 500, 500 }, 1000, 1, NULL },
		{ { 1000, 500, 250 }, 2000, 0.5, NULL },
		{ { 30, 400, 100 }, 120, 0.25, NULL },
		{ { 0, 400, 100 }, 0, 0.25, NULL },
		{ { 0, 500, 500 }, 0, 1, NULL },
		{ { 0, 0, 0 }, 0, 1, NULL },
		{ { 0, 500, 0 }, (double)NAN, 0, "not counted (it never had a counter)" },
		{ { UINT64_MAX, 4, 2 }, 36893488147419103232.0, 0.5, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct counter_value value = counter_scale(&rows[i].reading);

		CHECK_NEAR(value.value, rows[i].value, 0);
		CHECK_NEAR(value.running, rows[i].running, 0);
		CHECK_TEXT(value.reason, rows[i].reason);
	}
}

static void refusals_have_reasons(void)
{
	static const struct {
		int error;
		const char *level, *reason;
	} rows[] = {
		{ EACCES, NULL, "not permitted" },
		{ EACCES, "2\n", "not permitted (perf_event_paranoid is 2)" },
		{ EPERM, "2\n", "not permitted (perf_event_open is filtered)" },
		{ ENOSYS, "2\n", "not supported by this kernel (no perf_event_open)" },
		{ ENOENT, "2\n", "not supported by this machine" },
		{ EOPNOTSUPP, "2\n", "not supported by this machine" },
		{ ENODEV, "2\n", "not supported by this machine" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *reason;

		if (rows[i].level)
			test_file(test_folder(), "proc/sys/kernel/perf_event_paranoid", rows[i].level);
		reason = counter_refusal(test_folder(), rows[i].error);
		CHECK_TEXT(reason, rows[i].reason);
		free(reason);
	}
}

static const struct test tests[] = {
	{ "a word names an event, and its modifier whose part of it", words_name_events },
	{ "the events of a list stand in its order, and time has a unit", list_keeps_its_order },
	{ "every known word is an event", known_words_are_events },
	{ "a list with a word that is none, or with an event twice, is refused", wrong_lists_are_refused },
	{ "a tracepoint has the number that tracefs says, or a reason", tracepoints_have_numbers },
	{ "a count of a part of the region is scaled to all of it", multiplexed_counts_are_scaled },
	{ "an event that is refused has the reason", refusals_have_reasons },
};
TEST_MAIN(tests)
