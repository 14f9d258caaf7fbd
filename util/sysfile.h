// SPDX-License-Identifier: GPL-2.0-only
/*
 * The files in which the kernel tells about itself, under a root directory ("" but in tests). Texts are on the heap;
 * NULL: there is no such file, it may not be read, or it does not have what was asked for.
 */
#ifndef KBENCH_SYSFILE_H
#define KBENCH_SYSFILE_H

#include "base.h"

/* All of a file, the last newline removed. The path begins with a slash. */
char *sysfile_text(const char *root, const char *format, ...) PRINTF_LIKE(2, 3);

/* The first line; the first word; the word in brackets of "always [madvise] never" or "none (full)". */
char *sysfile_line(const char *root, const char *path);
char *sysfile_word(const char *root, const char *path);
char *sysfile_marked(const char *root, const char *path);

/* Is this the first word of the file? */
bool sysfile_is(const char *root, const char *path, const char *word);

#endif
