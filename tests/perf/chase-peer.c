// SPDX-License-Identifier: GPL-2.0-only
/*
 * The walk that `kbench numa latency` is held against: on CPU 0, a random cycle over the lines of so many megabytes in small
 * pages, so many loads five times; the median of ns a load on stdout.
 */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define LINE 64

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static char *map(size_t bytes)
{
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		exit(1);
	madvise(memory, bytes, MADV_NOHUGEPAGE);
	memset(memory, 1, bytes);
	return memory;
}

/* The lines in a random order, each pointing to the one after it, the last to the first. */
static void chain(char *memory, size_t lines)
{
	uint32_t *order = malloc(lines * sizeof(*order));
	uint64_t random = 88172645463325252u;

	for (size_t i = 0; i < lines; i++) {
		size_t other;

		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		other = random % (i + 1);
		order[i] = order[other];
		order[other] = (uint32_t)i;
	}
	for (size_t i = 0; i < lines; i++)
		*(char **)(memory + (size_t)order[i] * LINE) = memory + (size_t)order[(i + 1) % lines] * LINE;
	free(order);
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int main(int argc, char **argv)
{
	size_t bytes = (argc > 1 ? strtoul(argv[1], NULL, 10) : 128) << 20;
	long loads = argc > 2 ? atol(argv[2]) : 1000000;
	char *memory, **at;
	double ns[5];
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) < 0)
		return 1;
	memory = map(bytes);
	chain(memory, bytes / LINE);
	munmap(map(bytes), bytes); /* what was just written leaves the caches */
	at = (char **)memory;
	for (int round = 0; round < 5; round++) {
		double start;

		for (long i = 0; i < loads / 8; i++)
			at = (char **)*at;
		start = now_ns();
		for (long i = 0; i < loads; i++)
			at = (char **)*at;
		ns[round] = (now_ns() - start) / (double)loads;
	}
	qsort(ns, 5, sizeof(ns[0]), compare);
	printf("%.3f\n", ns[2]);
	return at == NULL;
}
