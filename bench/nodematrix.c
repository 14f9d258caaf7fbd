// SPDX-License-Identifier: GPL-2.0-only
#include "nodematrix.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nodepages.h"
#include "numa.h"
#include "stats.h"
#include "sysfile.h"
#include "units.h"

#define MB 1048576

/* Where sysfs does not tell. */
#define UNKNOWN_CACHE ((uint64_t)32 * MB)
#define CACHE_TIMES   4 /* of a random chain four times as large as a cache, hardly a line is found in it */
#define LEAST_BYTES   ((uint64_t)64 * MB)

static void online_nodes(const struct topology *topology, struct cpus *online)
{
	cpus_clear(online);
	for (size_t i = 0; i < topology->node_count; i++)
		cpus_add(online, topology->nodes[i].id);
}

/* Every online node where the text is empty. */
static void parse_nodes(const struct topology *topology, char letter, const char *text, struct cpus *nodes)
{
	struct cpus online;
	char list[NODEPAGES_TEXT];

	online_nodes(topology, &online);
	*nodes = online;
	if (!*text)
		return;
	if (!cpus_parse(text, nodes) || cpus_count(nodes) == 0)
		usage("option -%c: '%s' is not a list of nodes such as 0,2 or 0-3", letter, text);
	for (int id = cpus_next(nodes, 0); id >= 0; id = cpus_next(nodes, (unsigned)id + 1))
		if (!cpus_has(&online, (unsigned)id))
			usage("option -%c: node %d is not among the online nodes %s", letter, id,
				cpus_format(&online, list, sizeof(list)));
}

static void add_row(struct nodematrix *matrix, const struct topology_node *node, const struct cpus *allowed, bool asked)
{
	struct nodematrix_row *row = &matrix->rows[matrix->row_count];
	char list[NODEPAGES_TEXT];

	row->node = node->id;
	row->cpus = node->cpus;
	cpus_and(&row->cpus, allowed);
	if (cpus_count(&row->cpus) > 0) {
		matrix->row_count++;
		return;
	}
	if (asked && cpus_count(&node->cpus) == 0)
		die("option -C: node %u has no CPU", node->id);
	if (asked)
		die("option -C: node %u: this run may use none of its CPUs %s", node->id,
			cpus_format(&node->cpus, list, sizeof(list)));
	cpus_add(&matrix->no_row, node->id);
}

/* Where the kernel hides how much memory nodes have, each is taken to have some. */
static bool memory_is_known(const struct topology *topology)
{
	for (size_t i = 0; i < topology->node_count; i++)
		if (topology->nodes[i].memory_bytes)
			return true;
	return false;
}

static void add_column(struct nodematrix *matrix, const struct topology *topology, size_t index,
	const struct cpus *allowed, bool asked)
{
	const struct topology_node *node = &topology->nodes[index];
	bool memory = node->memory_bytes || !memory_is_known(topology);
	char list[NODEPAGES_TEXT];

	if (memory && (!allowed || cpus_has(allowed, node->id))) {
		matrix->columns[matrix->column_count++] = node->id;
		return;
	}
	if (asked && !memory)
		die("option -M: node %u has no memory", node->id);
	if (asked)
		die("option -M: node %u: this process may use the memory of nodes %s only", node->id,
			cpus_format(allowed, list, sizeof(list)));
	cpus_add(&matrix->no_column, node->id);
}

struct nodematrix nodematrix_new(const struct topology *topology, const struct cpus *cpus, const struct cpus *nodes,
	const char *cpu_nodes, const char *memory_nodes)
{
	struct nodematrix matrix = {
		.rows = xcalloc(topology->node_count, sizeof(*matrix.rows)),
		.columns = xcalloc(topology->node_count, sizeof(*matrix.columns)),
	};
	struct cpus rows, columns;

	parse_nodes(topology, 'C', cpu_nodes, &rows);
	parse_nodes(topology, 'M', memory_nodes, &columns);
	for (size_t i = 0; i < topology->node_count; i++) {
		if (cpus_has(&rows, topology->nodes[i].id))
			add_row(&matrix, &topology->nodes[i], cpus, *cpu_nodes);
		if (cpus_has(&columns, topology->nodes[i].id))
			add_column(&matrix, topology, i, nodes, *memory_nodes);
	}
	if (!matrix.row_count || !matrix.column_count)
		die("there is no online node with %s that may be used", matrix.row_count ? "memory" : "CPUs");
	if (matrix.row_count * matrix.column_count > RESULT_CELLS)
		usage("%zu x %zu nodes are more than the %d cells that a result holds: take fewer with -C and -M",
			matrix.row_count, matrix.column_count, RESULT_CELLS);
	return matrix;
}

void nodematrix_release(struct nodematrix *matrix)
{
	free(matrix->rows);
	free(matrix->columns);
}

struct nodematrix nodematrix_of(struct run *run, const char *cpu_nodes, const char *memory_nodes)
{
	struct cpus nodes;

	return nodematrix_new(
		run_topology(run), &run->allowed, numa_allowed(&nodes) ? &nodes : NULL, cpu_nodes, memory_nodes);
}

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

uint64_t nodematrix_cache(const struct nodematrix *matrix, const struct topology *topology, bool all_cpus)
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

uint64_t nodematrix_bytes(
	const struct nodematrix *matrix, const struct topology *topology, uint64_t asked, uint64_t cache)
{
	uint64_t bytes = asked ? asked : CACHE_TIMES * (cache ? cache : UNKNOWN_CACHE),
		 page = (uint64_t)sysconf(_SC_PAGESIZE);

	if (!asked && bytes < LEAST_BYTES)
		bytes = LEAST_BYTES;
	for (size_t i = 0; i < matrix->column_count && !asked; i++) {
		uint64_t room = node_of(topology, matrix->columns[i])->free_bytes / 2;

		if (room && room < bytes)
			bytes = room;
	}
	return (bytes + page - 1) / page * page;
}

void nodematrix_declare(const struct nodematrix *matrix, struct run *run, uint64_t bytes)
{
	struct cpus nodes;

	cpus_clear(&nodes);
	for (size_t i = 0; i < matrix->column_count; i++)
		cpus_add(&nodes, matrix->columns[i]);
	nodepages_check(&nodes, run->topology);
	for (size_t i = 0; i < matrix->column_count; i++) {
		const struct topology_node *node = node_of(run->topology, matrix->columns[i]);

		if (node->memory_bytes && bytes > node->free_bytes)
			die("needs %" PRIu64 " MB on node %u, which has %" PRIu64 " MB free: too little", bytes / MB,
				node->id, node->free_bytes / MB);
	}
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

void nodematrix_need_huge(void)
{
	static const char file[] = "/kernel/mm/transparent_hugepage/enabled";
	char *state = sysfile_marked("/sys", file);

	if (!state || strcmp(state, "never") == 0)
		skip("transparent huge pages: %s",
			state ? "turned off in /sys/kernel/mm/transparent_hugepage/enabled" : "this kernel has none");
	free(state);
}

char *nodematrix_memory(const struct nodematrix *matrix, size_t column, uint64_t bytes, bool huge)
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

void nodematrix_verify(const struct nodematrix *matrix, size_t column, const void *memory, uint64_t bytes)
{
	uint64_t *pages = xcalloc(CPUS_MAX, sizeof(*pages));
	struct cpus node = column_set(matrix, column);

	nodepages_verify("memory", memory, (size_t)bytes, &node, pages, CPUS_MAX);
	free(pages);
}

static unsigned cpu_of(const struct nodematrix *matrix, size_t row, unsigned number)
{
	const struct cpus *cpus = &matrix->rows[row].cpus;

	return cpus_nth(cpus, number % cpus_count(cpus));
}

void nodematrix_go(const struct nodematrix *matrix, size_t row, unsigned number)
{
	unsigned cpu = cpu_of(matrix, row, number);

	if (cpus_bind_one(cpu) < 0)
		die_errno("moving to CPU %u of node %u", cpu, matrix->rows[row].node);
	nodematrix_still(matrix, row, number);
}

void nodematrix_still(const struct nodematrix *matrix, size_t row, unsigned number)
{
	unsigned cpu = cpu_of(matrix, row, number), here = cpus_current();

	if (here != cpu)
		die("ran on CPU %u, but was bound to CPU %u of node %u", here, cpu, matrix->rows[row].node);
}

static void note_left_out(struct run *run, const struct cpus *nodes, const char *what)
{
	char list[NODEPAGES_TEXT];

	if (cpus_count(nodes) > 0)
		run_note(run, "left out: nodes %s, which have no %s that may be used",
			cpus_format(nodes, list, sizeof(list)), what);
}

void nodematrix_report(
	const struct nodematrix *matrix, struct run *run, const char *unit, enum better better, const double *values)
{
	size_t count = matrix->row_count * matrix->column_count;
	double *cells = xcalloc(count, sizeof(*cells)), rounds[NODEMATRIX_ROUNDS];

	note_left_out(run, &matrix->no_row, "CPU");
	note_left_out(run, &matrix->no_column, "memory");
	for (size_t i = 0; i < count; i++) {
		for (size_t round = 0; round < NODEMATRIX_ROUNDS; round++)
			rounds[round] = values[round * count + i];
		cells[i] = stats_of(rounds, NODEMATRIX_ROUNDS).median;
	}
	run_matrix(run, "CPU node", "memory node");
	run_metric(run, unit, stats_of(cells, count).mean, better);
	for (size_t i = 0; i < count; i++)
		run_metric_cell(run, unit, matrix->rows[i / matrix->column_count].node,
			matrix->columns[i % matrix->column_count], cells[i], better);
	free(cells);
}

void nodematrix_remark_cache(struct run *run, uint64_t bytes, uint64_t cache)
{
	char memory[UNITS_TEXT], held[UNITS_TEXT];

	if (bytes < 2 * cache)
		run_remark(run, "of the %s on each node a last-level cache of %s holds much",
			units_format_size(memory, bytes), units_format_size(held, cache));
}
