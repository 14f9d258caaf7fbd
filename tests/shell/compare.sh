#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# From record files to a verdict. The sets are made up here, so that what must be found is known.
. "$KBENCH_SOURCE/tests/shell/lib.sh"

# runs FILE NAME MEAN...: a line a value, of BenchmarkNAME.
runs() {
	runs_file=$1 runs_name=$2
	shift 2
	for value; do
		echo "Benchmark$runs_name 100 $value sec 7 user-sec"
	done >>"$runs_file"
}
base_values='1.00 1.01 0.99 1.02 0.98 1.005 0.995 1.015'
worse_values='1.10 1.11 1.09 1.12 1.08 1.105 1.095 1.115'
better_values='0.90 0.91 0.89 0.92 0.88 0.905 0.895 0.915'

# shellcheck disable=SC2086
make_sets() {
	rm -f "$tmp"/*.txt
	runs "$tmp/base.txt" SchedPipe/loop=100 $base_values
	runs "$tmp/same.txt" SchedPipe/loop=100 1.003 0.993 1.012 0.988 1.001 0.999 1.02 0.984
	runs "$tmp/worse.txt" SchedPipe/loop=100 $worse_values
	runs "$tmp/better.txt" SchedPipe/loop=100 $better_values
	runs "$tmp/few.txt" SchedPipe/loop=100 1.0
}

verdicts() {
	make_sets
	run 0 compare "$tmp/base.txt" "$tmp/same.txt"
	out_has 'no difference found$'
	out_joined
	out_has '^# where nothing was found, [0-9.]+ % would have been in 4 of 5 cases; for 1 % it takes [0-9]+ runs'
	run 0 compare "$tmp/base.txt" "$tmp/worse.txt"
	out_has '^ *1\.002 +1\.3 +1\.102 +1\.2 +\+9\.98 .* regressed$'
	out_has '^# Mann-Whitney U, exact'
	run 0 compare "$tmp/base.txt" "$tmp/better.txt"
	out_has '-9\.98 .* improved$'
	run 0 compare --threshold 20 "$tmp/base.txt" "$tmp/worse.txt"
	out_has 'below threshold$'
	run 0 compare "$tmp/base.txt" "$tmp/few.txt"
	out_has 'cannot tell$'
	out_has '^# too few runs to tell: a difference can be found from 2 runs a side on$'
	run 2 compare "$tmp/base.txt" "$tmp/few.txt" --exit-code
	err_has "unexpected option '--exit-code': options stand before the files; a file is ./--exit-code"
}

# Benchmarks stand in the order of their first rows, and so do the rows of each.
order() {
	printf 'Benchmark%s 1 5 sec\n' Z/a=1 A-b/x=1 Z/a=2/b=9 A/x=1 A A-b/x=2 >"$tmp/mixed.txt"
	run 0 compare -f csv "$tmp/mixed.txt" "$tmp/mixed.txt"
	sed '1d; s/,sec,.*//' "$tmp/out" >"$tmp/rows"
	printf '%s\n' Z,a=1 'Z,a=2 b=9' A-b,x=1 A-b,x=2 A,x=1 A, | diff - "$tmp/rows" || complain 'the order is another'
}

# Of so few that no difference could be found it is not said which would have been.
too_few() {
	rm -f "$tmp"/*.txt
	runs "$tmp/four.txt" A 1.0 1.1 1.2 1.3
	runs "$tmp/other.txt" A 2.0 2.1 2.2 2.3
	run 0 compare "$tmp/four.txt" "$tmp/other.txt"
	out_has 'regressed$'
	out_lacks 'too few'
	run 0 compare --metric all "$tmp/four.txt" "$tmp/other.txt"
	out_joined
	out_has 'cannot tell'
	out_has '^# too few runs to tell: a difference in one of 2 rows can be found from 5 runs a side on'
	out_lacks 'would have been found'
	runs "$tmp/ones.txt" A 1 1 1
	runs "$tmp/nines.txt" A 9 9 9
	run 0 compare "$tmp/ones.txt" "$tmp/nines.txt"
	out_has 'cannot tell$'
	out_has '^# runs that do not vary cannot be told apart with fewer than 4 a side$'
}

direction() {
	make_sets
	for file in base worse; do
		{ echo 'Unit op/s better=higher'; sed 's/ sec / op\/s /' "$tmp/$file.txt"; } >"$tmp/rate-$file.txt"
	done
	run 0 compare "$tmp/rate-base.txt" "$tmp/rate-worse.txt"
	out_has '^# SchedPipe loop=100: op/s, higher is better$'
	out_has '\+9\.98 .* improved$'
}

statuses() {
	make_sets
	run 0 compare --exit-code "$tmp/base.txt" "$tmp/same.txt"
	run 0 compare --exit-code "$tmp/base.txt" "$tmp/better.txt"
	run 1 compare --exit-code "$tmp/base.txt" "$tmp/worse.txt"
	run 0 compare --exit-code --threshold 20 "$tmp/base.txt" "$tmp/worse.txt"
	run 125 compare --exit-code "$tmp/base.txt" "$tmp/few.txt"
	run 125 compare --exit-code "$tmp/base.txt" "$tmp/not-there.txt"
	run 1 compare "$tmp/base.txt" "$tmp/not-there.txt"
	run 0 compare "$tmp/base.txt" "$tmp/worse.txt"
}

rows() {
	make_sets
	# shellcheck disable=SC2086
	for group in 1 2; do
		runs "$tmp/rows-a.txt" "SchedMessaging/group=$group/fds=20" $base_values
		runs "$tmp/rows-b.txt" "SchedMessaging/group=$group/fds=20" $worse_values
	done
	runs "$tmp/rows-a.txt" SchedMessaging/group=4/fds=20 1 2 3
	runs "$tmp/rows-b.txt" SelfNop/loop=5 1 2 3
	run 0 compare "$tmp/rows-a.txt" "$tmp/rows-b.txt"
	out_has '^# SchedMessaging fds=20: sec, lower is better$'
	out_has '^ +1 .* regressed$'
	out_has '^ +2 .* regressed$'
	out_has '^geomean +\+9\.98$'
	out_has '^# only in .*rows-a\.txt: SchedMessaging/group=4/fds=20 \(3 runs\)$'
	out_has '^# only in .*rows-b\.txt: SelfNop/loop=5 \(3 runs\)$'
	[ "$(awk 'length > 96' "$tmp/out" | wc -l)" -eq 0 ] || complain 'the table is wide'
}

# A row of three runs beside rows of eight.
tests_named() {
	make_sets
	for side in base worse; do
		{ cat "$tmp/$side.txt"; sed -n 's/loop=100/loop=200/; 1,3p' "$tmp/$side.txt"; } >"$tmp/mixed-$side.txt"
	done
	run 0 compare "$tmp/mixed-base.txt" "$tmp/mixed-worse.txt"
	out_has '^# Mann-Whitney U, exact, p by Holm'
	out_has "^# Welch's t \(weak: fewer than 4 runs a side\), p by Holm"
}

# Eight pairs, all of them up: p is 2/2^8. The values drift far more than the sides differ.
pairs() {
	rm -f "$tmp"/*.txt
	for side in a b; do
		for i in 1 2 3 4 5 6 7 8; do
			echo "# run: id=0123 index=$i time=$((1000 + i))"
			awk -v i="$i" -v side="$side" 'BEGIN {
				printf "BenchmarkStat/number=1 1 %.4f sec\n", i * (side == "a" ? 1 : 1.02 + i / 10000) }'
		done >"$tmp/pairs-$side.txt"
	done
	run 0 compare "$tmp/pairs-a.txt" "$tmp/pairs-b.txt"
	out_has '^# Wilcoxon signed-rank of pairs, exact'
	out_has ' 0\.0078  regressed$'
	sed 's/id=0123/id=4567/' "$tmp/pairs-b.txt" >"$tmp/apart.txt"
	run 0 compare "$tmp/pairs-a.txt" "$tmp/apart.txt"
	out_has '^# Mann-Whitney U'
	out_has 'no difference found$'
}

# All of one side before all of the other, and both climb.
drift() {
	rm -f "$tmp"/*.txt
	for i in 0 20; do
		awk -v first="$i" 'BEGIN { for (k = 1; k <= 20; k++) { i = first + k
			printf "# run: id=%d index=%d time=%d\nBenchmarkA/x=1 1 %.3f sec\n", first, k, 1000 + i, 1 + i / 100 } }' \
			>"$tmp/drift-$i.txt"
	done
	run 0 compare "$tmp/drift-0.txt" "$tmp/drift-20.txt"
	out_has '^# warning: one side was run after the other, and the runs drift'
}

environments() {
	make_sets
	for file in base worse; do
		{
			echo '# kbench-record: 1'
			echo "# kernel: 6.$file"
			echo "# governor: $([ $file = base ] && echo performance || echo powersave)"
			echo 'cpu-model: X'
			echo "# load: $file"
			cat "$tmp/$file.txt"
		} >"$tmp/env-$file.txt"
	done
	run 0 compare "$tmp/env-base.txt" "$tmp/env-worse.txt"
	out_has '^# differs: kernel: 6\.base -> 6\.worse$'
	out_has '^# differs: governor: performance -> powersave$'
	out_has '^# warning: besides the kernel 1 other fact differs'
	out_lacks 'load'
	out_lacks 'cpu-model'
	sed 's/powersave/performance/' "$tmp/env-worse.txt" >"$tmp/env-kernel.txt"
	run 0 compare "$tmp/env-base.txt" "$tmp/env-kernel.txt"
	out_lacks '^# warning'
	cat "$tmp/env-base.txt" "$tmp/env-worse.txt" >"$tmp/env-both.txt"
	run 0 compare "$tmp/env-base.txt" "$tmp/env-both.txt"
	out_has '^# warning: .*env-both\.txt: governor changes within the file'
	cat "$tmp/env-worse.txt" "$tmp/env-base.txt" >"$tmp/env-other.txt"
	run 0 compare "$tmp/env-both.txt" "$tmp/env-other.txt"
	out_lacks 'differs:'
}

# Verdicts of three words, two columns of names, numbers of eleven digits.
narrow() {
	rm -f "$tmp"/*.txt
	for threads in 1 16; do
		for place in same remote; do
			name=NumaMem/threads=$threads/place=$place
			runs "$tmp/base.txt" $name 20909069025 17984937784 23984937784 18909069025 22345678901
			runs "$tmp/new.txt" $name 21909069025 16984937784 22984937784 19909069025 21345678901
		done
	done
	run 0 compare "$tmp/base.txt" "$tmp/new.txt"
	out_narrow
	out_has '^# NumaMem: 10\^9 sec, '
	out_has '^ +16 +remote +20\.83 +12 +20\.63 +11 +-0\.96 +[-+.0-9]* 1\.0000 no difference found$'
	run 0 compare --metric all "$tmp/base.txt" "$tmp/new.txt"
	out_has '^ +16 +remote +sec \(10\^9\) +20\.83 '
}

# A file, a copy of it, and one that goes on with it.
itself() {
	run 0 -o "$tmp/first.txt" -r 4 self nop -l 10
	run 0 -o "$tmp/second.txt" -r 4 self nop -l 10
	cat "$tmp/first.txt" "$tmp/second.txt" >"$tmp/both.txt"
	for file in first both; do
		run 0 compare "$tmp/first.txt" "$tmp/$file.txt"
		out_joined
		out_has '^# warning: some runs are in both sets: held against themselves they show no difference$'
	done
	run 0 -f csv compare "$tmp/first.txt" "$tmp/first.txt"
	err_has 'warning: some runs are in both sets'
	run 0 compare "$tmp/first.txt" "$tmp/second.txt"
	out_lacks 'both sets'
	run 0 stat -r 6 -o "$tmp/a.txt" -o "$tmp/b.txt" true true
	run 0 compare "$tmp/a.txt" "$tmp/b.txt"
	out_lacks 'both sets'
}

several() {
	make_sets
	run 0 compare "$tmp/base.txt" "$tmp/worse.txt" "$tmp/better.txt"
	out_has '^# 1: .*worse\.txt$'
	out_has '^# 2: .*better\.txt$'
	out_has '\+9\.98  regressed +0\.902.* -9\.98  improved$'
	run 0 compare -f md "$tmp/base.txt" "$tmp/worse.txt" "$tmp/better.txt"
	out_has '^\* 2: .*better\.txt$'
	out_has '^\| ---: \| ---: \| ---: \| ---: \| --- \| ---: \| ---: \| --- \|$'
	out_has '^\| 1\.002 \| 1\.3 \| 1\.102 \| \+9\.98 \| regressed \| 0\.902 \| -9\.98 \| improved \|$'
}

formats() {
	make_sets
	run 0 -f csv compare "$tmp/base.txt" "$tmp/worse.txt"
	out_has '^benchmark,parameters,metric,base,'
	out_has '^SchedPipe,loop=100,sec,.*,regressed'
	run 0 compare -f md "$tmp/base.txt" "$tmp/worse.txt"
	out_has '^\| 1\.002 \| 1\.3 \| .* \| regressed \|$'
	run 0 compare -f json "$tmp/base.txt" "$tmp/worse.txt"
	out_has '"verdict":"regressed"'
	command -v jq >/dev/null || return 0
	jq -s 'map(select(.type == "row")) | length == 1 and .[0].base.n == 8 and .[0].p < 0.05' "$tmp/out" >"$tmp/said"
	[ "$(cat "$tmp/said")" = true ] || complain 'jq finds another row'
}

metrics() {
	make_sets
	run 0 compare --metric user-sec "$tmp/base.txt" "$tmp/worse.txt"
	out_has 'loop=100: user-sec'
	run 0 compare --metric all "$tmp/base.txt" "$tmp/worse.txt"
	out_has '^ +sec .* regressed$'
	out_has '^ *user-sec .* no difference found$'
	run 2 compare --metric nosuch "$tmp/base.txt" "$tmp/worse.txt"
	err_has 'option --metric: no run of .*base\.txt has .nosuch.; SchedPipe/loop=100 has sec, user-sec'
	out_empty
}

# go_runs FILE NAME UNITS...: five runs, with a value for each unit.
go_runs() {
	go_file=$1 go_name=$2
	shift 2
	for i in 1 2 3 4 5; do
		go_values=
		for unit; do go_values="$go_values 1$i $unit"; done
		echo "Benchmark$go_name 1$go_values"
	done >>"$go_file"
}

# The metric of the base is looked for wherever it stands, and where it is not, that is said.
other_order() {
	rm -f "$tmp"/*.txt
	go_runs "$tmp/a.txt" X/c=1 ns/op B/op
	go_runs "$tmp/a.txt" X/c=2 ns/op
	go_runs "$tmp/b.txt" X/c=1 B/op ns/op
	go_runs "$tmp/b.txt" X/c=2 sec
	run 0 compare "$tmp/a.txt" "$tmp/b.txt"
	out_has '^# X: ns/op'
	out_has 'no difference found$'
	out_has '^# only in .*/a\.txt: ns/op of X/c=2 \(5 runs\)$'
	run 0 compare --metric all "$tmp/a.txt" "$tmp/b.txt"
	out_has ' B/op .* no difference found$'
	out_has '^# only in .*/b\.txt: sec of X/c=2 \(5 runs\)$'
	run 1 compare --metric sec "$tmp/a.txt" "$tmp/b.txt"
	err_has "option --metric: no run of .*/a\.txt has 'sec', and others have"
	run 125 compare --exit-code --metric sec "$tmp/b.txt" "$tmp/a.txt"
	run 2 compare --exit-code --metric se "$tmp/b.txt" "$tmp/a.txt"
}

# Each row has a label of its own, whatever the name is made of.
labels() {
	rm -f "$tmp"/*.txt
	many=$(seq -f '/k%g=v' 70 | tr -d '\n')
	for name in Y/small/json Y/small/xml Y/small/ Y/b/a=1/a=2 Y/b/a=1/a=3 "Z$many/z=p" "Z$many/z=q" "Z/a=$many/z=p"; do
		go_runs "$tmp/a.txt" "$name" sec
	done
	run 0 compare "$tmp/a.txt" "$tmp/a.txt"
	out_has '^ +case +case2 +a +a2 '
	out_has '^ +small +json +- +- '
	out_has '^ +small +xml +- +- '
	out_has '^ +b +- +1 +2 '
	out_has '^ +b +- +1 +3 '
	"$KBENCH" compare -f csv "$tmp/a.txt" "$tmp/a.txt" >"$tmp/out" 2>"$tmp/err"
	[ "$(cut -d, -f1,2 "$tmp/out" | sort -u | wc -l)" -eq 9 ] || complain 'some rows have the same parameters'
	out_has "^Z,.* z=q,sec,"
}

# A name from a file must not begin a line, or reach the terminal as a command.
control_characters() {
	printf 'key: a\033[31m\ta\007\177\nBenchmarkX 1 1 sec\n' >"$tmp/a.txt"
	printf 'key: b\nBenchmarkX 1 1 sec\n' >"$tmp/b.txt"
	for format in default md; do
		run 0 compare -f $format "$tmp/a.txt" "$tmp/b.txt"
		out_has 'differs: key: a \[31m a'
		[ "$(tr -d '\n' <"$tmp/out" | tr -d '[:cntrl:]' | wc -c)" -eq "$(tr -d '\n' <"$tmp/out" | wc -c)" ] ||
			complain 'there are control characters'
	done
}

bad_input() {
	make_sets
	: >"$tmp/empty.txt"
	echo 'PASS' >"$tmp/none.txt"
	for file in empty.txt none.txt not-there.txt .; do
		run 1 compare "$tmp/base.txt" "$tmp/$file"
		err_has "^kbench: compare: .*$tmp/"
		out_empty
	done
	for words in '' "$tmp/base.txt"; do
		# shellcheck disable=SC2086
		run 2 compare $words
		err_has 'takes a base and at least one file'
	done
	run 2 compare --threshold 0 "$tmp/base.txt" "$tmp/same.txt"
	err_has "option --threshold: '0' is not a percentage"
	run 2 -f simple compare "$tmp/base.txt" "$tmp/same.txt"
	err_has 'compare has default, json, csv and md'
}

damaged() {
	make_sets
	{ cat "$tmp/worse.txt"; echo 'BenchmarkSchedPipe/loop=100 100 1.1 sec 5'; } >"$tmp/damaged.txt"
	run 0 compare "$tmp/base.txt" "$tmp/damaged.txt"
	err_has 'damaged\.txt:9: damaged, skipped'
	out_has 'regressed$'
}

# The line of Documentation/measuring.md, with a record in each commit in place of a build.
bisect() {
	command -v git >/dev/null || { skip_test 'git is not installed'; return; }
	make_sets
	mkdir "$tmp/repository"
	(
		cd "$tmp/repository" || exit
		git init -q .
		git config user.email nobody@example.org
		git config user.name nobody
		for i in 1 2 3 4 5 6; do
			case $i in 1 | 2 | 3) from=same ;; *) from=worse ;; esac
			{ echo "# commit $i"; cat "$tmp/$from.txt"; } >record
			git add record
			git commit -qm "commit $i"
		done
		git bisect start HEAD HEAD~5 >/dev/null
		git bisect run sh -c "cp record ../new.txt || exit 125; $KBENCH compare --exit-code --threshold 2 ../base.txt ../new.txt"
	) >"$tmp/out" 2>"$tmp/err"
	out_has 'is the first bad commit'
	out_has 'commit 4$'
}

check 'rows and benchmarks stand in the order of the file' order
check 'the five words are said of what they are meant for' verdicts
check 'too few runs are called that, and how many are enough' too_few
check 'what is better comes from the unit' direction
check 'with --exit-code the status says it, and an error is not a regression' statuses
check 'rows are matched by name, and what stands on one side only is named' rows
check 'every test that a table has verdicts of is named' tests_named
check 'runs that were made in turns are compared as pairs' pairs
check 'drift over one side after the other is warned of' drift
check 'what differs between the environments comes first' environments
check 'a table of one new file fits into 80 columns' narrow
check 'runs that are held against themselves are warned of' itself
check 'several new files are columns' several
check 'csv, md and json say the same' formats
check 'any metric can be compared, and all of them' metrics
check 'the metric of the base is found in any place, or said to be missing' other_order
check 'rows are told apart by every part of their names' labels
check 'control characters of a file do not reach the terminal' control_characters
check 'bad input is answered and nothing printed' bad_input
check 'a damaged line is skipped with file and line' damaged
check 'git bisect run finds the commit' bisect
finish
