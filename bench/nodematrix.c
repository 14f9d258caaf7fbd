// SPDX-License-Identifier: GPL-2.0-only
#include "nodematrix.h"

#include <math.h>
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
static void parse_nodes(const struct topology *topology, const char *option, const char *text, struct cpus *nodes)
{
	online_nodes(topology, nodes);
	if (!*text)
		return;
	if (!cpus_parse(text, nodes) || cpus_count(nodes) == 0)
		usage("option %s: '%s' is not a list of nodes such as 0,2 or 0-3", option, text);
	nodepages_online(option, nodes, topology);
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

/* Can the node be one whose memory is used? One that was asked for by the option must. */
static bool has_memory(const struct topology *topology, const struct topology_node *node, const struct cpus *allowed,
	const char *option, bool asked)
{
	bool memory = node->memory_bytes || !memory_is_known(topology);
	char list[NODEPAGES_TEXT];

	if (memory && (!allowed || cpus_has(allowed, node->id)))
		return true;
	if (asked && !memory)
		die("option %s: node %u has no memory", option, node->id);
	if (asked)
		die("option %s: node %u: this process may use the memory of nodes %s only", option, node->id,
			cpus_format(allowed, list, sizeof(list)));
	return false;
}

static void add_column(struct nodematrix *matrix, const struct topology *topology, size_t index,
	const struct cpus *allowed, bool asked)
{
	const struct topology_node *node = &topology->nodes[index];

	if (has_memory(topology, node, allowed, matrix->moves ? "--to" : "-M", asked))
		matrix->columns[matrix->column_count++] = node->id;
	else
		cpus_add(&matrix->no_column, node->id);
}

static struct nodematrix matrix_empty(const struct topology *topology, bool moves)
{
	return (struct nodematrix){
		.moves = moves,
		.rows = xcalloc(topology->node_count, sizeof(struct nodematrix_row)),
		.columns = xcalloc(topology->node_count, sizeof(unsigned)),
	};
}

static void check_cells(const struct nodematrix *matrix, const char *options)
{
	if (matrix->row_count * matrix->column_count > RESULT_CELLS)
		usage("%zu x %zu nodes are more than the %d cells that a result holds: take fewer with %s",
			matrix->row_count, matrix->column_count, RESULT_CELLS, options);
}

struct nodematrix nodematrix_new(const struct topology *topology, const struct cpus *cpus, const struct cpus *nodes,
	const char *cpu_nodes, const char *memory_nodes)
{
	struct nodematrix matrix = matrix_empty(topology, false);
	struct cpus rows, columns;

	parse_nodes(topology, "-C", cpu_nodes, &rows);
	parse_nodes(topology, "-M", memory_nodes, &columns);
	for (size_t i = 0; i < topology->node_count; i++) {
		if (cpus_has(&rows, topology->nodes[i].id))
			add_row(&matrix, &topology->nodes[i], cpus, *cpu_nodes);
		if (cpus_has(&columns, topology->nodes[i].id))
			add_column(&matrix, topology, i, nodes, *memory_nodes);
	}
	if (!matrix.row_count || !matrix.column_count)
		die("there is no online node with %s that may be used", matrix.row_count ? "memory" : "CPUs");
	check_cells(&matrix, "-C and -M");
	return matrix;
}

static void add_source(struct nodematrix *matrix, const struct topology *topology, size_t index,
	const struct cpus *cpus, const struct cpus *nodes, bool asked)
{
	const struct topology_node *node = &topology->nodes[index];
	struct nodematrix_row *row = &matrix->rows[matrix->row_count];

	if (!has_memory(topology, node, nodes, "--from", asked)) {
		cpus_add(&matrix->no_column, node->id);
		return;
	}
	row->node = node->id;
	row->cpus = node->cpus;
	cpus_and(&row->cpus, cpus);
	if (cpus_count(&row->cpus) == 0)
		row->cpus = *cpus;
	matrix->row_count++;
}

/* Nodes that may be used by their memory; *id: the last one. */
static size_t count_memory_nodes(const struct topology *topology, const struct cpus *nodes, unsigned *id)
{
	size_t count = 0;

	for (size_t i = 0; i < topology->node_count; i++)
		if (has_memory(topology, &topology->nodes[i], nodes, "", false)) {
			*id = topology->nodes[i].id;
			count++;
		}
	return count;
}

static void check_moves(const struct nodematrix *matrix, const struct topology *topology, const struct cpus *nodes)
{
	unsigned id;
	size_t count = count_memory_nodes(topology, nodes, &id);

	if (count == 0)
		die("there is no online node with memory that may be used");
	if (count == 1)
		skip("there is one node with memory that may be used, %u: memory cannot be moved to another", id);
	for (size_t row = 0; row < matrix->row_count; row++)
		for (size_t column = 0; column < matrix->column_count; column++)
			if (nodematrix_is_move(matrix, row, column))
				return;
	usage("options --from and --to: both are node %u, and no memory moves", matrix->rows[0].node);
}

struct nodematrix nodematrix_moves(const struct topology *topology, const struct cpus *cpus, const struct cpus *nodes,
	const char *from, const char *to)
{
	struct nodematrix matrix = matrix_empty(topology, true);
	struct cpus rows, columns;

	parse_nodes(topology, "--from", from, &rows);
	parse_nodes(topology, "--to", to, &columns);
	for (size_t i = 0; i < topology->node_count; i++) {
		if (cpus_has(&rows, topology->nodes[i].id))
			add_source(&matrix, topology, i, cpus, nodes, *from);
		if (cpus_has(&columns, topology->nodes[i].id))
			add_column(&matrix, topology, i, nodes, *to);
	}
	check_moves(&matrix, topology, nodes);
	check_cells(&matrix, "--from and --to");
	return matrix;
}

bool nodematrix_is_move(const struct nodematrix *matrix, size_t row, size_t column)
{
	return matrix->rows[row].node != matrix->columns[column];
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

struct nodematrix nodematrix_moves_of(struct run *run, const char *from, const char *to)
{
	struct cpus nodes;

	return nodematrix_moves(run_topology(run), &run->allowed, numa_allowed(&nodes) ? &nodes : NULL, from, to);
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
		die_or_skip("moving to CPU %u of node %u", cpu, matrix->rows[row].node);
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
		run_remark(run, "left out: node%s %s, which ha%s no %s that may be used",
			cpus_count(nodes) > 1 ? "s" : "", cpus_format(nodes, list, sizeof(list)),
			cpus_count(nodes) > 1 ? "ve" : "s", what);
}

static double mean_of_finite(const double *cells, size_t count)
{
	double *finite = xcalloc(count, sizeof(*finite)), mean;
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (isfinite(cells[i]))
			finite[n++] = cells[i];
	mean = stats_of(finite, n).mean;
	free(finite);
	return mean;
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
	run_matrix(run, matrix->moves ? "from node" : "CPU node", matrix->moves ? "to node" : "memory node");
	run_metric(run, unit, mean_of_finite(cells, count), better);
	for (size_t i = 0; i < count; i++)
		run_metric_cell(run, unit, matrix->rows[i / matrix->column_count].node,
			matrix->columns[i % matrix->column_count], cells[i], better);
	free(cells);
}
