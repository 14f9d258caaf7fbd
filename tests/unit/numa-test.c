// SPDX-License-Identifier: GPL-2.0-only
#include "numa.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test.h"
#include "wrap.h"

static void need_policies(void)
{
	if (numa_probe() < 0)
		test_skip(strerror(errno));
}

static struct cpus allowed_nodes(void)
{
	struct cpus nodes;

	if (!numa_allowed(&nodes))
		test_skip("no list of allowed nodes");
	return nodes;
}

/* Small pages, so that what was touched is what is there. */
static char *pages_new(size_t count, size_t page)
{
	char *memory = xmmap(count * page, false);

	madvise(memory, count * page, MADV_NOHUGEPAGE);
	return memory;
}

static void locate(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), count = 1500; /* more than one batch, the last not full */
	uint64_t counts[CPUS_MAX] = { 0 }, present = 0, absent = 0;
	struct cpus allowed = allowed_nodes();
	char *memory;

	need_policies();
	memory = pages_new(count, page);
	for (size_t i = 0; i < count; i += 3)
		memory[i * page] = 1;
	CHECK_INT(numa_locate(memory, count * page, counts, ARRAY_SIZE(counts), &absent), 0);
	for (unsigned id = 0; id < CPUS_MAX; id++) {
		present += counts[id];
		CHECK(counts[id] == 0 || cpus_has(&allowed, id));
	}
	CHECK_UINT(present, 500);
	CHECK_UINT(absent, 1000);
	xmunmap(memory, count * page);
}

static void partial_pages(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t counts[CPUS_MAX] = { 0 }, absent = 0;
	char *memory;

	need_policies();
	memory = pages_new(4, page);
	CHECK_INT(numa_locate(memory + page - 1, 2, counts, ARRAY_SIZE(counts), &absent), 0);
	CHECK_UINT(absent, 2);
	CHECK_INT(numa_locate(memory + 1, 0, counts, ARRAY_SIZE(counts), &absent), 0);
	CHECK_INT(numa_locate(memory + page, page, counts, ARRAY_SIZE(counts), &absent), 0);
	CHECK_UINT(absent, 3);
	xmunmap(memory, 4 * page);
}

static void no_room(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t absent = 0;
	char *memory;

	need_policies();
	memory = pages_new(1, page);
	*memory = 1;
	CHECK_INT(numa_locate(memory, page, NULL, 0, &absent), -1);
	CHECK_INT(errno, ERANGE);
	xmunmap(memory, page);
}

static void bind(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct cpus allowed = allowed_nodes(), one, none;
	uint64_t counts[CPUS_MAX] = { 0 }, absent = 0;
	unsigned node = cpus_nth(&allowed, cpus_count(&allowed) - 1);
	char *memory;

	need_policies();
	cpus_clear(&none);
	one = none;
	cpus_add(&one, node);
	memory = pages_new(8, page);
	memset(memory, 1, 4 * page);
	CHECK_INT(numa_bind(memory, 8 * page, &one, true), 0);
	memset(memory + 4 * page, 1, 4 * page);
	CHECK_INT(numa_locate(memory, 8 * page, counts, ARRAY_SIZE(counts), &absent), 0);
	CHECK_UINT(counts[node], 8);
	CHECK_INT(numa_bind(memory, 8 * page, &none, false), -1);
	CHECK_INT(errno, EINVAL);
	cpus_add(&none, CPUS_MAX - 1);
	CHECK_INT(numa_bind(memory, 8 * page, &none, false), -1);
	CHECK_INT(errno, EINVAL);
	xmunmap(memory, 8 * page);
}

static void policy(void)
{
	struct cpus allowed = allowed_nodes(), none;

	need_policies();
	cpus_clear(&none);
	CHECK_INT(numa_policy(MPOL_BIND, &allowed), 0);
	CHECK_INT(numa_policy(MPOL_INTERLEAVE, &allowed), 0);
	CHECK_INT(numa_policy(MPOL_DEFAULT, NULL), 0);
	CHECK_INT(numa_policy(MPOL_BIND, &none), -1);
	CHECK_INT(errno, EINVAL);
}

static const struct test tests[] = {
	{ "every page of a range is found on a node or absent", locate },
	{ "a range that begins or ends inside a page has that page", partial_pages },
	{ "a node that has no counter is an error, not a page lost", no_room },
	{ "bound memory lies on its node, and a node that is none is refused", bind },
	{ "the policy of a thread is set and taken back", policy },
};

TEST_MAIN(tests)
