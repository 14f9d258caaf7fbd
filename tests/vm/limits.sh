#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What a kernel limits, counts and refuses.
. "$KBENCH_SOURCE/tests/vm/lib.sh"

node 256 2
node 256 2
boot

groups=/sys/fs/cgroup
mkdir $groups/small
echo '+memory +pids' >$groups/cgroup.subtree_control
echo 64M >$groups/small/memory.max
echo 20 >$groups/small/pids.max

throttled() {
	run 0 -f csv --cpu-max 10000/100000 self nop -l 20000000
	out_has ',throttled-periods,[1-9][0-9]*,'
	out_has ',throttled-sec,[0-9.]*[1-9],'
	run 0 -f csv --cpu-max max/100000 self nop -l 20000000
	out_has ',throttled-periods,0,'
}

# State of the groups: their names, and the controllers that each passes on.
state() { find $groups -type d -exec grep -H . {}/cgroup.subtree_control \; -print | sort; }

nothing_is_left() {
	state >"$tmp/before"
	run 0 --cgroup small --cpu-max 50000/10000 self nop -l 1000
	run 2 --cgroup small --cpu-max 50000/10000 self nop -l 0
	run 1 --cgroup small --cpu-max 50000/10000 --timeout 10ms self nop -l "$forever"
	state | diff "$tmp/before" - || complain 'the groups have changed'
	start -- --cgroup small --cpu-max 50000/10000 self nop -l "$forever"
	wait_until has_processes 2
	kill -KILL "$kbench"
	ended 137
	wait_until same_state || complain 'the groups have changed'
}
same_state() { state | diff "$tmp/before" - >/dev/null; }

sweep() {
	run 0 -f csv --cpu-max none,10000/20000,50000/20000 self nop -l 10000000
	[ "$(grep -c ',throttled-periods,' "$tmp/out")" -eq 2 ] || complain 'other rows'
}

joined() {
	run 0 --cgroup small --prepare 'cat /sys/fs/cgroup/small/cgroup.procs >&2' self nop -l 1000
	run 1 --cgroup absent self nop -l 1000
	err_has '^kbench: self nop: --cgroup: joining absent: No such file or directory$'
	out_empty
}

# Limits hold for a run that joins the group, and for a kbench that was started in it.
small_memory() {
	run 1 --cgroup small mem pagefaults -s 100MB
	err_has 'needs 10[01] MB of memory; /sys/fs/cgroup/small/memory.max leaves 6[0-9] MB: too little$'
	run 0 --cgroup small mem pagefaults -s 4MB
	in_group run 1 mem pagefaults -s 100MB
	err_has 'needs 10[01] MB of memory; /sys/fs/cgroup/small/memory.max leaves 6[0-9] MB: too little$'
	in_group run 0 env
	out_has '^cgroup +/small$'
	out_has '^cgroup-memory-max +64 MB$'
	out_has '^cgroup-pids-max +20$'
}
in_group() {
	echo 0 >$groups/small/cgroup.procs
	"$@"
	echo 0 >$groups/cgroup.procs
}

few_tasks() {
	run 1 --cgroup small sched messaging -g 1 -l 1
	err_has 'needs 40 processes or threads; /sys/fs/cgroup/small/pids.max is 20 and leaves room for 1[0-9]: too few$'
	run 0 --cgroup small sched messaging -g 1 -f 2 -l 1
}

# as_user STATUS ARGS...: run, as somebody who has no rights.
as_user() {
	run_expected=$1
	shift
	"$tmp/launch" user=1000 -- "$KBENCH" "$@" >"$tmp/out" 2>"$tmp/err"
	run_status=$?
	[ "$run_status" -eq "$run_expected" ] || complain "kbench $* ended with status $run_status, not $run_expected"
}

# without CALLS... -- STATUS ARGS...: run, where these system calls are not permitted or, with $how, not there.
without_calls() {
	calls=
	while [ "$1" != -- ]; do
		calls="$calls $1"
		shift
	done
	run_expected=$2
	shift 2
	# shellcheck disable=SC2086 # several words
	refuse "$how" $calls -- "$KBENCH" "$@" >"$tmp/out" 2>"$tmp/err"
	run_status=$?
	[ "$run_status" -eq "$run_expected" ] || complain "kbench $* ended with status $run_status, not $run_expected"
}

counted() {
	run 0 -e page-faults,context-switches,task-clock,cycles sched pipe -l 100 --place same
	out_has '^# +[0-9]+ +page-faults +[0-9.]+ /op$'
	out_has '^# +20[0-9] +context-switches +2(\.[0-9]+)? /op$'
	out_has '^# +[0-9]+ +task-clock +[0-9.]+ /op$'
	out_has '^# <not supported> +cycles +n/a /op$'
	out_has '^# cycles: not supported by this machine$'
	run 0 -e page-faults mem pagefaults -s 4MB
	out_has '^# 10[2-3][0-9] +page-faults '
}

tracepoints() {
	run 0 -e sched:sched_switch,sched:no_such,syscalls:sys_enter_write sched pipe -l 100 --place same
	out_has '^# +20[0-9] +sched:sched_switch +2(\.[0-9]+)? /op$'
	out_has '^# +20[0-9] +syscalls:sys_enter_write +2(\.[0-9]+)? /op$'
	out_has '^# <not supported> +sched:no_such '
	out_has '^# sched:no_such: this kernel has no such tracepoint$'
}

# perf_event_paranoid is 3 here, where this kernel lets nobody else count.
user_counts() {
	as_user 0 -e page-faults,sched:sched_switch sched pipe -l 100
	out_has '^# <not supported> +page-faults '
	out_has '^# page-faults: not permitted \(perf_event_paranoid is 3\)$'
	echo 2 >/proc/sys/kernel/perf_event_paranoid
	as_user 0 -e page-faults:u,context-switches,sched:sched_switch sched pipe -l 100
	out_has '^# +[0-9]+ +page-faults:u '
	out_has '^# <not supported> +sched:sched_switch '
}

user_runs() {
	as_user 0 numa mem -p 2 -t 1 -G 0 -P 1 -l 1 -C 0,2 -M 1,0
	out_has '^# pages: 256 on node 0, 256 on node 1$'
	as_user 4 --cpu-max 20000/100000 self nop -l 1000
	err_has 'skipped: .*/sys/fs/cgroup/.*: Permission denied$'
	as_user 4 --cgroup small self nop -l 1000
	err_has 'skipped: --cgroup: joining small: Permission denied$'
	as_user 4 sched messaging -g 1 -l 1 -F
	err_has 'skipped: '
	as_user 4 --drop-caches self nop -l 1000
	err_has 'skipped: '
	as_user 0 mem pagefaults -s 1MB -p file-shared
}

no_policies() {
	for call in mbind move_pages; do
		how=EPERM
		without_calls $call -- 4 numa mem -p 1 -t 1 -P 1 -l 1 -M 0
		err_has '^kbench: numa mem: skipped: memory cannot be bound to nodes here: Operation not permitted$'
		how=ENOSYS
		without_calls $call -- 4 numa mem -p 1 -t 1 -P 1 -l 1 -M 0
		err_has '^kbench: numa mem: skipped: memory cannot be bound to nodes here: Function not implemented$'
		out_empty
	done
	without_calls mbind move_pages get_mempolicy set_mempolicy -- 0 numa mem -p 1 -t 1 -P 1 -l 1
	out_has '^# pages: n/a$'
}

no_binding() {
	for how in EPERM ENOSYS; do
		without_calls sched_setaffinity -- 0 stat -r 2 true
		without_calls sched_setaffinity -- 0 self nop -l 1000
		without_calls sched_setaffinity -- 4 --cpus 0 self nop -l 1000
		without_calls sched_setaffinity -- 4 --cpus 0 stat -r 2 true
		without_calls sched_setaffinity -- 4 sched pipe -l 10 --place same
		err_has '^kbench: sched pipe: skipped: p[io]ng [01]: binding to CPU [0-9]+: '
		without_calls sched_setaffinity -- 4 numa latency -s 1MB -l 1000
		out_empty
	done
}

no_counters() {
	how=EPERM
	without_calls perf_event_open -- 0 -e page-faults sched pipe -l 100
	out_has '^# page-faults: not permitted \(perf_event_open is filtered\)$'
	how=ENOSYS
	without_calls perf_event_open -- 0 -e page-faults sched pipe -l 100
	out_has '^# page-faults: not supported by this kernel \(no perf_event_open\)$'
}

check 'a limit of CPU time throttles, and it is counted' throttled
check 'each limit of a sweep makes a row' sweep
check 'no group and no controller is left behind, even by a killed kbench' nothing_is_left
check 'a group that is not there is an error' joined
check 'more memory than a group may have is refused with the arithmetic' small_memory
check 'more tasks than a group may have are refused with the arithmetic' few_tasks
check 'software events are counted, and cycles are not supported' counted
check 'tracepoints are counted' tracepoints
check 'what a user may not count is said' user_counts
check 'a user binds and faults, and is skipped where that needs a right' user_runs
check 'without memory policies a bind is a skip, and the rest runs' no_policies
check 'where CPUs cannot be bound, only what must be is a skip' no_binding
check 'without counters a run tells why' no_counters
finish
