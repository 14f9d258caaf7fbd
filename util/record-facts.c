// SPDX-License-Identifier: GPL-2.0-only
/* The facts of a file, each of which holds until it changes. */
#include "record-internal.h"

#include <stdlib.h>
#include <string.h>

#include "wrap.h"

void record_facts_forget(struct record_facts *facts)
{
	facts->block++;
	facts->changed_count = 0;
}

/* A key as in Go's format: begins with a lower case letter, no blanks, no upper case; a blank after the colon. */
static bool take_key(struct span line, struct span *key, struct span *value)
{
	const char *at = line.start;

	if (at == line.end || *at < 'a' || *at > 'z')
		return false;
	while (at < line.end && *at != ':' && (unsigned char)*at > ' ' && !(*at >= 'A' && *at <= 'Z'))
		at++;
	if (at == line.end || *at != ':' || (at + 1 < line.end && at[1] != ' ' && at[1] != '\t'))
		return false;
	*key = (struct span){ line.start, at };
	*value = (struct span){ at + 1, line.end };
	return true;
}

static void trim(struct span *span)
{
	while (span->start < span->end && (unsigned char)*span->start <= ' ')
		span->start++;
	while (span->start < span->end && (unsigned char)span->end[-1] <= ' ')
		span->end--;
}

static size_t key_number(struct record_facts *facts, struct span key)
{
	size_t count = facts->keys.count;
	size_t number = texts_number(&facts->keys, key.start, span_length(key));

	if (number == count) {
		facts->holding = record_grow(facts->holding, count, sizeof(*facts->holding));
		facts->holding[number] = (struct record_holding){ 0 };
		facts->seen = record_grow(facts->seen, count, sizeof(*facts->seen));
		facts->seen[number] = (struct record_fact){ .key = facts->keys.list[number].text };
	}
	return number;
}

bool record_facts_line(struct record_facts *facts, struct span line)
{
	struct span key, value;
	struct record_holding *holding;
	size_t number;

	if (span_starts(line, "# "))
		line.start += 2;
	if (!take_key(line, &key, &value))
		return false;
	trim(&value);
	if (memchr(line.start, '\0', span_length(line)))
		return false;
	number = key_number(facts, key);
	holding = &facts->holding[number];
	holding->block = 0;
	if (value.start == value.end)
		return true;
	holding->value = texts_number(&facts->values, value.start, span_length(value));
	holding->block = facts->block;
	facts->changed = record_grow(facts->changed, facts->changed_count, sizeof(*facts->changed));
	facts->changed[facts->changed_count++] = number;
	return true;
}

static void has_held(struct record_facts *facts, size_t key)
{
	struct record_fact *fact = &facts->seen[key];
	size_t pair[2] = { key, facts->holding[key].value }, count = facts->pairs.count;

	if (texts_number(&facts->pairs, (const char *)pair, sizeof(pair)) < count)
		return;
	fact->values = record_grow(fact->values, fact->value_count, sizeof(*fact->values));
	fact->values[fact->value_count++] = facts->values.list[pair[1]].text;
}

void record_facts_run(struct record_facts *facts)
{
	for (size_t i = 0; i < facts->changed_count; i++)
		if (facts->holding[facts->changed[i]].block == facts->block)
			has_held(facts, facts->changed[i]);
	facts->changed_count = 0;
}

size_t record_facts_finish(struct record_facts *facts)
{
	size_t kept = 0;

	for (size_t i = 0; i < facts->keys.count; i++)
		if (facts->seen[i].value_count)
			facts->seen[kept++] = facts->seen[i];
	return kept;
}

void record_facts_release(struct record_facts *facts)
{
	texts_release(&facts->keys);
	texts_release(&facts->values);
	texts_release(&facts->pairs);
	free(facts->holding);
	free(facts->changed);
	free(facts->seen);
}
