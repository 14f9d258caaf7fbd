#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Format, and what the analysers say.
. "$KBENCH_SOURCE/tests/check/lib.sh"

cd "$KBENCH_SOURCE" || exit 1

# files PATTERN...: those of the tree with such names.
files() {
	for pattern; do
		find . -name .git -prune -o -name "$pattern" -type f -print
	done
}

# shellcheck disable=SC2046 # names of files
formatted() { lacks clang-format || quietly clang-format --dry-run -Werror $(files '*.c' '*.h'); }

example_formatted() {
	lacks clang-format && return
	mkdir -p "$tmp/bench" && cp .clang-format "$tmp"
	awk '/^```/ { inside = index($0, "file=bench/"); next } inside' Documentation/adding-a-benchmark.md \
		>"$tmp/bench/example.c"
	[ -s "$tmp/bench/example.c" ] || complain 'the page has no code'
	quietly clang-format --dry-run -Werror "$tmp/bench/example.c"
}

# shellcheck disable=SC2046
shell_scripts() { lacks shellcheck || quietly shellcheck -x $(files '*.sh') .ci/run; }

# It does not know _Generic, which only checks a type here.
cppcheck_is_quiet() {
	lacks cppcheck || quietly cppcheck --quiet --error-exitcode=1 --std=c11 -j"$jobs" \
		--enable=warning,performance,portability --suppressions-list=tests/check/cppcheck.txt -I. -Iutil -Ibench \
		-D_GNU_SOURCE '-Dnoreturn=__attribute__((noreturn))' '-D_Generic(value,type)=(p)' ./*.c bench util tests/unit
}

manual() {
	[ -f Documentation/kbench.1 ] || complain 'there is no Documentation/kbench.1'
	lacks mandoc || quietly mandoc -T lint -W warning Documentation/kbench.1
}

check 'every C file is formatted as .clang-format says' formatted
check 'so is the example of adding-a-benchmark.md' example_formatted
check 'shellcheck has nothing to say' shell_scripts
check 'cppcheck has nothing to say' cppcheck_is_quiet
check 'mandoc has nothing to say' manual
finish
