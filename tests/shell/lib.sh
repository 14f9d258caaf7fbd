# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# What the shell tests share. A test is a function and a title:
#
#	pipe_block() { run 0 sched pipe -l 100; out_has '^# Executed 100 pipe operations'; }
#	check 'a single run prints the known block' pipe_block
#
# Each helper returns false when it does not hold, and `check` fails the test when any helper complained. Every test
# file has a folder of its own in $tmp, with a copy of the program in it: what has that path as its program is ours.
# A test waits for a condition, never for a time.

: "${KBENCH:?the program to test}" "${KBENCH_SOURCE:?the source tree}"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed_tests=0
# shellcheck disable=SC2034 # for who sources this
expected=$KBENCH_SOURCE/tests/shell/expected
cp "$KBENCH" "$tmp/kbench" || exit 1
if [ -n "${KBENCH_LAUNCH-}" ]; then
	cp "$KBENCH_LAUNCH" "$tmp/launch"
else
	"${KBENCH_CC:-cc}" -D_GNU_SOURCE -o "$tmp/launch" "$KBENCH_SOURCE/tests/shell/launch.c"
fi || exit 1

# launch WORDS -- ARGS...: kbench as a certain caller would start it (launch.c has the words); its status.
launch() {
	launch_words=
	while [ "$1" != -- ]; do
		launch_words="$launch_words $1"
		shift
	done
	shift
	# shellcheck disable=SC2086
	$launch_exec "$tmp/launch" $launch_words -- "$tmp/kbench" "$@"
}
launch_exec=

# run STATUS ARGS...: runs kbench, keeps stdout in $tmp/out and stderr in $tmp/err, and expects the status.
run() {
	run_expected=$1
	shift
	"$tmp/launch" -- "$KBENCH" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
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
# Joins the lines that were wrapped.
out_joined() { sed -i -e ':a' -e 'N' -e '$!ba' -e 's/\n#   / /g' "$tmp/out"; }
out_narrow() { ! grep -nE '^.{81}' "$tmp/out" || complain "stdout has a line of more than 80 columns"; }
out_empty() { [ ! -s "$tmp/out" ] || complain "stdout is not empty"; }
err_has() { grep -qE -e "$1" "$tmp/err" || complain "stderr has no line like: $1"; }
err_lacks() { ! grep -qE -e "$1" "$tmp/err" || complain "stderr has a line like: $1"; }
err_empty() { [ ! -s "$tmp/err" ] || complain "stderr is not empty"; }
out_lines() { [ "$(wc -l <"$tmp/out")" -eq "$1" ] || complain "stdout has not $1 lines"; }

# Expects stdout to be exactly the text of a file.
out_is() { diff -u "$1" "$tmp/out" >"$tmp/diff" || { sed 's/^/# /' "$tmp/diff"; complain "stdout is not $1"; }; }

# Hides the figures of a single run's block, but not how wide they are.
mask_block() {
	sed -E -i -e 's/^( {5}Total time:) [0-9]+\.[0-9]{3} (\[sec\])$/\1 N.NNN \2/' \
		-e 's/^ [ 0-9]{7}\.[0-9]{6} usecs\/op$/ NNNNNNN.NNNNNN usecs\/op/' \
		-e 's/^ [ 0-9]{14} ops\/sec$/ NNNNNNNNNNNNNN ops\/sec/' "$tmp/out"
}

# wait_until COMMAND...: false when it does not become true within 20 seconds.
wait_until() {
	wait_tries=0
	until "$@"; do
		wait_tries=$((wait_tries + 1))
		[ "$wait_tries" -lt 400 ] || return 1
		sleep 0.05
	done
}

# start WORDS -- ARGS...: kbench in the background, its id in $kbench, its output as that of run. It must not end by
# itself: $forever is a number of operations that takes longer than any test.
# shellcheck disable=SC2034
forever=1000000000000
start() {
	(launch_exec="exec"; launch humble "$@") >"$tmp/out" 2>"$tmp/err" </dev/null &
	kbench=$!
	wait_until is_kbench "$kbench" || complain 'kbench did not start'
}
is_kbench() { [ "$(readlink "/proc/$1/exe")" = "$tmp/kbench" ]; }

# Ids of all processes of ours. The brackets keep grep from finding itself.
processes() { grep -ls "^[/]${tmp#/}/kbench" /proc/[0-9]*/cmdline 2>/dev/null | sed 's/[^0-9]//g' | sort -n; }
process_count() { processes | wc -l; }
nothing_left() { [ "$(process_count)" -eq 0 ]; }
has_processes() { [ "$(process_count)" -ge "$1" ]; }
children_of() {
	grep -ls "^PPid:[[:space:]]*$1\$" /proc/[0-9]*/status 2>/dev/null | sed 's/[^0-9]//g' | sort -n
}
is_gone() { case $(cat "/proc/$1/stat" 2>/dev/null) in '' | *') Z '*) true ;; *) false ;; esac }

# ended STATUS: waits for what start has started, and for the last of its processes.
ended() {
	wait "$kbench" 2>/dev/null
	ended_status=$?
	[ "$ended_status" -eq "$1" ] || complain "kbench ended with status $ended_status, not $1"
	wait_until nothing_left || complain "processes are left: $(processes | tr '\n' ' ')"
}

# check TITLE COMMAND...: one test. With ONLY=TEXT in the environment only those that have it in their titles.
check() {
	check_title=$1
	shift
	case $check_title in *"${ONLY-}"*) ;; *) return ;; esac
	complaints=0 skip_reason=
	"$@"
	if [ "$complaints" -ne 0 ]; then
		echo "not ok $check_title"
		failed_tests=$((failed_tests + 1))
	elif [ -n "$skip_reason" ]; then
		echo "skip $check_title: $skip_reason"
	else
		echo "ok $check_title"
	fi
}

# In a test: it cannot run here. Return right after it.
skip_test() { skip_reason=$1; }

# The last line of a test file: its exit status.
finish() { [ "$failed_tests" -eq 0 ]; }
