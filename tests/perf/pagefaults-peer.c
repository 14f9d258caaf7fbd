// SPDX-License-Identifier: GPL-2.0-only
/* The loop that `kbench mem pagefaults` is held against: map, touch every page once, unmap; ns a touch on stdout. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
	size_t megabytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 128, bytes = megabytes << 20;
	int rounds = argc > 2 ? atoi(argv[2]) : 1;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	double ns = 0;

	prctl(PR_SET_THP_DISABLE, 1L, 0L, 0L, 0L);
	for (int round = 0; round < rounds; round++) {
		volatile char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		double start = now_ns();

		if (memory == MAP_FAILED)
			return 1;
		for (size_t i = 0; i < bytes; i += page)
			memory[i] = 1;
		ns += now_ns() - start;
		munmap((void *)(size_t)memory, bytes);
	}
	printf("%.3f\n", ns / ((double)rounds * (double)(bytes / page)));
	return 0;
}
