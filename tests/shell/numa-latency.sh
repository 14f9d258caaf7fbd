#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
. "$KBENCH_SOURCE/tests/shell/lib.sh"

# latency ARGS...: a short run; $common stands before the words.
latency() {
	# shellcheck disable=SC2086
	run 0 --timeout 60 $common numa latency -s 1MB -l 1000 "$@"
}
common=

"$KBENCH" -q numa latency -s 4K -l 1 >/dev/null 2>"$tmp/err"
[ $? -ne 4 ] || { echo "skip numa latency: $(cat "$tmp/err")" && exit 0; }

# Nodes "0-1,8" one a line.
list() {
	tr ',' '\n' <"/sys/devices/system/node/$1" 2>/dev/null | sed 's/^\([0-9]*\)$/\1-\1/; s/-/ /' |
		while read -r first last; do seq "$first" "$last"; done
}

cpu=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)
memory_nodes=$(list has_memory)
node=$(for file in /sys/devices/system/node/node[0-9]*/cpu"$cpu"; do echo "$file"; done |
	sed -n 's,.*/node\([0-9]*\)/cpu[0-9]*$,\1,p')
node=${node:-0} memory_nodes=${memory_nodes:-0}
first_memory=$(echo "$memory_nodes" | head -n 1)

# The keys of cells from the node of one CPU.
cells_of_cpu() {
	for column in $memory_nodes; do
		echo "ns/load@$node:$column"
	done
}

block() {
	common="--cpus $cpu" latency -M "$first_memory"
	err_empty
	sed -E -i -e 's/ [0-9]+(\.[0-9]+)?$/ N/' -e '/^# left out: /d' -e '/last-level cache/d' "$tmp/out"
	cat >"$tmp/block" <<-END
		# Running 'numa/latency' benchmark:
		# Walked chains of 1MB on each memory node, 1000 loads in each of 5 rounds
		# ns/load: CPU node (rows) by memory node (columns)

		  node N
		     $node N

		# distance, as the kernel says it

		  node N
		     $node N
		# --pages 4K: 0 of 1MB in huge pages
	END
	tr -s ' ' <"$tmp/block" >"$tmp/expected"
	tr -s ' ' <"$tmp/out" >"$tmp/masked"
	diff -u "$tmp/expected" "$tmp/masked" || complain 'stdout is not the block'
}

cells() {
	common="-f csv --cpus $cpu" latency
	awk -F, '{ print $(NF - 2) }' "$tmp/out" | grep @ >"$tmp/cells"
	cells_of_cpu | diff - "$tmp/cells" || complain 'csv has other cells'
	awk -F, '$(NF - 2) == "ns/load" { one = $(NF - 1) }
		$(NF - 2) ~ /@/ { sum += $(NF - 1); n++; if (!($NF ~ /^lower/) || !($(NF - 1) > 0)) print "wrong: " $0 }
		END { if (!n || one / (sum / n) < 0.999999 || one / (sum / n) > 1.000001) print "not the mean of the cells" }' \
		"$tmp/out" >"$tmp/wrong"
	[ ! -s "$tmp/wrong" ] || { cat "$tmp/wrong" && complain 'wrong figures'; }
	common="-f json --cpus $cpu" latency
	for cell in $(cells_of_cpu); do
		out_has "\"runs\":.*\"$cell\":[0-9.]+[,}]"
		out_has "\"statistics\":.*\"$cell\":\\{\"better\":\"lower\""
	done
	common="-f go --cpus $cpu" latency
	for cell in $(cells_of_cpu); do
		out_has "^Unit $cell better=lower\$"
		out_has "^BenchmarkNumaLatency/loop=1000/size=1MB/pages=4K[^ ]* [0-9]+ .* $cell( |\$)"
	done
}

compared() {
	for file in a b; do
		common="-q -r 2 -o $tmp/$file --cpus $cpu" latency
	done
	run 0 compare --metric all "$tmp/a" "$tmp/b"
	for cell in $(cells_of_cpu); do
		out_has "^ +$cell +[0-9.]+ "
	done
}

operations() {
	common="-f go --cpus $cpu" latency
	loads=$((5 * 1000 * $(cells_of_cpu | wc -l)))
	out_has "^BenchmarkNumaLatency/[^ ]+ $loads "
}

several() {
	common="-r 3 --cpus $cpu" latency --pages 4K -l 500,1000
	err_empty
	out_has '^ +loop  n +mean '
	out_has '^# loop=500, ns/load, medians: CPU node \(rows\) by memory node \(columns\)'
	out_has '^# loop=1000, ns/load: %stddev of 3 runs$'
	[ "$(grep -c '^# distance' "$tmp/out")" -eq 1 ] || complain 'the distances are not said once'
}

one_number() {
	common="-f simple -r 2" latency
	out_lines 2
	! grep -vE '^[0-9]+\.[0-9]{6,}$' "$tmp/out" || complain 'not numbers alone'
}

pages() {
	run_thp=$(cat /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null)
	case $run_thp in
	*'[never]'* | '')
		run 4 numa latency --pages thp
		err_has 'skipped: transparent huge pages'
		out_empty
		;;
	*)
		run 0 --timeout 60 numa latency --pages thp -s 8MB -l 1000 -M "$first_memory"
		out_has '^# --pages thp: [0-9.]+(MB|KB)? of 8MB in huge pages$'
		;;
	esac
}

# One that no machine has.
no_such_node() {
	for option in -C --cpu-nodes -M --mem-nodes; do
		run 2 numa latency -s 1M "$option" 8191
		err_has "^kbench: numa latency: option -[CM]: node 8191 is not among the online nodes [0-9,-]+"
		out_empty
	done
	for text in x 0- -1 0,,1 1x2; do
		run 2 numa latency -s 1M -C "$text"
		out_empty
	done
}

too_large() {
	run 1 numa latency -s 8TB
	err_has '^kbench: numa latency: needs [0-9]+ MB (on node [0-9]+, which has [0-9]+ MB free|of memory; )'
	out_empty
	run 2 numa latency -s 32TB
	err_has '32TB'
	run 2 numa latency -l 0
	run 2 numa latency --pages 2M
	err_has '4K'
}

sizes() {
	# Less than a page, no multiple of one, and a single line to load.
	run 0 --timeout 60 -f simple numa latency -s 1 -l 1
	run 0 --timeout 60 -f simple numa latency -s 1000001 -l 17
}

check 'a matrix of one column is the block to the byte, but for figures' block
check 'every format has every cell, and the one number is the mean of all' cells
check 'compare tells of every cell' compared
check 'operations are the loads of all cells' operations
check 'several runs are medians and their spread' several
check 'simple is one number a run' one_number
check 'huge pages are counted by the kernel, or it is said why there are none' pages
check 'nodes that are not there are a usage error that names those that are' no_such_node
check 'memory that is not there is refused with the arithmetic' too_large
check 'any size of memory and walk is measured' sizes
finish
