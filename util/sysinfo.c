// SPDX-License-Identifier: GPL-2.0-only
#include "sysinfo.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cgroup.h"
#include "cpus.h"
#include "die.h"
#include "kernel.h"
#include "sysfile.h"
#include "wrap.h"

/* System calls tell of this machine only, and a root may be another one. */
static bool is_live(const char *root)
{
	return *root == '\0';
}

static char *read_machine(const char *root)
{
	struct utsname name;

	if (!is_live(root))
		return sysfile_word(root, "/proc/sys/kernel/arch");
	return uname(&name) == 0 ? xstrdup(name.machine) : NULL;
}

/* Switches that have more than two positions keep the numbers of the others. */
static char *read_on_off(const char *root, const char *path)
{
	if (sysfile_is(root, path, "1"))
		return xstrdup("on");
	return sysfile_is(root, path, "0") ? xstrdup("off") : sysfile_word(root, path);
}

/* The value of the first line "KEY<tabs>: VALUE" of /proc/cpuinfo. */
static char *cpuinfo_value(const char *root, const char *key)
{
	char *text = sysfile_text(root, "/proc/cpuinfo"), *start = xasprintf("\n%s\t", key);
	char *line = text ? strstr(text, start) : NULL, *colon = line ? strchr(line, ':') : NULL, *value = NULL;

	if (colon) {
		colon += 1 + strspn(colon + 1, " ");
		value = xasprintf("%.*s", (int)strcspn(colon, "\n"), colon);
	}
	free(start);
	free(text);
	return value;
}

static char *read_cpu_model(const char *root)
{
	char *model = cpuinfo_value(root, "model name"), *implementer, *part;

	if (!model)
		model = cpuinfo_value(root, "cpu"); /* powerpc */
	if (model)
		return model;
	implementer = cpuinfo_value(root, "CPU implementer"); /* aarch64 */
	part = cpuinfo_value(root, "CPU part");
	if (implementer && part)
		model = xasprintf("implementer %s part %s", implementer, part);
	free(part);
	free(implementer);
	return model;
}

/* x86 alone has a word for it. */
static char *read_virtual(const char *root)
{
	char *flags = cpuinfo_value(root, "flags");
	bool virtual = flags && strstr(flags, " hypervisor");

	if (!flags)
		return NULL;
	free(flags);
	return xstrdup(virtual ? "yes" : "no");
}

static char *read_cpus_allowed(const char *root)
{
	struct cpus allowed;
	char text[256];

	if (!is_live(root))
		return NULL;
	cpus_allowed(&allowed);
	return xstrdup(cpus_format(&allowed, text, sizeof(text)));
}

static void online_cpus(const char *root, struct cpus *online)
{
	char *text = sysfile_text(root, "/sys/devices/system/cpu/online");

	if (!text || !cpus_parse(text, online))
		cpus_clear(online);
	free(text);
}

/* Every governor in use, once. */
static char *read_governor(const char *root)
{
	struct cpus online;
	char *list = NULL;

	online_cpus(root, &online);
	for (int cpu = cpus_next(&online, 0); cpu >= 0; cpu = cpus_next(&online, (unsigned)cpu + 1)) {
		char *governor = sysfile_text(root, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu);

		if (governor && !(list && strstr(list, governor))) {
			char *longer = list ? xasprintf("%s, %s", list, governor) : xstrdup(governor);

			free(list);
			list = longer;
		}
		free(governor);
	}
	return list;
}

static char *read_boost(const char *root)
{
	if (sysfile_is(root, "/sys/devices/system/cpu/intel_pstate/no_turbo", "0"))
		return xstrdup("on");
	if (sysfile_is(root, "/sys/devices/system/cpu/intel_pstate/no_turbo", "1"))
		return xstrdup("off");
	return read_on_off(root, "/sys/devices/system/cpu/cpufreq/boost");
}

static char *read_meminfo(const char *root, const char *key)
{
	char *text = sysfile_text(root, "/proc/meminfo"), *line = text ? strstr(text, key) : NULL;
	uint64_t kilobytes;
	bool known = line && sscanf(line + strlen(key), "%" SCNu64 " kB", &kilobytes) == 1;

	free(text);
	if (!known)
		return NULL;
	if (kilobytes < 1 << 20)
		return xasprintf("%" PRIu64 " MB", kilobytes >> 10);
	return xasprintf("%.1f GB", (double)kilobytes / (1 << 20));
}

static char *read_page_size(const char *root)
{
	return is_live(root) ? xasprintf("%ld KB", sysconf(_SC_PAGESIZE) / 1024) : NULL;
}

static char *limit_text(double limit, char *text)
{
	if (isnan(limit)) {
		free(text);
		return NULL;
	}
	if (isfinite(limit))
		return text;
	free(text);
	return xstrdup("none");
}

static char *read_cpu_limit(const char *root)
{
	double cpus = cgroup_lowest(root, CGROUP_CPU);

	return limit_text(cpus, xasprintf("%g CPUs", cpus));
}

static char *read_memory_limit(const char *root)
{
	double bytes = cgroup_lowest(root, CGROUP_MEMORY);

	return limit_text(bytes, xasprintf("%.0f MB", bytes / (1 << 20)));
}

static char *read_task_limit(const char *root)
{
	double tasks = cgroup_lowest(root, CGROUP_PIDS);

	return limit_text(tasks, xasprintf("%.0f", tasks));
}

/* "0.00 0.01 0.05 RUNNING/ALL LAST" */
static char *read_tasks_running(const char *root)
{
	char *text = sysfile_text(root, "/proc/loadavg"), *slash = text ? strchr(text, '/') : NULL, *running = NULL;

	if (slash) {
		*slash = '\0';
		running = strrchr(text, ' ');
	}
	running = running ? xstrdup(running + 1) : NULL;
	free(text);
	return running;
}

/* A fact is computed, or taken from one file (of_file), in this order on the page. */
static const struct source {
	const char *key;
	char *(*compute)(const char *root);
	char *(*of_file)(const char *root, const char *path);
	const char *path;
} sources[] = {
	{ "kernel", NULL, sysfile_word, "/proc/sys/kernel/osrelease" },
	{ "kernel-version", NULL, sysfile_line, "/proc/sys/kernel/version" },
	{ "machine", read_machine, NULL, NULL },
	{ "preemption", kernel_preemption, NULL, NULL },
	{ "hz", kernel_hz, NULL, NULL },
	{ "config-debug", kernel_debugging, NULL, NULL },
	{ "mitigations", kernel_mitigations, NULL, NULL },
	{ "schedstats", NULL, read_on_off, "/proc/sys/kernel/sched_schedstats" },
	{ "numa-balancing", NULL, read_on_off, "/proc/sys/kernel/numa_balancing" },
	{ "aslr", NULL, sysfile_word, "/proc/sys/kernel/randomize_va_space" },
	{ "perf-event-paranoid", NULL, sysfile_word, "/proc/sys/kernel/perf_event_paranoid" },
	{ "cpu-model", read_cpu_model, NULL, NULL },
	{ "cpus-online", NULL, sysfile_word, "/sys/devices/system/cpu/online" },
	{ "cpus-allowed", read_cpus_allowed, NULL, NULL },
	{ "nodes", NULL, sysfile_word, "/sys/devices/system/node/online" },
	{ "smt", NULL, read_on_off, "/sys/devices/system/cpu/smt/active" },
	{ "governor", read_governor, NULL, NULL },
	{ "boost", read_boost, NULL, NULL },
	{ "clocksource", NULL, sysfile_word, "/sys/devices/system/clocksource/clocksource0/current_clocksource" },
	{ "virtual-machine", read_virtual, NULL, NULL },
	{ "memory-total", NULL, read_meminfo, "MemTotal:" },
	{ "memory-available", NULL, read_meminfo, "MemAvailable:" },
	{ "swap", NULL, read_meminfo, "SwapTotal:" },
	{ "page-size", read_page_size, NULL, NULL },
	{ "thp", NULL, sysfile_marked, "/sys/kernel/mm/transparent_hugepage/enabled" },
	{ "thp-defrag", NULL, sysfile_marked, "/sys/kernel/mm/transparent_hugepage/defrag" },
	{ "cgroup", cgroup_path, NULL, NULL },
	{ "cgroup-cpu-max", read_cpu_limit, NULL, NULL },
	{ "cgroup-memory-max", read_memory_limit, NULL, NULL },
	{ "cgroup-pids-max", read_task_limit, NULL, NULL },
	{ "load", NULL, sysfile_word, "/proc/loadavg" },
	{ "tasks-running", read_tasks_running, NULL, NULL },
};

static void add_warning(struct sysinfo *info, const char *format, ...) PRINTF_LIKE(2, 3);
static void add_warning(struct sysinfo *info, const char *format, ...)
{
	char text[512];
	va_list arguments;

	if (info->warning_count == ARRAY_SIZE(info->warnings))
		BUG("more than %zu warnings", info->warning_count);
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	info->warnings[info->warning_count++] = xstrdup(text);
}

static bool fact_is(const struct sysinfo *info, const char *key, const char *value)
{
	const char *known = sysinfo_get(info, key);

	return known && strcmp(known, value) == 0;
}

static void warn_of_kernel(struct sysinfo *info)
{
	/* To read these takes a system call, and a slow one. */
	static const char *const slow_clocks[] = { "hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit", "xen" };
	const char *debugging = sysinfo_get(info, "config-debug");

	if (debugging && strcmp(debugging, "none") != 0)
		add_warning(info, "a kernel with debugging (%s): measure one built without", debugging);
	if (fact_is(info, "schedstats", "on"))
		add_warning(info, "schedstats cost time in every switch: sysctl kernel.sched_schedstats=0");
	for (size_t i = 0; i < ARRAY_SIZE(slow_clocks); i++)
		if (fact_is(info, "clocksource", slow_clocks[i]))
			add_warning(info, "clocksource %s is slow to read: see why the kernel refused tsc (dmesg)",
				slow_clocks[i]);
}

static void warn_of_cpus(struct sysinfo *info)
{
	const char *governor = sysinfo_get(info, "governor");

	if (governor && strcmp(governor, "performance") != 0)
		add_warning(
			info, "governor %s changes the clock rate: cpupower frequency-set -g performance", governor);
	if (fact_is(info, "virtual-machine", "yes"))
		add_warning(info, "a virtual machine: its host adds noise; repeat runs with -r");
}

static void warn_of_others(struct sysinfo *info, const char *root)
{
	const char *limit = sysinfo_get(info, "cgroup-cpu-max"), *load = sysinfo_get(info, "load");
	struct cpus online;
	unsigned count;

	if (limit && strcmp(limit, "none") != 0)
		add_warning(info, "the cgroup is throttled beyond %s: raise or remove its cpu.max", limit);
	online_cpus(root, &online);
	count = cpus_count(&online);
	if (load && count && strtod(load, NULL) > 0.5 * count)
		add_warning(info, "load %s on %u CPUs: stop what else runs, or wait for its end", load, count);
}

struct sysinfo *sysinfo_read(const char *root)
{
	struct sysinfo *info = xcalloc(1, sizeof(*info));

	_Static_assert(ARRAY_SIZE(sources) <= ARRAY_SIZE(info->facts), "room for every fact");
	for (const struct source *source = sources; source < sources + ARRAY_SIZE(sources); source++) {
		struct fact *fact = &info->facts[info->count++];

		fact->key = source->key;
		fact->value = source->compute ? source->compute(root) : source->of_file(root, source->path);
	}
	warn_of_kernel(info);
	warn_of_cpus(info);
	warn_of_others(info, root);
	return info;
}

void sysinfo_free(struct sysinfo *info)
{
	for (size_t i = 0; i < info->count; i++)
		free(info->facts[i].value);
	for (size_t i = 0; i < info->warning_count; i++)
		free(info->warnings[i]);
	free(info);
}

const char *sysinfo_get(const struct sysinfo *info, const char *key)
{
	for (size_t i = 0; i < info->count; i++)
		if (strcmp(info->facts[i].key, key) == 0)
			return info->facts[i].value;
	return NULL;
}
