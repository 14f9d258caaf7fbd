#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Four nodes whose pages move when they are told to, or when the kernel sees that it is better so. Node 2 has no memory,
# and node 3 no CPU.
. "$KBENCH_SOURCE/tests/vm/lib.sh"

node 256 2
node 256 2
node 0 2
node 256 0
boot

settings=/sys/kernel/debug/sched/numa_balancing

# balancing EVERY_MS DELAY_MS: the kernel marks the pages of a process this often, from that age on.
balancing() {
	echo "$1" >$settings/scan_period_min_ms
	echo "$1" >$settings/scan_period_max_ms
	echo "$2" >$settings/scan_delay_ms
}

# metric KEY: of csv in $tmp/out.
metric() { awk -F, -v key="$1" '$(NF - 2) == key { print $(NF - 1) }' "$tmp/out"; }

other_tests() {
	for name in migrate balance; do
		sh "$KBENCH_SOURCE/tests/shell/numa-$name.sh" >"$tmp/out" 2>"$tmp/err" || complain "numa-$name.sh failed"
		out_lacks '^not ok'
		out_has "^ok (both methods move every page between|a curve has a point for each)"
	done
}

all_pairs() {
	for method in move_pages mbind; do
		for batch in 1 100 1000; do
			run 0 numa migrate -s 1MB --method $method -b $batch
			out_has '^ +node +0 +1 +3 *$'
			out_has '^ +0 +n/a +[0-9]'
			out_has '^ +3 +[0-9.]+[*!]? +[0-9.]+[*!]? +n/a *$'
			out_has '^# all 7680 pages were found on the node that they were moved to$'
			out_has '^# left out: node 2, which has no memory that may be used$'
		done
	done
	run 0 -f csv --cpus 3 numa migrate -s 1MB --from 3 --to 0-1
	[ "$(metric pages-moved)" = 2560 ] || complain 'not every page moved'
}

no_room() {
	run 1 numa migrate -s 300MB --from 0 --to 1
	err_has 'needs 300 MB on node 0, which has [0-9]+ MB free: too little$'
	out_empty
}

no_memory() {
	for words in 'migrate --to 2' 'migrate --from 2' 'balance --to 2' 'balance --from 0,2'; do
		# shellcheck disable=SC2086
		run 1 numa $words
		err_has "option --(from|to): node 2 has no memory\$"
		out_empty
	done
	run 2 numa migrate --from 3 --to 3
	err_has 'both are node 3, and no memory moves$'
}

reached() {
	balancing 20 20
	for pages in 4K thp; do
		run 0 -f csv numa balance -s 8MB --runtime 3s --pages $pages --from 0 --to 1
		[ -n "$(metric to-90-percent-sec)" ] || complain '90 % were not reached'
		[ "$(metric local-percent@0s)" = 0 ] || complain 'it did not begin with 0'
		[ "$(metric end-local-percent)" = 100 ] || complain 'it did not end with all'
	done
	run 0 numa balance -s 4MB --runtime 3s --from 3
	out_has '^# 4MB on node 3, gone over by a task on node 0$'
	out_has '^ +[0-9]+\.[0-9]{3} to-90-percent-sec$'
}

# The kernel begins after an hour.
not_reached() {
	balancing 1000 3600000
	run 0 numa balance -s 4MB --runtime 200ms -i 100ms
	out_has '^ +n/a to-90-percent-sec$'
	out_has '^# 90 % were not reached in 200ms, but 0\.0 %$'
	run 0 -r 2 numa balance -s 4MB --runtime 100ms
	balancing 20 20
}

no_cpu() {
	for words in '--to 3' '--cpus 4-5'; do
		status=1 cpus=0-5 common=
		[ "$words" = '--to 3' ] || { status=4 cpus=4-5 common=$words words=; }
		# shellcheck disable=SC2086
		run $status $common numa balance $words
		err_has "no node that memory can move to has any of the CPUs $cpus\$"
		out_empty
	done
}

turned_off() {
	echo 0 >/proc/sys/kernel/numa_balancing
	run 4 numa balance
	err_has 'skipped: automatic NUMA balancing is off \(sysctl kernel.numa_balancing=1 turns it on\)$'
	echo 1 >/proc/sys/kernel/numa_balancing
}

check 'the tests of numa migrate and numa balance hold with several nodes' other_tests
check 'pages move between every two nodes with memory, by either call and any batch' all_pairs
check 'more than a node has left is refused with the arithmetic' no_room
check 'nodes without memory are refused, and a pair of one' no_memory
check 'automatic balancing brings all of the memory to the task, in pages of either size' reached
check 'where 90 % are not reached the time is n/a, and it is said what was' not_reached
check 'a task needs CPUs where its memory can move to' no_cpu
check 'where balancing is off it is a skip that names the sysctl' turned_off
finish
