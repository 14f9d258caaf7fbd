// SPDX-License-Identifier: GPL-2.0-only
#include "place.h"

#include <stdio.h>
#include <string.h>

static const struct relation {
	const char *word, *meaning;
	enum topology_relation relation;
} relations[] = {
	{ "smt", "share a core", TOPOLOGY_SMT },
	{ "llc", "share a last-level cache but not a core", TOPOLOGY_LLC },
	{ "node", "are on one node but share neither core nor cache", TOPOLOGY_NODE },
	{ "remote", "are on different nodes", TOPOLOGY_REMOTE },
};

static void resolve_relation(struct run *run, const struct relation *relation, unsigned cpus[2])
{
	char allowed[200];

	for (int cpu = cpus_next(&run->allowed, 0); cpu >= 0; cpu = cpus_next(&run->allowed, (unsigned)cpu + 1)) {
		int other = topology_find(run_topology(run), &run->allowed, (unsigned)cpu, relation->relation);

		if (other < 0)
			continue;
		cpus[0] = (unsigned)cpu;
		cpus[1] = (unsigned)other;
		return;
	}
	skip("--place %s: no two of the CPUs %s %s, as far as is known", relation->word,
		cpus_format(&run->allowed, allowed, sizeof(allowed)), relation->meaning);
}

static void resolve_pair(const struct run *run, const char *where, unsigned cpus[2])
{
	char allowed[200];
	int end = -1;

	/* %5u cannot overflow. */
	if (sscanf(where, "%5u,%5u%n", &cpus[0], &cpus[1], &end) != 2 || where[end] ||
		strspn(where, "0123456789,") != strlen(where))
		usage("option --place: '%s' is not free, same, smt, llc, node, remote or two CPU numbers A,B", where);
	for (int i = 0; i < 2; i++)
		if (cpus[i] >= CPUS_MAX || !cpus_has(&run->allowed, cpus[i]))
			usage("option --place: '%s': CPU %u is not among the CPUs of this run, %s", where, cpus[i],
				cpus_format(&run->allowed, allowed, sizeof(allowed)));
}

bool place_resolve(struct run *run, const char *where, unsigned cpus[2])
{
	if (strcmp(where, "free") == 0)
		return false;
	if (strcmp(where, "same") == 0) {
		cpus[0] = cpus[1] = cpus_nth(&run->allowed, 0);
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(relations); i++)
		if (strcmp(where, relations[i].word) == 0) {
			resolve_relation(run, &relations[i], cpus);
			return true;
		}
	resolve_pair(run, where, cpus);
	return true;
}
