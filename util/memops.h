// SPDX-License-Identifier: GPL-2.0-only
/*
 * Routines that copy and set memory: that of libc, portable C, and what this architecture has besides. Each takes any
 * size and alignment; those that copy take ranges that do not overlap.
 */
#ifndef KBENCH_MEMOPS_H
#define KBENCH_MEMOPS_H

#include "base.h"

typedef void memops_copy(void *to, const void *from, size_t bytes);
typedef void memops_set(void *to, int byte, size_t bytes);

/* Names, and what each routine is, for a menu of options: NULL-terminated, in one order. */
extern const char *const memops_copy_names[], *const memops_copy_meanings[];
extern const char *const memops_set_names[], *const memops_set_meanings[];

/* The routine with that index in the names; NULL beyond. */
memops_copy *memops_copy_get(unsigned index);
memops_set *memops_set_get(unsigned index);

/* Writes a range back to memory and takes it out of every cache. False: user mode cannot do that here. */
bool memops_flush(const void *memory, size_t bytes);

#endif
