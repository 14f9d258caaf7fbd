#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Two nodes; the way back is twice as long. Each has one core with two threads.
. "$KBENCH_SOURCE/tests/vm/lib.sh"

cores=1 threads=2
node 384 2
node 384 2
distance 0 1 20
distance 1 0 40
boot

both_ways() {
	[ "$(cat /sys/devices/system/node/node[01]/distance | tr '\n' ' ')" = '10 20 40 10 ' ] ||
		complain 'other distances'
	run 0 numa mem -p 2 -t 1 -G 0 -P 2 -l 1 -C 0,2 -M 1,0
	out_has '^# pages: 512 on node 0, 512 on node 1$'
}

matrices() { matrices_are '0 1' '0 1' '10 20/40 10'; }

siblings() {
	run 0 env
	out_has '^smt +on'
	run 0 sched pipe -l 50 --place smt
	out_has '^# placed on CPUs 0 and 1 \(SMT siblings\), '
	run 4 sched pipe -l 50 --place llc
	err_has 'skipped: --place llc: '
}

# Each way has its own distance, from the row's node to the column's.
matrix() {
	for words in 'latency -l 1000' 'bandwidth --runtime 1ms'; do
		# shellcheck disable=SC2086
		run 0 --timeout 60 numa $words -s 1MB
		out_has '^     0 +[0-9.]+[*!]? +[0-9.]+[*!]?$'
		out_has '^     0  10  20$'
		out_has '^     1  40  10$'
	done
}

check 'memory is bound both ways' both_ways
check 'a matrix tells the way there from the way back' matrices
check 'threads of a core are told from cores' siblings
check 'a matrix has the distances of both ways' matrix
finish
