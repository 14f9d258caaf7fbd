// SPDX-License-Identifier: GPL-2.0-only
/*
 * sched messaging: groups of senders and receivers; each sender writes to every receiver of its group, in turn.
 *
 * One operation is one message received. The time runs from the gate until the last task is reaped, as in hackbench and
 * perf bench: with few loops it is mostly the ending of tasks. last-message-sec ends with the last message, and rates and
 * switches are of that time. Creating the tasks and their channels is not measured.
 */
#include "bench.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MESSAGE_MAX  (1 << 20)
#define OTHER_BYTES  0x11
#define LAST_BYTE    0x5a /* of a message */
#define SMALL_BUFFER 512  /* on the stack; a page more would be a fault more for each of thousands of processes */

static struct {
	uint64_t groups, loops, fds, size;
	bool pipe, inet, threads, fifo;
} opt = { .groups = 10, .loops = 100, .fds = 20, .size = 100 };

static const struct opt options[] = {
	OPT_COUNT('g', "group", &opt.groups, 1, OPT_MAX, "groups"),
	OPT_COUNT('l', "nr_loops", &opt.loops, 1, OPT_MAX, "messages from each sender to each receiver of its group"),
	OPT_FLAG('p', "pipe", &opt.pipe, "pipes instead of Unix sockets"),
	OPT_FLAG('t', "thread", &opt.threads, "threads instead of processes"),
	OPT_COUNT('f', "fds", &opt.fds, 1, OPT_MAX, "senders in a group, and as many receivers"),
	OPT_SIZE('s', "datasize", &opt.size, 1, MESSAGE_MAX, "size of a message"),
	OPT_FLAG('i', "inet", &opt.inet, "TCP over loopback instead of Unix sockets; not with -p"),
	OPT_FLAG('F', "fifo", &opt.fifo, "the scheduling policy SCHED_FIFO for all tasks"),
	OPT_END,
};

/*
 * One channel for each receiver, numbered through the groups. Workers are spawned group by group, receivers first, so
 * that their index tells the group and the channel.
 */
struct state {
	char *message;
	struct channel {
		int ends[2]; /* to read from, to write to */
	} * channels;
};

static uint64_t first_channel(const struct worker *worker)
{
	return worker->index / (2 * opt.fds) * opt.fds;
}

static uint64_t place_in_group(unsigned index)
{
	return index % (2 * opt.fds);
}

static void check(struct run *run)
{
	uint64_t channels = run_product("receivers", opt.groups, opt.fds);
	uint64_t tasks = run_product("tasks", channels, 2);
	uint64_t messages = run_product("messages", run_product("messages", channels, opt.fds), opt.loops);

	if (opt.pipe && opt.inet)
		usage("-p/--pipe and -i/--inet exclude each other");
	run_product("bytes", messages, opt.size);
	run_workers(run, tasks, opt.threads);
	/* A process run has the write ends of one group, one read end, and the listener while TCP connects. */
	run_need(run, NEED_DESCRIPTORS, (opt.threads ? tasks : opt.fds + 1) + opt.inet);
	run_need(run, NEED_MEMORY, run_product("bytes of buffers", channels, opt.size));
}

static void check_policy(void)
{
	if (opt.fifo && syscall(SYS_sched_getscheduler, 0) != SCHED_FIFO)
		die("runs without SCHED_FIFO, which was set before it was started");
}

static void send_message(int fd, const char *message, size_t size)
{
	ssize_t put = write(fd, message, size);
	size_t done = put > 0 ? (size_t)put : 0;

	/* Interrupted, or failed: then it fails again there, and is named. */
	if (done < size)
		xwrite_all(fd, message + done, size - done);
}

static void sender(struct worker *worker)
{
	const struct state *state = worker->arg;
	const struct channel *channels = &state->channels[first_channel(worker)];
	uint64_t loops = opt.loops, fds = opt.fds;
	size_t size = (size_t)opt.size;

	check_policy();
	worker_ready(worker);
	for (uint64_t loop = 0; loop < loops; loop++)
		for (uint64_t i = 0; i < fds; i++)
			send_message(channels[i].ends[1], state->message, size);
	worker_done(worker, 0); /* messages are counted where they arrive */
}

static size_t receive(int fd, char *buffer, size_t size)
{
	ssize_t got;

	do
		got = read(fd, buffer, size);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		die_errno("read");
	if (got == 0)
		die_echo("read: all senders have closed their ends");
	return (size_t)got;
}

static void receiver(struct worker *worker)
{
	const struct state *state = worker->arg;
	uint64_t first = first_channel(worker), own = first + place_in_group(worker->index);
	uint64_t messages = opt.fds * opt.loops, expected = messages * opt.size, bytes = 0;
	char small[SMALL_BUFFER], *buffer = opt.size <= sizeof(small) ? small : xmalloc((size_t)opt.size);
	int fd = state->channels[own].ends[0];
	size_t size = (size_t)opt.size, got;

	check_policy();
	memset(buffer, 0, size); /* faults belong before the gate */
	/* Inherited: with one of them open a channel never ends. */
	for (uint64_t i = first; i <= own && !opt.threads; i++)
		xclose(state->channels[i].ends[1]);
	worker_ready(worker);
	do {
		got = receive(fd, buffer, size);
		bytes += got;
	} while (bytes < expected);
	worker_done(worker, messages);
	if (bytes != expected || buffer[got - 1] != LAST_BYTE)
		die("received %" PRIu64 " bytes, the last of them 0x%02x; expected %" PRIu64 " and 0x%02x", bytes,
			(unsigned char)buffer[got - 1], expected, LAST_BYTE);
	if (buffer != small)
		free(buffer);
}

static void open_channel(int ends[2])
{
	if (opt.pipe)
		xpipe(ends);
	else if (opt.inet)
		xtcp_pair(ends);
	else
		xsocketpair(ends);
}

/* Processes hold what they use and no more: copied descriptors would be closed by the last to exit, in the region. */
static void spawn_group(struct run *run, uint64_t first)
{
	struct state *state = run->state;
	struct spawn in = { .role = "receiver", .work = receiver, .arg = state, .thread = opt.threads };
	struct spawn out = { .role = "sender", .work = sender, .arg = state, .thread = opt.threads };

	for (uint64_t i = first; i < first + opt.fds; i++) {
		open_channel(state->channels[i].ends);
		run_spawn(run, &in);
		if (!opt.threads)
			xclose(state->channels[i].ends[0]);
	}
	for (uint64_t i = 0; i < opt.fds; i++)
		run_spawn(run, &out);
	for (uint64_t i = first; i < first + opt.fds && !opt.threads; i++)
		xclose(state->channels[i].ends[1]);
}

static void setup(struct run *run)
{
	struct state *state = run->state = xmalloc(sizeof(*state));
	uint64_t channels = opt.groups * opt.fds;

	state->channels = xcalloc((size_t)channels, sizeof(*state->channels));
	state->message = xmalloc((size_t)opt.size);
	memset(state->message, OTHER_BYTES, (size_t)opt.size);
	state->message[opt.size - 1] = LAST_BYTE;
	if (opt.fifo)
		run_use_fifo(run);
	for (uint64_t first = 0; first < channels; first += opt.fds)
		spawn_group(run, first);
}

static uint64_t last_message_ns(const struct run *run)
{
	uint64_t last = run->gate_ns;

	for (unsigned i = 0; i < run_worker_count(run); i++)
		if (place_in_group(i) < opt.fds && run_slot(run, i)->end_ns > last)
			last = run_slot(run, i)->end_ns;
	return last - run->gate_ns;
}

static void report(struct run *run)
{
	const char *kind = opt.threads ? "threads" : "processes";
	double sec = (double)last_message_ns(run) / (double)NSEC_PER_SEC, messages = (double)run_operations(run);
	struct worker_usage used = run_usage(run);

	run_note(run, "%" PRIu64 " sender and receiver %s per group", opt.fds, kind);
	run_note(run, "%" PRIu64 " groups == %u %s run", opt.groups, run_worker_count(run), kind);
	run_metric(run, "last-message-sec", sec, BETTER_LOWER);
	run_metric(run, "op/s", messages / sec, BETTER_HIGHER);
	run_metric(run, "B/s", messages * (double)opt.size / sec, BETTER_HIGHER);
	run_metric(run, "switches/op", (double)(used.voluntary_switches + used.involuntary_switches) / messages,
		BETTER_LOWER);
}

const struct benchmark benchmark_sched_messaging = {
	.summary = "Messages between groups of senders and receivers",
	.operation = "message",
	.about = "Each sender of a group writes to every receiver of the group, in turn. One operation is one message "
		 "received. The time runs until the last task is reaped, so with few loops it is mostly the ending of "
		 "tasks; last-message-sec ends with the last message, and op/s, B/s and switches/op are of that time. "
		 "Creating the tasks is not measured.",
	.options = options,
	.layout = LAYOUT_TIME,
	.headline = "sec",
	.until = UNTIL_REAPED,
	.check = check,
	.setup = setup,
	.report = report,
};
