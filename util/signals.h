// SPDX-License-Identifier: GPL-2.0-only
/*
 * The signals that are sent to end a program. While runs go on kbench blocks and awaits them, and one that came stays
 * pending until kbench ends, so that whoever may wait for long can look. Elsewhere they are not blocked, and just end it.
 */
#ifndef KBENCH_SIGNALS_H
#define KBENCH_SIGNALS_H

#include <signal.h>

#include "base.h"

/* All of them, but for those that the caller has set to be ignored (nohup). */
void signals_ending(sigset_t *set);

/* One that is blocked and has come; 0: none has. */
int signals_pending(void);

/*
 * Between two looks at what cannot be waited for: a moment passes. False: a signal has come, and since then a second of
 * such moments; looks counts them, from 0.
 */
bool signals_let_wait(unsigned *looks);

/*
 * Returns when a descriptor takes SIGNALS_WRITE bytes, or the write would fail. False: a signal has come, and for a second
 * it takes nothing, as a full pipe that nobody reads.
 */
#define SIGNALS_WRITE 4096 /* what a pipe that is ready takes at once */
bool signals_let_write(int fd);

/* A whole text, in such pieces. 0; -1 with errno; or the number of the signal that was waited for no longer. */
int signals_write_all(int fd, const char *text, size_t length);

#endif
