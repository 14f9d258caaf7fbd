#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The options that every benchmark has.
. "$KBENCH_SOURCE/tests/shell/lib.sh"

lines_of() { wc -l <"$1" 2>/dev/null || echo 0; }
has_lines() { [ "$(lines_of "$1")" -ge "$2" ]; }

repeat() {
	run 0 -r 4 -f simple sched pipe -l 10
	out_lines 4
	run 0 --repeat=2 -f simple sched messaging -g 1 -l 1
	out_lines 2
	run 0 -r 3 sched pipe -l 10
	out_has '^ +3 '
}

warmup() {
	run 0 -w 3 -r 2 -f simple --prepare "echo x >>$tmp/warmups" sched pipe -l 10
	out_lines 2
	[ "$(lines_of "$tmp/warmups")" -eq 5 ] || complain "$(lines_of "$tmp/warmups") runs, not 5"
	run 0 -w 3 sched pipe -l 10
	out_has ' usecs/op$'
}

allowed() { sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "/proc/$1/status"; }
last_allowed() { allowed self | sed 's/.*[,-]//'; }

bad_cpus() {
	for list in '' x 1- ,0 0,,0 -1 0-; do
		run 2 "--cpus=$list" self nop
		out_empty
		err_has "option --cpus: '$list' is not a list of CPUs"
	done
	run 2 --cpus 0-8191 self nop
	out_empty
	err_has "option --cpus: '0-8191' is not (within the CPUs that this process may use|a list of CPUs)"
}

bound() {
	cpu=$(last_allowed)
	for words in "sched pipe -l $forever" "sched pipe -T -l $forever" "self nop --procs 2 -t 2 -l $forever"; do
		# shellcheck disable=SC2086
		start -- --cpus "$cpu" $words
		wait_until has_processes 2
		run_process=$(children_of "$kbench")
		wait_until [ -n "$(children_of "$run_process")$(ls "/proc/$run_process/task")" ]
		for pid in $run_process $(children_of "$run_process"); do
			for task in "/proc/$pid/task"/*; do
				[ "$(allowed "$pid/task/${task##*/}")" = "$cpu" ] || complain "$task may run elsewhere"
			done
		done
		kill -TERM "$kbench"
		ended 143
	done
}

not_enough_cpus() {
	run 2 --cpus "$(last_allowed)" sched pipe -l 10 --place "$(last_allowed),9999"
	out_empty
	err_has "CPU 9999 is not among the CPUs of this run, $(last_allowed)\$"
}

prepare_each() {
	run 0 -r 3 -f simple --prepare "echo run; echo x >>$tmp/each" sched pipe -l 10,20
	out_lines 6
	out_lacks run
	[ "$(lines_of "$tmp/each")" -eq 6 ] || complain "it ran $(lines_of "$tmp/each") times, not 6"
	[ "$(grep -cx run "$tmp/err")" -eq 6 ] || complain 'what it printed is not on stderr'
}

# The command fails at its third time.
prepare_fails() {
	rm -f "$tmp/fails"
	run 1 -r 5 "$@" --prepare "echo x >>$tmp/fails; [ \$(wc -l <$tmp/fails) -lt 3 ] || exit 9" sched pipe -l 10
	err_has '^kbench: sched pipe: run 3: the --prepare command ended with status 9: echo x'
	[ "$(lines_of "$tmp/fails")" -eq 3 ] || complain 'it ran again after it had failed'
}

prepare_failure() {
	prepare_fails -f simple
	out_lines 2
	prepare_fails
	out_has '^ +2 '
	prepare_fails -f json
	out_has '"status":"incomplete","reason":"the --prepare command ended with status 9'
	prepare_fails -f csv
	[ "$(grep -c ',sec,' "$tmp/out")" -eq 2 ] || complain 'csv has not both runs'
	run 1 --prepare 'kill -KILL $$' sched pipe -l 10
	err_has 'the --prepare command ended with status 137'
	out_empty
	run 1 --prepare '/no/such/command' sched pipe -l 10
	err_has 'status 127'
}

prepare_input() {
	echo something >"$tmp/input"
	"$tmp/launch" -- "$tmp/kbench" --prepare 'cat >&2' -f simple sched pipe -l 10 \
		<"$tmp/input" >"$tmp/out" 2>"$tmp/err" || complain 'it failed'
	err_empty
}

# ends_prepare SIGNAL STATUS: with kbench goes the command and what it has started.
ends_prepare() {
	rm -f "$tmp/pids"
	start -- --prepare "sleep 1000 & echo \$\$ \$! >$tmp/pids; wait" sched pipe -l 10
	wait_until [ -s "$tmp/pids" ] || complain 'the command did not begin'
	kill "-$1" "$kbench"
	ended "$2"
	read -r shell child <"$tmp/pids"
	for pid in "$shell" "$child"; do
		wait_until is_gone "$pid" || complain "process $pid is left of the command"
	done
	out_empty
}

prepare_ends() {
	ends_prepare TERM 143
	ends_prepare INT 130
	ends_prepare KILL 137
}

# What it leaves in the background is ended before the run.
prepare_leaves_nothing() {
	run 0 -f simple --prepare "sleep 1000 & echo \$! >$tmp/left" sched pipe -l 10
	wait_until is_gone "$(cat "$tmp/left")" || complain 'a child of the command is left'
}

daemon_is_gone() {
	read -r shell child <"$tmp/daemon"
	for pid in "$shell" "$child"; do is_gone "$pid" || complain "process $pid is left of the command"; done
}

# What it starts in a session of its own is there for the run, and ends with it.
prepare_session() {
	command -v setsid >/dev/null || { skip_test 'there is no setsid'; return; }
	# shellcheck disable=SC2016 # for that shell
	echo 'sleep 1000 & echo $$ $! >"$1"; wait' >"$tmp/daemon.sh"
	daemon="setsid sh $tmp/daemon.sh $tmp/daemon </dev/null >/dev/null 2>&1 & until [ -s $tmp/daemon ]; do :; done"
	rm -f "$tmp/daemon"
	start -- --prepare "$daemon" sched pipe -l "$forever"
	wait_until [ -s "$tmp/daemon" ]
	wait_until [ -n "$(children_of "$kbench")" ]
	read -r shell child <"$tmp/daemon"
	is_gone "$shell" && complain 'it has not lived until the run'
	kill -INT "$kbench"
	ended 130
	daemon_is_gone
	rm -f "$tmp/daemon"
	run 0 --prepare "$daemon" self nop -l 10
	daemon_is_gone
	rm -f "$tmp/daemon"
	run 0 stat -r 1 "$daemon"
	daemon_is_gone
}

# Children that the caller had before he became kbench are his.
callers_children() {
	command -v setsid >/dev/null || { skip_test 'there is no setsid'; return; }
	(
		setsid sleep 1000 >/dev/null 2>&1 &
		echo $! >"$tmp/caller"
		launch_exec="exec"
		launch -- --prepare 'setsid true' self nop -l 10
	) >"$tmp/out" 2>"$tmp/err" </dev/null || complain 'it failed'
	pid=$(cat "$tmp/caller")
	is_gone "$pid" && complain 'a child of the caller was ended'
	kill "$pid"
}

caches() {
	launch -- --drop-caches -f simple self nop -l 10 >"$tmp/out" 2>"$tmp/err"
	case $? in
	0) out_lines 1 && err_empty ;;
	4) err_has '^kbench: self nop: skipped: --drop-caches: .*it needs root' && out_empty ;;
	*) complain 'ended neither with a result nor with a skip' ;;
	esac
}

caches_of_nobody() {
	chmod 755 "$tmp"
	launch user=61234 -- --version >"$tmp/out" 2>"$tmp/err" || { skip_test 'cannot become another user'; return; }
	launch user=61234 -- --drop-caches self nop -l 10 >"$tmp/out" 2>"$tmp/err"
	status=$?
	[ "$status" -eq 4 ] || complain "ended with status $status, not 4"
	out_empty
	err_has '^kbench: self nop: skipped: --drop-caches: /proc/sys/vm/drop_caches: Permission denied \(it needs root\)'
}

timeout_kills() {
	for words in 'sched pipe' 'sched pipe -T' 'self nop --procs 3 -t 3'; do
		# shellcheck disable=SC2086
		run 1 --timeout 100ms $words -l "$forever"
		out_empty
		err_has 'the run took longer than --timeout 100ms and was ended$'
		nothing_left || wait_until nothing_left || complain "processes are left: $(processes)"
	done
}

timeout_ends_the_series() {
	run 1 --timeout 3s -r 2 -f simple sched pipe -l "1,$forever"
	err_has '^kbench: sched pipe: run [0-9]+: the run took longer'
	out_lines 2
}

timeout_in_time() {
	run 0 --timeout 50s -f simple sched pipe -l 10
	out_lines 1
	err_empty
	run 0 --timeout 0 -f simple sched pipe -l 10
	out_lines 1
}

verbose() {
	run 0 -v -r 2 sched pipe -l 10
	out_has '^# run 1$'
	out_has '^# run 2$'
	for metric in sec ns/op op/s user-sec sys-sec voluntary-switches involuntary-switches minor-faults major-faults; do
		[ "$(grep -cE "^#  +([0-9.]+|n/a)  $metric\$" "$tmp/out")" -eq 2 ] || complain "no $metric of each run"
	done
}

check '-r runs as often, for every benchmark' repeat
check 'warm-up runs are made and not counted' warmup
check 'a bad list for --cpus is refused' bad_cpus
check '--cpus binds every task of the run' bound
check 'a CPU outside of --cpus is refused' not_enough_cpus
check '--prepare runs before each run and does not write to our stdout' prepare_each
check 'a failing --prepare ends the series and keeps what is finished' prepare_failure
check '--prepare reads nothing of our stdin' prepare_input
check '--prepare and its children end with kbench, however that ends' prepare_ends
check '--prepare leaves nothing behind' prepare_leaves_nothing
check 'what --prepare or stat leaves in a session of its own ends with the run' prepare_session
check 'children of the caller are left alone' callers_children
check '--drop-caches works or says what it needs' caches
check '--drop-caches without privilege is a skip' caches_of_nobody
check '--timeout ends a run and all of its tasks' timeout_kills
check '--timeout ends a series and keeps what is finished' timeout_ends_the_series
check 'a run within --timeout is a run' timeout_in_time
check '-v shows what the kernel counted for each run' verbose
finish
