#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The touch loop of `mem pagefaults` against a hand-written one, in pairs that alternate, and the median of the ratios:
# 1.02 is 2 % slower. By hand: tests/perf/pagefaults.sh [PAIRS [MEGABYTES [ROUNDS]]], with
# KBENCH= and CC= where they are elsewhere.

here=$(dirname "$0")
kbench=${KBENCH:-$here/../../kbench}
pairs=${1:-10} megabytes=${2:-128} rounds=${3:-8}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

"${CC:-cc}" -O2 -D_GNU_SOURCE -o "$tmp/peer" "$here/pagefaults-peer.c" || exit 1

of_kbench() { "$kbench" -f simple mem pagefaults -s "${megabytes}MB" -l "$rounds"; }
of_peer() { "$tmp/peer" "$megabytes" "$rounds"; }

pair=0
while [ "$pair" -lt "$pairs" ]; do
	pair=$((pair + 1))
	# Who goes first changes, so that neither always finds what the other left.
	if [ $((pair % 2)) -eq 0 ]; then
		ours=$(of_kbench) && theirs=$(of_peer) || exit 1
	else
		theirs=$(of_peer) && ours=$(of_kbench) || exit 1
	fi
	echo "$ours $theirs" | awk '{ printf "kbench %.1f ns, by hand %.1f ns, ratio %.4f\n", $1, $2, $1 / $2 }' |
		tee -a "$tmp/pairs"
done
sed 's/.*ratio //' "$tmp/pairs" | sort -n | awk '{ ratio[NR] = $1 }
	END { printf "median ratio %.4f of %d pairs\n", (ratio[int((NR + 1) / 2)] + ratio[int(NR / 2) + 1]) / 2, NR }'
