#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What the harness costs, as ratios against hand-written loops and peers, measured alternately. By hand, on an idle machine:
#
#	tests/perf/run.sh [pipe|pagefaults|memcpy|chase|nop|start|messaging]...
#
# KBENCH= and CC= name the program and the compiler, PAIRS= how many pairs (10). A median of 1.02 is 2 % slower.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
kbench=${KBENCH:-$here/../../kbench}
pairs=${PAIRS:-10}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

peer() { "${CC:-cc}" -O2 -D_GNU_SOURCE -pthread -o "$tmp/$1" "$here/$1.c"; }
compare() { sh "$here/pairs.sh" "$pairs" "$1" "$2"; }

have() {
	command -v "$1" >/dev/null && return
	echo "  skipped: $1 is not installed"
	return 1
}

# wall TIMES COMMAND: wall seconds of so many of it, whose output does not matter.
cat >"$tmp/wall" <<'END'
left=$1 start=$(date +%s%N)
shift
while [ $((left -= 1)) -ge 0 ]; do
	"$@" >/dev/null
done
echo "$(($(date +%s%N) - start))" | awk '{ printf "%.6f\n", $1 / 1e9 }'
END

pipe() {
	echo "sched pipe on one CPU against a hand-written loop (at most 1.02)"
	peer pipe-peer
	compare "$kbench -f simple sched pipe -l 100000 --place 0,0" "$tmp/pipe-peer 100000"
}

pagefaults() {
	peer pagefaults-peer
	for threads in 1 2 4; do
		echo "mem pagefaults anon, $threads thread(s), against a hand-written loop of as many (at most 1.02)"
		compare "$kbench -f simple mem pagefaults -t $threads -s $((128 / threads))MB -l 8" \
			"$tmp/pagefaults-peer $((128 / threads)) 8 $threads"
	done
}

chase() {
	echo "numa latency on one node against a hand-written walk (0.95 to 1.05)"
	peer chase-peer
	compare "$kbench -f simple --cpus 0 numa latency -l 1000000 -s 128MB -M 0" "$tmp/chase-peer 128 1000000"
}

# perf bench names the function even where one number is asked for. There, more is better.
memcpy() {
	echo "mem memcpy of 1MB, bytes a second, against perf bench (at least 0.98, and no larger %stddev)"
	have perf || return 0
	compare "$kbench -f simple mem memcpy -s 1MB -f default -l 1000" \
		"perf bench -f simple mem memcpy -s 1MB -f default -l 1000 | tail -n 1"
	echo "the same with as many passes as kbench makes by itself"
	compare "$kbench -f simple mem memcpy -s 1MB -f default" \
		"perf bench -f simple mem memcpy -s 1MB -f default -l 1000 | tail -n 1"
}

nop() {
	echo "self nop: nanoseconds an operation (at most 1)"
	"$kbench" -r "$pairs" self nop
}

start() {
	echo "a whole sched pipe -l 1 against perf bench (at most 0.2 of the time, 0.5 of the memory)"
	have perf || return 0
	compare "sh $tmp/wall 20 $kbench -f simple sched pipe -l 1" \
		"sh $tmp/wall 20 perf bench -f simple sched pipe -l 1"
	[ -x /usr/bin/time ] || return 0
	for program in "$kbench" "perf bench"; do
		# shellcheck disable=SC2086 # two words
		/usr/bin/time -f "  %M kB  $program" $program -f simple sched pipe -l 1 >/dev/null
	done
}

messaging() {
	echo "a whole sched messaging -g 200 -l 10 against hackbench (at most 1)"
	have hackbench || return 0
	compare "sh $tmp/wall 1 $kbench sched messaging -g 200 -l 10" "sh $tmp/wall 1 hackbench -g 200 -l 10"
}

[ $# -gt 0 ] || set -- pipe pagefaults memcpy chase nop start messaging
for what; do
	"$what"
done
