// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ways in which touching a page makes the kernel work, as data: how the memory comes to be, how it is touched, how
 * it goes, and how many faults that should take.
 */
#ifndef KBENCH_FAULTPATTERNS_H
#define KBENCH_FAULTPATTERNS_H

#include "pagewalk.h"
#include "workers.h"

/* Every pattern: its word and what a touch is. */
#define FAULT_PATTERNS(PATTERN)                                                            \
	PATTERN(ANON, "anon", "first write to private memory")                             \
	PATTERN(ANON_READ, "anon-read", "first read of private memory (zero page)")        \
	PATTERN(UPGRADE, "upgrade", "write to private memory that was only read")          \
	PATTERN(SHMEM, "shmem", "first write to shared memory")                            \
	PATTERN(FILE_SHARED, "file-shared", "write to a cached file mapped shared")        \
	PATTERN(FILE_PRIVATE, "file-private", "write to a cached file mapped private")     \
	PATTERN(FILE_READ, "file-read", "read of a cached file (fault-around)")            \
	PATTERN(COW_CHILD, "cow-child", "write by a forked child")                         \
	PATTERN(COW_PARENT, "cow-parent", "write by a parent while its child lives")       \
	PATTERN(DONTNEED, "dontneed", "write after MADV_DONTNEED in a mapping that stays") \
	PATTERN(POPULATE, "populate", "faults inside mmap (MAP_POPULATE)")                 \
	PATTERN(THP, "thp", "first write to MADV_HUGEPAGE memory")

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

/* What a worker counts: faults by phase, by the kernel's count. */
enum { COUNT_MAP_FAULTS, COUNT_TOUCH_MINOR, COUNT_TOUCH_MAJOR };

/* Faults that the touches should take. */
enum fault_relation {
	FAULT_EACH,      /* one a page */
	FAULT_EACH_HUGE, /* one a huge page */
	FAULT_AROUND,    /* at most one a page: the kernel maps others along with it */
	FAULT_IN_MAP,    /* none: one a page in the map phase */
};

/* Memory that is mapped at once: of one worker, or of all in a process. */
struct region {
	char *base;
	size_t bytes;
	int fd;             /* the file of file patterns */
	int child, ends[2]; /* cow patterns: the forked child and the pipe whose closing is the message */
};

/* A worker, its part of a region, and the order in which it touches it. */
struct faulter {
	struct worker *worker;
	const struct fault_pattern *pattern;
	struct region *region;
	struct page_walk walk;
};

struct fault_pattern {
	enum fault_relation relation;
	unsigned copies;            /* memory that it takes, in multiples of what is touched */
	int flags;                  /* of its mmap */
	bool huge, file, zero_page; /* what it is about */
	bool forks;                 /* a round begins with a fork of the process */
	bool child_only;            /* the child touches: it has one thread */

	/* Each may be NULL: nothing to do. */
	void (*prepare)(struct region *region);      /* before the gate */
	void (*map)(struct faulter *faulter);        /* timed */
	void (*arm)(const struct page_walk *walk);   /* untimed, between map and touch */
	void (*touch)(const struct page_walk *walk); /* timed */
	void (*release)(struct faulter *faulter);    /* timed */
};

const struct fault_pattern *fault_pattern(unsigned id);
extern const char *const fault_pattern_names[]; /* NULL-terminated, for OPT_CHOICE */

/*
 * Does the kernel answer a first read with the zero page? Some do not: s390 under KVM with storage keys, x86 as a PVM
 * guest.
 */
bool zero_page_given(void);

/* Bytes of a huge page, or 0: the kernel gives none to those who ask by madvise. */
size_t huge_page_bytes(void);

/*
 * Reserves an address range for a region and keeps its neighbours out of reach: adjacent mappings of the same kind
 * would become one, and two workers share what each should have for itself. Aligned to page_bytes, which may be those of
 * a huge page. Prepares the pattern in it.
 */
void region_init(struct region *region, const struct fault_pattern *pattern, size_t bytes, size_t page_bytes);

/*
 * The three phases of a round; time and faults go to the worker's laps and counts. Map and release are for the whole
 * region, touch is for the worker's part of it.
 */
void faulter_map(struct faulter *faulter);
void faulter_touch(struct faulter *faulter);
void faulter_release(struct faulter *faulter);

#endif
