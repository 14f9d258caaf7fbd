#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
. "$KBENCH_SOURCE/tests/shell/lib.sh"

# pipe STATUS ARGS...
pipe() {
	pipe_status=$1
	shift
	run "$pipe_status" --timeout 100s sched pipe "$@"
}

refused() {
	refused_pattern=$1
	shift
	pipe 2 "$@"
	out_empty
	err_has "^kbench: sched pipe: $refused_pattern"
}

long_options() {
	pipe 0 --loop 20 --threaded --nonblocking
	out_has '^# Executed 20 pipe operations between two threads$'
	pipe 0 --loop 20 --size 1K --tokens 3 --place same
	out_has '^# Executed 20 pipe operations between two processes$'
	out_has ', 3 tokens of 1024 bytes$'
}

figures_agree() {
	pipe 0 -l 1000
	awk '/Total time:/ { sec = $3 } / usecs\/op$/ { us = $1 } / ops\/sec$/ { ops = $1 }
		function far(a, b, most) { return a - b > most || b - a > most }
		END { exit far(sec, us * 1000 / 1e6, 0.001001) || far(ops, 1e6 / us, 1 + ops / 1e5) }' "$tmp/out" ||
		complain 'time, usecs/op and ops/sec are not of one run'
}

every_kind() {
	for tasks in '' -T; do
		for waiting in '' -n; do
			for shape in '-l 1' '-l 101' '-l 50 -s 1' '-l 50 -s 4097' '-l 50 --tokens 50' '-l 50 --tokens 2 -s 16K'; do
				# shellcheck disable=SC2086
				pipe 0 $tasks $waiting $shape
				err_empty
				out_has ' ops/sec$'
			done
		done
	done
	pipe 0 -l 5 -s 1MB
	pipe 0 -l 5 -s 1MB -T
}

impossible() {
	refused '--tokens 20: more than the 10 round trips of --loop' -l 10 --tokens 20
	refused '--tokens 2 of --size 1MB do not fit a pipe' -l 10 --tokens 2 -s 1MB
	refused '--tokens 1 of --size 1MB do not fit a pipe' -l 10 -n -s 1MB
	refused "option -G, --cgroups: 'one' is not two groups SEND,RECV" -G one
	refused "option -G, --cgroups: ',b' is not two groups" -G ,b
	refused "option -G, --cgroups: 'a,' is not two groups" -G a,
	refused "option -G, --cgroups: 'a,b,c' is not two groups" -G a,b,c
}

bad_places() {
	for where in up '' 0 0,0,0 -1,0 99999999999,0; do
		refused "option --place: '$where' is not free, same, smt, llc, node, remote or two CPU numbers" "--place=$where"
	done
	for where in '0,' 0,x '0, 0'; do
		refused "option --place: '0' is not free, same, " "--place=$where"
	done
	refused "option --place: '' is not free, same, " --place=,0
	refused "option --place: '0,99999': CPU 99999 is not among the CPUs of this run" --place 0,99999
}

allowed() { sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status; }
first_allowed() { allowed | sed 's/[,-].*//'; }
last_allowed() { allowed | sed 's/.*[,-]//'; }

free_place() {
	pipe 0 -l 10
	out_has '^# placed freely, 1 token of 4 bytes$'
}

same_place() {
	cpu=$(first_allowed)
	for tasks in '' -T; do
		# shellcheck disable=SC2086
		pipe 0 -l 200 $tasks --place same
		out_has "^# placed on CPUs $cpu and $cpu \\("
		out_has '; same CPU 100 % of 100 looks; migrations (0|n/a)$'
	done
	run 0 --cpus "$(last_allowed)" sched pipe -l 10 --place same
	out_has "^# placed on CPUs $(last_allowed) and $(last_allowed) \\("
}

# With one token on one CPU each round trip is two switches, of which the kernel may call some involuntary.
switches() {
	run 0 --timeout 100s -f csv sched pipe -l 2000 --place same
	awk -F, '$(NF - 2) == "switches/op" { found = $(NF - 1) >= 1.9 } END { exit !found }' "$tmp/out" ||
		complain 'fewer than two switches a round trip'
}

# Tasks of SCHED_BATCH do not preempt who wakes them: each waits for the other.
voluntary() {
	chrt -b 0 true 2>"$tmp/err" || { skip_test "no SCHED_BATCH: $(head -n 1 "$tmp/err")"; return; }
	chrt -b 0 "$KBENCH" --timeout 100s -f csv sched pipe -l 5000 --place same >"$tmp/out" 2>"$tmp/err" ||
		complain 'it does not run'
	awk -F, '$(NF - 2) == "voluntary-switches/op" { found = $(NF - 1) > 1.9 && $(NF - 1) < 2.1 } END { exit !found }' \
		"$tmp/out" || complain 'not two voluntary switches a round trip'
}

two_places() {
	first=$(first_allowed) last=$(last_allowed)
	[ "$first" != "$last" ] || { skip_test 'there is one CPU'; return; }
	pipe 0 -l 200 --place "$first,$last"
	out_has "^# placed on CPUs $first and $last \\("
	out_has '; same CPU 0 % of 100 looks; '
	pipe 0 -l 200 --place "$last,$first" -T
	out_has "^# placed on CPUs $last and $first \\("
}

# Each relation is found on this machine and said, or skipped with the reason.
relations() {
	for where in smt llc node remote; do
		"$KBENCH" --timeout 100s sched pipe -l 10 --place "$where" >"$tmp/out" 2>"$tmp/err"
		case $? in
		0) out_has '^# placed on CPUs [0-9]+ and [0-9]+ \(.*\), 1 token' ;;
		4) out_empty && err_has "^kbench: sched pipe: skipped: --place $where: no two of the CPUs .*, as far as is known" ;;
		*) complain "$where is neither placed nor skipped" ;;
		esac
	done
	run 4 --cpus "$(first_allowed)" sched pipe -l 10 --place llc
	err_has "no two of the CPUs $(first_allowed) share.*, as far as is known"
}

one_cpu() {
	run 0 --cpus "$(first_allowed)" -f simple sched pipe -l 10,20
	out_lines 2
}

no_such_group() {
	pipe 1 -l 10 -G no-such-group-a,no-such-group-b
	out_empty
	err_has '^kbench: sched pipe: p[io]ng [01]: joining cgroup no-such-group-[ab]: '
}

# Groups of our own, where the hierarchy can be written.
groups() {
	mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	group=kbench-test-$$
	if [ -z "$mount" ] || ! mkdir "$mount/$group-a" "$mount/$group-b" 2>/dev/null; then
		skip_test 'no version 2 cgroup can be made'
		return
	fi
	start -- sched pipe -l "$forever" -G "$group-a,$group-b"
	for side in a b; do
		wait_until grep -q . "$mount/$group-$side/cgroup.procs" || complain "no task is in the group $side"
	done
	kill -TERM "$kbench"
	ended 143
	wait_until rmdir "$mount/$group-a" 2>/dev/null
	wait_until rmdir "$mount/$group-b" 2>/dev/null
}

check 'the long names of the options mean the same' long_options
check 'time, time of a round trip and rate agree' figures_agree
check 'every kind of task, of waiting and of token gives a result' every_kind
check 'options that cannot go together are refused' impossible
check 'a place that is none is refused with what there is' bad_places
check 'without a place the tasks are free' free_place
check 'both tasks run on one CPU when asked to' same_place
check 'on one CPU a round trip is two switches' switches
check 'without preemption at a wake-up both switches are voluntary' voluntary
check 'two CPUs are those that were asked for' two_places
check 'a relation of two CPUs is found or skipped with the reason' relations
check 'one CPU is enough' one_cpu
check 'a cgroup that is not there is an error with its name' no_such_group
check 'each task joins its cgroup' groups
finish
