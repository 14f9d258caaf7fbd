// SPDX-License-Identifier: GPL-2.0-only
#include "tasklist.h"

#include <stdlib.h>

#include "wrap.h"

#define COUNT_MAX 1048576

/* Digits alone, at most max. */
static bool take_number(const char **text, unsigned max, unsigned *number)
{
	const char *digit = *text;

	for (*number = 0; *digit >= '0' && *digit <= '9'; digit++) {
		*number = *number * 10 + (unsigned)(*digit - '0');
		if (*number > max)
			return false;
	}
	if (digit == *text)
		return false;
	*text = digit;
	return true;
}

/* A mark and a number of at least 1, or neither, which is 1. */
static bool take_marked(const char **text, char mark, unsigned max, unsigned *number)
{
	*number = 1;
	if (**text != mark)
		return true;
	++*text;
	return take_number(text, max, number) && *number > 0;
}

static bool append(struct tasklist *list, unsigned number)
{
	if (list->count == COUNT_MAX)
		return false;
	/* Full at every power of two. */
	if ((list->count & (list->count - 1)) == 0)
		list->numbers = xrealloc(list->numbers, (list->count ? 2 * list->count : 1) * sizeof(*list->numbers));
	list->numbers[list->count++] = number;
	return true;
}

static bool take_range(struct tasklist *list, const char **text)
{
	unsigned first, last, step, times;

	if (!take_number(text, CPUS_MAX - 1, &first))
		return false;
	last = first;
	if (**text == '-') {
		++*text;
		if (!take_number(text, CPUS_MAX - 1, &last) || last < first)
			return false;
	}
	if (!take_marked(text, '#', CPUS_MAX, &step) || !take_marked(text, 'x', COUNT_MAX, &times))
		return false;
	for (unsigned number = first; number <= last; number += step)
		for (unsigned i = 0; i < times; i++)
			if (!append(list, number))
				return false;
	return true;
}

bool tasklist_parse(struct tasklist *list, const char *text)
{
	while (take_range(list, &text)) {
		if (*text == '\0')
			return true;
		if (*text++ != ',')
			return false;
	}
	return false;
}

void tasklist_release(struct tasklist *list)
{
	free(list->numbers);
	*list = (struct tasklist){ 0 };
}

unsigned tasklist_of(const struct tasklist *list, size_t task)
{
	return task < list->count ? list->numbers[task] : TASKLIST_NONE;
}

void tasklist_set(const struct tasklist *list, struct cpus *set)
{
	cpus_clear(set);
	for (size_t i = 0; i < list->count; i++)
		cpus_add(set, list->numbers[i]);
}
