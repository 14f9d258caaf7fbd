#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
. "$KBENCH_SOURCE/tests/shell/lib.sh"

# What known readers of a single run's text take for a result: nothing that kbench adds may hold any of it.
result_words='usecs/op|ops/sec|operations/sec|GB/sec|MB/sec|KB/sec|bytes/sec|Total time:|Time:|Wokeup|Requeued'
result_words="$result_words|Averaged|Avg per-thread|futexes:|NUMA-convergence-latency|thread-speed|total-speed"

# block_is FILE ARGS...: quiet it is the block, otherwise only lines that begin with "#" follow.
block_is() {
	block=$expected/$1
	shift
	run 0 -q "$@"
	err_empty
	mask_block
	out_is "$block"
	run 0 "$@"
	err_empty
	mask_block
	sed "1,$(wc -l <"$block")d" "$tmp/out" >"$tmp/rest"
	! grep -v '^#' "$tmp/rest" || complain 'a line after the block does not begin with #'
	head -n "$(wc -l <"$block")" "$tmp/out" >"$tmp/head" && mv "$tmp/head" "$tmp/out"
	out_is "$block"
}

known_blocks() {
	block_is sched-pipe.txt sched pipe -l 100
	block_is sched-pipe-threads.txt sched pipe -l 100 -T
	block_is sched-messaging.txt sched messaging -g 1 -l 10
	block_is sched-messaging-threads.txt sched messaging -g 2 -l 10 -t -p
}

# Readers count lines from the last one that holds the benchmark's name.
line_offset() {
	run 0 sched pipe -l 100
	awk '/sched\/pipe/ { at = NR } { line[NR] = $0 } END { print line[at + 5] }' "$tmp/out" | grep -q ' usecs/op$' ||
		complain 'the result does not stand five lines below the name'
}

first_and_last() {
	run 0 self all
	[ "$(sed -n 1p "$tmp/out")" = '# Running self/nop benchmark...' ] || complain 'another heading in all'
	[ -z "$(tail -n 1 "$tmp/out")" ] || complain 'no empty line ends a benchmark of all'
}

simple() {
	for words in 'sched pipe -l 10' 'sched messaging -g 1 -l 1' 'self nop -l 1000'; do
		for repeat in 1 3; do
			# shellcheck disable=SC2086
			run 0 -v -w 1 -f simple -r $repeat $words
			err_empty
			out_lines "$repeat"
			[ "$(grep -cE '^[0-9]+\.[0-9]{6,}$' "$tmp/out")" -eq "$repeat" ] ||
				complain 'a line is not a number with six decimals'
		done
	done
}

# json_holds JQ: what a reader of JSON finds in the lines, as an array.
json_holds() {
	jq -e -s "$1" "$tmp/out" >"$tmp/answer" 2>&1 || { sed 's/^/# /' "$tmp/answer"; complain "json: not $1"; }
}

json() {
	command -v jq >/dev/null || { skip_test 'there is no jq'; return; }
	run 0 -r 2 -w 1 -f json sched pipe -l 10,20 -T
	err_empty
	out_lines 2
	jq -r 'keys[]' "$tmp/out" | sort -u >"$tmp/members"
	diff -u "$expected/json-members.txt" "$tmp/members" | sed 's/^/# /'
	cmp -s "$expected/json-members.txt" "$tmp/members" || complain 'the members are others'
	json_holds '.[0].benchmark == "sched pipe" and .[0].operation == "round trip" and .[0].status == "done"'
	json_holds '[.[].parameters.loop | tonumber] == [10, 20]'
	json_holds 'all(.[]; .warmup == 1 and (.runs | length) == 2 and .reason == null)'
	json_holds 'all(.[].runs[]; all(.[]; type == "number" or . == null))'
	json_holds 'all(.[]; (.runs[0] | keys) == (.statistics | keys))'
	json_holds 'all(.[].statistics[]; has("n") and has("mean") and has("stddev") and has("median") and has("ci95"))'
	json_holds 'all(.[].statistics[]; .n == 2)'
	# shellcheck disable=SC2016 # the variable is jq's
	json_holds 'all(.[]; .headline as $h | .runs[0] | has($h))'
	json_holds 'all(.[].environment; has("kernel"))'
}

json_strings() {
	command -v jq >/dev/null || { skip_test 'there is no jq'; return; }
	run 1 -f json sched pipe -l 10 -G 'a"b\c	d,/no such group'
	json_holds '.[0].status != "done" and (.[0].parameters.cgroups | startswith("a\"b\\c\td,"))'
	json_holds '.[0].reason | length > 0'
}

# Numbers of fields of all lines, by the rules of RFC 4180.
csv_shapes() {
	awk '{
		if (!sub(/\r$/, "")) print "no CR"
		fields = 1; quoted = 0
		for (i = 1; i <= length($0); i++) {
			c = substr($0, i, 1)
			if (c == "\"") quoted = !quoted
			else if (c == "," && !quoted) fields++
		}
		print quoted ? "open" : fields
	}' "$tmp/out" | sort -u
}

cpu=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)

csv() {
	run 0 -r 2 -f csv sched pipe -l 10,20 -T
	err_empty
	head -n 1 "$tmp/out" | tr -d '\r' | grep -qx 'benchmark,loop,threaded,run,metric,value,better' ||
		complain 'the header is another'
	[ "$(csv_shapes)" = 7 ] || complain "lines have these shapes: $(csv_shapes | tr '\n' ' ')"
	[ "$(grep -c ',sec,' "$tmp/out")" -eq 4 ] || complain 'not one row of sec for each run'
	[ "$(grep -c '^benchmark' "$tmp/out")" -eq 1 ] || complain 'more than one header'
	out_has '^sched pipe,20,true,2,sec,[0-9.e-]+,lower'
	run 0 -f csv --cpus "$cpu" self all
	out_has '^benchmark,on-cpus,run,'
	[ "$(csv_shapes)" = 6 ] || complain "lines of all have these shapes: $(csv_shapes | tr '\n' ' ')"
}

csv_quotes() {
	run 0 -f csv sched pipe -l 10 --place "$cpu,$cpu"
	[ "$(csv_shapes)" = 7 ] || complain "lines have these shapes: $(csv_shapes | tr '\n' ' ')"
	out_has "^sched pipe,10,\"$cpu,$cpu\",1,"
}

# A locale of commas and points must not reach a number.
locale_free() {
	name=$(locale -a 2>/dev/null | grep -iE '^(de_DE|fr_FR|ru_RU)\.?utf-?8' | head -n 1)
	[ -n "$name" ] || { skip_test 'no locale with a decimal comma is installed'; return; }
	for format in default simple json csv; do
		LC_ALL=$name run 0 -r 2 -f $format self nop -l 2000000
		out_lacks '[0-9],[0-9]{6}'
	done
}

table() {
	run 0 -r 3 sched pipe -l 10
	[ "$(sed -n 1p "$tmp/out")" = "# Running 'sched/pipe' benchmark:" ] || complain 'the heading is another'
	out_has '^ +n +mean +\+- +%stddev +median +min +max$'
	out_has '^ +3( +[0-9]+\.[0-9]+){6}$'
	run 0 sched pipe -l 10,20
	out_has '^ +loop +n +mean +\+- '
	[ "$(grep -cE '^ +(10|20) +1 +[0-9.]+ +n/a +n/a +[0-9.]+ +[0-9.]+ +[0-9.]+$' "$tmp/out")" -eq 2 ] ||
		complain 'one run has a deviation'
}

narrow() {
	run 0 -r 2 --timeout 60s numa mem -p 1,2 -t 1,2 -P 1 -l 2
	out_narrow
	out_has '^# 10\^[36912]+ B/s; \+- is'
	run 0 -r 3 sched pipe -l 10,1000 -s 1,64 --place same,free
	out_narrow
	out_has '^# loop=1000 size=64 place=same: '
	out_lacks '^# placed'
	run 0 -r 2 sched pipe -l 10,20 --place same
	out_has '^# placed on CPUs '
	out_has '^# loop=20: switches/op '
}

added_text() {
	run 0 -r 2 -v -w 1 sched pipe -l 10
	out_lacks "$result_words"
	run 0 -v sched pipe -l 10,20
	out_lacks "$result_words"
	run 0 -v sched pipe -l 10
	sed -i '/^[^#]/d' "$tmp/out"
	out_lacks "$result_words"
	run 0 -r 2 -v sched messaging -g 1,2 -l 2
	out_lacks "$result_words"
	run 1 --timeout 1ms sched pipe -l "$forever"
	err_lacks "$result_words"
}

quiet() {
	run 0 -q -r 2 sched pipe -l 10
	[ "$(grep -c '^#' "$tmp/out")" -le 2 ] || complain 'quiet has remarks'
	err_empty
}

check 'a single run prints the known block to the byte' known_blocks
check 'the result stands where readers count it' line_offset
check 'in all a benchmark has the other heading and ends in an empty line' first_and_last
check 'simple is one number a run with six decimals or more, and nothing else' simple
check 'json is one valid line a parameter set with every member' json
check 'json is valid whatever an option holds, and says why a run failed' json_strings
check 'csv has one header, a column for each parameter, and ends its lines as RFC 4180' csv
check 'csv quotes what has a comma' csv_quotes
check 'the locale makes no difference to a number' locale_free
check 'several runs or sets are one table' table
check 'a table fits into 80 columns, and a remark names its row' narrow
check 'what kbench adds has no word that readers take for a result' added_text
check 'quiet leaves the remarks away' quiet
finish
