// SPDX-License-Identifier: GPL-2.0-only
/* Where the two tasks of a ping-pong run: the value of a --place option. */
#ifndef KBENCH_PLACE_H
#define KBENCH_PLACE_H

#include "bench.h"

#define PLACE_HELP \
	"CPUs of the two tasks: free, same, smt, llc, node, remote (how the second stands to the first), or A,B"

/*
 * "free": false, nothing is bound. Otherwise true with the two CPUs: the lowest pair of the run's CPUs that stand in the
 * relation, or the two numbers typed. No such pair on this machine is a skip; anything else, or a CPU that the run may not
 * use, a usage error.
 */
bool place_resolve(struct run *run, const char *where, unsigned cpus[2]);

#endif
