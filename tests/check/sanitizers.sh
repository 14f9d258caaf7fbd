#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The unit tests and a moment of every benchmark, watched.
. "$KBENCH_SOURCE/tests/check/lib.sh"

# Processes that are forked while there are threads are what some benchmarks are made of.
export TSAN_OPTIONS=die_after_fork=0:report_thread_leaks=0 UBSAN_OPTIONS=print_stacktrace=1

# instrumented NAME SYMBOL: what was compiled calls the sanitizer; linked with it alone, nothing would be watched.
instrumented() {
	! built "$1" || nm "$tmp/$1/bench/runner.o" | grep -q "$2" || complain "no call of $2 was compiled in"
}

# The checks that they add make the compiler warn of what cannot happen.
asan_builds() {
	build asan SAN=address,undefined CFLAGS='-O1 -g' WERROR=n
	instrumented asan __asan_
	instrumented asan __ubsan_
}
# A test that dies, and there are many of how to die, leaves what it had.
asan_units() { ! built asan || units_pass "$tmp/asan" '*' env ASAN_OPTIONS=detect_leaks=0; }
asan_runs() { ! built asan || benchmarks_run "$tmp/asan/kbench"; }
# What is refused has been parsed before.
asan_usage() {
	built asan || return
	for words in '-r 1,2 self nop' '-f simple,json self nop' 'stat -r 1,2 true' 'sched pipe -l 1,x'; do
		# shellcheck disable=SC2086
		"$tmp/asan/kbench" $words >"$tmp/out" 2>&1 </dev/null
		[ $? -eq 2 ] || complain "a usage error is not status 2: $words"
		! grep -q 'LeakSanitizer' "$tmp/out" || complain "there is a leak: $words"
	done
}

# It wants its shadow memory at fixed addresses, which randomized ones may have taken.
tsan_builds() {
	lacks setarch && return
	build tsan SAN=thread CFLAGS='-O1 -g' WERROR=n
	instrumented tsan __tsan_
}
# _exit under it writes out what is buffered, which die-test sees, and a process that was forked beside threads may not
# make any, which workers-test tries: there, only what it reports counts.
tsan_units() {
	built tsan || return
	units_pass "$tmp/tsan" '[!dw]*' env KBENCH_TEST_BRIEF=yes setarch -R
	setarch -R "$tmp/tsan/tests/unit/workers-test" >"$tmp/out" 2>&1 </dev/null
	! grep -q 'WARNING: ThreadSanitizer' "$tmp/out" || complain 'workers-test has data races'
}
tsan_runs() { ! built tsan || benchmarks_run setarch -R "$tmp/tsan/kbench"; }

valgrind_units() {
	lacks valgrind && return
	for name in units stats json table; do
		quietly make -C "$KBENCH_SOURCE" -j"$jobs" O="$tmp/plain" STATIC=n CFLAGS='-O1 -g' \
			"$tmp/plain/tests/unit/$name-test"
		units_pass "$tmp/plain" "$name" valgrind -q --error-exitcode=9
	done
}

check 'it builds with address and undefined behaviour sanitizers' asan_builds
check 'the unit tests pass under them' asan_units
check 'every benchmark runs under them' asan_runs
check 'what is refused leaves no memory' asan_usage
check 'it builds with the thread sanitizer' tsan_builds
check 'the unit tests pass under it' tsan_units
check 'every benchmark runs under it' tsan_runs
check 'the unit tests of what computes and prints pass under valgrind' valgrind_units
finish
