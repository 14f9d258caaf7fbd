// SPDX-License-Identifier: GPL-2.0-only
/* What is said of a process that was killed. */
#ifndef KBENCH_DEATH_H
#define KBENCH_DEATH_H

#include "base.h"

#define DEATH_TEXT 400

/*
 * "signal 11 (Segmentation fault)". Of SIGKILL, which the kernel sends when memory is short, also what the memory group of
 * this process, if any, has counted: it does not tell when that was. Returned: text.
 */
const char *death_text(char text[DEATH_TEXT], int signal_number);

#endif
