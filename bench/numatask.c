// SPDX-License-Identifier: GPL-2.0-only
#include "numatask.h"

#include <time.h>
#include <unistd.h>

#include "convergence.h"
#include "nodepages.h"
#include "numareport.h"

/* What the threads of a process share. */
struct process {
	const struct numa_job *job;
	char *memory;
	pthread_mutex_t lock;
	atomic_uint running;
	struct convergence *convergence;
};

struct task {
	struct worker *worker;
	struct process *process;
	const struct numa_job *job;
	char *memory;
	unsigned area_count;
	struct work_area areas[4];
	uint64_t sum, moves, next_move_ns; /* next_move_ns 0: never */
	bool watching;                     /* on which nodes the threads are */
};

static void first_touch(enum work_fill fill, char *memory, size_t bytes, int cpu)
{
	struct cpus before;

	cpus_allowed(&before);
	if (cpu >= 0 && cpus_bind_one((unsigned)cpu) < 0)
		die_or_skip("moving to CPU %d for the first touch", cpu);
	work_fill(fill, memory, bytes);
	if (cpu >= 0 && cpus_bind(&before) < 0)
		die_errno("moving back from CPU %d", cpu);
}

char *numa_memory_new(const struct numa_plan *plan, size_t bytes, bool shared, const struct cpus *nodes, int cpu)
{
	char *memory;

	if (!bytes)
		return NULL;
	memory = xmmap(bytes, shared);
	nodepages_advise(plan->options->thp, memory, bytes);
	if (nodes)
		nodepages_bind(memory, bytes, nodes);
	first_touch(plan->fill, memory, bytes, plan->options->fill_on_cpu0 ? 0 : cpu);
	return memory;
}

/* In a process that is not bound yet: its memory is to be where its first task will be. */
void numa_task_prepare(struct worker *first)
{
	const struct numa_job *job = first->arg;
	const struct numa_plan *plan = &job->plan;
	struct process *process = xcalloc(1, sizeof(*process));
	struct cpus set;

	process->job = job;
	process->memory =
		numa_memory_new(plan, plan->process, false, numa_plan_nodes(plan, first->index, &set), first->cpu);
	process->convergence = convergence_new(plan->threads);
	pthread_mutex_init(&process->lock, NULL);
	atomic_init(&process->running, plan->threads);
	first->arg = process;
}

/* Of count threads that share the memory, number index begins its passes at part index of it. */
static struct work_area *add_area(struct task *task, char *memory, size_t bytes, unsigned index, unsigned count)
{
	struct work_area *area = &task->areas[task->area_count];
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	*area = (struct work_area){ .memory = memory, .bytes = bytes, .start = bytes / page / count * index * page };
	if (bytes)
		task->area_count++;
	return area;
}

static void see_node(const struct task *task)
{
	const struct topology *topology = task->job->run->topology;

	convergence_see(
		task->process->convergence, task->worker->thread, topology_node_of_cpu(topology, cpus_current()));
}

static struct task task_begin(struct worker *worker)
{
	struct process *process = worker->arg;
	const struct numa_job *job = process->job;
	const struct numa_plan *plan = &job->plan;
	const struct numa_options *options = plan->options;
	struct task task = { .worker = worker, .process = process, .job = job };
	struct cpus set;

	task.memory = numa_memory_new(plan, plan->thread, false, numa_plan_nodes(plan, worker->index, &set), -1);
	add_area(&task, job->global, plan->global, worker->index, plan->tasks);
	add_area(&task, process->memory, plan->process, worker->thread, plan->threads);
	add_area(&task, task.memory, plan->thread, 0, 1);
	add_area(&task, process->memory, plan->locked, worker->thread, plan->threads)->lock = &process->lock;
	if (worker->index == 0)
		task.next_move_ns = options->perturb_ns;
	task.watching = options->show_convergence || options->measure_convergence;
	see_node(&task);
	return task;
}

/* Not beyond the time that the run has. */
static void nap(const struct task *task, uint64_t us)
{
	uint64_t ns = us < UINT64_MAX / NSEC_PER_USEC ? us * NSEC_PER_USEC : UINT64_MAX;
	uint64_t limit = task->job->run->runtime_ns, elapsed = worker_elapsed(task->worker);
	struct timespec time;

	if (limit && ns > limit - elapsed)
		ns = limit > elapsed ? limit - elapsed : 0;
	time = (struct timespec){ .tv_sec = (time_t)(ns / NSEC_PER_SEC), .tv_nsec = (long)(ns % NSEC_PER_SEC) };
	nanosleep(&time, NULL);
}

/* To another node or, where there is none, another CPU. It is not kept there: what the kernel does then is the test. */
static void move_away(struct task *task)
{
	const struct run *run = task->job->run;
	unsigned here = cpus_current();
	int there = topology_find(run->topology, &run->allowed, here, TOPOLOGY_REMOTE);

	if (there < 0)
		there = cpus_next(&run->allowed, here + 1);
	if (there < 0)
		there = cpus_next(&run->allowed, 0);
	if (cpus_bind_one((unsigned)there) < 0 || cpus_bind(&run->allowed) < 0)
		die_or_skip("moving to CPU %d", there);
	task->moves++;
	task->next_move_ns += task->job->plan.options->perturb_ns;
}

static void watch_convergence(struct task *task)
{
	see_node(task);
	if (task->worker->thread == 0)
		convergence_judge(task->process->convergence, worker_elapsed(task->worker));
}

static void before_loop(struct task *task)
{
	uint64_t sleep_us = task->job->plan.options->sleep_us;

	if (sleep_us)
		nap(task, sleep_us);
	if (task->next_move_ns && worker_elapsed(task->worker) >= task->next_move_ns)
		move_away(task);
	if (task->watching)
		watch_convergence(task);
}

static size_t loop_once(struct task *task, uint64_t loop)
{
	size_t bytes = 0;

	for (unsigned i = 0; i < task->area_count; i++)
		bytes += work_pass(&task->job->plan.work, &task->areas[i], loop, task->worker, &task->sum);
	return bytes;
}

/* The last one to end does it, when nobody works on the memory any more. */
static void process_end(const struct task *task, uint64_t *pages)
{
	const struct numa_job *job = task->job;
	unsigned first = task->worker->index - task->worker->thread;
	struct cpus set;

	if (pages)
		nodepages_verify("process memory", task->process->memory, job->plan.process,
			numa_plan_nodes(&job->plan, first, &set), pages, job->id_count);
	if (job->plan.options->thp)
		task->worker->slot->counts[NUMA_HUGE_BYTES] = nodepages_huge("\nAnonHugePages:");
}

static void task_end(const struct task *task)
{
	const struct numa_job *job = task->job;
	const struct worker *worker = task->worker;
	const struct convergence *convergence = task->process->convergence;
	uint64_t *pages = job->pages ? job->pages + worker->index * job->id_count : NULL;
	struct cpus set;

	worker->slot->counts[NUMA_SUM] = task->sum;
	worker->slot->counts[NUMA_MOVES] = task->moves;
	if (worker->thread == 0) {
		worker->slot->counts[NUMA_NODES] = convergence_nodes(convergence);
		worker->slot->counts[NUMA_SINCE_NS] = convergence->since_ns;
	}
	if (pages)
		nodepages_verify("thread memory", task->memory, job->plan.thread,
			numa_plan_nodes(&job->plan, worker->index, &set), pages, job->id_count);
	if (atomic_fetch_sub(&task->process->running, 1) == 1)
		process_end(task, pages);
}

void numa_task_work(struct worker *worker)
{
	struct task task = task_begin(worker);
	uint64_t limit = task.job->plan.loops, bytes = 0;

	worker_ready(worker);
	for (uint64_t loop = 0; loop < limit && !worker_stopping(worker); loop++) {
		before_loop(&task);
		bytes += loop_once(&task, loop);
	}
	worker_done(worker, bytes);
	task_end(&task);
}
