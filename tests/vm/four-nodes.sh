#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Four nodes in a ring with one slow side; each has memory and two CPUs that share a cache.
. "$KBENCH_SOURCE/tests/vm/lib.sh"

node 256 2
node 256 2
node 256 2
node 256 2
distance 0 1 16
distance 0 2 20
distance 0 3 32
distance 1 2 32
distance 1 3 20
distance 2 3 16
boot

facts() {
	run 0 env
	out_has '^nodes +0-3$'
	out_has '^cpus-online +0-7$'
	out_has '^numa-balancing +on$'
}

# placed CPUS RELATION ARGS...: of two tasks.
placed() {
	placed_as="^# placed on CPUs $1 \\($2\\), "
	shift 2
	run 0 "$@"
	out_has "$placed_as"
}
pipe_places() {
	placed '0 and 0' 'same CPU' sched pipe -l 50 --place same
	placed '0 and 1' 'same LLC' sched pipe -l 50 --place llc
	placed '0 and 2' remote sched pipe -l 50 --place remote
	placed '6 and 1' remote sched pipe -l 50 --place 6,1
	placed '3 and 6' remote --cpus 3,6-7 sched pipe -l 50 --place remote
	placed '6 and 7' 'same LLC' --cpus 3,6-7 sched pipe -l 50 -T --place llc
}
no_such_place() {
	run 4 sched pipe -l 50 --place smt
	err_has 'skipped: --place smt: no two of the CPUs 0-7 share a core'
	run 4 sched pipe -l 50 --place node
	err_has 'skipped: --place node: no two of the CPUs 0-7 are on one node but share neither core nor cache'
	run 4 --cpus 4-5 sched pipe -l 50 --place remote
	err_has 'skipped: --place remote: no two of the CPUs 4-5 are on different nodes'
	run 2 sched pipe -l 50 --place 0,8
	err_has "'0,8': CPU 8 is not among the CPUs of this run, 0-7"
	out_empty
}

each_node() {
	for id in 0 1 2 3; do
		run 0 numa mem -p 1 -t 1 -P 2 -l 1 -C $(((2 * id + 5) % 8)) -M $id
		out_has "^# pages: 768 on node $id\$"
	done
}

# The 256 pages of all are spread over the nodes of the list.
across() {
	run 0 numa mem -p 4 -t 1 -G 0 -P 2 -T 1 -l 1 -C 6,4,2,0 -M 0,1,2,3
	out_has '^# pages: 768 on node 0, 768 on node 1, 768 on node 2, 768 on node 3$'
	run 0 numa mem -p 1 -t 4 -G 0 -P 2 -T 1 -l 1 -M 3,2,1,0
	out_has '^# pages: 256 on node 0, 256 on node 1, 256 on node 2, 768 on node 3$'
}

no_such_node() {
	run 2 numa mem -P 1 -l 1 -M 4
	err_has '^kbench: numa mem: option -M: node 4 is not among the online nodes 0-3$'
	out_empty
}

full_node() {
	run 1 numa mem -p 1 -t 1 -P 300 -l 1 -M 1
	err_has '^kbench: numa mem: -M binds 300 MB to node 1; of its 2[0-9]{2} MB [12][0-9]{2} MB are available: too little$'
	out_empty
}

matrices() {
	matrices_are '0 1 2 3' '0 1 2 3' '10 16 20 32/16 10 32 20/20 32 10 16/32 20 16 10'
	run 0 numa latency -s 256KB -l 500 -C 1,3 -M 0,2-3
	matrix_is '1 3' '0 2 3' '16 32 20/32 16 10'
	run 0 --cpus 4 numa latency -s 256KB -l 500
	matrix_is 2 '0 1 2 3' '20 32 10 16'
	out_has '^# left out: nodes 0-1,3, which have no CPU that may be used$'
}

matrix_errors() {
	run 2 numa latency -s 256KB -M 4
	err_has '^kbench: numa latency: option -M: node 4 is not among the online nodes 0-3$'
	run 1 numa bandwidth -s 900MB -M 0
	err_has '^kbench: numa bandwidth: needs 900 MB on node 0, which has [12][0-9]{2} MB free: too little$'
	out_empty
}

copies() {
	run 0 mem memcpy -s 64KB -l 2 -f default --source-node 3 --target-node 1
	out_has '^# every page of the source is on node 3$'
	out_has '^# every page of the target is on node 1$'
	run 0 mem memset -s 64KB -l 2 -f default --target-node 2
	out_has '^# every page of the target is on node 2$'
	run 2 mem memset -s 64KB -l 2 --target-node 4
	err_has '^kbench: mem memset: option --target-node: node 4 is not among the online nodes 0-3$'
}

migrations() {
	migrated 3840 '0 1 2 3' '0 1 2 3' '10 16 20 32/16 10 32 20/20 32 10 16/32 20 16 10'
	migrated 640 3 '0 1' '32 20' --from 3 --to 0,1 -b 7
	run 2 numa migrate -s 256KB --to 4
	err_has '^kbench: numa migrate: option --to: node 4 is not among the online nodes 0-3$'
}

# often TEST: while the kernel looks at pages every 20 ms, not every second or less often.
often() {
	settings=/sys/kernel/debug/sched/numa_balancing
	for setting in scan_delay_ms scan_period_min_ms scan_period_max_ms; do
		echo 20 >$settings/$setting
	done
	"$@"
	echo 1000 >$settings/scan_delay_ms
	echo 60000 >$settings/scan_period_max_ms
	echo 1000 >$settings/scan_period_min_ms
}

# The kernel marks pages to see who touches them, and 6.1 tells of none that is marked where it is.
balanced() {
	for try in 1 2 3; do
		run 0 numa mem -p 1 -t 4 -P 8 -s 400ms
		found=$(sed -n '/^# pages: /s/[^0-9 ]//gp' "$tmp/out" | awk '{ for (i = 1; i < NF; i += 2) n += $i; print n }')
		[ "$found" -eq 2304 ] || complain "try $try: $found pages of 2304"
	done
}

perturbed() {
	run 0 -f csv --timeout 60 numa mem -p 1 -t 1 -P 1 -s 300ms -x 50ms
	awk -F, '$(NF - 2) == "moves" { found = $(NF - 1) > 0 } END { exit !found }' "$tmp/out" ||
		complain 'the task was never moved'
}

converged() {
	run 0 numa mem -p 2 -t 2 -P 1 -s 200ms -m -C 0,1,6,7
	out_has 'NUMA-convergence-latency$'
	run 0 numa mem -p 2 -t 2 -P 1 -s 200ms -m -C 0,6,1,7
	out_has '^# not converged: 2 of 2 processes did not end with all threads on one node$'
}

# Node 1 loses its CPUs.
cpus_leave() {
	echo 0 >/sys/devices/system/cpu/cpu2/online
	echo 0 >/sys/devices/system/cpu/cpu3/online
	placed '0 and 4' remote sched pipe -l 50 --place remote
	run 2 sched pipe -l 50 --place 0,2
	err_has 'CPU 2 is not among the CPUs of this run, 0-1,4-7'
	run 2 numa mem -P 1 -l 1 -C 3
	err_has 'CPU 3 is not among the allowed CPUs 0-1,4-7'
	run 0 numa mem -p 1 -t 1 -P 2 -l 1 -M 1
	out_has '^# pages: 768 on node 1$'
	echo 1 >/sys/devices/system/cpu/cpu2/online
	echo 1 >/sys/devices/system/cpu/cpu3/online
}

check 'env tells the nodes and CPUs' facts
check 'sched pipe is placed as asked' pipe_places
check 'a place that is not there is a skip, a CPU that is not there an error' no_such_place
check 'memory and a task can be bound to any two nodes, page by page' each_node
check 'processes and threads have their memory on their own nodes' across
check 'a node that is not there is a usage error' no_such_node
check 'more than a node has left is refused with the arithmetic' full_node
check 'a matrix has a row and a column for each node, and the distances' matrices
check 'a matrix of what is not there is an error' matrix_errors
check 'memory is copied from node to node' copies
check 'every page is moved to every other node, and found there' migrations
check 'every page is found while automatic balancing works' often balanced
check 'the first task is moved to other nodes when asked to' perturbed
check 'threads that are on one node have converged, and others have not' converged
check 'CPUs that go offline are no longer used, and their memory still is' cpus_leave
finish
