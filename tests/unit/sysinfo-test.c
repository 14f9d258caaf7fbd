// SPDX-License-Identifier: GPL-2.0-only
#include "sysinfo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#define CPU "sys/devices/system/cpu/"

/* Files of a made-up machine, and what they make of one fact; NULL: n/a. */
struct example {
	struct file {
		const char *path, *text;
	} files[6];
	const char *value;
};

/* Every example is a machine of its own, in a folder of its own. */
static struct sysinfo *read_example(const struct example *example, size_t i)
{
	char machine[32], path[256];

	snprintf(machine, sizeof(machine), "%zu", i);
	for (const struct file *file = example->files; file->path; file++) {
		snprintf(path, sizeof(path), "%s/%s", machine, file->path);
		test_file(test_folder(), path, file->text);
	}
	snprintf(path, sizeof(path), "%s/%s", test_folder(), machine);
	return sysinfo_read(path);
}

static void check_fact(const char *key, const struct example *examples, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct sysinfo *info = read_example(&examples[i], i);

		CHECK_TEXT(sysinfo_get(info, key), examples[i].value);
		sysinfo_free(info);
	}
}

/* The example's value is a part of the only warning; NULL: there is none. */
static void check_warning(const struct example *examples, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct sysinfo *info = read_example(&examples[i], i);
		const char *warning = info->warning_count ? info->warnings[0] : NULL;

		CHECK_UINT(info->warning_count, examples[i].value ? 1 : 0);
		if (!examples[i].value || !warning || !strstr(warning, examples[i].value))
			CHECK_TEXT(warning, examples[i].value);
		sysinfo_free(info);
	}
}

static void plain_files(void)
{
	static const struct {
		const char *key;
		struct example example;
	} cases[] = {
		{ "kernel", { { { "proc/sys/kernel/osrelease", "6.1.0-57\n" } }, "6.1.0-57" } },
		{ "kernel-version", { { { "proc/sys/kernel/version", "#1 SMP Debian 1\n" } }, "#1 SMP Debian 1" } },
		{ "machine", { { { "proc/sys/kernel/arch", "riscv64\n" } }, "riscv64" } },
		{ "schedstats", { { { "proc/sys/kernel/sched_schedstats", "0\n" } }, "off" } },
		{ "numa-balancing", { { { "proc/sys/kernel/numa_balancing", "2\n" } }, "2" } },
		{ "aslr", { { { "proc/sys/kernel/randomize_va_space", "2\n" } }, "2" } },
		{ "perf-event-paranoid", { { { "proc/sys/kernel/perf_event_paranoid", "-1\n" } }, "-1" } },
		{ "cpus-online", { { { CPU "online", "0-1,4-5\n" } }, "0-1,4-5" } },
		{ "nodes", { { { "sys/devices/system/node/online", "0,8\n" } }, "0,8" } },
		{ "smt", { { { CPU "smt/active", "1\n" } }, "on" } },
		{ "boost", { { { CPU "cpufreq/boost", "1\n" } }, "on" } },
		{ "boost", { { { CPU "intel_pstate/no_turbo", "1\n" } }, "off" } },
		{ "clocksource",
			{ { { "sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n" } }, "tsc" } },
		{ "thp", { { { "sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n" } },
				 "madvise" } },
		{ "thp-defrag",
			{ { { "sys/kernel/mm/transparent_hugepage/defrag", "[always] defer never\n" } }, "always" } },
		{ "thp", { { { "sys/kernel/mm/transparent_hugepage/enabled", "always\n" } }, NULL } },
		{ "memory-total", { { { "proc/meminfo", "MemTotal:       24683548 kB\n" } }, "23.5 GB" } },
		{ "memory-available",
			{ { { "proc/meminfo", "MemTotal: 9 kB\nMemAvailable: 262144 kB\n" } }, "256 MB" } },
		{ "memory-available", { { { "proc/meminfo", "MemTotal: 9 kB\n" } }, NULL } },
		{ "swap", { { { "proc/meminfo", "SwapTotal: 0 kB\n" } }, "0 MB" } },
		{ "load", { { { "proc/loadavg", "0.14 0.11 0.06 3/86 3692\n" } }, "0.14" } },
		{ "tasks-running", { { { "proc/loadavg", "0.14 0.11 0.06 3/86 3692\n" } }, "3" } },
		{ "tasks-running", { { { "proc/loadavg", "garbage\n" } }, NULL } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct sysinfo *info = read_example(&cases[i].example, i);

		CHECK_TEXT(sysinfo_get(info, cases[i].key), cases[i].example.value);
		sysinfo_free(info);
	}
}

static void nothing(void)
{
	struct sysinfo *info = sysinfo_read(test_folder());

	CHECK(info->count > 25);
	for (size_t i = 0; i < info->count; i++)
		CHECK_TEXT(info->facts[i].value, NULL);
	CHECK_UINT(info->warning_count, 0);
	CHECK_TEXT(sysinfo_get(info, "no-such-fact"), NULL);
	sysinfo_free(info);
}

static void here(void)
{
	struct sysinfo *info = sysinfo_read("");

	CHECK(sysinfo_get(info, "machine"));
	CHECK(sysinfo_get(info, "cpus-allowed"));
	CHECK(sysinfo_get(info, "page-size"));
	for (size_t i = 0; i < info->count; i++) {
		const char *value = info->facts[i].value;

		CHECK(!value || (*value && !strchr(value, '\n')));
		for (size_t j = 0; j < i; j++)
			CHECK(strcmp(info->facts[i].key, info->facts[j].key) != 0);
	}
	sysinfo_free(info);
}

static void cpu_model(void)
{
	static const struct example examples[] = {
		{ { { "proc/cpuinfo", "processor\t: 0\nmodel name\t: AMD EPYC\n\nprocessor\t: 1\nmodel name\t: B\n" } },
			"AMD EPYC" },
		{ { { "proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n" } },
			"implementer 0x41 part 0xd0c" },
		{ { { "proc/cpuinfo", "processor\t: 0\ncpu\t\t: POWER9, altivec supported\n" } },
			"POWER9, altivec supported" },
		{ { { "proc/cpuinfo", "processor\t: 0\nCPU part\t: 0xd0c\n" } }, NULL },
		{ { { "proc/cpuinfo", "processor\t: 0\ncpu family\t: 26\n" } }, NULL },
	};

	check_fact("cpu-model", examples, ARRAY_SIZE(examples));
}

static void virtual_machine(void)
{
	static const struct example examples[] = {
		{ { { "proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor lm\n" } }, "yes" },
		{ { { "proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu lm\n" } }, "no" },
		{ { { "proc/cpuinfo", "processor\t: 0\nFeatures\t: fp asimd\n" } }, NULL },
	};

	check_fact("virtual-machine", examples, ARRAY_SIZE(examples));
}

static void governor(void)
{
	static const struct example examples[] = {
		{ { { CPU "online", "0-1\n" }, { CPU "cpu0/cpufreq/scaling_governor", "performance\n" },
			  { CPU "cpu1/cpufreq/scaling_governor", "performance\n" } },
			"performance" },
		{ { { CPU "online", "0,2-3\n" }, { CPU "cpu0/cpufreq/scaling_governor", "schedutil\n" },
			  { CPU "cpu1/cpufreq/scaling_governor", "ondemand\n" },
			  { CPU "cpu3/cpufreq/scaling_governor", "powersave\n" } },
			"schedutil, powersave" },
		{ { { CPU "online", "0\n" } }, NULL },
	};

	check_fact("governor", examples, ARRAY_SIZE(examples));
}

static void mitigations(void)
{
	static const struct example examples[] = {
		{ { { CPU "vulnerabilities/mds", "Mitigation: Clear CPU buffers; SMT vulnerable\n" },
			  { CPU "vulnerabilities/meltdown", "Not affected\n" },
			  { CPU "vulnerabilities/itlb_multihit", "KVM: Mitigation: VMX disabled\n" },
			  { CPU "vulnerabilities/srso", "Vulnerable: No microcode\n" } },
			"2 mitigated, 1 vulnerable" },
		{ { { CPU "vulnerabilities/mds", "Vulnerable\n" },
			  { "proc/cmdline", "quiet mitigations=auto mitigations=off -- mitigations=init\n" } },
			"0 mitigated, 1 vulnerable, mitigations=off" },
		{ { { "proc/cmdline", "mitigations=off\n" } }, NULL },
	};

	check_fact("mitigations", examples, ARRAY_SIZE(examples));
}

#define RELEASE                                        \
	{                                              \
		"proc/sys/kernel/osrelease", "6.1.0\n" \
	}
#define VERSION(words)                           \
	{                                        \
		"proc/sys/kernel/version", words \
	}

static void preemption(void)
{
	static const struct example examples[] = {
		{ { VERSION("#1 SMP PREEMPT_DYNAMIC x\n"),
			  { "sys/kernel/debug/sched/preempt", "none (voluntary) full\n" },
			  { "proc/cmdline", "preempt=full\n" } },
			"voluntary" },
		{ { VERSION("#1 SMP PREEMPT_DYNAMIC x\n"), { "proc/cmdline", "quiet preempt=full\n" } },
			"full at boot" },
		{ { VERSION("#1 SMP PREEMPT_DYNAMIC x\n"), RELEASE,
			  { "boot/config-6.1.0", "CONFIG_PREEMPT_VOLUNTARY=y\nCONFIG_PREEMPT_DYNAMIC=y\n" } },
			"voluntary at boot" },
		{ { VERSION("#1 SMP PREEMPT_DYNAMIC x\n") }, "dynamic" },
		{ { VERSION("#1 SMP PREEMPT_RT x\n") }, "rt" },
		{ { VERSION("#1 SMP PREEMPT x\n") }, "full" },
		{ { VERSION("#1 SMP x\n") }, "none or voluntary" },
		{ { VERSION("#1 SMP x\n"), RELEASE, { "lib/modules/6.1.0/config", "CONFIG_PREEMPT_NONE=y\n" } },
			"none" },
		{ { RELEASE }, NULL },
	};

	check_fact("preemption", examples, ARRAY_SIZE(examples));
}

static void hz(void)
{
	static const struct example examples[] = {
		{ { RELEASE, { "boot/config-6.1.0", "CONFIG_HZ_250=y\nCONFIG_HZ=250\n" } }, "250" },
		{ { RELEASE, { "boot/config-6.1.1", "CONFIG_HZ=250\n" } }, NULL },
	};

	check_fact("hz", examples, ARRAY_SIZE(examples));
}

static void debugging(void)
{
	static const struct example examples[] = {
		{ { RELEASE, { "boot/config-6.1.0",
				     "CONFIG_PROVE_LOCKING=y\n# CONFIG_KCSAN is not set\nCONFIG_KASAN=y\n" } },
			"PROVE_LOCKING, KASAN" },
		{ { RELEASE, { "boot/config-6.1.0", "# CONFIG_KASAN is not set\nCONFIG_HAVE_ARCH_KASAN=y\n" } },
			"none" },
		{ { RELEASE, { "boot/config-6.1.0", "CONFIG_HZ=250\n" },
			  { "sys/kernel/slab/kmalloc-64/sanity_checks", "1\n" } },
			"SLUB_DEBUG_ON" },
		{ { RELEASE, { "proc/sys/kernel/prove_locking", "1\n" } }, "PROVE_LOCKING" },
		{ { RELEASE, { "proc/sys/kernel/prove_locking", "0\n" } }, NULL },
	};

	check_fact("config-debug", examples, ARRAY_SIZE(examples));
}

#define GROUP "sys/fs/cgroup/"

static void cpu_limit(void)
{
	static const struct example examples[] = {
		{ { { "proc/self/cgroup", "0::/a/b\n" }, { GROUP "cgroup.controllers", "cpu\n" },
			  { GROUP "a/b/cpu.max", "150000 100000\n" }, { GROUP "a/cpu.max", "max 100000\n" } },
			"1.5 CPUs" },
		{ { { "proc/self/cgroup", "0::/a/b\n" }, { GROUP "cgroup.controllers", "cpu\n" },
			  { GROUP "a/b/cpu.max", "150000 100000\n" }, { GROUP "a/cpu.max", "50000 100000\n" } },
			"0.5 CPUs" },
		{ { { "proc/self/cgroup", "0::/a\n" }, { GROUP "cgroup.controllers", "cpu\n" },
			  { GROUP "a/cpu.max", "max 100000\n" } },
			"none" },
		{ { { "proc/self/cgroup", "0::/on-the-host\n" }, { GROUP "cgroup.controllers", "cpu\n" },
			  { GROUP "cpu.max", "200000 100000\n" } },
			"2 CPUs" },
		{ { { "proc/self/cgroup", "2:cpu,cpuacct:/a\n1:cpuset:/b\n0::/c\n" },
			  { GROUP "cpu/a/cpu.cfs_quota_us", "25000\n" },
			  { GROUP "cpu/a/cpu.cfs_period_us", "100000\n" } },
			"0.25 CPUs" },
		{ { { "proc/self/cgroup", "2:cpuacct,cpu:/\n" }, { GROUP "cpu/cpu.cfs_quota_us", "-1\n" },
			  { GROUP "cpu/cpu.cfs_period_us", "100000\n" } },
			"none" },
		{ { { "proc/self/cgroup", "0::/\n" }, { GROUP "cgroup.controllers", "cpu\n" } }, NULL },
		{ { { "proc/self/cgroup", "garbage\n" }, { GROUP "cpu.max", "200000 100000\n" } }, NULL },
	};

	check_fact("cgroup-cpu-max", examples, ARRAY_SIZE(examples));
}

static void memory_limit(void)
{
	static const struct example examples[] = {
		{ { { "proc/self/cgroup", "0::/a\n" }, { GROUP "unified/a/memory.max", "2147483648\n" } }, "2048 MB" },
		{ { { "proc/self/cgroup", "0::/a\n" }, { GROUP "unified/a/memory.max", "max\n" } }, "none" },
		{ { { "proc/self/cgroup", "4:memory:/a\n0::/\n" },
			  { GROUP "memory/a/memory.limit_in_bytes", "9223372036854771712\n" } },
			"none" },
		{ { { "proc/self/cgroup", "4:memory:/a\n0::/\n" },
			  { GROUP "memory/a/memory.limit_in_bytes", "1048576\n" } },
			"1 MB" },
	};

	check_fact("cgroup-memory-max", examples, ARRAY_SIZE(examples));
}

static void task_limit(void)
{
	static const struct example examples[] = {
		{ { { "proc/self/cgroup", "0::/a/b\n" }, { GROUP "unified/a/pids.max", "4096\n" } }, "4096" },
		{ { { "proc/self/cgroup", "8:pids:/a\n0::/\n" }, { GROUP "pids/a/pids.max", "100\n" } }, "100" },
	};

	check_fact("cgroup-pids-max", examples, ARRAY_SIZE(examples));
}

static void group_path(void)
{
	static const struct example examples[] = {
		{ { { "proc/self/cgroup", "8:pids:/a\n0::/user.slice/x:y\n" } }, "/user.slice/x:y" },
		{ { { "proc/self/cgroup", "8:pids:/a\n" } }, NULL },
	};

	check_fact("cgroup", examples, ARRAY_SIZE(examples));
}

static void warnings(void)
{
	static const struct example examples[] = {
		{ { RELEASE, { "boot/config-6.1.0", "CONFIG_DEBUG_PREEMPT=y\n" } }, "debugging (DEBUG_PREEMPT)" },
		{ { RELEASE, { "boot/config-6.1.0", "CONFIG_HZ=1000\n" } }, NULL },
		{ { { "proc/sys/kernel/sched_schedstats", "1\n" } }, "kernel.sched_schedstats=0" },
		{ { { "proc/sys/kernel/sched_schedstats", "0\n" } }, NULL },
		{ { { "sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n" } },
			"clocksource hpet" },
		{ { { "sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n" } }, NULL },
		{ { { CPU "online", "0\n" }, { CPU "cpu0/cpufreq/scaling_governor", "powersave\n" } },
			"governor powersave" },
		{ { { CPU "online", "0\n" }, { CPU "cpu0/cpufreq/scaling_governor", "performance\n" } }, NULL },
		{ { { "proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor\n" } }, "virtual machine" },
		{ { { "proc/self/cgroup", "0::/\n" }, { GROUP "unified/cpu.max", "50000 100000\n" } }, "0.5 CPUs" },
		{ { { "proc/self/cgroup", "0::/\n" }, { GROUP "unified/cpu.max", "max 100000\n" } }, NULL },
		{ { { CPU "online", "0-3\n" }, { "proc/loadavg", "2.01 0 0 3/86 1\n" } }, "load 2.01 on 4 CPUs" },
		{ { { CPU "online", "0-3\n" }, { "proc/loadavg", "2.00 0 0 3/86 1\n" } }, NULL },
	};

	check_warning(examples, ARRAY_SIZE(examples));
}

static const struct test tests[] = {
	{ "facts that stand in a file are read from it", plain_files },
	{ "of a machine that tells nothing every fact is unknown and nothing is warned of", nothing },
	{ "on this machine every fact has one line and a key of its own", here },
	{ "the CPU model is the first, or what the architecture has in its place", cpu_model },
	{ "a virtual machine is known by its CPU flag", virtual_machine },
	{ "every governor of an online CPU is named once", governor },
	{ "mitigations are counted, with the boot option", mitigations },
	{ "the preemption model is what the kernel says now, or was given at boot", preemption },
	{ "the tick rate is of the running kernel's configuration", hz },
	{ "debugging is found in the configuration or by its signs", debugging },
	{ "the CPU limit is the lowest of the groups above, in both versions", cpu_limit },
	{ "the memory limit is read in both versions", memory_limit },
	{ "the task limit is read in both versions", task_limit },
	{ "the group is that of version 2", group_path },
	{ "what spoils a measurement is warned of, and nothing else", warnings },
};

TEST_MAIN(tests)
