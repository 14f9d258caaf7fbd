// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counters-internal.h"
#include "sysfile.h"
#include "units.h"
#include "wrap.h"

/* The name becomes a path: a word has no slash, and nothing that begins with a dot. */
static size_t word_length(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

	return strspn(text, letters);
}

bool tracepoint_named(const char *name)
{
	size_t system = word_length(name), event;

	if (system == 0 || name[system] != ':')
		return false;
	event = word_length(name + system + 1);
	return event > 0 && name[system + 1 + event] == '\0';
}

/* 0, or the errno with which the events below this mount point cannot be looked up. */
static int tracefs_error(const char *root, const char *mount)
{
	char *folder = xasprintf("%s%s/events", root, mount);
	int error = access(folder, X_OK) < 0 ? errno : 0;

	free(folder);
	return error;
}

static bool read_id(const char *root, const char *mount, const char *name, uint64_t *id)
{
	int system = (int)strcspn(name, ":");
	char *text = sysfile_text(root, "%s/events/%.*s/%s/id", mount, system, name, name + system + 1);
	bool read = text && units_parse_count(text, id);

	free(text);
	return read;
}

char *tracepoint_find(const char *root, const char *name, uint64_t *id)
{
	static const char *const mounts[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	const char *closed = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(mounts); i++) {
		int error = tracefs_error(root, mounts[i]);

		if (error == 0)
			return read_id(root, mounts[i], name, id) ? NULL
								  : xstrdup("this kernel has no such tracepoint");
		if (error == EACCES && !closed)
			closed = mounts[i];
	}
	if (closed)
		return xasprintf("not permitted (%s cannot be read)", closed);
	return xasprintf("no tracepoints (tracefs is not mounted on %s)", mounts[0]);
}
