#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Node 1 has CPUs and no memory.
. "$KBENCH_SOURCE/tests/vm/lib.sh"

node 384 2
node 0 2
node 384 2
distance 0 1 20
distance 0 2 25
distance 1 2 15
boot

no_memory() {
	[ "$(cat /sys/devices/system/node/has_memory)" = 0,2 ] || complain 'node 1 has memory'
	run 0 env
	out_has '^nodes +0-2$'
}

refused() {
	for list in 1 0,1 1,2; do
		run 1 numa mem -p 2 -t 1 -P 1 -l 1 -C 2,3 -M $list
		err_has '^kbench: numa mem: node 1: no memory can be bound to it; this process may use the memory of nodes 0,2$'
		out_empty
	done
}

# What a task on node 1 touches first lands on node 2, which is nearest.
unbound() {
	echo 0 >/proc/sys/kernel/numa_balancing
	run 0 numa mem -p 1 -t 1 -G 0 -P 2 -l 1 -C 3
	out_has '^# pages: 512 on node 2$'
	run 0 numa mem -p 1 -t 1 -G 0 -P 2 -l 1 -C 3 -M 0
	out_has '^# pages: 512 on node 0$'
}

matrices() {
	matrices_are '0 1 2' '0 2' '10 25/20 15/25 10'
	out_has '^# left out: node 1, which has no memory that may be used$'
	run 1 numa latency -s 256KB -l 500 -M 1
	err_has '^kbench: numa latency: option -M: node 1 has no memory$'
	run 1 mem memset -s 64KB -l 2 --target-node 1
	err_has '^kbench: mem memset: node 1: no memory can be bound to it; '
}

migrations() {
	migrated 640 '0 2' '0 2' '10 25/25 10'
	out_has '^# left out: node 1, which has no memory that may be used$'
}

placed() {
	run 0 sched pipe -l 50 --place 2,3
	out_has '^# placed on CPUs 2 and 3 \(same LLC\), '
	run 0 --cpus 2-5 sched pipe -l 50 --place remote
	out_has '^# placed on CPUs 2 and 4 \(remote\), '
}

matrix() {
	for words in 'latency -l 1000' 'bandwidth --runtime 1ms'; do
		# shellcheck disable=SC2086
		run 0 --timeout 60 numa $words -s 1MB
		out_has '^  node +0 +2$'
		out_has '^     1  20  15$'
		out_has '^# left out: node 1, which has no memory that may be used$'
		# shellcheck disable=SC2086
		run 1 numa $words -s 1MB -M 1
		err_has 'option -M: node 1 has no memory$'
		out_empty
	done
}

check 'env tells the nodes' no_memory
check 'memory cannot be bound to a node without memory' refused
check 'a task on a node without memory has it elsewhere, and it is said where' unbound
check 'a matrix has a row but no column for a node without memory' matrices
check 'no page is moved to a node without memory' migrations
check 'tasks are placed on a node without memory' placed
check 'a node without memory is a row of a matrix and no column' matrix
finish
