// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every benchmark, one row each, in the order of the listings. A collection's row says what it holds and which of its
 * benchmarks is meant when none is named (NULL: none; where there is only one, that). BENCHMARK(sched, pipe) stands for the file
 * bench/sched-pipe.c, its struct benchmark_sched_pipe, the words "sched pipe" and the object that make builds; an
 * underscore in a row is a dash in file and word. Read several times with different meanings of the two macros.
 */
COLLECTION(sched, "Scheduler and IPC benchmarks", NULL)
BENCHMARK(sched, messaging)
BENCHMARK(sched, pipe)

COLLECTION(mem, "Memory management benchmarks", NULL)
BENCHMARK(mem, pagefaults)
BENCHMARK(mem, memcpy)
BENCHMARK(mem, memset)
BENCHMARK(mem, mmap)

COLLECTION(numa, "NUMA scheduling and memory benchmarks", "mem")
BENCHMARK(numa, balance)
BENCHMARK(numa, bandwidth)
BENCHMARK(numa, latency)
BENCHMARK(numa, mem)
BENCHMARK(numa, migrate)

COLLECTION(self, "The price of the harness itself", NULL)
BENCHMARK(self, nop)
