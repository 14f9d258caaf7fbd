// SPDX-License-Identifier: GPL-2.0-only
/* Between memops.c (portable routines, the tables) and memops-arch.c (those of an architecture). */
#ifndef KBENCH_MEMOPS_INTERNAL_H
#define KBENCH_MEMOPS_INTERNAL_H

#include "memops.h"

/* On x86-64 the names are those that perf bench knows. */
#ifdef __x86_64__
#define MEMOPS_NONTEMPORAL
#define MEMOPS_UNROLLED "x86-64-unrolled"
#define MEMOPS_ARCH_COPIES(row)                                                 \
	row("x86-64-movsq", "memcpy() by rep movsq", memops_copy_movsq)         \
		row("x86-64-movsb", "memcpy() by rep movsb", memops_copy_movsb) \
			row("non-temporal", "memcpy() with stores past the caches", memops_copy_nontemporal)
#define MEMOPS_ARCH_SETS(row)                                                                                       \
	row("x86-64-stosq", "memset() by rep stosq", memops_set_stosq) row("x86-64-stosb", "memset() by rep stosb", \
		memops_set_stosb) row("non-temporal", "memset() with stores past the caches", memops_set_nontemporal)
#elif defined(__aarch64__)
#define MEMOPS_NONTEMPORAL
#define MEMOPS_UNROLLED         "unrolled"
#define MEMOPS_ARCH_COPIES(row) row("non-temporal", "memcpy() with stores past the caches", memops_copy_nontemporal)
#define MEMOPS_ARCH_SETS(row)   row("non-temporal", "memset() with stores past the caches", memops_set_nontemporal)
#else
#define MEMOPS_UNROLLED "unrolled"
#define MEMOPS_ARCH_COPIES(row)
#define MEMOPS_ARCH_SETS(row)
#endif

/* The byte in every place of a word. */
unsigned long memops_spread(int byte);

memops_copy memops_copy_plain, memops_copy_movsq, memops_copy_movsb, memops_copy_nontemporal;
memops_set memops_set_plain, memops_set_stosq, memops_set_stosb, memops_set_nontemporal;

#endif
