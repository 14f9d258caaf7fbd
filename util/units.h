// SPDX-License-Identifier: GPL-2.0-only
/* Numbers as people type and read them. Strict: the whole word, no sign, no blank, no overflow; never locale. */
#ifndef KBENCH_UNITS_H
#define KBENCH_UNITS_H

#include "base.h"

#define UNITS_TEXT 32 /* room for any text made here, its end included */

/* A count: decimal digits, then nothing or k, M, G, T (powers of 1000). False: not one, or above UINT64_MAX. */
bool units_parse_count(const char *text, uint64_t *count);

/* Bytes: decimal digits, then nothing, B, or K, M, G, T with or without B (powers of 1024; lower case k too). */
bool units_parse_size(const char *text, uint64_t *bytes);

/*
 * Nanoseconds: digits with an optional decimal fraction, then ns, us, ms, s, m or h; a bare number is seconds. False
 * also for what is no whole number of ns: "0.5ns".
 */
bool units_parse_time(const char *text, uint64_t *ns);

/* Megabytes of 1048576 bytes: digits with an optional decimal fraction, nothing after; rounded up to a byte. */
bool units_parse_mb(const char *text, uint64_t *bytes);

/* A whole number with an optional minus sign. */
bool units_parse_int(const char *text, int64_t *number);

/* A percentage, above 0 and at most a million: digits with an optional decimal fraction, then nothing or %. */
bool units_parse_percent(const char *text, double *percent);

/*
 * The shortest text that the parser of the same kind reads back as the same number: 1048576 -> "1MB", 1500 -> "1500",
 * 100000000 ns -> "100ms" (always with a unit, never beginning with "0."), 1500000000 ns -> "1.5s". A count is plain
 * digits. Returned: text.
 */
const char *units_format_count(char text[UNITS_TEXT], uint64_t count);
const char *units_format_size(char text[UNITS_TEXT], uint64_t bytes);
const char *units_format_time(char text[UNITS_TEXT], uint64_t ns);
const char *units_format_mb(char text[UNITS_TEXT], uint64_t bytes);

/* 15 to 17 digits, as few as read back as the same double. Finite values only; a dot whatever the locale. */
const char *units_format_number(char text[UNITS_TEXT], double number);

#endif
