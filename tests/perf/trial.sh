#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Does kbench stat find a change of 3 %, and find none where there is none? By hand, on an idle machine:
#
#	tests/perf/trial.sh
#
# SERIES= series with the change (10), and twice as many without; RUNS= runs a side in each (20), LOOPS= round trips a run
# (40000). The change must be found in 9 of 10 series, and a difference said in at most 1 of 20 identical ones.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
kbench=${KBENCH:-$here/../../kbench}
series=${SERIES:-10} runs=${RUNS:-20} loops=${LOOPS:-40000}

# verdict LOOPS: B does so many round trips, A as many as ever; the total times are compared.
verdict() {
	"$kbench" -q stat -r "$runs" "$kbench -q --cpus 0 sched pipe -l $loops" "$kbench -q --cpus 0 sched pipe -l $1" |
		sed -nE 's/.*(no difference found|below threshold|improved|regressed|changed|cannot tell)$/\1/p'
}

count() {
	for _ in $(seq "$1"); do
		verdict "$2"
	done | sort | uniq -c
}

echo "B does 3 % more:"
count "$series" $((loops * 103 / 100))
echo "B does the same:"
count $((2 * series)) "$loops"
