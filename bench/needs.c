// SPDX-License-Identifier: GPL-2.0-only
#include "needs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cgroup.h"
#include "processes.h"
#include "units.h"

/* Open in every process besides what a benchmark asks for: stdin, stdout, stderr, and some that a caller left open. */
#define OTHER_DESCRIPTORS 16

/* Not worth reading a dozen files for: when they do not fit, that is told after a fork that was refused. */
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

/* The kernel does not hold root to it. */
static rlim_t raise_user_limit(void)
{
	struct rlimit limit;

	if (getuid() == 0 || getrlimit(RLIMIT_NPROC, &limit) < 0)
		return RLIM_INFINITY;
	if (limit.rlim_cur != limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		if (setrlimit(RLIMIT_NPROC, &limit) < 0)
			die_errno("setrlimit for processes or threads");
	}
	return limit.rlim_cur;
}

/* Counting what the user runs reads a file for each process: only where all of the machine would not fit. */
static void meet_user_limit(uint64_t need, uint64_t running, unsigned started)
{
	rlim_t limit = raise_user_limit();

	if (limit == RLIM_INFINITY || need + running <= limit)
		return;
	running = processes_of_user(getuid());
	running -= started < running ? started : running;
	if (need + running > limit)
		die("needs %llu processes or threads beside the %llu that this user runs; the hard limit (ulimit -Hu) "
		    "is %llu: too few",
			(unsigned long long)need, (unsigned long long)running, (unsigned long long)limit);
}

static void meet_group(uint64_t need, unsigned started)
{
	char *file;
	double room = cgroup_room("", CGROUP_PIDS, &file) + started;
	uint64_t limit;

	if ((double)need > room && read_limit(file, &limit))
		die("needs %llu processes or threads; %s is %llu and leaves room for %.0f: too few",
			(unsigned long long)need, file, (unsigned long long)limit, room);
	free(file);
}

/* started: so many of them run already. */
static void meet_tasks(uint64_t need, unsigned started)
{
	static const char *const files[] = { "/proc/sys/kernel/threads-max", "/proc/sys/kernel/pid_max" };
	uint64_t limit, running = tasks_now();

	running -= started < running ? started : running;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (read_limit(files[i], &limit) && need + running > limit)
			die("needs %llu processes or threads beside the %llu that run; %s is %llu: too few",
				(unsigned long long)need, (unsigned long long)running, files[i],
				(unsigned long long)limit);
	meet_group(need, started);
	meet_user_limit(need, running, started);
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

/* Of what is needed upwards, since what there is is told downwards: so the one is never told as the other. */
static unsigned long long whole_mb(uint64_t bytes)
{
	return (bytes >> 20) + (bytes % (1 << 20) != 0);
}

/* tasks: how many bytes of it are for the tasks themselves. */
static void meet_memory(uint64_t need, uint64_t tasks)
{
	uint64_t available = memory_available();
	char *file, words[100] = "";
	double room;

	if (tasks >= 1 << 20)
		snprintf(words, sizeof(words), ", %llu MB of it for the tasks themselves", whole_mb(tasks));
	if (need > available)
		die("needs %llu MB of memory%s; %llu MB are available: too little", whole_mb(need), words,
			(unsigned long long)(available >> 20));
	room = cgroup_room("", CGROUP_MEMORY, &file);
	if ((double)need > room)
		die("needs %llu MB of memory%s; %s leaves %.0f MB: too little", whole_mb(need), words, file,
			floor(room / (1 << 20)));
	free(file);
}

void needs_refused(const void *run, unsigned started)
{
	meet_tasks(((const struct run *)run)->needs[NEED_TASKS], started);
}

void needs_meet_file(const struct run *run)
{
	if (run->needs[NEED_FILE])
		meet_limit(RLIMIT_FSIZE, "bytes of one file (ulimit -f)", run->needs[NEED_FILE]);
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
	raise_user_limit();
	if (run->needs[NEED_TASKS] > FEW_TASKS)
		meet_tasks(run->needs[NEED_TASKS], 0);
	if (run->needs[NEED_MAPPINGS])
		meet_mappings(run->needs[NEED_MAPPINGS]);
	needs_meet_file(run);
	if (run->needs[NEED_STACK])
		meet_limit(RLIMIT_STACK, "bytes of stack (ulimit -s)", run->needs[NEED_STACK]);
	if (run->needs[NEED_DATA])
		meet_limit(RLIMIT_DATA, "bytes of data segment (ulimit -d)", run->needs[NEED_DATA]);
	if (run->needs[NEED_MEMORY] || run->needs[NEED_TASKS] > FEW_TASKS) {
		uint64_t bytes;

		if (__builtin_add_overflow(run->needs[NEED_MEMORY], run->task_bytes, &bytes))
			bytes = UINT64_MAX;
		meet_memory(bytes, run->task_bytes);
	}
}
