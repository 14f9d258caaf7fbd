// SPDX-License-Identifier: GPL-2.0-only
/* What the touches of a run took: the metrics, and the kernel's count of faults held against the touches. */
#ifndef KBENCH_FAULTREPORT_H
#define KBENCH_FAULTREPORT_H

#include "bench.h"
#include "faultpatterns.h"

/* loops: rounds of each worker. huge_size is used for patterns of huge pages only. */
void fault_report(
	struct run *run, const struct fault_pattern *pattern, size_t page_size, size_t huge_size, uint64_t loops);

#endif
