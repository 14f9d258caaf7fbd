#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Other libcs and architectures. Emulators lack system calls that kernels have: what needs them is a skip.
. "$KBENCH_SOURCE/tests/check/lib.sh"

# Compilers that do not know the headers of the kernel find them after their own.
kernel_headers="-idirafter /usr/include -idirafter /usr/include/$(gcc -print-multiarch)"
aarch64_gcc=$(first_of aarch64-linux-gnu-gcc aarch64-linux-gnu-gcc-12 || echo aarch64-linux-gnu-gcc)
aarch64=$(first_of qemu-aarch64-static qemu-aarch64 || echo qemu-aarch64)
i386= # what starts a program of it: nothing where the kernel does

musl_builds() { lacks musl-gcc || build musl CC=musl-gcc CPPFLAGS="$kernel_headers" W=1; }
musl_units() { ! built musl || units_pass "$tmp/musl" '*'; }
musl_runs() { ! built musl || benchmarks_run "$tmp/musl/kbench"; }

aarch64_builds() { lacks "$aarch64_gcc" || build aarch64 CC="$aarch64_gcc" STATIC=y W=1; }
aarch64_units() { ! built aarch64 || lacks "$aarch64" || units_pass "$tmp/aarch64" '*' env KBENCH_TEST_BRIEF=yes "$aarch64"; }
aarch64_runs() { ! built aarch64 || lacks "$aarch64" || benchmarks_run "$aarch64" "$tmp/aarch64/kbench"; }
aarch64_pages() {
	! built aarch64 || lacks "$aarch64" && return
	"$aarch64" -p 65536 "$tmp/aarch64/kbench" env >"$tmp/out" 2>&1
	grep -q '^page-size  *64 KB$' "$tmp/out" || { skip_test 'the emulator has only its own size of pages'; return; }
	benchmarks_run "$aarch64" -p 65536 "$tmp/aarch64/kbench"
	"$aarch64" -p 65536 "$tmp/aarch64/kbench" mem pagefaults -s 1MB >"$tmp/out" 2>&1
	out_has ' touches 1MB each, page size 64KB, '
	out_has '^# 16 touches, '
}

lacks_m32() {
	echo 'int main(void) { return 0; }' | gcc -m32 -static -x c - -o "$tmp/m32" 2>"$tmp/err" && return 1
	skip_test 'gcc makes no 32-bit programs'
}
i386_builds() {
	lacks_m32 && return
	build i386 CC='gcc -m32' CPPFLAGS="$kernel_headers" STATIC=y W=1
	"$tmp/i386/kbench" --version >"$tmp/out" 2>&1 ||
		i386="env KBENCH_TEST_BRIEF=yes $(first_of qemu-i386-static qemu-i386 || echo qemu-i386)"
}
# shellcheck disable=SC2086 # several words, or none
i386_units() { ! built i386 || lacks ${i386##* } || units_pass "$tmp/i386" '*' $i386; }
# On a kernel of 64 bits; here there are no nodes.
i386_nodes() {
	built i386 || return
	[ -n "${KBENCH_VM-}" ] || { skip_test 'KBENCH_VM names no folder for a kernel'; return; }
	KBENCH=$tmp/i386/kbench sh "$KBENCH_SOURCE/tests/vm/four-nodes.sh" >"$tmp/out" 2>&1
	case $?:$(head -n 1 "$tmp/out") in
	0:skip*) skip_test "$(sed 's/^[^:]*: //' "$tmp/out")" ;;
	0:*) out_has '^ok ' ;;
	*) complain 'it does not hold' ;;
	esac
}
# shellcheck disable=SC2086
i386_runs() { ! built i386 || lacks ${i386##* } || benchmarks_run $i386 "$tmp/i386/kbench"; }

check 'it builds with musl' musl_builds
check 'the unit tests pass with musl' musl_units
check 'every benchmark runs with musl' musl_runs
check 'it builds for aarch64' aarch64_builds
check 'the unit tests pass on an emulated aarch64' aarch64_units
check 'every benchmark runs, or is a skip, on an emulated aarch64' aarch64_runs
check 'every benchmark runs, or is a skip, with pages of 64 KB' aarch64_pages
check 'it builds for i386' i386_builds
check 'the unit tests pass on i386' i386_units
check 'every benchmark runs, or is a skip, on i386' i386_runs
check 'binding, moving and finding pages of four nodes work with 32 bits' i386_nodes
finish
