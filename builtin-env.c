// SPDX-License-Identifier: GPL-2.0-only
/* kbench env: what decides measurements on this machine, besides the programs measured. */
#include <stdio.h>

#include "builtin.h"
#include "die.h"
#include "json.h"
#include "options.h"
#include "sysinfo.h"
#include "table.h"

static void print_help(void)
{
	puts("Usage: kbench [-f default|json] env\n"
	     "\n"
	     "Shows what decides measurements on this machine: the kernel, its configuration,\n"
	     "CPUs, memory and limits, n/a where that is not known; and warns of what spoils\n"
	     "them.");
}

static void print_text(const struct sysinfo *info)
{
	struct table *table = table_new(2);

	for (size_t i = 0; i < info->count; i++) {
		table_cell(table, true, "%s", info->facts[i].key);
		table_cell(table, true, "%s", info->facts[i].value ? info->facts[i].value : "n/a");
	}
	table_print(table, stdout, "");
	table_free(table);
	if (info->warning_count)
		putchar('\n');
	for (size_t i = 0; i < info->warning_count; i++)
		printf("warning: %s\n", info->warnings[i]);
}

static void print_json(const struct sysinfo *info)
{
	struct json json;

	json_begin(&json, stdout);
	json_object(&json, NULL);
	json_integer(&json, "schema", 1);
	json_string(&json, "kbench", KBENCH_VERSION);
	json_object(&json, "environment");
	for (size_t i = 0; i < info->count; i++)
		json_string(&json, info->facts[i].key, info->facts[i].value);
	json_object_end(&json);
	json_array(&json, "warnings");
	for (size_t i = 0; i < info->warning_count; i++)
		json_string(&json, NULL, info->warnings[i]);
	json_array_end(&json);
	json_object_end(&json);
	putchar('\n');
}

int cmd_env(const struct common *common, int argc, char **argv)
{
	static const struct opt options[] = { OPT_END };
	static const struct opt_strangers strangers = { .advice = "; a format stands before: kbench -f json env" };
	struct optset *set = optset_new(options);
	struct sysinfo *info;
	bool help = false;

	die_context("env");
	optset_strangers(set, &strangers);
	optset_parse(set, argc, argv, false, &help);
	optset_free(set);
	if (help) {
		print_help();
		return EXIT_DONE;
	}
	if (common->format == FORMAT_CSV)
		usage("there is no csv of it; -f default or json");
	info = sysinfo_read("");
	if (common->format == FORMAT_JSON)
		print_json(info);
	else
		print_text(info);
	sysinfo_free(info);
	return EXIT_DONE;
}
