// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgroup.h"
#include "test.h"

#define GROUP "sys/fs/cgroup/"

struct file {
	const char *path, *text;
};

static void check_room(
	enum cgroup_limit limit, const struct file *files, size_t count, double room, const char *limiting)
{
	const char *root = test_folder();
	char *file, *expected;

	for (size_t i = 0; i < count; i++)
		test_file(root, files[i].path, files[i].text);
	CHECK(cgroup_room(root, limit, &file) == room);
	expected = calloc(1, 512);
	if (limiting)
		snprintf(expected, 512, "/%s", limiting);
	CHECK_TEXT(file, limiting ? expected : NULL);
	free(expected);
	free(file);
}

static void limit_above(void)
{
	static const struct file files[] = {
		{ "proc/self/cgroup", "0::/a/b\n" },
		{ GROUP "cgroup.controllers", "memory\n" },
		{ GROUP "a/memory.max", "1000\n" },
		{ GROUP "a/memory.current", "700\n" },
		{ GROUP "a/b/memory.max", "900\n" },
		{ GROUP "a/b/memory.current", "100\n" },
	};

	check_room(CGROUP_MEMORY, files, ARRAY_SIZE(files), 300, GROUP "a/memory.max");
}

static void cache_counts_as_room(void)
{
	static const struct file files[] = {
		{ "proc/self/cgroup", "0::/a\n" },
		{ GROUP "cgroup.controllers", "memory\n" },
		{ GROUP "a/memory.max", "1000\n" },
		{ GROUP "a/memory.current", "900\n" },
		{ GROUP "a/memory.stat", "anon 300\nfile 600\ninactive_file 250\nactive_file 350\n" },
	};

	check_room(CGROUP_MEMORY, files, ARRAY_SIZE(files), 700, GROUP "a/memory.max");
}

static void version_1(void)
{
	static const struct file files[] = {
		{ "proc/self/cgroup", "8:pids:/a\n0::/\n" },
		{ GROUP "pids/a/pids.max", "100\n" },
		{ GROUP "pids/a/pids.current", "120\n" },
	};

	check_room(CGROUP_PIDS, files, ARRAY_SIZE(files), 0, GROUP "pids/a/pids.max");
}

static void no_limit(void)
{
	static const struct file files[] = {
		{ "proc/self/cgroup", "0::/a\n" },
		{ GROUP "cgroup.controllers", "memory pids\n" },
		{ GROUP "a/memory.max", "max\n" },
		{ GROUP "a/pids.max", "max\n" },
		{ GROUP "a/pids.current", "12\n" },
	};

	check_room(CGROUP_MEMORY, files, ARRAY_SIZE(files), (double)INFINITY, NULL);
	check_room(CGROUP_PIDS, files, ARRAY_SIZE(files), (double)INFINITY, NULL);
}

static void nothing_known(void)
{
	check_room(CGROUP_MEMORY, NULL, 0, (double)INFINITY, NULL);
}

static void kills_are_counted(void)
{
	const char *root = test_folder();
	char *file;

	CHECK(cgroup_oom_kills(root, &file) == 0);
	CHECK_TEXT(file, NULL);
	test_file(root, "proc/self/cgroup", "8:memory:/b\n0::/a\n");
	test_file(root, GROUP "memory/b/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n");
	CHECK(cgroup_oom_kills(root, &file) == 3);
	CHECK_TEXT(file, "/" GROUP "memory/b/memory.oom_control");
	free(file);
	test_file(root, GROUP "cgroup.controllers", "memory\n");
	test_file(root, GROUP "a/memory.events", "low 0\noom 7\noom_kill 2\noom_group_kill 0\n");
	CHECK(cgroup_oom_kills(root, &file) == 2);
	CHECK_TEXT(file, "/" GROUP "a/memory.events");
	free(file);
}

static const struct test tests[] = {
	{ "the group or one above it limits, whichever leaves less", limit_above },
	{ "page cache of a group can be dropped and is room", cache_counts_as_room },
	{ "a version 1 hierarchy that is used beyond its limit leaves no room", version_1 },
	{ "max is no limit, used or not", no_limit },
	{ "where nothing can be read nothing limits", nothing_known },
	{ "what the group has lost for want of memory is counted where either version says it", kills_are_counted },
};

TEST_MAIN(tests)
