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

# Of more workers than CPUs it is said that they took turns, which depends on the machine.
no_warning() {
	! grep 'warning:' "$tmp/out" | grep -qv ' workers took turns ' || complain 'it warns'
}

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
	no_warning
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
	no_warning
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
	no_warning
}

# What the machine lacks is a skip of the program with its reason, and of the test.
each_or_skip() {
	launch -- --timeout 60 mem pagefaults -s 1MB -p "$1" >"$tmp/out" 2>"$tmp/err"
	[ $? -ne 4 ] || {
		out_empty
		err_has "skipped: $2"
		skip_test "$(sed 's/.*skipped: //' "$tmp/err")"
		return
	}
	each "$1"
}

# Of these the kernel may count a fault as a minor or a major one.
major_faults() { sed -n 's/^# [0-9]* touches, [0-9]* minor faults*, \([0-9]*\) major fault.*/\1/p' "$tmp/out"; }
any_faults_are() {
	counted=$(($(minor_faults) + $(major_faults) + 0))
	within "$counted" "$1" $(($1 + $1 / 1000 + 8 * $2)) || complain "$counted faults, not $1"
}

cold() {
	launch -- --timeout 60 mem pagefaults -s 1MB -p file-cold >"$tmp/out" 2>"$tmp/err"
	[ $? -ne 4 ] || {
		err_has "skipped: pages of a file in TMPDIR=$files \([a-z0-9]+\) stay in memory"
		skip_test 'TMPDIR is in memory'
		return
	}
	for vma in own carved; do
		faults 0 -s 512K -l 2 -p file-cold -t 2 --vma $vma
		touches_are $((2 * pages))
		counted=$(major_faults)
		within "${counted:-0}" $((2 * pages)) $((2 * pages + 32)) || complain "${counted:-no} major faults"
		out_has '^# temporary files in .*, dropped from the page cache before each round$'
		no_warning
	done
}

# /dev/shm is a tmpfs where there is one.
never_cold() {
	[ "$(stat -f -c %T /dev/shm 2>/dev/null)" = tmpfs ] || { skip_test 'no tmpfs at /dev/shm'; return; }
	faults 4 -s 1MB -p file-cold --file /dev/shm
	out_empty
	err_has 'skipped: pages of a file in --file /dev/shm \(tmpfs\) stay in memory'
	faults 0 -s 1MB -p file-read --file /dev/shm
	out_has '^# temporary files in /dev/shm, file system tmpfs, in the page cache$'
}

served() {
	launch -- --timeout 60 mem pagefaults -s 1MB -p uffd >"$tmp/out" 2>"$tmp/err"
	[ $? -ne 4 ] || { err_has 'skipped: .*userfaultfd'; skip_test 'userfaultfd is not permitted'; return; }
	for vma in own carved; do
		faults 0 -s 512K -l 2 -p uffd -t 2 --vma $vma
		touches_are $((2 * pages))
		any_faults_are $((2 * pages)) 4
		out_has "; $((2 * pages)) answered by a thread$"
		no_warning
	done
}

swapped() {
	launch -- --timeout 60 mem pagefaults -s 1MB -p swap >"$tmp/out" 2>"$tmp/err"
	[ $? -ne 4 ] || { err_has 'skipped: .*(swap|MADV_PAGEOUT)'; skip_test 'there is no swap'; return; }
	faults 0 -s 1MB -p swap
	touches_are "$pages"
	out_has '^ +n/a unmap-ns/page$'
	out_lacks 'where [0-9]+ were expected'
}

pool=/proc/sys/vm/nr_hugepages
pool_pages() {
	bytes=$(($(sed -n 's/^Hugepagesize: *\([0-9]*\) kB$/\1/p' /proc/meminfo) * 1024))
	faults 0 -p hugetlb -s "$bytes" -l 3 -t 2
	touches_are $((6 * bytes / page))
	faults_are 6 6
	out_has ": 1 in $((bytes / page)), a fault gives [0-9]+[KMG]B$"
	faults 4 -p hugetlb -s $((bytes * 100000))
	out_empty
	err_has 'skipped: needs 100000 huge pages of [0-9]+[KMG]B; the pool has [0-9]+ free'
	faults 2 -p hugetlb -s $((bytes + page))
	err_has "not a multiple of the page size, $bytes"
}

# Fills the pool where that is allowed and nobody uses it, and leaves it as it was.
hugetlb() {
	pool_was=$(cat $pool 2>/dev/null)
	[ -n "$pool_was" ] || { faults 4 -p hugetlb; err_has 'skipped: '; skip_test 'a kernel without a pool'; return; }
	[ "$pool_was" -gt 0 ] || echo 2 2>/dev/null >$pool || { skip_test 'no huge pages, and not permitted to make some'; return; }
	trap 'echo "$pool_was" >$pool; exit 130' INT TERM
	if [ "$(awk '/^HugePages_Free:/ { print $2 }' /proc/meminfo)" -ge 2 ]; then
		pool_pages
	else
		skip_test 'the pool has no two huge pages'
	fi
	[ "$pool_was" -gt 0 ] || echo 0 >$pool
	trap - INT TERM
}

# limited OPTION LIMIT ARGS...: with this limit of ulimit, soft and hard, it is an error.
limited() {
	(
		# shellcheck disable=SC3045 # where a shell has no such limit, the test is a skip
		ulimit "$1" "$2" || exit 99
		shift 2
		exec "$tmp/launch" -- "$KBENCH" mem pagefaults "$@"
	) >"$tmp/out" 2>"$tmp/err"
	limited_status=$?
	[ "$limited_status" -ne 99 ] || { skip_test 'the shell sets no limits'; return 1; }
	[ "$limited_status" -eq 1 ] || complain "status $limited_status with ulimit $1 $2"
	out_empty
}

small_limits() {
	limited -s 1024 -s 4MB -p stack || return
	err_has 'needs 4194304 bytes of stack \(ulimit -s\); soft limit 1048576 raised to the hard limit 1048576: still too few$'
	limited -d 4096 -s 4MB -p brk || return
	err_has 'needs [0-9]+ bytes of data segment \(ulimit -d\); soft limit 4194304 raised'
	limited -f 1024 -s 4MB -p file-read || return
	err_has 'needs 4194304 bytes of one file \(ulimit -f\); soft limit [0-9]+ raised'
	(
		# shellcheck disable=SC3045
		ulimit -S -f 1 && exec "$tmp/launch" -- "$KBENCH" mem pagefaults -s 1MB -p file-cold
	) >"$tmp/out" 2>"$tmp/err" || err_has 'skipped: '
	limited -n 40 -s 1MB -t 30 -p file-read || return
	err_has 'needs 46 file descriptors; '
	limited -n 20 -s 1MB -t 2 --vma carved -p cow-parent --writer 10 || return
	err_has 'needs 21 file descriptors; '
}

# What malloc takes for so many threads must not come to lie in the heap that is grown.
many_threads() {
	faults 0 -p brk --vma carved -t 3000 -s "$page" -l 2
	touches_are 6000
}

turns() {
	cpu=$("$KBENCH" env | sed -n 's/^cpus-allowed  *\([0-9]*\).*/\1/p')
	run 0 --timeout 60 --cpus "$cpu" mem pagefaults -s 1MB -t 2
	out_joined
	out_has '^# warning: 2 workers took turns on 1 CPU: faults/s adds what each did in its own time'
	run 0 --timeout 60 --cpus "$cpu" mem pagefaults -s 1MB
	out_lacks 'took turns'
	run 0 --timeout 60 --cpus "$cpu" mem memcpy -f default -s 1MB -l 10 -t 2
	out_joined
	out_has '^# warning: 2 workers took turns on 1 CPU: B/s adds '
}

writer() {
	for pattern in anon cow-parent brk; do
		faults 0 -s 1MB -l 3 -t 2 --vma carved --procs 2 --writer 1000 -p $pattern
		touches_are $((12 * pages))
		faults_are $((12 * pages)) 12
		out_has '^# writer: [0-9]+ rounds of mapping, protecting and unmapping, [0-9]+/s of 1000/s, and [0-9]+ faults of its own$'
		out_has ' writer-rounds/s$'
		no_warning
	done
	run 0 -v --timeout 60 mem pagefaults -s 1MB --runtime 200ms --writer 1000
	rounds=$(sed -n 's/^# writer: \([0-9]*\) rounds.*/\1/p' "$tmp/out")
	own=$(sed -n 's/^# *\([0-9]*\)[0-9.]*  *writer-faults$/\1/p' "$tmp/out")
	[ "${rounds:-0}" -ge 1 ] || complain "${rounds:-no} rounds of the writer"
	[ "${own:-0}" -ge "$rounds" ] || complain "${own:-no} faults of the writer in $rounds rounds"
	faults 0 -s 1MB
	out_lacks writer
}

# At least a round, and whole ones.
by_time() {
	for vma in own carved; do
		faults 0 -s 1MB -t 2 --vma $vma --runtime 50ms
		touched=$(sed -n 's/^# \([0-9]*\) touches, .*/\1/p' "$tmp/out")
		[ "${touched:-0}" -ge $((2 * pages)) ] || complain "${touched:-no} touches"
		[ $((touched % pages)) -eq 0 ] || complain "$touched touches are no whole rounds"
		out_has ', rounds for 50ms$'
	done
	faults 2 --runtime 1s -l 2
	err_has 'runtime is in place of --loops 2: give one of them'
}

# What a fault gives then is the machine's choice; it is at most one for each touch.
thp_setting() {
	for word in default never; do
		faults 0 -s 4MB --thp $word
		touches_are $((4 * pages))
		[ "$(minor_faults)" -le $((4 * pages + 8)) ] || complain "$(minor_faults) minor faults"
		no_warning
	done
	launch -- mem pagefaults -s 4MB -p dontneed --thp always >"$tmp/out" 2>"$tmp/err"
	if [ $? -eq 4 ]; then
		err_has 'skipped: transparent huge pages'
	else
		touches_are $((4 * pages))
		out_has '^# thp_fault_alloc of the whole machine rose by [0-9]+$'
		no_warning
	fi
	faults 2 --thp always
	err_has 'thp always: for anon that is --pattern thp'
	faults 2 -p file-read --thp always
	err_has 'thp always: an madvise does not make the pages of file-read huge ones'
	faults 2 -p thp --thp never
	err_has 'thp never: the pattern thp says by itself'
}

# mounted OPTIONS ARGS...: the pattern file-read on a small tmpfs that nobody else sees; false where that is not permitted.
mounted() {
	# shellcheck disable=SC2016 # for the inner shell
	unshare -m sh -c 'mount -t tmpfs -o "$1" none "$2" || exit 99
		files=$2 kbench=$3
		shift 3
		exec "$kbench" mem pagefaults -p file-read --file "$files" "$@"' \
		sh "$1" "$files" "$KBENCH" "$2" "$3" >"$tmp/out" 2>"$tmp/err"
	mounted_status=$?
	grep -q '^kbench: ' "$tmp/err" || { skip_test 'no mount of its own'; return 1; }
	[ "$mounted_status" -eq 1 ] || complain "status $mounted_status"
	out_empty
}

unusable() {
	mounted size=1m,ro -s 1MB || return
	err_has "a temporary file in --file $files: Read-only file system$"
	mounted size=1m -s 2MB || return
	err_has "needs 2MB of temporary files in --file $files \(tmpfs\), which has 1MB free: set TMPDIR or --file to a larger"
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
		no_warning
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
	for pattern in cow-parent cow-last; do
		faults 0 -s 1MB -l 3 -t 2 --vma carved -p $pattern
		touches_are $((6 * pages))
		faults_are $((6 * pages)) 6
	done
}

default_size() {
	faults 0 -t 2 --procs 2 -p populate
	out_has ' touch 32MB each'
	faults 0 -t 130
	out_has ' touch 1MB each'
}

metrics() {
	faults 0 -s 64KB
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
	faults 2 -p brk -t 2
	err_has 'a process has one heap; use --vma carved or --procs'
	for option in '-t 0' '--procs 0' '-l -1' '--runtime 1x' '--writer 1000001' '--thp maybe' '-s 1X' '--vma both' '--seed -1'; do
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
	err_has "needs 900TB of temporary files in TMPDIR=$files .*, which has [0-9]+[KMGT]?B free"
	faults 2 --order random -s 16384T
	err_has 'more than can be put in random order'
}

no_folder() {
	TMPDIR=$tmp/none
	faults 1 -p file-read -s 1MB
	err_has "a temporary file in TMPDIR=$tmp/none: No such file or directory"
	TMPDIR=$files
	faults 1 -p file-read -s 1MB --file "$tmp/none"
	err_has "a temporary file in --file $tmp/none: No such file or directory"
	faults 1 -p file-read -s 1MB --file "$tmp/out"
	err_has "a temporary file in --file $tmp/out: Not a directory"
	faults 2 --file "$files"
	err_has "file $files: the pattern anon has no file"
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

# Some of its tasks wait for others then: in a fault, for a timer, at a barrier.
ended_in_the_middle() {
	for pattern in uffd cow-last file-read; do
		"$tmp/kbench" mem pagefaults -s 1MB -p $pattern >"$tmp/out" 2>"$tmp/err"
		[ $? -ne 4 ] || continue
		start -- mem pagefaults -p $pattern -s 1MB -t 2 --vma carved --procs 2 --writer 100 -l "$forever"
		wait_until has_processes 4 || complain "$pattern has not started"
		kill -"$1" "$kbench"
		ended "$2"
	done
	files_empty
}

growing() {
	"$KBENCH" mem pagefaults -s 1MB -p stack >"$tmp/out" 2>"$tmp/err"
	[ $? -ne 4 ] || { skip_test 'no mapping grows here'; return; }
	for way in '-t 32' '-t 1 --writer 1000' '-t 4 --writer 100' '-t 4 --writer 100 --vma carved'; do
		# shellcheck disable=SC2086
		run 0 -f simple -r 5 mem pagefaults -s 1MB -p stack $way
		[ "$(wc -l <"$tmp/out")" -eq 5 ] || complain "$way: fewer than 5 runs"
	done
}

for pattern in anon shmem file-private cow-child cow-parent cow-last dontneed protect brk; do
	check "a touch of $pattern is one fault" each $pattern
done
for pattern in anon-read upgrade; do
	check "a touch of $pattern is one fault" each_zero_page $pattern
done
for pattern in file-shared file-read; do
	check "a touch of $pattern is at most one fault" around $pattern
done
check 'a touch of stack is one fault' each_or_skip stack 'MAP_GROWSDOWN'
check 'a stack grows beside other threads and a writer' growing
check 'a touch of file-cold is one major fault' cold
check 'a file that cannot leave memory is no cold one' never_cold
check 'a touch of uffd is one fault, which a thread answers' served
check 'a touch of swap is one fault' swapped
check 'a huge page of the pool takes one fault, and an empty pool is a skip with the arithmetic' hugetlb
check 'populate faults inside mmap, which is what ns/fault is of' populated
check 'huge pages take one fault each' huge_pages
check 'small patterns get small pages' small_pages
for pattern in anon shmem file-private protect; do
	check "threads and processes of $pattern each touch their own, mapped apart or together" workers 2 2 $pattern
done
check 'every order touches every page once' orders
check 'a random order tells its seed' seeds
check 'one child makes all threads of its parent copy' parent_copies
check '128MB are divided among the workers, with at least 1MB for each' default_size
check 'small limits are refused with the arithmetic' small_limits
check 'a heap is grown beyond what thousands of threads take of it' many_threads
check 'where more workers than CPUs take turns, a sum of their rates is warned of' turns
check 'a writer disturbs, and is counted apart' writer
check 'a run may have a time in place of rounds' by_time
check 'transparent huge pages are as --thp says' thp_setting
check 'a full or read-only file system is an error with the facts' unusable
check 'each phase has its metric, and the headline is one number' metrics
check 'a mapping that is kept has no price of mapping' not_mapped
check 'json is one line with parameters and metrics' json
check 'a list of threads gives a row for each' sweep
check 'options that cannot be meant are refused with the reason' refused
check 'what is larger than the machine is refused with the arithmetic' too_large
check 'a folder for temporary files that is not there is an error' no_folder
check 'no temporary file has a name' no_file
check 'a signal ends touchers, their children and their helpers' ended_in_the_middle TERM 143
check 'with kbench killed, nothing is left of them' ended_in_the_middle KILL 137
finish
