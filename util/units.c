// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"

#define DIGITS "0123456789"

struct unit {
	const char *suffix; /* NULL ends a table */
	uint64_t factor;
};

static const struct unit count_units[] = {
	{ "", 1 },
	{ "k", 1000 },
	{ "M", 1000000 },
	{ "G", 1000000000 },
	{ "T", 1000000000000 },
	{ NULL, 0 },
};

/* Formatting takes the first that divides and ends at ""; the rows below are other spellings to read. */
static const struct unit size_units[] = {
	{ "TB", 1ULL << 40 },
	{ "GB", 1ULL << 30 },
	{ "MB", 1ULL << 20 },
	{ "KB", 1ULL << 10 },
	{ "", 1 },
	{ "B", 1 },
	{ "T", 1ULL << 40 },
	{ "G", 1ULL << 30 },
	{ "M", 1ULL << 20 },
	{ "K", 1ULL << 10 },
	{ "k", 1ULL << 10 },
	{ "kB", 1ULL << 10 },
	{ NULL, 0 },
};

/* Formatting tries the rows above "". */
static const struct unit time_units[] = {
	{ "h", 3600 * NSEC_PER_SEC },
	{ "m", 60 * NSEC_PER_SEC },
	{ "s", NSEC_PER_SEC },
	{ "ms", NSEC_PER_MSEC },
	{ "us", NSEC_PER_USEC },
	{ "ns", 1 },
	{ "", NSEC_PER_SEC },
	{ NULL, 0 },
};

static const struct unit *find_unit(const struct unit *units, const char *suffix)
{
	for (; units->suffix; units++)
		if (strcmp(units->suffix, suffix) == 0)
			return units;
	return NULL;
}

/* Not strtoull: it takes blanks, signs and "0x". *text is left behind the digits. */
static bool parse_digits(const char **text, uint64_t *number)
{
	const char *at = *text;
	uint64_t value = 0;

	for (; *at >= '0' && *at <= '9'; at++)
		if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *at - '0', &value))
			return false;
	if (at == *text)
		return false;
	*text = at;
	*number = value;
	return true;
}

static bool parse_scaled(const char *text, const struct unit *units, uint64_t *number)
{
	const struct unit *unit;
	uint64_t value;

	if (!parse_digits(&text, &value))
		return false;
	unit = find_unit(units, text);
	if (!unit || __builtin_mul_overflow(value, unit->factor, &value))
		return false;
	*number = value;
	return true;
}

bool units_parse_count(const char *text, uint64_t *count)
{
	return parse_scaled(text, count_units, count);
}

bool units_parse_size(const char *text, uint64_t *bytes)
{
	return parse_scaled(text, size_units, bytes);
}

/* The digits behind a decimal point, in units of factor ns, without rounding; false where they are no whole number. */
static bool parse_fraction(const char *digits, size_t length, uint64_t factor, uint64_t *ns)
{
	uint64_t value = 0, divisor = 1;

	while (length > 0 && digits[length - 1] == '0')
		length--;
	if (length > 13) /* an hour is 2^13 * 3^2 * 5^11 ns: no longer fraction of any unit is whole */
		return false;
	for (size_t i = 0; i < length; i++) {
		value = value * 10 + (uint64_t)(digits[i] - '0');
		if (factor % 10 == 0)
			factor /= 10;
		else
			divisor *= 10;
	}
	*ns = value * factor / divisor;
	return value * factor % divisor == 0;
}

bool units_parse_time(const char *text, uint64_t *ns)
{
	const struct unit *unit;
	const char *fraction;
	uint64_t value, part;
	size_t length = 0;

	if (!parse_digits(&text, &value))
		return false;
	fraction = text + 1;
	if (*text == '.') {
		length = strspn(fraction, DIGITS);
		if (length == 0)
			return false;
		text = fraction + length;
	}
	unit = find_unit(time_units, text);
	if (!unit || !parse_fraction(fraction, length, unit->factor, &part))
		return false;
	if (__builtin_mul_overflow(value, unit->factor, &value) || __builtin_add_overflow(value, part, &value))
		return false;
	*ns = value;
	return true;
}

bool units_parse_mb(const char *text, uint64_t *bytes)
{
	size_t whole = strspn(text, DIGITS), fraction = 0;
	double value;

	if (text[whole] == '.')
		fraction = strspn(text + whole + 1, DIGITS);
	if (!whole || (text[whole] && !fraction) || text[whole + (fraction ? 1 + fraction : 0)])
		return false;
	value = ceil(strtod(text, NULL) * (1 << 20));
	if (value >= 0x1p63)
		return false;
	*bytes = (uint64_t)value;
	return true;
}

bool units_parse_percent(const char *text, double *percent)
{
	size_t whole = strspn(text, DIGITS), fraction = 0;
	const char *end;
	double value;

	if (text[whole] == '.')
		fraction = 1 + strspn(text + whole + 1, DIGITS);
	end = text + whole + fraction;
	if (!whole || fraction == 1 || (*end && strcmp(end, "%") != 0))
		return false;
	value = strtod(text, NULL);
	if (!(value > 0 && value <= 1e6))
		return false;
	*percent = value;
	return true;
}

bool units_parse_int(const char *text, int64_t *number)
{
	bool negative = *text == '-';
	uint64_t value;

	text += negative;
	if (!parse_digits(&text, &value) || *text)
		return false;
	if (value > (uint64_t)INT64_MAX + negative)
		return false;
	*number = (int64_t)(negative ? 0 - value : value);
	return true;
}

const char *units_format_count(char text[UNITS_TEXT], uint64_t count)
{
	snprintf(text, UNITS_TEXT, "%" PRIu64, count);
	return text;
}

const char *units_format_size(char text[UNITS_TEXT], uint64_t bytes)
{
	const struct unit *unit = size_units;

	while (unit->factor > 1 && (bytes == 0 || bytes % unit->factor != 0))
		unit++;
	snprintf(text, UNITS_TEXT, "%" PRIu64 "%s", bytes / unit->factor, unit->suffix);
	return text;
}

/* False where the unit cannot say it exactly: 100 s in minutes. */
static bool format_in_unit(char text[UNITS_TEXT], uint64_t ns, const struct unit *unit)
{
	uint64_t whole = ns / unit->factor, part = ns % unit->factor, power = unit->factor;
	int places = 0;

	if (part == 0) {
		snprintf(text, UNITS_TEXT, "%" PRIu64 "%s", whole, unit->suffix);
		return true;
	}
	for (; power % 10 == 0; power /= 10)
		places++;
	if (power != 1)
		return false;
	for (; part % 10 == 0; part /= 10)
		places--;
	snprintf(text, UNITS_TEXT, "%" PRIu64 ".%0*" PRIu64 "%s", whole, places, part, unit->suffix);
	return true;
}

const char *units_format_time(char text[UNITS_TEXT], uint64_t ns)
{
	size_t shortest = UNITS_TEXT;

	snprintf(text, UNITS_TEXT, "0s");
	for (const struct unit *unit = time_units; *unit->suffix; unit++) {
		char candidate[UNITS_TEXT];

		if (ns < unit->factor || !format_in_unit(candidate, ns, unit) || strlen(candidate) >= shortest)
			continue;
		shortest = strlen(candidate);
		memcpy(text, candidate, shortest + 1);
	}
	return text;
}

const char *units_format_mb(char text[UNITS_TEXT], uint64_t bytes)
{
	double mb = (double)bytes / (1 << 20);

	if (mb > 0 && mb < 0.001) { /* it would have an exponent; 20 digits behind the point are all that 2^-20 has */
		snprintf(text, UNITS_TEXT, "%.20f", mb);
		for (size_t length = strlen(text); text[length - 1] == '0'; length--)
			text[length - 1] = '\0';
		return text;
	}
	return units_format_number(text, mb);
}

/*
 * Every double survives 17 digits and most that a human typed survive 15. The decimal point is a dot because kbench
 * never calls setlocale.
 */
const char *units_format_number(char text[UNITS_TEXT], double number)
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, UNITS_TEXT, "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	return text;
}
