// SPDX-License-Identifier: GPL-2.0-only
#include "needs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cgroup.h"
#include "units.h"

/* Open in every process besides what a benchmark asks for: stdin, stdout, stderr, and some that a caller left open. */
#define OTHER_DESCRIPTORS 16

/* Not worth reading a dozen files for: when they do not fit, the fork that fails says so. */
#define FEW_TASKS 16

/* Text of a resource limit, which may be infinite. */
static const char *limit_text(char text[UNITS_TEXT], rlim_t limit)
{
	if (limit == RLIM_INFINITY)
		return strcpy(text, "unlimited");
	return units_format_count(text, limit);
}

/* Raises the soft limit as far as is needed and allowed. The need must fit the hard limit. */
static void meet_limit(int resource, const char *what, uint64_t need)
{
	struct rlimit limit;
	char soft[UNITS_TEXT], hard[UNITS_TEXT];
	rlim_t before;

	if (getrlimit(resource, &limit) < 0)
		die_errno("getrlimit");
	before = limit.rlim_cur;
	if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= need)
		return;
	limit.rlim_cur = limit.rlim_max < need ? limit.rlim_max : need;
	if (setrlimit(resource, &limit) < 0)
		die_errno("setrlimit for %s", what);
	if (limit.rlim_cur < need)
		die("needs %llu %s; soft limit %s raised to the hard limit %s: still too few", (unsigned long long)need,
			what, limit_text(soft, before), limit_text(hard, limit.rlim_max));
}

/* False where the file cannot be read or holds no number. */
static bool read_limit(const char *path, uint64_t *limit)
{
	char *text = read_file(path);
	bool read = text && units_parse_count(text, limit);

	free(text);
	return read;
}

/* Tasks of the whole machine: the fourth field of loadavg, "running/all". */
static uint64_t tasks_now(void)
{
	char *text = read_file("/proc/loadavg");
	unsigned long long tasks = 0;

	if (text && sscanf(text, "%*s %*s %*s %*u/%llu", &tasks) != 1)
		tasks = 0;
	free(text);
	return tasks;
}

static void meet_tasks(uint64_t need)
{
	static const char *const files[] = { "/proc/sys/kernel/threads-max", "/proc/sys/kernel/pid_max" };
	uint64_t limit, running = tasks_now();
	double room;
	char *file;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (read_limit(files[i], &limit) && need + running > limit)
			die("needs %llu processes or threads beside the %llu that run; %s is %llu: too few",
				(unsigned long long)need, (unsigned long long)running, files[i],
				(unsigned long long)limit);
	room = cgroup_room("", CGROUP_PIDS, &file);
	if ((double)need > room)
		die("needs %llu processes or threads; %s leaves room for %.0f: too few", (unsigned long long)need, file,
			room);
	free(file);
	/* The kernel does not hold root to it. */
	if (geteuid() != 0)
		meet_limit(RLIMIT_NPROC, "processes or threads", need);
}

static void meet_mappings(uint64_t need)
{
	static const char file[] = "/proc/sys/vm/max_map_count";
	uint64_t limit;

	if (read_limit(file, &limit) && need > limit)
		die("needs %llu mappings in one process; %s is %llu: too few", (unsigned long long)need, file,
			(unsigned long long)limit);
}

/* Bytes; UINT64_MAX where /proc does not say. */
static uint64_t memory_available(void)
{
	char *text = read_file("/proc/meminfo");
	const char *line = text ? strstr(text, "MemAvailable:") : NULL;
	unsigned long long kilobytes;
	uint64_t bytes = UINT64_MAX;

	if (line && sscanf(line, "MemAvailable: %llu", &kilobytes) == 1)
		bytes = (uint64_t)kilobytes * 1024;
	free(text);
	return bytes;
}

static void meet_memory(uint64_t need)
{
	uint64_t available = memory_available();
	double room;
	char *file;

	if (need > available)
		die("needs %llu MB of memory; %llu MB are available: too little", (unsigned long long)(need >> 20),
			(unsigned long long)(available >> 20));
	room = cgroup_room("", CGROUP_MEMORY, &file);
	if ((double)need > room)
		die("needs %llu MB of memory; %s leaves %.0f MB: too little", (unsigned long long)(need >> 20), file,
			room / (1 << 20));
	free(file);
}

void needs_meet(const struct run *run)
{
	const struct needs *needs = &run->benchmark->needs;
	unsigned cpus = cpus_count(&run->allowed);

	if (cpus < needs->cpus)
		skip("needs %u CPUs; this process may use %u", needs->cpus, cpus);
	if (needs->nodes > 1 && run->topology->node_count < needs->nodes)
		skip("needs %u NUMA nodes; there are %zu", needs->nodes, run->topology->node_count);
	if (run->needs[NEED_DESCRIPTORS])
		meet_limit(RLIMIT_NOFILE, "file descriptors", run->needs[NEED_DESCRIPTORS] + OTHER_DESCRIPTORS);
	if (run->needs[NEED_TASKS] > FEW_TASKS)
		meet_tasks(run->needs[NEED_TASKS]);
	if (run->needs[NEED_MAPPINGS])
		meet_mappings(run->needs[NEED_MAPPINGS]);
	if (run->needs[NEED_FILE])
		meet_limit(RLIMIT_FSIZE, "bytes of one file (ulimit -f)", run->needs[NEED_FILE]);
	if (run->needs[NEED_STACK])
		meet_limit(RLIMIT_STACK, "bytes of stack (ulimit -s)", run->needs[NEED_STACK]);
	if (run->needs[NEED_DATA])
		meet_limit(RLIMIT_DATA, "bytes of data segment (ulimit -d)", run->needs[NEED_DATA]);
	if (run->needs[NEED_MEMORY])
		meet_memory(run->needs[NEED_MEMORY]);
}
