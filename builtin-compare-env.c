// SPDX-License-Identifier: GPL-2.0-only
/* What differs between the machines and kernels of two record files, before anything is concluded from their numbers. */
#include <stdlib.h>
#include <string.h>

#include "builtin-compare.h"
#include "wrap.h"

/* They differ between any two moments, and say nothing about a difference in the numbers. */
static const char *const passing[] = { "date", "load", "tasks-running", "memory-available", "boot-id", "kbench-record",
	"command", "seed" };

/* What is a kernel: where one of these differs, the kernels are most likely what is compared. */
static const char *const kernel_keys[] = { "kernel", "kernel-version" };

/* "command-2" and so on: the commands of kbench stat are what rows are of, and no circumstance of them. */
#define COMMAND "command-"

static bool is_numbered_command(const char *key)
{
	const char *number = key + strlen(COMMAND);

	return !strncmp(key, COMMAND, strlen(COMMAND)) && *number && !number[strspn(number, "0123456789")];
}

static bool is_one_of(const char *const *words, size_t count, const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(words[i], key) == 0)
			return true;
	return false;
}

static bool is_passing(const char *key)
{
	return is_one_of(passing, ARRAY_SIZE(passing), key);
}

static const struct record_fact *find_fact(const struct record *record, const char *key)
{
	for (size_t i = 0; i < record->fact_count; i++)
		if (strcmp(record->facts[i].key, key) == 0)
			return &record->facts[i];
	return NULL;
}

/* "performance", or "performance and powersave" where it changed within the file; "n/a": not recorded. */
static char *values_text(const struct record_fact *fact)
{
	char *text = xstrdup(fact && fact->value_count ? fact->values[0] : "n/a");

	for (size_t i = 1; fact && i < fact->value_count; i++) {
		char *longer = xasprintf("%s and %s", text, fact->values[i]);

		free(text);
		text = longer;
	}
	return text;
}

static bool has_value(const struct record_fact *fact, const char *value)
{
	for (size_t i = 0; i < fact->value_count; i++)
		if (strcmp(fact->values[i], value) == 0)
			return true;
	return false;
}

/* The same values, whichever came first. */
static bool is_same(const struct record_fact *a, const struct record_fact *b)
{
	size_t count = a ? a->value_count : 0;

	if (count != (b ? b->value_count : 0))
		return false;
	for (size_t i = 0; i < count; i++)
		if (!has_value(b, a->values[i]))
			return false;
	return true;
}

static void say(enum compare_format format, const char *kind, char *text)
{
	report_compare_notice(format, kind, text);
	free(text);
}

/* What differs, beside the kernel: it may be what is compared, or spoil it. */
struct differences {
	bool kernel;
	size_t others;
	const char *last;
};

static void compare_fact(const struct record *base, const struct record *new, const char *key,
	enum compare_format format, struct differences *found)
{
	const struct record_fact *of_base = find_fact(base, key), *of_new = find_fact(new, key);
	char *a = values_text(of_base), *b = values_text(of_new);

	if (!is_same(of_base, of_new)) {
		say(format, "differs", xasprintf("differs: %s: %s -> %s", key, a, b));
		if (is_one_of(kernel_keys, ARRAY_SIZE(kernel_keys), key)) {
			found->kernel = true;
		} else if (!is_numbered_command(key)) {
			found->others++;
			found->last = key;
		}
	}
	free(a);
	free(b);
}

static void compare_two(const struct record *base, const struct record *new, enum compare_format format)
{
	struct differences found = { 0 };

	for (size_t i = 0; i < base->fact_count; i++)
		if (!is_passing(base->facts[i].key))
			compare_fact(base, new, base->facts[i].key, format, &found);
	for (size_t i = 0; i < new->fact_count; i++)
		if (!is_passing(new->facts[i].key) && !find_fact(base, new->facts[i].key))
			compare_fact(base, new, new->facts[i].key, format, &found);
	if (found.kernel && found.others)
		say(format, "warning",
			xasprintf(
				"warning: besides the kernel %zu other fact%s: if that is not what you compare, it spoils the "
				"comparison",
				found.others, found.others == 1 ? " differs" : "s differ"));
	else if (found.others > 1)
		say(format, "warning",
			xasprintf("warning: %zu facts differ: only one of them can be what you compare", found.others));
}

static void look_within(const struct record *record, enum compare_format format)
{
	for (size_t i = 0; i < record->fact_count; i++) {
		const struct record_fact *fact = &record->facts[i];

		if (fact->value_count > 1 && !is_passing(fact->key) && !is_numbered_command(fact->key))
			say(format, "warning",
				xasprintf("warning: %s: %s changes within the file: %zu values", record->path,
					fact->key, fact->value_count));
	}
}

void compare_environments(const struct compare_files *files, enum compare_format format)
{
	for (size_t i = 0; i < files->count; i++)
		look_within(files->records[i], format);
	for (size_t i = 1; i < files->count; i++)
		compare_two(files->records[0], files->records[i], format);
}
