// SPDX-License-Identifier: GPL-2.0-only
#include "topology.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "sysfile.h"
#include "units.h"
#include "wrap.h"

/* The takers of text read: each frees it, and tells a file that is missing (NULL) or no such text from one that is. */
static bool take_cpus(char *text, struct cpus *set)
{
	bool known = text && cpus_parse(text, set);

	free(text);
	return known;
}

static unsigned take_number(char *text)
{
	uint64_t number = UINT_MAX;
	char *end;

	if (text && *text >= '0' && *text <= '9') {
		number = strtoull(text, &end, 10);
		if (*end != '\0' || number > UINT_MAX)
			number = UINT_MAX;
	}
	free(text);
	return (unsigned)number;
}

/* Strictly one column for each online node, or nothing is known. */
static unsigned *take_distances(char *text, size_t columns)
{
	unsigned *distances = xcalloc(columns, sizeof(*distances));
	size_t count = 0;
	bool valid = text;

	for (char *rest = NULL, *word = text ? strtok_r(text, " ", &rest) : NULL; word && valid;
		word = strtok_r(NULL, " ", &rest)) {
		char *end;
		uint64_t distance = strtoull(word, &end, 10);

		valid = *word >= '0' && *word <= '9' && !*end && distance > 0 && distance <= UINT_MAX &&
			count < columns;
		if (valid)
			distances[count++] = (unsigned)distance;
	}
	free(text);
	if (valid && count == columns)
		return distances;
	free(distances);
	return NULL;
}

/* Of lines "Node 0 MemTotal:  1024 kB"; 0: there is no such line. */
static uint64_t memory_of(const char *text, const char *key)
{
	const char *line = text ? strstr(text, key) : NULL;
	uint64_t kilobytes = line ? strtoull(line + strlen(key), NULL, 10) : 0;

	return kilobytes <= UINT64_MAX / 4096 ? kilobytes * 1024 : 0;
}

static void take_memory(char *text, struct topology_node *node)
{
	node->memory_bytes = memory_of(text, " MemTotal:");
	node->available_bytes = memory_of(text, " MemFree:") + memory_of(text, " Active(file):") +
				memory_of(text, " Inactive(file):") + memory_of(text, " SReclaimable:");
	free(text);
}

/* "32768K" or "1M". */
static uint64_t take_size(char *text)
{
	uint64_t bytes;

	if (!text || !units_parse_size(text, &bytes))
		bytes = 0;
	free(text);
	return bytes;
}

/* The data or unified cache of the highest level. */
static void read_llc(const char *root, unsigned cpu, struct topology_cpu *at)
{
	unsigned highest = 0;

	for (unsigned i = 0;; i++) {
		char *text = sysfile_text(root, "/devices/system/cpu/cpu%u/cache/index%u/level", cpu, i), *type;
		unsigned level;
		struct cpus shared;
		bool instruction;

		if (!text)
			return;
		level = take_number(text);
		type = sysfile_text(root, "/devices/system/cpu/cpu%u/cache/index%u/type", cpu, i);
		instruction = type && strcmp(type, "Instruction") == 0;
		free(type);
		if (level == UINT_MAX || level <= highest || instruction)
			continue;
		if (!take_cpus(sysfile_text(root, "/devices/system/cpu/cpu%u/cache/index%u/shared_cpu_list", cpu, i),
			    &shared))
			continue;
		at->llc = shared;
		at->llc_bytes = take_size(sysfile_text(root, "/devices/system/cpu/cpu%u/cache/index%u/size", cpu, i));
		highest = level;
	}
}

/* What sysfs says of other CPUs counts for those that are online; of the CPU itself it is true whatever it says. */
static void restrict_to_online(struct cpus *set, const struct cpus *online, unsigned cpu)
{
	cpus_and(set, online);
	cpus_add(set, cpu);
}

static void read_cpu(struct topology *topology, const char *root, unsigned cpu)
{
	struct topology_cpu *at = &topology->cpus[cpu];

	at->package = take_number(sysfile_text(root, "/devices/system/cpu/cpu%u/topology/physical_package_id", cpu));
	at->core = take_number(sysfile_text(root, "/devices/system/cpu/cpu%u/topology/core_id", cpu));
	if (!take_cpus(sysfile_text(root, "/devices/system/cpu/cpu%u/topology/thread_siblings_list", cpu), &at->smt))
		cpus_clear(&at->smt);
	restrict_to_online(&at->smt, &topology->online, cpu);
	read_llc(root, cpu, at);
	restrict_to_online(&at->llc, &topology->online, cpu);
}

static void read_cpus(struct topology *topology, const char *root)
{
	/* Without sysfs: a CPU that this thread may run on is online. */
	if (!take_cpus(sysfile_text(root, "/devices/system/cpu/online"), &topology->online) ||
		cpus_count(&topology->online) == 0)
		cpus_allowed(&topology->online);
	topology->cpu_count = cpus_nth(&topology->online, cpus_count(&topology->online) - 1) + 1;
	topology->cpus = xcalloc(topology->cpu_count, sizeof(*topology->cpus));
	for (unsigned cpu = 0; cpu < topology->cpu_count; cpu++) {
		struct topology_cpu *at = &topology->cpus[cpu];

		at->package = at->core = UINT_MAX;
		cpus_add(&at->smt, cpu);
		cpus_add(&at->llc, cpu);
		if (cpus_has(&topology->online, cpu))
			read_cpu(topology, root, cpu);
	}
}

static void read_nodes(struct topology *topology, const char *root)
{
	struct topology_node *node;
	struct cpus online;

	if (!take_cpus(sysfile_text(root, "/devices/system/node/online"), &online) || cpus_count(&online) == 0) {
		topology->node_count = 1;
		topology->nodes = xcalloc(1, sizeof(*topology->nodes));
		topology->nodes[0].cpus = topology->online;
		return;
	}
	topology->node_count = cpus_count(&online);
	topology->nodes = node = xcalloc(topology->node_count, sizeof(*topology->nodes));
	for (int id = cpus_next(&online, 0); id >= 0; id = cpus_next(&online, (unsigned)id + 1), node++) {
		node->id = (unsigned)id;
		if (!take_cpus(sysfile_text(root, "/devices/system/node/node%d/cpulist", id), &node->cpus))
			cpus_clear(&node->cpus);
		cpus_and(&node->cpus, &topology->online);
		take_memory(sysfile_text(root, "/devices/system/node/node%d/meminfo", id), node);
		node->distances = take_distances(
			sysfile_text(root, "/devices/system/node/node%d/distance", id), topology->node_count);
	}
}

struct topology *topology_read(const char *root)
{
	struct topology *topology = xcalloc(1, sizeof(*topology));

	read_cpus(topology, root);
	read_nodes(topology, root);
	return topology;
}

void topology_free(struct topology *topology)
{
	for (size_t i = 0; i < topology->node_count; i++)
		free(topology->nodes[i].distances);
	free(topology->nodes);
	free(topology->cpus);
	free(topology);
}

int topology_node_index(const struct topology *topology, unsigned id)
{
	for (size_t i = 0; i < topology->node_count; i++)
		if (topology->nodes[i].id == id)
			return (int)i;
	return -1;
}

int topology_node_of_cpu(const struct topology *topology, unsigned cpu)
{
	for (size_t i = 0; i < topology->node_count; i++)
		if (cpus_has(&topology->nodes[i].cpus, cpu))
			return (int)i;
	return -1;
}

unsigned topology_distance(const struct topology *topology, size_t from, size_t to)
{
	const unsigned *row = topology->nodes[from].distances;

	return row ? row[to] : 0;
}

/*
 * Of two different CPUs at most one relation holds; one that is offline is in no set. The node comes before the cache:
 * where nodes are slices of a socket the cache is said to be shared by all of them, and the distance is what decides.
 */
enum { RELATION_UNKNOWN = -1 };

static int relation_of(const struct topology *topology, unsigned a, unsigned b)
{
	int node_a = topology_node_of_cpu(topology, a), node_b = topology_node_of_cpu(topology, b);

	if (a >= topology->cpu_count)
		return RELATION_UNKNOWN;
	if (cpus_has(&topology->cpus[a].smt, b))
		return TOPOLOGY_SMT;
	if (node_a >= 0 && node_b >= 0 && node_a != node_b)
		return TOPOLOGY_REMOTE;
	if (cpus_has(&topology->cpus[a].llc, b))
		return TOPOLOGY_LLC;
	return node_a >= 0 && node_b >= 0 ? TOPOLOGY_NODE : RELATION_UNKNOWN;
}

int topology_find(
	const struct topology *topology, const struct cpus *allowed, unsigned cpu, enum topology_relation relation)
{
	for (int other = cpus_next(allowed, 0); other >= 0; other = cpus_next(allowed, (unsigned)other + 1))
		if ((unsigned)other != cpu && relation_of(topology, cpu, (unsigned)other) == (int)relation)
			return other;
	return -1;
}

const char *topology_describe(const struct topology *topology, unsigned a, unsigned b)
{
	static const char *const words[] = {
		[TOPOLOGY_SMT] = "SMT siblings",
		[TOPOLOGY_LLC] = "same LLC",
		[TOPOLOGY_NODE] = "same node",
		[TOPOLOGY_REMOTE] = "remote",
	};
	int relation;

	if (a == b)
		return "same CPU";
	relation = relation_of(topology, a, b);
	return relation == RELATION_UNKNOWN ? "unknown" : words[relation];
}
