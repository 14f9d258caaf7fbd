// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "nearest.h"
#include "options-internal.h"
#include "wrap.h"

static const char all_word[] = "all"; /* of a menu */

#define WORD_ROOM 64 /* a longer word is no number and no choice */

void opt_reject(const struct opt *opt, const char *format, ...)
{
	char *text;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		die_errno("vasprintf");
	va_end(args);
	if (opt->letter)
		usage("option -%c, --%s%s", opt->letter, opt->name, text);
	usage("option --%s%s", opt->name, text);
}

bool opt_is_all(const struct opt *opt, union opt_value value)
{
	return opt->meanings && value.number == OPT_ALL;
}

const char *opt_format(char text[UNITS_TEXT], const struct opt *opt, union opt_value value)
{
	switch (opt->type) {
	case OPT_TYPE_COUNT:
		return units_format_count(text, value.number);
	case OPT_TYPE_SIZE:
		return units_format_size(text, value.number);
	case OPT_TYPE_MB:
		return units_format_mb(text, value.number);
	case OPT_TYPE_TIME:
		return units_format_time(text, value.number);
	case OPT_TYPE_INT:
		snprintf(text, UNITS_TEXT, "%" PRId64, (int64_t)value.number);
		return text;
	case OPT_TYPE_FLAG:
		return value.number ? "true" : "false";
	case OPT_TYPE_CHOICE:
		return opt_is_all(opt, value) ? all_word : opt->choices[value.number];
	case OPT_TYPE_STRING:
	case OPT_TYPE_WORDS:
		return value.text ? value.text : "";
	case OPT_TYPE_LIST:
	case OPT_TYPE_END:
		break;
	}
	BUG("option --%s has no type", opt->name);
}

static uint64_t largest(const struct opt *opt)
{
	return opt->max == OPT_MAX && opt->type != OPT_TYPE_INT ? UINT64_MAX : (uint64_t)opt->max;
}

bool opt_in_range(const struct opt *opt, union opt_value value)
{
	if (opt->type == OPT_TYPE_INT)
		return (int64_t)value.number >= opt->min && (int64_t)value.number <= opt->max;
	return value.number >= (uint64_t)opt->min && value.number <= largest(opt);
}

const char *opt_range(char text[OPT_ALLOWED_TEXT], const struct opt *opt)
{
	char min[UNITS_TEXT], max[UNITS_TEXT];

	opt_format(min, opt, (union opt_value){ .number = (uint64_t)opt->min });
	opt_format(max, opt, (union opt_value){ .number = largest(opt) });
	snprintf(text, OPT_ALLOWED_TEXT, "%s to %s", min, max);
	return text;
}

const char *opt_choices(char text[OPT_ALLOWED_TEXT], const struct opt *opt)
{
	size_t length = 0;

	for (size_t i = 0; opt->choices[i] && length < OPT_ALLOWED_TEXT; i++)
		length += (size_t)snprintf(
			text + length, OPT_ALLOWED_TEXT - length, "%s%s", i ? ", " : "", opt->choices[i]);
	if (opt->meanings && length < OPT_ALLOWED_TEXT)
		snprintf(text + length, OPT_ALLOWED_TEXT - length, ", %s", all_word);
	return text;
}

static noreturn void reject_range(const struct opt *opt, const char *word)
{
	char range[OPT_ALLOWED_TEXT];

	opt_reject(opt, ": '%s' is out of range (%s)", word, opt_range(range, opt));
}

static noreturn void reject_choice(const struct opt *opt, const char *word)
{
	char choices[OPT_ALLOWED_TEXT];
	const char *meant;
	size_t count = 0;

	while (opt->choices[count])
		count++;
	meant = nearest(word, opt->choices, count);
	opt_choices(choices, opt);
	if (meant)
		opt_reject(opt, ": '%s' is not one of %s; did you mean '%s'?", word, choices, meant);
	opt_reject(opt, ": '%s' is not one of %s", word, choices);
}

/* The word is not written as the type asks for. */
static noreturn void reject_form(const struct opt *opt, const char *word)
{
	static const char *const forms[] = {
		[OPT_TYPE_COUNT] =
			"count (digits, with k, M, G or T; lists 4,8,16, ranges 1-4, doubling ranges 1-64*2)",
		[OPT_TYPE_SIZE] = "size (bytes, or with K, M, G or T; lists 4K,64K,1M, doubling ranges 4K-1M*2)",
		[OPT_TYPE_MB] = "number of megabytes (64, 0.5; lists 1,64, ranges 1-4, doubling ranges 1-64*2)",
		[OPT_TYPE_TIME] = "time (seconds, or with ns, us, ms, s, m or h; lists 10ms,1s, doubling ranges "
				  "1ms-64ms*2)",
		[OPT_TYPE_INT] = "whole number (lists -1,0,1, ranges 1-4, doubling ranges 1-64*2)",
	};

	if (opt->type == OPT_TYPE_CHOICE)
		reject_choice(opt, word);
	opt_reject(opt, ": '%s' is not a %s", word, forms[opt->type]);
}

static noreturn void reject_length(const struct opt *opt, const char *word)
{
	opt_reject(opt, ": '%s' makes more than %d values (a doubling range is written 1-64*2)", word, SWEEP_MAX);
}

void sweep_add(struct sweep *sweep, union opt_value value)
{
	if (sweep->count == sweep->room) {
		sweep->room = sweep->room ? sweep->room * 2 : 1;
		sweep->values = xrealloc(sweep->values, sweep->room * sizeof(*sweep->values));
	}
	sweep->values[sweep->count++] = value;
}

static bool read_number(enum opt_type type, const char *text, uint64_t *number)
{
	int64_t value;

	switch (type) {
	case OPT_TYPE_COUNT:
		return units_parse_count(text, number);
	case OPT_TYPE_SIZE:
		return units_parse_size(text, number);
	case OPT_TYPE_MB:
		return units_parse_mb(text, number);
	case OPT_TYPE_TIME:
		return units_parse_time(text, number);
	default:
		if (!units_parse_int(text, &value))
			return false;
		*number = (uint64_t)value;
		return true;
	}
}

/* A number of the right form that the parser refused can only be negative or too large: its last digit is neither. */
static bool exceeds_type(enum opt_type type, const char *text)
{
	const char *digits = text + (*text == '-');
	size_t count = strspn(digits, "0123456789");
	uint64_t last;

	return count > 0 && read_number(type, digits + count - 1, &last);
}

/* Text is the part of the word that is this number. */
static union opt_value parse_number(const struct opt *opt, const char *text, const char *word)
{
	union opt_value value;

	if (!read_number(opt->type, text, &value.number)) {
		if (exceeds_type(opt->type, text))
			reject_range(opt, text);
		reject_form(opt, word);
	}
	if (!opt_in_range(opt, value))
		reject_range(opt, text);
	return value;
}

/* "1-4" or "1-64*2"; dash is the offset of the dash. */
static void add_range(struct sweep *sweep, const struct opt *opt, const char *word, size_t dash)
{
	char first[WORD_ROOM], *last = first + dash + 1, *star;
	uint64_t from, to, factor = 0, step = opt->type == OPT_TYPE_MB ? 1 << 20 : 1;

	strcpy(first, word);
	first[dash] = '\0';
	star = strchr(last, '*');
	if (star)
		*star++ = '\0';
	if (*first == '-' || *last == '-' || (star && !units_parse_count(star, &factor)))
		reject_form(opt, word);
	from = parse_number(opt, first, word).number;
	to = parse_number(opt, last, word).number;
	if (from > to)
		opt_reject(opt, ": '%s' ends before it begins (a range is written from low to high: 1-4)", word);
	if (star && factor < 2)
		opt_reject(opt, ": '%s' has no factor of 2 or more (a doubling range is written 1-64*2)", word);
	if (star && from == 0)
		opt_reject(opt, ": '%s' begins at 0, which no factor changes (write 0,1-64*2)", word);
	if (!star && (to - from) / step >= SWEEP_MAX)
		reject_length(opt, word);
	for (;;) {
		sweep_add(sweep, (union opt_value){ .number = from });
		if (star ? from > to / factor : to - from < step)
			return;
		from = star ? from * factor : from + step;
	}
}

void sweep_add_all(struct sweep *sweep, const struct opt *opt)
{
	for (size_t i = 0; opt->choices[i]; i++)
		sweep_add(sweep, (union opt_value){ .number = i });
}

static void add_choice(struct sweep *sweep, const struct opt *opt, const char *word)
{
	for (size_t i = 0; opt->choices[i]; i++)
		if (strcmp(opt->choices[i], word) == 0) {
			sweep_add(sweep, (union opt_value){ .number = i });
			return;
		}
	if (!opt->meanings || strcmp(word, all_word) != 0)
		reject_choice(opt, word);
	sweep_add_all(sweep, opt);
}

static void add_word(struct sweep *sweep, const struct opt *opt, const char *word)
{
	const char *dash = strchr(word + 1, '-'); /* one at the start is a sign */

	if (opt->type == OPT_TYPE_CHOICE)
		add_choice(sweep, opt, word);
	else if (dash)
		add_range(sweep, opt, word, (size_t)(dash - word));
	else
		sweep_add(sweep, parse_number(opt, word, word));
	if (sweep->count > SWEEP_MAX)
		reject_length(opt, word);
}

/* "1,000" is a list of 1 and of what is meant as no number at all. */
static void check_grouping(const struct opt *opt, const char *list, const char *rest, size_t length)
{
	if (rest > list && opt_is_numeric(opt) && rest[0] == '0' && isdigit((unsigned char)rest[1]))
		opt_reject(opt, ": '%s' is a list, and '%.*s' no value of it; digits are never grouped", list,
			(int)length, rest);
}

static void add_list(struct sweep *sweep, const struct opt *opt, const char *list)
{
	const char *rest = list;

	for (;;) {
		size_t length = strcspn(rest, ",");
		char word[WORD_ROOM];

		if (length == 0 || length >= sizeof(word))
			reject_form(opt, list);
		check_grouping(opt, list, rest, length);
		memcpy(word, rest, length);
		word[length] = '\0';
		add_word(sweep, opt, word);
		if (!rest[length])
			return;
		rest += length + 1;
	}
}

static void add_occurrence(struct opt_list *list, const char *argument)
{
	list->words = xrealloc(list->words, (list->count + 1) * sizeof(*list->words));
	list->words[list->count++] = argument;
}

/* The length of the word at text, which begins behind a comma or at the start of a list. */
static size_t word_length(const char *text)
{
	size_t length = strcspn(text, ",");

	while (length && text[length] && isdigit((unsigned char)text[length - 1]) &&
		isdigit((unsigned char)text[length + 1]))
		length += 1 + strcspn(text + length + 1, ",");
	return length;
}

/* What a word may be, an empty one too, is known to who takes it. */
static void add_words(struct sweep *sweep, const char *list)
{
	char *word;

	free(sweep->words);
	sweep->words = word = xstrdup(list);
	for (;;) {
		size_t length = word_length(word);
		bool last = word[length] == '\0';

		word[length] = '\0';
		sweep_add(sweep, (union opt_value){ .text = word });
		if (last)
			return;
		word += length + 1;
	}
}

void sweep_parse(struct sweep *sweep, const struct opt *opt, const char *argument)
{
	if (opt->type == OPT_TYPE_LIST) {
		add_occurrence(&sweep->values[0].list, argument);
		return;
	}
	sweep->count = 0;
	if (opt->type == OPT_TYPE_FLAG)
		sweep_add(sweep, (union opt_value){ .number = true });
	else if (opt->type == OPT_TYPE_STRING)
		sweep_add(sweep, (union opt_value){ .text = argument ? argument : opt->bare });
	else if (opt->type == OPT_TYPE_WORDS)
		add_words(sweep, argument);
	else
		add_list(sweep, opt, argument);
}
