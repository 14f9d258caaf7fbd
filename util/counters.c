// SPDX-License-Identifier: GPL-2.0-only
#include "counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "counters-internal.h"
#include "die.h"
#include "sysfile.h"
#include "wrap.h"

struct counter {
	int fd;             /* -1: not open */
	const char *reason; /* why it is not */
	char *refusal;      /* the same, where it is our own */
};

struct counters {
	const struct events *events;
	struct counter counter[];
};

bool event_is_clock(const struct event *event)
{
	return event->type == PERF_TYPE_SOFTWARE && event->config == PERF_COUNT_SW_TASK_CLOCK;
}

/*
 * The clock of a task counts the same with the kernel excluded, and without that an ordinary user may not have it. What
 * is for user mode only leaves out the hypervisor too, as everywhere.
 */
static int open_event(const struct event *event)
{
	struct perf_event_attr attr = {
		.type = event->type,
		.size = sizeof(attr),
		.config = event->config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = 1,
		.inherit = 1,
		.exclude_user = event->only_kernel,
		.exclude_kernel = event->only_user || event_is_clock(event),
		.exclude_hv = event->only_user || event->only_kernel,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static char *not_permitted(const char *root)
{
	char *level = sysfile_word(root, "/proc/sys/kernel/perf_event_paranoid"), *text;

	text = level ? xasprintf("not permitted (perf_event_paranoid is %s)", level) : xstrdup("not permitted");
	free(level);
	return text;
}

/* EPERM comes from a filter of system calls, such as a container's; for what the kernel forbids it has EACCES. */
char *counter_refusal(const char *root, int error)
{
	switch (error) {
	case EACCES:
		return not_permitted(root);
	case EPERM:
		return xstrdup("not permitted (perf_event_open is filtered)");
	case ENOSYS:
		return xstrdup("not supported by this kernel (no perf_event_open)");
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		return xstrdup("not supported by this machine");
	default:
		return xasprintf("not counted (perf_event_open: %s)", strerror(error));
	}
}

static void open_counter(struct counter *counter, const struct event *event)
{
	counter->fd = -1;
	counter->reason = event->reason;
	if (event->reason)
		return;
	counter->fd = open_event(event);
	if (counter->fd < 0)
		counter->reason = counter->refusal = counter_refusal("", errno);
}

struct counters *counters_open(const struct events *events)
{
	size_t count = events_count(events);
	struct counters *counters = xcalloc(1, sizeof(*counters) + count * sizeof(counters->counter[0]));

	counters->events = events;
	for (size_t i = 0; i < count; i++)
		open_counter(&counters->counter[i], events_get(events, i));
	return counters;
}

/* Propagated by the kernel to all that have inherited the event. */
static void ask_all(struct counters *counters, unsigned request, const char *name)
{
	for (size_t i = 0; i < events_count(counters->events); i++)
		if (counters->counter[i].fd >= 0 && ioctl(counters->counter[i].fd, (int)request, 0) < 0)
			die_errno("%s: %s", events_name(counters->events, i), name);
}

void counters_enable(struct counters *counters)
{
	ask_all(counters, PERF_EVENT_IOC_ENABLE, "PERF_EVENT_IOC_ENABLE");
}

void counters_disable(struct counters *counters)
{
	ask_all(counters, PERF_EVENT_IOC_DISABLE, "PERF_EVENT_IOC_DISABLE");
}

/* The times pass only while a task is on a CPU: without any, nothing ran, and nothing can have been missed. */
struct counter_value counter_scale(const struct counter_reading *reading)
{
	double count = (double)reading->count, part;

	if (reading->running_ns >= reading->enabled_ns)
		return (struct counter_value){ .value = count, .running = 1 };
	part = (double)reading->running_ns / (double)reading->enabled_ns;
	if (reading->running_ns == 0)
		return (struct counter_value){ .value = (double)NAN, .reason = "not counted (it never had a counter)" };
	return (struct counter_value){ .value = count / part, .running = part };
}

struct counter_value counters_read(struct counters *counters, size_t i)
{
	const char *name = events_name(counters->events, i);
	const struct counter *counter = &counters->counter[i];
	struct counter_reading reading;
	ssize_t got;

	if (counter->fd < 0)
		return (struct counter_value){ .value = (double)NAN, .reason = counter->reason };
	got = read(counter->fd, &reading, sizeof(reading));
	if (got < 0)
		die_errno("%s: read", name);
	if (got != sizeof(reading))
		die("%s: read: %zd bytes, not %zu", name, got, sizeof(reading));
	return counter_scale(&reading);
}

const char *counter_remark(char text[COUNTER_REMARK], const struct counter_value *value)
{
	if (value->reason)
		snprintf(text, COUNTER_REMARK, "%s", value->reason);
	else if (value->running < 1)
		snprintf(text, COUNTER_REMARK, "counted in %.0f %% of the time and scaled", 100 * value->running);
	else
		return NULL;
	return text;
}

void counters_close(struct counters *counters)
{
	if (!counters)
		return;
	for (size_t i = 0; i < events_count(counters->events); i++) {
		if (counters->counter[i].fd >= 0)
			xclose(counters->counter[i].fd);
		free(counters->counter[i].refusal);
	}
	free(counters);
}
