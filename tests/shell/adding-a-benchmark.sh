#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The worked example of Documentation/adding-a-benchmark.md does what the page says.
. "$KBENCH_SOURCE/tests/shell/lib.sh"

guide=$KBENCH_SOURCE/Documentation/adding-a-benchmark.md
tree=$tmp/tree

# The lines of the code block that begins with a fence holding $1.
block() {
	awk -v fence="$1" '
		inside && /^```/ { exit }
		inside { print }
		/^```/ && index($0, fence) { inside = 1 }' "$guide"
}

follow_the_page() {
	if [ -e "$KBENCH_SOURCE/bench/sched-yield.c" ]; then
		skip_test 'the example is in the tree already'
		return
	fi
	mkdir "$tree" || return
	(cd "$KBENCH_SOURCE" && tar cf - --exclude=.git --exclude='*.o' Makefile Build ./*.c ./*.h bench util) |
		tar xf - -C "$tree" || complain "the tree cannot be copied"
	block file=bench/sched-yield.c >"$tree/bench/sched-yield.c"
	block row=bench/benchmarks.h >"$tmp/row"
	if [ ! -s "$tree/bench/sched-yield.c" ] || [ ! -s "$tmp/row" ]; then
		complain "the page has no code"
	fi
	sed "/^BENCHMARK(sched, pipe)/r $tmp/row" "$tree/bench/benchmarks.h" >"$tmp/benchmarks.h" &&
		mv "$tmp/benchmarks.h" "$tree/bench/benchmarks.h"
	# The folder for objects that the make above us was given is not meant.
	MAKEFLAGS='' make -s -C "$tree" -j2 O= CC="${KBENCH_CC:-cc}" WERROR=1 >"$tmp/out" 2>"$tmp/err" ||
		complain "the example does not build"
}

example_runs() {
	[ ! -e "$KBENCH_SOURCE/bench/sched-yield.c" ] || { skip_test 'the example is in the tree already'; return; }
	[ -x "$tree/kbench" ] || { complain "there is no program"; return; }
	KBENCH=$tree/kbench
	run 0 sched yield -l 1000
	out_has '^# Executed 2000 sched_yield\(\) calls in 2 tasks$'
	out_has 'usecs/op$'
	run 0 -f simple sched yield -l 100 -n 1-3 -T
	out_lines 3
	run 0 -f simple list
	out_has '^sched yield$'
	run 2 sched yield -n 0
	err_has 'tasks.*0.*1 to 10000'
}

check 'the example of adding-a-benchmark.md builds after one file and one row' follow_the_page
check 'the example runs, sweeps, is listed, and answers bad input' example_runs
finish
