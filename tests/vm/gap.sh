#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# There is no node 2: 0, 1 and 3 are online, and 3 has no CPU.
. "$KBENCH_SOURCE/tests/vm/lib.sh"

node 256 2
node 256 2
node 0 absent
node 256 0
distance 0 1 20
distance 0 2 20
distance 0 3 17
distance 1 2 20
distance 1 3 28
distance 2 3 28
boot

gap() {
	run 0 env
	out_has '^nodes +0-1,3$'
	run 0 -f json env
	out_has '"nodes":"0-1,3"'
}

# A row of distances has a column for each online node.
rows() {
	[ "$(cat /sys/devices/system/node/node3/distance)" = '17 28 10' ] || complain 'another row of distances'
}

behind() {
	run 0 numa mem -p 1 -t 3 -G 1 -P 2 -T 1 -l 1 -C 0,1,2 -M 3,3,3
	out_has '^# pages: 1536 on node 3$'
	run 0 numa mem -p 1 -t 3 -G 0 -P 2 -T 1 -l 1 -C 0,1,2 -M 0,1,3
	out_has '^# pages: 768 on node 0, 256 on node 1, 256 on node 3$'
}

matrices() {
	matrices_are '0 1' '0 1 3' '10 20 17/20 10 28'
	out_has '^# left out: node 3, which has no CPU that may be used$'
	run 2 numa latency -s 256KB -l 500 -M 2
	err_has '^kbench: numa latency: option -M: node 2 is not among the online nodes 0-1,3$'
	run 0 mem memset -s 64KB -l 2 -f default --target-node 3
	out_has '^# every page of the target is on node 3$'
}

migrations() {
	migrated 1920 '0 1 3' '0 1 3' '10 20 17/20 10 28/17 28 10'
	run 2 numa migrate -s 256KB --from 2
	err_has '^kbench: numa migrate: option --from: node 2 is not among the online nodes 0-1,3$'
}

missing() {
	for list in 2 0,2 1-3; do
		run 2 numa mem -p 1 -t 3 -P 1 -l 1 -M $list
		err_has '^kbench: numa mem: option -M: node 2 is not among the online nodes 0-1,3$'
		out_empty
	done
}

check 'env tells the gap' gap
check 'the kernel prints distances as expected' rows
check 'memory of the node behind the gap is used, page by page' behind
check 'a matrix tells nodes by their ids' matrices
check 'pages are moved over the gap' migrations
check 'a node in the gap is a usage error that names the online ones' missing
finish
