# SPDX-License-Identifier: GPL-2.0-only
# First floors.txt, then pairs of files without their endings, "util/report-text util/table": the first one needs the
# second. Prints what has no floor, and pairs that go up, or from one folder to another on the same floor.
function folder(file) { return file ~ /\// ? substr(file, 1, index(file, "/")) : "" }
function place(file) { sub(/-.*/, "", file); return file in floor ? file : folder(file) }

/^#/ { next }
NR == FNR { for (i = 2; i <= NF; i++) floor[$i] = $1; next }
{
	from = place($1)
	to = place($2)
	if (!(from in floor) || !(to in floor))
		print(from in floor ? $2 : $1, "has no floor")
	else if (floor[to] > floor[from] || (floor[to] == floor[from] && folder($1) != folder($2)))
		print $1 " (floor " floor[from] ") needs " $2 " (floor " floor[to] ")"
}
