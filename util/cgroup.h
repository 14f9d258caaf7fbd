// SPDX-License-Identifier: GPL-2.0-only
/* The control groups of this process, version 2 and, for limits, version 1. */
#ifndef KBENCH_CGROUP_H
#define KBENCH_CGROUP_H

#include "base.h"

enum cgroup_limit { CGROUP_MEMORY, CGROUP_PIDS };

/*
 * How much more the groups of this process, up to the root, let it take: the smallest limit minus what is in use.
 * UINT64_MAX: no limit, or none that can be read. *file (may be NULL): the file that limits, on the heap, or NULL.
 */
uint64_t cgroup_room(enum cgroup_limit limit, char **file);

/* Where the version 2 hierarchy is mounted, on the heap; NULL: nowhere. */
char *cgroup_mount(void);

/*
 * Moves the calling process, or with thread only the calling thread, into a group of the version 2 hierarchy, named by
 * its path below the mount. 0, or -1 with errno.
 */
int cgroup_join(const char *group, bool thread);

#endif
