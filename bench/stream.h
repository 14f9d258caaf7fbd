// SPDX-License-Identifier: GPL-2.0-only
/* Loops over memory from its beginning to its end, 64 bytes a turn, by plain loads and stores of words. */
#ifndef KBENCH_STREAM_H
#define KBENCH_STREAM_H

#include "base.h"

enum stream { STREAM_READ, STREAM_WRITE, STREAM_COPY };

/*
 * memory: aligned to 64 bytes, and bytes a multiple of 128. read and write go over all of it; copy reads the second half
 * and writes it to the first. Returned: bytes read, written or copied.
 */
size_t stream_pass(enum stream stream, void *memory, size_t bytes);

#endif
