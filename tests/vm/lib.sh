# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# What the tests in a virtual machine share. A script is read twice. On the host it describes a machine, and `boot` starts
# a kernel on it by software emulation, gives it the program and the script, shows what the guest has to say, and ends.
# In the guest `boot` does nothing, and what follows are tests as in tests/shell:
#
#	node 256M 2
#	distance 0 1 20
#	boot
#	check 'memory on each node can be bound' each_node
#
# With a command in KBENCH_VM_RUN the guest runs that instead of the tests.

: "${KBENCH:?the program to test}" "${KBENCH_SOURCE:?the source tree}"

# A guest that is still there after this time hangs.
guest_seconds=180

nodes=0 cpus=0 absent_cpus=0 megabytes=0 machine='' cores=2 threads=1 architecture=x86_64

# node MEMORY CPUS: the next node, of so many megabytes and CPUs, either may be 0. "absent" for CPUs: the node is not
# online, but its number is taken.
node() {
	numa=node,nodeid=$nodes
	if [ "$1" -gt 0 ]; then
		machine="$machine -object memory-backend-ram,id=memory$nodes,size=$1M"
		numa=$numa,memdev=memory$nodes
		megabytes=$((megabytes + $1))
	fi
	case $2 in
	0) ;;
	absent)
		numa=$numa,cpus=$cpus-$((cpus + 1))
		absent_cpus=2
		;;
	*)
		numa=$numa,cpus=$cpus-$((cpus + $2 - 1))
		cpus=$((cpus + $2))
		;;
	esac
	machine="$machine -numa $numa"
	nodes=$((nodes + 1))
}

# distance FROM TO N: and the same back, unless that is given too.
distance() { machine="$machine -numa dist,src=$1,dst=$2,val=$3"; }

# without REASON: on this host no guest can be had.
without() {
	echo "skip $(basename "$0" .sh): $1"
	exit 0
}

make_image() {
	mkdir -p "$image/bin" "$image/dev" "$image/proc" "$image/sys" "$image/tmp" "$image/tests"
	cp "$vm/busybox" "$image/bin/" && ln -s busybox "$image/bin/sh"
	cp "$vm/brd.ko" "$image/"
	cp "$KBENCH" "$image/bin/kbench" && strip "$image/bin/kbench"
	cp "$KBENCH_SOURCE/tests/vm/guest/init.sh" "$image/init"
	cp "$KBENCH_SOURCE/tests/vm/guest/getconf.sh" "$image/bin/getconf"
	cp -R "$KBENCH_SOURCE/tests/shell" "$KBENCH_SOURCE/tests/vm" "$image/tests/"
	for tool in shell/launch vm/guest/refuse; do
		"${KBENCH_CC:-cc}" -D_GNU_SOURCE -O1 -static -o "$image/bin/${tool##*/}" "$KBENCH_SOURCE/tests/$tool.c" ||
			without "${KBENCH_CC:-cc} makes no static programs"
	done
	[ -z "${KBENCH_VM_RUN-}" ] || echo "$KBENCH_VM_RUN" >"$image/command"
	(cd "$image" && find . | cpio -o -H newc --quiet) >"$folder/image"
}

# The program for that machine. What the make that called was told is not for this one.
build_aarch64() (
	unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES CFLAGS CPPFLAGS LDFLAGS CROSS_COMPILE V W WERROR SAN
	make -C "$KBENCH_SOURCE" -j2 O="$folder/build" CC="$KBENCH_CC" STATIC=y >"$folder/made" 2>&1 </dev/null
)

become_aarch64() {
	KBENCH_CC=$(command -v aarch64-linux-gnu-gcc || command -v aarch64-linux-gnu-gcc-12) ||
		without 'there is no aarch64-linux-gnu-gcc'
	build_aarch64 || { sed 's/^/# /' "$folder/made" && echo 'not ok it builds for aarch64' && exit 1; }
	KBENCH=$folder/build/kbench vm=$vm/aarch64
}

# emulate ARGS...: an instruction of aarch64 takes 4 ns of the machine's time, so that what the CPU counts is known.
emulate() {
	case $architecture in
	x86_64)
		set -- -machine pc -cpu Nehalem -kernel "${KBENCH_KERNEL:-$vm/vmlinuz}" \
			-serial file:"$folder/console" -serial file:"$folder/said" \
			-append "console=ttyS0 quiet panic=-1 tsc=reliable -- $(basename "$0")" "$@"
		;;
	aarch64)
		set -- -machine virt -cpu max -icount shift=2 -kernel "$vm/vmlinuz" -serial file:"$folder/said" \
			-append "console=ttyAMA0 quiet loglevel=1 panic=-1 -- $(basename "$0")" "$@"
		;;
	esac
	timeout "$guest_seconds" "qemu-system-$architecture" -accel tcg,thread=single -nodefaults -display none -monitor none \
		-no-reboot -initrd "$folder/image" "$@" >"$folder/qemu" 2>&1 </dev/null
}

boot() {
	if [ -f /command ]; then
		sh /command
		exit
	fi
	[ -z "${KBENCH_GUEST-}" ] || return 0
	vm=${KBENCH_VM:?a folder for the kernel}
	for tool in "qemu-system-$architecture" cpio timeout; do
		command -v "$tool" >/dev/null || without "there is no $tool"
	done
	folder=$(mktemp -d) || exit 1
	trap 'rm -rf "$folder"' EXIT
	debian=amd64
	[ "$architecture" = x86_64 ] || { debian=arm64 && become_aarch64; }
	! readelf -l "$KBENCH" | grep -q INTERP || without 'kbench is not linked statically'
	sh "$KBENCH_SOURCE/tests/vm/guest/fetch.sh" "$vm" $debian || without "there is no kernel: $(tail -n 1 "$vm/log")"
	image=$folder/root
	make_image
	: >"$folder/console"
	# shellcheck disable=SC2086 # these are several words
	emulate -m "$megabytes"M -smp "cpus=$cpus,maxcpus=$((cpus + absent_cpus)),cores=$cores,threads=$threads" $machine
	qemu_status=$?
	grep -v -e '^the guest ended with status ' -e 'reboot: Power down' "$folder/said"
	if grep -q '^the guest ended with status 0$' "$folder/said"; then
		exit 0
	elif ! grep -q '^the guest ended' "$folder/said"; then
		tail -n 60 "$folder/qemu" "$folder/console" | tr -d '\r' | sed 's/^/# /'
		echo "not ok the guest comes to its end (qemu: status $qemu_status)"
	fi
	exit 1
}

# matrix_is ROWS COLUMNS DISTANCES [n/a]: of the run in $tmp/out, which has a number in each cell, or n/a in those from a
# node to itself, and distances such as "10 20/20 10".
matrix_is() {
	awk -v rows="$1" -v columns="$2" -v distances="$3" -v same="${4-}" '
		function is_right(cell, from, to) {
			return from == to && same ? cell == same : cell ~ /^[0-9]+(\.[0-9]+)?[*!]?$/
		}
		/^ +node / { matrix++; $1 = ""; if ($0 != " " columns) print "# columns:" $0; row = 0; next }
		matrix && /^ +[0-9]/ {
			ids[matrix] = ids[matrix] (row++ ? " " : "") $1
			count = split(columns, to, " ")
			for (i = 1; i <= count && matrix == 1; i++)
				if (NF != count + 1 || !is_right($(i + 1), $1, to[i])) print "# from " $1 " to " to[i] ": " $(i + 1)
			$1 = ""
			if (matrix == 2) found = found (row > 1 ? "/" : "") substr($0, 2)
		}
		/^$/ && row { matrix += matrix > 1 }
		END {
			if (ids[1] != rows || ids[2] != rows) print "# rows: " ids[1] ", " ids[2]
			if (found != distances) print "# distances: " found
		}' "$tmp/out" >"$tmp/wrong"
	[ ! -s "$tmp/wrong" ] || { cat "$tmp/wrong"; complain 'it is another matrix'; }
}

# migrated PAGES ROWS COLUMNS DISTANCES ARGS...: each page to each node, by either call; 64 of a pair in each of 5 rounds.
migrated() {
	migrated_pages=$1 migrated_rows=$2 migrated_columns=$3 migrated_distances=$4
	shift 4
	for method in move_pages mbind; do
		run 0 numa migrate -s 256KB --method $method "$@"
		matrix_is "$migrated_rows" "$migrated_columns" "$migrated_distances" n/a
		out_has "^# all $migrated_pages pages were found on the node that they were moved to\$"
	done
}

# matrices_are ROWS COLUMNS DISTANCES: of all benchmarks that make one.
matrices_are() {
	run 0 numa latency -s 256KB -l 500
	matrix_is "$@"
	run 0 numa bandwidth -s 256KB --runtime 1ms -t 1
	matrix_is "$@"
	run 0 numa bandwidth -s 256KB --runtime 1ms --op copy
	matrix_is "$@"
}

# shellcheck source=tests/shell/lib.sh
[ -z "${KBENCH_GUEST-}" ] || . "$KBENCH_SOURCE/tests/shell/lib.sh"
