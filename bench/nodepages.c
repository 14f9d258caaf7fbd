// SPDX-License-Identifier: GPL-2.0-only
#include "nodepages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "die.h"
#include "numa.h"
#include "wrap.h"

static const char *online_nodes(const struct topology *topology, char text[NODEPAGES_TEXT])
{
	struct cpus online;

	cpus_clear(&online);
	for (size_t i = 0; i < topology->node_count; i++)
		cpus_add(&online, topology->nodes[i].id);
	return cpus_format(&online, text, NODEPAGES_TEXT);
}

/* The kernel itself is asked, with a page: it knows which nodes have memory and what the cpuset allows. */
static void check_memory(unsigned id)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *probe = xmmap(page, false);
	char text[NODEPAGES_TEXT];
	struct cpus node, allowed;

	cpus_clear(&node);
	cpus_add(&node, id);
	if (numa_bind(probe, page, &node, false) < 0) {
		if (errno != EINVAL)
			die_errno("binding memory to node %u", id);
		if (!numa_allowed(&allowed))
			die("node %u: no memory can be bound to it", id);
		die("node %u: no memory can be bound to it; this process may use the memory of nodes %s", id,
			cpus_format(&allowed, text, sizeof(text)));
	}
	xmunmap(probe, page);
}

void nodepages_online(const char *option, const struct cpus *nodes, const struct topology *topology)
{
	char text[NODEPAGES_TEXT];

	for (int id = cpus_next(nodes, 0); id >= 0; id = cpus_next(nodes, (unsigned)id + 1))
		if (topology_node_index(topology, (unsigned)id) < 0)
			usage("option %s: node %d is not among the online nodes %s", option, id,
				online_nodes(topology, text));
}

void nodepages_check(const struct cpus *nodes)
{
	if (cpus_count(nodes) > 0 && numa_probe() < 0)
		skip("memory cannot be bound to nodes here: %s", strerror(errno));
	for (int id = cpus_next(nodes, 0); id >= 0; id = cpus_next(nodes, (unsigned)id + 1))
		check_memory((unsigned)id);
}

void nodepages_advise(int64_t advice, void *memory, size_t bytes)
{
	if (advice == 0 || madvise(memory, bytes, advice > 0 ? MADV_HUGEPAGE : MADV_NOHUGEPAGE) == 0)
		return;
	if (errno != EINVAL)
		die_errno("madvise");
	if (advice > 0)
		skip("this kernel has no transparent huge pages");
}

void nodepages_bind(void *memory, size_t bytes, const struct cpus *nodes)
{
	char text[NODEPAGES_TEXT];

	if (numa_bind(memory, bytes, nodes, false) < 0)
		die_errno("binding %zu bytes to node %s", bytes, cpus_format(nodes, text, sizeof(text)));
}

/*
 * Some kernels, such as 6.1, answer for a page that automatic balancing has marked as for one that is absent. A change of
 * protection takes the marks away, where a touch might move the page.
 */
static int locate(const void *memory, size_t bytes, uint64_t *counts, size_t id_count)
{
	size_t into = (uintptr_t)memory % (uintptr_t)sysconf(_SC_PAGESIZE);
	void *first = (void *)((uintptr_t)memory - into);
	uint64_t absent = 0;

	if (numa_locate(memory, bytes, counts, id_count, &absent) < 0)
		return -1;
	if (absent == 0)
		return 0;
	if (mprotect(first, into + bytes, PROT_READ) < 0 || mprotect(first, into + bytes, PROT_READ | PROT_WRITE) < 0)
		return -1;
	memset(counts, 0, id_count * sizeof(*counts));
	return numa_locate(memory, bytes, counts, id_count, &absent);
}

void nodepages_verify(
	const char *what, const void *memory, size_t bytes, const struct cpus *nodes, uint64_t *pages, size_t id_count)
{
	uint64_t *found = xcalloc(id_count, sizeof(*found)), elsewhere = 0;
	char asked[NODEPAGES_TEXT], text[NODEPAGES_TEXT];

	if (locate(memory, bytes, found, id_count) < 0) {
		if (nodes)
			die_errno("asking where the %s is", what);
		memset(found, 0, id_count * sizeof(*found));
	}
	for (size_t id = 0; id < id_count; id++) {
		pages[id] += found[id];
		if (nodes && !cpus_has(nodes, (unsigned)id))
			elsewhere += found[id];
	}
	if (elsewhere)
		die("%" PRIu64 " pages of the %s are not on node %s, to which it was bound: %s", elsewhere, what,
			cpus_format(nodes, asked, sizeof(asked)), nodepages_format(found, id_count, text));
	free(found);
}

const char *nodepages_format(const uint64_t *pages, size_t id_count, char text[NODEPAGES_TEXT])
{
	size_t used = 0;

	strcpy(text, "none");
	for (size_t id = 0; id < id_count; id++) {
		char part[64];
		size_t length;

		if (!pages[id])
			continue;
		length = (size_t)snprintf(
			part, sizeof(part), "%s%" PRIu64 " on node %zu", used ? ", " : "", pages[id], id);
		if (used + length + sizeof(", ...") > NODEPAGES_TEXT) {
			strcpy(text + used, ", ...");
			break;
		}
		strcpy(text + used, part);
		used += length;
	}
	return text;
}

uint64_t nodepages_huge(const char *key)
{
	char *text = read_file("/proc/self/smaps_rollup");
	const char *line = text ? strstr(text, key) : NULL;
	uint64_t kilobytes = line ? strtoull(line + strlen(key), NULL, 10) : 0;

	free(text);
	return kilobytes * 1024;
}
