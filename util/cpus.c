// SPDX-License-Identifier: GPL-2.0-only
#include "cpus.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "die.h"

#define WORD_BITS (8 * sizeof(unsigned long))

void cpus_clear(struct cpus *set)
{
	memset(set, 0, sizeof(*set));
}

void cpus_add(struct cpus *set, unsigned cpu)
{
	if (cpu >= CPUS_MAX)
		BUG("number %u in a set of %u", cpu, CPUS_MAX);
	set->bits[cpu / WORD_BITS] |= 1UL << cpu % WORD_BITS;
}

bool cpus_has(const struct cpus *set, unsigned cpu)
{
	return cpu < CPUS_MAX && set->bits[cpu / WORD_BITS] >> cpu % WORD_BITS & 1;
}

unsigned cpus_count(const struct cpus *set)
{
	unsigned count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(set->bits); i++)
		count += (unsigned)__builtin_popcountl(set->bits[i]);
	return count;
}

void cpus_and(struct cpus *set, const struct cpus *other)
{
	for (size_t i = 0; i < ARRAY_SIZE(set->bits); i++)
		set->bits[i] &= other->bits[i];
}

bool cpus_subset(const struct cpus *inner, const struct cpus *outer)
{
	for (size_t i = 0; i < ARRAY_SIZE(inner->bits); i++)
		if (inner->bits[i] & ~outer->bits[i])
			return false;
	return true;
}

int cpus_next(const struct cpus *set, unsigned from)
{
	unsigned long word;

	if (from >= CPUS_MAX)
		return -1;
	word = set->bits[from / WORD_BITS] & ~0UL << from % WORD_BITS;
	for (size_t i = from / WORD_BITS;; word = set->bits[i]) {
		if (word)
			return (int)(i * WORD_BITS) + __builtin_ctzl(word);
		if (++i == ARRAY_SIZE(set->bits))
			return -1;
	}
}

unsigned cpus_nth(const struct cpus *set, unsigned n)
{
	unsigned left = n;

	for (int cpu = cpus_next(set, 0); cpu >= 0; cpu = cpus_next(set, (unsigned)cpu + 1))
		if (left-- == 0)
			return (unsigned)cpu;
	BUG("member %u of a set of %u", n, cpus_count(set));
}

/* Digits alone: strtoul would also take blanks and signs. */
static bool parse_number(const char **text, unsigned *number)
{
	const char *digit = *text;

	for (*number = 0; *digit >= '0' && *digit <= '9'; digit++) {
		*number = *number * 10 + (unsigned)(*digit - '0');
		if (*number >= CPUS_MAX)
			return false;
	}
	if (digit == *text)
		return false;
	*text = digit;
	return true;
}

static bool parse_range(const char **text, struct cpus *set)
{
	unsigned first, last;

	if (!parse_number(text, &first))
		return false;
	last = first;
	if (**text == '-') {
		++*text;
		if (!parse_number(text, &last) || last < first)
			return false;
	}
	for (unsigned cpu = first; cpu <= last; cpu++)
		cpus_add(set, cpu);
	return true;
}

static bool at_end(const char *text)
{
	return strcmp(text, "") == 0 || strcmp(text, "\n") == 0;
}

bool cpus_parse(const char *text, struct cpus *set)
{
	cpus_clear(set);
	if (at_end(text))
		return true;
	for (; parse_range(&text, set); text++) {
		if (at_end(text))
			return true;
		if (*text != ',')
			return false;
	}
	return false;
}

static int range_end(const struct cpus *set, int first)
{
	int last = first;

	while (cpus_has(set, (unsigned)last + 1))
		last++;
	return last;
}

const char *cpus_format(const struct cpus *set, char *text, size_t size)
{
	size_t used = 0, cut = 0; /* cut: where ",..." has room */
	int last;

	if (size == 0)
		BUG("no room for a list");
	text[0] = '\0';
	for (int first = cpus_next(set, 0); first >= 0; first = cpus_next(set, (unsigned)last + 1)) {
		char range[32];

		last = range_end(set, first);
		if (last == first)
			snprintf(range, sizeof(range), "%s%d", used ? "," : "", first);
		else
			snprintf(range, sizeof(range), "%s%d-%d", used ? "," : "", first, last);
		if (used + strlen(range) >= size) {
			snprintf(text + cut, size - cut, "%s", cut ? ",..." : "...");
			break;
		}
		strcpy(text + used, range);
		used += strlen(range);
		if (used + strlen(",...") < size)
			cut = used;
	}
	return text;
}

void cpus_allowed(struct cpus *set)
{
	cpus_clear(set);
	if (sched_getaffinity(0, sizeof(set->bits), (cpu_set_t *)set->bits) < 0)
		die_errno("sched_getaffinity");
}

int cpus_bind(const struct cpus *set)
{
	return sched_setaffinity(0, sizeof(set->bits), (const cpu_set_t *)set->bits);
}

int cpus_confine(const struct cpus *set)
{
	struct cpus now;

	cpus_allowed(&now);
	return cpus_subset(&now, set) ? 0 : cpus_bind(set);
}

int cpus_bind_one(unsigned cpu)
{
	struct cpus set;

	cpus_clear(&set);
	cpus_add(&set, cpu);
	return cpus_bind(&set);
}

unsigned cpus_current(void)
{
	int cpu = sched_getcpu();

	if (cpu < 0)
		die_errno("getcpu");
	return (unsigned)cpu;
}
