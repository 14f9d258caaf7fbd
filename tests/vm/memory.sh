#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Small, huge and swapped pages.
. "$KBENCH_SOURCE/tests/vm/lib.sh"

node 512 1
node 512 1
boot

thp=/sys/kernel/mm/transparent_hugepage/enabled
pool=/proc/sys/vm/nr_hugepages

# faults TOUCHES TEXT ARGS...: the note of a run of 4 MB.
faults() {
	note="^# $1 touches, $2"
	shift 2
	run 0 mem pagefaults -s 4MB "$@"
	err_empty
	out_has "$note"
}

small_pages() {
	for setting in always madvise never; do
		echo $setting >$thp
		for pattern in anon anon-read upgrade shmem file-shared file-private cow-child cow-parent dontneed; do
			faults 1024 '1024 minor faults$' -p $pattern
		done
		faults 1024 '0 minor faults; 1024 inside mmap: ' -p populate
		faults 1024 '[0-9]+ minor faults: 1 in [0-9.]+, ' -p file-read
	done
}

huge_pages() {
	for setting in always madvise; do
		echo $setting >$thp
		faults 1024 '2 minor faults: 1 in 512, a fault gives 2MB$' -p thp
	done
	echo never >$thp
	run 4 mem pagefaults -s 4MB -p thp
	err_has 'skipped: transparent huge pages are not available \(/sys/kernel/mm/transparent_hugepage/enabled\)$'
	echo always >$thp
	run 0 numa mem -p 1 -t 1 -G 0 -P 8 -l 1 -H 1 -M 1
	out_has '^# huge pages: [68]MB of 8MB$'
	out_has '^# pages: 2048 on node 1$'
	run 0 numa mem -p 1 -t 1 -G 0 -P 8 -l 1 -H -1 -M 1
	out_has '^# huge pages: 0MB of 8MB$'
	run 0 numa latency -s 4MB -l 500 --pages thp
	out_has '^# --pages thp: 8MB of 8MB in huge pages$'
	run 0 numa latency -s 4MB -l 500
	out_has '^# --pages 4K: 0 of 8MB in huge pages$'
}

# Each node has a half of the pool.
huge_pool() {
	echo 0 >$pool
	run 4 mem memset -s 4MB -p 2MB -l 1 -f default
	err_has 'skipped: needs 2 huge pages of 2MB; the pool has 0 free'
	echo 8 >$pool
	for operation in 'memcpy -f default' 'memset -f default' 'mmap -f demand' 'mmap -f populate'; do
		# shellcheck disable=SC2086 # several words
		run 0 mem $operation -s 4MB -p 2MB -l 2
		err_empty
	done
	grep -q '^HugePages_Free: *8$' /proc/meminfo || complain 'pages of the pool are still in use'
	echo 0 >$pool
}

events_agree() {
	run 0 -f csv -e page-faults,minor-faults mem pagefaults -s 4MB -p anon
	awk -F, '$(NF - 2) == "faults" { faults = $(NF - 1) } $(NF - 2) == "page-faults" { counted = $(NF - 1) }
		END { exit !(faults == 1024 && counted >= 1024 && counted < 1040) }' "$tmp/out" || complain 'the counts differ'
}

check 'a touch of a small page is one fault, whatever the setting of huge pages' small_pages
check 'a huge page is one fault, and is there when asked for and only then' huge_pages
check 'pages of the pool are used and returned' huge_pool
check 'faults that the kernel counts for the run are those of the touches' events_agree
finish
