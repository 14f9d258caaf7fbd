// SPDX-License-Identifier: GPL-2.0-only
/* Which nodes a matrix has and how much memory, on machines that are told of in files. */
#include "nodematrix.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nodememory.h"
#include "test.h"

#define MB UINT64_C(1048576)

/* A node as files tell of it; cpus NULL ends a machine. */
struct node {
	unsigned id;
	const char *cpus, *distances;
	unsigned mb, free_mb;
};

static void write_file(const char *root, unsigned id, const char *name, const char *text)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "devices/system/node/node%u/%s", id, name);
	test_file(root, path, text);
}

static struct topology *machine(const char *cpus, const char *nodes, const struct node *node)
{
	const char *root = test_folder();
	char text[200];

	test_file(root, "devices/system/cpu/online", cpus);
	test_file(root, "devices/system/node/online", nodes);
	for (; node->cpus; node++) {
		write_file(root, node->id, "cpulist", node->cpus);
		write_file(root, node->id, "distance", node->distances);
		snprintf(text, sizeof(text), "Node %u MemTotal: %u kB\nNode %u MemFree: %u kB\n", node->id,
			node->mb * 1024, node->id, node->free_mb * 1024);
		write_file(root, node->id, "meminfo", text);
	}
	return topology_read(root);
}

/* Two nodes far apart in number. */
static struct topology *power(void)
{
	static const struct node nodes[] = {
		{ 0, "0-3", "10 40", 1024, 900 },
		{ 8, "4-7", "40 10", 1024, 100 },
		{ 0 },
	};

	return machine("0-7", "0,8", nodes);
}

/* Four nodes, of which 1 has no memory and 16 and 17 no CPUs; the way back may be longer. */
static struct topology *mixed(void)
{
	static const struct node nodes[] = {
		{ 0, "0-1", "10 21 80 80", 512, 500 },
		{ 1, "2-3", "22 10 80 90", 0, 0 },
		{ 16, "", "80 80 10 80", 512, 500 },
		{ 17, "", "80 95 80 10", 512, 500 },
		{ 0 },
	};

	return machine("0-3", "0-1,16-17", nodes);
}

static struct cpus set_of(const char *text)
{
	struct cpus set;

	CHECK(cpus_parse(text, &set));
	return set;
}

/* "0(0-3) 8(4-7) x 0 8, without 1 and 2": rows with their CPUs, columns, nodes that could be neither. */
static const char *text_of(const struct nodematrix *matrix)
{
	static char text[512];
	char row[100], column[100];
	size_t used = 0;

	for (size_t i = 0; i < matrix->row_count; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%u(%s) ", matrix->rows[i].node,
			cpus_format(&matrix->rows[i].cpus, row, sizeof(row)));
	used += (size_t)snprintf(text + used, sizeof(text) - used, "x");
	for (size_t i = 0; i < matrix->column_count; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, " %u", matrix->columns[i]);
	if (cpus_count(&matrix->no_row) + cpus_count(&matrix->no_column))
		snprintf(text + used, sizeof(text) - used, ", without %s and %s",
			cpus_format(&matrix->no_row, row, sizeof(row)),
			cpus_format(&matrix->no_column, column, sizeof(column)));
	return text;
}

/* What is asked of a machine. NULL: any node's memory, every node. */
struct wish {
	struct topology *(*machine)(void);
	const char *cpus, *nodes;
	const char *cpu_nodes, *memory_nodes;
};

static struct nodematrix matrix_of(const struct wish *wish, const struct topology *topology)
{
	struct cpus cpus = set_of(wish->cpus), nodes = set_of(wish->nodes ? wish->nodes : "0-1000");

	return nodematrix_new(topology, &cpus, wish->nodes ? &nodes : NULL, wish->cpu_nodes ? wish->cpu_nodes : "",
		wish->memory_nodes ? wish->memory_nodes : "");
}

static void choose(void)
{
	static const struct {
		struct wish wish;
		const char *matrix;
	} cases[] = {
		{ { .machine = power, .cpus = "0-7" }, "0(0-3) 8(4-7) x 0 8" },
		{ { .machine = power, .cpus = "0-7", .nodes = "0,8", .cpu_nodes = "8" }, "8(4-7) x 0 8" },
		{ { .machine = power, .cpus = "0-7", .nodes = "0,8", .cpu_nodes = "0,8", .memory_nodes = "0" },
			"0(0-3) 8(4-7) x 0" },
		{ { .machine = power, .cpus = "2,5,7" }, "0(2) 8(5,7) x 0 8" },
		{ { .machine = power, .cpus = "2-3" }, "0(2-3) x 0 8, without 8 and " },
		{ { .machine = power, .cpus = "0-7", .nodes = "8" }, "0(0-3) 8(4-7) x 8, without  and 0" },
		{ { .machine = mixed, .cpus = "0-3" }, "0(0-1) 1(2-3) x 0 16 17, without 16-17 and 1" },
		{ { .machine = mixed, .cpus = "0-3", .cpu_nodes = "1,0", .memory_nodes = "16-17" },
			"0(0-1) 1(2-3) x 16 17" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct topology *topology = cases[i].wish.machine();
		struct nodematrix matrix = matrix_of(&cases[i].wish, topology);

		CHECK_TEXT(text_of(&matrix), cases[i].matrix);
		nodematrix_release(&matrix);
		topology_free(topology);
	}
}

/* Where sysfs tells of no nodes, and so of no memory. */
static void one_node(void)
{
	const char *root = test_folder();
	struct topology *topology;
	struct nodematrix matrix;
	struct cpus cpus = set_of("0-1");

	test_file(root, "devices/system/cpu/online", "0-1");
	topology = topology_read(root);
	matrix = nodematrix_new(topology, &cpus, NULL, "", "");
	CHECK_TEXT(text_of(&matrix), "0(0-1) x 0");
	CHECK_UINT(nodememory_bytes(&matrix, topology, 0, 0), 128 * MB);
	nodematrix_release(&matrix);
	topology_free(topology);
}

static void choose_wrongly(void *arg)
{
	const struct wish *wish = arg;

	matrix_of(wish, wish->machine());
	_Exit(0);
}

static void refused(void)
{
	static struct {
		struct wish wish;
		int status;
		const char *said;
	} cases[] = {
		{ { .machine = power, .cpus = "0-7", .cpu_nodes = "1" }, 2,
			"option -C: node 1 is not among the online nodes 0,8" },
		{ { .machine = power, .cpus = "0-7", .memory_nodes = "0-8" }, 2,
			"option -M: node 1 is not among the online nodes 0,8" },
		{ { .machine = power, .cpus = "0-7", .cpu_nodes = "0x" }, 2, "option -C: '0x' is not a list of nodes" },
		{ { .machine = power, .cpus = "0-7", .memory_nodes = "9999" }, 2,
			"option -M: '9999' is not a list of nodes" },
		{ { .machine = power, .cpus = "0-3", .cpu_nodes = "8" }, 1,
			"option -C: node 8: this run may use none of its CPUs 4-7" },
		{ { .machine = mixed, .cpus = "0-3", .cpu_nodes = "0,16" }, 1, "option -C: node 16 has no CPU" },
		{ { .machine = mixed, .cpus = "0-3", .memory_nodes = "1" }, 1, "option -M: node 1 has no memory" },
		{ { .machine = mixed, .cpus = "0-3", .nodes = "0-1", .memory_nodes = "16" }, 1,
			"option -M: node 16: this process may use the memory of nodes 0-1" },
		{ { .machine = power, .cpus = "9" }, 1, "there is no online node with CPUs that may be used" },
		{ { .machine = power, .cpus = "0", .nodes = "1" }, 1,
			"there is no online node with memory that may be used" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *err;

		CHECK_INT(test_capture(choose_wrongly, &cases[i].wish, NULL, &err), cases[i].status);
		if (!strstr(err, cases[i].said))
			CHECK_TEXT(err, cases[i].said);
		free(err);
	}
}

/* count nodes of one CPU each. */
static struct topology *large_machine(unsigned count)
{
	struct node *nodes = calloc(count + 1, sizeof(*nodes));
	char(*cpus)[12] = calloc(count, sizeof(*cpus)), online[24];

	for (unsigned i = 0; i < count; i++) {
		snprintf(cpus[i], sizeof(cpus[i]), "%u", i);
		nodes[i] = (struct node){ i, cpus[i], "", 64, 64 };
	}
	snprintf(online, sizeof(online), "0-%u", count - 1);
	return machine(online, online, nodes);
}

static struct topology *too_large(void)
{
	return large_machine(31);
}

static struct topology *large(void)
{
	return large_machine(30);
}

static void many_nodes(void)
{
	struct wish wish = { .machine = too_large, .cpus = "0-30" };
	struct topology *topology = large();
	struct nodematrix matrix = matrix_of(&(struct wish){ .machine = large, .cpus = "0-29" }, topology);
	char *err;

	CHECK_UINT(matrix.row_count, 30);
	CHECK_UINT(matrix.column_count, 30);
	CHECK_INT(test_capture(choose_wrongly, &wish, NULL, &err), 2);
	CHECK(strstr(err, "31 x 31 nodes are more than the 960 cells that a result holds") != NULL);
	free(err);
}

/* Lists of --from and --to in place of nodes of CPUs and memory. */
static struct nodematrix moves_of(const struct wish *wish, const struct topology *topology)
{
	struct cpus cpus = set_of(wish->cpus), nodes = set_of(wish->nodes ? wish->nodes : "0-1000");

	return nodematrix_moves(topology, &cpus, wish->nodes ? &nodes : NULL, wish->cpu_nodes ? wish->cpu_nodes : "",
		wish->memory_nodes ? wish->memory_nodes : "");
}

static void choose_moves(void)
{
	static const struct {
		struct wish wish;
		const char *matrix;
	} cases[] = {
		{ { .machine = power, .cpus = "0-7" }, "0(0-3) 8(4-7) x 0 8" },
		{ { .machine = power, .cpus = "2-3" }, "0(2-3) 8(2-3) x 0 8" },
		{ { .machine = power, .cpus = "0-7", .cpu_nodes = "8" }, "8(4-7) x 0 8" },
		{ { .machine = power, .cpus = "0-7", .cpu_nodes = "8", .memory_nodes = "0" }, "8(4-7) x 0" },
		{ { .machine = mixed, .cpus = "0-3" }, "0(0-1) 16(0-3) 17(0-3) x 0 16 17, without  and 1" },
		{ { .machine = mixed, .cpus = "3", .memory_nodes = "16-17" },
			"0(3) 16(3) 17(3) x 16 17, without  and 1" },
		{ { .machine = mixed, .cpus = "0-3", .nodes = "0,17" }, "0(0-1) 17(0-3) x 0 17, without  and 1,16" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct topology *topology = cases[i].wish.machine();
		struct nodematrix matrix = moves_of(&cases[i].wish, topology);

		CHECK_TEXT(text_of(&matrix), cases[i].matrix);
		for (size_t row = 0; row < matrix.row_count; row++)
			for (size_t column = 0; column < matrix.column_count; column++)
				CHECK(nodematrix_is_move(&matrix, row, column) ==
					(matrix.rows[row].node != matrix.columns[column]));
		nodematrix_release(&matrix);
	}
}

static void choose_moves_wrongly(void *arg)
{
	const struct wish *wish = arg;

	moves_of(wish, wish->machine());
}

static void refused_moves(void)
{
	static struct {
		struct wish wish;
		int status;
		const char *said;
	} cases[] = {
		{ { .machine = power, .cpus = "0", .cpu_nodes = "1" }, 2,
			"option --from: node 1 is not among the online nodes 0,8" },
		{ { .machine = power, .cpus = "0", .memory_nodes = "8-9" }, 2,
			"option --to: node 9 is not among the online nodes 0,8" },
		{ { .machine = power, .cpus = "0", .memory_nodes = "x" }, 2,
			"option --to: 'x' is not a list of nodes" },
		{ { .machine = power, .cpus = "0", .cpu_nodes = "8", .memory_nodes = "8" }, 2,
			"options --from and --to: both are node 8, and no memory moves" },
		{ { .machine = mixed, .cpus = "0", .cpu_nodes = "0-1" }, 1, "option --from: node 1 has no memory" },
		{ { .machine = mixed, .cpus = "0", .memory_nodes = "1" }, 1, "option --to: node 1 has no memory" },
		{ { .machine = mixed, .cpus = "0", .nodes = "0,16", .memory_nodes = "17" }, 1,
			"option --to: node 17: this process may use the memory of nodes 0,16 only" },
		{ { .machine = power, .cpus = "0", .nodes = "8" }, 4,
			"there is one node with memory that may be used, 8: memory cannot be moved to another" },
		{ { .machine = power, .cpus = "0", .nodes = "8", .cpu_nodes = "8", .memory_nodes = "8" }, 4,
			"there is one node with memory that may be used, 8" },
		{ { .machine = power, .cpus = "0", .nodes = "1" }, 1,
			"there is no online node with memory that may be used" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *err;

		CHECK_INT(test_capture(choose_moves_wrongly, &cases[i].wish, NULL, &err), cases[i].status);
		if (!strstr(err, cases[i].said))
			CHECK_TEXT(err, cases[i].said);
		free(err);
	}
}

static void bytes(void)
{
	struct topology *topology = power();
	struct nodematrix both = matrix_of(&(struct wish){ .machine = power, .cpus = "0-7" }, topology);
	struct nodematrix first =
		matrix_of(&(struct wish){ .machine = power, .cpus = "0-7", .memory_nodes = "0" }, topology);

	CHECK_UINT(nodememory_bytes(&first, topology, 0, 40 * MB), 160 * MB);
	CHECK_UINT(nodememory_bytes(&first, topology, 0, MB), 64 * MB);
	CHECK_UINT(nodememory_bytes(&first, topology, 0, 0), 128 * MB);
	CHECK_UINT(nodememory_bytes(&first, topology, 0, 4096 * MB), 450 * MB);
	CHECK_UINT(nodememory_bytes(&both, topology, 0, 40 * MB), 50 * MB);
	CHECK_UINT(nodememory_bytes(&both, topology, 300 * MB, 40 * MB), 300 * MB);
	CHECK(nodememory_bytes(&both, topology, 1, 0) % 4096 == 0);
	CHECK(nodememory_bytes(&both, topology, 1, 0) >= 4096);
}

static void caches(void)
{
	struct topology *topology = power();
	struct nodematrix matrix = matrix_of(&(struct wish){ .machine = power, .cpus = "0-2,4-5" }, topology);
	struct topology_cpu *cpus = topology->cpus;

	CHECK_UINT(nodememory_cache(&matrix, topology, false), 0);
	CHECK_UINT(nodememory_cache(&matrix, topology, true), 0);
	/* CPUs 0 and 1 share 8 MB, 2 and 3 have 8 MB as well, 4 to 7 share 12 MB. */
	for (unsigned i = 0; i < 8; i++) {
		cpus[i].llc = set_of(i < 2 ? "0-1" : i < 4 ? "2-3" : "4-7");
		cpus[i].llc_bytes = i < 4 ? 8 * MB : 12 * MB;
	}
	CHECK_UINT(nodememory_cache(&matrix, topology, false), 12 * MB);
	CHECK_UINT(nodememory_cache(&matrix, topology, true), 16 * MB);
}

static void declare_too_much(void *arg)
{
	struct topology *topology = arg;
	struct run run = { .topology = topology };
	struct nodematrix matrix = { .columns = (unsigned[]){ topology->nodes[0].id }, .column_count = 1 };

	topology->nodes[0].memory_bytes = 1024 * MB;
	topology->nodes[0].available_bytes = 100 * MB;
	nodememory_declare(&matrix, &run, 100 * MB);
	CHECK_UINT(run.needs[NEED_MEMORY], 100 * MB);
	nodememory_declare(&matrix, &run, 101 * MB);
}

/* On the machine itself, which is asked whether memory can be bound to its first node. */
static void no_room(void)
{
	struct topology *topology = topology_read("/sys");
	char *err, said[100];
	int status = test_capture(declare_too_much, topology, NULL, &err);

	if (status == 4)
		test_skip("memory cannot be bound here");
	snprintf(said, sizeof(said), "needs 101 MB on node %u, which has 100 MB free: too little",
		topology->nodes[0].id);
	CHECK_INT(status, 1);
	CHECK(strstr(err, said) != NULL);
	free(err);
}

/* Five rounds of 2 x 3 cells: round r, cell c is 10 c + r, but for one that was disturbed. */
static void result(void)
{
	struct topology *topology = mixed();
	struct result *found = calloc(1, RESULT_SIZE);
	struct run run = { .topology = topology, .result = found };
	struct nodematrix matrix = matrix_of(&(struct wish){ .machine = mixed, .cpus = "0-3" }, topology);
	double values[NODEMATRIX_ROUNDS * 6];

	for (int i = 0; i < NODEMATRIX_ROUNDS * 6; i++)
		values[i] = 10 * (i % 6) + i / 6;
	values[6 + 5] = 1e6;
	nodematrix_report(&matrix, &run, "ns/load", BETTER_LOWER, values);
	CHECK_NEAR(result_value(found, "ns/load@0:0"), 2, 0);
	CHECK_NEAR(result_value(found, "ns/load@0:17"), 22, 0);
	CHECK_NEAR(result_value(found, "ns/load@1:0"), 32, 0);
	CHECK_NEAR(result_value(found, "ns/load@1:17"), 53, 0);
	CHECK_NEAR(result_value(found, "ns/load"), (2 + 12 + 22 + 32 + 42 + 53) / 6.0, 1e-12);
	CHECK_UINT(found->metric_count, 7);
	CHECK_UINT(found->metrics[6].row, 1);
	CHECK_UINT(found->metrics[6].column, 17);
	CHECK_UINT(found->metrics[6].distance, 90);
	CHECK_INT(found->metrics[6].better, BETTER_LOWER);
	CHECK_UINT(found->remark_count, 2);
	CHECK_TEXT(found->remarks[0], "left out: nodes 16-17, which have no CPU that may be used");
	CHECK_TEXT(found->remarks[1], "left out: node 1, which has no memory that may be used");
}

/* Nothing moved from 8 to 0 in one of the rounds, and nothing goes from a node to itself. */
static void result_of_moves(void)
{
	struct topology *topology = power();
	struct result *found = calloc(1, RESULT_SIZE);
	struct run run = { .topology = topology, .result = found };
	struct nodematrix matrix = moves_of(&(struct wish){ .machine = power, .cpus = "0-7" }, topology);
	double values[NODEMATRIX_ROUNDS * 4];

	for (int i = 0; i < NODEMATRIX_ROUNDS * 4; i++)
		values[i] = i % 4 == 1 ? 100 + i / 4 : i % 4 == 2 && i > 4 ? 7 : (double)NAN;
	nodematrix_report(&matrix, &run, "ns/page", BETTER_LOWER, values);
	CHECK_UINT(found->metric_count, 5);
	CHECK_NEAR(result_value(found, "ns/page@0:8"), 102, 0);
	CHECK(isnan(result_value(found, "ns/page@8:0")));
	CHECK(isnan(result_value(found, "ns/page@0:0")));
	CHECK_NEAR(result_value(found, "ns/page"), 102, 0);
	CHECK_TEXT(found->rows, "from node");
	CHECK_TEXT(found->columns, "to node");
}

static const struct test tests[] = {
	{ "rows are nodes with CPUs that may be used, columns nodes with memory that may be", choose },
	{ "a machine that tells nothing is one node", one_node },
	{ "nodes that cannot be had are refused with the facts", refused },
	{ "more cells than a result holds are refused, and fewer are not", many_nodes },
	{ "memory moves between nodes that have some, by a task on the CPUs of the first or any", choose_moves },
	{ "moves that cannot be are refused with the facts, and one node is a skip", refused_moves },
	{ "memory is four caches, within what the nodes have free", bytes },
	{ "each cache of a node counts once, if its CPUs may be used", caches },
	{ "memory that a node has no room for is refused with the arithmetic", no_room },
	{ "a cell is the median of its rounds, and the number of a run the mean of the cells", result },
	{ "a pair of nodes that nothing moved between has no number, and no part in the mean", result_of_moves },
};

TEST_MAIN(tests)
