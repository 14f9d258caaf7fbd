// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "counters-internal.h"
#include "die.h"
#include "nearest.h"
#include "wrap.h"

/* An alias stands after the event's own name. */
static const struct {
	const char *word;
	uint32_t type;
	uint64_t config;
} known[] = {
	{ "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	{ "context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ "major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
	{ "cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ "stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "idle-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "idle-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
};

struct events {
	struct event *events;
	size_t count;
};

const char *events_known(size_t i)
{
	return i < ARRAY_SIZE(known) ? known[i].word : NULL;
}

/* The index of a known word, or of the end. */
static size_t find_word(const char *text)
{
	size_t i = 0;

	while (i < ARRAY_SIZE(known) && strcmp(known[i].word, text) != 0)
		i++;
	return i;
}

/* Of the event that this word, by its index, is for. */
static const char *own_name(size_t word)
{
	size_t i = 0;

	while (known[i].type != known[word].type || known[i].config != known[word].config)
		i++;
	return known[i].word;
}

/* "r01c2" */
static bool parse_raw(const char *text, uint64_t *config)
{
	size_t digits = text[0] == 'r' ? strspn(text + 1, "0123456789abcdefABCDEF") : 0;

	if (digits == 0 || text[1 + digits] != '\0')
		return false;
	errno = 0;
	*config = strtoull(text + 1, NULL, 16);
	return errno == 0;
}

/* Names the event, if its text is that of a word or a raw one. */
static bool take_simple(struct event *event, const char *text)
{
	size_t i = find_word(text);

	if (i < ARRAY_SIZE(known)) {
		event->what = xstrdup(own_name(i));
		event->type = known[i].type;
		event->config = known[i].config;
		return true;
	}
	if (!parse_raw(text, &event->config))
		return false;
	event->what = xasprintf("r%" PRIx64, event->config);
	event->type = PERF_TYPE_RAW;
	return true;
}

static void take_tracepoint(struct event *event, const char *root, const char *text)
{
	event->what = xstrdup(text);
	event->type = PERF_TYPE_TRACEPOINT;
	event->reason = tracepoint_find(root, text, &event->config);
}

/* Cuts a modifier off. */
static void take_modifier(struct event *event, char *text)
{
	char *colon = strrchr(text, ':');

	if (!colon)
		return;
	event->only_user = strcmp(colon, ":u") == 0;
	event->only_kernel = strcmp(colon, ":k") == 0;
	if (event->only_user || event->only_kernel)
		*colon = '\0';
}

/* Is this an event with something after it that is no modifier? */
static bool badly_modified(const char *text)
{
	const char *colon = strrchr(text, ':');
	char *start = colon ? xasprintf("%.*s", (int)(colon - text), text) : xstrdup("");
	uint64_t config;
	bool is_event = find_word(start) < ARRAY_SIZE(known) || parse_raw(start, &config) || tracepoint_named(start);

	free(start);
	return is_event;
}

/* text: the word without its modifier. */
static void refuse(const char *word, const char *text)
{
	const char *words[ARRAY_SIZE(known)], *meant;

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		words[i] = known[i].word;
	meant = nearest(text, words, ARRAY_SIZE(known));
	if (*text == '\0')
		usage("option -e: an event without a name in the list of events");
	if (badly_modified(text))
		usage("option -e: event '%s': takes one modifier, u (user mode) or k (kernel mode)", word);
	if (meant)
		usage("option -e: unknown event '%s': did you mean '%s%s'?", word, meant, word + strlen(text));
	usage("option -e: unknown event '%s': no name of one, no rNNNN (hexadecimal), no SUBSYSTEM:TRACEPOINT", word);
}

static void parse_word(struct event *event, const char *root, char *word)
{
	char *text = xstrdup(word);

	event->name = word;
	take_modifier(event, text);
	if (!take_simple(event, text)) {
		if (badly_modified(text) || !tracepoint_named(text))
			refuse(word, text);
		take_tracepoint(event, root, text);
	}
	free(text);
	if (event_is_clock(event) && (event->only_user || event->only_kernel))
		usage("option -e: event '%s': the kernel counts user and kernel time alike; it takes no modifier",
			word);
}

static void check_new(const struct events *events, const struct event *event)
{
	for (const struct event *other = events->events; other < event; other++) {
		if (strcmp(other->what, event->what) != 0 || other->only_user != event->only_user ||
			other->only_kernel != event->only_kernel)
			continue;
		if (strcmp(other->name, event->name) == 0)
			usage("option -e: event '%s' is named twice", event->name);
		usage("option -e: event '%s' is '%s' again", event->name, other->name);
	}
}

struct events *events_parse_under(const char *root, const char *list)
{
	struct events *events = xcalloc(1, sizeof(*events));

	for (const char *word = list;; word++) {
		size_t length = strcspn(word, ",");
		struct event *event;

		events->events = xrealloc(events->events, (events->count + 1) * sizeof(*event));
		event = &events->events[events->count++];
		*event = (struct event){ 0 };
		parse_word(event, root, xasprintf("%.*s", (int)length, word));
		check_new(events, event);
		word += length;
		if (*word == '\0')
			return events;
	}
}

struct events *events_parse(const char *list)
{
	return events_parse_under("", list);
}

void events_free(struct events *events)
{
	for (size_t i = 0; events && i < events->count; i++) {
		free(events->events[i].name);
		free(events->events[i].what);
		free(events->events[i].reason);
	}
	if (events)
		free(events->events);
	free(events);
}

size_t events_count(const struct events *events)
{
	return events->count;
}

const struct event *events_get(const struct events *events, size_t i)
{
	if (i >= events->count)
		BUG("event %zu of %zu", i, events->count);
	return &events->events[i];
}

const char *events_name(const struct events *events, size_t i)
{
	return events_get(events, i)->name;
}

const char *events_unit(const struct events *events, size_t i)
{
	return event_is_clock(events_get(events, i)) ? "ns" : NULL;
}
