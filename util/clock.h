// SPDX-License-Identifier: GPL-2.0-only
#ifndef KBENCH_CLOCK_H
#define KBENCH_CLOCK_H

#include "base.h"

/* CLOCK_MONOTONIC in nanoseconds. */
uint64_t clock_now(void);

#endif
