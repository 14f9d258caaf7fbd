#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs test programs one after the other and counts their lines: "ok TITLE", "not ok TITLE", "skip TITLE". A program
# that ends badly without having said why is one failure more. Last line: "N passed, N failed, N skipped".
passed=0 failed=0 skipped=0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

for program; do
	name=$(basename "$program")
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
	passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + skips))
	printf '%-28s %4d ok %4d failed %4d skipped\n' "$name" "$ok" "$bad" "$skips"
	if [ "$bad" -ne 0 ]; then
		sed 's/^/    /' "$log"
	else
		grep '^skip ' "$log" | sed 's/^/    /'
	fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
