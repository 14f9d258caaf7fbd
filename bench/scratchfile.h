// SPDX-License-Identifier: GPL-2.0-only
/* Temporary files that have no name: nothing is left behind, however the process ends. */
#ifndef KBENCH_SCRATCHFILE_H
#define KBENCH_SCRATCHFILE_H

#include "base.h"

/* The directory: TMPDIR, or /tmp. */
const char *scratch_dir(void);

/* The name of the directory's file system, "ext4"; where it is not a known one its number, "0x1badface". */
const char *scratch_type(char text[32]);

/* Ends the process with the arithmetic unless the file system has that many bytes free. */
void scratch_need(uint64_t bytes);

/* A file of that size, written once so that its pages are in the page cache. Returned: its descriptor. */
int scratch_file(size_t bytes);

#endif
