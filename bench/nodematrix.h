// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is measured from CPUs of each node to memory of each node: which nodes, and the result. Ids are real ones; a
 * node may lack CPUs or memory.
 */
#ifndef KBENCH_NODEMATRIX_H
#define KBENCH_NODEMATRIX_H

#include "bench.h"

#define NODEMATRIX_ROUNDS 5 /* a cell is measured so many times, in turn with the others: its median is the result */

/* CPU nodes are rows, memory nodes columns, both in order of ids. Of moves: nodes to move memory from, and to. */
struct nodematrix {
	bool moves;
	struct nodematrix_row {
		unsigned node;
		struct cpus cpus; /* those that may be used; at least one */
	} * rows;
	unsigned *columns;
	size_t row_count, column_count;
	struct cpus no_row, no_column; /* online nodes that could not be one, where all were asked for */
};

/*
 * cpus, nodes: what may be used (nodes NULL: not known). cpu_nodes, memory_nodes: lists as typed after -C and -M; empty:
 * every node that can be one. A list that is none, or names a node that is not online, is a usage error; a node without
 * CPUs or memory that may be used is an error; more cells than a result holds is a usage error.
 */
struct nodematrix nodematrix_new(const struct topology *topology, const struct cpus *cpus, const struct cpus *nodes,
	const char *cpu_nodes, const char *memory_nodes);
void nodematrix_release(struct nodematrix *matrix);

/*
 * Of moves, lists as typed after --from and --to. The CPUs of a row are those of its node that may be used or, where it
 * has none, all. No two different nodes are a skip where there is one node with memory, else a usage error.
 */
struct nodematrix nodematrix_moves(const struct topology *topology, const struct cpus *cpus, const struct cpus *nodes,
	const char *from, const char *to);

/* The same of a run's machine. */
struct nodematrix nodematrix_of(struct run *run, const char *cpu_nodes, const char *memory_nodes);
struct nodematrix nodematrix_moves_of(struct run *run, const char *from, const char *to);

/* Of moves: none goes from a node to itself. */
bool nodematrix_is_move(const struct nodematrix *matrix, size_t row, size_t column);

/* Moves the calling thread to one of the CPUs of a row, by its number among them; and whether it is still there. */
void nodematrix_go(const struct nodematrix *matrix, size_t row, unsigned number);
void nodematrix_still(const struct nodematrix *matrix, size_t row, unsigned number);

/*
 * In report: the cells, medians of values[round][row][column], the metric "UNIT", which is their mean, and a remark
 * about nodes that are left out. A NAN makes its cell NAN, which has no part in the mean.
 */
void nodematrix_report(
	const struct nodematrix *matrix, struct run *run, const char *unit, enum better better, const double *values);

#endif
