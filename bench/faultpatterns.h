// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ways in which touching a page makes the kernel work, as data: how the memory comes to be, how it is touched, how
 * it goes, and how many faults that should take.
 */
#ifndef KBENCH_FAULTPATTERNS_H
#define KBENCH_FAULTPATTERNS_H

#include "bench.h"
#include "pagewalk.h"
#include "scratchfile.h"

/* Every pattern: its word and what a touch is. */
#define FAULT_PATTERNS(PATTERN)                                                            \
	PATTERN(ANON, "anon", "first write to private memory")                             \
	PATTERN(ANON_READ, "anon-read", "first read of private memory (zero page)")        \
	PATTERN(UPGRADE, "upgrade", "write to private memory that was only read")          \
	PATTERN(SHMEM, "shmem", "first write to shared memory")                            \
	PATTERN(FILE_SHARED, "file-shared", "write to a cached file mapped shared")        \
	PATTERN(FILE_PRIVATE, "file-private", "write to a cached file mapped private")     \
	PATTERN(FILE_READ, "file-read", "read of a cached file (fault-around)")            \
	PATTERN(FILE_COLD, "file-cold", "read of a file that is not cached (major fault)") \
	PATTERN(COW_CHILD, "cow-child", "write by a forked child")                         \
	PATTERN(COW_PARENT, "cow-parent", "write by a parent while its child lives")       \
	PATTERN(COW_LAST, "cow-last", "write by a parent whose child has ended: no copy")  \
	PATTERN(DONTNEED, "dontneed", "write after MADV_DONTNEED in a mapping that stays") \
	PATTERN(POPULATE, "populate", "faults inside mmap (MAP_POPULATE)")                 \
	PATTERN(THP, "thp", "first write to MADV_HUGEPAGE memory")                         \
	PATTERN(HUGETLB, "hugetlb", "first write to a huge page of the pool")              \
	PATTERN(PROTECT, "protect", "first write to what mprotect made writable")          \
	PATTERN(STACK, "stack", "write below a mapping that grows (MAP_GROWSDOWN)")        \
	PATTERN(BRK, "brk", "first write to a heap that brk made longer")                  \
	PATTERN(UFFD, "uffd", "write that a thread answers (userfaultfd)")                 \
	PATTERN(SWAP, "swap", "write to memory that MADV_PAGEOUT put into swap")

#define PATTERN_ID(id, word, meaning) PATTERN_##id,
enum pattern_id { FAULT_PATTERNS(PATTERN_ID) PATTERN_COUNT };
#undef PATTERN_ID

/* The phases of a round, as laps of the worker. */
enum phase {
	PHASE_MAP,
	PHASE_TOUCH,
	PHASE_RELEASE,
	PHASE_OTHER, /* waiting for other workers, and what only prepares a phase */
};

/* What a worker counts: the faults of a toucher by phase, by the kernel's count; what a helper did meanwhile. */
enum {
	COUNT_MAP_FAULTS,
	COUNT_TOUCH_MINOR,
	COUNT_TOUCH_MAJOR,
	COUNT_SERVED, /* pages given by a server (faultserver.h) */
	COUNT_WRITER_ROUNDS,
	COUNT_WRITER_FAULTS,
};

/* Faults that the touches should take. */
enum fault_relation {
	FAULT_EACH,      /* one a page, minor */
	FAULT_EACH_HUGE, /* one a huge page */
	FAULT_AROUND,    /* at most one a page: the kernel maps others along with it */
	FAULT_IN_MAP,    /* none: one a page in the map phase */
	FAULT_MAJOR,     /* one a page, major */
	FAULT_SERVED,    /* one a page; of which kind depends on the kernel */
	FAULT_SWAPPED,   /* one a page; a major one reads its neighbours into the swap cache, whose are minor */
};

/* Transparent huge pages. */
enum thp_setting {
	THP_PATTERN, /* none, but for the pattern thp */
	THP_DEFAULT, /* as the machine is set */
	THP_ALWAYS,  /* by madvise */
	THP_NEVER,   /* switched off in the workers */
};

/* What follows from the options of a run. */
struct fault_plan {
	const struct fault_pattern *pattern;
	const char *name; /* of the pattern */
	struct page_order order;
	struct scratch place; /* of file patterns */
	enum thp_setting thp;
	size_t page_size, huge_size; /* huge_size: what a fault gives in patterns of huge pages; otherwise 0 */
	int server;                  /* of a process with a served pattern: its userfaultfd */
	uint64_t workers, bytes;     /* those that touch, and the bytes of each */
	unsigned threads;            /* of a process that touch */
	bool carved;                 /* they have one region */
	uint64_t regions, largest;   /* in a process; bytes of each */
	uint64_t rounds;             /* 0: as many as there is time for */
	uint64_t seed;
	uint64_t writer;     /* rounds a second; 0: there is none */
	uint64_t thp_before; /* thp_fault_alloc of the machine when the run began */
};

/* Memory that is mapped at once: of one worker, or of all in a process. */
struct region {
	const struct fault_plan *plan;
	char *base;
	size_t bytes;
	int fd;             /* the file of file patterns */
	int child, ends[2]; /* cow patterns: the forked child and the pipe whose closing is the message */
};

/* A worker, its part of a region, and the order in which it touches it. */
struct faulter {
	struct worker *worker;
	struct region *region;
	struct page_walk walk;
};

struct fault_pattern {
	enum fault_relation relation;
	unsigned copies;   /* memory that it takes, in multiples of what is touched */
	int flags;         /* of its mmap */
	bool file, served; /* it is of files; a thread answers its faults */
	bool forks;        /* a round begins with a fork of the process */
	bool child_only;   /* the child touches: it has one thread */
	bool one_region;   /* a process has one, for all of its threads */
	bool downwards;    /* "seq" is from high addresses to low ones */
	bool advisable;    /* its pages may be huge ones by madvise */

	/* Each may be NULL: nothing to do. */
	size_t (*huge_bytes)(void);                                    /* in check: see fault_plan.huge_size */
	void (*check)(struct run *run, const struct fault_plan *plan); /* in check: skips, and declares needs */
	void (*prepare)(struct region *region);                        /* before the gate */
	void (*renew)(struct region *region);                          /* untimed, before each map */
	void (*map)(struct faulter *faulter);                          /* timed */
	void (*arm)(const struct page_walk *walk);                     /* untimed, between map and touch */
	void (*touch)(const struct page_walk *walk);                   /* timed */
	void (*release)(struct faulter *faulter);                      /* timed */
	bool releases_in_map; /* there is a release phase, a part of what map does */
};

const struct fault_pattern *fault_pattern(unsigned id);
extern const char *const fault_pattern_names[]; /* NULL-terminated, for OPT_CHOICE */

#endif
