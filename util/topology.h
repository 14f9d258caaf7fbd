// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs and NUMA nodes as sysfs tells them. Node ids are sparse, may start anywhere, and a node may have no CPU or no
 * memory. A file that is missing means "not known", never an error: containers hide much of it.
 */
#ifndef KBENCH_TOPOLOGY_H
#define KBENCH_TOPOLOGY_H

#include "cpus.h"

struct topology_node {
	unsigned id;
	struct cpus cpus;         /* online CPUs of the node; may be empty */
	uint64_t memory_bytes;    /* 0: none, or not known */
	uint64_t available_bytes; /* what is free or could be freed without swapping; 0: none, or not known */
	unsigned *
		distances; /* one for each online node, in order of ids, as the kernel prints the row; NULL: not known */
};

struct topology {
	struct cpus online;          /* online CPUs */
	size_t node_count;           /* online nodes; at least 1 */
	struct topology_node *nodes; /* ordered by id; where sysfs has no node: one node 0 with all online CPUs */
	struct topology_cpu {
		unsigned package, core; /* UINT_MAX: not known */
		struct cpus smt;        /* the CPU itself and those that share its core */
		struct cpus llc;        /* the CPU itself and those that share its last-level cache */
		uint64_t llc_bytes;     /* of that cache; 0: not known */
	} * cpus;                       /* indexed by CPU number, cpu_count of them */
	size_t cpu_count;               /* the highest online CPU number + 1 */
};

/* Reads ROOT/devices/system/{cpu,node}; root is "/sys" but in tests. Never NULL; freed by topology_free. */
struct topology *topology_read(const char *root);
void topology_free(struct topology *topology);

/* The index into nodes of a node id, or of the node that a CPU belongs to; -1: no such online node. */
int topology_node_index(const struct topology *topology, unsigned id);
int topology_node_of_cpu(const struct topology *topology, unsigned cpu);

/* The distance between two nodes given by index; 0: not known. */
unsigned topology_distance(const struct topology *topology, size_t from, size_t to);

/*
 * A CPU of *allowed, other than cpu, that stands in the relation to it: shares its core; is on its node and shares its
 * last-level cache but not its core; is on its node but shares neither; is on another node. The lowest such CPU, or -1.
 */
enum topology_relation { TOPOLOGY_SMT, TOPOLOGY_LLC, TOPOLOGY_NODE, TOPOLOGY_REMOTE };
int topology_find(
	const struct topology *topology, const struct cpus *allowed, unsigned cpu, enum topology_relation relation);

/* How two CPUs stand to each other: "same CPU", "SMT siblings", "same LLC", "same node", "remote", "unknown". */
const char *topology_describe(const struct topology *topology, unsigned a, unsigned b);

#endif
