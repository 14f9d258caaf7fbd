// SPDX-License-Identifier: GPL-2.0-only
#include "pagemoves.h"

#include <errno.h>

const char *const page_fate_words[PAGE_FATES] = {
	[PAGE_MOVED] = "moved",
	[PAGE_BUSY] = "busy",
	[PAGE_NO_MEMORY] = "no-memory",
	[PAGE_ABSENT] = "absent",
	[PAGE_UNTRIED] = "untried",
	[PAGE_OTHER] = "other",
};

/* Of a page that is not where it should be. */
static enum page_fate fate_of(int status)
{
	switch (status) {
	case -EBUSY:
		return PAGE_BUSY;
	case -ENOMEM:
		return PAGE_NO_MEMORY;
	case -ENOENT:
	case -EFAULT:
		return PAGE_ABSENT;
	case PAGEMOVES_UNTRIED:
		return PAGE_UNTRIED;
	default:
		return PAGE_OTHER;
	}
}

bool pagemoves_count(
	struct pagemoves *moves, const int *status, const int *where, size_t count, unsigned node, size_t *wrong)
{
	for (size_t i = 0; i < count; i++) {
		enum page_fate fate = where[i] == (int)node ? PAGE_MOVED : fate_of(status[i]);

		*wrong = i;
		if (fate != PAGE_MOVED && status[i] == (int)node)
			return false;
		moves->pages[fate]++;
		if (fate == PAGE_OTHER && status[i] < 0)
			moves->error = -status[i];
	}
	return true;
}

void pagemoves_add(struct pagemoves *sum, const struct pagemoves *part)
{
	for (int fate = 0; fate < PAGE_FATES; fate++)
		sum->pages[fate] += part->pages[fate];
	if (part->error)
		sum->error = part->error;
}
