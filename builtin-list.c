// SPDX-License-Identifier: GPL-2.0-only
/* What there is: the list of benchmarks, and the help pages that are made of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"

static const struct opt no_options[] = { OPT_END };

/* Words of a text, wrapped at 79 columns. */
static void print_wrapped(const char *text)
{
	size_t column = 0;

	while (*text) {
		size_t word = strcspn(text, " ");

		if (column && column + 1 + word > 79) {
			putchar('\n');
			column = 0;
		}
		column += (size_t)printf("%s%.*s", column ? " " : "", (int)word, text);
		text += word + strspn(text + word, " ");
	}
	putchar('\n');
}

static void print_terms(const char *title, const struct term *terms)
{
	printf("\n%s:\n", title);
	for (; terms->word; terms++)
		printf("  %-14s %s\n", terms->word, terms->meaning);
}

void help_benchmark(const struct entry *entry)
{
	const struct benchmark *benchmark = entry->benchmark;
	char *formats =
		xasprintf("One number (-f simple) is %s. A numeric option takes a list (1,2,4), a range (1-4) or "
			  "a doubling range (1-64*2): one row each.",
			benchmark->headline);

	printf("Usage: kbench [<common options>] %s %s [<options>]\n\n%s.\n\n", entry->collection, entry->name,
		benchmark->summary);
	print_wrapped(benchmark->about);
	if (benchmark->terms)
		print_terms(benchmark->terms_of, benchmark->terms);
	putchar('\n');
	print_wrapped(formats);
	printf("\nOptions:\n");
	opts_print_help(benchmark->options);
	free(formats);
}

void help_collection(const struct collection *collection)
{
	const struct entry *usual = collection_usual(collection);

	printf("Usage: kbench [<common options>] %s <benchmark> [<options>]\n\n%s:\n\n", collection->name,
		collection->summary);
	for (size_t i = 0; i < collection->count; i++)
		printf("  %-14s %s\n", collection->entries[i].name, collection->entries[i].benchmark->summary);
	printf("  %-14s %s\n", "all", "All of them, one after the other");
	if (usual)
		printf("\nWithout a benchmark: %s.\n", usual->name);
}

void help_all(const struct collection *collection)
{
	printf("Usage: kbench [<common options>] %s%sall\n\nRuns every benchmark of %s with its defaults. "
	       "What cannot run\nhere is skipped with the reason, and a failure does not end the others.\n",
		collection ? collection->name : "", collection ? " " : "",
		collection ? collection->name : "every collection");
}

void help_overview(const struct collections *collections, const struct opt *common)
{
	printf("Usage: kbench [<common options>] <collection> <benchmark> [<options>]\n"
	       "       kbench [<common options>] <command> [<options>]\n\nCollections:\n");
	for (size_t i = 0; i < collections->count; i++)
		printf("  %-14s %s\n", collections->list[i].name, collections->list[i].summary);
	printf("  %-14s %s\n", "all", "Every benchmark of every collection");
	printf("\nCommands:\n"
	       "  stat           Repeat any command: statistics, comparison\n"
	       "  compare        Is one set of runs different from another?\n"
	       "  list           List the benchmarks\n"
	       "  env            Show what decides a measurement on this machine\n"
	       "\nCommon options:\n");
	opts_print_help(common);
	printf("\n-h after a collection lists its benchmarks, after a benchmark its options;\n"
	       "'man kbench' has it all.\n");
}

static void list_collection(const struct collection *collection)
{
	printf("%s: %s\n", collection->name, collection->summary);
	for (size_t i = 0; i < collection->count; i++)
		printf("  %-14s %s\n  %-14s   (one operation: %s)\n", collection->entries[i].name,
			collection->entries[i].benchmark->summary, "", collection->entries[i].benchmark->operation);
}

/* For scripts: the words that run each benchmark. */
static void list_words(const struct collection *collection)
{
	for (size_t i = 0; i < collection->count; i++)
		printf("%s %s\n", collection->name, collection->entries[i].name);
}

int cmd_list(const struct common *common, int argc, char **argv)
{
	static const struct opt_strangers strangers = { .advice = "; a format stands before: kbench -f simple list" };
	struct optset *set = optset_new(no_options);
	bool help;

	die_context("list");
	optset_strangers(set, &strangers);
	optset_parse(set, argc, argv, false, &help);
	optset_free(set);
	if (common->format > FORMAT_SIMPLE)
		usage("-f %s: list has the formats default and simple", report_formats[common->format]);
	if (help) {
		printf("Usage: kbench [-f default|simple] list\n\nLists the benchmarks; with -f simple only the words "
		       "that run "
		       "each, one a line.\n");
		return EXIT_DONE;
	}
	for (size_t i = 0; i < common->collections->count; i++) {
		if (i && common->format == FORMAT_DEFAULT)
			putchar('\n');
		(common->format == FORMAT_SIMPLE ? list_words : list_collection)(&common->collections->list[i]);
	}
	return EXIT_DONE;
}
