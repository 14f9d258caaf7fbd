#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# kbench stat, with made-up commands whose numbers are known.
. "$KBENCH_SOURCE/tests/shell/lib.sh"

# Prints 1, 2, 3, ... at each call with the same file. Numbers as known as these make known statistics.
cat >"$tmp/count" <<'END'
n=$(cat "$1" 2>/dev/null || echo 0)
echo $((n + 1)) >"$1"
echo $((n + 1))
END

count() { echo "sh $tmp/count $tmp/$1"; }
forget() { for file; do rm -f "${tmp:?}/$file"; done; }
# But for what a user has typed.
narrow() { [ -z "$(grep -v '^# [A-Z]: ' "$tmp/out" | awk 'length > 80')" ] || complain 'a line is longer than 80 columns'; }
joined() { tr -d '\n' <"$tmp/$1"; }
lines_are() { [ "$(joined "$1")" = "$2" ] || complain "$1 has $(joined "$1"), not $2"; }

known_numbers() {
	forget n
	run 0 -f simple stat -r 4 --number "$(count n)"
	printf '%s\n' 1 2 3 4 | diff - "$tmp/out" || complain 'the numbers are not 1 2 3 4'
	forget n
	run 0 stat -r 4 --number "$(count n)"
	out_has '^number +4 +2\.5000 +2\.0543 +51\.64 +2\.5000 +1\.0000 +4\.0000$'
	out_has "^# command: sh $tmp/count"
	out_has '^wall-sec( \(.*\))? +4 '
	err_empty
	forget n
	run 0 -f json stat -r 4 --number "$(count n)"
	out_lines 1
	out_has '"number":\{"better":null,"n":4,"mean":2\.5,"stddev":1\.2909944487358056,'
	out_has '"runs":\[\{"round":1,"number":1,'
}

which_number() {
	text='printf "runs: 2 of 3\ntotal: 0.5 sec\n"'
	for row in '1 2' '2 3' '3 0.5' 'total:_([0-9.]+) 0.5' 'of_. 3'; do
		which=$(echo "${row% *}" | tr _ ' ')
		run 0 -f simple stat -r 1 "--number=$which" "$text"
		[ "$(cat "$tmp/out")" = "${row##* }" ] || complain "number '$which' is not ${row##* }"
	done
}

time_and_memory() {
	run 0 -f simple stat -r 2 'sleep 0.02'
	out_lines 2
	[ "$(grep -cE '^[0-9]+\.[0-9]{9}$' "$tmp/out")" -eq 2 ] || complain 'these are not two times'
	[ "$(awk '$1 < 0.02' "$tmp/out" | wc -l)" -eq 0 ] || complain 'a time is shorter than the sleep'
	run 0 stat -r 3 true
	for metric in wall-sec user-sec sys-sec max-rss-bytes; do
		out_has "^$metric( \\(.*\\))? +3 +[0-9.]+ "
	done
	narrow
}

# Ten rounds unless something else is said; what is said after the word wins.
repeats() {
	run 0 -f simple stat true
	out_lines 10
	run 0 -f simple -r 3 stat true
	out_lines 3
	run 0 -f simple -r 3 stat -r 2 true
	out_lines 2
}

warm_up() {
	forget n
	run 0 -f simple stat -r 2 -w 3 --number "$(count n)"
	printf '%s\n' 4 5 | diff - "$tmp/out" || complain 'the warm-up runs are counted'
	forget n
	run 0 -f simple -w 1 stat -r 1 --number "$(count n)"
	[ "$(cat "$tmp/out")" = 2 ] || complain '-w before the word is not heard'
}

program() {
	# shellcheck disable=SC2016
	run 0 -f simple stat -r 1 --number -- printf '%s' 'x$((1 + 1))  7'
	[ "$(cat "$tmp/out")" = 1 ] || complain 'a shell has read the argument'
	run 0 stat -r 2 -- sh -c 'exit 0' -r 5
	out_has '^# command: sh -c exit 0 -r 5$'
	out_has '^wall-sec( \(.*\))? +2 '
}

output_is_apart() {
	run 0 stat -r 2 'echo noise; echo trouble >&2'
	out_lacks '^noise'
	[ "$(grep -cx trouble "$tmp/err")" -eq 2 ] || complain 'its stderr is not ours'
	run 0 -q stat -r 2 'echo noise; echo trouble >&2'
	out_lacks '^noise'
	err_empty
	run 0 -f simple stat -r 1 --number 'cat; echo 5'
	[ "$(cat "$tmp/out")" = 5 ] || complain 'it did not read an empty stdin'
}

# The orders of seed 1 are pinned in shuffle-test: who is first in each round.
interleaved() {
	forget order
	run 0 stat -r 12 --seed 1 "echo A >>$tmp/order" "echo B >>$tmp/order"
	[ "$(awk 'NR % 2' "$tmp/order" | tr -d '\n')" = AABABBBAABBB ] || complain "the order is $(joined order)"
	[ "$(awk '{ round = round $1 } NR % 2 == 0 { print round; round = "" }' "$tmp/order" | sort -u | tr '\n' ' ')" = 'AB BA ' ] ||
		complain 'a round does not have each command once'
	out_has '^# seed 1$'
}

seeds() {
	forget order
	run 0 -f json stat -r 9 "echo A >>$tmp/order" "echo B >>$tmp/order" "echo C >>$tmp/order"
	seed=$(sed -n '1s/.*"seed":\([0-9]*\),.*/\1/p' "$tmp/out")
	cp "$tmp/order" "$tmp/first"
	forget order
	run 0 stat -r 9 --seed "$seed" "echo A >>$tmp/order" "echo B >>$tmp/order" "echo C >>$tmp/order"
	cmp "$tmp/first" "$tmp/order" || complain "seed $seed gave another order"
	run 0 -f json stat -r 1 true
	[ "$(sed -n '1s/.*"seed":\([0-9]*\),.*/\1/p' "$tmp/out")" != "$seed" ] || complain 'the seed is the same again'
}

prepared() {
	forget order
	run 0 stat -r 5 --prepare "echo a >>$tmp/order" --prepare "echo b >>$tmp/order" "echo A >>$tmp/order" "echo B >>$tmp/order"
	[ "$(joined order | sed 's/aA\|bB//g')" = '' ] || complain "not each its own --prepare: $(joined order)"
	[ "$(grep -c . "$tmp/order")" -eq 20 ] || complain 'not 20 commands ran'
	forget order
	run 0 stat -r 2 --prepare "echo p >>$tmp/order" "echo A >>$tmp/order" "echo A >>$tmp/order"
	lines_are order pApApApA
	forget order
	run 0 --prepare "echo p >>$tmp/order" stat -r 2 -- sh -c "echo A >>$tmp/order"
	lines_are order pApA
	forget order
	run 0 --prepare "echo x >>$tmp/order" stat -r 2 --prepare "echo p; echo p >>$tmp/order" "echo A >>$tmp/order"
	lines_are order pApA
	out_lacks '^p$'
	run 1 stat -r 2 --prepare 'exit 9' true
	err_has "^kbench: stat: run 1 of 'true': the --prepare command ended with status 9: exit 9"
	run 1 stat -r 2 --timeout 200ms --prepare 'sleep 1000' true
	err_has "^kbench: stat: run 1 of 'true': the --prepare command took longer than --timeout: sleep 1000"
	out_empty
}

# Ends with status 3 at its third call.
third_fails() { echo "n=\$($(count "$1")); echo line \$n; [ \$n -lt 3 ] || exit 3"; }

failing() {
	forget n
	run 3 -f simple stat -r 9 --number "$(third_fails n)"
	printf '%s\n' 1 2 | diff - "$tmp/out" || complain 'what was finished is lost'
	err_has "^kbench: stat: run 3 of '.*it ended with status 3\$"
	err_has '^kbench: stat: \| line 3$'
	forget n
	run 3 stat -r 9 "$(third_fails n)"
	out_has '^wall-sec( \(.*\))? +2 '
	forget n
	run 3 -f json stat -r 9 "$(third_fails n)"
	out_has '"status":"incomplete","reason":"run 3 of '
	run 137 stat -r 2 'kill -KILL $$'
	out_empty
	err_has 'it ended with status 137 \(killed by signal 9, Killed\)$'
	err_has 'it has printed nothing on stdout$'
	run 127 stat -r 2 /no/such 0.01
	err_has '^kbench: stat: each word is a command of its own; a program with arguments stands after --$'
	run 143 stat -r 2 'kill -TERM 0'
	err_has 'it ended with status 143 \(killed by signal 15, Terminated\)$'
	run 0 -f simple stat -r 2 --number "trap '' TERM HUP INT; kill -TERM 0; kill -HUP 0; kill -INT 0; echo 7"
	out_has '^7$'
	run 0 -f simple stat -r 1 --number='is (.*)' 'printf "a\0b is 7\n"'
	out_has '^7$'
	run 5 stat -w 1 -- sh -c 'exit 5'
	err_has "^kbench: stat: a warm-up run of 'sh -c exit 5': it ended with status 5\$"
	run 4 stat -r 2 'seq 1 50; printf "a\033b"; exit 4'
	err_has '\| 50$'
	err_has '\| a\?b$'
	err_lacks '\| 40$'
}

not_found() {
	run 127 stat -r 2 -- /no/such/program
	err_has "^kbench: stat: run 1 of '/no/such/program': /no/such/program: No such file or directory\$"
	out_empty
	echo >"$tmp/plain"
	run 126 stat -r 2 -- "$tmp/plain"
	err_has ': Permission denied$'
	run 127 stat -r 2 /no/such/program
	err_has 'it ended with status 127$'
	run 127 stat --ignore-failure -r 2 -- /no/such/program
	out_empty
}

ignored() {
	forget n
	fails="n=\$($(count n)); echo \$n; [ \$((n % 2)) -eq 0 ]"
	run 0 -f simple stat -r 6 --ignore-failure --number "$fails"
	printf '%s\n' 2 4 6 | diff - "$tmp/out" || complain 'not the runs that did not fail'
	err_empty
	forget n
	run 0 stat -r 6 --ignore-failure --number "$fails"
	out_has '^number +3 +4\.0000 '
	out_has '^# 3 of 6 runs failed and are not in here$'
	run 1 stat -r 2 --ignore-failure 'exit 7'
	err_has "^kbench: stat: every run of 'exit 7' failed\$"
}

# A fails in odd rounds, so that pairs are made of the even ones: B is twice A in each.
ignored_pairs() {
	forget a b
	run 0 -f json stat -r 12 --ignore-failure --number "n=\$($(count a)); echo \$n; [ \$((n % 2)) -eq 0 ]" \
		"n=\$($(count b)); echo \$((2 * n))"
	sed -n 2p "$tmp/out" >"$tmp/second" && mv "$tmp/second" "$tmp/out"
	out_has '"comparison":\{"with":"A","test":"Wilcoxon signed-rank of pairs, exact","pairs":6,"change_percent":100,'
	out_has '"failures":0,'
	out_has '"p":0\.03125,'
}

no_number() {
	forget n
	third="n=\$($(count n)); [ \$n -lt 3 ] && echo \$n || echo nothing here"
	run 1 -f simple stat -r 5 --number "$third"
	out_lines 2
	err_has "^kbench: stat: run 3 of '.*its output has no number\$"
	err_has '\| nothing here$'
	run 1 stat -r 2 --number=3 'echo 1 2'
	err_has 'its output has 2 numbers, and number 3 is asked for$'
	run 1 stat -r 2 --number='x([0-9]+)' 'echo y5'
	err_has "no line of its output matches 'x\(\[0-9\]\+\)'\$"
	err_has '\| y5$'
	run 1 stat -r 2 --number='y.' 'echo yz'
	err_has "what the expression has matched, 'yz', has no number\$"
	run 1 stat -r 2 --number true
	err_has 'its output has no number$'
	err_has 'it has printed nothing on stdout$'
	out_empty
}

# refused PATTERN ARGS...
refused() {
	pattern=$1
	shift
	run 2 "$@"
	out_empty
	err_has "^kbench: stat: $pattern"
	[ "$(wc -l <"$tmp/err")" -eq 1 ] || complain 'it is more than a line'
}

bad_input() {
	refused "option -r, --repeat: '0' is out of range" stat -r 0 true
	refused 'an option of stat takes one value' stat -r 1,2 true
	refused 'there is no command' stat
	refused 'there is no command' stat -r 5
	refused 'there is no command' stat --
	refused "'' is no command" stat ''
	refused "' ' is no command" stat true ' '
	refused "'-r' stands after a command" stat true -r 5
	refused "option --number: '\(' is not a regular expression: " stat '--number=(' true
	refused "option --number: '0': numbers are counted from 1 to " stat --number=0 true
	refused "option --number: '' is neither" stat --number= true
	refused 'option --prepare is given 2 times for 3 commands' stat --prepare a --prepare b true true true
	refused 'option --prepare is given 2 times for 1 command:' stat --prepare a --prepare b -- true
	refused 'option -o, --output is given 2 times for 1 command:' stat -o "$tmp/1" -o "$tmp/2" true
	refused "option -o: '' is not the name of a file" stat -o '' true
	refused "option -o, --output: '$tmp/1' is given for two commands" stat -o "$tmp/1" -o "$tmp/1" true true
	for same in "$tmp//1" "$tmp/../${tmp##*/}/1"; do
		refused "option -o, --output: '$same' is given for two commands" stat -o "$tmp/1" -o "$same" true true
	done
	for percent in x -1 0 1e1 1.2.3 ''; do
		refused "option --threshold: '$percent' is not a percentage" stat --threshold "$percent" true
	done
	refused 'option --drop-caches is for benchmarks' --drop-caches stat true
	refused 'option --cgroup is for benchmarks' --cgroup a stat true
	refused 'option --cpu-max is for benchmarks' --cpu-max none stat true
	refused 'option --precision is for benchmarks' --precision 1 stat true
	refused 'option -f, --format: stat has ' -f go stat true
	refused "unknown option '--sead'" stat --sead 5 true
	refused "option --cpus: 'x' is not a list" --cpus x stat true
	# shellcheck disable=SC2046
	refused '27 commands are more than 26' stat $(yes true | head -n 27)
	[ ! -e "$tmp/1" ] || complain 'a file was made'
}

bad_event() {
	run 2 stat -e nonsense true
	out_empty
	err_has 'nonsense'
}

# finished STATUS SIGNAL: the third run never ends; the first two are shown.
finished() {
	forget n pids
	start -- -f simple stat -r 5 --number \
		"n=\$($(count n)); echo \$n; [ \$n -lt 3 ] || { sleep 1000 & echo \$\$ \$! >$tmp/pids; wait; }"
	wait_until [ -s "$tmp/pids" ] || complain 'the third run did not begin'
	kill "-$2" "$kbench"
	ended "$1"
	printf '%s\n' 1 2 | diff - "$tmp/out" || complain 'what was finished is lost'
	# shellcheck disable=SC2013
	for pid in $(cat "$tmp/pids"); do
		wait_until is_gone "$pid" || complain "process $pid is left"
	done
}

interrupted() {
	finished 130 INT
	err_empty
	finished 143 TERM
	finished 129 HUP
	finished 137 KILL
}

interrupted_table() {
	forget n
	start -- stat -r 5 --seed 1 "n=\$($(count n)); [ \$n -lt 3 ] || sleep 1000" true
	wait_until grep -qsx 3 "$tmp/n" || complain 'the third run did not begin'
	kill -INT "$kbench"
	ended 130
	out_has '^A +2 '
	out_has '^B +[23] '
}

background() {
	forget pids
	run 0 -f simple stat -r 3 --number "sleep 1000 & echo \$! >>$tmp/pids; echo 5"
	out_lines 3
	[ "$(wc -l <"$tmp/pids")" -eq 3 ] || complain 'not three children'
	while read -r pid; do
		wait_until is_gone "$pid" || complain "process $pid is left"
	done <"$tmp/pids"
}

too_long() {
	forget n
	run 1 -f simple stat -r 5 --timeout 200ms --number "n=\$($(count n)); echo \$n; [ \$n -lt 3 ] || sleep 1000"
	out_lines 2
	err_has "run 3 of '.*it took longer than --timeout 200ms and was ended\$"
	nothing_left || wait_until nothing_left || complain 'processes are left'
	run 0 -f simple --timeout 100s stat -r 1 true
	out_lines 1
	forget n
	run 0 stat -r 3 --ignore-failure --timeout 200ms "n=\$($(count n)); [ \$n -ne 2 ] || sleep 1000"
	out_has '^# 1 of 3 runs failed and is not in here$'
}

# The inner kbench reads 100 MB of output; the outer one tells how much memory it had.
huge_output() {
	bytes='head -c 100000000 /dev/zero | tr "\\0" x'
	for number in --number '--number=^5$'; do
		run 0 -f json stat -r 1 -- "$KBENCH" -f simple stat -r 1 "$number" "$bytes; echo; echo 5"
		memory=$(sed -n 's/.*"max-rss-bytes":\([0-9]*\)[},].*/\1/p' "$tmp/out" | head -n 1)
		[ "${memory:-100000000}" -lt 60000000 ] || complain "it took ${memory:-unknown} bytes of memory"
	done
	run 3 stat -r 1 "$bytes; echo; echo 5; exit 3"
	err_has '\| 5$'
	[ "$(wc -c <"$tmp/err")" -lt 4000 ] || complain 'it repeats all of the output'
}

difference() {
	forget a b
	run 0 stat -r 10 --number "n=\$($(count a)); echo \$((100 + n % 3))" "n=\$($(count b)); echo \$((200 + n % 3))"
	narrow
	err_empty
	out_has '^# A: n=.*100'
	out_has '^# B: n=.*200'
	out_has '^A +10 +101\.00 +[0-9.]+$'
	out_has '^B +10 +201\.00 +[0-9.]+ +\+99\.0 \[.*\] +0\.0020  changed$'
	out_has '^# B with A: Wilcoxon signed-rank of pairs, exact$'
	out_lacks 'takes [0-9]+ pairs'
	forget a b
	run 0 stat -r 10 --threshold 150 --number "n=\$($(count a)); echo \$((100 + n % 3))" "n=\$($(count b)); echo \$((200 + n % 3))"
	out_has '^B .* below threshold$'
}

no_difference() {
	forget a b c
	run 0 stat -r 8 --number "n=\$($(count a)); echo \$((100 + n % 3))" "n=\$($(count b)); echo \$((100 + n * 2 % 3))" \
		"n=\$($(count c)); echo \$((100 + n % 2))"
	narrow
	out_has '^B .* no difference found$'
	out_has '^#   a change of [0-9.]+ % would have been found in 4 of 5'
	out_has '^#   to find one of 1 % takes [0-9]+ pairs$'
	out_has '^# p is adjusted for 2 comparisons \(Holm\)$'
	forget a b
	run 0 stat -r 3 --number "$(count a)" "n=\$($(count b)); echo \$((n * 2))"
	out_has '^B .* cannot tell$'
}

each_run_in_simple() {
	forget a b
	run 0 -f simple stat -r 2 --seed 1 --number "echo 1" "echo 2"
	printf '%s\n' 'A 1' 'B 2' 'A 1' 'B 2' | diff - "$tmp/out" || complain 'these are not the runs in their order'
}

csv() {
	run 0 -f csv stat -r 2 --number 'echo 5, "6"'
	tr -d '\r' <"$tmp/out" >"$tmp/text" && mv "$tmp/text" "$tmp/out"
	[ "$(head -n 1 "$tmp/out")" = 'benchmark,command,number,run,metric,value,better' ] || complain 'the header is another'
	out_has '^stat,"echo 5, ""6""",1,2,number,5,none$'
	out_has '^stat,"echo 5, ""6""",1,1,wall-sec,[0-9.e-]+,lower$'
}

json() {
	run 0 -f json stat -r 2 'echo "a	b"' "printf '\\\\n'"
	out_lines 2
	out_has '"label":"A","command":"echo \\"a\\tb\\"",'
	out_has '"benchmark":"stat",'
	command -v jq >/dev/null || return
	[ "$(jq -r 'select(.label == "B") | .comparison | .with, .pairs' "$tmp/out" | tr '\n' ' ')" = 'A 2 ' ] ||
		complain 'jq does not read it'
}

records() {
	forget one two three
	run 0 stat -r 3 --seed 7 -o "$tmp/one" -o "$tmp/two" --number 'echo 1' 'echo 2'
	[ "$(grep -c '^BenchmarkStat/number=1 1 1 number ' "$tmp/one")" -eq 3 ] || complain 'the first file has not its runs'
	[ "$(grep -c '^BenchmarkStat/number=1 1 2 number ' "$tmp/two")" -eq 3 ] || complain 'the second file has not its runs'
	sed -n 's/^\(# run: id=[0-9a-f]* index=[0-9]*\) .*/\1/p' "$tmp/one" >"$tmp/pairs"
	[ "$(wc -l <"$tmp/pairs")" -eq 3 ] || complain 'the runs have no places'
	sed -n 's/^\(# run: id=[0-9a-f]* index=[0-9]*\) .*/\1/p' "$tmp/two" | diff "$tmp/pairs" - ||
		complain 'the runs of both files cannot be paired'
	grep -qx '# command: echo 1' "$tmp/one" || complain 'the record does not tell the command'
	grep -qx '# seed: 7' "$tmp/two" || complain 'the record does not tell the seed'
	run 0 -f simple stat -r 2 -o "$tmp/three" true 'exit 0'
	[ "$(grep -c '^BenchmarkStat/command=1 1 [0-9.e-]* wall-sec ' "$tmp/three")" -eq 2 ] || complain 'no runs of the first'
	[ "$(grep -c '^BenchmarkStat/command=2 1 [0-9.e-]* wall-sec ' "$tmp/three")" -eq 2 ] || complain 'no runs of the second'
	grep -qx '# command-2: exit 0' "$tmp/three" || complain 'the record does not tell the second command'
	run 0 compare "$tmp/one" "$tmp/two"
	out_has 'Wilcoxon'
	forget three
	run 3 stat -r 2 -o "$tmp/three" 'exit 3'
	run 0 stat -r 2 -o "$tmp/three" true
	[ "$(grep -c '^BenchmarkStat 1 [0-9.e-]* wall-sec ' "$tmp/three")" -eq 2 ] || complain 'not the runs that were finished'
	forget three
	run 0 -o "$tmp/three" stat -r 2 true
	[ "$(grep -c '^BenchmarkStat 1 ' "$tmp/three")" -eq 2 ] || complain '-o before the word is not heard'
	run 1 stat -r 1 -o "$tmp/no/such" true
	out_empty
	err_has '^kbench: stat: .*/no/such: No such file'
}

events() {
	run 0 stat -r 2 -e task-clock,minor-faults true
	out_has '^task-clock( \(10\^[0-9]\))? +2 '
	out_has '^minor-faults +2 '
	run 0 -f json -e minor-faults stat -r 1 true
	out_has '"minor-faults":([0-9]+|null)[,}]'
}

bound() {
	cpu=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status | sed 's/.*[,-]//')
	run 0 -f simple --cpus "$cpu" stat -r 1 "--number=list:.*[^0-9]([0-9]+)\$" 'grep Cpus_allowed_list /proc/self/status'
	[ "$(cat "$tmp/out")" = "$cpu" ] || complain "it may run on $(cat "$tmp/out"), not $cpu"
}

looks() {
	forget n
	run 0 stat -r 12 --number "n=\$($(count n)); case \$n in 1) echo 900 ;; *) echo \$((100 + n * 7 % 5)) ;; esac"
	out_has '^# 1 of 12 runs is an outlier, far out$'
	out_has '^# the first run stands apart; warm-up runs \(-w\) would leave it out$'
	forget n
	run 0 stat -r 20 --number "n=\$($(count n)); echo \$((100 + n * 7 % 3 + n * 7 % 2 * 100))"
	out_has '^# two modes: 10 runs around 10[0-2]\.[0-9]+, 10 around 20[0-2]\.'
	forget n
	run 0 stat -r 20 --number "$(count n)"
	out_has '^# runs beside each other are alike \(lag-1 autocorrelation 0\.[0-9]+\): drift$'
	forget n
	run 0 -q stat -r 20 --number "$(count n)"
	out_lacks 'drift'
}

full_output() {
	[ -w /dev/full ] || { skip_test 'there is no /dev/full'; return; }
	"$tmp/launch" -- "$KBENCH" stat -r 1 true >/dev/full 2>"$tmp/err"
	[ $? -eq 1 ] || complain 'a full stdout is no failure'
	err_has '^kbench: (stat: )?stdout: No space left on device$'
}

check 'the numbers that a command prints are measured' known_numbers
check '--number takes a place, an expression or its group' which_number
check 'without --number times and memory are measured' time_and_memory
check 'ten runs, those of -r before the word, or those of -r after it' repeats
check 'warm-up runs are made and not counted' warm_up
check 'what follows -- is a program and its arguments' program
check 'what a command prints does not mix with ours, and it reads nothing' output_is_apart
check 'commands run in turn, in random order within each round' interleaved
check 'a seed gives its order again, and each command has one of its own' seeds
check 'each command is preceded by its --prepare, or by that for all' prepared
check 'a command that fails ends the series with its status, and its output is shown' failing
check 'a program that cannot be started ends with the status of a shell' not_found
check '--ignore-failure goes on, and counts' ignored
check 'pairs are made of the rounds in which neither failed' ignored_pairs
check 'output without the number ends the series, and is shown' no_number
check 'what cannot be meant is refused, each with a message of its own' bad_input
check 'an unknown event is refused' bad_event
check 'a signal ends what runs, and the finished runs are shown' interrupted
check 'the table of several commands is shown when they are interrupted' interrupted_table
check 'children that a command leaves are ended' background
check 'a run that takes too long is ended and has failed' too_long
check 'output of 100 MB is read without its memory' huge_output
check 'a difference is found, with its test, or is below the threshold' difference
check 'where nothing is found it is said what could have been' no_difference
check 'simple shows the number of each run' each_run_in_simple
check 'csv has a line for each run and metric' csv
check 'json has an object for each command' json
check 'records can be paired, and tell the command' records
check 'events are counted' events
check '--cpus binds the command' bound
check 'outliers, a first run apart, drift and modes are said' looks
check 'a stdout that cannot be written is a failure' full_output
finish
