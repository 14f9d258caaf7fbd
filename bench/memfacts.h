// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the kernel tells about the memory of the machine, and how it answers faults. The root directory is "" but in
 * tests.
 */
#ifndef KBENCH_MEMFACTS_H
#define KBENCH_MEMFACTS_H

#include "base.h"

/* Bytes, by a key of /proc/meminfo without its colon: "SwapFree"; 0 where it is not there. */
uint64_t memfacts_bytes(const char *root, const char *key);

/* A counter of /proc/vmstat, of the whole machine; 0 where it is not there. */
uint64_t memfacts_count(const char *root, const char *key);

/* Bytes of a transparent huge page, or 0: the kernel gives none to those who ask by madvise. */
size_t memfacts_thp(const char *root);

/*
 * Does the kernel answer a first read with the zero page? Some do not: s390 under KVM with storage keys, x86 as a PVM
 * guest. Asks it by touching a page.
 */
bool memfacts_zero_page(void);

#endif
