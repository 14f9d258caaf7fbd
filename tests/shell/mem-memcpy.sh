#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# mem memcpy and mem memset: what they print, what they refuse.
. "$KBENCH_SOURCE/tests/shell/lib.sh"

page=$(getconf PAGESIZE)

# Hides the figures of blocks, but not how wide they are, and the names of functions, which differ between machines.
mask_functions() {
	sed -E -i -e 's/^ [ 0-9]{7}\.[0-9]{6} (bytes|KB|MB|GB)\/sec$/ NNNNNNN.NNNNNN UNIT\/sec/' \
		-e 's/ provided by (glibc|libc)\)$/ provided by LIBC)/' "$tmp/out"
}

# The words on the menu of a benchmark, one a line.
functions_of() { "$KBENCH" mem "$1" -f help | sed -n 's/^\t\([^ ]*\) \.\.\. .*/\1/p'; }

block() {
	run 0 mem "$1" -s 64KB -l 2 -f default
	err_empty
	mask_functions
	out_is "$expected/mem-$1.txt"
}

line_offset() {
	run 0 mem "$1" -l 1
	head -n 5 "$tmp/out" | tail -n 1 | grep -qE '^ [ 0-9.]{14} [KMG]B/sec$' || complain 'no result four lines below the name'
	[ "$(grep -c "mem/$1" "$tmp/out")" -eq 1 ] || complain 'the name stands there more than once'
}

# Without -f, and with all of them: the same blocks in the order of the menu, whatever there is.
all_blocks() {
	functions_of "$1" >"$tmp/menu"
	[ "$(wc -l <"$tmp/menu")" -ge 3 ] || complain 'a short menu'
	for all in '' '-f all' "-f $(tr '\n' , <"$tmp/menu" | sed 's/,$//')"; do
		# shellcheck disable=SC2086
		run 0 mem "$1" -s 4KB -l 1 $all
		sed -n "s/^# function '\([^']*\)' (.*)$/\1/p" "$tmp/out" | diff "$tmp/menu" - >"$tmp/diff" ||
			complain "other functions: $(cat "$tmp/diff")"
		[ "$(grep -c '^# Running' "$tmp/out")" -eq 1 ] || complain 'not one heading'
		[ "$(grep -cx '# Copying 4KB bytes ...' "$tmp/out")" -eq "$(wc -l <"$tmp/menu")" ] || complain 'not a block each'
		[ "$(grep -cE '^ [ 0-9.]{14} [a-zA-Z]+/sec$' "$tmp/out")" -eq "$(wc -l <"$tmp/menu")" ] || complain 'not a figure each'
	done
}

menu() {
	run 0 mem "$1" -f help
	err_empty
	[ "$(head -n 1 "$tmp/out")" = 'Available functions:' ] || complain 'another first line'
	out_has "^	default \.\.\. Default $1\(\) provided by g?libc$"
	run 2 mem "$1" -f quickest
	out_empty
	err_has "'quickest' is not one of default, .*, all$"
}

in_all() {
	run 0 -q mem all
	for benchmark in memcpy memset mmap; do
		[ "$(grep -c "^# Running mem/$benchmark benchmark\.\.\.$" "$tmp/out")" -eq 1 ] ||
			complain "not one heading of $benchmark"
	done
	for function in 'default' 'plain'; do
		[ "$(grep -c "^# function '$function'" "$tmp/out")" -eq 2 ] || complain "not two blocks of $function"
	done
}

# Of several functions each is a row, in tables and in records.
rows() {
	run 0 -r 2 mem memcpy -s 4KB -l 1 -f default,plain
	out_has '^ +function +n +mean '
	out_has '^ +default +2 '
	out_has '^ +plain +2 '
	run 0 -f go mem memcpy -s 4KB -l 1 -f default,plain
	out_has '^BenchmarkMemMemcpy/size=4KB/.*/function=default 4096 [0-9.e+]+ B/s '
	out_has '^BenchmarkMemMemcpy/size=4KB/.*/function=plain 4096 [0-9.e+]+ B/s '
	run 0 -f csv mem memset -l 1 -s 4KB
	out_has '^mem memset,.*plain.*,1,B/s,[0-9.e+]+,higher'
	run 0 -f simple -r 2 mem memset -l 1 -s 4KB -f default,plain
	out_lines 4
	run 0 -f json mem memset -l 1 -s 4KB -f default,plain
	out_lines 2
	out_has '"function":"plain"'
}

sweep() {
	run 0 mem memcpy -f default -l 1 -s 1K-4K*2
	for size in 1KB 2KB 4KB; do
		out_has "^ +$size +1 +[0-9]"
	done
}

# Operations are bytes: of the last pass too, that is shorter than a batch.
passes() {
	for loops in 1 7 100; do
		run 0 -f go mem memcpy -s 1000 -l $loops -f default
		out_has "/function=default ${loops}000 "
		run 0 -f go mem memset -s 1000 -l $loops -t 3 -f default
		out_has "/function=default $((loops * 3))000 "
	done
}

# Without a number of passes there are as many as fill 200 ms; never less, however slow the machine.
steady() {
	run 0 -f csv mem memcpy -s 1KB -f default
	sed -n 's/.*,sec,\([0-9.]*\),.*/\1/p' "$tmp/out" | awk '{ exit !($1 >= 0.2) }' || complain 'less than 200 ms'
}

# Every function with what makes its ends odd; each is checked in its first pass.
odd_memory() {
	for memory in '-s 1' '-s 4097 -k 100' '-s 100 -k 100' '-s 5000 -k 64 --align 1' '-s 5000 --align 2K -t 2'; do
		# shellcheck disable=SC2086
		run 0 mem "$1" -l 2 $memory
	done
	out_has '^# 2 threads, the sum of what each did with its own memory$'
	out_has '^# the target begins 2048 bytes behind the begin of a page'
}

offset() {
	run 0 mem memcpy -l 2 -s 3000 -f default --align 64 --offset 5
	out_has '^# the target begins 64 bytes behind the begin of a page, the source 69$'
}

cold() {
	launch -- mem "$1" -s 64KB -l 3 --cold >"$tmp/out" 2>"$tmp/err"
	case $? in
	0) out_has '^# caches flushed before each pass$' ;;
	4) err_has 'skipped: --cold: .*cannot flush'; skip_test 'user mode cannot flush caches here' ;;
	*) complain 'neither done nor skipped' ;;
	esac
}

# The node that the first page of memory is on can only be one of those that are online.
node=$(sed -n 's/^\([0-9]*\).*/\1/p' /sys/devices/system/node/has_memory 2>/dev/null)
nodes() {
	[ -n "$node" ] || { skip_test 'a kernel without nodes'; return; }
	launch -- mem memcpy -s 64KB -l 1 -f default --source-node "$node" --target-node "$node" >"$tmp/out" 2>"$tmp/err"
	status=$?
	[ $status -ne 4 ] || { err_has 'memory cannot be bound'; skip_test 'memory cannot be bound to nodes here'; return; }
	[ $status -eq 0 ] || complain "status $status"
	out_has "^# every page of the source is on node $node$"
	out_has "^# every page of the target is on node $node$"
	run 2 mem memcpy --source-node 8191
	err_has 'node 8191 is not among the online nodes'
	for wrong in x -1 8192 0,1; do
		run 2 mem memset --target-node $wrong
		err_has "option --target-node: '$wrong' is not the number of a node, 0 to 8191"
	done
}

cycles() {
	launch -- -f simple mem "$1" -c >"$tmp/out" 2>"$tmp/err"
	case $? in
	0) awk '!($1 > 0 && $1 < 1000) { exit 1 }' "$tmp/out" || complain 'no cycles/byte' ;;
	4) out_empty; err_has 'skipped: --cycles: not (supported|permitted|counted)' ;;
	*) complain 'neither done nor skipped' ;;
	esac
	[ "$(wc -l <"$tmp/err")" -le 1 ] || complain 'a reason is said more than once'
}

own_pages() {
	run 0 mem memcpy -p "$page" -f default -l 1
	out_has '^# pages of [0-9]+KB$'
}

# A pool with a free page or none: it is used, or told.
huge_pages() {
	pool=$(echo /sys/kernel/mm/hugepages/hugepages-*kB | sed 's/ .*//')
	[ -d "$pool" ] || { skip_test 'a kernel without huge pages'; return; }
	size=${pool##*-}
	size=${size%kB}
	launch -- mem memset -p "${size}K" -f default -l 1 -s 4K >"$tmp/out" 2>"$tmp/err"
	case $? in
	0) out_has '^# pages of ' ;;
	4) err_has "skipped: needs 1 huge pages? of .*the pool has 0 free.*hugepages-${size}kB" ;;
	*) complain 'neither done nor skipped' ;;
	esac
	run 4 mem memcpy -p 2G -f default
	err_has 'skipped: --page 2GB: this machine has no such pages; its own pages have [0-9]+KB'
}

refused() {
	for option in '-s 0' '-s 1x' '-t 0' '-l -1' '--align 4K' '-k -1'; do
		# shellcheck disable=SC2086
		run 2 mem "$1" $option
		out_empty
		err_has "'${option#* }'"
	done
	run 2 mem "$1" -s 1MB -k 2MB
	err_has '^kbench: mem [a-z]*: --chunk 2MB: more than --size, which is 1MB$'
	run 2 mem "$1" --align 3
	err_has 'align 3: not a power of two'
	run 2 mem "$1" -p 3000
	err_has 'page 3000: not a power of two'
	run 2 mem "$1" -l 100000000000000
	err_has 'more than can be counted'
	run 2 mem "$1" -s 16777215T
	err_has 'more than '
}

too_large() {
	[ "$(getconf LONG_BIT)" -eq 64 ] || { skip_test 'more than an address space can hold'; return; }
	run 1 mem "$1" -s 64T
	out_empty
	err_has 'needs [0-9]+ MB of memory; [0-9]+ MB are available: too little'
	run 1 mem "$1" -s 1G -t 100000
	err_has 'needs [0-9]+ (MB of memory|processes or threads)'
}

for benchmark in memcpy memset; do
	check "one function of $benchmark prints the known block" block $benchmark
	check "the first figure of $benchmark is four lines below its name" line_offset $benchmark
	check "every function of $benchmark has a block below one heading" all_blocks $benchmark
	check "help of a function of $benchmark lists what this machine has" menu $benchmark
	check "every function of $benchmark is right for odd sizes and places" odd_memory $benchmark
	check "$benchmark of cold memory flushes before each pass" cold $benchmark
	check "$benchmark counts cycles, or says once why not" cycles $benchmark
	check "$benchmark refuses what cannot be meant" refused $benchmark
	check "$benchmark refuses what is larger than the machine with the arithmetic" too_large $benchmark
done
check 'where all benchmarks run, all functions have one heading too' in_all
check 'of several functions each is a row' rows
check 'a list of sizes gives a row for each' sweep
check 'passes are as many as were asked for, in each thread' passes
check 'without a number the passes fill their time' steady
check 'the source is shifted against the target' offset
check 'source and target are on the nodes that were asked for' nodes
check "the machine's own pages are what they are called" own_pages
check 'huge pages come from a pool, or are skipped with what it has' huge_pages
finish
