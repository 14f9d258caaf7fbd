#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The documents against the program: what they show is what it does. An example is an indented line "$ command" with
# its output below it; "> " goes on with the command.
. "$KBENCH_SOURCE/tests/shell/lib.sh"

documents=$KBENCH_SOURCE/Documentation

# The manual page in plain text: fonts and escapes gone, sections still marked with .SH and .SS.
sed -e 's/\\f[BIPR]//g' -e 's/\\-/-/g' -e 's/^\.B[IR]* //' "$documents/kbench.1" >"$tmp/manual"

# section HEADING: what stands below that heading and above the next.
section() { awk -v heading="$1" '/^\.S[HS] /{ inside = substr($0, 5) == heading } inside' "$tmp/manual"; }

manual_has() {
	section "$1" | grep -qF -e "$2" || complain "section $1 of the manual does not have: $2"
}

formatted() {
	command -v mandoc >/dev/null || { skip_test 'mandoc is not installed'; return; }
	mandoc -T lint "$documents/kbench.1" >"$tmp/out" 2>&1
	out_empty
}

common_options() {
	run 0 -h
	err_empty
	sed -n '/^Common options:/,/^$/s/^ *\(\(-., \)*--[a-z-]*\( [A-Z]*\)*\).*/\1/p' "$tmp/out" >"$tmp/options"
	[ "$(wc -l <"$tmp/options")" -ge 10 ] || complain 'the help page has too few options'
	while read -r option; do
		manual_has 'COMMON OPTIONS' "$option"
	done <"$tmp/options"
}

stat_options() {
	run 0 stat -h
	sed -n '/^Options:/,$s/^ *\(\(-., \)*--[a-z-]*\(\[=[A-Z|]*\]\| [A-Z]*\)*\).*/\1/p' "$tmp/out" | sed 's/ *$//' >"$tmp/options"
	[ "$(wc -l <"$tmp/options")" -ge 10 ] || complain 'the help page has too few options'
	while read -r option; do
		manual_has STAT "$option"
	done <"$tmp/options"
}

commands_listed() {
	run 0 -h
	sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$tmp/out" >"$tmp/commands"
	[ -s "$tmp/commands" ] || complain 'the help page has no commands'
	while read -r command; do
		section COMMANDS | grep -qx "$command" || complain "section COMMANDS of the manual does not have $command"
	done <"$tmp/commands"
}

facts() {
	run 0 env
	sed -n '/^$/q; s/ .*//p' "$tmp/out" >"$tmp/facts"
	[ "$(wc -l <"$tmp/facts")" -ge 20 ] || complain 'env has too few facts'
	while read -r fact; do
		section json | grep -qwF -e "$fact" || complain "section json of the manual does not have $fact"
	done <"$tmp/facts"
}

statuses() {
	sed -n 's/^\tEXIT_[A-Z]* = \([0-9]*\),.*/\1/p' "$KBENCH_SOURCE/util/die.h" >"$tmp/statuses"
	[ "$(wc -l <"$tmp/statuses")" -ge 5 ] || complain 'util/die.h has too few statuses'
	while read -r status; do
		section 'EXIT STATUS' | grep -qE "^$status(\+ n)?\$" ||
			complain "section EXIT STATUS of the manual does not have $status"
	done <"$tmp/statuses"
}

headlines() {
	run 0 -f simple list
	cp "$tmp/out" "$tmp/list"
	while read -r collection benchmark; do
		run 0 "$collection" "$benchmark" -h
		headline=$(sed -n 's/^One number (-f simple) is \([^ ]*\)\. .*/\1/p' "$tmp/out")
		section simple | grep -qE "^ +$collection $benchmark +${headline:-none}\$" ||
			complain "section simple of the manual does not have $collection $benchmark with $headline"
	done <"$tmp/list"
}

# A short run of each.
short_of() {
	case $1 in
	'sched messaging') printf '%s' '-g 1 -l 1' ;;
	'sched pipe') printf '%s' '-l 10' ;;
	'mem pagefaults') printf '%s' '-s 2M' ;;
	'mem memcpy' | 'mem memset' | 'mem mmap') printf '%s' '-l 1' ;;
	'numa balance') printf '%s' '-s 1M --runtime 50ms' ;;
	'numa bandwidth') printf '%s' '-s 1M --runtime 1ms' ;;
	'numa latency') printf '%s' '-s 1M -l 100' ;;
	'numa mem') printf '%s' '-s 10ms -P 1 -m -c -d' ;;
	'numa migrate') printf '%s' '-s 1M' ;;
	'self nop') printf '%s' '-l 10' ;;
	esac
}

# Keys of single tasks have a number: "task-3-sec" is "task- n -sec" in the source of the page; cells have two,
# and points a time. What cannot run here is left out.
metrics() {
	run 0 -f simple list
	cp "$tmp/out" "$tmp/list"
	while read -r words; do
		# shellcheck disable=SC2046,SC2086
		"$KBENCH" -f csv $words $(short_of "$words") >"$tmp/out" 2>"$tmp/err"
		case $? in
		0) ;;
		4) continue ;;
		*) complain "kbench -f csv $words failed" ;;
		esac
		sed '1d; s/\r$//' "$tmp/out" | awk -F, '{ print $(NF - 2) }' |
			sed 's/-[0-9][0-9]*-/- n -/; s/@[0-9].*$/@/' | sort -u >"$tmp/keys"
		[ -s "$tmp/keys" ] || complain "$words has no metrics"
		{ section "$words"; section 'Metrics that every benchmark has'; } >"$tmp/sections"
		while read -r key; do
			grep -qF -e "$key" "$tmp/sections" || complain "the manual does not have metric $key of $words"
		done <"$tmp/keys"
	done <"$tmp/list"
}

# "[text](file)", and "Documentation/NAME" wherever it stands.
links() {
	for text in "$KBENCH_SOURCE/README.md" "$documents"/*.md "$tmp/manual"; do
		sed 's/](/\n](/g' "$text" | sed -n 's/^](\([^):#]*\)[)#].*/\1/p' >"$tmp/links"
		while read -r link; do
			[ -e "$(dirname "$text")/$link" ] || complain "$text links to $link, which is not there"
		done <"$tmp/links"
		grep -oE 'Documentation/[a-z0-9.-]*[a-z0-9]' "$text" >"$tmp/links"
		while read -r name; do
			[ -e "$KBENCH_SOURCE/$name" ] || complain "$text names $name, which is not there"
		done <"$tmp/links"
	done
	grep -q '](Documentation/' "$KBENCH_SOURCE/README.md" || complain 'the README links to no document'
}

# Cuts the examples out of a document: $tmp/example-N, and what is shown below each in $tmp/shown-N.
cut_examples() {
	rm -f "$tmp"/example-* "$tmp"/shown-*
	awk -v prefix="$tmp" '
		/^    \$ / { n++; print substr($0, 7) > (prefix "/example-" n); printf "" > (prefix "/shown-" n); inside = 1; next }
		!inside { next }
		/^    > / { print substr($0, 7) > (prefix "/example-" n); next }
		/^(    |$)/ { print substr($0, 5) > (prefix "/shown-" n); next }
		{ inside = 0 }' "$1"
}

# What does not change with the machine: no figures, no powers of ten, no verdicts, no blanks, none of the lines that
# tell what happened, no interval, which two pairs do not have.
shape() {
	sed -e '/^#.*: *$/b' -e '/+-/b' -e '/^#/d' "$1" |
		sed -e 's/^# 10^-\{0,1\}[0-9]* /# /' -e 's/[-+<]\{0,1\}[0-9.]*[0-9]/N/g' -e 's/[[:space:]]\{1,\}/ /g' -e '/^ *$/d' |
		sed -E 's/ \[N,N\]( N [a-z ]+)$/\1/; s/ (cannot tell|changed|no difference found)$/ VERDICT/'
}

# Two runs show as much as ten. An example without output is only run. What needs jq is skipped without it, and so is
# what is not about kbench.
run_example() {
	sed -e 's/^make && //' -e 's/ -w [0-9]*//' -e 's/ -r [0-9]*/ -r 2/' "$1" >"$tmp/command"
	case $(cat "$tmp/command") in
	*./kbench\ *) ;;
	jq\ *) command -v jq >/dev/null || return 0 ;;
	*) return 0 ;;
	esac
	(cd "$tmp" && sh "$tmp/command") >"$tmp/out" 2>"$tmp/err" </dev/null || complain "this failed: $(cat "$1")"
	err_empty
	shape "$2" >"$tmp/shown"
	shape "$tmp/out" >"$tmp/is"
	[ ! -s "$tmp/shown" ] || diff "$tmp/shown" "$tmp/is" || complain "it shows another output than that of: $(cat "$1")"
}

examples() {
	cut_examples "$1"
	example=1
	while [ -e "$tmp/example-$example" ]; do
		run_example "$tmp/example-$example" "$tmp/shown-$example"
		example=$((example + 1))
	done
	[ "$example" -gt "$2" ] || complain "$1 has fewer than $2 examples"
}

check 'mandoc finds nothing to say about the manual page' formatted
check 'every common option stands in the manual' common_options
check 'every option of stat stands in the manual' stat_options
check 'every command stands in the manual' commands_listed
check 'every fact of the environment stands in the manual' facts
check 'every exit status stands in the manual' statuses
check 'the manual tells what the one number of each benchmark is' headlines
check 'every metric stands in the manual' metrics
check 'every file that a document names is there' links
check 'every example of the README runs and prints what is shown' examples "$KBENCH_SOURCE/README.md" 6
check 'every example of measuring.md runs and prints what is shown' examples "$documents/measuring.md" 2
finish
