// SPDX-License-Identifier: GPL-2.0-only
#include "quota.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sysfile.h"
#include "wrap.h"

/* NAN and INFINITY themselves are floats. */
static const double unknown = (double)NAN, unlimited = (double)INFINITY;

static const struct limit_files {
	const char *controller, *v2, *v1;
	const char *v1_period; /* version 2 has the period beside the quota */
} limit_files[] = {
	[QUOTA_CPUS] = { "cpu", "cpu.max", "cpu.cfs_quota_us", "cpu.cfs_period_us" },
	[QUOTA_MEMORY] = { "memory", "memory.max", "memory.limit_in_bytes", NULL },
	[QUOTA_PIDS] = { "pids", "pids.max", "pids.max", NULL },
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

char *quota_cgroup(const char *root)
{
	return path_of(root, "");
}

/* "max", -1 and, in version 1, a number near 2^63 are no limit. */
static double limit_number(const char *text)
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

/* The limit that one group sets: "NUMBER", or "QUOTA PERIOD" in one file or in two. */
static double limit_of_group(const char *root, const char *group, const char *file, const char *period_file)
{
	char *text = sysfile_text(root, "%s/%s", group, file);
	char *period_text = period_file ? sysfile_text(root, "%s/%s", group, period_file) : NULL;
	const char *period = period_text ? period_text : text ? strchr(text, ' ') : NULL;
	double limit = text ? limit_number(text) : unknown;

	if (period)
		limit /= limit_number(period);
	free(period_text);
	free(text);
	return limit;
}

/*
 * Walks up from a group to the top of its hierarchy. In a container the path may be of the host and not be there: then
 * the top, which is the container's own group, has the limit. Takes path.
 */
static double lowest_limit(const char *root, const char *top, char *path, const char *file, const char *period_file)
{
	double lowest = unknown;
	char *group, *slash;

	if (!path)
		return unknown;
	group = xasprintf("%s%s", top, path);
	do {
		lowest = fmin(lowest, limit_of_group(root, group, file, period_file));
		slash = strrchr(group, '/');
		*slash = '\0';
	} while (slash >= group + strlen(top));
	free(group);
	free(path);
	return lowest;
}

double quota_lowest(const char *root, enum quota quota)
{
	const struct limit_files *files = &limit_files[quota];
	char *v2_only = sysfile_text(root, "/sys/fs/cgroup/cgroup.controllers");
	const char *v2_top = v2_only ? "/sys/fs/cgroup" : "/sys/fs/cgroup/unified";
	double lowest = lowest_limit(root, v2_top, quota_cgroup(root), files->v2, NULL);

	if (isnan(lowest)) {
		char *v1_top = xasprintf("/sys/fs/cgroup/%s", files->controller);

		lowest = lowest_limit(root, v1_top, path_of(root, files->controller), files->v1, files->v1_period);
		free(v1_top);
	}
	free(v2_only);
	return lowest;
}
