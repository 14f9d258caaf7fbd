// SPDX-License-Identifier: GPL-2.0-only
#include "scratchfile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "die.h"
#include "units.h"
#include "wrap.h"

#define FILL_BYTES ((size_t)1 << 20)

struct scratch scratch_place(const char *asked)
{
	const char *dir = getenv("TMPDIR");

	if (asked)
		return (struct scratch){ .origin = "--file ", .dir = asked };
	if (dir && *dir)
		return (struct scratch){ .origin = "TMPDIR=", .dir = dir };
	return (struct scratch){ .origin = "", .dir = "/tmp" };
}

const char *scratch_type(const struct scratch *place, char text[32])
{
	static const struct {
		uint32_t magic;
		const char *name;
	} types[] = {
		{ 0x01021994, "tmpfs" },
		{ 0x858458f6, "ramfs" },
		{ 0x0000ef53, "ext4" },
		{ 0x58465342, "xfs" },
		{ 0x9123683e, "btrfs" },
		{ 0xf2f52010, "f2fs" },
		{ 0x2fc12fc1, "zfs" },
		{ 0x00006969, "nfs" },
		{ 0x01021997, "9p" },
		{ 0x65735546, "fuse" },
		{ 0x794c7630, "overlayfs" },
	};
	struct statfs about;

	if (statfs(place->dir, &about) < 0)
		die_errno("%s%s", place->origin, place->dir);
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i].magic == (uint32_t)about.f_type)
			return types[i].name;
	snprintf(text, 32, "0x%" PRIx32, (uint32_t)about.f_type);
	return text;
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

static int make_file(const struct scratch *place)
{
	int fd = open(place->dir, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0 && errno != ENOENT && errno != ENOTDIR && errno != EROFS)
		fd = open_and_unlink(place->dir);
	if (fd < 0)
		die_errno("a temporary file in %s%s", place->origin, place->dir);
	return fd;
}

static uint64_t bytes_free(const struct scratch *place)
{
	struct statvfs about;

	if (statvfs(place->dir, &about) < 0)
		die_errno("%s%s", place->origin, place->dir);
	return (uint64_t)about.f_bavail * about.f_frsize;
}

void scratch_need(const struct scratch *place, uint64_t bytes)
{
	char need[UNITS_TEXT], free_text[UNITS_TEXT], type[32];
	uint64_t free_bytes;

	xclose(make_file(place));
	free_bytes = bytes_free(place);
	if (bytes > free_bytes)
		die("needs %s of temporary files in %s%s (%s), which has %s free: set TMPDIR or --file to a larger "
		    "file system",
			units_format_size(need, bytes), place->origin, place->dir, scratch_type(place, type),
			units_format_size(free_text, free_bytes));
}

/* Others write to the same file system: what was free in scratch_need may not be so now. */
static noreturn void die_of_writing(const struct scratch *place)
{
	char type[32], free_text[UNITS_TEXT];
	int error = errno;
	const char *name = scratch_type(place, type);

	units_format_size(free_text, bytes_free(place));
	errno = error;
	die_errno("writing a temporary file in %s%s (%s, %s free)", place->origin, place->dir, name, free_text);
}

static void write_part(const struct scratch *place, int fd, const char *data, size_t part)
{
	while (part) {
		ssize_t done = write(fd, data, part);

		if (done < 0 && errno != EINTR)
			die_of_writing(place);
		part -= done > 0 ? (size_t)done : 0;
	}
}

int scratch_file(const struct scratch *place, size_t bytes)
{
	int fd = make_file(place);
	char *data = xmalloc(FILL_BYTES);

	memset(data, 'k', FILL_BYTES);
	for (size_t left = bytes; left;) {
		size_t part = left < FILL_BYTES ? left : FILL_BYTES;

		write_part(place, fd, data, part);
		left -= part;
	}
	free(data);
	return fd;
}

void scratch_drop(int fd)
{
	if (fdatasync(fd) < 0)
		die_errno("fdatasync of a temporary file");
	errno = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	if (errno)
		die_errno("posix_fadvise of a temporary file");
}

bool scratch_can_drop(const struct scratch *place)
{
	size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	int fd = scratch_file(place, bytes);
	unsigned char there = 0;
	void *page;

	scratch_drop(fd);
	page = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		die_errno("mmap of a temporary file in %s%s", place->origin, place->dir);
	if (mincore(page, bytes, &there) < 0)
		die_errno("mincore");
	xmunmap(page, bytes);
	xclose(fd);
	return !(there & 1);
}
