// SPDX-License-Identifier: GPL-2.0-only
#include "signals.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

/* How often it is looked whether a signal has come, and for how many looks it is waited then: a second. */
#define LOOK_MS 10
#define LOOKS   100

static const int numbers[] = { SIGHUP, SIGINT, SIGQUIT, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU };

static bool ends_us(int number)
{
	struct sigaction action;

	return sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN;
}

void signals_ending(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (ends_us(numbers[i]))
			sigaddset(set, numbers[i]);
}

int signals_pending(void)
{
	sigset_t pending;

	sigpending(&pending);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (sigismember(&pending, numbers[i]) == 1 && ends_us(numbers[i]))
			return numbers[i];
	return 0;
}

bool signals_let_wait(unsigned *looks)
{
	struct pollfd none = { .fd = -1 };

	poll(&none, 1, LOOK_MS);
	return !signals_pending() || ++*looks < LOOKS;
}

bool signals_let_write(int fd)
{
	struct pollfd output = { .fd = fd, .events = POLLOUT };
	unsigned looks = 0;

	while (poll(&output, 1, LOOK_MS) == 0)
		if (signals_pending() && ++looks == LOOKS)
			return false;
	return true;
}

int signals_write_all(int fd, const char *text, size_t length)
{
	for (size_t done = 0; done < length;) {
		size_t piece = length - done < SIGNALS_WRITE ? length - done : SIGNALS_WRITE;
		ssize_t put;

		if (!signals_let_write(fd))
			return signals_pending();
		put = write(fd, text + done, piece);
		if (put >= 0)
			done += (size_t)put;
		else if (errno != EINTR)
			return -1;
	}
	return 0;
}
