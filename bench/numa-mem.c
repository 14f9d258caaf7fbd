// SPDX-License-Identifier: GPL-2.0-only
/*
 * numa mem: processes of several threads go over memory that all of them share, that the threads of a process share,
 * and that is a thread's own, again and again.
 *
 * One operation is a byte touched: read, written, or both. Creating tasks and memory and its first touch are not
 * measured. Tasks and memory can be bound; memory that was bound is looked up page by page after the end.
 */
#include <stdlib.h>

#include "nodepages.h"
#include "numareport.h"
#include "numatask.h"

static struct numa_options opt = { .processes = 1, .global = 1 << 20, .runtime_ns = 5 * NSEC_PER_SEC };

static const struct opt options[] = {
	OPT_COUNT('p', "nr_proc", &opt.processes, 1, NUMA_TASKS_MAX, "processes"),
	OPT_COUNT('t', "nr_threads", &opt.threads, 0, NUMA_TASKS_MAX, "threads a process; 0: the allowed CPUs over -p"),
	OPT_MB('G', "mb_global", &opt.global, 0, NUMA_BYTES_MAX, "memory that all tasks share"),
	OPT_MB('P', "mb_proc", &opt.process, 0, NUMA_BYTES_MAX,
		"memory of each process; 0 is 64 where -L and -T are 0 and -G is 1"),
	OPT_MB('L', "mb_proc_locked", &opt.locked, 0, NUMA_BYTES_MAX,
		"of -P, gone over once more under the process's lock"),
	OPT_MB('T', "mb_thread", &opt.thread, 0, NUMA_BYTES_MAX, "memory of each thread"),
	OPT_COUNT('l', "nr_loops", &opt.loops, 0, OPT_MAX, "end after so many loops over all memory; 0: by time only"),
	OPT_TIME('s', "nr_secs", &opt.runtime_ns, NSEC_PER_MSEC, OPT_MAX, "end after this time at the latest"),
	OPT_COUNT('u', "usleep", &opt.sleep_us, 0, 1000000, "microseconds of sleep before each loop"),
	OPT_FLAG('R', "data_reads", &opt.reads, "read; without -W: only read"),
	OPT_FLAG('W', "data_writes", &opt.writes, "write; without -R: only write; with neither: read, add, write back"),
	OPT_FLAG('B', "data_backwards", &opt.backwards, "every second loop goes backwards"),
	OPT_FLAG('Z', "data_zero_memset", &opt.zero, "set to zero by memset, nothing else"),
	OPT_FLAG('r', "data_rand_walk", &opt.random, "go over pieces of 8 KB in random order"),
	OPT_FLAG('z', "init_zero", &opt.fill_zero, "fill with zeroes before; without -z and -I: each page is touched"),
	OPT_FLAG('I', "init_random", &opt.fill_random, "fill with random numbers before"),
	OPT_FLAG('0', "init_cpu0", &opt.fill_on_cpu0, "touch all memory first on CPU 0"),
	OPT_TIME('x', "perturb_secs", &opt.perturb_ns, 0, OPT_MAX, "move the first task away this often; 0: never"),
	OPT_FLAG('d', "show_details", &opt.details, "seconds and bytes of the first 24 tasks, as metrics"),
	OPT_FLAG('a', "all", &opt.all, "refused: there is no built-in series; sweep, such as -p 1,2,4 -t 1-8*2"),
	OPT_INT('H', "thp", &opt.thp, -1, 1, "transparent huge pages: 1 advised, -1 advised against, 0 no advice"),
	OPT_FLAG('c', "show_convergence", &opt.show_convergence, "how many nodes each process ended on, as metrics"),
	OPT_FLAG('m', "measure_convergence", &opt.measure_convergence,
		"since when all threads of each process ran on one node"),
	OPT_FLAG('q', "quiet", &opt.quiet, "rows in words, and no line about the tasks"),
	OPT_FLAG('S', "serialize-startup", &opt.serialize, "start tasks one after the other, which is always so"),
	OPT_STRING('C', "cpus", &opt.cpus, "LIST", "bind the first tasks to these CPUs in turn, " TASKLIST_HELP),
	OPT_STRING('M', "memnodes", &opt.nodes, "LIST", "bind the memory of the first tasks to these nodes in turn"),
	OPT_END,
};

static void check(struct run *run)
{
	struct numa_plan plan = numa_plan_new(&opt, run);
	struct cpus nodes;

	tasklist_set(&plan.nodes, &nodes);
	nodepages_online("-M", &nodes, run->topology);
	nodepages_check(&nodes);
	numa_plan_declare(&plan, run);
	run->runtime_ns = opt.runtime_ns;
	numa_plan_release(&plan);
}

static void spawn_process(struct run *run, struct numa_job *job, unsigned first)
{
	unsigned *cpus = xcalloc(job->plan.threads, sizeof(*cpus));

	for (unsigned i = 0; i < job->plan.threads; i++)
		cpus[i] = tasklist_of(&job->plan.cpus, first + i);
	run_spawn(run, &(struct spawn){
			       .role = "task",
			       .work = numa_task_work,
			       .arg = job,
			       .threads = job->plan.threads,
			       .prepare = numa_task_prepare,
			       .bound = job->plan.cpus.count > 0,
			       .cpus = cpus,
		       });
	free(cpus);
}

static void setup(struct run *run)
{
	const struct topology *topology = run->topology;
	struct numa_job *job = run->state = xcalloc(1, sizeof(*job));
	struct numa_plan *plan = &job->plan;
	struct cpus set;

	job->run = run;
	*plan = numa_plan_new(&opt, run);
	if (plan->nodes.count || topology->node_count > 1) {
		job->id_count = topology->nodes[topology->node_count - 1].id + 1;
		job->pages = xmmap(plan->tasks * job->id_count * sizeof(*job->pages), true);
	}
	job->global = numa_memory_new(plan, plan->global, true, numa_plan_global_nodes(plan, &set), -1);
	for (unsigned i = 0; i < plan->processes; i++)
		spawn_process(run, job, i * plan->threads);
}

/* The pages that tasks found of their own, and those of the memory of all. */
static uint64_t *all_pages(const struct numa_job *job)
{
	uint64_t *pages = xcalloc(job->id_count, sizeof(*pages));
	struct cpus set;

	for (size_t i = 0; i < job->plan.tasks * job->id_count; i++)
		pages[i % job->id_count] += job->pages[i];
	nodepages_verify("global memory", job->global, job->plan.global, numa_plan_global_nodes(&job->plan, &set),
		pages, job->id_count);
	return pages;
}

static void report(struct run *run)
{
	const struct numa_job *job = run->state;
	uint64_t *pages = job->pages ? all_pages(job) : NULL;

	numa_report(run, &job->plan, pages, job->id_count);
	free(pages);
}

const struct benchmark benchmark_numa_mem = {
	.summary = "Processes and threads over global, process and thread memory",
	.operation = "byte touched",
	.about = "Processes of several threads go over memory that all of them share, that the threads of a process "
		 "share, "
		 "and that is a thread's own, again and again: each thread over all of it. One operation is a byte "
		 "touched. Creating tasks and memory and its first touch are not measured. -C and -M bind; tasks after "
		 "the "
		 "end of a list are free. Memory of a process is bound with its first task, memory of all tasks to all "
		 "nodes of the list. A task that ran elsewhere, or a bound page that is elsewhere at the end, is an "
		 "error.",
	.options = options,
	.needs = { .nodes = 1 },
	.layout = LAYOUT_ROWS,
	.headline = "B/s",
	.check = check,
	.setup = setup,
	.report = report,
};
