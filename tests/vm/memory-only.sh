#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Node 2 has memory and no CPU; node 0 has two caches.
. "$KBENCH_SOURCE/tests/vm/lib.sh"

node 256 4
node 256 2
node 256 0
distance 0 1 20
distance 0 2 17
distance 1 2 28
boot

no_cpus() {
	[ "$(cat /sys/devices/system/node/node2/cpulist)" = '' ] || complain 'node 2 has CPUs'
	run 0 env
	out_has '^nodes +0-2$'
	out_has '^cpus-online +0-5$'
}

far_memory() {
	run 0 numa mem -p 1 -t 2 -P 2 -T 1 -l 1 -C 0,5 -M 2,2
	out_has '^# -M: 2 of 2 tasks bound$'
	out_has '^# pages: 1280 on node 2$'
}

matrices() {
	matrices_are '0 1' '0 1 2' '10 20 17/20 10 28'
	out_has '^# left out: node 2, which has no CPU that may be used$'
	run 1 numa latency -s 256KB -l 500 -C 2
	err_has '^kbench: numa latency: option -C: node 2 has no CPU'
	run 0 mem memcpy -s 64KB -l 2 -f default --source-node 2 --target-node 2
	out_has '^# every page of the source is on node 2$'
}

migrations() {
	migrated 1920 '0 1 2' '0 1 2' '10 20 17/20 10 28/17 28 10'
	migrated 640 2 '0 1' '17 28' --from 2 --to 0-1
}

# Node 2 is no place for a task, wherever the first one is.
placed() {
	run 0 sched pipe -l 50 --place node
	out_has '^# placed on CPUs 0 and 2 \(same node\), '
	run 0 sched pipe -l 50 --place remote
	out_has '^# placed on CPUs 0 and 4 \(remote\), '
	run 0 -f csv --timeout 60 numa mem -p 1 -t 1 -P 1 -s 300ms -x 50ms
	out_has ',moves,[1-9]'
}

matrix() {
	for words in 'latency -l 1000' 'bandwidth --runtime 1ms'; do
		# shellcheck disable=SC2086
		run 0 --timeout 60 numa $words -s 1MB
		out_has '^  node +0 +1 +2$'
		out_has '^     0  10  20  17$'
		out_has '^     1  20  10  28$'
		out_lacks '^     2 '
		out_has '^# left out: node 2, which has no CPU that may be used$'
		# shellcheck disable=SC2086
		run 1 numa $words -s 1MB -C 2
		err_has 'option -C: node 2 has no CPU$'
		out_empty
	done
	run 0 --timeout 60 -f csv --cpus 4-5 numa latency -s 1MB -l 1000 -M 2
	[ "$(grep -c '@' "$tmp/out")" -eq 1 ] || complain 'not one cell'
	out_has ',ns/load@1:2,'
}

check 'env tells the nodes and CPUs' no_cpus
check 'memory of a node without CPUs is used, page by page' far_memory
check 'a matrix has a column but no row for a node without CPUs' matrices
check 'pages are moved to a node without CPUs and back' migrations
check 'no task is placed on a node without CPUs' placed
check 'a node without CPUs is a column of a matrix and no row' matrix
finish
