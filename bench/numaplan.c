// SPDX-License-Identifier: GPL-2.0-only
#include "numaplan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "units.h"

#define MB 1048576
/* Of a process where no memory is asked for: above most caches, below most machines. */
#define DEFAULT_BYTES (64 * (uint64_t)MB)

/* Whole pages. */
static size_t whole_pages(char letter, uint64_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (bytes > PTRDIFF_MAX - page)
		usage("-%c %" PRIu64 ": more than a process can address", letter, bytes / MB);
	return ((size_t)bytes + page - 1) / page * page;
}

static void plan_memory(struct numa_plan *plan, const struct numa_options *options)
{
	char locked[UNITS_TEXT], process[UNITS_TEXT];
	bool asked = options->process || options->locked || options->thread || options->global != MB;

	plan->global = whole_pages('G', options->global);
	plan->process = whole_pages('P', asked ? options->process : DEFAULT_BYTES);
	plan->locked = whole_pages('L', options->locked);
	plan->thread = whole_pages('T', options->thread);
	if (plan->locked > plan->process)
		usage("-L %s: it is a part of the memory of -P, which is %s", units_format_size(locked, plan->locked),
			units_format_size(process, plan->process));
	if (plan->global == 0 && plan->process == 0 && plan->thread == 0)
		usage("no memory to go over: -G, -P and -T are 0");
}

static void plan_tasks(struct numa_plan *plan, const struct numa_options *options, const struct run *run)
{
	uint64_t share = cpus_count(&run->allowed) / options->processes;
	uint64_t threads = options->threads ? options->threads : share ? share : 1;
	uint64_t tasks = run_product("tasks", options->processes, threads);

	if (tasks > NUMA_TASKS_MAX)
		usage("%" PRIu64 " processes of %" PRIu64 " threads: at most %d tasks", options->processes, threads,
			NUMA_TASKS_MAX);
	plan->processes = (unsigned)options->processes;
	plan->threads = (unsigned)threads;
	plan->tasks = (unsigned)tasks;
}

static void plan_list(struct tasklist *list, char letter, const char *text)
{
	if (text && !tasklist_parse(list, text))
		usage("-%c '%s': not a list " TASKLIST_HELP, letter, text);
}

static enum work_touch touch_of(const struct numa_options *options)
{
	if (options->zero)
		return WORK_ZERO;
	if (options->reads == options->writes)
		return WORK_UPDATE;
	return options->reads ? WORK_READ : WORK_WRITE;
}

static void check_flags(const struct numa_options *options, const struct run *run)
{
	if (options->all)
		usage("-a: there is no built-in series; sweep instead, such as -p 1,2,4 -t 1-8*2");
	if (options->zero && (options->reads || options->writes))
		usage("-Z is memset alone: it leaves nothing to -R and -W");
	if (options->fill_zero && options->fill_random)
		usage("-z and -I: memory begins as zeroes or as random numbers, not as both");
	if (options->fill_on_cpu0 && !cpus_has(&run->allowed, 0))
		usage("option -0: CPU 0 is not among the allowed CPUs");
	if (options->perturb_ns && options->cpus)
		usage("-x moves the first task, which -C binds");
	if (options->perturb_ns && cpus_count(&run->allowed) == 1)
		skip("-x moves a task to another CPU; this process may use one CPU only");
}

static void check_cpus(const struct numa_plan *plan, const struct run *run)
{
	char allowed[128];

	for (size_t i = 0; i < plan->cpus.count; i++)
		if (!cpus_has(&run->allowed, plan->cpus.numbers[i]))
			usage("option -C: CPU %u is not among the allowed CPUs %s", plan->cpus.numbers[i],
				cpus_format(&run->allowed, allowed, sizeof(allowed)));
}

struct numa_plan numa_plan_new(const struct numa_options *options, const struct run *run)
{
	struct numa_plan plan = {
		.options = options,
		.loops = options->loops ? options->loops : UINT64_MAX,
		.work = { .touch = touch_of(options), .turning = options->backwards, .random = options->random },
	};

	check_flags(options, run);
	plan_memory(&plan, options);
	plan_tasks(&plan, options, run);
	plan_list(&plan.cpus, 'C', options->cpus);
	plan_list(&plan.nodes, 'M', options->nodes);
	check_cpus(&plan, run);
	if (options->fill_zero)
		plan.fill = WORK_FILL_ZERO;
	else if (options->fill_random)
		plan.fill = WORK_FILL_RANDOM;
	return plan;
}

void numa_plan_release(struct numa_plan *plan)
{
	tasklist_release(&plan->cpus);
	tasklist_release(&plan->nodes);
}

/* What is bound to this node alone. */
static uint64_t bound_bytes(const struct numa_plan *plan, unsigned node)
{
	uint64_t bytes = 0;

	for (unsigned task = 0; task < plan->tasks && task < plan->nodes.count; task++) {
		if (plan->nodes.numbers[task] != node)
			continue;
		bytes += plan->thread;
		if (task % plan->threads == 0)
			bytes += plan->process;
	}
	return bytes;
}

/* A process that a node has no room for would be killed by the kernel, however much the machine has. */
static void check_room(const struct numa_plan *plan, const struct topology *topology)
{
	for (size_t i = 0; i < topology->node_count && plan->nodes.count; i++) {
		const struct topology_node *node = &topology->nodes[i];
		uint64_t bytes = bound_bytes(plan, node->id);

		if (node->available_bytes && bytes > node->available_bytes)
			die("-M binds %" PRIu64 " MB to node %u; of its %" PRIu64 " MB %" PRIu64
			    " MB are available: too little",
				(bytes + MB - 1) / MB, node->id, node->memory_bytes / MB, node->available_bytes / MB);
	}
}

void numa_plan_declare(const struct numa_plan *plan, struct run *run)
{
	run_workers(run, plan->tasks, false);
	run_need(run, NEED_MAPPINGS, 3 * (uint64_t)plan->threads + 2); /* a thread's memory, stack, and guard of it */
	run_need(run, NEED_MEMORY, plan->global);
	run_need(run, NEED_MEMORY, run_product("memory of processes", plan->processes, plan->process));
	run_need(run, NEED_MEMORY, run_product("memory of threads", plan->tasks, plan->thread));
	check_room(plan, run->topology);
}

const struct cpus *numa_plan_nodes(const struct numa_plan *plan, unsigned task, struct cpus *set)
{
	unsigned node = tasklist_of(&plan->nodes, task);

	if (node == TASKLIST_NONE)
		return NULL;
	cpus_clear(set);
	cpus_add(set, node);
	return set;
}

const struct cpus *numa_plan_global_nodes(const struct numa_plan *plan, struct cpus *set)
{
	if (plan->nodes.count == 0)
		return NULL;
	tasklist_set(&plan->nodes, set);
	return set;
}
