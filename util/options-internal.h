// SPDX-License-Identifier: GPL-2.0-only
/* Between options.c (tables, words, combinations) and sweep.c (the values of one option). */
#ifndef KBENCH_OPTIONS_INTERNAL_H
#define KBENCH_OPTIONS_INTERNAL_H

#include <stdnoreturn.h>

#include "options.h"
#include "units.h"

#define SWEEP_MAX        100000 /* values of one option, and combinations of a set */
#define OPT_ALLOWED_TEXT 256    /* room for what an option takes, in words */

union opt_value {
	uint64_t number;  /* FLAG: 0 or 1; INT: the two's complement; CHOICE: the index */
	const char *text; /* STRING, WORDS */
	struct opt_list list;
};

/* The values that an option takes, one after the other. */
struct sweep {
	union opt_value *values;
	size_t count, room;
	char *words; /* WORDS: what was typed, cut into the values; NULL: only the default */
};

void sweep_add(struct sweep *sweep, union opt_value value);

/*
 * Replaces what is there by what was typed: one value, a list, ranges. Argument is NULL for a flag and an option without
 * its optional value. Of OPT_TYPE_LIST the word is added.
 */
void sweep_parse(struct sweep *sweep, const struct opt *opt, const char *argument);

/* The variable's value. INT goes with the unsigned types: its bits are what a union opt_value holds. */
union opt_value opt_load(const struct opt *opt);

/* Limits are stated, lists and ranges make sense. */
bool opt_is_numeric(const struct opt *opt);
/* Is it a menu with the value OPT_ALL? */
bool opt_is_all(const struct opt *opt, union opt_value value);

/* Every choice of a menu. */
void sweep_add_all(struct sweep *sweep, const struct opt *opt);

bool opt_in_range(const struct opt *opt, union opt_value value);

/* The value as text: made in text, or a string that lives as long as the table and the command line. */
const char *opt_format(char text[UNITS_TEXT], const struct opt *opt, union opt_value value);

/* "1 to 64", and "free, same, smt": what the option takes. Returned: text. */
const char *opt_range(char text[OPT_ALLOWED_TEXT], const struct opt *opt);
const char *opt_choices(char text[OPT_ALLOWED_TEXT], const struct opt *opt);

/* usage() with "option -l, --loop" before the message. */
noreturn void opt_reject(const struct opt *opt, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
