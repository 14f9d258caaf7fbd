// SPDX-License-Identifier: GPL-2.0-only
#include "bench/convergence.h"

#include <stdlib.h>

#include "test.h"

#define NEVER CONVERGENCE_NEVER

/* A thread is seen on a node, then the whole is judged. */
static void judgements(void)
{
	static const struct {
		unsigned thread;
		int node;
		unsigned nodes;
		uint64_t since;
	} steps[] = {
		/* at 0: threads 0, 1 and 2 on nodes 0, 1 and 1 */
		{ 0, 0, 2, NEVER },
		{ 0, 1, 1, 2 },
		{ 1, 1, 1, 2 },
		{ 2, 5, 2, NEVER },
		{ 1, 0, 3, NEVER },
		{ 1, 5, 2, NEVER },
		{ 0, 5, 1, 7 },
		{ 0, -1, 1, 7 },
	};
	struct convergence *convergence = convergence_new(3);

	CHECK_UINT(convergence->since_ns, NEVER);
	CHECK_UINT(convergence_nodes(convergence), 0);
	convergence_judge(convergence, 0);
	CHECK_UINT(convergence->since_ns, NEVER);
	convergence_see(convergence, 1, 1);
	convergence_see(convergence, 2, 1);
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		convergence_see(convergence, steps[i].thread, steps[i].node);
		convergence_judge(convergence, i + 1);
		CHECK_UINT(convergence_nodes(convergence), steps[i].nodes);
		CHECK_UINT(convergence->since_ns, steps[i].since);
	}
	free(convergence);
}

static const struct test tests[] = {
	{ "a process has converged since the last moment when its threads came to be on one node", judgements },
};

TEST_MAIN(tests)
