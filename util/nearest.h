// SPDX-License-Identifier: GPL-2.0-only
#ifndef KBENCH_NEAREST_H
#define KBENCH_NEAREST_H

#include "base.h"

/*
 * The candidate that was probably meant by a mistyped word: one that begins with the word, or else the one at the
 * smallest edit distance (insert, delete, replace, swap of neighbours: 1 each); NULL when none is near (more than a
 * third of the word's length, at least 1, at most 3). The first of equals.
 */
const char *nearest(const char *word, const char *const *candidates, size_t count);

#endif
