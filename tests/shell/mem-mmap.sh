#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
. "$KBENCH_SOURCE/tests/shell/lib.sh"

page=$(getconf PAGESIZE)
pages=$((1048576 / page)) # of 1MB

block() {
	run 0 mem mmap -l 2
	err_empty
	sed -E -i -e 's/^ [ 0-9]{7}\.[0-9]{6} (bytes|KB|MB|GB)\/sec$/ NNNNNNN.NNNNNN UNIT\/sec/' "$tmp/out"
	out_is "$expected/mem-mmap.txt"
}

menu() {
	run 0 mem mmap -f help
	err_empty
	out_lines 3
	out_has '^	demand \.\.\. '
	out_has '^	populate \.\.\. '
	run 2 mem mmap -f default
	err_has "'default' is not one of demand, populate, all"
}

# metric KEY: its value in the csv of one series.
metric() { sed -n "s|.*,$1,\([0-9.e+-]*\),.*|\1|p" "$tmp/out"; }

within() { [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; }

# A few are the worker's own.
faults_are() {
	faults=$(metric faults)
	within "${faults:-0}" "$1" $(($1 + 40)) || complain "${faults:-no} faults, not $1"
}

demanded() {
	run 0 -f csv mem mmap -f demand -l 3
	err_empty
	faults_are $((3 * pages))
	run 0 -f csv mem mmap -f demand -l 3 -t 2 -r 5
	faults_are $((6 * pages))
}

populated() {
	run 0 -f csv mem mmap -f populate -l 3 -t 2
	err_empty
	[ -n "$(metric faults)" ] || complain 'faults are not told'
	faults_are 0
}

phases() {
	for function in demand populate; do
		run 0 -f csv mem mmap -f $function -l 2
		for key in map-ns/page touch-ns/page unmap-ns/page B/s; do
			metric "$key" | awk '{ exit !($1 > 0) }' || complain "no $key"
		done
		# What B/s is of: mapping and touching.
		echo "$(metric B/s) $(metric map-ns/page) $(metric touch-ns/page)" |
			awk -v page="$page" '{ r = $1 * ($2 + $3) / 1e9 / page; exit !(r > 0.999 && r < 1.001) }' || complain 'another B/s'
	done
}

rows() {
	run 0 -f go mem mmap -l 2 -s 64K
	out_has "^BenchmarkMemMmap/size=64KB/nr_loops=2/.*function=demand/threads=1 131072 |^BenchmarkMemMmap/size=64KB/function=demand/nr_loops=2/threads=1 131072 "
	run 0 -r 2 mem mmap -l 2 -s 64K,128K -f demand
	out_has '^ +64KB +2 '
	out_has '^ +128KB +2 '
	run 0 -f simple mem mmap -l 2
	out_lines 2
}

steady() {
	run 0 -f go mem mmap -s 64K -f demand
	bytes=$(sed -n 's/^BenchmarkMemMmap[^ ]* \([0-9]*\) .*/\1/p' "$tmp/out")
	[ "${bytes:-0}" -gt 65536 ] || complain "only ${bytes:-no} bytes"
	[ $((bytes % 65536)) -eq 0 ] || complain "$bytes bytes are no whole passes"
}

cycles() {
	launch -- -f simple mem mmap -c >"$tmp/out" 2>"$tmp/err"
	case $? in
	0) awk '{ exit !($1 > 0) }' "$tmp/out" || complain 'no cycles/byte' ;;
	4) out_empty; err_has 'skipped: --cycles: not (supported|permitted|counted)' ;;
	*) complain 'neither done nor skipped' ;;
	esac
}

refused() {
	for option in '-s 0' '-t 0' '-r x' '-r -1' '-l 1.5'; do
		# shellcheck disable=SC2086
		run 2 mem mmap $option
		out_empty
		err_has "'${option#* }'"
	done
	run 2 mem mmap -s $((page + 1))
	err_has "size $((page + 1)): not a multiple of the page size, [0-9]+KB"
	run 2 mem mmap -l 100000000000000
	err_has 'more than can be counted'
	[ "$(getconf LONG_BIT)" -eq 64 ] || return
	run 1 mem mmap -s 64T
	err_has 'needs [0-9]+ MB of memory; [0-9]+ MB are available: too little'
}

check 'each function of mmap has a block below one heading' block
check 'help of a function tells what they are' menu
check 'on demand every touch is a fault' demanded
check 'in populated memory no touch is a fault' populated
check 'mapping, touching and unmapping are timed apart' phases
check 'functions and sizes are rows' rows
check 'without a number there are several passes' steady
check 'cycles are counted, or it is said why not' cycles
check 'what cannot be meant is refused' refused
finish
