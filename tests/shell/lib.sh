# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# What the shell tests share. A test is a function and a title:
#
#	pipe_block() { run 0 sched pipe -l 100; out_has '^# Executed 100 pipe operations'; }
#	check 'a single run prints the known block' pipe_block
#
# The function runs with -e semantics written out: each helper returns false when it does not hold, and `check` fails
# the test when any helper complained. Every test file has a folder of its own in $tmp.

: "${KBENCH:?the program to test}" "${KBENCH_SOURCE:?the source tree}"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed_tests=0

# run STATUS ARGS...: runs kbench, keeps stdout in $tmp/out and stderr in $tmp/err, and expects the status.
run() {
	run_expected=$1
	shift
	"$KBENCH" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	run_status=$?
	[ "$run_status" -eq "$run_expected" ] ||
		complain "kbench $* ended with status $run_status, not $run_expected"
}

# complain TEXT: the running test fails; what was printed last is shown.
complain() {
	complaints=$((complaints + 1))
	echo "# $1"
	[ ! -s "$tmp/out" ] || sed 's/^/#   out: /' "$tmp/out" | head -n 20
	[ ! -s "$tmp/err" ] || sed 's/^/#   err: /' "$tmp/err" | head -n 20
	return 1
}

out_has() { grep -qE -e "$1" "$tmp/out" || complain "stdout has no line like: $1"; }
out_lacks() { ! grep -qE -e "$1" "$tmp/out" || complain "stdout has a line like: $1"; }
out_empty() { [ ! -s "$tmp/out" ] || complain "stdout is not empty"; }
err_has() { grep -qE -e "$1" "$tmp/err" || complain "stderr has no line like: $1"; }
err_empty() { [ ! -s "$tmp/err" ] || complain "stderr is not empty"; }
out_lines() { [ "$(wc -l <"$tmp/out")" -eq "$1" ] || complain "stdout has not $1 lines"; }

# Expects stdout to be exactly the text of a file.
out_is() { diff -u "$1" "$tmp/out" >"$tmp/diff" || { sed 's/^/# /' "$tmp/diff"; complain "stdout is not $1"; }; }

# check TITLE COMMAND...: one test.
check() {
	check_title=$1
	shift
	complaints=0 skip_reason=
	"$@"
	if [ -n "$skip_reason" ]; then
		echo "skip $check_title: $skip_reason"
	elif [ "$complaints" -eq 0 ]; then
		echo "ok $check_title"
	else
		echo "not ok $check_title"
		failed_tests=$((failed_tests + 1))
	fi
}

# In a test: it cannot run here. Return right after it.
skip_test() { skip_reason=$1; }

# The last line of a test file: its exit status.
finish() { [ "$failed_tests" -eq 0 ]; }
