// SPDX-License-Identifier: GPL-2.0-only
/*
 * How the running kernel was built and booted, as far as it decides measurements, read under a root ("" but in tests).
 * Texts are on the heap; NULL: not known.
 */
#ifndef KBENCH_KERNEL_H
#define KBENCH_KERNEL_H

#include "base.h"

/* "none", "voluntary", "lazy", "full", "rt"; "none at boot" where it may have been changed since. */
char *kernel_preemption(const char *root);

/* Timer ticks per second. */
char *kernel_hz(const char *root);

/* The debugging that slows it down: "PROVE_LOCKING, KASAN", or "none". */
char *kernel_debugging(const char *root);

/* Against the known faults of CPUs: "3 mitigated, 1 vulnerable, mitigations=auto". */
char *kernel_mitigations(const char *root);

#endif
