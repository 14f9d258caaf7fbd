// SPDX-License-Identifier: GPL-2.0-only
/* Missing pages given by a thread of the same process through userfaultfd. */
#ifndef KBENCH_FAULTSERVER_H
#define KBENCH_FAULTSERVER_H

#include "faultpatterns.h"

/* In check: descriptors; a skip where the kernel has no userfaultfd or does not let this user have one. */
void server_check(struct run *run, const struct fault_plan *plan);

/* The descriptor for all regions of a process. */
int server_open(void);

/* Maps the region; from now on its missing pages are asked for at plan->server. */
void server_register(struct region *region);

/* The whole work of the thread that answers, from its readiness on, until there is something to read in `end`. */
void server_work(struct worker *worker, const struct fault_plan *plan, int end);

#endif
