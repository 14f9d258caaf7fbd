// SPDX-License-Identifier: GPL-2.0-only
#include "scratchfile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "die.h"
#include "units.h"
#include "wrap.h"

#define FILL_BYTES ((size_t)1 << 20)

const char *scratch_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

const char *scratch_type(char text[32])
{
	static const struct {
		uint32_t magic;
		const char *name;
	} types[] = {
		{ 0x01021994, "tmpfs" },
		{ 0x0000ef53, "ext4" },
		{ 0x58465342, "xfs" },
		{ 0x9123683e, "btrfs" },
		{ 0x794c7630, "overlayfs" },
	};
	struct statfs about;

	if (statfs(scratch_dir(), &about) < 0)
		die_errno("statfs %s", scratch_dir());
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i].magic == (uint32_t)about.f_type)
			return types[i].name;
	snprintf(text, 32, "0x%" PRIx32, (uint32_t)about.f_type);
	return text;
}

void scratch_need(uint64_t bytes)
{
	char need[UNITS_TEXT], free_text[UNITS_TEXT], type[32];
	struct statvfs about;
	uint64_t free_bytes;

	if (statvfs(scratch_dir(), &about) < 0)
		die_errno("statvfs %s", scratch_dir());
	free_bytes = (uint64_t)about.f_bavail * about.f_frsize;
	if (bytes > free_bytes)
		die("needs %s of temporary files in %s (%s), which has %s free: set TMPDIR to a larger file system",
			units_format_size(need, bytes), scratch_dir(), scratch_type(type),
			units_format_size(free_text, free_bytes));
}

/* Where the file system has no O_TMPFILE: a name that is gone before anything can go wrong. */
static int open_and_unlink(const char *dir)
{
	char *path = xasprintf("%s/kbench-XXXXXX", dir);
	int fd = mkostemp(path, O_CLOEXEC);

	if (fd >= 0 && unlink(path) < 0)
		die_errno("unlink %s", path);
	free(path);
	return fd;
}

int scratch_file(size_t bytes)
{
	const char *dir = scratch_dir();
	int fd = open(dir, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
	char *data = xmalloc(FILL_BYTES);

	if (fd < 0)
		fd = open_and_unlink(dir);
	if (fd < 0)
		die_errno("a temporary file in %s", dir);
	memset(data, 'k', FILL_BYTES);
	for (size_t left = bytes; left;) {
		size_t part = left < FILL_BYTES ? left : FILL_BYTES;

		xwrite_all(fd, data, part);
		left -= part;
	}
	free(data);
	return fd;
}
