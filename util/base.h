// SPDX-License-Identifier: GPL-2.0-only
/* What every file may take for granted. */
#ifndef KBENCH_BASE_H
#define KBENCH_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KBENCH_VERSION "0.1.0"

#define ARRAY_SIZE(a)  (sizeof(a) / sizeof((a)[0]))

/* Two 64-byte lines: x86 prefetches them in pairs, and some aarch64 cores have lines of 128 bytes. */
#define CACHE_LINE               128

#define NSEC_PER_USEC            UINT64_C(1000)
#define NSEC_PER_MSEC            UINT64_C(1000000)
#define NSEC_PER_SEC             UINT64_C(1000000000)

#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))

#endif
