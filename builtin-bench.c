// SPDX-License-Identifier: GPL-2.0-only
/* Which benchmarks, with what options. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-bench.h"
#include "nearest.h"

static enum verdict run_default(struct session *session, const struct entry *entry, struct outcome *outcome)
{
	struct optset *set = optset_new(entry->benchmark->options);
	enum verdict verdict = run_benchmark(session, entry, set, outcome);

	optset_free(set);
	return verdict;
}

static int run_collections(struct session *session, const struct collection *list, size_t count)
{
	struct outcome *outcome = xcalloc(1, sizeof(*outcome));
	enum verdict worst = DONE;
	int status = EXIT_DONE;

	for (size_t i = 0; i < count && worst != INTERRUPTED; i++)
		for (size_t k = 0; k < list[i].count && worst != INTERRUPTED; k++) {
			enum verdict verdict = run_default(session, &list[i].entries[k], outcome);

			worst = verdict > worst ? verdict : worst;
		}
	if (worst == INTERRUPTED)
		status = EXIT_SIGNAL + outcome->signal;
	else if (worst == FAILED)
		status = EXIT_FAILED;
	free(outcome);
	return status;
}

static int run_one(struct session *session, const struct entry *entry, const struct optset *set)
{
	struct outcome *outcome = xcalloc(1, sizeof(*outcome));
	enum verdict verdict = run_benchmark(session, entry, set, outcome);
	const int statuses[] = {
		[DONE] = EXIT_DONE,
		[SKIPPED] = EXIT_SKIPPED,
		[FAILED] = EXIT_FAILED,
		[INTERRUPTED] = EXIT_SIGNAL + outcome->signal,
	};

	free(outcome);
	return statuses[verdict];
}

static bool asks_for_help(const char *word)
{
	return strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0;
}

/* A common option after the words is answered with its place. */
static struct opt_strangers strangers_of(const struct common *common, const char *words)
{
	return (struct opt_strangers){ .elsewhere = common->options, .before = "the collection", .words = words };
}

/* Of one collection, or with NULL of every one. argv[0] is "all". */
static int bench_all(const struct common *common, const struct collection *collection, int argc, char **argv)
{
	const struct collections *every = common->collections;
	struct opt_strangers strangers;
	struct session session;
	char words[128];
	int status;

	if (argc > 1 && asks_for_help(argv[1])) {
		help_all(collection);
		return EXIT_DONE;
	}
	snprintf(words, sizeof(words), "%s%sall", collection ? collection->name : "", collection ? " " : "");
	strangers = strangers_of(common, words);
	if (argc > 1)
		opts_stranger(&strangers, argv[1]);
	if (argc > 1)
		usage("'%s': all runs every benchmark with its defaults and takes no options", argv[1]);
	session_begin(&session, common, true);
	status = collection ? run_collections(&session, collection, 1)
			    : run_collections(&session, every->list, every->count);
	session_end(&session);
	return status;
}

static int bench_one(const struct common *common, const struct entry *entry, int argc, char **argv)
{
	struct optset *set = optset_new(entry->benchmark->options);
	char words[128];
	struct opt_strangers strangers = strangers_of(common, words);
	struct session session;
	bool help;
	int status = EXIT_DONE, first;

	snprintf(words, sizeof(words), "%s %s", entry->collection, entry->name);
	die_context(words);
	optset_strangers(set, &strangers);
	first = optset_parse(set, argc, argv, false, &help);
	if (!help && first < argc)
		usage("unexpected word '%s'", argv[first]);
	if (help && optset_menu(set)) {
		opts_print_menu(optset_menu(set));
	} else if (help) {
		help_benchmark(entry);
	} else {
		session_begin(&session, common, false);
		status = run_one(&session, entry, set);
		session_end(&session);
	}
	optset_free(set);
	die_context(NULL);
	return status;
}

static noreturn void unknown_benchmark(const struct collection *collection, const char *word)
{
	const char *candidates[64];
	const char *near;
	size_t count = 0;

	for (; count < collection->count && count < ARRAY_SIZE(candidates) - 1; count++)
		candidates[count] = collection->entries[count].name;
	candidates[count++] = "all";
	near = nearest(word, candidates, count);
	if (near)
		usage("collection %s has no benchmark '%s'; did you mean '%s'?", collection->name, word, near);
	usage("collection %s has no benchmark '%s'; 'kbench %s -h' lists them", collection->name, word,
		collection->name);
}

int cmd_bench(const struct common *common, int argc, char **argv)
{
	const struct collection *collection = collection_find(common->collections, argv[0]);
	const struct opt_strangers strangers = strangers_of(common, argv[0]);
	const struct entry *entry;

	if (!collection)
		return bench_all(common, NULL, argc, argv);
	entry = collection_usual(collection);
	if ((argc == 1 && !entry) || (argc > 1 && asks_for_help(argv[1]))) {
		help_collection(collection);
		return EXIT_DONE;
	}
	if (argc == 1 || argv[1][0] == '-') {
		if (!entry)
			opts_stranger(&strangers, argv[1]);
		if (!entry)
			usage("'%s' comes after the benchmark; 'kbench %s -h' lists those of %s", argv[1], argv[0],
				argv[0]);
		return bench_one(common, entry, argc, argv);
	}
	if (strcmp(argv[1], "all") == 0)
		return bench_all(common, collection, argc - 1, argv + 1);
	entry = collection_entry(collection, argv[1]);
	if (!entry)
		unknown_benchmark(collection, argv[1]);
	return bench_one(common, entry, argc - 1, argv + 1);
}
