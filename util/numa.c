// SPDX-License-Identifier: GPL-2.0-only
#include "numa.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "wrap.h"

#define MAXNODE (CPUS_MAX + 1UL)

int numa_bind(void *address, size_t bytes, const struct cpus *nodes, bool move)
{
	unsigned flags = move ? MPOL_MF_MOVE | MPOL_MF_STRICT : 0;

	return (int)syscall(SYS_mbind, address, bytes, MPOL_BIND, nodes->bits, MAXNODE, flags);
}

int numa_policy(int mode, const struct cpus *nodes)
{
	return (int)syscall(SYS_set_mempolicy, mode, nodes ? nodes->bits : NULL, nodes ? MAXNODE : 0UL);
}

/* Calls on an empty range and on no pages: they do nothing, but for meeting a filter or a kernel without them. */
int numa_probe(void)
{
	if (syscall(SYS_mbind, NULL, 0UL, MPOL_DEFAULT, NULL, 0UL, 0) < 0)
		return -1;
	return (int)syscall(SYS_move_pages, 0, 0UL, NULL, NULL, NULL, 0);
}

bool numa_allowed(struct cpus *nodes)
{
	static const char key[] = "\nMems_allowed_list:\t";
	char *status = read_file("/proc/self/status");
	char *list = status ? strstr(status, key) : NULL;
	bool known = false;

	if (list) {
		list += strlen(key);
		list[strcspn(list, "\n")] = '\0';
		known = cpus_parse(list, nodes);
	}
	free(status);
	return known;
}

/*
 * Kernels of 64 bits go on at the wrong place after 16 pointers of a process of 32 bits, and tell of other pages
 * (do_pages_stat).
 */
static int ask(unsigned long count, void **pages, int *status)
{
	unsigned long most = sizeof(void *) < 8 ? 16 : count;

	for (unsigned long i = 0, part; i < count; i += part) {
		part = count - i < most ? count - i : most;
		if (syscall(SYS_move_pages, 0, part, pages + i, NULL, status + i, 0) < 0)
			return -1;
	}
	return 0;
}

int numa_move(unsigned long count, void **pages, const int *nodes, int *status)
{
	if (!nodes)
		return ask(count, pages, status);
	return syscall(SYS_move_pages, 0, count, pages, nodes, status, MPOL_MF_MOVE) < 0 ? -1 : 0;
}

/* A page that was never touched is -EFAULT or -ENOENT, by the age of the kernel. */
static int count_page(int status, uint64_t *counts, size_t count_len, uint64_t *absent)
{
	if (status == -EFAULT || status == -ENOENT) {
		++*absent;
		return 0;
	}
	if (status < 0 || (size_t)status >= count_len) {
		errno = status < 0 ? -status : ERANGE;
		return -1;
	}
	counts[status]++;
	return 0;
}

int numa_locate(const void *address, size_t bytes, uint64_t *counts, size_t count_len, uint64_t *absent)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uintptr_t next = (uintptr_t)address & ~(page - 1), end = (uintptr_t)address + bytes;
	void *pages[512];
	int status[ARRAY_SIZE(pages)];

	if (bytes == 0)
		return 0;
	while (next < end) {
		unsigned long batch = 0;

		for (; next < end && batch < ARRAY_SIZE(pages); next += page)
			pages[batch++] = (void *)next;
		if (ask(batch, pages, status) < 0)
			return -1;
		for (unsigned long i = 0; i < batch; i++)
			if (count_page(status[i], counts, count_len, absent) < 0)
				return -1;
	}
	return 0;
}
