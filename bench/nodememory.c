// SPDX-License-Identifier: GPL-2.0-only
#include "nodememory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nodepages.h"
#include "sysfile.h"
#include "units.h"

#define MB 1048576

/* Where sysfs does not tell. */
#define UNKNOWN_CACHE ((uint64_t)32 * MB)
#define CACHE_TIMES   4 /* of a random chain four times as large as a cache, hardly a line is found in it */
#define LEAST_BYTES   ((uint64_t)64 * MB)

/* Of the caches that the CPUs share, each once. */
static uint64_t cache_of(const struct cpus *cpus, const struct topology *topology)
{
	struct cpus left = *cpus;
	uint64_t bytes = 0;

	for (int cpu = cpus_next(&left, 0); cpu >= 0; cpu = cpus_next(&left, (unsigned)cpu + 1)) {
		const struct topology_cpu *at = &topology->cpus[cpu];
		bool seen = false;

		for (int other = cpus_next(&at->llc, 0); other >= 0 && other < cpu && !seen;
			other = cpus_next(&at->llc, (unsigned)other + 1))
			seen = cpus_has(cpus, (unsigned)other);
		bytes += seen ? 0 : at->llc_bytes;
	}
	return bytes;
}

uint64_t nodememory_cache(const struct nodematrix *matrix, const struct topology *topology, bool all_cpus)
{
	uint64_t most = 0;

	for (size_t i = 0; i < matrix->row_count; i++) {
		const struct cpus *cpus = &matrix->rows[i].cpus;
		uint64_t bytes = all_cpus ? cache_of(cpus, topology) : topology->cpus[cpus_nth(cpus, 0)].llc_bytes;

		most = bytes > most ? bytes : most;
	}
	return most;
}

static const struct topology_node *node_of(const struct topology *topology, unsigned id)
{
	return &topology->nodes[topology_node_index(topology, id)];
}

uint64_t nodememory_bytes(
	const struct nodematrix *matrix, const struct topology *topology, uint64_t asked, uint64_t cache)
{
	uint64_t bytes = asked ? asked : CACHE_TIMES * (cache ? cache : UNKNOWN_CACHE),
		 page = (uint64_t)sysconf(_SC_PAGESIZE);

	if (!asked && bytes < LEAST_BYTES)
		bytes = LEAST_BYTES;
	for (size_t i = 0; i < matrix->column_count && !asked; i++) {
		uint64_t room = node_of(topology, matrix->columns[i])->available_bytes / 2;

		if (room && room < bytes)
			bytes = room;
	}
	return (bytes + page - 1) / page * page;
}

void nodememory_check(const struct cpus *nodes, const struct topology *topology, uint64_t bytes)
{
	if (bytes > PTRDIFF_MAX / 2)
		usage("option -s: %" PRIu64 " MB are more than a process can address", bytes / MB);
	nodepages_check(nodes);
	for (size_t i = 0; i < topology->node_count; i++) {
		const struct topology_node *node = &topology->nodes[i];

		if (cpus_has(nodes, node->id) && node->memory_bytes && bytes > node->available_bytes)
			die("needs %" PRIu64 " MB on node %u, which has %" PRIu64 " MB free: too little",
				(bytes + MB - 1) / MB, node->id, node->available_bytes / MB);
	}
}

void nodememory_declare(const struct nodematrix *matrix, struct run *run, uint64_t bytes)
{
	struct cpus nodes;

	cpus_clear(&nodes);
	for (size_t i = 0; i < matrix->column_count; i++)
		cpus_add(&nodes, matrix->columns[i]);
	nodememory_check(&nodes, run->topology, bytes);
	run_need(run, NEED_MEMORY, run_product("memory of nodes", matrix->column_count, bytes));
}

static struct cpus column_set(const struct nodematrix *matrix, size_t column)
{
	struct cpus set;

	cpus_clear(&set);
	cpus_add(&set, matrix->columns[column]);
	return set;
}

/* A multiple of it is where huge pages begin; the size of a page where there are none. */
static uint64_t huge_page(void)
{
	char *text = read_file("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size");
	uint64_t bytes;

	if (!text || !units_parse_count(text, &bytes) || !bytes)
		bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	free(text);
	return bytes;
}

void nodememory_need_huge(void)
{
	static const char file[] = "/kernel/mm/transparent_hugepage/enabled";
	char *state = sysfile_marked("/sys", file);

	if (!state || strcmp(state, "never") == 0)
		skip("transparent huge pages: %s",
			state ? "turned off in /sys/kernel/mm/transparent_hugepage/enabled" : "this kernel has none");
	free(state);
}

char *nodememory_new(const struct nodematrix *matrix, size_t column, uint64_t bytes, bool huge)
{
	uint64_t unit = huge ? huge_page() : 1;
	char *memory = xmmap((size_t)(bytes + unit - 1), false);
	struct cpus node = column_set(matrix, column);

	memory += (unit - (uintptr_t)memory % unit) % unit;
	nodepages_advise(huge ? 1 : -1, memory, (size_t)bytes);
	nodepages_bind(memory, (size_t)bytes, &node);
	memset(memory, 0, (size_t)bytes);
	return memory;
}

void nodememory_verify(const struct nodematrix *matrix, size_t column, const void *memory, uint64_t bytes)
{
	uint64_t *pages = xcalloc(CPUS_MAX, sizeof(*pages));
	struct cpus node = column_set(matrix, column);

	nodepages_verify("memory", memory, (size_t)bytes, &node, pages, CPUS_MAX);
	free(pages);
}

void nodememory_remark(struct run *run, uint64_t bytes, uint64_t cache)
{
	char memory[UNITS_TEXT], held[UNITS_TEXT];

	if (bytes < 2 * cache)
		run_remark(run, "of the %s on each node a last-level cache of %s holds much",
			units_format_size(memory, bytes), units_format_size(held, cache));
}
