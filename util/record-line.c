// SPDX-License-Identifier: GPL-2.0-only
/* One result line: "BenchmarkName-8 iterations value unit value unit ...". */
#include "record-internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "wrap.h"

#define EXACT_MANTISSA (UINT64_C(1) << 53) /* any whole number up to this is a double */
#define MAX_DIGITS     19                  /* as many always fit in 64 bits, and are above EXACT_MANTISSA */
#define MAX_POWER      22                  /* the largest power of ten that is a double */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Takes digits into the number, as many as fit; how many there are. *taken counts those that are no leading zeros. */
static int take_digits(const char **at, const char *end, struct record_number *number, int *taken)
{
	const char *start = *at, *digit = start;
	uint64_t mantissa = number->mantissa;
	int count = *taken;

	for (; digit < end && is_digit(*digit); digit++) {
		if (count == MAX_DIGITS)
			continue;
		mantissa = mantissa * 10 + (uint64_t)(*digit - '0');
		count += mantissa != 0;
	}
	number->mantissa = mantissa;
	*taken = count;
	*at = digit;
	return digit - start > INT32_MAX / 4 ? INT32_MAX / 4 : (int)(digit - start);
}

/* False: "1e", "1e+". */
static bool take_exponent(const char **at, const char *end, struct record_number *number)
{
	const char *start;
	bool negative;
	int exponent = 0;

	if (*at == end || (**at | 0x20) != 'e')
		return true;
	++*at;
	negative = *at < end && **at == '-';
	*at += *at < end && (**at == '-' || **at == '+');
	for (start = *at; *at < end && is_digit(**at); ++*at)
		if (exponent < 100000)
			exponent = exponent * 10 + (**at - '0');
	number->exponent += negative ? -exponent : exponent;
	return *at > start;
}

/* Not strtod alone: it takes "inf", "0x1p3" and a text that goes on. */
bool record_number_parse(struct span text, struct record_number *number)
{
	const char *at = text.start;
	int taken = 0, whole, fraction = 0;

	*number = (struct record_number){ .text = text.start };
	number->negative = at < text.end && *at == '-';
	at += at < text.end && (*at == '-' || *at == '+');
	whole = take_digits(&at, text.end, number, &taken);
	if (at < text.end && *at == '.') {
		at++;
		fraction = take_digits(&at, text.end, number, &taken);
	}
	number->exponent = -fraction;
	if (whole + fraction == 0 || !take_exponent(&at, text.end, number) || at != text.end)
		return false;
	return (whole + fraction < 200 && number->exponent < 100) || isfinite(record_number_value(number));
}

/*
 * The quotient or product of two exact numbers is rounded once, so it is the nearest double, where the arithmetic is
 * that of doubles: x87 rounds twice.
 */
double record_number_value(const struct record_number *number)
{
	static const double powers[MAX_POWER + 1] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
		1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
	double value = (double)number->mantissa;

	if (FLT_EVAL_METHOD != 0 || number->mantissa > EXACT_MANTISSA || number->exponent < -MAX_POWER ||
		number->exponent > MAX_POWER)
		return strtod(number->text, NULL);
	value = number->exponent < 0 ? value / powers[-number->exponent] : value * powers[number->exponent];
	return number->negative ? -value : value;
}

size_t record_units_number(struct record_units *units, struct span unit)
{
	size_t count = units->texts.count;
	size_t number = texts_number(&units->texts, unit.start, span_length(unit));

	if (number == count) {
		units->list = record_grow(units->list, count, sizeof(*units->list));
		units->list[number] = (struct record_unit){ 0 };
	}
	return number;
}

enum better record_units_better(const struct record_units *units, const char *unit)
{
	static const char *const lower[] = { "sec", "ns/op", "sec/op", "B/op", "allocs/op" }, *const higher[] = {
		"op/s", "B/s", "MB/s"
	};
	size_t number = texts_find(&units->texts, unit, strlen(unit));

	if (number < units->texts.count && units->list[number].stated)
		return units->list[number].better;
	for (size_t i = 0; i < ARRAY_SIZE(lower); i++)
		if (strcmp(lower[i], unit) == 0)
			return BETTER_LOWER;
	for (size_t i = 0; i < ARRAY_SIZE(higher); i++)
		if (strcmp(higher[i], unit) == 0)
			return BETTER_HIGHER;
	return BETTER_NONE;
}

void record_units_release(struct record_units *units)
{
	texts_release(&units->texts);
	free(units->list);
	units->list = NULL;
}

static bool has_control(struct span span)
{
	for (; span.start < span.end; span.start++)
		if ((unsigned char)*span.start < ' ' || *span.start == 0x7f)
			return true;
	return false;
}

/* The lines of a file have mostly the same units in the same order. */
static bool is_unit(const struct record_units *units, size_t number, struct span word)
{
	const struct text *text = &units->texts.list[number];

	return span_length(word) == text->length && memcmp(word.start, text->text, text->length) == 0;
}

/* NULL, or why not. */
static const char *parse_unit(struct record_units *units, struct span word, size_t at, size_t line)
{
	size_t number;

	if (word.start == word.end)
		return "a value without a unit";
	if (at < units->pair_count && is_unit(units, units->pairs[at].unit, word)) {
		number = units->pairs[at].unit;
	} else {
		if (is_digit(*word.start) || strchr("+-.", *word.start))
			return "a number where a unit must stand";
		if (has_control(word))
			return "a control character in a unit";
		number = record_units_number(units, word);
	}
	if (units->list[number].line == line)
		return "a unit stands twice";
	units->list[number].line = line;
	units->pairs[at].unit = number;
	return NULL;
}

static const char *parse_pairs(struct record_units *units, struct span rest, size_t line)
{
	size_t count = 0;
	const char *why;

	for (struct span word = span_word(&rest); word.start < word.end; word = span_word(&rest)) {
		if (count == RECORD_METRICS)
			return "more than 1024 values";
		if (!record_number_parse(word, &units->pairs[count].number))
			return "a value is not a finite number";
		why = parse_unit(units, span_word(&rest), count, line);
		if (why)
			return why;
		count++;
		if (count > units->pair_count)
			units->pair_count = count;
	}
	units->pair_count = count;
	return count ? NULL : "no value";
}

/* "-8", the number of CPUs, which the tools of Go cut off as well. */
static void strip_cpus(struct span *name)
{
	const char *end = name->end;

	while (end > name->start && is_digit(end[-1]))
		end--;
	if (end < name->end && end - 1 > name->start && end[-1] == '-')
		name->end = end - 1;
}

const char *record_line_parse(struct record_units *units, struct span line, size_t number, struct span *name)
{
	uint64_t iterations;

	*name = span_word(&line);
	name->start += strlen("Benchmark");
	if (has_control(*name))
		return "a control character in the name";
	strip_cpus(name);
	if (!span_integer(span_word(&line), &iterations))
		return "the number of iterations is not an integer";
	return parse_pairs(units, line, number);
}
