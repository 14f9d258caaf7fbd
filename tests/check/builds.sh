#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Compilers, and what the Makefile promises.
. "$KBENCH_SOURCE/tests/check/lib.sh"

tree=$tmp/tree

gcc_builds() { lacks gcc || build gcc CC=gcc W=1; }
clang_builds() { lacks clang || build clang CC=clang W=1; }

dynamic_builds() {
	quietly make -C "$KBENCH_SOURCE" -j"$jobs" O="$tmp/dynamic" STATIC=n CFLAGS=-O0 all
	readelf -l "$tmp/dynamic/kbench" | grep -q INTERP || complain 'it is not dynamic'
	benchmarks_run "$tmp/dynamic/kbench"
}

# make_again ARGS...: what the second make of the gcc build has to do.
make_again() { quietly make -C "$KBENCH_SOURCE" -j"$jobs" O="$tmp/gcc" CC=gcc WERROR=1 "$@" all; }

same_again() {
	built gcc || return
	make_again W=1
	! grep -E '^  (CC|LINK)' "$tmp/all" || complain 'something was built again'
}

install_places() {
	built gcc || return
	quietly make -C "$KBENCH_SOURCE" O="$tmp/gcc" CC=gcc W=1 WERROR=1 prefix=/opt/k DESTDIR="$tmp/root" install
	(cd "$tmp/root" && find . -type f -exec ls -l {} +) | awk '{ print $1, $NF }' | sort >"$tmp/out"
	printf '%s\n' '-rw-r--r-- ./opt/k/share/man/man1/kbench.1' '-rwxr-xr-x ./opt/k/bin/kbench' |
		diff - "$tmp/out" || complain 'other files were installed'
}

other_flags() {
	built gcc || return
	make_again W=1 CFLAGS=-O0
	[ "$(grep -c '^  CC' "$tmp/all")" -eq "$(find "$tmp/gcc" -name '*.o' ! -path '*/tests/*' | wc -l)" ] ||
		complain 'not everything was compiled again'
}

# What is in the tree, with sums.
contents() { (cd "$tree" && find . -type d -o -type f -exec cksum {} +) | sort; }

two_at_once() {
	mkdir "$tree"
	(cd "$KBENCH_SOURCE" && tar -cf - --exclude='*.o' --exclude='*.d' --exclude='*-test' ./*.c ./*.h Makefile Build bench \
		util tests) | tar -xf - -C "$tree"
	contents >"$tmp/before"
	make -C "$tree" -j"$jobs" O="$tmp/first" CFLAGS=-O0 >"$tmp/first.log" 2>&1 &
	quietly make -C "$tree" -j"$jobs" O="$tmp/second" CFLAGS=-O0
	wait $! || complain 'the other of the two failed'
	quietly "$tmp/first/kbench" self nop -l 1000
	quietly "$tmp/second/kbench" self nop -l 1000
}

tree_is_clean() { contents | diff "$tmp/before" - >"$tmp/out" || complain 'the tree has changed'; }

clean_cleans() {
	quietly make -C "$tree" -j"$jobs" CFLAGS=-O0
	[ -x "$tree/kbench" ] || complain 'no program was built'
	quietly make -C "$tree" clean
	tree_is_clean
}

header_rebuilds() {
	touch "$tree/bench/place.h"
	quietly make -C "$tree" O="$tmp/first" CFLAGS=-O0
	grep -q 'CC .*/bench/place\.o' "$tmp/all" || complain 'place.c was not compiled'
	! grep -q 'CC .*/util/clock\.o' "$tmp/all" || complain 'clock.c was compiled'
}

check 'gcc builds it without a warning' gcc_builds
check 'the same make again builds nothing' same_again
check 'make install places the program and its manual' install_places
check 'a make with other flags compiles all of it again' other_flags
check 'clang builds it without a warning' clang_builds
check 'a dynamic program can be asked for' dynamic_builds
check 'two makes at a time build two programs out of one tree' two_at_once
check 'a build elsewhere leaves the source tree as it was' tree_is_clean
check 'a changed header compiles what includes it again, and nothing else' header_rebuilds
check 'make clean leaves the source tree as it was' clean_cleans
finish
