#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# -o, -f go, -e, --precision and --cpu-max over the built program.
. "$KBENCH_SOURCE/tests/shell/lib.sh"

records=$tmp/records.txt

written() {
	rm -f "$records"
	run 0 -q -f simple -r 3 -o "$records" sched pipe -l 10
	out_lines 3
	[ "$(grep -c '^BenchmarkSchedPipe/loop=10/[^ ]*=[^ ]* 10 [0-9.e-]* sec ' "$records")" -eq 3 ] || complain 'not three runs'
	grep -q '^# kbench-record: 1$' "$records" || complain 'no head'
	grep -q '^Unit sec better=lower$' "$records" || complain 'no direction'
	grep -q '^# kernel: ' "$records" || complain 'no kernel'
	grep -q '^# kbench: [0-9]' "$records" || complain 'no version'
	[ "$(sed -n 's/^# run: id=\([0-9a-f]*\) index=\([0-9]*\) .*/\2/p' "$records" | tr '\n' ' ')" = '1 2 3 ' ] || complain 'no order'
	run 0 -q -f simple -o "$records" sched pipe -l 10
	[ "$(grep -c '^BenchmarkSchedPipe' "$records")" -eq 4 ] || complain 'the second series is not appended'
	run 0 -f go -r 2 sched pipe -l 10
	[ "$(grep -c '^BenchmarkSchedPipe' "$tmp/out")" -eq 2 ] || complain '-f go has not two runs'
}

# A run that was measured is in the file when the next one fails or is killed.
kept() {
	rm -f "$records"
	run 1 -q -f simple -r 3 -o "$records" --prepare "[ ! -s $records ]" sched pipe -l 10
	[ "$(grep -c '^BenchmarkSchedPipe' "$records")" -eq 1 ] || complain 'the first run is lost'
	rm -f "$records"
	start -- -q -r 100000 -o "$records" sched pipe -l 10
	wait_until grep -q '^Benchmark' "$records"
	kill -KILL "$kbench"
	ended 137
	lines=$(grep -c '^Benchmark' "$records")
	run 0 -q -o "$records" sched pipe -l 10
	run 0 compare "$records" "$records"
	[ "$(grep -c '^Benchmark' "$records")" -ge $((lines + 1)) ] || complain 'runs are lost'
}

bad_files() {
	run 1 -o "$tmp" sched pipe -l 10
	err_has "$tmp.*Is a directory"
	out_empty
	run 1 -o "$tmp/no/such" sched pipe -l 10
	err_has 'No such file or directory'
	out_empty
	[ -w /dev/full ] || return 0
	run 1 -o /dev/full sched pipe -l 10
	err_has '/dev/full.*No space left on device'
}

counted() {
	run 0 -e task-clock,context-switches,cycles sched pipe -l 100
	out_has '^# +([0-9]+|<not supported>)  task-clock +([0-9.]+|n/a) /op$'
	out_has '^# +([0-9]+|<not supported>)  context-switches'
	run 0 -r 2 -e context-switches sched pipe -l 100,200
	out_has '^  loop  event +total +per op +\+- +%stddev$'
	run 0 -f json -e context-switches sched pipe -l 100
	out_has '"context-switches":([0-9]|null)'
	run 2 -e cycels sched pipe -l 100
	err_has "cycels.*cycles"
	out_empty
}

precise() {
	run 0 --precision 1000 sched pipe -l 100
	out_has '^ +5 '
	run 0 --precision 0.0001 --max-runs 6 sched pipe -l 100
	out_has '^ +6 '
	err_has 'after 6 runs the mean is not yet within 0.0001 %; --max-runs allows more'
	run 2 --precision 0 sched pipe
	err_has "option --precision: '0' is not a percentage"
	run 2 --precision 1 -r 20 --max-runs 10 sched pipe
	err_has 'option --max-runs: 10 are fewer than the 20'
}

limited() {
	run 0 --cpu-max none sched pipe -l 10
	run 2 --cpu-max 5 sched pipe -l 10
	err_has "option --cpu-max: '5' is neither none nor QUOTA/PERIOD"
	"$KBENCH" -f csv --cpu-max none,1000/10000,max/100000 sched pipe -l 3000 >"$tmp/out" 2>"$tmp/err"
	grep -q 'skipped' "$tmp/err" && { skip_test 'no group can be made here'; return; }
	out_has ',throttled-periods,[1-9]'
	out_has '^benchmark,loop,cpu-max,run,'
	out_has '^sched pipe,3000,none,'
	out_has '^sched pipe,3000,max/100000,'
	find /sys/fs/cgroup -name 'kbench-*' -type d 2>/dev/null | grep -q . && complain 'a group is left'
	start -- --cpu-max 20000/100000 sched pipe -l "$forever"
	wait_until has_group
	kill -KILL "$kbench"
	ended 137
	wait_until lacks_group || complain 'a killed kbench leaves its group'
}
groups() { find /sys/fs/cgroup -name "kbench-$kbench-*" -type d 2>/dev/null; }
has_group() { groups | grep -q .; }
lacks_group() { ! has_group; }

check '-o appends every run with its environment, and -f go prints the same' written
check 'what was measured is kept when the rest fails or is killed' kept
check 'a file that cannot be written is an error before the first run' bad_files
check '-e counts over the region, in total and for an operation' counted
check '--precision repeats until the mean is narrow enough, or says so' precise
check '--cpu-max makes groups, reports throttling, and removes them' limited
finish
