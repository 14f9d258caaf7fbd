// SPDX-License-Identifier: GPL-2.0-only
/* Sets of CPU or node numbers, a value type, and the kernel's list text for them. */
#ifndef KBENCH_CPUS_H
#define KBENCH_CPUS_H

#include "base.h"

#define CPUS_MAX 8192 /* the largest NR_CPUS that kernels are built with */

struct cpus {
	unsigned long bits[CPUS_MAX / (8 * sizeof(unsigned long))];
};

void cpus_clear(struct cpus *set);
void cpus_add(struct cpus *set, unsigned cpu); /* cpu >= CPUS_MAX is a BUG */
bool cpus_has(const struct cpus *set, unsigned cpu);
unsigned cpus_count(const struct cpus *set);
void cpus_and(struct cpus *set, const struct cpus *other);
bool cpus_subset(const struct cpus *inner, const struct cpus *outer);

/* The smallest member that is >= from, or -1. To walk: for (c = cpus_next(s, 0); c >= 0; c = cpus_next(s, c + 1)) */
int cpus_next(const struct cpus *set, unsigned from);

/* The nth member, counted from 0; n >= count is a BUG. */
unsigned cpus_nth(const struct cpus *set, unsigned n);

/* "0-3,8,10-11", a trailing newline allowed; the empty text is the empty set. False: not a list, or above CPUS_MAX. */
bool cpus_parse(const char *text, struct cpus *set);

/* The shortest list text, cut with "..." where size is too small. Returned: text. */
const char *cpus_format(const struct cpus *set, char *text, size_t size);

/* The CPUs that the calling thread may run on (sched_getaffinity). */
void cpus_allowed(struct cpus *set);

/* Binds the calling thread (sched_setaffinity); 0, or -1 with errno. */
int cpus_bind(const struct cpus *set);
int cpus_bind_one(unsigned cpu);

/* The same, but where no CPU outside of the set may be used there is nothing to bind: a filter may refuse the call. */
int cpus_confine(const struct cpus *set);

/* The CPU the calling thread is on now (getcpu). */
unsigned cpus_current(void);

#endif
