// SPDX-License-Identifier: GPL-2.0-only
/* Numbers (of CPUs, of nodes) for the tasks of a run, one for each in turn: the lists of numa mem. */
#ifndef KBENCH_TASKLIST_H
#define KBENCH_TASKLIST_H

#include <limits.h>

#include "cpus.h"

#define TASKLIST_NONE UINT_MAX
#define TASKLIST_HELP "such as 0,2 or 0-3 or 0-6#2 (every second) or 0-1x3 (each three times)"

struct tasklist {
	size_t count;
	unsigned *numbers; /* on the heap */
};

/*
 * Appends "0,2", "0-3", "0-6#2" (0,2,4,6), "0-1x3" (0,0,0,1,1,1), or several of them joined by commas, to a list that
 * may be empty ({ 0 }). False: the text is none of these, or stands for more than a million numbers.
 */
bool tasklist_parse(struct tasklist *list, const char *text);
void tasklist_release(struct tasklist *list);

/* The number for a task, counted from 0; TASKLIST_NONE after the end of the list. */
unsigned tasklist_of(const struct tasklist *list, size_t task);

/* All numbers as a set. */
void tasklist_set(const struct tasklist *list, struct cpus *set);

#endif
