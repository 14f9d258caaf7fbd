// SPDX-License-Identifier: GPL-2.0-only
#include "cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "units.h"
#include "wrap.h"

/* What a limit is called in each version of the hierarchy. */
static const struct {
	const char *controller;          /* option of a version 1 mount */
	const char *limit[2], *usage[2]; /* version 1, version 2 */
} names[] = {
	[CGROUP_MEMORY] = { "memory", { "memory.limit_in_bytes", "memory.max" },
		{ "memory.usage_in_bytes", "memory.current" } },
	[CGROUP_PIDS] = { "pids", { "pids.max", "pids.max" }, { "pids.current", "pids.current" } },
};

/* The mount point of the hierarchy of a version 1 controller, or of version 2 when controller is NULL. */
static char *mount_of(const char *controller)
{
	FILE *mounts = setmntent("/proc/self/mounts", "r");
	struct mntent *entry;
	char *found = NULL;

	while (mounts && !found && (entry = getmntent(mounts))) {
		bool match = controller ? !strcmp(entry->mnt_type, "cgroup") && hasmntopt(entry, controller)
					: !strcmp(entry->mnt_type, "cgroup2");

		if (match)
			found = xstrdup(entry->mnt_dir);
	}
	if (mounts)
		endmntent(mounts);
	return found;
}

char *cgroup_mount(void)
{
	return mount_of(NULL);
}

/* Is "memory" one of "cpu,memory"? The version 2 line has no controllers and is asked for with NULL. */
static bool lists(const char *controllers, size_t length, const char *controller)
{
	size_t wanted = controller ? strlen(controller) : 0;

	if (!controller)
		return length == 0;
	for (const char *at = controllers; at < controllers + length;) {
		size_t word = strcspn(at, ",:");

		if (word == wanted && strncmp(at, controller, word) == 0)
			return true;
		at += word + 1;
	}
	return false;
}

/* The group of this process in a hierarchy: the third field of a line "5:cpu,memory:/group" of /proc/self/cgroup. */
static char *group_of(const char *controller)
{
	char *text = read_file("/proc/self/cgroup"), *found = NULL, *rest = text;
	char *line;

	while (rest && !found && (line = strsep(&rest, "\n"))) {
		char *list = strchr(line, ':'), *path = list ? strchr(list + 1, ':') : NULL;

		if (path && lists(list + 1, (size_t)(path - list - 1), controller))
			found = xstrdup(path + 1);
	}
	free(text);
	return found;
}

static bool read_number(const char *directory, const char *file, uint64_t *number)
{
	char *path = xasprintf("%s/%s", directory, file);
	char *text = read_file(path);
	bool read = text && units_parse_count(text, number);

	free(text);
	free(path);
	return read;
}

/* Walks one hierarchy from the group up to its mount. */
static void narrow(enum cgroup_limit limit, int version, uint64_t *room, char **file)
{
	const char *controller = version ? NULL : names[limit].controller;
	char *mount = mount_of(controller), *group = group_of(controller);
	char *directory = mount && group ? xasprintf("%s%s", mount, group) : NULL;

	while (directory && strlen(directory) >= strlen(mount)) {
		uint64_t most, used;
		char *slash = strrchr(directory, '/');

		if (read_number(directory, names[limit].limit[version], &most) &&
			read_number(directory, names[limit].usage[version], &used)) {
			uint64_t left = most > used ? most - used : 0;

			if (left < *room) {
				*room = left;
				free(*file);
				*file = xasprintf("%s/%s", directory, names[limit].limit[version]);
			}
		}
		if (!slash)
			break;
		*slash = '\0';
	}
	free(directory);
	free(group);
	free(mount);
}

uint64_t cgroup_room(enum cgroup_limit limit, char **file)
{
	uint64_t room = UINT64_MAX;
	char *found = NULL;

	for (int version = 0; version < 2; version++)
		narrow(limit, version, &room, &found);
	if (file)
		*file = found;
	else
		free(found);
	return room;
}

int cgroup_join(const char *group, bool thread)
{
	char *mount = cgroup_mount(), *path;
	int fd, error;
	ssize_t put = -1;

	if (!mount) {
		errno = ENOENT;
		return -1;
	}
	path = xasprintf("%s/%s/%s", mount, group, thread ? "cgroup.threads" : "cgroup.procs");
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd >= 0)
		put = write(fd, "0", 1);
	error = errno;
	if (fd >= 0)
		close(fd);
	free(path);
	free(mount);
	errno = error;
	return put == 1 ? 0 : -1;
}
