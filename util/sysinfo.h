// SPDX-License-Identifier: GPL-2.0-only
/*
 * What decides a measurement besides the program: kernel, configuration, CPUs, power, memory, limits. Facts are
 * gathered under a root directory ("" but in tests) so that a made-up machine can be read; a fact that cannot be read
 * has a NULL value and is shown as n/a, never guessed.
 */
#ifndef KBENCH_SYSINFO_H
#define KBENCH_SYSINFO_H

#include "base.h"

struct fact {
	const char *key; /* lower case words joined by dashes: "kernel", "cpu-model", "thp" */
	char *value;     /* on the heap, one line; NULL: not known */
};

struct sysinfo {
	size_t count;
	struct fact facts[48];
	size_t warning_count;
	char *warnings[16]; /* one line each: what spoils a measurement here, and what to do */
};

/* Never NULL; freed by sysinfo_free. */
struct sysinfo *sysinfo_read(const char *root);
void sysinfo_free(struct sysinfo *info);

/* The value of a key, or NULL. */
const char *sysinfo_get(const struct sysinfo *info, const char *key);

#endif
