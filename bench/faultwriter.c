// SPDX-License-Identifier: GPL-2.0-only
#include "faultwriter.h"

#include <errno.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define PAGES 16

static int timer_new(void)
{
	int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	if (timer < 0)
		die_errno("timerfd_create");
	return timer;
}

static void timer_start(int timer, uint64_t rate)
{
	uint64_t ns = NSEC_PER_SEC / rate;
	struct timespec pace = { .tv_sec = (time_t)(ns / NSEC_PER_SEC), .tv_nsec = (long)(ns % NSEC_PER_SEC) };

	if (timerfd_settime(timer, 0, &(struct itimerspec){ .it_interval = pace, .it_value = pace }, NULL) < 0)
		die_errno("timerfd_settime");
}

/* How many rounds are due; 0: none yet. */
static uint64_t rounds_due(int timer)
{
	uint64_t due = 0;

	if (read(timer, &due, sizeof(due)) < 0 && errno != EAGAIN && errno != EINTR)
		die_errno("read of a timer");
	return due;
}

/* A range that is its own, since others rely on theirs to be free when they have unmapped them. */
static void change_space(char *range, size_t page)
{
	if (mmap(range, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
		MAP_FAILED)
		die_errno("mmap of the writer");
	*(volatile char *)range = 1;
	if (mprotect(range, PAGES * page, PROT_READ) < 0)
		die_errno("mprotect of the writer");
	xmunmap(range, PAGES * page);
}

static bool readable(int fd)
{
	struct pollfd end = { .fd = fd, .events = POLLIN };

	return poll(&end, 1, 0) > 0;
}

static char *reserve(size_t page)
{
	/* A page on either side keeps it from becoming one with what is mapped there. */
	char *range = mmap(NULL, (PAGES + 2) * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (range == MAP_FAILED)
		die_errno("mmap of address space for the writer");
	return range + page;
}

void writer_work(struct worker *worker, uint64_t rate, int end)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct pollfd ends[] = { { .fd = timer_new(), .events = POLLIN }, { .fd = end, .events = POLLIN } };
	char *range = reserve(page);
	uint64_t rounds = 0;

	worker_ready(worker);
	timer_start(ends[0].fd, rate);
	while (!ends[1].revents) {
		if (poll(ends, ARRAY_SIZE(ends), -1) < 0 && errno != EINTR)
			die_errno("poll");
		/* What could not be done in time is made up for, but not after the others have ended. */
		for (uint64_t due = rounds_due(ends[0].fd); due && !readable(end); due--, rounds++)
			change_space(range, page);
	}
	worker_done(worker, 0);
	worker->slot->counts[COUNT_WRITER_ROUNDS] = rounds;
	worker->slot->counts[COUNT_WRITER_FAULTS] = worker->slot->used.minor_faults;
}
