// SPDX-License-Identifier: GPL-2.0-only
#include "kernel.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sysfile.h"
#include "wrap.h"

static char *read_config(const char *root)
{
	char *release = sysfile_word(root, "/proc/sys/kernel/osrelease"), *config = NULL;

	if (release)
		config = sysfile_text(root, "/boot/config-%s", release);
	if (release && !config)
		config = sysfile_text(root, "/lib/modules/%s/config", release);
	free(release);
	return config;
}

/* The value of CONFIG_NAME, on the heap; NULL: not set. */
static char *config_value(const char *config, const char *name)
{
	char *line = xasprintf("CONFIG_%s=", name);
	const char *value = config ? strstr(config, line) : NULL;

	if (value)
		value += strlen(line);
	free(line);
	return value ? xasprintf("%.*s", (int)strcspn(value, "\n"), value) : NULL;
}

static bool config_on(const char *config, const char *name)
{
	char *value = config_value(config, name);
	bool on = value && strcmp(value, "y") == 0;

	free(value);
	return on;
}

/* The value of the last NAME=VALUE of the kernel's command line; name ends in "=". */
static char *boot_option(const char *root, const char *name)
{
	char *text = sysfile_text(root, "/proc/cmdline"), *value = NULL, *rest = NULL;

	for (char *word = text ? strtok_r(text, " \n", &rest) : NULL; word; word = strtok_r(NULL, " \n", &rest)) {
		if (strcmp(word, "--") == 0)
			break;
		if (strncmp(word, name, strlen(name)) == 0) {
			free(value);
			value = xstrdup(word + strlen(name));
		}
	}
	free(text);
	return value;
}

static const char *configured_preemption(const char *config)
{
	static const struct {
		const char *option, *word;
	} models[] = {
		{ "PREEMPT_RT", "rt" },
		{ "PREEMPT_NONE", "none" },
		{ "PREEMPT_VOLUNTARY", "voluntary" },
		{ "PREEMPT_LAZY", "lazy" },
		{ "PREEMPT", "full" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(models); i++)
		if (config_on(config, models[i].option))
			return models[i].word;
	return NULL;
}

/* With PREEMPT_DYNAMIC the choice made when building holds until the command line or debugfs makes another. */
static char *dynamic_preemption(const char *root, const char *configured)
{
	char *chosen = boot_option(root, "preempt="), *model = NULL;

	if (chosen || configured)
		model = xasprintf("%s at boot", chosen ? chosen : configured);
	free(chosen);
	return model ? model : xstrdup("dynamic");
}

static char *built_preemption(const char *version, const char *configured)
{
	if (configured)
		return xstrdup(configured);
	if (strstr(version, "PREEMPT_RT"))
		return xstrdup("rt");
	return xstrdup(strstr(version, "PREEMPT") ? "full" : "none or voluntary");
}

char *kernel_preemption(const char *root)
{
	char *model = sysfile_marked(root, "/sys/kernel/debug/sched/preempt");
	char *version = sysfile_line(root, "/proc/sys/kernel/version");
	char *config = read_config(root);

	if (!model && version) {
		const char *configured = configured_preemption(config);

		if (strstr(version, "PREEMPT_DYNAMIC"))
			model = dynamic_preemption(root, configured);
		else
			model = built_preemption(version, configured);
	}
	free(config);
	free(version);
	return model;
}

char *kernel_hz(const char *root)
{
	char *config = read_config(root), *hz = config_value(config, "HZ");
	struct timespec tick;

	free(config);
	/* The coarse clock of this machine goes forward once a tick. */
	if (!hz && *root == '\0' && clock_getres(CLOCK_MONOTONIC_COARSE, &tick) == 0 && tick.tv_nsec > 0)
		hz = xasprintf("%.0f", 1e9 / (double)tick.tv_nsec);
	return hz;
}

/* Options that cost time in every kernel built with them, and a file that says 1 where there is such a one. */
static const struct {
	const char *option, *sign;
} debugging[] = {
	{ "PROVE_LOCKING", "/proc/sys/kernel/prove_locking" },
	{ "LOCK_STAT", "/proc/sys/kernel/lock_stat" },
	{ "DEBUG_SPINLOCK", NULL },
	{ "DEBUG_MUTEXES", NULL },
	{ "DEBUG_ATOMIC_SLEEP", NULL },
	{ "DEBUG_PREEMPT", NULL },
	{ "PREEMPT_TRACER", NULL },
	{ "IRQSOFF_TRACER", NULL },
	{ "KASAN", NULL },
	{ "KCSAN", NULL },
	{ "KMSAN", NULL },
	{ "KCOV", NULL },
	{ "GCOV_KERNEL", NULL },
	{ "DEBUG_VM", NULL },
	{ "DEBUG_OBJECTS", NULL },
	{ "DEBUG_KMEMLEAK", NULL },
	{ "DEBUG_PAGEALLOC_ENABLE_DEFAULT", NULL },
	{ "PAGE_TABLE_CHECK_ENFORCED", NULL },
	{ "SLUB_DEBUG_ON", "/sys/kernel/slab/kmalloc-64/sanity_checks" },
};

char *kernel_debugging(const char *root)
{
	char *config = read_config(root), *list = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(debugging); i++) {
		const char *option = debugging[i].option, *sign = debugging[i].sign;
		char *longer;

		if (!config_on(config, option) && !(sign && sysfile_is(root, sign, "1")))
			continue;
		longer = list ? xasprintf("%s, %s", list, option) : xstrdup(option);
		free(list);
		list = longer;
	}
	if (!list && config)
		list = xstrdup("none");
	free(config);
	return list;
}

/* Mitigated ones may also name a rest: "Mitigation: Clear CPU buffers; SMT vulnerable". */
static void count_fault(const char *state, unsigned *mitigated, unsigned *vulnerable)
{
	if (strncmp(state, "Not affected", strlen("Not affected")) == 0)
		return;
	if (strstr(state, "Mitigation"))
		++*mitigated;
	else if (strstr(state, "ulnerable"))
		++*vulnerable;
}

char *kernel_mitigations(const char *root)
{
	static const char folder[] = "/sys/devices/system/cpu/vulnerabilities";
	char *path = xasprintf("%s%s", root, folder), *option, *sum;
	unsigned mitigated = 0, vulnerable = 0;
	DIR *directory = opendir(path);

	free(path);
	if (!directory)
		return NULL;
	for (struct dirent *entry; (entry = readdir(directory));) {
		char *state = sysfile_text(root, "%s/%s", folder, entry->d_name);

		if (state)
			count_fault(state, &mitigated, &vulnerable);
		free(state);
	}
	closedir(directory);
	option = boot_option(root, "mitigations=");
	sum = xasprintf("%u mitigated, %u vulnerable%s%s", mitigated, vulnerable, option ? ", mitigations=" : "",
		option ? option : "");
	free(option);
	return sum;
}
