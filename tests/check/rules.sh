#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The house rules. A rule is a function that prints what breaks it; it holds when it prints nothing. Each has its plants
# in rules-planted.sh, which keeps objects from one call to the next in RULES_CACHE.
# shellcheck disable=SC2046,SC2086 # lists are split into words
. "$KBENCH_SOURCE/tests/check/lib.sh"

cd "$KBENCH_SOURCE" || exit 1
cache=${RULES_CACHE:-$tmp/cache}
data=tests/check
sources=$(echo *.c bench/*.c util/*.c)
headers=$(echo *.h bench/*.h util/*.h)
files_without_endings() { for file in $sources $headers; do echo "${file%.?}"; done | sort -u; }

# What most rules look at: $tmp/code, lines "util/die.c:12:text" without comments, and $tmp/symbols, lines "util/die T
# die". In objects without PIC, constants that hold addresses are read-only like all others.
read_tree() {
	awk -f $data/decomment.awk $sources $headers >"$tmp/code"
	objects=$(for file in $sources; do echo "${file%.c}.o"; done)
	make -s -j"$jobs" O="$cache" STATIC=n CFLAGS='-O0 -fno-pic -w' $(printf "$cache/%s " $objects) >"$tmp/make" || return
	(cd "$cache" && nm -A -P $objects) | sed 's/\.o:* / /' | awk '{ print $1, $3, $2 }' >"$tmp/symbols"
}

# code PATTERN: the lines that have it.
code() { grep -E -e "^[^:]*:[0-9]*:.*$1" "$tmp/code"; }

# uses NAMES: lines "FILE NAME", who uses which of these functions and variables of libc.
uses() { awk -v names="^($1)\$" '$2 == "U" && $3 ~ names { print $1, $3 }' "$tmp/symbols"; }

# but_for RULE: lines "FILE NAME" without the exceptions.
but_for() {
	awk -v rule="$1" 'NR == FNR { if ($1 == rule) may[$2, $3]; next } !(($1, $2) in may)' $data/exceptions.txt -
}

# Which lines begin with a benchmark's file; benchmarks_are_listed sees to it that this tells them.
benchmark='^bench/[a-z0-9]*-'

listed() { sed -n 's/^BENCHMARK(\([a-z_]*\), *\([a-z0-9_]*\)).*/\1-\2/p' bench/benchmarks.h | tr _ -; }

benchmarks_are_listed() {
	listed | sort >"$tmp/listed"
	printf '%s\n' bench/*-*.c | sed 's|bench/||; s|\.c||' | sort | diff "$tmp/listed" - | grep '^[<>]'
}

floors_are_known() { files_without_endings | awk '{ print $1, $1 }' | awk -f $data/floors.awk $data/floors.txt -; }

includes_go_down() {
	grep -H '^#include [<"]' $sources $headers |
		sed 's/\.[ch]:#include [<"]/ /; s|\([^ ]*\) .*/|\1 |; s/\.h[>"].*//' >"$tmp/includes"
	files_without_endings | sed 's|\(.*/\)*\(.*\)|\2 &|' |
		awk 'NR == FNR { path[$1] = $2; next } $2 in path { print $1, path[$2] }' - "$tmp/includes" |
		awk -f $data/floors.awk $data/floors.txt -
}

calls_go_down() {
	awk 'NR == FNR { if ($2 ~ /[A-TV-Z]/) home[$3] = $1; next } $2 == "U" && $3 in home { print $1, home[$3] }' \
		"$tmp/symbols" "$tmp/symbols" | awk -f $data/floors.awk $data/floors.txt -
}

benchmarks_are_alone() {
	uses 'benchmark_.*' | grep -v '^bench/collections '
	grep -H '^#include .*\.c"' $sources $headers
	echo $headers | tr ' ' '\n' | grep "$benchmark"
}

# _exit is how a child of worker_fork ends.
benchmarks_only_ask() {
	{
		uses 'v?[fd]?printf|puts|putchar|fputs|fputc|putc|fwrite|perror|stdout|stderr'
		uses 'clock_gettime|clock_now|gettimeofday|time|times|sqrt|qsort|stats_.*'
		uses 'pthread_create|thrd_create|fork|vfork|clone|posix_spawn|system|popen'
		uses 'signal|sigaction|exit|quick_exit|abort'
		awk '$3 == "worker_fork" { forks[$1] } $3 == "_exit" { ends[$1] }
			END { for (file in ends) if (!(file in forks)) print file, "_exit" }' "$tmp/symbols"
	} | grep "$benchmark"
}

stdout_is_the_reports() {
	uses 'v?printf|puts|putchar|stdout' | grep -v "$benchmark" |
		grep -vE '^(util/report[-a-z]*|util/options-help|builtin-[a-z]*|kbench) '
	code '(write|writev|dprintf|fdopen)\((STDOUT_FILENO|1),'
}

stderr_is_for_messages() {
	uses 'stderr|perror|psignal|vwarnx?|warnx|v?errx?|error' | grep -v "$benchmark" | grep -vE '^util/(die|report) '
	code '(write|writev|dprintf|fdopen)\((STDERR_FILENO|2),' | grep -v '^util/die\.c:'
}

statistics_are_in_stats() {
	uses 'sqrtf|sqrtl?|lgamma.*|tgamma|erfc?' | grep -v "^util/stats\(-[a-z]*\)* \|$benchmark"
	code '\<(mean|average|avg|median|stddev|variance)[a-z_]* [-+/]?= .*/' | grep -v '^util/stats\(-[a-z]*\)*\.c:'
}

names_stand_once() {
	listed | awk -F- '
		NR == FNR { name[$0] = substr($0, length($1) + 2); pair[$0] = $1 "[ _/-]" name[$0]; next }
		/^bench\/benchmarks\.h:/ { next }
		{
			split($0, part, ":")
			file = part[1]
			sub(/\.[ch]$/, "", file)
			for (b in name) {
				if (file == "bench/" b)
					continue
				if (index($0, "\"" name[b] "\""))
					print file, name[b]
				else if ($0 ~ "\"[^\"]*" pair[b])
					print file, b
			}
		}' - FS=: "$tmp/code" | but_for names
}

# A help page adds the default, which it reads from the variable.
defaults_stand_once() { code '"[^"]*\<defaults?\>[^"]*[0-9]'; }

globals_are_constant() {
	awk '$2 ~ /^[BDCSGbdsg]$/ { print $1, $3 }' "$tmp/symbols" | but_for globals | grep -v "${benchmark}[^ ]* opt\$"
}

signals_have_no_handlers() {
	code '\<(signal|bsd_signal|sysv_signal|sigset)\(' | grep -vE '\(\w+, SIG_(IGN|DFL)\)'
	code '\<sigaction\(' | grep -vE 'sigaction\(\w+, NULL, '
	code 'sa_(handler|sigaction) *= ' | grep -vE '= SIG_(IGN|DFL)'
}

bench_knows_no_platform() {
	code '# *(if|ifdef|ifndef|elif)\>.*\<_*(__[a-z]|[A-Z_]*(GLIBC|MUSL|UCLIBC|BIONIC))' | grep '^bench/'
}

nothing_sleeps() {
	uses 'sleep|usleep|nanosleep|clock_nanosleep' | but_for sleeps
	code '\<poll\((NULL|0),|\<select\(0, NULL, NULL, NULL,'
}

# The header of util/report-text.c is report-text.h, report.h, or one of them with -internal, or it is an exception. A
# benchmark exports its struct, kbench.c main.
files_export_one_thing() {
	awk '
		FILENAME ~ /exceptions/ { if ($1 == "header") other[$2] = substr($2, 1, index($2, "/")) $3; next }
		FILENAME ~ /code$/ {
			split($0, part, ":")
			if (sub(/\.h$/, "", part[1])) {
				gsub(/[^A-Za-z0-9_]+/, " ")
				for (n = split($0, word, " "); n > 0; n--) declared[part[1], word[n]]
			}
			next
		}
		$2 !~ /^[A-TV-Z]$/ || ($1 == "kbench" && $3 == "main") { next }
		$1 ~ benchmark {
			struct = $1
			sub(/^bench\//, "benchmark_", struct)
			gsub(/-/, "_", struct)
			if ($3 != struct) print $1, $3
			next
		}
		{
			group = $1
			sub(/-.*/, "", group)
			if (!((($1, $3) in declared) || (($1 "-internal", $3) in declared) || ((group, $3) in declared) ||
					((group "-internal", $3) in declared) || ((other[$1], $3) in declared)))
				print $1, $3
		}' benchmark="$benchmark" $data/exceptions.txt "$tmp/code" "$tmp/symbols"
	grep '^[^:]*\.c:[0-9]*:extern ' "$tmp/code" | grep -v '^bench/collections\.c:.*extern const struct benchmark '
}

# benchmarks.h is read with two macros that mean something else each time.
headers_compile_alone() {
	[ ! -f "$cache/headers" ] || [ -n "$(find $headers -newer "$cache/headers")" ] || return
	touch "$cache/headers"
	for compiler in gcc clang; do
		lacks $compiler || $compiler -std=gnu11 -D_GNU_SOURCE -I. -Iutil -Ibench '-DCOLLECTION(word, text, usual)=' \
			'-DBENCHMARK(word, title)=' -fsyntax-only -x c $headers || rm -f "$cache/headers"
	done
}

# One line, the first but for a "#!".
sources_say_their_licence() {
	find . -name .git -prune -o \( -name '*.[ch]' -o -name '*.sh' -o -name '*.awk' -o -name Makefile -o -path ./.ci/run \) \
		-print >"$tmp/texts"
	awk 'FNR == 1 { first = $0 ~ /^#!/ ? 2 : 1; if (file) print file; file = FILENAME }
		/^(\/\/|#) SPDX-License-Identifier: GPL-2.0-only$/ { if (FNR == first) file = ""; else print FILENAME }
		END { if (file) print file }' $(cat "$tmp/texts")
}

holds() {
	"$1" >"$tmp/out" 2>&1
	[ ! -s "$tmp/out" ] || complain "this breaks it:"
}
rule() { check "$1" holds "$2"; }

rule 'every source file compiles' read_tree
[ "$failed_tests" -eq 0 ] || exit 1
rule 'what has a dash in bench/ is a benchmark of the list' benchmarks_are_listed
rule 'every file has its floor' floors_are_known
rule 'an include goes down, never up' includes_go_down
rule 'a call goes down, never up' calls_go_down
rule 'no benchmark uses another' benchmarks_are_alone
rule 'a benchmark prints, times, starts, handles and ends nothing by itself' benchmarks_only_ask
rule 'results go to stdout from util/report alone' stdout_is_the_reports
rule 'messages go to stderr from util/die and the progress line alone' stderr_is_for_messages
rule 'a statistic is computed in util/stats alone' statistics_are_in_stats
rule 'the name of a benchmark stands in its file and the list alone' names_stand_once
rule 'a default is stated once' defaults_stand_once
rule 'nothing global changes but the options of a benchmark' globals_are_constant
rule 'a signal is ignored or left alone, never handled' signals_have_no_handlers
rule 'bench/ asks for no architecture and no libc' bench_knows_no_platform
rule 'nothing sleeps until something is ready' nothing_sleeps
rule 'each file exports one thing, which its header declares' files_export_one_thing
rule 'each header compiles alone' headers_compile_alone
rule 'each source file begins with its licence' sources_say_their_licence
finish
