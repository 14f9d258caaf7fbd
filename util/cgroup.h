// SPDX-License-Identifier: GPL-2.0-only
/*
 * The control groups of this process, version 2, 1 or both, at their usual places below a root ("" but in tests):
 * /sys/fs/cgroup, or its folders where both versions are there.
 */
#ifndef KBENCH_CGROUP_H
#define KBENCH_CGROUP_H

#include "base.h"

enum cgroup_limit {
	CGROUP_CPU,    /* CPUs' worth of time: quota by period */
	CGROUP_MEMORY, /* bytes */
	CGROUP_PIDS,   /* processes and threads */
};

/* The path of the version 2 group of this process below the mount, on the heap; NULL: not known. */
char *cgroup_path(const char *root);

/* The lowest limit of the group and those above it. INFINITY: there is none; NAN: not known. */
double cgroup_lowest(const char *root, enum cgroup_limit limit);

/*
 * How much more the groups let this process take: the smallest limit less what is in use and cannot be dropped. INFINITY: no limit, or none
 * that can be read. *file: the file that limits, on the heap, or NULL. Not for CGROUP_CPU.
 */
double cgroup_room(const char *root, enum cgroup_limit limit, char **file);

/*
 * Moves the calling process, or with thread only the calling thread, into a version 2 group, named by its path below the
 * mount. 0, or -1 with errno.
 */
int cgroup_join(const char *group, bool thread);

#endif
