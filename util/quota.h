// SPDX-License-Identifier: GPL-2.0-only
/* The limits of the control group of this process, version 2, 1 or both, as read under a root ("" but in tests). */
#ifndef KBENCH_QUOTA_H
#define KBENCH_QUOTA_H

#include "base.h"

/* The path of the version 2 group, on the heap; NULL: not known. */
char *quota_cgroup(const char *root);

enum quota {
	QUOTA_CPUS,   /* CPUs' worth of time: quota by period */
	QUOTA_MEMORY, /* bytes */
	QUOTA_PIDS,
};

/* The lowest limit of the group and those above it. INFINITY: there is none; NAN: not known. */
double quota_lowest(const char *root, enum quota quota);

#endif
