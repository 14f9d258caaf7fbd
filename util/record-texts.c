// SPDX-License-Identifier: GPL-2.0-only
/* Texts kept once, arrays that grow, words of a line: what the readers of records stand on. */
#include "record-internal.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "wrap.h"

#define BLOCK_SIZE 65536

struct text_block {
	struct text_block *next;
	char room[];
};

size_t record_room(size_t count)
{
	size_t room = 1;

	while (room < count)
		room *= 2;
	return room;
}

void *record_grow(void *array, size_t count, size_t size)
{
	size_t bytes;

	if (count & (count - 1)) /* not a power of two: not full */
		return array;
	if (__builtin_mul_overflow(record_room(count + 1), size, &bytes))
		die("no memory for %zu elements of %zu bytes", count, size);
	return xrealloc(array, bytes);
}

/* FNV-1a */
static uint32_t hash_of(const char *text, size_t length)
{
	uint32_t hash = 2166136261;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 16777619;
	return hash;
}

/* The slot of a text, or the free one where it belongs. There is always a free one. */
static size_t *find_slot(const struct texts *texts, const char *text, size_t length, uint32_t hash)
{
	size_t at = hash & (texts->slot_count - 1);

	for (; texts->slots[at]; at = (at + 1) & (texts->slot_count - 1)) {
		const struct text *found = &texts->list[texts->slots[at] - 1];

		if (found->hash == hash && found->length == length && memcmp(found->text, text, length) == 0)
			break;
	}
	return &texts->slots[at];
}

static void widen(struct texts *texts)
{
	free(texts->slots);
	texts->slot_count = texts->slot_count ? 2 * texts->slot_count : 16;
	texts->slots = xcalloc(texts->slot_count, sizeof(*texts->slots));
	for (size_t i = 0; i < texts->count; i++) {
		size_t at = texts->list[i].hash & (texts->slot_count - 1);

		while (texts->slots[at])
			at = (at + 1) & (texts->slot_count - 1);
		texts->slots[at] = i + 1;
	}
}

static const char *keep(struct texts *texts, const char *text, size_t length)
{
	char *copy;

	if (texts->room_left < length + 1) {
		size_t size = length + 1 > BLOCK_SIZE ? length + 1 : BLOCK_SIZE;
		struct text_block *block = xmalloc(sizeof(*block) + size);

		block->next = texts->blocks;
		texts->blocks = block;
		texts->room = block->room;
		texts->room_left = size;
	}
	copy = memcpy(texts->room, text, length);
	copy[length] = '\0';
	texts->room += length + 1;
	texts->room_left -= length + 1;
	return copy;
}

size_t texts_number(struct texts *texts, const char *text, size_t length)
{
	uint32_t hash = hash_of(text, length);
	size_t *slot;

	if (length > UINT32_MAX)
		BUG("a text of %zu bytes", length);
	if (2 * texts->count >= texts->slot_count)
		widen(texts);
	slot = find_slot(texts, text, length, hash);
	if (!*slot) {
		texts->list = record_grow(texts->list, texts->count, sizeof(*texts->list));
		texts->list[texts->count].text = keep(texts, text, length);
		texts->list[texts->count].length = (uint32_t)length;
		texts->list[texts->count].hash = hash;
		*slot = ++texts->count;
	}
	return *slot - 1;
}

size_t texts_find(const struct texts *texts, const char *text, size_t length)
{
	size_t slot = texts->count ? *find_slot(texts, text, length, hash_of(text, length)) : 0;

	return slot ? slot - 1 : texts->count;
}

void texts_release(struct texts *texts)
{
	while (texts->blocks) {
		struct text_block *next = texts->blocks->next;

		free(texts->blocks);
		texts->blocks = next;
	}
	free(texts->list);
	free(texts->slots);
	*texts = (struct texts){ 0 };
}

size_t span_length(struct span span)
{
	return (size_t)(span.end - span.start);
}

bool span_is(struct span span, const char *text)
{
	return span_length(span) == strlen(text) && span_starts(span, text);
}

bool span_starts(struct span span, const char *text)
{
	size_t length = strlen(text);

	return span_length(span) >= length && memcmp(span.start, text, length) == 0;
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

struct span span_word(struct span *rest)
{
	const char *at = rest->start, *start;

	while (at < rest->end && is_blank(*at))
		at++;
	start = at;
	while (at < rest->end && ((unsigned char)*at > ' ' || !is_blank(*at)))
		at++;
	rest->start = at;
	return (struct span){ start, at };
}

bool span_integer(struct span span, uint64_t *number)
{
	uint64_t value = 0;

	if (span.start == span.end)
		return false;
	for (; span.start < span.end; span.start++) {
		unsigned digit = (unsigned char)*span.start - (unsigned)'0';

		if (digit > 9 || __builtin_mul_overflow(value, 10, &value) ||
			__builtin_add_overflow(value, digit, &value))
			return false;
	}
	*number = value;
	return true;
}
