#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
. "$KBENCH_SOURCE/tests/shell/lib.sh"

page=$(getconf PAGESIZE)
pages=$((1048576 / page)) # of 1MB
files=$tmp/files
mkdir "$files"
export TMPDIR="$files"

# faults STATUS ARGS...: one run that ends by itself, whatever happens.
faults() {
	faults_status=$1
	shift
	run "$faults_status" --timeout 60 mem pagefaults "$@"
}

# The numbers of the line "# T touches, F minor faults...".
touches_are() { out_has "^# $1 touches, "; }
minor_faults() { sed -n 's/^# [0-9]* touches, \([0-9]*\) minor fault.*/\1/p' "$tmp/out"; }

within() { [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; }

# Expects so many minor faults and at most as many more as workers may take of their own in these rounds.
faults_are() {
	counted=$(minor_faults)
	within "${counted:-0}" "$1" $(($1 + $1 / 1000 + 8 * $2)) || complain "${counted:-no} minor faults, not $1"
}

# each PATTERN ARGS...: one fault for each of the touches of 1MB, two rounds.
each() {
	faults 0 -s 1MB -l 2 -p "$@"
	touches_are $((2 * pages))
	faults_are $((2 * pages)) 2
	out_lacks 'warning:'
}

# The same for a pattern that needs the zero page, which the kernel must have to tell.
each_zero_page() {
	launch -- mem pagefaults -s 1MB -p "$1" >"$tmp/out" 2>"$tmp/err"
	[ $? -ne 4 ] || {
		err_has 'skipped: .*zero page'
		skip_test 'no zero page here'
		return
	}
	each "$1"
}

# The kernel may map more pages of a file than the one touched.
around() {
	faults 0 -s 1MB -l 2 -p "$1"
	touches_are $((2 * pages))
	counted=$(minor_faults)
	within "${counted:-0}" 2 $((2 * pages + 16)) || complain "${counted:-no} minor faults"
	[ "${counted:-0}" -gt "$pages" ] || out_has ': 1 in [0-9]+, the kernel maps pages around it$'
	out_has "^# temporary files? in $files, file system [a-z0-9]+, in the page cache$"
	out_lacks 'warning:'
}

populated() {
	faults 0 -s 1MB -l 2 -p populate
	touches_are $((2 * pages))
	faults_are 0 2
	inside=$(sed -n 's/^#.*; \([0-9]*\) inside mmap: ns\/fault is map time per page populated$/\1/p' "$tmp/out")
	within "${inside:-0}" $((2 * pages)) $((2 * pages + 16)) || complain "${inside:-no} faults inside mmap"
	fault=$(sed -n 's/^ *\([0-9.]*\) ns\/fault$/\1/p' "$tmp/out")
	map=$(sed -n 's/^ *\([0-9.]*\) map-ns\/page$/\1/p' "$tmp/out")
	echo "$fault $map" | awk '{ exit !($1 > 0 && $1 <= $2 && $2 <= 1.1 * $1) }' || complain "$fault ns/fault, $map map-ns/page"
	out_lacks 'warning:'
}

thp_dir=/sys/kernel/mm/transparent_hugepage
huge_pages() {
	[ -r $thp_dir/hpage_pmd_size ] || { skip_test 'a kernel without transparent huge pages'; return; }
	huge=$(cat $thp_dir/hpage_pmd_size)
	launch -- mem pagefaults -p thp -s "$huge" >"$tmp/out" 2>"$tmp/err"
	[ $? -ne 4 ] || { err_has 'skipped: transparent huge pages'; skip_test 'they are switched off'; return; }
	! grep -q 'warning:' "$tmp/out" || { skip_test 'memory is too fragmented'; return; }
	faults 0 -p thp -s "$huge" -l 3 -t 2
	touches_are $((6 * huge / page))
	faults_are 6 6
	out_has ": 1 in $((huge / page)), a fault gives [0-9]+[KMG]B$"
	faults 2 -p thp -s $((huge + page))
	err_has "size $((huge + page)): not a multiple of the page size, $huge"
}

# Of the small patterns none may be served by huge pages, whatever the size.
small_pages() {
	faults 0 -s 4MB
	touches_are $((4 * pages))
	faults_are $((4 * pages)) 1
}

# workers THREADS PROCS: own and carved mappings, every worker touching its own.
workers() {
	for vma in own carved; do
		faults 0 -s 1MB -l 3 -t "$1" --procs "$2" --vma $vma -p "$3"
		touches_are $((3 * $1 * $2 * pages))
		faults_are $((3 * $1 * $2 * pages)) $((3 * $1 * $2))
		out_lacks 'warning:'
	done
	out_has "^# $3: $1 threads in each of $2 processes touch 1MB each, page size [0-9]+KB, order seq, 3 rounds$"
	out_has '^# one mapping for all threads of a process$'
}

orders() {
	for order in seq reverse random stride=1 stride=7 "stride=$pages"; do
		for vma in own carved; do
			faults 0 -s 1MB --order $order --vma $vma -t 2
			touches_are $((2 * pages))
			faults_are $((2 * pages)) 2
			out_has ", order $order"
		done
	done
}

seeds() {
	faults 0 -s 1MB --order random
	out_has 'order random \(seed 1\)'
	faults 0 -s 1MB --order random --seed 7
	out_has 'order random \(seed 7\)'
}

parent_copies() {
	faults 0 -s 1MB -l 3 -t 2 --vma carved -p cow-parent
	touches_are $((6 * pages))
	faults_are $((6 * pages)) 6
}

default_size() {
	faults 0 -t 2 --procs 2 -p populate
	out_has ' touch 32MB each'
	faults 0 -t 130
	out_has ' touch 1MB each'
}

metrics() {
	faults 0 -s 1MB
	for key in ns/fault faults/s faults/cpu-sec map-ns/page unmap-ns/page; do
		out_has "^ *[0-9]+\.[0-9]{3} $key$"
	done
	run 0 -v mem pagefaults -s 1MB
	out_has ' touch-ns/page$'
	run 0 -f simple -r 2 mem pagefaults -s 1MB
	out_lines 2
	! grep -vE '^[0-9]+\.[0-9]+$' "$tmp/out" || complain 'not a number a line'
}

not_mapped() {
	faults 0 -s 1MB -p dontneed
	out_has '^ +n/a map-ns/page$'
	run 0 -f json mem pagefaults -s 1MB -p dontneed
	out_has '"map-ns/page":(\[)?(null|\{[^}]*null)'
}

json() {
	run 0 -f json mem pagefaults -s 1MB -p shmem -t 2
	out_lines 1
	out_has '^\{.*"pattern": ?"shmem".*"ns/fault".*\}$'
}

sweep() {
	faults 0 -s 1MB -t 1,2,4
	for threads in 1 2 4; do
		[ "$(grep -cE "^ *$threads +[0-9]" "$tmp/out")" -eq 1 ] || complain "not one row of $threads threads"
	done
}

refused() {
	faults 2 -p nothing
	err_has 'nothing'
	for order in '' sequential stride stride= stride=0 stride=-1 stride=x random=1; do
		faults 2 --order "$order"
		err_has "order $order: not seq, reverse, random or stride=N"
	done
	faults 2 -s 1MB --order stride=$((pages + 1))
	err_has "only $pages pages"
	faults 2 -s $((page + 1))
	err_has "size $((page + 1)): not a multiple of the page size, $page"
	faults 2 -p cow-child -t 2
	err_has 'one thread; use --procs'
	faults 2 -p cow-parent -t 2
	err_has 'use --vma carved'
	for option in '-t 0' '--procs 0' '-l 0' '-s 1X' '--vma both' '--seed -1'; do
		# shellcheck disable=SC2086
		faults 2 $option
		err_has "${option#* }"
	done
}

too_large() {
	faults 2 -t 100000 --procs 100000
	err_has '10000000000 tasks'
	faults 2 -s 1MB -l 9000000T
	err_has 'more than can be counted'
	faults 2 -s 1000000T -t 100
	err_has 'more than '
	[ "$(getconf LONG_BIT)" -eq 64 ] || return
	faults 1 -s 64T
	err_has 'needs [0-9]+ MB of memory; [0-9]+ MB are available'
	faults 1 -p file-read -s 900T
	err_has "needs 900TB of temporary files in $files .*, which has [0-9]+[KMGT]?B free"
	faults 2 --order random -s 16384T
	err_has 'more than can be put in random order'
}

no_folder() {
	TMPDIR=$tmp/none
	faults 1 -p file-read -s 1MB
	err_has "$tmp/none: No such file or directory"
	TMPDIR=$files
}

# Also while it runs: no name is what makes sure that none is left, however it ends.
files_empty() { [ -z "$(ls -A "$files")" ] || complain "files in TMPDIR: $(ls -A "$files")"; }
file_mapped() {
	for pid in $(processes); do
		! grep -q "$files/.*(deleted)" "/proc/$pid/maps" 2>/dev/null || return 0
	done
	return 1
}
no_file() {
	files_empty
	start -- mem pagefaults -p file-shared -s 1MB -t 2 -l "$forever"
	wait_until file_mapped || complain 'no file is mapped'
	files_empty
	kill -TERM "$kbench"
	ended 143
	files_empty
}

for pattern in anon shmem file-private cow-child cow-parent dontneed; do
	check "a touch of $pattern is one fault" each $pattern
done
for pattern in anon-read upgrade; do
	check "a touch of $pattern is one fault" each_zero_page $pattern
done
for pattern in file-shared file-read; do
	check "a touch of $pattern is at most one fault" around $pattern
done
check 'populate faults inside mmap, which is what ns/fault is of' populated
check 'huge pages take one fault each' huge_pages
check 'small patterns get small pages' small_pages
for pattern in anon shmem file-private; do
	check "threads and processes of $pattern each touch their own, mapped apart or together" workers 2 2 $pattern
done
check 'every order touches every page once' orders
check 'a random order tells its seed' seeds
check 'one child makes all threads of its parent copy' parent_copies
check '128MB are divided among the workers, with at least 1MB for each' default_size
check 'each phase has its metric, and the headline is one number' metrics
check 'a mapping that is kept has no price of mapping' not_mapped
check 'json is one line with parameters and metrics' json
check 'a list of threads gives a row for each' sweep
check 'options that cannot be meant are refused with the reason' refused
check 'what is larger than the machine is refused with the arithmetic' too_large
check 'a folder for temporary files that is not there is an error' no_folder
check 'no temporary file has a name' no_file
finish
