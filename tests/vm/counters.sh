#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Counters of a CPU. The emulator has them on aarch64 only: there an instruction takes 4 ns, and a cycle 1 ns.
. "$KBENCH_SOURCE/tests/vm/lib.sh"

architecture=aarch64 cores=1
node 512 1
boot

# value METRIC: of the run whose csv is in $tmp/out.
value() { sed 's/\r$//' "$tmp/out" | awk -F, -v metric="$1" '$(NF - 2) == metric { print $(NF - 1) }'; }

# near PERCENT A B: two expressions of awk.
near() {
	awk "BEGIN { a = $2; b = $3; exit !(a > 0 && a >= b * (1 - $1 / 100) && a <= b * (1 + $1 / 100)) }" ||
		complain "$2 is not within $1 % of $3"
}

totals() {
	run 0 -f csv -e cycles,instructions,cycles:u,cycles:k,r08 self nop -l 5000000
	near 5 "$(value cycles)" "1e9 * $(value sec)"
	near 2 "4 * $(value instructions)" "$(value cycles)"
	near 2 "$(value cycles:u) + $(value cycles:k)" "$(value cycles)"
	near 2 "$(value r08)" "$(value instructions)"
	near 0.01 "$(value cycles/op)" "$(value cycles) / 5000000"
}

# Without the loop, the counters say nothing of what surrounds it.
region() {
	run 0 -f csv -e instructions self nop -l 1
	few=$(value instructions)
	run 0 -f csv -e instructions self nop -l 10000000
	awk "BEGIN { exit !($few * 100 < $(value instructions)) }" || complain "$few instructions for one operation"
}

workers() {
	run 0 -f csv -e cycles self nop -l 5000000 --procs 1
	one=$(value cycles)
	for kind in procs threads; do
		run 0 -f csv -e cycles self nop -l 5000000 --$kind 4
		near 5 "$(value cycles)" "4 * $one"
	done
	run 0 -f csv -e cycles sched pipe -l 500
	near 10 "$(value cycles)" "1e9 * $(value sec)"
}

# There are six for events of any kind, and one for cycles.
scaled() {
	run 0 -f csv -e cycles,instructions self nop -l 20000000
	cycles=$(value cycles) instructions=$(value instructions)
	events=cycles,instructions,r11,r08,cycles:u,instructions:u,r11:u,r08:u,cycles:k,instructions:k
	run 0 -e $events self nop -l 20000000
	out_has '^# (cycles|instructions|r[01][18])(:[uk])?: counted in [1-9][0-9]? % of the time and scaled$'
	run 0 -f csv -e $events self nop -l 20000000
	for event in cycles r11 cycles:u r11:u; do
		near 20 "$(value $event)" "$cycles"
	done
	for event in instructions r08 instructions:u r08:u; do
		near 20 "$(value $event)" "$instructions"
	done
}

absent() {
	run 0 -e instructions,branch-misses self nop -l 1000
	out_has '^# +[0-9]+ +instructions +[0-9.]+ /op$'
	out_has '^# +<not supported> +branch-misses'
	out_has '^# branch-misses: not supported by this machine$'
}

commands() {
	run 0 -f csv stat -e instructions:u "$KBENCH -q self nop -l 1000000" "$KBENCH -q self nop -l 3000000"
	sed 's/\r$//' "$tmp/out" | awk -F, '$(NF - 2) == "instructions:u" { print $(NF - 1) }' | sort -n >"$tmp/values"
	near 2 "$(tail -n 1 "$tmp/values") - $(head -n 1 "$tmp/values")" "2000000 * 3"
}

per_byte() {
	run 0 -f csv mem memcpy -f default -s 64KB -l 100 -c
	near 5 "$(value cycles/byte)" "1e9 * $(value sec) / (65536 * 100)"
}

check 'cycles and instructions are what the time says' totals
check 'they are those of the measured region' region
check 'those of all workers are counted' workers
check 'more events than counters take turns and are scaled' scaled
check 'what the CPU does not count is said, and the rest goes on' absent
check 'a command of stat is counted with what it starts' commands
check 'cycles of a byte are cycles of the copying' per_byte
finish
