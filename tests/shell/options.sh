#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
. "$KBENCH_SOURCE/tests/shell/lib.sh"

# refused PATTERN ARGS...: a usage error of one line, nothing on stdout.
refused() {
	refused_pattern=$1
	shift
	run 2 "$@"
	out_empty
	err_has "^kbench: .*$refused_pattern"
	[ "$(wc -l <"$tmp/err")" -eq 1 ] || complain 'the message is not one line'
}

bad_counts() {
	for value in 0 -1 18446744073709551616 99999999999999999999 9223372036854775807M; do
		refused "sched pipe: option -l, --loop: '$value' is out of range \\(1 to [0-9]+\\)" sched pipe -l "$value"
	done
	for value in 10x 1e99 '' ' 1' '1 ' +1 0x10 1.5 ten '1,' ,1 1,,2 - 1- -- '1-2*' '*2'; do
		refused "sched pipe: option -l, --loop: " sched pipe "--loop=$value"
		grep -qF -e "'" "$tmp/err" || complain 'the value is not named'
	done
	refused "'10x' is not a count \\(.*k, M, G or T" sched pipe -l 10x
	refused "'1e99' is not a count" sched pipe -l 1e99
	refused "'' is not a count" sched pipe -l ''
	refused "option -l, --loop needs a value" sched pipe -l
	refused "option -l, --loop needs a value" sched pipe --loop
}

bad_in_a_list() {
	refused "option -l, --loop: '0' is out of range" sched pipe -l 5,0,7
	refused "option -l, --loop: .*x" sched pipe -l 5,x
	refused "option -l, --loop: '4-1'" sched pipe -l 4-1
	refused "option -l, --loop: '0' is out of range" sched pipe -l 0-3
	refused 'option -l, --loop' sched pipe -l '8-64*1'
	refused '--loop takes 1000 values, --size takes 1000 values: more than 100000 combinations' \
		sched pipe -l 1-1000 -s 1-1000
}

bad_sizes_and_times() {
	refused "option -s, --size: '0' is out of range \\(1 to 1MB\\)" sched pipe -s 0
	refused "option -s, --size: '2M' is out of range \\(1 to 1MB\\)" sched pipe -s 2M
	refused "option -s, --size: '5X' is not a size" sched pipe -s 5X
	refused "option --timeout: '1y' is not a time" --timeout 1y self nop
	refused "option --timeout: '-1' is out of range" --timeout -1 self nop
}

bad_common() {
	refused "option -f, --format: 'xml' is not one of default, simple, json, csv" -f xml self nop
	refused "option -r, --repeat: '0' is out of range \\(1 to [0-9]+\\)" -r 0 self nop
	refused "option -r, --repeat: '10x' is not a count" -r 10x self nop
	refused "option -w, --warmup: '-1' is out of range \\(0 to [0-9]+\\)" -w -1 self nop
	refused 'option --repeat takes one value' -r 1,2 self nop
	refused 'option --format takes one value' -f simple,json self nop
}

unknown() {
	refused "unknown option '--lop': did you mean '--loop'\\?" sched pipe --lop 1
	refused "unknown option '--treaded': did you mean '--threaded'\\?" sched pipe --treaded
	refused "unknown option '--reapet': did you mean '--repeat'\\?" --reapet=3 self nop
	refused "unknown option '--xyzzy'\$" sched pipe --xyzzy
	refused "unknown option '-Z'" sched pipe -Z
	refused "option -T, --threaded takes no value" sched pipe --threaded=1
}

# A common option after the words of a benchmark is no riddle: numa mem has letters of its own, which win.
misplaced() {
	before='is a common option and stands before'
	refused "sched pipe: option -r, --repeat $before the collection: kbench -r N sched pipe\$" sched pipe -r 5
	refused "option -r, --repeat $before the collection: kbench --repeat N sched pipe\$" sched pipe --repeat=5
	refused "option -f, --format $before the collection: kbench -f WORD sched pipe\$" sched pipe -Tf json
	refused "option --cpus $before the collection: kbench --cpus LIST sched pipe\$" sched pipe --cpus 0
	refused "option -v, --verbose $before the collection: kbench -v numa mem\$" numa mem -r -v
	refused "option -r, --repeat $before the collection: kbench -r N sched\$" sched -r 5 pipe
	refused "option -r, --repeat $before the collection: kbench -r N sched all\$" sched all -r 5
	refused "option -r, --repeat $before the collection: kbench -r N all\$" all -r 5
	refused "stat: option -f, --format $before stat: kbench -f WORD stat\$" stat -f json true
	refused "list: unknown option '-f'; a format stands before: kbench -f simple list\$" list -f simple
	refused "env: unknown option '-f'; a format stands before: kbench -f json env\$" env -f json
	refused "unknown option '-l'; options of a benchmark stand after its name\$" -l 100 sched pipe
	refused "unknown option '--tokens'; options of a benchmark stand after its name\$" --tokens 2 sched pipe
}

grouped_digits() {
	refused "option -l, --loop: '1,000' is a list, and '000' no value of it; digits are never grouped" \
		sched pipe -l 1,000
	refused "'12,034,567' is a list, and '034' no value of it" sched pipe -l 12,034,567
	refused "option -s, --size: '1,024' is a list, and '024' no value" sched pipe -s 1,024
}

beginnings() {
	run 0 sched pipe --loo 5 --thr
	out_has '^# Executed 5 pipe operations between two threads$'
}

repeated() {
	run 0 -f json sched pipe -l 7 -T -l 5 -T
	out_has '"loop": *"?5"?[,}]'
	run 0 -r 9 -r 2 -f simple self nop -l 10
	out_lines 2
}

# The second field on of the lines of a table below its headings.
table_rows() { sed '/^#/d; /^$/d' "$tmp/out" | awk 'NR > 1 { print $1, $2 }' | tr '\n' ';'; }
rows_are() { [ "$(table_rows)" = "$1" ] || complain "the rows are $(table_rows), not $1"; }

sweeps() {
	run 0 -r 2 sched pipe -l 30,10,20
	rows_are '30 2;10 2;20 2;'
	run 0 sched pipe -l 3-5
	rows_are '3 1;4 1;5 1;'
	run 0 sched pipe -l '1-8*2'
	rows_are '1 1;2 1;4 1;8 1;'
	run 0 sched pipe -l '1-2,10-40*2,7'
	rows_are '1 1;2 1;10 1;20 1;40 1;7 1;'
	run 0 sched pipe -l 10,1k -s 1,1K
	rows_are '10 1;10 1KB;1000 1;1000 1KB;'
	out_has '^ *loop +size +n +mean '
}

sweep_checks_all_first() {
	run 2 sched pipe -l 10,100 -s 1,64K --tokens 1,5
	out_empty
	err_has '^kbench: sched pipe: --tokens 5'
}

sweeps_of_words() {
	run 0 sched pipe -l 10 --place same,free,same
	rows_are 'same 1;free 1;same 1;'
	run 0 sched pipe -l 10 --place same --place 0,0,free
	rows_are '0,0 1;free 1;'
	run 0 mem pagefaults -s 64K --pattern shmem,anon --order stride=4,random
	out_has '^ *pattern +order +n +mean '
	rows_are 'shmem stride=4;shmem random;anon stride=4;anon random;'
	refused "option --place: '' is not free, same" sched pipe --place same,,free
	refused "option --place: '0,0,0' is not free, same" sched pipe --place free,0,0,0
}

two_choices() {
	run 0 -f simple sched pipe -l 5 -s 1,4 --tokens 1,2
	out_lines 4
}

check 'a count that is none or out of range is refused by option, value and range' bad_counts
check 'one bad value in a list is refused' bad_in_a_list
check 'sizes and times have their own units and ranges' bad_sizes_and_times
check 'the common options are as strict' bad_common
check 'an unknown option is answered with the nearest known' unknown
check 'an option on the wrong side of the words is told the right one' misplaced
check 'a comma never groups digits' grouped_digits
check 'the beginning of a name that fits one option is that option' beginnings
check 'of an option that is given twice the last counts' repeated
check 'lists, ranges and doubling ranges make rows in order' sweeps
check 'words take lists, in which two numbers are one word' sweeps_of_words
check 'the product of two lists has every pair' two_choices
check 'of a sweep with one impossible set nothing runs' sweep_checks_all_first
finish
