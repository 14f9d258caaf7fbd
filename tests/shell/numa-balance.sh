#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
. "$KBENCH_SOURCE/tests/shell/lib.sh"

reasons='there is one node with memory that may be used, [0-9]+: memory cannot be moved to another
memory cannot be bound to nodes here: .*
no node that memory can move to has any of the CPUs [0-9,-]+
this kernel has no automatic NUMA balancing: there is no sysctl kernel.numa_balancing
automatic NUMA balancing is off \(sysctl kernel.numa_balancing=1 turns it on\)'
"$KBENCH" -q numa balance -s 4K --runtime 10ms -i 10ms >"$tmp/out" 2>"$tmp/reason"
able=$?

able() { [ "$able" -ne 4 ] || { skip_test "$(sed 's/^.*skipped: //' "$tmp/reason")" && false; }; }

skipped() {
	[ "$able" -eq 4 ] || { skip_test 'memory is balanced here' && return; }
	run 4 numa balance
	sed 's/^kbench: numa balance: skipped: //' "$tmp/err" | grep -qxE "$reasons" || complain 'no reason is said'
	out_empty
	run 4 -f json numa balance
	out_has '"status":"skipped","reason":"[^"]+"'
}

no_such_node() {
	for option in --from --to; do
		run 2 numa balance $option 8191
		err_has "^kbench: numa balance: option $option: node 8191 is not among the online nodes [0-9,-]+\$"
		out_empty
		run 2 numa balance $option x
		err_has "^kbench: numa balance: option $option: 'x' is not a list of nodes such as 0,2 or 0-3\$"
		out_empty
	done
}

bad_options() {
	while read -r words; do
		# shellcheck disable=SC2086
		run 2 numa balance $words
		err_has '^kbench: numa balance: option -'
		out_empty
	done <<-'END'
		-s 0
		-s 17TB
		-i -1
		-i 2s --runtime 1s
		-i 1ms --runtime 900ms
		--runtime 0
		--runtime x
		--pages 2M
	END
	run 2 numa balance -i 1ms --runtime 900ms
	err_has 'option -i: --runtime has 900 intervals, more than the 899 that a result holds$'
}

# The numbers of a curve agree with each other, whatever the kernel did in the time.
curve() {
	able || return
	run 0 --timeout 60 numa balance -s 1MB --runtime 300ms -i 50ms
	out_has '^# 1MB on node [0-9]+, gone over by a task on node [0-9]+$'
	out_has '^# +after +local$'
	out_has '^# +0s +[0-9]+\.[0-9] %'
	out_has '^# +300ms +([0-9]+\.[0-9] %|n/a)'
	run 0 --timeout 60 -f csv numa balance -s 1MB --runtime 300ms -i 50ms
	awk -F, '{ key = $(NF - 2); value = $(NF - 1) }
		key ~ /^local-percent@/ { n++; if (value >= 90) reached = 1 }
		key ~ /local-percent/ && value != "" && (value < 0 || value > 100) { print "wrong: " $0 }
		key == "to-90-percent-sec" { to = value }
		END { if (n != 7) print n " points"; if (reached != (to != "")) print "reached: " reached ", after: " to }' \
		"$tmp/out" >"$tmp/wrong"
	[ ! -s "$tmp/wrong" ] || { cat "$tmp/wrong" && complain 'wrong figures'; }
}

check 'where memory is not balanced it is a skip with the reason' skipped
check 'a node that is not there is a usage error that names those that are' no_such_node
check 'options that make no sense are usage errors' bad_options
check 'a curve has a point for each interval, and the time to 90 % if one has that' curve
finish
