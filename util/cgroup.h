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

/* How many processes of this group were killed for want of memory. *file: where that stands, on the heap, or NULL: nowhere. */
uint64_t cgroup_oom_kills(const char *root, char **file);

/*
 * Moves the calling process, or with thread only the calling thread, into a version 2 group, named by its path below the
 * mount. 0, or -1 with errno.
 */
int cgroup_join(const char *group, bool thread);

/*
 * Groups that are made for runs. limit is "QUOTA/PERIOD" in microseconds, QUOTA may be max; "none" is a valid word too, and
 * asks for no group.
 */
#define CGROUP_WHY 400

struct cgroup_throttling {
	uint64_t periods, throttled; /* how many there were, in how many the group ran out of time */
	uint64_t throttled_ns;
};

struct cgroup_fresh;

bool cgroup_limit_is_valid(const char *limit);

/*
 * A new group with this limit, below a group (a path below the mount) or with NULL below that of this process. Version 2,
 * or 1 where that has the cpu controller. It is removed with this process, however that ends. NULL: refused, see why.
 */
struct cgroup_fresh *cgroup_make(const char *below, const char *limit, char why[CGROUP_WHY]);

/* The child of this process that watches over it. NULL is taken: 0. */
int cgroup_janitor(const struct cgroup_fresh *group);

/* Moves the calling process into it. 0, or -1 with errno. */
int cgroup_enter(const struct cgroup_fresh *group);

/* Around a run: what the limit did to it. */
void cgroup_run_begins(struct cgroup_fresh *group);
struct cgroup_throttling cgroup_run_ends(const struct cgroup_fresh *group);

/* Ends what is still in it. NULL is taken. */
void cgroup_remove(struct cgroup_fresh *group);

#endif
