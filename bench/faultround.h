// SPDX-License-Identifier: GPL-2.0-only
/*
 * The phases of a round; time and faults go to the worker's laps and counts. Renewing, mapping and releasing is for the
 * whole region, touching for the worker's part of it.
 */
#ifndef KBENCH_FAULTROUND_H
#define KBENCH_FAULTROUND_H

#include "faultpatterns.h"

void round_map(struct faulter *faulter);
void round_touch(struct faulter *faulter);
void round_release(struct faulter *faulter);

/* The touches, by whoever makes them: a child does so in the map phase. */
void round_touch_part(struct faulter *faulter);

#endif
