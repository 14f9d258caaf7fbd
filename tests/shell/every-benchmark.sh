#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What holds for every benchmark of the list, also for one that is added tomorrow. How to make a run short is read from
# its help page: options that mean loops, time or size get a small value.
. "$KBENCH_SOURCE/tests/shell/lib.sh"

result_words='usecs/op|ops/sec|operations/sec|GB/sec|MB/sec|KB/sec|bytes/sec|Total time:|Time:|Wokeup|Requeued'
result_words="$result_words|Averaged|Avg per-thread|futexes:|NUMA-convergence-latency|thread-speed|total-speed"

"$KBENCH" -f simple list >"$tmp/list"

# Every option of the page in $tmp/page, one a line: "-l", "--loop".
page_options() {
	sed -nE '/^Options:/,$s/^  (-.,|   ) (--[a-z0-9_-]*).*/\1 \2/p' "$tmp/page" | tr -s ', ' '[\n*]' | grep -e -
}

# Of those that it has, so that it makes one series.
first_function() {
	# shellcheck disable=SC2086
	"$tmp/kbench" $each_words --function help | sed -n '2s/^\t\([^ ]*\) .*/\1/p'
}

# Options that make it short.
short_options() {
	sed -n '/^Options:/,$s/^.*[ ,] --\([a-z0-9_-]*\) \([A-Z]*\).*/\1 \2/p' "$tmp/page" | while read -r name value; do
		case $name:$value in
		*loop*:N) echo "--$name 3" ;;
		nr_secs:*) echo "--$name 50ms" ;;
		runtime:*) grep -q 'in place of --loops' "$tmp/page" || echo "--$name 50ms" ;;
		group:N) echo "--$name 1" ;;
		size:SIZE) echo "--$name 1MB" ;;
		mb_proc:*) echo "--$name 1" ;;
		function:WORD) echo "--$name $(first_function)" ;;
		esac
	done
}

# each TEST: for the words and a short command line of each benchmark.
each() {
	while read -r each_words; do
		# shellcheck disable=SC2086
		"$tmp/kbench" $each_words -h >"$tmp/page" || complain "$each_words has no help page"
		"$1" "$each_words" "$each_words $(short_options | tr '\n' ' ')"
	done <"$tmp/list"
}

# runs ARGS...: false when it cannot run here, for a reason that is said.
runs() {
	launch -- --timeout 100s "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	case $? in
	0) err_empty ;;
	4) err_has '^kbench: [a-z0-9-]+ [a-z0-9-]+: skipped: .' && out_lacks '^[^#{]' && return 1 ;;
	*) complain "kbench $* ended with neither a result nor a skip" ;;
	esac
}

default_format() {
	# shellcheck disable=SC2086
	runs $2 || return
	[ "$(head -n 1 "$tmp/out")" = "# Running '$(echo "$1" | tr ' ' /)' benchmark:" ] || complain 'another heading'
	out_lacks '(^|[^a-z])(nan|inf)([^a-z]|$)'
	grep -q '^[^#]' "$tmp/out" || complain 'no figures'
}

simple_format() {
	# shellcheck disable=SC2086
	runs -f simple -r 2 $2 || return
	out_lines 2
	[ "$(grep -cE '^([0-9]+\.[0-9]{6,}|n/a)$' "$tmp/out")" -eq 2 ] || complain 'a line is no number'
}

json_format() {
	# shellcheck disable=SC2086
	runs -f json -r 2 $2 || return
	out_lines 1
	out_has "^\\{.*\"benchmark\":\"$1\".*\\}\$"
	if command -v jq >/dev/null; then
		jq -e '.headline as $h | .runs | length == 2 and all(.[$h] | type == "number")' "$tmp/out" >/dev/null ||
			complain 'no headline in each run'
	fi
}

csv_format() {
	# shellcheck disable=SC2086
	runs -f csv -r 2 $2 || return
	out_has "^$1,.*,1,sec,[0-9.e-]+,lower"
	out_has "^$1,.*,2,sec,[0-9.e-]+,lower"
}

added_text() {
	# shellcheck disable=SC2086
	runs -v -r 2 $2 || return
	out_lacks "$result_words"
	# shellcheck disable=SC2086
	runs -v $2 || return
	sed -i '/^[^#]/d' "$tmp/out"
	out_lacks "$result_words"
}

own_words() {
	grep -qx "Usage: kbench \[<common options>\] $1 \[<options>\]" "$tmp/page" || complain "$1: another usage"
	# shellcheck disable=SC2086 # two words
	run 2 $1 --no-such-option
	out_empty
	err_has "^kbench: $1: unknown option '--no-such-option'"
}

interrupted() {
	# shellcheck disable=SC2086
	runs $2 || return
	rm -f "$tmp/began"
	# shellcheck disable=SC2086
	start -- -r 1000000 --prepare "echo x >>$tmp/began" $2
	wait_until [ -s "$tmp/began" ] || complain 'no run began'
	kill -TERM "$kbench"
	ended 143
}

# The section of the page that follows ".SS sched pipe", in plain text.
manual_section() {
	sed -e 's/\\f[BIPR]//g' -e 's/\\-/-/g' "$manual" |
		awk -v heading="$1" '/^\.S[HS] /{ gsub(/"/, ""); inside = substr($0, 5) == heading } inside'
}

in_manual() {
	manual_section "$1" >"$tmp/section"
	[ -s "$tmp/section" ] || complain "the manual has no heading: $1"
	grep -oE -e '--?[A-Za-z0-9][A-Za-z0-9_-]*' "$tmp/section" >"$tmp/named"
	page_options | grep -vxF -f "$tmp/named" >"$tmp/out"
	[ ! -s "$tmp/out" ] || complain "the manual does not have these options of $1"
}

manual=$KBENCH_SOURCE/Documentation/kbench.1
every_option_in_manual() {
	[ -e "$manual" ] || { complain 'there is no manual page'; return; }
	each in_manual
}

check 'every benchmark runs in the default format' each default_format
check 'every benchmark runs in simple format' each simple_format
check 'every benchmark runs in json, with its headline' each json_format
check 'every benchmark runs in csv, with its time' each csv_format
check 'no benchmark adds what readers take for a result' each added_text
check 'every benchmark refuses an unknown option under its own name' each own_words
check 'every benchmark is ended by a signal with all of its tasks' each interrupted
check 'the manual has a heading for every benchmark and names all of its options' every_option_in_manual
finish
