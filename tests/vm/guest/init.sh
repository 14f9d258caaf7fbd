#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The first process of a guest: runs the script whose name the kernel was given. What that says leaves by the second
# serial line; on the first one is the kernel. A machine of aarch64 has only one.
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mkdir /dev/shm
mount -t tmpfs tmpfs /dev/shm
mount -t tmpfs tmpfs /tmp
mount -t tracefs tracefs /sys/kernel/tracing
mount -t debugfs debugfs /sys/kernel/debug
mount -t cgroup2 cgroup2 /sys/fs/cgroup
ip link set lo up
chmod 1777 /tmp /dev/shm

said=/dev/ttyS1
[ ! -c /dev/ttyAMA0 ] || said=/dev/ttyAMA0
stty -F $said raw
export KBENCH_GUEST=yes KBENCH=/bin/kbench KBENCH_SOURCE=/ KBENCH_LAUNCH=/bin/launch PATH=/bin
{
	sh "/tests/vm/$1"
	echo "the guest ended with status $?"
} >$said 2>&1 </dev/null
poweroff -f
