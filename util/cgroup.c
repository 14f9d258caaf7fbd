// SPDX-License-Identifier: GPL-2.0-only
#include "cgroup-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sysfile.h"
#include "wrap.h"

/* NAN and INFINITY themselves are floats. */
static const double unknown = (double)NAN, unlimited = (double)INFINITY;

/* What a limit and its use are called in a version of the hierarchy. */
struct limit_files {
	const char *limit, *usage;
	const char *period; /* version 2 has it beside the quota */
};

static const struct limit_kind {
	const char *controller;
	struct limit_files v2, v1;
} kinds[] = {
	[CGROUP_CPU] = { "cpu", { "cpu.max", NULL, NULL }, { "cpu.cfs_quota_us", NULL, "cpu.cfs_period_us" } },
	[CGROUP_MEMORY] = { "memory", { "memory.max", "memory.current", NULL },
		{ "memory.limit_in_bytes", "memory.usage_in_bytes", NULL } },
	[CGROUP_PIDS] = { "pids", { "pids.max", "pids.current", NULL }, { "pids.max", "pids.current", NULL } },
};

/* Is word one of "cpu,cpuacct"? The empty word is the empty list's. */
static bool lists(const char *list, const char *word)
{
	size_t length = strlen(word);

	while (strncmp(list, word, length) != 0 || (list[length] != ',' && list[length] != '\0')) {
		list = strchr(list, ',');
		if (!list)
			return false;
		list++;
	}
	return true;
}

/* The PATH of a line "ID:CONTROLLERS:PATH". Version 2 has no controllers in its line. */
static char *path_of(const char *root, const char *controller)
{
	char *text = sysfile_text(root, "/proc/self/cgroup"), *found = NULL, *rest = NULL;

	for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line && !found;
		line = strtok_r(NULL, "\n", &rest)) {
		char *controllers = strchr(line, ':');
		char *path = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!path)
			continue;
		*path = '\0';
		if (lists(controllers + 1, controller))
			found = xstrdup(path + 1);
	}
	free(text);
	return found;
}

char *cgroup_path(const char *root)
{
	return path_of(root, "");
}

/* Where version 2 is mounted: beside the version 1 hierarchies, or alone. */
static const char *v2_top(const char *root)
{
	char *alone = sysfile_text(root, "/sys/fs/cgroup/cgroup.controllers");

	free(alone);
	return alone ? "/sys/fs/cgroup" : "/sys/fs/cgroup/unified";
}

char *cgroup_cpu_folder(const char *root, const char *below, bool *v2)
{
	char *controllers = sysfile_text(root, "%s/cgroup.controllers", v2_top(root));
	char *path = NULL, *folder = NULL, *kept;

	/* The kernel parts them by blanks. */
	for (char *blank = controllers; blank && *blank; blank++)
		if (*blank == ' ')
			*blank = ',';
	*v2 = controllers && lists(controllers, "cpu");
	free(controllers);
	path = below ? xasprintf("/%s", below) : path_of(root, *v2 ? "" : "cpu");
	if (path)
		folder = xasprintf("%s%s", *v2 ? v2_top(root) : "/sys/fs/cgroup/cpu", strcmp(path, "/") ? path : "");
	free(path);
	kept = folder ? sysfile_text(root, "%s/cgroup.procs", folder) : NULL;
	if (!kept) {
		free(folder);
		folder = NULL;
	}
	free(kept);
	return folder;
}

/* "max", -1 and, in version 1, a number near 2^63 are no limit. */
static double number_of(const char *text)
{
	char *end;
	double number;

	if (strncmp(text, "max", strlen("max")) == 0)
		return unlimited;
	number = strtod(text, &end);
	if (end == text)
		return unknown;
	return number < 0 || number >= 0x1p62 ? unlimited : number;
}

static double file_number(const char *root, const char *group, const char *file)
{
	char *text = file ? sysfile_text(root, "%s/%s", group, file) : NULL;
	double number = text ? number_of(text) : unknown;

	free(text);
	return number;
}

/* The limit that one group sets: "NUMBER", or "QUOTA PERIOD" in one file or in two. */
static double limit_of(const char *root, const char *group, const struct limit_files *files)
{
	char *text = sysfile_text(root, "%s/%s", group, files->limit);
	const char *period = text ? strchr(text, ' ') : NULL;
	double limit = text ? number_of(text) : unknown;

	if (files->period)
		limit /= file_number(root, group, files->period);
	else if (period)
		limit /= number_of(period);
	free(text);
	return limit;
}

/* Page cache that the kernel would rather drop than refuse memory. */
static double cache_of(const char *root, const char *group)
{
	static const char *const keys[] = { "\ninactive_file ", "\nactive_file " };
	char *text = sysfile_text(root, "%s/memory.stat", group);
	double bytes = 0;

	for (size_t i = 0; text && i < ARRAY_SIZE(keys); i++) {
		const char *line = strstr(text, keys[i]);

		bytes += line ? strtod(line + strlen(keys[i]), NULL) : 0;
	}
	free(text);
	return bytes;
}

/* What one group still lets through; the limit itself where it is none, or where the use is not known. */
static double left_of(const char *root, const char *group, const struct limit_files *files)
{
	double limit = limit_of(root, group, files), used = file_number(root, group, files->usage);

	if (!isfinite(limit) || !isfinite(used))
		return limit;
	return fmax(0, limit - used + cache_of(root, group));
}

/*
 * Walks up from a group to the top of its hierarchy. In a container the path may be of the host and not be there: then
 * the top, which is the container's own group, has the limit. Takes path. *file, unless NULL: where the smallest stands.
 */
static double smallest(const char *root, const char *top, char *path, const struct limit_files *files, char **file)
{
	double lowest = unknown;
	char *group, *slash;

	if (!path)
		return unknown;
	group = xasprintf("%s%s", top, path);
	do {
		double left = file ? left_of(root, group, files) : limit_of(root, group, files);

		if (file && isfinite(left) && !(lowest <= left)) {
			free(*file);
			*file = xasprintf("%s/%s", group, files->limit);
		}
		lowest = fmin(lowest, left);
		slash = strrchr(group, '/');
		*slash = '\0';
	} while (slash >= group + strlen(top));
	free(group);
	free(path);
	return lowest;
}

/* Version 2 has the last word where it has the controller. */
static double smallest_of_both(const char *root, enum cgroup_limit limit, char **file)
{
	const struct limit_kind *kind = &kinds[limit];
	double lowest = smallest(root, v2_top(root), cgroup_path(root), &kind->v2, file);

	if (isnan(lowest)) {
		char *v1_top = xasprintf("/sys/fs/cgroup/%s", kind->controller);

		lowest = smallest(root, v1_top, path_of(root, kind->controller), &kind->v1, file);
		free(v1_top);
	}
	return lowest;
}

double cgroup_lowest(const char *root, enum cgroup_limit limit)
{
	return smallest_of_both(root, limit, NULL);
}

double cgroup_room(const char *root, enum cgroup_limit limit, char **file)
{
	double room;

	*file = NULL;
	room = smallest_of_both(root, limit, file);
	return isnan(room) ? unlimited : room;
}

/* Takes path. False: this version does not count them. */
static bool count_kills(const char *root, const char *top, char *path, const char *name, uint64_t *kills, char **file)
{
	static const char key[] = "oom_kill ";
	char *at = path ? xasprintf("%s%s/%s", top, strcmp(path, "/") ? path : "", name) : NULL;
	char *text = at ? sysfile_text(root, "%s", at) : NULL;
	const char *line = text;

	while (line && strncmp(line, key, strlen(key)) != 0) {
		line = strchr(line, '\n');
		line += line != NULL;
	}
	if (line) {
		*kills = strtoull(line + strlen(key), NULL, 10);
		*file = at;
	} else {
		free(at);
	}
	free(text);
	free(path);
	return *file;
}

uint64_t cgroup_oom_kills(const char *root, char **file)
{
	uint64_t kills = 0;

	*file = NULL;
	if (!count_kills(root, v2_top(root), cgroup_path(root), "memory.events", &kills, file))
		count_kills(root, "/sys/fs/cgroup/memory", path_of(root, "memory"), "memory.oom_control", &kills, file);
	return kills;
}

int cgroup_put(const char *folder, const char *file, const char *text)
{
	char *path = xasprintf("%s/%s", folder, file);
	int fd = open(path, O_WRONLY | O_CLOEXEC), error;
	ssize_t put = fd < 0 ? -1 : write(fd, text, strlen(text));

	error = errno;
	if (fd >= 0)
		close(fd);
	free(path);
	errno = error;
	return put < 0 ? -1 : 0;
}

int cgroup_join(const char *group, bool thread)
{
	char *folder = xasprintf("%s/%s", v2_top(""), group);
	int joined = cgroup_put(folder, thread ? "cgroup.threads" : "cgroup.procs", "0"), error = errno;

	free(folder);
	errno = error;
	return joined;
}
