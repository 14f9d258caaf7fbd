#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What holds for every benchmark, on two nodes: as root and as a user without rights.
. "$KBENCH_SOURCE/tests/vm/lib.sh"

node 512 2
node 512 2
boot

# every WORDS...: tests/shell/every-benchmark.sh, cut short, as a certain caller.
every() {
	ONLY='default format' "$tmp/launch" "$@" -- /bin/sh /tests/shell/every-benchmark.sh >"$tmp/out" 2>"$tmp/err" </dev/null
	every_status=$?
	[ "$every_status" -eq 0 ] || complain "it ended with status $every_status"
	out_has '^ok every benchmark runs in the default format'
}

check 'every benchmark runs for root' every
check 'every benchmark runs for a user without rights' every user=1000
finish
