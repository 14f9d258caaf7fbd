// SPDX-License-Identifier: GPL-2.0-only
#include "pagemoves.h"

#include <errno.h>

#include "test.h"

static void fates(void)
{
	static const struct {
		int status, where;
		enum page_fate fate;
	} cases[] = {
		{ 3, 3, PAGE_MOVED },
		{ PAGEMOVES_UNTRIED, 3, PAGE_MOVED },
		{ -EIO, 3, PAGE_MOVED }, /* mbind tells of a whole call */
		{ -EBUSY, 0, PAGE_BUSY },
		{ -ENOMEM, 0, PAGE_NO_MEMORY },
		{ -ENOENT, -ENOENT, PAGE_ABSENT },
		{ -EFAULT, -EFAULT, PAGE_ABSENT },
		{ PAGEMOVES_UNTRIED, 0, PAGE_UNTRIED },
		{ -EACCES, 0, PAGE_OTHER },
		{ 0, 0, PAGE_OTHER },
		{ 1, 0, PAGE_OTHER },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct pagemoves moves = { 0 };
		size_t wrong;

		CHECK(pagemoves_count(&moves, &cases[i].status, &cases[i].where, 1, 3, &wrong));
		for (int fate = 0; fate < PAGE_FATES; fate++)
			CHECK_UINT(moves.pages[fate], fate == (int)cases[i].fate);
		CHECK_INT(moves.error, cases[i].status == -EACCES ? EACCES : 0);
	}
}

static void contradiction(void)
{
	static const int status[] = { 3, -EBUSY, 3, 3 }, where[] = { 3, 0, 0, 3 };
	struct pagemoves moves = { 0 };
	size_t wrong;

	CHECK(!pagemoves_count(&moves, status, where, 4, 3, &wrong));
	CHECK_UINT(wrong, 2);
}

static void sums(void)
{
	struct pagemoves sum = { .pages = { 1, 2 }, .error = EPERM }, part = { .pages = { 10, 0, 5 } };

	pagemoves_add(&sum, &part);
	CHECK_UINT(sum.pages[PAGE_MOVED], 11);
	CHECK_UINT(sum.pages[PAGE_BUSY], 2);
	CHECK_UINT(sum.pages[PAGE_NO_MEMORY], 5);
	CHECK_INT(sum.error, EPERM);
	part.error = EIO;
	pagemoves_add(&sum, &part);
	CHECK_INT(sum.error, EIO);
}

static const struct test tests[] = {
	{ "a page is moved when it is found on the node, and otherwise what the kernel said of it", fates },
	{ "a page that is said to have moved and has not is told of", contradiction },
	{ "counts add up", sums },
};

TEST_MAIN(tests)
