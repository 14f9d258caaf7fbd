#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Every help page is pinned: expected/help-WORDS.txt. After a wanted change write them anew and read the difference:
#
#	KBENCH_REGENERATE=1 make test TESTS=tests/shell/help.sh
. "$KBENCH_SOURCE/tests/shell/lib.sh"

# The words before -h of every page: of kbench itself, commands, collections, benchmarks.
pages() {
	echo
	"$KBENCH" | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
	echo all
	"$KBENCH" -f simple list | sed 's/ .*//' | uniq
	"$KBENCH" -f simple list | sed 's/ .*/ all/' | uniq
	"$KBENCH" -f simple list
}

well_formed() {
	err_empty
	[ "$(awk 'length > 80' "$tmp/out" | wc -l)" -eq 0 ] ||
		complain "a line of '$1' is longer than 80 columns: $(awk 'length > 80' "$tmp/out")"
	out_lacks '[[:space:]]$'
	[ "$(sed -n '1s/^\(Usage: kbench\) .*/\1/p' "$tmp/out")" = 'Usage: kbench' ] ||
		complain "the page of '$1' does not begin with the usage"
}

pages >"$tmp/pages"

page_form() {
	while read -r page; do
		# shellcheck disable=SC2086
		run 0 $page -h
		well_formed "$page"
		cp "$tmp/out" "$tmp/short"
		# shellcheck disable=SC2086
		run 0 $page --help
		out_is "$tmp/short"
	done <"$tmp/pages"
}

page_text() {
	while read -r page; do
		text=$expected/help-$(echo "${page:-kbench}" | tr ' ' -).txt
		# shellcheck disable=SC2086
		run 0 $page -h
		[ -z "$KBENCH_REGENERATE" ] || cp "$tmp/out" "$text"
		out_is "$text"
	done <"$tmp/pages"
}

nothing_more() {
	for text in "$expected"/help-*.txt; do
		page=${text##*/help-}
		page=$(echo "${page%.txt}" | sed 's/^kbench$//; s/-/ /')
		grep -qx -e "$page" "$tmp/pages" || complain "$text is of no page"
	done
}

anywhere() {
	run 0 sched pipe -l 5 -T -h
	out_has '^Usage: kbench .* sched pipe '
	run 0 -r 5 -f json sched pipe --help
	out_has '^Usage: kbench .* sched pipe '
	run 0 -r 5 -h
	out_has '^Usage: kbench '
	run 2 sched pipe -l 0 -h
	out_empty
}

defaults_are_typed_values() {
	run 0 sched pipe -l 5 -s 1K -h
	cp "$tmp/out" "$tmp/given"
	run 0 sched pipe -h
	out_is "$tmp/given"
}

check 'every help page is on stdout, 80 columns wide, and ends with status 0' page_form
check 'every help page is the expected one' page_text
check 'every expected help page is of something that exists' nothing_more
check 'help is found after other options, and an earlier error is still one' anywhere
check 'a page tells the defaults, whatever was typed before' defaults_are_typed_values
finish
