// SPDX-License-Identifier: GPL-2.0-only
/*
 * sched pipe: two tasks pass a token back and forth through two pipes.
 *
 * One operation is a round trip of a token: four system calls and, with one token on one CPU, two context switches. Creating
 * the tasks and ending them is not measured. Where the two tasks run decides the result, so it can be chosen, and what
 * happened is reported.
 */
#include "bench.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "cgroup.h"
#include "place.h"
#include "units.h"

static struct {
	uint64_t loops;
	bool threaded;
	bool nonblocking;
	const char *cgroups;
	uint64_t size;
	uint64_t tokens;
	const char *place;
} opt = { .loops = 1000000, .size = 4, .tokens = 1, .place = "free" };

static const struct opt options[] = { OPT_COUNT('l', "loop", &opt.loops, 1, OPT_MAX, "round trips"),
	OPT_FLAG('T', "threaded", &opt.threaded, "two threads of one process instead of two processes"),
	OPT_FLAG('n', "nonblocking", &opt.nonblocking, "non-blocking pipes, waiting with epoll"),
	OPT_STRING(
		'G', "cgroups", &opt.cgroups, "SEND,RECV", "cgroup v2 group of each task, as a path below the mount"),
	OPT_SIZE('s', "size", &opt.size, 1, 1 << 20, "bytes of a token"),
	OPT_COUNT(0, "tokens", &opt.tokens, 1, 8192, "tokens that circulate"),
	OPT_WORDS(0, "place", &opt.place, "WHERE", PLACE_HELP), OPT_END };

/* Tokens that wait must fit a pipe, or both tasks can stand before a full one: half of the usual 16 pages. */
#define PIPE_ROOM 32768

/* The run is cut into at most this many parts, between which the tasks note where they are. */
#define PARTS 100

enum { PARTS_SEEN, PARTS_TOGETHER };

/* Written by its task, read by the other one between two parts. */
struct seen {
	_Alignas(CACHE_LINE) atomic_uint cpu;
};

struct side {
	int in, out, epoll; /* epoll: -1 for blocking pipes */
	char *buffer;
	size_t size;
	char *group;              /* NULL: stays where it is */
	struct seen *mine, *peer; /* where each was when it began its latest part */
};

struct state {
	struct side ping, pong;
	unsigned cpus[2];
	bool bound;
};

static void put(const struct side *side, size_t size)
{
	ssize_t done = write(side->out, side->buffer, size);

	if (__builtin_expect(done != (ssize_t)size, 0))
		xwrite_all(side->out, side->buffer + (done > 0 ? done : 0), size - (size_t)(done > 0 ? done : 0));
}

static void take(const struct side *side, size_t size)
{
	ssize_t done = read(side->in, side->buffer, size);

	if (__builtin_expect(done != (ssize_t)size, 0))
		xread_all(side->in, side->buffer + (done > 0 ? done : 0), size - (size_t)(done > 0 ? done : 0));
}

static void take_nonblocking(const struct side *side, size_t size)
{
	struct epoll_event event;

	while (epoll_wait(side->epoll, &event, 1, -1) < 0)
		if (errno != EINTR)
			die_errno("epoll_wait");
	take(side, size);
}

/* The measured loops, of both tasks: one for each way to wait. */

static void pass_on(const struct side *side, size_t size, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		take(side, size);
		put(side, size);
	}
}

static void pass_on_nonblocking(const struct side *side, size_t size, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		take_nonblocking(side, size);
		put(side, size);
	}
}

static void in_parts(struct worker *worker, uint64_t rounds)
{
	const struct side *side = worker->arg;
	uint64_t parts = rounds < PARTS ? rounds : PARTS;

	for (uint64_t i = 0; i < parts; i++) {
		unsigned cpu = cpus_current();

		atomic_store_explicit(&side->mine->cpu, cpu, memory_order_relaxed);
		(opt.nonblocking ? pass_on_nonblocking : pass_on)(
			side, side->size, rounds / parts + (i < rounds % parts));
		worker->slot->counts[PARTS_TOGETHER] +=
			atomic_load_explicit(&side->peer->cpu, memory_order_relaxed) == cpu;
	}
	worker->slot->counts[PARTS_SEEN] = parts;
}

static void prepare(const struct side *side)
{
	if (side->group && cgroup_join(side->group, opt.threaded) < 0)
		die_or_skip("joining cgroup %s", side->group);
}

/* Starts the tokens, and in the end takes them away: each makes as many round trips as its share of the loops. */
static void ping(struct worker *worker)
{
	const struct side *side = worker->arg;

	prepare(side);
	worker_ready(worker);
	atomic_store_explicit(&side->mine->cpu, cpus_current(), memory_order_relaxed);
	for (uint64_t i = 0; i < opt.tokens; i++)
		put(side, side->size);
	in_parts(worker, opt.loops - opt.tokens);
	for (uint64_t i = 0; i < opt.tokens; i++)
		(opt.nonblocking ? take_nonblocking : take)(side, side->size);
	worker_done(worker, opt.loops);
}

static void pong(struct worker *worker)
{
	prepare(worker->arg);
	worker_ready(worker);
	in_parts(worker, opt.loops);
	worker_done(worker, 0);
}

/* Two words with a comma between. */
static bool are_two(const char *list)
{
	const char *comma = strchr(list, ',');

	return comma && comma > list && comma[1] && !strchr(comma + 1, ',');
}

static void check(struct run *run)
{
	unsigned cpus[2];
	char size[UNITS_TEXT];

	if (opt.tokens > opt.loops)
		usage("--tokens %llu: more than the %llu round trips of --loop", (unsigned long long)opt.tokens,
			(unsigned long long)opt.loops);
	if ((opt.tokens > 1 || opt.nonblocking) && opt.tokens * opt.size > PIPE_ROOM)
		usage("--tokens %llu of --size %s do not fit a pipe; several tokens, or --nonblocking, allow %d bytes "
		      "in all",
			(unsigned long long)opt.tokens, units_format_size(size, opt.size), PIPE_ROOM);
	if (opt.cgroups && !are_two(opt.cgroups))
		usage("option -G, --cgroups: '%s' is not two groups SEND,RECV", opt.cgroups);
	run_workers(run, 2, opt.threaded);
	run_need(run, NEED_DESCRIPTORS, 6);
	place_resolve(run, opt.place, cpus);
}

static int epoll_on(int fd)
{
	struct epoll_event event = { .events = EPOLLIN };
	int epoll = epoll_create1(EPOLL_CLOEXEC);

	if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0)
		die_errno("epoll");
	return epoll;
}

static void setup_side(struct side *side, int in, int out)
{
	side->in = in;
	side->out = out;
	side->epoll = -1;
	side->size = (size_t)opt.size;
	side->buffer = xcalloc(1, side->size);
	if (!opt.nonblocking)
		return;
	xset_nonblocking(in);
	xset_nonblocking(out);
	side->epoll = epoll_on(in);
}

static void setup_groups(struct state *state)
{
	char *groups = xstrdup(opt.cgroups);

	state->ping.group = strsep(&groups, ",");
	state->pong.group = groups;
}

static void spawn(struct run *run, struct side *side, unsigned index, const char *role, void (*work)(struct worker *))
{
	struct state *state = run->state;

	run_spawn(run, &(struct spawn){
			       .role = role,
			       .work = work,
			       .arg = side,
			       .thread = opt.threaded,
			       .bound = state->bound,
			       .cpu = state->cpus[index],
			       .watch_migrations = true,
		       });
}

static void setup(struct run *run)
{
	struct state *state = run->state = xcalloc(1, sizeof(*state));
	struct seen *seen = xmmap(2 * sizeof(*seen), true);
	int there[2], back[2];

	state->bound = place_resolve(run, opt.place, state->cpus);
	xpipe(there);
	xpipe(back);
	setup_side(&state->ping, back[0], there[1]);
	setup_side(&state->pong, there[0], back[1]);
	if (opt.cgroups)
		setup_groups(state);
	state->ping.mine = state->pong.peer = &seen[0];
	state->pong.mine = state->ping.peer = &seen[1];
	spawn(run, &state->ping, 0, "ping", ping);
	spawn(run, &state->pong, 1, "pong", pong);
	if (opt.threaded)
		return;
	/* A task that dies must be seen by its peer as the end of the pipe. */
	for (int i = 0; i < 2; i++) {
		xclose(there[i]);
		xclose(back[i]);
	}
}

static void report_placement(struct run *run, double switches, double voluntary)
{
	const struct state *state = run->state;
	const struct worker_slot *first = run_slot(run, 0), *second = run_slot(run, 1);
	double together = 100.0 * (double)second->counts[PARTS_TOGETHER] / (double)second->counts[PARTS_SEEN];
	int64_t migrations =
		first->migrations < 0 || second->migrations < 0 ? -1 : first->migrations + second->migrations;
	char moved[UNITS_TEXT] = "n/a";

	run_metric(run, "migrations", migrations < 0 ? (double)NAN : (double)migrations, BETTER_NONE);
	run_metric(run, "same-cpu-percent", together, BETTER_NONE);
	if (state->bound) {
		run_remark(run, "placed on CPUs %u and %u (%s), %llu token%s of %llu bytes", state->cpus[0],
			state->cpus[1], topology_describe(run_topology(run), state->cpus[0], state->cpus[1]),
			(unsigned long long)opt.tokens, opt.tokens == 1 ? "" : "s", (unsigned long long)opt.size);
	} else {
		run_remark(run, "placed freely, %llu token%s of %llu bytes", (unsigned long long)opt.tokens,
			opt.tokens == 1 ? "" : "s", (unsigned long long)opt.size);
	}
	if (migrations >= 0)
		units_format_count(moved, (uint64_t)migrations);
	run_remark(run, "switches/op %.2f, voluntary %.2f; same CPU %.0f %% of %llu looks; migrations %s", switches,
		voluntary, together, (unsigned long long)second->counts[PARTS_SEEN], moved);
}

static void report(struct run *run)
{
	struct worker_usage used = run_usage(run);
	double voluntary = (double)used.voluntary_switches / (double)opt.loops;
	double switches = voluntary + (double)used.involuntary_switches / (double)opt.loops;

	run_note(run, "Executed %llu pipe operations between two %s", (unsigned long long)opt.loops,
		opt.threaded ? "threads" : "processes");
	run_metric_rate(run, opt.loops);
	run_metric(run, "switches/op", switches, BETTER_NONE);
	run_metric(run, "voluntary-switches/op", voluntary, BETTER_NONE);
	report_placement(run, switches, voluntary);
}

const struct benchmark benchmark_sched_pipe = {
	.summary = "Two tasks pass a token back and forth through two pipes",
	.operation = "round trip",
	.about = "One operation is a round trip of a token: four system calls and, with one token on one CPU, two "
		 "context "
		 "switches. Creating the tasks and ending them is not measured. Two tokens give the newer form of this "
		 "benchmark, in which both tasks can run at once.",
	.options = options,
	.layout = LAYOUT_RATE,
	.headline = "sec",
	.check = check,
	.setup = setup,
	.report = report,
};
