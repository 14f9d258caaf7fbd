# SPDX-License-Identifier: GPL-2.0-only
# C without its comments, a line "FILE:NUMBER:TEXT" for each that has text left.
FNR == 1 { inside = 0 }
{
	rest = $0
	text = ""
	while (rest != "") {
		if (inside) {
			end = index(rest, "*/")
			inside = !end
			rest = end ? substr(rest, end + 2) : ""
		} else if (match(rest, /"([^"\\]|\\.)*"|'([^'\\]|\\.)*'|\/\*|\/\//)) {
			token = substr(rest, RSTART, RLENGTH)
			comment = token == "/*" || token == "//"
			text = text substr(rest, 1, RSTART - 1) (comment ? "" : token)
			inside = token == "/*"
			rest = token == "//" ? "" : substr(rest, RSTART + RLENGTH)
		} else {
			text = text rest
			rest = ""
		}
	}
	if (text ~ /[^ \t]/)
		print FILENAME ":" FNR ":" text
}
