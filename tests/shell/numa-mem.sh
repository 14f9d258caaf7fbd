#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
. "$KBENCH_SOURCE/tests/shell/lib.sh"

# mem STATUS ARGS...: one run that ends by itself, whatever happens.
mem() {
	mem_status=$1
	shift
	run "$mem_status" --timeout 60 numa mem "$@"
}

# Expects stdout to be this text but for the figures, which stand as N.NNN in the width that they have.
block_is() {
	cat >"$tmp/block"
	sed -E -e 's/^( main, {26})[ 0-9]{11}\.[0-9]{3},/\1NNNNNNNNNNN.NNN,/' \
		-e 's/^[ 0-9]{11}\.[0-9]{3} /NNNNNNNNNNN.NNN /' "$tmp/out" >"$tmp/masked"
	diff -u "$tmp/block" "$tmp/masked" >"$tmp/diff" ||
		{ sed 's/^/# /' "$tmp/diff"; complain "stdout is not the block"; }
}

# bytes_are BYTES ARGS...: a run that touches so many bytes in all. Memory of all tasks is 1 MB unless -G is given.
bytes_are() {
	bytes_expected=$1
	shift
	run 0 --timeout 60 -f csv numa mem "$@"
	bytes_found=$(awk -F, '$(NF - 2) == "data-total-GB" { printf "%.0f", $(NF - 1) * 1e9 }' "$tmp/out")
	[ "$bytes_found" = "$bytes_expected" ] || complain "$*: $bytes_found bytes, not $bytes_expected"
}

# "on N nodes, N CPUs" as the machine has them.
machine='on [0-9]+ nodes, [0-9]+ CPUs'
cpus=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
cpu=${cpus%%[,-]*}
nodes=$(cat /sys/devices/system/node/has_memory 2>/dev/null || echo 0)
node=${nodes%%[,-]*}

block() {
	mem 0 -p 1 -t 2 -P 8 -s 200ms
	err_empty
	sed -E -i -e "s/$machine/M/" -e '/^# pages: /d' "$tmp/out"
	block_is <<-'END'
		# Running 'numa/mem' benchmark:

		# 2 tasks will execute (M): 1MB global, 8MB process, 0MB thread memory
		 main,                          NNNNNNNNNNN.NNN, secs,           runtime-max/thread
		 main,                          NNNNNNNNNNN.NNN, secs,           runtime-min/thread
		 main,                          NNNNNNNNNNN.NNN, secs,           runtime-avg/thread
		 main,                          NNNNNNNNNNN.NNN, %,              spread-runtime/thread
		 main,                          NNNNNNNNNNN.NNN, GB,             data/thread
		 main,                          NNNNNNNNNNN.NNN, GB,             data-total
		 main,                          NNNNNNNNNNN.NNN, nsecs,          runtime/byte/thread
		 main,                          NNNNNNNNNNN.NNN, GB/sec,         thread-speed
		 main,                          NNNNNNNNNNN.NNN, GB/sec,         total-speed
	END
}

quiet_block() {
	mem 0 -q -p 1 -t 2 -P 8 -s 200ms
	err_empty
	sed -i '/^# pages: /d' "$tmp/out"
	block_is <<-'END'
		# Running 'numa/mem' benchmark:

		NNNNNNNNNNN.NNN secs slowest (max) thread-runtime
		NNNNNNNNNNN.NNN secs fastest (min) thread-runtime
		NNNNNNNNNNN.NNN secs average thread-runtime
		NNNNNNNNNNN.NNN % difference between max/avg runtime
		NNNNNNNNNNN.NNN GB data processed, per thread
		NNNNNNNNNNN.NNN GB data processed, total
		NNNNNNNNNNN.NNN nsecs/byte/thread runtime
		NNNNNNNNNNN.NNN GB/sec/thread speed
		NNNNNNNNNNN.NNN GB/sec total speed
	END
}

# The figures of a block agree with each other, as far as three decimals tell.
figures() {
	mem 0 -p 2 -t 2 -P 8 -T 1 -s 500ms
	awk -F '[ ,]+' '
		{ value[$NF] = $3 }
		function near(a, b, slack) { if (a - b > slack || b - a > slack) print "# " a " is not " b }
		END {
			max = value["runtime-max/thread"]; min = value["runtime-min/thread"]
			each = value["data/thread"]; total = value["data-total"]
			near(value["spread-runtime/thread"], 50 * (max - min) / max, 0.2)
			near(total, 4 * each, 0.003)
			near(value["thread-speed"] * max, each, 0.002 + each / 100)
			near(value["total-speed"] * max, total, 0.002 + total / 100)
			near(value["runtime/byte/thread"] * each, max, 0.002 + max / 100 + each / 1000)
			if (min > value["runtime-avg/thread"] || max < value["runtime-avg/thread"]) print "# order"
		}' "$tmp/out" >"$tmp/wrong"
	[ ! -s "$tmp/wrong" ] || { cat "$tmp/wrong"; complain 'the figures do not agree'; }
}

bare() {
	run 0 --timeout 60 numa -t 1 -l 1
	out_has "^# Running 'numa/mem' benchmark:$"
	out_has "^# 1 task will execute \\($machine\\): 1MB global, 64MB process, 0MB thread memory$"
	mem 0 -l 1 -T 0.5
	out_has ': 1MB global, 0MB process, 0\.5MB thread memory$'
	mem 0 -l 1 -t 1 -p 3 -P 1
	out_has '^# 3 tasks will execute '
}

exact_bytes() {
	bytes_are 5242880 -p 1 -t 1 -P 4 -l 1
	bytes_are 15728640 -p 1 -t 1 -P 4 -l 3
	# 2 processes x 2 threads, each: 3 loops x (1 + 4 + 2 MB)
	bytes_are 88080384 -p 2 -t 2 -G 1 -P 4 -T 2 -l 3
	# ... and once more the 2 MB under the lock
	bytes_are 113246208 -p 2 -t 2 -G 1 -P 4 -T 2 -L 2 -l 3
	bytes_are 1048576 --nr_proc 1 --nr_threads 2 --mb_global 0 --mb_proc 0 --mb_thread 0.25 --nr_loops 2
}

access_modes() {
	# 2 x 2 tasks, 2 loops, 1 + 1 + 0.5 MB
	for mode in -R -W '-R -W' -B -Z '-Z -B' -r '-r -R' -z -I -S '-u 1000' '--data_reads --init_zero' \
		'--data_writes --init_random' '--data_backwards --serialize-startup' '--data_zero_memset --usleep 1' \
		'--data_rand_walk --data_zero_memset --data_backwards'; do
		# shellcheck disable=SC2086
		bytes_are 20971520 -p 2 -t 2 -P 1 -T 0.5 -l 2 $mode
	done
	bytes_are 25165824 -p 2 -t 2 -P 1 -T 0.5 -l 2 -L 0.5
	bytes_are 25165824 -p 2 -t 2 -P 1 -T 0.5 -l 2 --mb_proc_locked 0.5
}

time_limit() {
	mem 0 -p 1 -t 1 -P 64 -l 1000000000 --nr_secs 100ms
	awk '/runtime-max/ { exit !($2 >= 0.1 && $2 < 20) }' "$tmp/out" || complain 'the time limit was not kept'
	awk '/data-total/ { exit !($2 > 0) }' "$tmp/out" || complain 'nothing was touched'
}

json_keys() {
	run 0 --timeout 60 -f json numa mem -p 1 -t 2 -P 2 -l 2 -m -c -d
	out_lines 1
	for key in runtime-max-sec runtime-min-sec runtime-avg-sec spread-percent data-thread-GB data-total-GB \
		ns/byte-thread thread-GB/s total-GB/s B/s task-0-sec task-0-GB task-1-sec task-1-GB process-0-nodes; do
		out_has "\"$key\":[0-9]"
	done
	out_has '"headline":"B/s"'
}

sweep() {
	run 0 --timeout 60 -q numa mem -P 1 -l 2 -t 1,2 -p 1,2
	out_has '^ *1 +1 +1 +[0-9.]+ '
	out_has '^ *2 +2 +1 +[0-9.]+ '
	run 0 --timeout 60 -f simple numa mem -P 1 -l 2 -t 1-4
	out_lines 4
}

bad_cpus() {
	mem 2 -C 8191 -l 1
	err_has "^kbench: numa mem: option -C: CPU 8191 is not among the allowed CPUs $cpus$"
	run 2 --cpus "$cpu" numa mem -C "$cpu,8000" -l 1
	err_has "option -C: CPU 8000 is not among the allowed CPUs $cpu\$"
	for list in '' ',' '0,' 0- 1-0 0x 0x0 0#0 0_2 a '0 '; do
		mem 2 -C "$list" -l 1
		err_has '^kbench: numa mem: -C .*: not a list such as '
	done
	out_empty
}

bad_nodes() {
	mem 2 -M 8191 -l 1
	err_has '^kbench: numa mem: option -M: node 8191 is not among the online nodes [0-9,-]+$'
	mem 2 -M "$node-" -l 1
	err_has "-M '$node-': not a list such as "
	out_empty
}

bad_options() {
	while read -r words; do
		# shellcheck disable=SC2086
		mem 2 $words -l 1
		err_has '^kbench: numa mem: .*'
		out_empty
	done <<-'END'
		-P x
		-P -1
		-P 1.
		-P .5
		-P 1.2.3
		-P 1e3
		-P 16777217
		-G 0 -P 0
		-L 2 -P 1
		-L 2
		-p 0
		-t x
		-s 0
		-u 1000001
		-H 2
		-Z -R
		-Z -W
		-z -I
		-x 1 -C 0
		-a
		-p 1000000 -t 1000000
	END
	mem 2 -a
	err_has 'sweep instead, such as -p 1,2,4 '
}

too_much_memory() {
	mem 1 -P 16777216 -l 1
	err_has 'needs 1677721[78] MB of memory; .* too little'
	out_empty
}

bound_cpus() {
	mem 0 -p 2 -t 2 -P 1 -l 2 -C "$cpu"x4
	out_has '^# -C: 4 of 4 tasks bound$'
	mem 0 -p 2 -t 2 -P 1 -l 2 --cpus "$cpu"
	out_has '^# -C: 1 of 4 tasks bound$'
	mem 0 -p 1 -t 1 -P 1 -l 2 -C "$cpu,$cpu"
	out_has '^# -C: the list has 1 more than there are tasks$'
}

# Without memory policies (containers, emulators) it is a skip, and so are the tests.
policies() {
	launch -- numa mem -t 1 -P 1 -l 1 -M "$node" >"$tmp/out" 2>"$tmp/err"
	[ $? -ne 4 ]
}

bound_memory() {
	policies || { err_has 'skipped: '; skip_test 'memory cannot be bound to nodes here'; return; }
	pages=$((8388608 / $(getconf PAGESIZE)))
	# 1 + 2 x 2 + 3 x 1 MB
	mem 0 -p 2 -t 1 -G 2 -P 2 -T 1 -l 2 -M "$node,$node"
	out_has '^# -M: 2 of 2 tasks bound$'
	out_has "^# pages: $pages on node $node\$"
	mem 0 -p 2 -t 2 -P 1 -l 1 --memnodes "$node"
	out_has '^# -M: 1 of 4 tasks bound$'
}

first_touch() {
	case $cpus in 0 | 0[,-]*) ;; *) skip_test 'CPU 0 is not allowed' && return ;; esac
	bytes_are 6291456 -0 -p 1 -t 1 -P 4 -T 1 -l 1
	bytes_are 6291456 --init_cpu0 -p 1 -t 1 -P 4 -T 1 -l 1 -C "$cpu"
}

no_cpu_0() {
	other=$(echo "$cpus" | sed 's/.*[,-]//')
	[ "$other" -gt 0 ] || { skip_test 'there is only one CPU'; return; }
	run 2 --cpus "$other" numa mem -0 -l 1
	err_has '^kbench: numa mem: option -0: CPU 0 is not among the allowed CPUs$'
	run 4 --cpus "$other" numa mem -x 1 -l 1
	err_has 'one CPU only$'
}

# Pinned to one CPU the threads are on one node at once, and stay there.
convergence() {
	run 0 --cpus "$cpu" --timeout 60 numa mem -p 2 -t 2 -P 1 -s 100ms -m
	out_has '^ main, +0\.[0-9]{3}, secs, +NUMA-convergence-latency$'
	[ "$(sed -n 4p "$tmp/out" | sed 's/.* //')" = NUMA-convergence-latency ] || complain 'it is not the first row'
	run 0 --cpus "$cpu" --timeout 60 numa mem -q -p 1 -t 2 -P 1 -s 100ms -m
	out_has '^ +0\.[0-9]{3} secs latency to NUMA-converge$'
	run 0 --cpus "$cpu" --timeout 60 numa mem -p 3 -t 1 -P 1 -l 2 -c
	out_has '^# converged after 0\.[0-9]{3} s: since then each process \(of 3\) ran on one node$'
	out_lacks NUMA-convergence
}

perturbation() {
	case $cpus in *[,-]*) ;; *) skip_test 'there is only one CPU'; return ;; esac
	run 0 --timeout 60 -f csv numa mem -p 1 -t 1 -P 1 -s 400ms -x 50ms
	awk -F, '$(NF - 2) == "moves" { found = $(NF - 1) > 0 } END { exit !found }' "$tmp/out" ||
		complain 'the task was never moved'
	run 0 --timeout 60 -f csv numa mem -p 1 -t 1 -P 1 -l 2
	out_lacks ,moves,
}

huge_pages() {
	[ -e /sys/kernel/mm/transparent_hugepage ] || { skip_test 'there are no transparent huge pages'; return; }
	mem 0 -p 1 -t 1 -P 8 -l 1 -H -1
	out_has '^# huge pages: 0MB of 9MB$'
	mem 0 -p 1 -t 1 -P 8 -l 1 --thp 1
	out_has '^# huge pages: [0-9]+MB of 9MB$'
}

# What readers of perf bench's text take for results stands in rows only.
words() {
	policies && bound="-M $node"
	# shellcheck disable=SC2086
	run 0 --timeout 60 -v numa mem -p 2 -t 2 -P 1 -T 1 -s 100ms -m -c -d -C "$cpu,$cpu" $bound
	sed -i '/^ main,/d' "$tmp/out"
	out_lacks 'usecs/op|ops/sec|operations/sec|[GMK]B/sec|bytes/sec|Total time:|Time:|Wokeup|Requeued|Averaged'
	out_lacks 'Avg per-thread|futexes:|NUMA-convergence-latency|thread-speed|total-speed'
}

check 'a single run prints the known block' block
check 'with -q the rows are words' quiet_block
check 'the figures of a run agree with each other' figures
check 'without memory options each process has 64 MB; with them the others are 0' bare
check 'as many bytes are counted as loops, tasks and memory make' exact_bytes
check 'every access mode touches all of the memory' access_modes
check 'a run ends when its time is over' time_limit
check 'json has every metric' json_keys
check 'tasks can be swept' sweep
check 'a CPU that is not there is a usage error that names the allowed ones' bad_cpus
check 'a node that is not there is a usage error that names the online ones' bad_nodes
check 'options that make no sense are usage errors' bad_options
check 'memory that is not there is refused with the arithmetic' too_much_memory
check 'the first tasks are bound to the CPUs of the list' bound_cpus
check 'bound memory is found on its node, page by page' bound_memory
check 'memory can be touched first on CPU 0' first_touch
check 'what needs CPU 0 or a second CPU says so' no_cpu_0
check 'threads on one CPU have converged at once' convergence
check 'the first task is moved away when asked to' perturbation
check 'huge pages are counted when advice is given' huge_pages
check 'notes and remarks hold no word that readers take for a result' words
finish
