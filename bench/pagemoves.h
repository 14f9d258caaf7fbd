// SPDX-License-Identifier: GPL-2.0-only
/* What became of pages that the kernel was asked to move to another node. */
#ifndef KBENCH_PAGEMOVES_H
#define KBENCH_PAGEMOVES_H

#include "base.h"

#define PAGEMOVES_UNTRIED INT32_MIN /* a status that the kernel left alone */

enum page_fate {
	PAGE_MOVED,     /* it is on the node now */
	PAGE_BUSY,      /* somebody else held it */
	PAGE_NO_MEMORY, /* for the copy */
	PAGE_ABSENT,    /* there was no page */
	PAGE_UNTRIED,   /* the call ended before it came to the page */
	PAGE_OTHER,
	PAGE_FATES
};

extern const char *const page_fate_words[PAGE_FATES]; /* "moved", "busy" */

struct pagemoves {
	uint64_t pages[PAGE_FATES];
	int error; /* an errno of PAGE_OTHER */
};

/*
 * Counts the pages of a range: status[i] is what the kernel said of page i when it was asked to move it, the node or
 * -errno or PAGEMOVES_UNTRIED; where[i] is where the page was found afterwards, in the same words. A page is moved when
 * it is found on the node. False: the kernel said that it had moved a page which is elsewhere; *wrong is its index.
 */
bool pagemoves_count(
	struct pagemoves *moves, const int *status, const int *where, size_t count, unsigned node, size_t *wrong);

/* Adds one's counts to a sum. */
void pagemoves_add(struct pagemoves *sum, const struct pagemoves *part);

#endif
