// SPDX-License-Identifier: GPL-2.0-only
#include "nodematrix.h"

#include <stdlib.h>

#include "nodepages.h"
#include "numa.h"
#include "stats.h"

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

static void say_left_out(struct run *run, const struct cpus *nodes, const char *what)
{
	char list[NODEPAGES_TEXT];

	if (cpus_count(nodes) > 0)
		run_remark(run, "left out: nodes %s, which have no %s that may be used",
			cpus_format(nodes, list, sizeof(list)), what);
}

void nodematrix_report(
	const struct nodematrix *matrix, struct run *run, const char *unit, enum better better, const double *values)
{
	size_t count = matrix->row_count * matrix->column_count;
	double *cells = xcalloc(count, sizeof(*cells)), rounds[NODEMATRIX_ROUNDS];

	say_left_out(run, &matrix->no_row, "CPU");
	say_left_out(run, &matrix->no_column, "memory");
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
