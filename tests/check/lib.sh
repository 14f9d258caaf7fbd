# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# What the scripts of `make check` share, beside what all shell tests share.
. "$KBENCH_SOURCE/tests/shell/lib.sh"

# What is built here has nothing to do with how the make that called was told to build.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES CC CFLAGS CPPFLAGS LDFLAGS CROSS_COMPILE O V W WERROR SAN STATIC
unset prefix bindir mandir DESTDIR
jobs=$(getconf _NPROCESSORS_ONLN)

# quietly COMMAND...: must succeed; what it printed is shown when it does not, but for the progress of a make.
quietly() {
	"$@" >"$tmp/all" 2>&1 </dev/null
	quietly_status=$?
	grep -v '^  [A-Z][A-Z]* ' "$tmp/all" >"$tmp/out"
	[ "$quietly_status" -eq 0 ] || complain "$1 failed"
}

# build NAME ARGS...: the program and the unit tests in $tmp/NAME, without a warning.
build() {
	build_dir=$tmp/$1
	shift
	quietly make -C "$KBENCH_SOURCE" -j"$jobs" O="$build_dir" WERROR=1 "$@" all unit-tests || rm -rf "$build_dir"
}

# built NAME: false, and the test is skipped, when that could not be built.
built() { [ -d "$tmp/$1" ] || { skip_test 'it was not built' && false; }; }

# first_of TOOL...: prints the first one that is installed.
first_of() {
	for tool; do
		command -v "$tool" && return
	done
	return 1
}

# lacks TOOL...: true, and the test is skipped, when one is not installed.
lacks() {
	for tool; do
		command -v "$tool" >/dev/null || {
			skip_test "there is no $tool"
			return 0
		}
	done
	return 1
}

# benchmarks_run COMMAND...: the kbench that the command starts runs every benchmark for a moment, or says that it
# cannot run here; some of them in several ways.
benchmarks_run() {
	printf '#!/bin/sh\nexec %s "$@"\n' "$*" >"$tmp/wrapped"
	chmod +x "$tmp/wrapped"
	ONLY='default format' KBENCH=$tmp/wrapped sh "$KBENCH_SOURCE/tests/shell/every-benchmark.sh" >"$tmp/out" 2>&1
	grep -q '^ok ' "$tmp/out" || complain 'not every benchmark runs'
	while read -r moment; do
		# shellcheck disable=SC2086 # these are several words
		"$@" --timeout 100 $moment >"$tmp/out" 2>&1 </dev/null
		moment_status=$?
		[ "$moment_status" -eq 0 ] || [ "$moment_status" -eq 4 ] || complain "$moment: status $moment_status"
	done <<-END
		sched pipe -l 100 -T
		sched messaging -g 1 -l 10 -t
		mem pagefaults -s 1MB -t 2 --vma carved
		numa mem -p 2 -t 2 -P 1 -l 1
	END
}

# units_pass DIR PATTERN COMMAND...: the unit tests of that name in a folder, each started by the command.
units_pass() {
	units=$1/tests/unit
	pattern=$2
	shift 2
	# shellcheck disable=SC2086 # the shell opens the pattern
	for unit in "$units"/$pattern-test; do
		"$@" "$unit" >"$tmp/out" 2>&1 </dev/null || complain "$(basename "$unit") ended with status $?"
		grep -qE '^(ok|skip) ' "$tmp/out" || complain "$(basename "$unit") ran no test"
	done
}
