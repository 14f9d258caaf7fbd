// SPDX-License-Identifier: GPL-2.0-only
/* What the touches of a run took: the metrics, and the kernel's count of faults held against the touches. */
#ifndef KBENCH_FAULTREPORT_H
#define KBENCH_FAULTREPORT_H

#include "faultpatterns.h"

void fault_report(struct run *run, const struct fault_plan *plan);

#endif
