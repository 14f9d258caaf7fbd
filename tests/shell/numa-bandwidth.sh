#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
. "$KBENCH_SOURCE/tests/shell/lib.sh"

# bandwidth ARGS...: a short run; $common stands before the words.
bandwidth() {
	# shellcheck disable=SC2086
	run 0 --timeout 60 $common numa bandwidth -s 1MB --runtime 1ms "$@"
}
common=

"$KBENCH" -q numa bandwidth -s 1M --runtime 1ms >/dev/null 2>"$tmp/err"
[ $? -ne 4 ] || { echo "skip numa bandwidth: $(cat "$tmp/err")" && exit 0; }

block() {
	for op in 'read Read' 'write Wrote' 'copy Copied within'; do
		bandwidth --op "${op%% *}" -t 2
		err_empty
		out_has "^# ${op#* } 1MB on each memory node, by 2 threads\$"
		out_has '^# For 1ms in each of 5 rounds$'
		out_has '^# GB/s: CPU node \(rows\) by memory node \(columns\)'
		out_has '^  node +[0-9]'
		out_has '^ +[0-9]+ +[0-9]+(\.[0-9]+)?'
		out_has '^# distance, as the kernel says it$'
	done
	bandwidth
	out_has '^# Read 1MB on each memory node, by a thread on each CPU of a node$'
}

cells() {
	common='-f csv' bandwidth
	awk -F, '$(NF - 2) == "B/s" { one = $(NF - 1) }
		$(NF - 2) ~ /^B\/s@[0-9]+:[0-9]+$/ {
			sum += $(NF - 1); n++
			if (!($NF ~ /^higher/) || !($(NF - 1) > 0)) print "wrong: " $0
		}
		END { if (!n || one / (sum / n) < 0.999999 || one / (sum / n) > 1.000001) print "not the mean of the cells" }' \
		"$tmp/out" >"$tmp/wrong"
	[ ! -s "$tmp/wrong" ] || { cat "$tmp/wrong" && complain 'wrong figures'; }
}

sweep() {
	common='-r 2' bandwidth --op read,write,copy -t 1,2
	for op in read write copy; do
		out_has "^# op=$op, threads=2, GB/s, medians: "
	done
}

threads() {
	bandwidth -t 7
	bandwidth -t 0
	run 2 numa bandwidth -t 1000 -s 64K
	err_has '^kbench: numa bandwidth: option -s: 65536 bytes are too few for 1000 threads'
	out_empty
}

# Parts that are no multiple of what is gone over at once.
sizes() {
	run 0 --timeout 60 -f simple numa bandwidth -s 777777 -t 3 --runtime 1ms --op copy
	run 0 --timeout 60 -f simple numa bandwidth -s 4K -t 3 --runtime 1ms --op write
}

refused() {
	run 2 numa bandwidth -C 8191
	err_has 'option -C: node 8191 is not among the online nodes'
	run 2 numa bandwidth --op move
	err_has "read, write"
	run 2 numa bandwidth --runtime 1us
	run 1 numa bandwidth -s 8TB
	err_has 'needs [0-9]+ MB (on node [0-9]+, which has [0-9]+ MB free|of memory; )'
	out_empty
}

check 'the block says what was done by whom, and has a matrix in GB/s' block
check 'cells are bytes a second, and the one number is the mean of all' cells
check 'operations and threads can be swept' sweep
check 'there may be more threads than CPUs, but no threads without memory' threads
check 'memory is shared out whatever its size' sizes
check 'what cannot be is refused with the facts' refused
finish
