// SPDX-License-Identifier: GPL-2.0-only
/* A group with a CPU limit of its own, made for runs and removed when they are over or kbench is dead. */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroup-internal.h"
#include "clock.h"
#include "die.h"
#include "sysfile.h"
#include "wrap.h"

#define REMOVE_NS (10 * NSEC_PER_SEC) /* after that a group that is still busy is left */

/* Where the cpu controller is: one of the two hierarchies has it. */
struct cgroup_fresh {
	char *parent, *path; /* folders */
	bool v2;
	bool enabled; /* the parent's groups had no cpu controller before */
	struct cgroup_throttling before;
	int lifeline; /* the write end of a pipe whose other end the janitor holds */
	pid_t janitor;
};

static uint64_t stat_value(const char *text, const char *key)
{
	const char *line = text ? strstr(text, key) : NULL;

	return line ? strtoull(line + strlen(key), NULL, 10) : 0;
}

static struct cgroup_throttling throttling_now(const struct cgroup_fresh *group)
{
	char *text = sysfile_text("", "%s/cpu.stat", group->path);
	struct cgroup_throttling now = {
		.periods = stat_value(text, "nr_periods "),
		.throttled = stat_value(text, "nr_throttled "),
		.throttled_ns = group->v2 ? NSEC_PER_USEC * stat_value(text, "throttled_usec ")
					  : stat_value(text, "throttled_time "),
	};

	free(text);
	return now;
}

/* Kills one member and waits for its end. */
static void end_member(pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd end = { .fd = fd, .events = POLLIN };

	kill(pid, SIGKILL);
	if (fd < 0)
		return;
	while (poll(&end, 1, -1) < 0 && errno == EINTR)
		;
	close(fd);
}

/*
 * Ends what is still in the group, then removes it. A member that is reaped keeps the group until the kernel has switched away
 * from it for the last time, which takes a while on a machine with more to do; nothing tells when.
 */
static int remove_group(const char *path)
{
	uint64_t start = clock_now();

	while (rmdir(path) < 0) {
		char *members, *rest = NULL;

		if (errno != EBUSY || clock_now() - start > REMOVE_NS)
			return -1;
		members = sysfile_text("", "%s/cgroup.procs", path);
		for (char *word = members ? strtok_r(members, "\n", &rest) : NULL; word;
			word = strtok_r(NULL, "\n", &rest))
			end_member((pid_t)strtol(word, NULL, 10));
		free(members);
		sched_yield();
	}
	return 0;
}

static bool has_groups(const char *folder)
{
	DIR *dir = opendir(folder);
	bool found = false;

	for (struct dirent *entry; dir && !found && (entry = readdir(dir));)
		found = entry->d_type == DT_DIR && entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return found;
}

/* The controller costs all tasks of the parent's groups; who has made groups meanwhile may count on it. */
static void give_back(const struct cgroup_fresh *group)
{
	if (group->enabled && !has_groups(group->parent))
		cgroup_put(group->parent, "cgroup.subtree_control", "-cpu");
}

/* Outlives kbench, however that ends: when the lifeline is closed the group is removed. */
static noreturn void keep_watch(const struct cgroup_fresh *group, int lifeline)
{
	char nothing;
	sigset_t all;

	setsid();
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		close(fd);
	while (read(lifeline, &nothing, 1) < 0 && errno == EINTR)
		;
	remove_group(group->path);
	give_back(group);
	_exit(EXIT_DONE);
}

static void start_janitor(struct cgroup_fresh *group)
{
	int ends[2];

	xpipe(ends);
	fflush(NULL);
	group->janitor = fork();
	if (group->janitor < 0)
		die_errno("fork");
	if (group->janitor == 0) {
		close(ends[1]);
		keep_watch(group, ends[0]);
	}
	close(ends[0]);
	group->lifeline = ends[1];
}

/* "10000/1000", "max/100000": written as the kernel wants it. */
static int set_limit(const struct cgroup_fresh *group, const char *limit)
{
	char *quota = xstrdup(limit), *period = strchr(quota, '/'), *text;
	int done;

	*period++ = '\0';
	if (group->v2) {
		text = xasprintf("%s %s", quota, period);
		done = cgroup_put(group->path, "cpu.max", text);
		free(text);
	} else {
		done = cgroup_put(group->path, "cpu.cfs_period_us", period);
		if (done == 0)
			done = cgroup_put(group->path, "cpu.cfs_quota_us", strcmp(quota, "max") == 0 ? "-1" : quota);
	}
	free(quota);
	return done;
}

bool cgroup_limit_is_valid(const char *limit)
{
	size_t quota = strspn(limit, "0123456789");

	if (strcmp(limit, "none") == 0)
		return true;
	if (!quota && strncmp(limit, "max", 3) == 0)
		quota = 3;
	return quota && limit[quota] == '/' && limit[quota + 1] &&
	       limit[quota + 1 + strspn(limit + quota + 1, "0123456789")] == '\0';
}

/* Where it is refused, cpu.max is not there. */
static void enable_cpu(struct cgroup_fresh *group)
{
	char *text = sysfile_text("", "%s/cgroup.subtree_control", group->parent), *rest = NULL;
	bool had = false;

	for (char *word = text ? strtok_r(text, " ", &rest) : NULL; word; word = strtok_r(NULL, " ", &rest))
		had = had || strcmp(word, "cpu") == 0;
	free(text);
	group->enabled = !had && cgroup_put(group->parent, "cgroup.subtree_control", "+cpu") == 0;
}

static void release(struct cgroup_fresh *group)
{
	give_back(group);
	free(group->parent);
	free(group->path);
	free(group);
}

struct cgroup_fresh *cgroup_make(const char *below, const char *limit, char why[CGROUP_WHY])
{
	struct cgroup_fresh *group = xcalloc(1, sizeof(*group));

	group->lifeline = -1;
	group->parent = cgroup_cpu_folder("", below, &group->v2);
	if (!group->parent) {
		snprintf(why, CGROUP_WHY, "no cgroup hierarchy with the cpu controller is mounted");
		free(group);
		return NULL;
	}
	group->path = xasprintf("%s/kbench-%ld-%llx", group->parent, (long)getpid(), (unsigned long long)clock_now());
	if (group->v2)
		enable_cpu(group);
	if (mkdir(group->path, 0755) < 0) {
		snprintf(why, CGROUP_WHY, "%s: %s", group->path, strerror(errno));
	} else if (set_limit(group, limit) < 0) {
		snprintf(why, CGROUP_WHY, "%s: setting %s: %s", group->path, limit, strerror(errno));
		rmdir(group->path);
	} else {
		start_janitor(group);
		return group;
	}
	release(group);
	return NULL;
}

int cgroup_janitor(const struct cgroup_fresh *group)
{
	return group ? group->janitor : 0;
}

int cgroup_enter(const struct cgroup_fresh *group)
{
	return cgroup_put(group->path, "cgroup.procs", "0");
}

void cgroup_run_begins(struct cgroup_fresh *group)
{
	group->before = throttling_now(group);
}

struct cgroup_throttling cgroup_run_ends(const struct cgroup_fresh *group)
{
	struct cgroup_throttling now = throttling_now(group);

	now.periods -= group->before.periods;
	now.throttled -= group->before.throttled;
	now.throttled_ns -= group->before.throttled_ns;
	return now;
}

void cgroup_remove(struct cgroup_fresh *group)
{
	if (!group)
		return;
	if (remove_group(group->path) < 0)
		warn("%s: %s", group->path, strerror(errno));
	close(group->lifeline); /* the janitor finds nothing left, and ends */
	while (waitpid(group->janitor, NULL, 0) < 0 && errno == EINTR)
		;
	release(group);
}
