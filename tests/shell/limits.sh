#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What a run needs and does not get: an error with the arithmetic, and nothing is left.
. "$KBENCH_SOURCE/tests/shell/lib.sh"

run_process() { children_of "$kbench" | head -n 1; }
workers() { children_of "$(run_process)"; }

# limited LIMIT ARGS...: with this limit of descriptors, soft and hard.
limited() {
	(
		# shellcheck disable=SC3045 # every /bin/sh of Linux has it
		ulimit -n "$1" || exit 99
		shift
		launch_exec="exec"
		launch -- "$@"
	) >"$tmp/out" 2>"$tmp/err" </dev/null
}

few_descriptors() {
	limited 12 sched pipe -l 10
	[ $? -eq 1 ] || complain 'too few descriptors are not status 1'
	out_empty
	err_has '^kbench: sched pipe: needs [0-9]+ file descriptors; soft limit 12 raised to the hard limit 12: still too few$'
	need=$(sed 's/.* needs \([0-9]*\) file.*/\1/' "$tmp/err")
	limited $((need - 1)) sched pipe -l 10 && complain "it ran with $need - 1 descriptors"
	limited "$need" sched pipe -l 10 || complain "it did not run with the $need that it needs"
	limited "$need" sched pipe -l 10 -T || complain "threads did not run with $need"
	limited "$need" sched pipe -l 10 -n || limited $((need + 2)) sched pipe -l 10 -n || complain 'not with epoll'
}

# Nothing is called unknown that could not be read for want of a descriptor.
descriptors_for_files() {
	launch files=3 -- --version >"$tmp/out" 2>&1 || { skip_test 'kbench cannot be loaded with so few'; return; }
	for words in env '-f json self nop -l 10' '-f simple --prepare true self nop -l 10'; do
		# shellcheck disable=SC2086
		launch files=3 -- $words >"$tmp/out" 2>"$tmp/err" </dev/null
		[ $? -eq 1 ] || complain 'too few descriptors are not status 1'
		err_has '^kbench: .*: /[a-z/]*: Too many open files$'
		[ "$(wc -l <"$tmp/err")" -eq 1 ] || complain 'there is more than one message'
	done
}

# without_shell STATUS MESSAGE ARGS...: where there is kbench, and nothing else.
without_shell() {
	without_status=$1 without_message=$2
	shift 2
	chroot "$tmp/root" /kbench "$@" >"$tmp/out" 2>"$tmp/err"
	[ $? -eq "$without_status" ] || complain "the status is not $without_status"
	err_has "^kbench: $without_message\$"
	[ "$(wc -l <"$tmp/err")" -eq 1 ] || complain 'there is more than one message'
}

no_shell() {
	mkdir -p "$tmp/root/dev"
	cp "$tmp/kbench" "$tmp/root"
	mknod "$tmp/root/dev/null" c 1 3 2>/dev/null
	chroot "$tmp/root" /kbench --version >/dev/null 2>&1 || { skip_test 'kbench cannot be run alone'; return; }
	without_shell 1 'self nop: the --prepare command cannot be started: /bin/sh: No such file or directory' \
		--prepare true self nop
	without_shell 127 "stat: run 1 of 'true': /bin/sh: No such file or directory" stat true
	without_shell 1 "stat: run 1 of 'true': the --prepare command cannot be started: /bin/sh: No such .*" \
		stat --prepare true true
}

# As a user who has no other process; root is held to no limit of tasks.
as_nobody() {
	chmod 755 "$tmp"
	launch user=61234 -- --version >"$tmp/out" 2>"$tmp/err" || { skip_test 'cannot become another user'; return 1; }
}

# Held against what the user already runs: kbench itself and the process of the run.
few_tasks() {
	as_nobody || return
	for words in '50 --procs 50' '10 --procs 10' '10 -t 10' '9 --procs 3 -t 3'; do
		# shellcheck disable=SC2086
		launch user=61234 tasks=8 -- self nop ${words#* } -l 10 >"$tmp/out" 2>"$tmp/err"
		[ $? -eq 1 ] || complain 'too few tasks are not status 1'
		out_empty
		err_has "^kbench: self nop: (idler [0-9]: )?needs ${words%% *} processes or threads beside the [2-8] that this user runs; \
the hard limit \\(ulimit -Hu\\) is 8: too few\$"
		wait_until nothing_left || complain "processes are left: $(processes)"
	done
	launch user=61234 tasks=12 -- self nop --procs 10 -l 10 >"$tmp/out" 2>"$tmp/err" || complain 'enough are too few'
}

# The soft limit is raised.
soft_tasks() {
	as_nobody || return
	launch user=61234 tasks=6:50 -- self nop --procs 10 -l 10 >"$tmp/out" 2>"$tmp/err" || complain 'it is not raised'
	launch user=61234 tasks=6:50 -- self nop --procs 40 -l 10 >"$tmp/out" 2>"$tmp/err" || complain 'it is not raised'
}

# group CONTROLLER NAME=VALUE: a new cgroup with a limit, of version 2 or 1, in $group.
group() {
	group=/sys/fs/cgroup/kbench-test.$$
	grep -qw "$1" /sys/fs/cgroup/cgroup.subtree_control 2>/dev/null || group=/sys/fs/cgroup/$1/kbench-test.$$
	mkdir "$group" 2>/dev/null && echo "${2#*=}" 2>/dev/null >"$group/${2%%=*}" && return
	rmdir "$group" 2>/dev/null
	skip_test "no cgroup with $1 can be made"
	return 1
}
memory_file() { if [ -e /sys/fs/cgroup/memory ]; then echo memory.limit_in_bytes; else echo memory.max; fi; }

join_group() { sh -c "echo \$PPID" >"$group/cgroup.procs"; }

in_group() { (join_group; launch_exec="exec"; launch -- "$@") >"$tmp/out" 2>"$tmp/err" </dev/null; }

start_in_group() {
	(join_group; launch_exec="exec"; launch humble -- "$@") >"$tmp/out" 2>"$tmp/err" </dev/null &
	kbench=$!
	wait_until is_kbench "$kbench" || complain 'kbench did not start'
}

# A child that a worker forks is a task too.
few_for_children() {
	as_nobody || return
	launch user=61234 tasks=3 -- mem pagefaults -p cow-child -s 1MB >"$tmp/out" 2>"$tmp/err"
	[ $? -eq 1 ] || complain 'too few tasks are not status 1'
	err_has '^kbench: mem pagefaults: toucher 0: needs 2 processes or threads beside the [2-8] that this user runs; '
}

few_pids() {
	group pids pids.max=6 || return
	for words in '10 --procs 10' '10 -t 10' '40 --procs 40'; do
		# shellcheck disable=SC2086
		in_group self nop ${words#* } -l 10
		[ $? -eq 1 ] || complain 'it is not status 1'
		out_empty
		err_has "^kbench: self nop: (idler [0-9]: )?needs ${words%% *} processes or threads; $group/pids.max is 6 and leaves room for \
[34]: too few\$"
	done
	in_group self nop --procs 3 -l 10 || complain 'enough are too few'
	wait_until rmdir "$group"
}

little_memory() {
	group memory "$(memory_file)=16M" || return
	in_group self nop --procs 300 -l 10
	[ $? -eq 1 ] || complain 'it is not status 1'
	out_empty
	err_has "^kbench: self nop: needs 29 MB of memory, 29 MB of it for the tasks themselves; $group/$(memory_file) leaves \
[0-9]+ MB: too little\$"
	wait_until rmdir "$group"
}

has_worker() { [ -n "$(workers)" ]; }
has_killed() { grep -q '^oom_kill [1-9]' "$group/memory.oom_control" "$group/memory.events" 2>/dev/null; }

# Another takes what the run was promised; the kernel must not end who tells of it.
out_of_memory() {
	group memory "$(memory_file)=40M" || return
	start_in_group mem pagefaults -s 16M -l 1000000
	wait_until has_worker || complain 'no worker'
	[ "$(cat "/proc/$(run_process)/oom_score_adj")" -eq 1000 ] || complain 'the run is no better a victim than others'
	(join_group; head -c 39000000 /dev/zero | tail) >/dev/null 2>"$tmp/hog"
	if has_killed; then
		ended 1
		err_has "^kbench: mem pagefaults: .* was killed by signal 9 \\(Killed; out of memory\\? $group/[a-z_.]* counts"
	else
		skip_test 'the kernel found memory'
		kill "$kbench"
		ended 143
	fi
	wait_until rmdir "$group"
}

# More than can be told before, here address space: what was started ends.
thread_fails_half_way() {
	(
		# shellcheck disable=SC3045 # every /bin/sh of Linux has it
		ulimit -v 20000 || exit 99
		launch_exec="exec"
		launch -- self nop -t 200 -l "$forever"
	) >"$tmp/out" 2>"$tmp/err" </dev/null
	[ $? -eq 1 ] || complain 'a thread that cannot be started is not status 1'
	out_empty
	err_has '^kbench: self nop: idler 0: starting thread [0-9]+: Resource temporarily unavailable'
	wait_until nothing_left || complain "processes are left: $(processes)"
}

check 'too few file descriptors are an error with the arithmetic, and enough are enough' few_descriptors
check 'too few descriptors for files are said' descriptors_for_files
check 'a missing shell is said once' no_shell
check 'too few tasks for the user are an error with the arithmetic, and enough are enough' few_tasks
check 'a soft limit of tasks is raised' soft_tasks
check 'too few tasks for what workers fork are an error with the arithmetic' few_for_children
check 'too few tasks for the group are an error with the arithmetic' few_pids
check 'too little memory for the tasks alone is an error with the arithmetic' little_memory
check 'out of memory the run is killed, and kbench says so' out_of_memory
check 'a thread that cannot be started ends what was started' thread_fails_half_way
finish
