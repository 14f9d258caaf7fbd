// SPDX-License-Identifier: GPL-2.0-only
#include "record-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "die.h"
#include "wrap.h"

#define BLOCK           ((size_t)256 << 10)
#define LONGEST         ((size_t)64 << 20) /* a longer line is no record's */
#define MAX_WARNING     10

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* What stands in a file: record_read hands out its first member. */
struct reading {
	struct record record;
	char *path;
	size_t line;
	struct record_units units;
	struct record_rows rows;
	struct record_facts facts;
	struct texts ids;
	struct record_place next; /* what was said of the run that comes next */
};

static void forget_place(struct reading *reading)
{
	reading->next = (struct record_place){ .time = (double)NAN };
}

static void begin_block(struct reading *reading)
{
	record_facts_forget(&reading->facts);
	forget_place(reading);
}

static void read_place_word(struct reading *reading, struct span word)
{
	struct record_place *next = &reading->next;
	const char *equals = memchr(word.start, '=', span_length(word));
	struct span value = { equals ? equals + 1 : word.end, word.end };
	struct record_number time;
	size_t number;

	if (span_starts(word, "id=") && value.start < value.end) {
		number = texts_number(&reading->ids, value.start, span_length(value));
		next->id = reading->ids.list[number].text;
	}
	if (span_starts(word, "index="))
		span_integer(value, &next->index);
	else if (span_starts(word, "time=") && record_number_parse(value, &time))
		next->time = record_number_value(&time);
}

static void read_place(struct reading *reading, struct span rest)
{
	forget_place(reading);
	for (struct span word = span_word(&rest); word.start < word.end; word = span_word(&rest))
		read_place_word(reading, word);
}

static void read_unit(struct reading *reading, struct span rest)
{
	struct span unit = span_word(&rest);
	size_t number;

	if (unit.start == unit.end)
		return;
	number = record_units_number(&reading->units, unit);
	for (struct span word = span_word(&rest); word.start < word.end; word = span_word(&rest)) {
		struct record_unit *known = &reading->units.list[number];

		if (!span_is(word, "better=lower") && !span_is(word, "better=higher"))
			continue;
		known->stated = true;
		known->better = span_is(word, "better=lower") ? BETTER_LOWER : BETTER_HIGHER;
	}
}

static void damaged(struct reading *reading, const char *why)
{
	if (reading->record.skipped++ < MAX_WARNING)
		warn("%s:%zu: damaged, skipped: %s", reading->path, reading->line, why);
	forget_place(reading);
}

static void read_result(struct reading *reading, struct span line)
{
	struct span name;
	const char *why = record_line_parse(&reading->units, line, reading->line, &name);

	if (why) {
		damaged(reading, why);
		return;
	}
	reading->next.line = reading->line;
	record_rows_add(&reading->rows, &reading->units, name, reading->next);
	record_facts_run(&reading->facts);
	forget_place(reading);
}

static bool is_result(struct span line)
{
	const char *letter = line.start + strlen("Benchmark");

	return span_starts(line, "Benchmark") && letter < line.end && *letter >= 'A' && *letter <= 'Z';
}

/* "go test -v" says so of a benchmark that it is about to run. */
static bool is_name_alone(struct span line)
{
	struct span second;

	span_word(&line);
	second = span_word(&line);
	return second.start == second.end;
}

/* A line that was cut may be continued by the first one of a file that was appended to it. */
static bool begins_block(struct span line)
{
	size_t length = strlen(RECORD_START);

	while (line.start < line.end && (line.end[-1] == '\r' || line.end[-1] == ' '))
		line.end--;
	return span_length(line) >= length && memcmp(line.end - length, RECORD_START, length) == 0;
}

static void read_line(struct reading *reading, struct span line)
{
	reading->line++;
	if (span_starts(line, BYTE_ORDER_MARK)) /* of an editor, or of files that were joined */
		line.start += strlen(BYTE_ORDER_MARK);
	if (is_result(line) && !is_name_alone(line))
		read_result(reading, line);
	else if (span_starts(line, "# run:") && !begins_block(line))
		read_place(reading, (struct span){ line.start + strlen("# run:"), line.end });
	else if (span_starts(line, "Unit "))
		read_unit(reading, (struct span){ line.start + strlen("Unit "), line.end });
	else if (!begins_block(line))
		record_facts_line(&reading->facts, line);
	if (line.end > line.start && begins_block(line))
		begin_block(reading);
}

/* It may have been cut in the middle of its last word, which looks whole. */
static void read_rest(struct reading *reading, struct span rest)
{
	if (rest.start == rest.end)
		return;
	reading->line++;
	if (is_result(rest))
		damaged(reading, "the file ends in the middle of it");
}

/* Reads the lines that are whole; what follows them. */
static struct span read_lines(struct reading *reading, struct span text)
{
	while (text.start < text.end) {
		const char *end = memchr(text.start, '\n', span_length(text));

		if (!end)
			break;
		read_line(reading, (struct span){ text.start, end });
		text.start = end + 1;
	}
	return text;
}

static size_t read_some(const struct reading *reading, int fd, char *buffer, size_t room)
{
	ssize_t got;

	do
		got = read(fd, buffer, room);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		die_errno("%s", reading->path);
	return (size_t)got;
}

/* The buffer begins with what is left of a line. Bytes that were searched for its end are not searched again. */
static void read_file_of(struct reading *reading, int fd)
{
	size_t room = BLOCK, held = 0, got;
	char *buffer = xmalloc(room);
	bool empty = true;

	while ((got = read_some(reading, fd, buffer + held, room - held))) {
		char *last = memrchr(buffer + held, '\n', got);
		struct span rest = { buffer, buffer + held + got };

		empty = false;
		if (last)
			rest = read_lines(reading, rest);
		held = span_length(rest);
		memmove(buffer, rest.start, held);
		if (held >= LONGEST)
			die("%s:%zu: the line is longer than %zu MB", reading->path, reading->line + 1, LONGEST >> 20);
		if (room - held < BLOCK / 2)
			buffer = xrealloc(buffer, room *= 2);
	}
	if (empty)
		die("%s: is empty", reading->path);
	read_rest(reading, (struct span){ buffer, buffer + held });
	free(buffer);
}

/* The word "all" is no unit. */
static void want(struct reading *reading, const char *metric)
{
	reading->rows.metric = metric;
	reading->rows.wanted = SIZE_MAX;
	if (metric && strcmp(metric, "all") != 0)
		reading->rows.wanted =
			record_units_number(&reading->units, (struct span){ metric, metric + strlen(metric) });
}

static void finish(struct reading *reading)
{
	struct record *record = &reading->record;

	if (record->skipped > MAX_WARNING)
		warn("%s: %zu more damaged lines", reading->path, record->skipped - MAX_WARNING);
	if (!reading->rows.names.count)
		die("%s: has no result", reading->path);
	record_rows_finish(&reading->rows, &reading->units);
	record->path = reading->path;
	record->rows = reading->rows.list;
	record->row_count = reading->rows.names.count;
	record->fact_count = record_facts_finish(&reading->facts);
	record->facts = reading->facts.seen;
}

struct record *record_read(const char *path, const char *metric)
{
	return record_read_against(path, metric, NULL);
}

struct record *record_read_against(const char *path, const char *metric, const struct record *base)
{
	struct reading *reading = xcalloc(1, sizeof(*reading));
	int fd;

	reading->rows.base = base ? &((const struct reading *)base)->rows : NULL;

	reading->path = xstrdup(path);
	begin_block(reading);
	want(reading, metric);
	do
		fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	if (fd < 0)
		die_errno("%s", path);
	read_file_of(reading, fd);
	xclose(fd);
	finish(reading);
	return &reading->record;
}

void record_free(struct record *record)
{
	struct reading *reading = (struct reading *)record;

	for (size_t i = 0; i < record->fact_count; i++)
		free(record->facts[i].values);
	record_facts_release(&reading->facts);
	record_rows_release(&reading->rows);
	record_units_release(&reading->units);
	texts_release(&reading->ids);
	free(reading->path);
	free(reading);
}
