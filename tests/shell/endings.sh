#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# However kbench, a run or a worker ends: no hang, nothing left behind, no lost result, and the status tells.
. "$KBENCH_SOURCE/tests/shell/lib.sh"

run_process() { children_of "$kbench" | head -n 1; }
workers() { children_of "$(run_process)"; }
has_workers() { [ "$(workers | wc -l)" -ge "$1" ]; }
has_tasks() { [ "$(find "/proc/$(run_process)/task" -maxdepth 1 2>/dev/null | wc -l)" -gt "$1" ]; }
has_lines() { [ "$(wc -l <"$1")" -ge "$2" ]; } 2>/dev/null

# start_workers N ARGS...: an endless run; goes on when so many processes of workers are there.
start_workers() {
	start_count=$1
	shift
	start -- "$@"
	wait_until has_workers "$start_count" || complain 'the workers never came'
}

signals='INT:130 TERM:143 HUP:129'

signal_while_running() {
	for signal in $signals; do
		start_workers 2 sched pipe -l "$forever"
		kill "-${signal%:*}" "$kbench"
		ended "${signal#*:}"
		out_empty
		err_empty
		start -- sched pipe -T -l "$forever"
		wait_until has_tasks 3 || complain 'the threads never came'
		kill "-${signal%:*}" "$kbench"
		ended "${signal#*:}"
		out_empty
	done
}

# Those that others than users send: of a timer, of a limit, of a program.
other_signals() {
	for signal in QUIT:131 ALRM:142 USR1:138 USR2:140 XCPU:152; do
		start_workers 2 sched pipe -l "$forever"
		kill "-${signal%:*}" "$kbench"
		ended "${signal#*:}"
		out_empty
		err_empty
	done
}

# Asleep and without a child, after a run: it waits for a place for its output.
is_stuck() {
	has_lines "$tmp/began" 1 && [ -z "$(children_of "$kbench")" ] && grep -q '^State:[[:space:]]*S' "/proc/$kbench/status"
}

# stuck_at DESCRIPTOR SIGNAL STATUS ARGS...: a full pipe that nobody reads is no reason to stay.
stuck_at() {
	stuck_descriptor=$1 signal=$2 signal_status=$3
	shift 3
	rm -f "$tmp/began"
	start "full-pipe=$stuck_descriptor" -- --prepare "echo x >>$tmp/began" "$@"
	wait_until is_stuck || complain 'it did not wait for a reader'
	kill "-$signal" "$kbench"
	ended "$signal_status"
}

stuck_output() {
	stuck_at 1 INT 130 -r 1000000 -f simple self nop
	err_has '^kbench: self nop: stdout: nobody reads it; ended by signal 2 before all was written$'
	stuck_at 1 TERM 143 self nop
	stuck_at 1 HUP 129 -f json self nop
	stuck_at 1 INT 130 -f go self nop
	err_has '^kbench: self nop: /dev/stdout: ended by signal 2 before the run could be recorded$'
	stuck_at 1 INT 130 stat -r 1000000 'exit 0'
	stuck_at 2 TERM 143 stat -r 3 'exit 0' 'exit 1'
}

# Another who holds the lock of the record file does not give it back.
locked_records() {
	command -v flock >/dev/null || { skip_test 'there is no flock'; return; }
	: >"$tmp/records"
	rm -f "$tmp/began"
	exec 9<"$tmp/records"
	flock 9
	start -- -o "$tmp/records" --prepare "echo x >>$tmp/began" self nop 9<&-
	wait_until is_stuck || complain 'it did not wait for the lock'
	kill -TERM "$kbench"
	ended 143
	exec 9<&-
	err_has 'ended by signal 15 before the run could be recorded$'
	[ ! -s "$tmp/records" ] || complain 'a part of a run is recorded'
}

# signal_at PROCESSES SIGNAL STATUS ARGS...: as soon as there are so many processes.
signal_at() {
	signal_moment=$1 signal=$2 signal_status=$3
	shift 3
	start -- "$@"
	wait_until has_processes "$signal_moment" || complain "there never were $signal_moment processes"
	kill "-$signal" "$kbench"
	ended "$signal_status"
	out_empty
}

# Wherever the signal finds it: before the run, while it starts hundreds of tasks, and after.
signal_during_setup() {
	signal_at 0 INT 130 self nop --procs 200 -l "$forever"
	signal_at 1 TERM 143 sched messaging -g 8 -l "$forever"
	signal_at 2 HUP 129 self nop --procs 3 -t 60 -l "$forever"
	signal_at 3 INT 130 sched messaging -g 8 -l "$forever"
	signal_at 20 TERM 143 self nop --procs 200 -l "$forever"
	signal_at 100 HUP 129 sched messaging -g 8 -l "$forever"
	signal_at 5 INT 130 self nop --procs 3 -t 60 -l "$forever"
	signal_at 2 TERM 143 sched messaging -g 4 -t -l "$forever"
}

two_signals() {
	start_workers 2 self nop --procs 50 -l "$forever"
	kill -TERM "$kbench"
	kill -INT "$kbench" 2>/dev/null
	wait "$kbench" 2>/dev/null
	case $? in 130 | 143) ;; *) complain 'the status is of neither signal' ;; esac
	wait_until nothing_left || complain "processes are left: $(processes)"
}

# interrupted_series FORMAT [SIGNAL STATUS]: a signal while the third run or a later one is under way.
interrupted_series() {
	rm -f "$tmp/began"
	start -- -r 1000000 -f "$1" --prepare "echo x >>$tmp/began" sched pipe -l 10
	wait_until has_lines "$tmp/began" 3 || complain 'no three runs'
	kill "-${2:-INT}" "$kbench"
	ended "${3:-130}"
	err_empty
}

keeps_results() {
	interrupted_series simple
	[ "$(grep -cE '^[0-9]+\.[0-9]+$' "$tmp/out")" -ge 2 ] || complain 'finished runs are not there'
	interrupted_series csv
	[ "$(grep -c ',sec,' "$tmp/out")" -ge 2 ] || complain 'finished runs are not there'
	interrupted_series json
	out_lines 1
	out_has '"status":"incomplete","reason":"interrupted by signal 2"'
	interrupted_series default QUIT 131
	[ "$(sed -nE 's/^ +([0-9]+)( +[0-9.]+){6}$/\1/p' "$tmp/out")" -ge 2 ] || complain 'there is no row of finished runs'
}

signal_between_sets() {
	rm -f "$tmp/began"
	start -- -f simple --prepare "echo x >>$tmp/began" sched pipe -l "10,20,$forever,30"
	wait_until has_lines "$tmp/began" 3 || complain 'the third set did not begin'
	kill -TERM "$kbench"
	ended 143
	out_lines 2
}

# killed_at PROCESSES ARGS...: kbench itself, as soon as there are so many.
killed_at() {
	killed_moment=$1
	shift
	start -- "$@"
	wait_until has_processes "$killed_moment" || complain "there never were $killed_moment processes"
	kill -KILL "$kbench"
	ended 137
}

killed_supervisor() {
	killed_at 1 sched messaging -g 4 -l "$forever"
	killed_at 3 sched pipe -l "$forever"
	killed_at 3 self nop --procs 100 -l "$forever"
	killed_at 100 sched messaging -g 4 -l "$forever"
	killed_at 6 self nop --procs 4 -t 25 -l "$forever"
	killed_at 2 sched messaging -g 4 -t -l "$forever"
}

# As soon as it is there: most others are not ready yet.
killed_worker_early() {
	start_workers 1 self nop --procs 200 -l "$forever"
	victim=$(workers | head -n 1)
	kill -KILL "$victim"
	ended 1
	err_has "^kbench: self nop: idler [0-9]+ \\(process $victim\\) was killed by signal 9 \\(Killed[;)]"
	out_empty
}

# Takes the last child: every worker stands in the loop.
killed_worker_late() {
	start_workers 2 sched pipe -l "$forever"
	victim=$(workers | tail -n 1)
	kill -SEGV "$victim"
	ended 1
	err_has "^kbench: sched pipe: p[io]ng [01] \\(process $victim\\) was killed by signal 11 "
	out_empty
	[ "$(wc -l <"$tmp/err")" -eq 1 ] || complain 'there is more than one message'
}

# The last of the threads of a process.
last_thread() {
	for thread in "/proc/$1/task"/*; do :; done
	echo "${thread##*/}"
}

# A thread cannot be killed by itself: its process is.
killed_threads() {
	start -- sched pipe -T -l "$forever"
	wait_until has_tasks 3 || complain 'the threads never came'
	kill -KILL "$(last_thread "$(run_process)")"
	ended 1
	err_has '^kbench: sched pipe: the run process was killed by signal 9 \(Killed[;)]'
	out_empty
	start_workers 2 self nop --procs 2 -t 3 -l "$forever"
	victim=$(workers | tail -n 1)
	kill -KILL "$(last_thread "$victim")"
	ended 1
	err_has "^kbench: self nop: idler [0-9]+ \\(process $victim\\) was killed by signal 9 "
}

killed_run_process() {
	for signal in KILL:9 TERM:15 SEGV:11 INT:2 HUP:1; do
		start_workers 2 sched pipe -l "$forever"
		kill "-${signal%:*}" "$(run_process)"
		ended 1
		err_has "^kbench: sched pipe: the run process was killed by signal ${signal#*:} "
		out_empty
	done
}

# What ends other programs ends a worker too.
terminated_worker() {
	for signal in TERM:15 INT:2; do
		start_workers 2 sched pipe -l "$forever"
		kill "-${signal%:*}" "$(workers | tail -n 1)"
		ended 1
		err_has "^kbench: sched pipe: p[io]ng [01] .* was killed by signal ${signal#*:} "
		out_empty
	done
}

keeps_runs_before_a_death() {
	rm -f "$tmp/began"
	start -- -f simple --prepare "echo x >>$tmp/began" sched pipe -l "10,$forever"
	wait_until has_lines "$tmp/began" 2 || complain 'the second set did not begin'
	wait_until has_workers 2 || complain 'the workers never came'
	kill -KILL "$(workers | head -n 1)"
	ended 1
	out_lines 1
	err_has '^kbench: sched pipe: run 2: p[io]ng [01] .* was killed by signal 9'
}

# stdout_of PATTERN: what ended without a place for its output said so.
said_of_stdout() {
	[ "$1" -eq 1 ] || complain "ended with status $1, not 1"
	err_has "^kbench: .*stdout: $2\$"
	wait_until nothing_left || complain 'processes are left'
}

closed_stdout() {
	: >"$tmp/out"
	for words in 'sched pipe -l 10' list -h --version '-f json self nop -l 10'; do
		# shellcheck disable=SC2086
		launch -- $words >&- 2>"$tmp/err" </dev/null
		said_of_stdout $? 'Bad file descriptor'
	done
}

full_stdout() {
	[ -c /dev/full ] || { skip_test 'there is no /dev/full'; return; }
	: >"$tmp/out"
	for words in '-f default' '-f simple' '-f json' '-f csv' '-r 3' '-v'; do
		# shellcheck disable=SC2086
		launch -- $words sched pipe -l 10 >/dev/full 2>"$tmp/err" </dev/null
		said_of_stdout $? 'No space left on device'
	done
	for words in list '-f simple list' -h --version 'self nop -h' '-f json env' 'self all'; do
		# shellcheck disable=SC2086
		launch -- $words >/dev/full 2>"$tmp/err" </dev/null
		said_of_stdout $? 'No space left on device'
	done
}

# A full disk is seen at the first result, not after the last of a million runs.
full_at_once() {
	[ -c /dev/full ] || { skip_test 'there is no /dev/full'; return; }
	launch -- -f simple -r 1000000 sched pipe -l 10 >/dev/full 2>"$tmp/err" </dev/null
	said_of_stdout $? 'No space left on device'
}

reader_gone() {
	: >"$tmp/out"
	for pipe_signal in '' ignore=13 block=13; do
		for words in '-r 1000000 -f simple sched pipe -l 10' 'sched pipe -l 10' '-f json self nop -l 10' list; do
			# shellcheck disable=SC2086
			launch $pipe_signal reader-gone -- $words 2>"$tmp/err" </dev/null
			said_of_stdout $? 'Broken pipe'
		done
	done
}

# The results inside of a pipeline whose reader has enough are one line and an error.
reader_leaves() {
	{
		launch -- -r 1000000 -f simple sched pipe -l 10 2>"$tmp/err" </dev/null
		echo $? >"$tmp/status"
	} | head -n 1 >"$tmp/out"
	said_of_stdout "$(cat "$tmp/status")" 'Broken pipe'
	out_lines 1
}

caller_signals() {
	for words in ignore=13 block=13 ignore=17 block=17 'block=10 block=15' 'ignore=1 ignore=2 ignore=15' 'ignore=10'; do
		for benchmark in 'sched pipe -l 10' 'sched pipe -T -l 10' 'self nop --procs 3 -l 10'; do
			# shellcheck disable=SC2086
			launch $words -- -r 2 -f simple $benchmark >"$tmp/out" 2>"$tmp/err" </dev/null ||
				complain "failed with $words"
			out_lines 2
			err_empty
		done
	done
}

ignored_hangup() {
	rm -f "$tmp/began"
	start ignore=1 -- -r 1000000 -f simple --prepare "echo x >>$tmp/began" sched pipe -l 10
	wait_until has_lines "$tmp/began" 1 || complain 'no run'
	kill -HUP "$kbench"
	runs=$(wc -l <"$tmp/began")
	wait_until has_lines "$tmp/began" $((runs + 3)) || complain 'the runs did not go on'
	kill -TERM "$kbench"
	ended 143
}

# The mask that kbench needs for itself is not that of the command of --prepare.
prepare_mask() {
	run 0 -f simple --prepare "grep -E '^Sig(Blk|Ign):' /proc/self/status" sched pipe -l 10
	# Signals from 32 on belong to libc, which leaves some ignored in what posix_spawn starts. SIGTTIN and SIGTTOU are
	# ignored: the terminal is not for it.
	grep -vE '^Sig(Blk|Ign):[[:space:]]*[0-9a-f]{8}[08]0(0|3)0{5}$' "$tmp/err" && complain 'a signal is blocked or ignored'
	[ "$(wc -l <"$tmp/err")" -eq 2 ] || complain 'the masks are not shown'
}

closed_input() {
	launch -- -f simple sched pipe -l 10 <&- >"$tmp/out" 2>"$tmp/err" || complain 'failed without stdin'
	out_lines 1
	err_empty
	launch -- -f simple --prepare 'cat' sched pipe -l 10 <&- >"$tmp/out" 2>"$tmp/err" || complain 'failed with cat'
	out_lines 1
}

closed_stderr() {
	: >"$tmp/err"
	launch -- -f simple sched pipe -l 10 </dev/null >"$tmp/out" 2>&- || complain 'failed without stderr'
	out_lines 1
	launch -- --timeout 50ms sched pipe -l "$forever" </dev/null >"$tmp/out" 2>&-
	[ $? -eq 1 ] || complain 'a failure is not status 1'
	out_empty
	launch -- sched pipe -l 0 </dev/null >"$tmp/out" 2>&-
	[ $? -eq 2 ] || complain 'a usage error is not status 2'
	out_empty
}

all_closed() {
	launch -- sched pipe -l 10 <&- >&- 2>&-
	[ $? -eq 1 ] || complain 'no stdout is not status 1'
}

check 'a signal while a run goes on ends it with 128 + its number' signal_while_running
check 'a signal that is not meant for users does too' other_signals
check 'a signal ends kbench while nobody reads its output' stuck_output
check 'a signal ends kbench while another holds the lock of its records' locked_records
check 'a signal at any moment of the set-up does too, and leaves no process' signal_during_setup
check 'two signals at once are one end' two_signals
check 'a signal keeps the results of finished runs in every format' keeps_results
check 'a signal in a sweep keeps the sets before it' signal_between_sets
check 'with a killed kbench every process of its run ends' killed_supervisor
check 'a worker that is killed while others start ends the run with its name' killed_worker_early
check 'a worker that is killed while it works ends the run with its name' killed_worker_late
check 'a killed thread ends the run' killed_threads
check 'a killed run process ends the run' killed_run_process
check 'a worker that is told to end ends the run with its name' terminated_worker
check 'a death keeps the runs before it' keeps_runs_before_a_death
check 'a closed stdout is an error' closed_stdout
check 'a full stdout is an error in every format and command' full_stdout
check 'a full stdout is seen at the first result' full_at_once
check 'a stdout that nobody reads is an error, whatever SIGPIPE does' reader_gone
check 'a reader that leaves ends a long series' reader_leaves
check 'signals that the caller ignores or blocks change no result' caller_signals
check 'an ignored SIGHUP stays ignored' ignored_hangup
check 'the command of --prepare has the signals of the caller' prepare_mask
check 'a closed stdin makes no difference' closed_input
check 'a closed stderr makes no difference, and no message goes elsewhere' closed_stderr
check 'with everything closed it fails' all_closed
finish
