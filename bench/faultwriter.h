// SPDX-License-Identifier: GPL-2.0-only
/* A thread that changes the address space in which others touch. */
#ifndef KBENCH_FAULTWRITER_H
#define KBENCH_FAULTWRITER_H

#include "faultpatterns.h"

/* The shortest pace that a timer of the kernel keeps. */
#define WRITER_RATE_MAX 1000000

/*
 * The whole work of the thread, from its readiness on, until there is something to read in `end`: so many rounds a second
 * of mapping some pages, writing to one of them, protecting and unmapping them. What it did is in its counts.
 */
void writer_work(struct worker *worker, uint64_t rate, int end);

#endif
