// SPDX-License-Identifier: GPL-2.0-only
/* Temporary files that have no name: nothing is left behind, however the process ends. */
#ifndef KBENCH_SCRATCHFILE_H
#define KBENCH_SCRATCHFILE_H

#include "base.h"

/* Where files are made. Neither text is copied. */
struct scratch {
	const char *origin; /* what stands before the directory in messages, so that one sees who named it: "TMPDIR=" */
	const char *dir;
};

/* The directory that was asked for with --file, or where that is NULL: TMPDIR, or /tmp. */
struct scratch scratch_place(const char *asked);

/* The name of the directory's file system, "ext4"; where it is not a known one its number, "0x1badface". */
const char *scratch_type(const struct scratch *place, char text[32]);

/*
 * Makes a file and gives it back: ends the process with the reason where none can be made, and with the arithmetic
 * unless the file system has that many bytes free.
 */
void scratch_need(const struct scratch *place, uint64_t bytes);

/* Do pages of a file there leave the page cache? Where memory is all that it has (tmpfs) they do not. Tries it. */
bool scratch_can_drop(const struct scratch *place);

/* A file of that size, written once so that its pages are in the page cache. Returned: its descriptor. */
int scratch_file(const struct scratch *place, size_t bytes);

/* Writes the file to its disk and takes its pages out of the page cache. None may be mapped. */
void scratch_drop(int fd);

#endif
