// SPDX-License-Identifier: GPL-2.0-only
#include "faultserver.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "faultregion.h"

/* Headers may be older than the kernel. */
#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif

#define MESSAGES 16

/* Faults of user code are all that is wanted, and since Linux 5.11 everybody may have those. -1 with errno. */
static int open_uffd(void)
{
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);

	if (fd < 0 && errno == EINVAL)
		fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	return fd;
}

void server_check(struct run *run, const struct fault_plan *plan)
{
	int fd = open_uffd();

	(void)plan;
	if (fd < 0 && (errno == ENOSYS || errno == EINVAL))
		skip("this kernel has no userfaultfd");
	if (fd < 0 && (errno == EPERM || errno == EACCES))
		skip("userfaultfd: %s (vm.unprivileged_userfaultfd is 0 and CAP_SYS_PTRACE is not held, or a filter "
		     "of system calls refuses it)",
			strerror(errno));
	if (fd < 0)
		die_errno("userfaultfd");
	xclose(fd);
	run_need(run, NEED_DESCRIPTORS, 1);
}

int server_open(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	int fd = open_uffd();

	if (fd < 0)
		die_errno("userfaultfd");
	if (ioctl(fd, UFFDIO_API, &api) < 0)
		die_errno("ioctl UFFDIO_API");
	return fd;
}

void server_register(struct region *region)
{
	struct uffdio_register ask = { .mode = UFFDIO_REGISTER_MODE_MISSING };

	region_map(region, MAP_PRIVATE | MAP_ANONYMOUS);
	ask.range.start = (uintptr_t)region->base;
	ask.range.len = region->bytes;
	if (ioctl(region->plan->server, UFFDIO_REGISTER, &ask) < 0)
		die_errno("ioctl UFFDIO_REGISTER");
}

/* Also wakes who waits for it. */
static void give_page(int fd, uint64_t address, const char *page, size_t page_size)
{
	struct uffdio_copy copy = {
		.dst = address & ~(uint64_t)(page_size - 1),
		.src = (uintptr_t)page,
		.len = page_size,
	};

	while (ioctl(fd, UFFDIO_COPY, &copy) < 0)
		if (errno != EAGAIN && errno != EINTR)
			die_errno("ioctl UFFDIO_COPY");
}

/* Returned: how many there were. */
static size_t answer(int fd, const char *page, size_t page_size)
{
	struct uffd_msg messages[MESSAGES];
	ssize_t got = read(fd, messages, sizeof(messages));
	size_t count = got > 0 ? (size_t)got / sizeof(*messages) : 0;

	if (got < 0 && errno != EAGAIN && errno != EINTR)
		die_errno("read of userfaultfd");
	for (size_t i = 0; i < count; i++)
		give_page(fd, messages[i].arg.pagefault.address, page, page_size);
	return count;
}

void server_work(struct worker *worker, const struct fault_plan *plan, int end)
{
	struct pollfd ends[] = { { .fd = plan->server, .events = POLLIN }, { .fd = end, .events = POLLIN } };
	char *page = xmmap(plan->page_size, false);
	uint64_t served = 0;

	memset(page, 1, plan->page_size);
	worker_ready(worker);
	while (!ends[1].revents) {
		if (poll(ends, ARRAY_SIZE(ends), -1) < 0 && errno != EINTR)
			die_errno("poll");
		if (ends[0].revents)
			served += answer(plan->server, page, plan->page_size);
	}
	worker_done(worker, 0);
	worker->slot->counts[COUNT_SERVED] = served;
}
