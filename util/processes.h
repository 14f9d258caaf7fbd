// SPDX-License-Identifier: GPL-2.0-only
/* The processes of the machine that /proc shows, one after the other. Some ms for hundreds. */
#ifndef KBENCH_PROCESSES_H
#define KBENCH_PROCESSES_H

#include "base.h"

struct process {
	int pid, parent;
	unsigned user; /* the real one */
	unsigned threads;
};

struct processes;

/* NULL: there is no /proc. */
struct processes *processes_open(void);

/* False: there are no more. One that ends meanwhile may be told of or not. */
bool processes_next(struct processes *processes, struct process *process);

/* NULL is taken. */
void processes_close(struct processes *processes);

/* Processes and threads of a user. */
uint64_t processes_of_user(unsigned user);

#endif
