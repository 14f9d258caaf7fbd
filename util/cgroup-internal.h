// SPDX-License-Identifier: GPL-2.0-only
/* What the two halves of util/cgroup.h share. */
#ifndef KBENCH_CGROUP_INTERNAL_H
#define KBENCH_CGROUP_INTERNAL_H

#include "cgroup.h"

/*
 * The folder of a group in the hierarchy that has the cpu controller: below (a path below the mount), or with NULL the
 * group of this process. On the heap; NULL: there is none.
 */
char *cgroup_cpu_folder(const char *root, const char *below, bool *v2);

/* Writes a file of a group. 0, or -1 with errno. */
int cgroup_put(const char *folder, const char *file, const char *text);

#endif
