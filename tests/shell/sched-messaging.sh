#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
. "$KBENCH_SOURCE/tests/shell/lib.sh"

# Expects stdout to be this text, figures masked.
block_is() {
	printf '%s\n' "$@" >"$tmp/block"
	mask_block
	out_is "$tmp/block"
}

process_block() {
	run 0 sched messaging -g 1 -l 10
	err_empty
	block_is "# Running 'sched/messaging' benchmark:" \
		'# 20 sender and receiver processes per group' \
		'# 1 groups == 40 processes run' \
		'' \
		'     Total time: N.NNN [sec]'
}

thread_block() {
	run 0 sched messaging -t -p -g 2 -l 10
	err_empty
	block_is "# Running 'sched/messaging' benchmark:" \
		'# 20 sender and receiver threads per group' \
		'# 2 groups == 80 threads run' \
		'' \
		'     Total time: N.NNN [sec]'
}

# figure KEY: from the one line of json.
figure() { sed -E "s|.*\"runs\":\[\{[^}]*\"$1\":([^,}]*)[,}].*|\\1|" "$tmp/out"; }

# Two groups of 3 x 3 pairs, 5 messages each: 90 messages of 1000 bytes.
figures() {
	for tasks in '' -t; do
		# shellcheck disable=SC2086
		run 0 -f json sched messaging -g 2 -f 3 -l 5 -s 1000 $tasks
		awk -v all="$(figure sec)" -v last="$(figure last-message-sec)" \
			-v messages="$(figure op/s)" -v bytes="$(figure B/s)" -v switches="$(figure switches/op)" \
			-v voluntary="$(figure voluntary-switches)" -v involuntary="$(figure involuntary-switches)" '
			function about(a, b) { return a > b * 0.999 && a < b * 1.001 }
			BEGIN { exit !(last > 0 && last < all && about(messages * last, 90) &&
				about(bytes * last, 90000) && about(switches * 90 + 1, voluntary + involuntary + 1)) }' ||
			complain 'the figures do not agree'
	done
}

long_options() {
	run 0 sched messaging --pipe --group 3 --nr_loops 2 --fds 4 --datasize 1K
	out_has '^# 4 sender and receiver processes per group$'
	out_has '^# 3 groups == 24 processes run$'
	run 0 sched messaging --inet --thread --group 1 --nr_loops 2 --fds 4
	out_has '^# 1 groups == 8 threads run$'
}

# Over one kind of channel: processes and threads, each with the smallest and with large values.
channel() {
	for tasks in '' -t; do
		for shape in '-f 1' '-l 1' '-s 1' '-s 512' '-s 513' '-s 100000 -l 3' '-f 1 -l 1 -s 1' '-f 3 -s 1MB -l 2'; do
			# shellcheck disable=SC2086
			run 0 sched messaging -g 1 -l 10 $1 $tasks $shape
			out_has '^     Total time: [0-9]+\.[0-9]{3} \[sec\]$'
			err_empty
		done
	done
}

fifo() {
	for tasks in '' -t; do
		# shellcheck disable=SC2086
		launch -- sched messaging -F -g 1 -l 2 $tasks >"$tmp/out" 2>"$tmp/err"
		case $? in
		0) out_has '^     Total time: ' ;;
		4) err_has 'SCHED_FIFO: ' && skip_test 'SCHED_FIFO is not permitted' ;;
		*) complain 'ended neither with a result nor with a skip' ;;
		esac
	done
}

bad_numbers() {
	for words in '-g 0' '-g x' '-g -1' '-l 0' '-l 10x' '-f 0' '-s 0' '-s 1e3' '-s 2MB' '-g'; do
		# shellcheck disable=SC2086
		run 2 sched messaging $words
		out_empty
		err_has "${words%% *}"
	done
	run 2 sched messaging -g 1 surplus
	err_has surplus
}

two_channels() {
	run 2 sched messaging -p -i
	out_empty
	err_has '-p/--pipe and -i/--inet'
}

uncountable() {
	run 2 sched messaging -l 9000000000000000000
	err_has 'messages: 4000 x 9000000000000000000'
	run 2 sched messaging -l 1000000000000000 -s 1MB
	err_has 'bytes: 4000000000000000000 x 1048576'
	run 2 sched messaging -g 5000000000000000000 -f 5
	err_has 'receivers: 5000000000000000000 x 5'
}

# limited STATUS LIMIT ARGS...: with this hard (and soft) limit of file descriptors.
limited() {
	limited_status=$1
	(
		# shellcheck disable=SC3045 # every /bin/sh of Linux has it
		ulimit -n "$2" || exit
		shift 2
		launch -- sched messaging -l 1 "$@"
	) >"$tmp/out" 2>"$tmp/err"
	status=$?
	[ "$status" -eq "$limited_status" ] || complain "at a limit of $2 it ended with status $status"
}

few_descriptors() {
	limited 1 36 -g 2 -f 20
	out_empty
	err_has 'needs 37 file descriptors; soft limit 36 raised to the hard limit 36: still too few'
	limited 1 95 -t -g 2 -f 20
	err_has 'needs 96 file descriptors; .* hard limit 95'
}

enough_descriptors() {
	limited 0 37 -g 2 -f 20
	limited 0 38 -g 2 -f 20 -i
	limited 0 96 -t -g 2 -f 20
	limited 0 97 -t -g 2 -f 20 -i
}

soft_limit() {
	(
		# shellcheck disable=SC3045
		ulimit -S -n 30 || exit
		launch -- sched messaging -t -g 1 -l 1
	) >"$tmp/out" 2>"$tmp/err" || complain 'a low soft limit was not raised'
}

# Starts 40 workers that would go on for days; their ids are left in $workers.
start_workers() {
	start -- sched messaging -g 1 -l "$forever"
	wait_until find_workers && return
	kill "$kbench"
	complain 'the workers never came'
}
find_workers() {
	leader=$(children_of "$kbench")
	workers=$(children_of "${leader:-none}")
	[ "$(echo "$workers" | wc -l)" -eq 40 ]
}

killed_receiver() {
	start_workers || return
	victim=$(echo "$workers" | sed -n 1p)
	kill -KILL "$victim"
	ended 1
	out_empty
	err_has "^kbench: sched messaging: receiver [0-9]+ \\(process $victim\\) was killed by signal 9 "
}

killed_sender() {
	start_workers || return
	victim=$(echo "$workers" | sed -n 40p)
	kill -USR2 "$victim"
	ended 1
	out_empty
	err_has "^kbench: sched messaging: sender [0-9]+ \\(process $victim\\) was killed by signal 12 "
}

check 'processes print the known block to the byte' process_block
check 'threads print the known block to the byte' thread_block
check 'messages, bytes and switches are held against the time to the last message' figures
check 'the long names of the options mean the same' long_options
check 'Unix sockets carry messages of every shape' channel ''
check 'pipes carry messages of every shape' channel -p
check 'TCP carries messages of every shape' channel -i
check 'SCHED_FIFO gives a result or a skip' fifo
check 'a value out of range is a usage error that names the option' bad_numbers
check 'pipes and TCP together are a usage error' two_channels
check 'more messages or bytes than can be counted are a usage error' uncountable
check 'too few file descriptors are an error with the arithmetic' few_descriptors
check 'exactly as many file descriptors as are declared are enough' enough_descriptors
check 'a low soft limit of file descriptors is raised' soft_limit
check 'a killed receiver ends the run with its name and signal and leaves no process' killed_receiver
check 'a killed sender ends the run with its name and signal and leaves no process' killed_sender
finish
