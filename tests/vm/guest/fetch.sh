#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# fetch.sh FOLDER [ARCHITECTURE]: Debian's kernel for virtual machines, a module of it and a shell, in that folder, unless
# they are there; of another architecture by lists of packages of its own. Nothing is installed. Why it failed stands in
# the last line of FOLDER/log.
folder=$1 architecture=${2:-amd64} options=''
mkdir -p "$folder" || exit 1
exec 9>"$folder/lock"
flock 9 || exit 1
cd "$folder" || exit 1
[ ! -s vmlinuz ] || [ ! -s brd.ko ] || [ ! -x busybox ] || exit 0

# extract PACKAGE PATTERN FILE
extract() { dpkg --fsys-tarfile "$1"_*.deb | tar -xO --wildcards "$2" >"$3" && [ -s "$3" ]; }

own_lists() {
	mkdir -p lists/partial cache/archives/partial
	options="-o APT::Architecture=$architecture -o APT::Architectures::=$architecture -o Dir::State::status=/dev/null"
	options="$options -o Dir::State::lists=$PWD/lists -o Dir::Cache=$PWD/cache"
	# shellcheck disable=SC2086 # these are several words
	apt-get $options update -q
}

# The package that linux-image-cloud-amd64 stands for has another name after each update.
# shellcheck disable=SC2086
fetch() {
	[ "$architecture" = "$(dpkg --print-architecture)" ] || own_lists || return
	kernel=$(apt-cache $options depends "linux-image-cloud-$architecture" | awk '$1 == "Depends:" { print $2; exit }')
	[ -n "$kernel" ] || { echo 'no package of a kernel is known' && return 1; }
	apt-get $options download -q "$kernel" busybox-static &&
		extract "$kernel" './boot/vmlinuz-*' vmlinuz &&
		extract "$kernel" './lib/modules/*/drivers/block/brd.ko' brd.ko &&
		extract busybox-static ./bin/busybox busybox && chmod +x busybox
}
fetch >log 2>&1
status=$?
rm -rf ./*.deb lists cache
exit $status
