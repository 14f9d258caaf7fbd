// SPDX-License-Identifier: GPL-2.0-only
/* The loop that `kbench sched pipe` is held against: two processes on CPU 0, two pipes, four bytes; seconds on stdout. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	long loops = argc > 1 ? atol(argv[1]) : 100000;
	int there[2], back[2], token = 0;
	double start;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) < 0 || pipe(there) < 0 || pipe(back) < 0)
		return 1;
	if (fork() == 0) {
		for (long i = 0; i < loops + 1; i++)
			if (read(there[0], &token, sizeof(token)) != sizeof(token) ||
				write(back[1], &token, sizeof(token)) != sizeof(token))
				_exit(1);
		_exit(0);
	}
	/* The first round trip waits for the other task to be there. */
	if (write(there[1], &token, sizeof(token)) != sizeof(token) ||
		read(back[0], &token, sizeof(token)) != sizeof(token))
		return 1;
	start = now();
	for (long i = 0; i < loops; i++)
		if (write(there[1], &token, sizeof(token)) != sizeof(token) ||
			read(back[0], &token, sizeof(token)) != sizeof(token))
			return 1;
	printf("%.9f\n", now() - start);
	wait(NULL);
	return 0;
}
