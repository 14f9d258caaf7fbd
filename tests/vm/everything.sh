#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Tests of tests/shell, on two nodes.
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

# hold NAME: another script of tests/shell, which have less to test where there is one node.
hold() {
	sh "/tests/shell/$1.sh" >"$tmp/out" 2>"$tmp/err" </dev/null || complain "$1.sh ended with status $?"
	out_has '^ok '
	out_lacks '^not ok '
}

check 'every benchmark runs for root' every
check 'every benchmark runs for a user without rights' every user=1000
check 'the tests of numa mem hold' hold numa-mem
check 'the tests of numa latency hold' hold numa-latency
check 'the tests of numa bandwidth hold' hold numa-bandwidth
check 'the tests of mem memcpy and mem memset hold' hold mem-memcpy
finish
