// SPDX-License-Identifier: GPL-2.0-only
/* mem memcpy and mem memset: all that both are, but for the call itself. */
#ifndef KBENCH_MEMFUNCTIONS_H
#define KBENCH_MEMFUNCTIONS_H

#include "memspeed.h"
#include "pagesize.h"

struct memfunction_options {
	uint64_t size, page, chunk, loops, threads, align, offset;
	const char *source_node, *target_node; /* empty: any */
	unsigned function;
	bool cycles, cold;
};

#define MEMFUNCTION_DEFAULTS                                                                             \
	{                                                                                                \
		.size = 1 << 20, .threads = 1, .source_node = "", .target_node = "", .function = OPT_ALL \
	}

/* The rows of the option table that are the same; opt is a struct memfunction_options. */
#define MEMFUNCTION_OPTIONS(opt)                                                                                 \
	OPT_SIZE('s', "size", &(opt).size, 1, OPT_MAX, "bytes of a pass"), OPT_PAGE(&(opt).page),                \
		OPT_SIZE('k', "chunk", &(opt).chunk, 0, OPT_MAX, "bytes of a call; 0 is all of a pass in one"),  \
		OPT_PASSES(&(opt).loops), OPT_CYCLES(&(opt).cycles),                                             \
		OPT_COUNT('t', "threads", &(opt).threads, 1, INT32_MAX, "threads, each with memory of its own"), \
		OPT_SIZE(0, "align", &(opt).align, 0, 2048, "begin so far into a page, a power of two"),         \
		OPT_FLAG(0, "cold", &(opt).cold, "flush the caches before each pass, which is not timed"),       \
		OPT_STRING(0, "target-node", &(opt).target_node, "NODE", "node of the target, which is checked")

/* The memory of one worker. */
struct memfunction_area {
	unsigned char *source, *target; /* source: NULL where there is none */
	size_t size, chunk;
};

struct memfunction {
	const struct memfunction_options *opt;
	const char *const *names, *const *meanings;
	bool has_source;
	/* So many passes over the target, in calls of at most a chunk. */
	void (*passes)(const struct memfunction_area *area, uint64_t count);
	/* The first byte of the target that is not what a pass leaves; area->size where there is none. */
	size_t (*first_wrong)(const struct memfunction_area *area);
};

/* The parts of a benchmark; the kind must live as long as the program. */
void memfunction_check(struct run *run, const struct memfunction *kind);
void memfunction_setup(struct run *run, const struct memfunction *kind);
void memfunction_report(struct run *run, const struct memfunction *kind);

#endif
