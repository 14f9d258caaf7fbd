#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
. "$KBENCH_SOURCE/tests/shell/lib.sh"

refused() {
	refused_pattern=$1
	shift
	run 2 self nop "$@"
	out_empty
	err_has "^kbench: self nop: $refused_pattern"
}

# shape OPERATIONS WORKERS ARGS...
shape() {
	shape_text="# $1 empty operations by $2 workers"
	[ "$2" -ne 1 ] || shape_text=${shape_text%s}
	shift 2
	run 0 self nop "$@"
	err_empty
	[ "$(sed -n 2p "$tmp/out")" = "$shape_text" ] || complain "the second line is not: $shape_text"
}

block() {
	run 0 -q self nop -l 1000
	err_empty
	sed -E 's/^( {5}Total time:) [0-9]+\.[0-9]{3} (\[sec\])$/\1 N.NNN \2/
		s/^ [ 0-9]{10}\.[0-9]{3} ([a-z])/ NNNNNNNNNN.NNN \1/' "$tmp/out" >"$tmp/masked"
	mv "$tmp/masked" "$tmp/out"
	out_is "$expected/self-nop.txt"
}

counts() {
	shape 1000 1 -l 1000
	shape 1 1 -l 1
	shape 1000 1 -l 1000 -b 7
	shape 1000 1 -l 1000 -b 1M
	shape 3000 3 -l 1000 -t 3
	shape 3000 3 -l 1000 --procs 3
	shape 6000 6 --loop 1000 --threads 3 --procs 2 --batch 10
}

many() {
	shape 2000 200 -l 10 --procs 200
	shape 2000 200 -l 10 --procs 10 -t 20
}

gate() {
	run 0 -f csv self nop -l 1000 --procs 4
	awk -F, '$(NF - 2) ~ /^gate-/ { n++; bad += !($(NF - 1) >= 0 && $(NF - 1) < 1e9) } END { exit n != 2 || bad }' "$tmp/out" ||
		complain 'the gate took no time that can be'
	run 0 -f csv self nop -l 1000
	awk -F, '$(NF - 2) == "gate-skew-us" { skew = $(NF - 1) } END { exit skew != 0 }' "$tmp/out" ||
		complain 'one worker has a skew'
}

# The measured region of a worker lies within that of the run.
within() {
	run 0 -f csv self nop -l 1000000
	awk -F, '{ value[$(NF - 2)] = $(NF - 1) } END { exit !(value["ns/op"] * 1e6 <= value["sec"] * 1e9 && value["ns/op"] > 0) }' \
		"$tmp/out" || complain 'the worker worked longer than the run lasted'
}

too_many() {
	refused 'option -t, --threads: .* is out of range' -t 100001
	refused 'option --procs: .* is out of range' --procs 0
	refused '10000000000 tasks are more than Linux has ids for' -t 100000 --procs 100000
}

not_here() {
	run 1 self nop --procs 100000 -t 1000
	out_empty
	err_has '^kbench: self nop: needs 100000000 processes or threads'
}

check 'a run prints its block to the byte' block
check 'every worker does every operation, whatever the batch' counts
check 'hundreds of workers are processes, or threads of them' many
check 'the gate is timed, and one worker is not apart from itself' gate
check 'what a worker took lies within the run' within
check 'more workers than can be counted are refused' too_many
check 'more workers than this machine has room for are an error with the arithmetic' not_here
finish
