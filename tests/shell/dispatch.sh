#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
. "$KBENCH_SOURCE/tests/shell/lib.sh"

# refused MESSAGE ARGS...: a usage error, said on stderr alone.
refused() {
	refused_message=$1
	shift
	run 2 "$@"
	out_empty
	err_has "^kbench: .*$refused_message"
	[ "$(wc -l <"$tmp/err")" -eq 1 ] || complain 'the message is not one line'
}

alone() {
	run 0
	err_empty
	out_has '^Usage: kbench '
	for word in sched mem numa self all list env; do
		out_has "^  $word +[A-Z]"
	done
}

version() {
	run 0 --version
	err_empty
	out_lines 1
	out_has '^kbench [0-9]+\.[0-9]+\.[0-9]+$'
}

list_default() {
	run 0 list
	err_empty
	out_has '^sched: [A-Z]'
	out_has '^  pipe +[A-Z]'
	out_has '\(one operation: round trip\)'
}

list_simple() {
	run 0 -f simple list
	err_empty
	out_has '^sched pipe$'
	out_has '^self nop$'
	out_lacks '^[a-z0-9-]+ [a-z0-9-]+ |[^a-z0-9 -]'
}

listed_words_are_commands() {
	run 0 -f simple list
	cp "$tmp/out" "$tmp/list"
	while read -r collection benchmark; do
		run 0 "$collection" "$benchmark" -h
		out_has "^Usage: kbench .* $collection $benchmark "
	done <"$tmp/list"
}

list_refuses() {
	refused "unexpected word 'pipe'" list pipe
	refused '-f csv' -f csv list
}

collection_lists() {
	run 0 sched
	err_empty
	out_has '^  messaging +'
	out_has '^  pipe +'
	out_has '^  all +'
}

usual_benchmark() {
	run 0 --timeout 50s numa -l 1 -P 1 -t 1
	out_has "^# Running 'numa/mem' benchmark:\$"
	run 0 --timeout 50s self -l 10
	out_has "^# Running 'self/nop' benchmark:\$"
	refused "'-l' comes after the benchmark" sched -l 1
}

unknown_words() {
	refused "'shed' .*did you mean 'sched'\\?" shed pipe
	refused "'lst' .*did you mean 'list'\\?" lst
	refused "'xyzzy' .*'kbench' lists them" xyzzy
	refused "'pip'.*did you mean 'pipe'\\?" sched pip
	refused "'al'.*did you mean 'all'\\?" self al
	refused "'xyzzy'; 'kbench sched -h' lists them" sched xyzzy
	refused "'' is neither" ''
	refused "unexpected word 'word'" sched pipe word
	refused "unexpected word 'word'" env word
}

all_of_a_collection() {
	run 0 self all
	err_empty
	[ "$(head -n 1 "$tmp/out")" = '# Running self/nop benchmark...' ] || complain 'the heading is another'
	[ -z "$(tail -n 1 "$tmp/out")" ] || complain 'no empty line at the end'
	run 0 -r 3 -f simple self all
	out_lines 3
}

all_takes_no_options() {
	refused "'-l'" self all -l 10
	refused "'word'" sched all word
	refused "'-x'" all -x
	refused "'sched'" all sched
}

# What takes long in it is ended by the timeout: that is a failure of one, and the rest goes on.
all_goes_on() {
	run 1 --timeout 1ms all
	err_has 'sched pipe: the run took longer than --timeout 1ms'
	err_has 'self nop: the run took longer than --timeout 1ms'
}

check 'kbench alone lists collections, commands and options' alone
check 'the version is one line' version
check 'list says what each benchmark does and counts' list_default
check 'list in simple format is nothing but words' list_simple
check 'what is listed is a command' listed_words_are_commands
check 'list takes no word and no other format' list_refuses
check 'a collection of several benchmarks lists them' collection_lists
check 'a collection with a usual benchmark, or only one, runs it' usual_benchmark
check 'an unknown word is answered with the nearest known' unknown_words
check 'all of a collection runs with headings of its own' all_of_a_collection
check 'all takes no options and no words' all_takes_no_options
check 'a failure in all does not end the others' all_goes_on
finish
