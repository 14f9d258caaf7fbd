#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs test programs, $JOBS at a time (default 1), and counts their lines: "ok TITLE", "not ok TITLE", "skip TITLE". A
# program that ends badly without having said why is one failure more. Last line: "N passed, N failed, N skipped".
# "run.sh --one FOLDER PROGRAM" runs one, shows what is worth it when it has ended, and leaves its counts in the folder.
if [ "$1" = --one ]; then
	folder=$2
	program=$3
	name=$(basename "$program")
	log=$folder/$$
	case $program in
	*.sh) sh "$program" >"$log" 2>&1 ;;
	*) "$program" >"$log" 2>&1 ;;
	esac </dev/null
	status=$?
	ok=$(grep -c '^ok ' "$log")
	bad=$(grep -c '^not ok ' "$log")
	skips=$(grep -c '^skip ' "$log")
	if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
		echo "not ok $name ended with status $status" >>"$log"
		bad=1
	elif [ $((ok + bad + skips)) -eq 0 ]; then
		echo "not ok $name ran no test" >>"$log"
		bad=1
	fi
	{
		printf '%-28s %4d ok %4d failed %4d skipped\n' "$name" "$ok" "$bad" "$skips"
		if [ "$bad" -ne 0 ]; then
			sed 's/^/    /' "$log"
		else
			sed -n 's/^skip /    &/p' "$log"
		fi
	} >"$log.shown"
	cat "$log.shown"
	echo "$ok $bad $skips" >"$log.counts"
	exit
fi

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

printf '%s\n' "$@" | tr '\n' '\0' | xargs -0 -n 1 -P "${JOBS:-1}" "$0" --one "$folder"
cat "$folder"/*.counts | awk -v programs=$# '
	{ passed += $1; failed += $2; skipped += $3 }
	END {
		failed += programs - NR
		printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
		exit failed > 0 || passed == 0
	}'
