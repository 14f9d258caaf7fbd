#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each rule of rules.sh is seen to fail: the plants of plants.txt are added to a copy of the tree one at a time, and the
# rule that each breaks must say so, and no other. Two lanes, each with half of the plants and a folder of its own.
. "$KBENCH_SOURCE/tests/check/lib.sh"

copy_tree() {
	mkdir "$tree"
	(cd "$KBENCH_SOURCE" && tar -cf - --exclude='*.o' --exclude='*.d' --exclude='*-test' ./*.c ./*.h Makefile Build \
		bench util tests) | tar -xf - -C "$tree"
}

broken_rules() {
	KBENCH_SOURCE=$tree RULES_CACHE=$tmp/cache sh "$tree/tests/check/rules.sh" 2>&1 | sed -n 's/^not ok //p'
}

# The file that is put back is newer than what was made of the plant.
only_breaks() {
	plant=$tree/$2
	[ ! -f "$plant" ] || cp "$plant" "$tmp/saved"
	printf '%b\n' "$3" | sed 's/^P {/static __attribute__((used)) void planted(void)\n{/' >>"$plant"
	broken_rules | sort >"$tmp/broken"
	rm "$plant"
	[ ! -f "$tmp/saved" ] || { cat "$tmp/saved" >"$plant" && rm "$tmp/saved"; }
	{
		cat "$tmp/before"
		echo "$1"
	} | sort -u | diff - "$tmp/broken" >"$tmp/out" || complain "expected and broken rules differ:"
}

# A rule that is broken without a plant (rules.sh tells) is none of our business.
run_lane() {
	tmp=$tmp/$1
	tree=$tmp/tree
	mkdir "$tmp"
	copy_tree
	broken_rules >"$tmp/before"
	sed '/^#/d; s/ | /|/g' "$KBENCH_SOURCE/tests/check/plants.txt" | awk -v lane="$1" 'NR % 2 == lane' >"$tmp/plants"
	while IFS='|' read -r rule file text; do
		check "a plant in $file breaks: $rule" only_breaks "$rule" "$file" "$text"
	done <"$tmp/plants"
}

(run_lane 0) >"$tmp/lane-0" 2>&1 &
(run_lane 1) >"$tmp/lane-1" 2>&1 &
wait
cat "$tmp/lane-0" "$tmp/lane-1"
! grep -q '^not ok' "$tmp/lane-0" "$tmp/lane-1"
