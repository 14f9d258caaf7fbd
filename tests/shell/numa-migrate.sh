#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
. "$KBENCH_SOURCE/tests/shell/lib.sh"

# What it needs is not here: the reason is said, and nothing else.
refusal='^kbench: numa migrate: skipped: (there is one node with memory that may be used, [0-9]+: memory cannot be moved to another|memory cannot be bound to nodes here: .*)$'
"$KBENCH" -q numa migrate -s 4K >"$tmp/out" 2>"$tmp/err"
able=$?

able() { [ "$able" -ne 4 ] || { skip_test "$(sed 's/^.*skipped: //' "$tmp/reason")" && false; }; }
cp "$tmp/err" "$tmp/reason"

skipped() {
	[ "$able" -eq 4 ] || { skip_test 'memory can be moved here' && return; }
	for options in '' '--method mbind' '-b 1,2' '--from 0 --to 0'; do
		# A node 0 that is not there is answered first.
		[ "$options" != '--from 0 --to 0' ] || [ -d /sys/devices/system/node/node0 ] || continue
		# shellcheck disable=SC2086
		run 4 numa migrate $options
		err_has "$refusal"
		out_empty
	done
	run 4 -f json numa migrate
	out_has '"status":"skipped","reason":"[^"]+"'
}

no_such_node() {
	for option in --from --to; do
		run 2 numa migrate $option 8191
		err_has "^kbench: numa migrate: option $option: node 8191 is not among the online nodes [0-9,-]+\$"
		out_empty
		for text in x 0- -1 0,,1 1x2; do
			run 2 numa migrate $option "$text"
			err_has "^kbench: numa migrate: option $option: '$text' is not a list of nodes such as 0,2 or 0-3\$"
			out_empty
		done
	done
}

bad_options() {
	while read -r words; do
		# shellcheck disable=SC2086
		run 2 numa migrate $words
		err_has '^kbench: numa migrate: option -'
		out_empty
	done <<-'END'
		-b 0
		-b -1
		-b 1x
		-s 0
		-s 17TB
		--size x
		--batch 1e3
		--method migrate_pages
	END
	err_has 'move_pages, mbind'
}

pairs() {
	able || return
	for method in move_pages mbind; do
		run 0 --timeout 60 -f csv numa migrate -s 1MB --method $method -b 100
		awk -F, -v size="$((1048576 / $(getconf PAGESIZE)))" '
			{ key = $(NF - 2); value = $(NF - 1) }
			key ~ /@/ { split(key, ids, /[@:]/); one = ids[2] == ids[3]; pairs += !one }
			key ~ /@/ && (one ? value != "" : !(value > 0)) { print "wrong: " $0 }
			key == "pages-moved" { moved = value }
			key ~ /^pages-/ && key != "pages-moved" && value != 0 { print "left: " $0 }
			END { if (!pairs || moved != 5 * pairs * size) print moved " pages of " pairs " pairs" }' \
			"$tmp/out" >"$tmp/wrong"
		[ ! -s "$tmp/wrong" ] || { cat "$tmp/wrong" && complain 'wrong figures'; }
	done
}

check 'where memory cannot be moved it is a skip with the reason' skipped
check 'a node that is not there is a usage error that names those that are' no_such_node
check 'options that make no sense are usage errors' bad_options
check 'both methods move every page between every two nodes' pairs
finish
