// SPDX-License-Identifier: GPL-2.0-only
/*
 * The loop that `kbench mem pagefaults` is held against: threads that map, touch every page once and unmap, each for
 * itself; ns a touch on stdout, over all of them.
 *
 *	pagefaults-peer MEGABYTES ROUNDS THREADS
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MAX 1024

static size_t bytes, page;
static int rounds;
static pthread_barrier_t start_line;

struct thread {
	_Alignas(128) double ns;
	pthread_t id;
};

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void *touch(void *arg)
{
	struct thread *thread = arg;

	pthread_barrier_wait(&start_line);
	for (int round = 0; round < rounds; round++) {
		volatile char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		double start = now_ns();

		if (memory == MAP_FAILED)
			exit(1);
		for (size_t i = 0; i < bytes; i += page)
			memory[i] = 1;
		thread->ns += now_ns() - start;
		munmap((void *)(size_t)memory, bytes);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static struct thread threads[THREADS_MAX];
	int count = argc > 3 ? atoi(argv[3]) : 1;
	double ns = 0;

	bytes = (argc > 1 ? strtoul(argv[1], NULL, 10) : 128) << 20;
	rounds = argc > 2 ? atoi(argv[2]) : 1;
	page = (size_t)sysconf(_SC_PAGESIZE);
	if (count < 1 || count > THREADS_MAX || rounds < 1 || !bytes)
		return 2;
	prctl(PR_SET_THP_DISABLE, 1L, 0L, 0L, 0L);
	pthread_barrier_init(&start_line, NULL, (unsigned)count);
	for (int i = 0; i < count; i++)
		if (pthread_create(&threads[i].id, NULL, touch, &threads[i]))
			return 1;
	for (int i = 0; i < count; i++) {
		pthread_join(threads[i].id, NULL);
		ns += threads[i].ns;
	}
	printf("%.3f\n", ns / ((double)count * (double)rounds * (double)(bytes / page)));
	return 0;
}
