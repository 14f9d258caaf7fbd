// SPDX-License-Identifier: GPL-2.0-only
#include "convergence.h"

#include "cpus.h"
#include "wrap.h"

struct convergence *convergence_new(unsigned threads)
{
	struct convergence *convergence = xcalloc(1, sizeof(*convergence) + threads * sizeof(convergence->nodes[0]));

	convergence->since_ns = CONVERGENCE_NEVER;
	convergence->threads = threads;
	for (unsigned i = 0; i < threads; i++)
		atomic_init(&convergence->nodes[i], -1);
	return convergence;
}

void convergence_see(struct convergence *convergence, unsigned thread, int node)
{
	atomic_store_explicit(&convergence->nodes[thread], node, memory_order_relaxed);
}

unsigned convergence_nodes(const struct convergence *convergence)
{
	struct cpus nodes;

	cpus_clear(&nodes);
	for (unsigned i = 0; i < convergence->threads; i++) {
		int node = atomic_load_explicit(&convergence->nodes[i], memory_order_relaxed);

		if (node >= 0)
			cpus_add(&nodes, (unsigned)node);
	}
	return cpus_count(&nodes);
}

void convergence_judge(struct convergence *convergence, uint64_t now_ns)
{
	if (convergence_nodes(convergence) != 1)
		convergence->since_ns = CONVERGENCE_NEVER;
	else if (convergence->since_ns == CONVERGENCE_NEVER)
		convergence->since_ns = now_ns;
}
