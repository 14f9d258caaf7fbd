// SPDX-License-Identifier: GPL-2.0-only
#include "topology.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "test.h"

#define SYSTEM "devices/system/"

struct file {
	const char *path, *text;
};

#define READ(...) read_tree((const struct file[]){ __VA_ARGS__, { NULL, NULL } })

static struct topology *read_tree(const struct file *files)
{
	const char *root = test_folder();

	for (; files->path; files++) {
		char path[PATH_MAX];

		snprintf(path, sizeof(path), SYSTEM "%s", files->path);
		test_file(root, path, files->text);
	}
	return topology_read(root);
}

/* A set as text; of the calls of one expression each has its own. */
static const char *text_of(const struct cpus *set)
{
	static char text[128];

	return cpus_format(set, text, sizeof(text));
}

/* "0:0-1 2:-": every node with its CPUs. */
static const char *nodes_text(const struct topology *topology)
{
	static char text[256];
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < topology->node_count; i++) {
		const struct topology_node *node = &topology->nodes[i];

		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%u:%s", i ? " " : "", node->id,
			cpus_count(&node->cpus) ? text_of(&node->cpus) : "-");
	}
	return text;
}

/* Rows of distances, "10 20/20 10"; a row that is not known is all 0. */
static const char *distances_text(const struct topology *topology)
{
	static char text[256];
	size_t used = 0;

	text[0] = '\0';
	for (size_t from = 0; from < topology->node_count; from++)
		for (size_t to = 0; to < topology->node_count; to++)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%u",
				to     ? " "
				: from ? "/"
				       : "",
				topology_distance(topology, from, to));
	return text;
}

static void one_node(void)
{
	struct topology *topology = READ({ "cpu/online", "0-1\n" }, { "node/online", "0\n" },
		{ "node/node0/cpulist", "0-1\n" }, { "node/node0/distance", "10\n" },
		{ "node/node0/meminfo",
			"\nNode 0 MemTotal:        4810488 kB\nNode 0 MemFree:  4525148 kB\nNode 0 Active:  9 kB\n"
			"Node 0 Active(file):  1000 kB\nNode 0 Inactive(file):  200 kB\nNode 0 SReclaimable:  30 kB\n" });

	CHECK_TEXT(text_of(&topology->online), "0-1");
	CHECK_UINT(topology->cpu_count, 2);
	CHECK_TEXT(nodes_text(topology), "0:0-1");
	CHECK_TEXT(distances_text(topology), "10");
	CHECK_UINT(topology->nodes[0].memory_bytes, 4810488ULL * 1024);
	CHECK_UINT(topology->cpus[0].llc_bytes, 0);
	CHECK_UINT(topology->nodes[0].available_bytes, 4526378ULL * 1024);
	CHECK_TEXT(topology_describe(topology, 0, 0), "same CPU");
	CHECK_TEXT(topology_describe(topology, 0, 1), "same node");
	topology_free(topology);
}

static void ids_from_four(void)
{
	struct topology *topology = READ({ "cpu/online", "0-7\n" }, { "node/online", "4-7\n" },
		{ "node/node4/cpulist", "0-1\n" }, { "node/node5/cpulist", "2-3\n" }, { "node/node6/cpulist", "4-5\n" },
		{ "node/node7/cpulist", "6-7\n" }, { "node/node4/distance", "10 16 20 32\n" },
		{ "node/node5/distance", "16 10 32 20\n" }, { "node/node6/distance", "20 32 10 16\n" },
		{ "node/node7/distance", "32 20 16 10\n" });

	CHECK_TEXT(nodes_text(topology), "4:0-1 5:2-3 6:4-5 7:6-7");
	CHECK_TEXT(distances_text(topology), "10 16 20 32/16 10 32 20/20 32 10 16/32 20 16 10");
	CHECK_INT(topology_node_index(topology, 0), -1);
	CHECK_INT(topology_node_index(topology, 4), 0);
	CHECK_INT(topology_node_index(topology, 7), 3);
	CHECK_INT(topology_node_of_cpu(topology, 5), 2);
	CHECK_INT(topology_node_of_cpu(topology, 8), -1);
	topology_free(topology);
}

static void sparse_ids(void)
{
	struct topology *topology = READ({ "cpu/online", "0-15\n" }, { "node/online", "0,8\n" },
		{ "node/node0/cpulist", "0-7\n" }, { "node/node8/cpulist", "8-15\n" },
		{ "node/node0/distance", "10 40\n" }, { "node/node8/distance", "40 10\n" });

	CHECK_TEXT(nodes_text(topology), "0:0-7 8:8-15");
	CHECK_TEXT(distances_text(topology), "10 40/40 10");
	CHECK_INT(topology_node_index(topology, 1), -1);
	CHECK_INT(topology_node_index(topology, 8), 1);
	topology_free(topology);
}

static void two_clusters(void)
{
	struct topology *topology =
		READ({ "cpu/online", "0-7\n" }, { "node/online", "0-1,16-17\n" }, { "node/node0/cpulist", "0,4\n" },
			{ "node/node1/cpulist", "1,5\n" }, { "node/node16/cpulist", "2,6\n" },
			{ "node/node17/cpulist", "3,7\n" }, { "node/node16/distance", "40 40 10 20\n" });

	CHECK_TEXT(nodes_text(topology), "0:0,4 1:1,5 16:2,6 17:3,7");
	CHECK_TEXT(distances_text(topology), "0 0 0 0/0 0 0 0/40 40 10 20/0 0 0 0");
	CHECK_INT(topology_node_of_cpu(topology, 7), 3);
	topology_free(topology);
}

static void no_memory(void)
{
	struct topology *topology =
		READ({ "cpu/online", "0-3\n" }, { "node/online", "0-1\n" }, { "node/node0/cpulist", "0-1\n" },
			{ "node/node1/cpulist", "2-3\n" }, { "node/node0/meminfo", "Node 0 MemTotal: 262144 kB\n" },
			{ "node/node1/meminfo", "Node 1 MemTotal: 0 kB\nNode 1 MemFree: 0 kB\n" });

	CHECK_UINT(topology->nodes[0].memory_bytes, 256ULL << 20);
	CHECK_UINT(topology->nodes[1].memory_bytes, 0);
	CHECK_TEXT(nodes_text(topology), "0:0-1 1:2-3");
	topology_free(topology);
}

static void no_cpus(void)
{
	struct topology *topology = READ({ "cpu/online", "0-3\n" }, { "node/online", "0-2\n" },
		{ "node/node0/cpulist", "0-1\n" }, { "node/node1/cpulist", "2-3\n" }, { "node/node2/cpulist", "\n" },
		{ "node/node2/meminfo", "Node 2 MemTotal: 1024 kB\n" });

	CHECK_TEXT(nodes_text(topology), "0:0-1 1:2-3 2:-");
	CHECK_UINT(topology->nodes[2].memory_bytes, 1 << 20);
	topology_free(topology);
}

static void offline_cpus(void)
{
	struct topology *topology = READ({ "cpu/online", "0-1,4-5\n" }, { "node/online", "0-2\n" },
		{ "cpu/cpu2/topology/core_id", "2\n" }, { "cpu/cpu2/topology/thread_siblings_list", "0,2\n" },
		{ "cpu/cpu0/topology/thread_siblings_list", "0,2\n" }, { "node/node0/cpulist", "0-1\n" },
		{ "node/node1/cpulist", "2-3\n" }, { "node/node2/cpulist", "4-5\n" });

	CHECK_UINT(topology->cpu_count, 6);
	CHECK_TEXT(nodes_text(topology), "0:0-1 1:- 2:4-5");
	CHECK_TEXT(text_of(&topology->cpus[0].smt), "0");
	CHECK_TEXT(text_of(&topology->cpus[2].smt), "2");
	CHECK_UINT(topology->cpus[2].core, UINT_MAX);
	CHECK_TEXT(topology_describe(topology, 0, 2), "unknown");
	CHECK_TEXT(topology_describe(topology, 6, 0), "unknown");
	CHECK_TEXT(topology_describe(topology, 1, 4), "remote");
	topology_free(topology);
}

static void gap(void)
{
	struct topology *topology = READ({ "cpu/online", "0-3\n" }, { "node/online", "0-1,3\n" },
		{ "node/node0/cpulist", "0-1\n" }, { "node/node1/cpulist", "2-3\n" }, { "node/node3/cpulist", "\n" },
		{ "node/node0/distance", "10 20 17\n" }, { "node/node1/distance", "20 10 28\n" },
		{ "node/node3/distance", "17 28 10\n" });

	CHECK_TEXT(distances_text(topology), "10 20 17/20 10 28/17 28 10");
	CHECK_UINT(topology_distance(topology, (size_t)topology_node_index(topology, 1),
			   (size_t)topology_node_index(topology, 3)),
		28);
	topology_free(topology);
}

static void asymmetric(void)
{
	struct topology *topology = READ({ "cpu/online", "0-1\n" }, { "node/online", "0-1\n" },
		{ "node/node0/cpulist", "0\n" }, { "node/node1/cpulist", "1\n" }, { "node/node0/distance", "10 20\n" },
		{ "node/node1/distance", "40 10\n" });

	CHECK_UINT(topology_distance(topology, 0, 1), 20);
	CHECK_UINT(topology_distance(topology, 1, 0), 40);
	topology_free(topology);
}

static void no_node_folder(void)
{
	struct topology *topology = READ({ "cpu/online", "0,2-3\n" });

	CHECK_TEXT(nodes_text(topology), "0:0,2-3");
	CHECK_TEXT(distances_text(topology), "0");
	CHECK_UINT(topology->nodes[0].memory_bytes, 0);
	topology_free(topology);
}

static void nothing(void)
{
	struct topology *topology = topology_read(test_folder());
	struct cpus allowed;

	cpus_allowed(&allowed);
	CHECK_UINT(cpus_count(&topology->online), cpus_count(&allowed));
	CHECK(cpus_subset(&allowed, &topology->online));
	CHECK_UINT(topology->node_count, 1);
	CHECK(cpus_subset(&topology->nodes[0].cpus, &allowed));
	topology_free(topology);
}

static void one_folder_for_all(void)
{
	struct topology *topology = READ({ "cpu/online", "0-1\n" }, { "node/online", "0-1\n" },
		{ "node/node0/cpulist", "0-1\n" }, { "node/node1/cpulist", "0-1\n" });

	/* numa=fake: every node has every CPU, and getcpu says the first. */
	CHECK_INT(topology_node_of_cpu(topology, 1), 0);
	CHECK_TEXT(topology_describe(topology, 0, 1), "same node");
	topology_free(topology);
}

/* Two sockets, two cores each, two threads each; an LLC for each socket. */
static struct topology *read_server(void)
{
	const char *root = test_folder();

	for (unsigned cpu = 0; cpu < 8; cpu++) {
		unsigned package = cpu / 2 % 2;
		char path[PATH_MAX], text[64];

#define CPU_FILE(name, ...)                                                                                         \
	(snprintf(path, sizeof(path), SYSTEM "cpu/cpu%u/%s", cpu, name), snprintf(text, sizeof(text), __VA_ARGS__), \
		test_file(root, path, text))
		CPU_FILE("topology/physical_package_id", "%u\n", package);
		CPU_FILE("topology/core_id", "%u\n", cpu % 2);
		CPU_FILE("topology/thread_siblings_list", "%u,%u\n", cpu % 4, cpu % 4 + 4);
		CPU_FILE("cache/index0/level", "1\n");
		CPU_FILE("cache/index0/type", "Data\n");
		CPU_FILE("cache/index0/shared_cpu_list", "%u,%u\n", cpu % 4, cpu % 4 + 4);
		CPU_FILE("cache/index1/level", "3\n");
		CPU_FILE("cache/index1/type", "Unified\n");
		CPU_FILE("cache/index1/size", package ? "many\n" : "260096K\n");
		CPU_FILE("cache/index1/shared_cpu_list", package ? "2-3,6-7\n" : "0-1,4-5\n");
		CPU_FILE("cache/index2/level", "4\n");
		CPU_FILE("cache/index2/type", "Instruction\n");
		CPU_FILE("cache/index2/shared_cpu_list", "0-7\n");
#undef CPU_FILE
	}
	return READ({ "cpu/online", "0-7\n" }, { "node/online", "0-1\n" }, { "node/node0/cpulist", "0-1,4-5\n" },
		{ "node/node1/cpulist", "2-3,6-7\n" });
}

static void server(void)
{
	struct topology *topology = read_server();

	CHECK_UINT(topology->cpus[6].package, 1);
	CHECK_UINT(topology->cpus[5].core, 1);
	CHECK_TEXT(text_of(&topology->cpus[6].smt), "2,6");
	CHECK_TEXT(text_of(&topology->cpus[6].llc), "2-3,6-7");
	CHECK_UINT(topology->cpus[5].llc_bytes, 254ULL << 20);
	CHECK_UINT(topology->cpus[6].llc_bytes, 0);
	CHECK_TEXT(topology_describe(topology, 0, 4), "SMT siblings");
	CHECK_TEXT(topology_describe(topology, 0, 1), "same LLC");
	CHECK_TEXT(topology_describe(topology, 0, 5), "same LLC");
	CHECK_TEXT(topology_describe(topology, 0, 6), "remote");
	topology_free(topology);
}

static void find(void)
{
	static const struct {
		const char *allowed;
		unsigned cpu;
		enum topology_relation relation;
		int found;
	} cases[] = {
		{ "0-7", 0, TOPOLOGY_SMT, 4 },
		{ "0-7", 4, TOPOLOGY_SMT, 0 },
		{ "0-3", 0, TOPOLOGY_SMT, -1 },
		{ "0-7", 0, TOPOLOGY_LLC, 1 },
		{ "0,4-7", 0, TOPOLOGY_LLC, 5 },
		{ "0,4", 0, TOPOLOGY_LLC, -1 },
		{ "0-7", 0, TOPOLOGY_NODE, -1 },
		{ "0-7", 0, TOPOLOGY_REMOTE, 2 },
		{ "0-7", 7, TOPOLOGY_REMOTE, 0 },
		{ "0-1", 0, TOPOLOGY_REMOTE, -1 },
		{ "0,8-9", 0, TOPOLOGY_REMOTE, -1 },
		{ "", 0, TOPOLOGY_SMT, -1 },
	};
	struct topology *topology = read_server();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct cpus allowed;

		CHECK(cpus_parse(cases[i].allowed, &allowed));
		CHECK_INT(topology_find(topology, &allowed, cases[i].cpu, cases[i].relation), cases[i].found);
	}
	topology_free(topology);
}

static void caches_unknown(void)
{
	struct topology *topology = READ({ "cpu/online", "0-3\n" }, { "node/online", "0\n" },
		{ "node/node0/cpulist", "0-3\n" }, { "cpu/cpu0/topology/thread_siblings_list", "0-1\n" });

	CHECK_TEXT(text_of(&topology->cpus[0].llc), "0");
	CHECK_TEXT(text_of(&topology->cpus[2].smt), "2");
	CHECK_INT(topology_find(topology, &topology->online, 0, TOPOLOGY_SMT), 1);
	CHECK_INT(topology_find(topology, &topology->online, 0, TOPOLOGY_LLC), -1);
	CHECK_INT(topology_find(topology, &topology->online, 0, TOPOLOGY_NODE), 2);
	topology_free(topology);
}

static void sliced_socket(void)
{
	struct topology *topology = READ({ "cpu/online", "0-1\n" }, { "node/online", "0-1\n" },
		{ "node/node0/cpulist", "0\n" }, { "node/node1/cpulist", "1\n" },
		{ "cpu/cpu0/cache/index0/level", "3\n" }, { "cpu/cpu0/cache/index0/type", "Unified\n" },
		{ "cpu/cpu0/cache/index0/shared_cpu_list", "0-1\n" });

	CHECK_TEXT(text_of(&topology->cpus[0].llc), "0-1");
	CHECK_TEXT(topology_describe(topology, 0, 1), "remote");
	CHECK_INT(topology_find(topology, &topology->online, 0, TOPOLOGY_LLC), -1);
	topology_free(topology);
}

static void garbage(void)
{
	struct topology *topology = READ({ "cpu/online", "0-1\n" }, { "node/online", "0-2\n" },
		{ "node/node0/cpulist", "0-x\n" }, { "node/node1/cpulist", "1,99999\n" },
		{ "node/node0/distance", "10 twenty 20\n" }, { "node/node1/distance", "20 10\n" },
		{ "node/node2/distance", "20 20 10 20\n" }, { "node/node0/meminfo", "MemTotal: lots\n" },
		{ "node/node1/meminfo", "" }, { "cpu/cpu0/topology/physical_package_id", "-1\n" },
		{ "cpu/cpu0/topology/core_id", "4294967296\n" }, { "cpu/cpu1/topology/core_id", "1x\n" },
		{ "cpu/cpu0/topology/thread_siblings_list", "0-1-2\n" }, { "cpu/cpu0/cache/index0/level", "L3\n" },
		{ "cpu/cpu0/cache/index0/shared_cpu_list", "0-1\n" }, { "cpu/cpu0/cache/index1/level", "2\n" },
		{ "cpu/cpu0/cache/index1/shared_cpu_list", "?\n" });

	CHECK_TEXT(nodes_text(topology), "0:- 1:- 2:-");
	CHECK_TEXT(distances_text(topology), "0 0 0/0 0 0/0 0 0");
	CHECK_UINT(topology->nodes[0].memory_bytes, 0);
	CHECK_UINT(topology->nodes[1].memory_bytes, 0);
	CHECK_UINT(topology->cpus[0].package, UINT_MAX);
	CHECK_UINT(topology->cpus[0].core, UINT_MAX);
	CHECK_UINT(topology->cpus[1].core, UINT_MAX);
	CHECK_TEXT(text_of(&topology->cpus[0].smt), "0");
	CHECK_TEXT(text_of(&topology->cpus[0].llc), "0");
	CHECK_TEXT(topology_describe(topology, 0, 1), "unknown");
	for (unsigned relation = TOPOLOGY_SMT; relation <= TOPOLOGY_REMOTE; relation++)
		CHECK_INT(topology_find(topology, &topology->online, 0, relation), -1);
	topology_free(topology);
}

static const struct test tests[] = {
	{ "a machine of one node has one", one_node },
	{ "node ids may begin at four", ids_from_four },
	{ "node ids may be 0 and 8", sparse_ids },
	{ "node ids may be 0, 1, 16 and 17", two_clusters },
	{ "a node may have no memory", no_memory },
	{ "a node may have no CPU", no_cpus },
	{ "a CPU that is offline is on no node and nobody's sibling, though its files are there", offline_cpus },
	{ "a distance row has one column for each online node, not for each id", gap },
	{ "distances may differ by direction", asymmetric },
	{ "without nodes in sysfs there is one with all online CPUs", no_node_folder },
	{ "without any sysfs the CPUs are those that the process may use", nothing },
	{ "a CPU that several nodes claim is of the first", one_folder_for_all },
	{ "SMT siblings and last-level caches group the CPUs of two sockets", server },
	{ "a CPU is found by how it stands to another, among the allowed", find },
	{ "where caches are not known nothing shares them", caches_unknown },
	{ "CPUs of two nodes are remote though one cache spans them", sliced_socket },
	{ "files with garbage say nothing", garbage },
};

TEST_MAIN(tests)
