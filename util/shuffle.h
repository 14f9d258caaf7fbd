// SPDX-License-Identifier: GPL-2.0-only
/*
 * A random order that can be drawn again: the same seed gives the same orders on every machine. For the design of
 * experiments, not for secrets.
 */
#ifndef KBENCH_SHUFFLE_H
#define KBENCH_SHUFFLE_H

#include "base.h"

struct shuffle {
	uint64_t state; /* at first: the seed, any number */
};

/* A seed that differs from call to call, small enough to be read and typed: 1 to 2^32. */
uint64_t shuffle_seed(void);

/* 0 to limit - 1, each as likely as every other; limit > 0. */
size_t shuffle_below(struct shuffle *shuffle, uint64_t limit);

/* Fills order with 0 to n - 1; every order is as likely as every other. */
void shuffle_order(struct shuffle *shuffle, size_t *order, size_t n);

#endif
