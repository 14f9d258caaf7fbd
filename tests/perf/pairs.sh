#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The ratio of two commands that each print one number, measured alternately: who goes first changes from pair to pair, so
# that neither always finds what the other left, and slow drift of the machine cancels. Printed: each pair, the
# median of the ratios, and how much each of the two varies.
#
#	tests/perf/pairs.sh PAIRS 'COMMAND A' 'COMMAND B'
set -eu
pairs=$1 ours=$2 theirs=$3
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

pair=0
while [ "$pair" -lt "$pairs" ]; do
	pair=$((pair + 1))
	if [ $((pair % 2)) -eq 0 ]; then
		a=$(sh -c "$ours")
		b=$(sh -c "$theirs")
	else
		b=$(sh -c "$theirs")
		a=$(sh -c "$ours")
	fi
	echo "$a $b" | awk '{ printf "%14.6f %14.6f  ratio %.4f\n", $1, $2, $1 / $2 }' | tee -a "$tmp/pairs"
done
sed 's/.*ratio //' "$tmp/pairs" | sort -n | awk '
	{ v[NR] = $1 }
	END { printf "median ratio of %d pairs %.4f (%.4f to %.4f)\n", NR, (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, v[1], v[NR] }'
awk '
	{ for (i = 1; i <= 2; i++) { sum[i] += $i; square[i] += $i * $i } }
	function percent(i) {
		mean = sum[i] / NR
		left = square[i] - NR * mean * mean
		return NR > 1 && left > 0 ? 100 * sqrt(left / (NR - 1)) / mean : 0
	}
	END { printf "%%stddev %.2f and %.2f\n", percent(1), percent(2) }' "$tmp/pairs"
