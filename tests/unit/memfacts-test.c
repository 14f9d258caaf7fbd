// SPDX-License-Identifier: GPL-2.0-only
#include "bench/memfacts.h"

#include "test.h"

#define THP "sys/kernel/mm/transparent_hugepage/"

static void meminfo(void)
{
	const char *root = test_folder();

	test_file(root, "proc/meminfo",
		"MemTotal:       24683548 kB\nSwapCached:            7 kB\nSwapTotal:         65532 kB\n"
		"Hugepagesize:       2048 kB\n");
	CHECK_UINT(memfacts_bytes(root, "MemTotal"), (uint64_t)24683548 * 1024);
	CHECK_UINT(memfacts_bytes(root, "SwapTotal"), 65532 * 1024);
	CHECK_UINT(memfacts_bytes(root, "Hugepagesize"), 2 << 20);
	CHECK_UINT(memfacts_bytes(root, "Swap"), 0);
	CHECK_UINT(memfacts_bytes(root, "Total"), 0);
	CHECK_UINT(memfacts_bytes(root, "SwapFree"), 0);
}

static void vmstat(void)
{
	const char *root = test_folder();

	test_file(root, "proc/vmstat", "nr_free_pages 6114583\nthp_fault_alloc 7145\nthp_fault_alloc_more 3\nlast 5");
	CHECK_UINT(memfacts_count(root, "thp_fault_alloc"), 7145);
	CHECK_UINT(memfacts_count(root, "nr_free_pages"), 6114583);
	CHECK_UINT(memfacts_count(root, "last"), 5);
	CHECK_UINT(memfacts_count(root, "thp_fault"), 0);
}

static void nothing_there(void)
{
	const char *root = test_folder();

	CHECK_UINT(memfacts_bytes(root, "SwapFree"), 0);
	CHECK_UINT(memfacts_count(root, "thp_fault_alloc"), 0);
	CHECK_UINT(memfacts_thp(root), 0);
}

/* The settings of all sizes and of this one (NULL: an older kernel has none), and whether those who ask get pages. */
static const struct {
	const char *all, *own;
	bool given;
} settings[] = {
	{ "[always] madvise never\n", NULL, true },
	{ "always [madvise] never\n", NULL, true },
	{ "always madvise [never]\n", NULL, false },
	{ "always [madvise] never\n", "always [inherit] madvise never\n", true },
	{ "always madvise [never]\n", "always [inherit] madvise never\n", false },
	{ "always madvise [never]\n", "always inherit [madvise] never\n", true },
	{ "[always] madvise never\n", "always inherit madvise [never]\n", false },
};

static void huge_pages(void)
{
	const char *root = test_folder();

	test_file(root, THP "hpage_pmd_size", "2097152\n");
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++) {
		test_file(root, THP "enabled", settings[i].all);
		if (settings[i].own)
			test_file(root, THP "hugepages-2048kB/enabled", settings[i].own);
		CHECK_UINT(memfacts_thp(root), settings[i].given ? 2097152 : 0);
	}
}

static const struct test tests[] = {
	{ "a line of meminfo is found by its whole key and read in bytes", meminfo },
	{ "a counter of vmstat is found by its whole key", vmstat },
	{ "what is not there is 0", nothing_there },
	{ "the setting of a huge page's size goes before that of all sizes", huge_pages },
};

TEST_MAIN(tests)
