// SPDX-License-Identifier: GPL-2.0-only
/*
 * The number that a program has printed, among other text.
 *
 * A number is decimal: digits with an optional fraction, exponent and sign. It does not begin inside of a word, so "x86"
 * and "v1.2" have none and "took 12ms" has 12; 0x1f is none. A comma ends it: digits are not taken for grouped.
 */
#ifndef KBENCH_NUMBER_H
#define KBENCH_NUMBER_H

#include "base.h"

/* Which number is meant. */
struct number;

/*
 * "3": the third. Other text is an extended regular expression: of the first line that it matches, the first number in
 * what its first group has matched, or without a group all of it. usage() for what is neither: 0, "", "(".
 */
struct number *number_parse(const char *text);
void number_free(struct number *number);

#define NUMBER_LINE (1 << 20) /* the expression sees so many bytes of a line */

/*
 * Looks for it in a file, from its start. True: *value is finite. False: why says what is wrong, "its output has 1 number,
 * not 3". Takes no more memory than a line.
 */
bool number_find(const struct number *number, int fd, double *value, char *why, size_t size);

#endif
