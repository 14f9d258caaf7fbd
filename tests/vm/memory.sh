#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Small, huge and swapped pages.
. "$KBENCH_SOURCE/tests/vm/lib.sh"

node 512 1
node 512 1
boot

thp=/sys/kernel/mm/transparent_hugepage/enabled
pool=/proc/sys/vm/nr_hugepages

# A few faults more: a task has some of its own now and then, on its stack or code.
about='102[4-7]'

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
		for pattern in anon anon-read upgrade shmem file-shared file-private cow-child cow-parent cow-last dontneed \
			protect stack brk; do
			faults 1024 "$about minor faults\$" -p $pattern
		done
		faults 1024 "[0-3] minor faults; $about inside mmap: " -p populate
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

# as_user STATUS ARGS...: run, as somebody who has no rights.
as_user() {
	run_expected=$1
	shift
	"$tmp/launch" user=1000 -- "$KBENCH" "$@" >"$tmp/out" 2>"$tmp/err"
	run_status=$?
	[ "$run_status" -eq "$run_expected" ] || complain "kbench $* ended with status $run_status, not $run_expected"
}

settings() {
	echo always >$thp
	faults 1024 '2 minor faults: 1 in 512, ' -p anon --thp default
	faults 1024 "$about minor faults\$" -p anon --thp never
	run 2 mem pagefaults -s 4MB -p anon --thp always
	err_has '^kbench: mem pagefaults: --thp always: for anon that is --pattern thp$'
}

user_faults() {
	for caller in run as_user; do
		$caller 0 mem pagefaults -s 4MB -p uffd
		out_has '^# 1024 touches, [0-3] minor faults, 1024 major faults; 1024 answered by a thread$'
	done
	refuse EPERM userfaultfd -- "$KBENCH" mem pagefaults -s 4MB -p uffd >"$tmp/out" 2>"$tmp/err"
	[ $? -eq 4 ] || complain 'it is no skip'
	err_has 'skipped: userfaultfd: Operation not permitted '
	refuse ENOSYS userfaultfd -- "$KBENCH" mem pagefaults -s 4MB -p uffd >"$tmp/out" 2>"$tmp/err"
	[ $? -eq 4 ] || complain 'it is no skip'
	err_has 'skipped: this kernel has no userfaultfd$'
}

# Two disks in memory: one to swap to, and one with a file system.
insmod /brd.ko rd_nr=2 rd_size=32768
mkswap /dev/ram0 >/dev/null
mke2fs /dev/ram1 >/dev/null 2>&1
mkdir "$tmp/disk"
mount -t ext2 /dev/ram1 "$tmp/disk"

swapped() {
	run 4 mem pagefaults -s 4MB -p swap
	err_has 'skipped: /proc/meminfo shows no swap'
	swapon /dev/ram0
	faults 1024 '[0-3] minor faults, 1024 major faults$' -p swap
	as_user 0 mem pagefaults -s 4MB -p swap
	swapoff /dev/ram0
}

from_disk() {
	run 4 mem pagefaults -s 4MB -p file-cold
	err_has 'skipped: pages of a file in /tmp \(tmpfs\) stay in memory: '
	faults 1024 '[0-3] minor faults, 1024 major faults: ' -p file-cold --file "$tmp/disk"
	faults 1024 '64 minor faults: 1 in 16, ' -p file-read --file "$tmp/disk"
	faults 1024 "$about minor faults\$" -p file-private --file "$tmp/disk"
	run 1 mem pagefaults -s 64MB -p file-shared --file "$tmp/disk"
	err_has 'needs 64MB of temporary files in --file [^ ]*/disk \(ext4\), which has [0-9.]+[KM]B free: '
	[ "$(ls "$tmp/disk")" = lost+found ] || complain 'files are left'
	umount "$tmp/disk"
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
	faults 1024 '2 minor faults: 1 in 512, a fault gives 2MB$' -p hugetlb
	as_user 0 mem pagefaults -s 4MB -p hugetlb
	run 4 mem pagefaults -s 32MB -p hugetlb
	err_has 'skipped: needs 16 huge pages of 2MB; the pool has 8 free'
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
check 'the setting of huge pages holds when asked for' settings
check 'faults are answered by a thread where that is allowed' user_faults
check 'pages come back from swap by major faults' swapped
check 'pages come from a disk by major faults' from_disk
check 'pages of the pool are used and returned' huge_pool
check 'faults that the kernel counts for the run are those of the touches' events_agree
finish
