// SPDX-License-Identifier: GPL-2.0-only
/* The list of benchmarks: what holds for every row of it. No benchmark is named here, but self nop, the template. */
#include <string.h>

#include "collections.h"
#include "test.h"

typedef void visit_fn(const struct collection *collection, const struct entry *entry);

static void visit_all(visit_fn *visit)
{
	struct collections *collections = collections_load();

	CHECK(collections->count > 0);
	for (size_t i = 0; i < collections->count; i++) {
		CHECK(collections->list[i].count > 0);
		for (size_t k = 0; k < collections->list[i].count; k++)
			visit(&collections->list[i], &collections->list[i].entries[k]);
	}
	collections_free(collections);
}

/* A word as it is typed: no blank, no capital, no underscore. */
static bool is_word(const char *text)
{
	return *text && *text != '-' && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(text);
}

static void check_words(const struct collection *collection, const struct entry *entry)
{
	CHECK(is_word(collection->name));
	CHECK(is_word(entry->name));
	CHECK_TEXT(entry->collection, collection->name);
	CHECK(strcmp(collection->name, "all") != 0);
	CHECK(strcmp(entry->name, "all") != 0);
}

static void test_words(void)
{
	visit_all(check_words);
}

static void check_found(const struct collection *collection, const struct entry *entry)
{
	CHECK(collection_entry(collection, entry->name) == entry);
}

/* The first of a name is found: so each name stands once. */
static void test_found(void)
{
	struct collections *collections = collections_load();

	for (size_t i = 0; i < collections->count; i++)
		CHECK(collection_find(collections, collections->list[i].name) == &collections->list[i]);
	visit_all(check_found);
	collections_free(collections);
}

static void test_not_found(void)
{
	static const char *const words[] = { "", "nothing", "sel", "selfs", "SELF", "self nop" };
	struct collections *collections = collections_load();
	const struct collection *self = collection_find(collections, "self");

	CHECK(self != NULL);
	CHECK(collection_entry(self, "nop") != NULL);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		CHECK(collection_find(collections, words[i]) == NULL);
		CHECK(collection_entry(self, words[i]) == NULL);
	}
	CHECK(collection_entry(self, "self") == NULL);
	collections_free(collections);
}

static void test_usual(void)
{
	struct collections *collections = collections_load();

	for (size_t i = 0; i < collections->count; i++) {
		const struct collection *collection = &collections->list[i];
		const struct entry *usual = collection_usual(collection);

		if (collection->count == 1)
			CHECK(usual == &collection->entries[0]);
		else if (collection->usual)
			CHECK(usual && strcmp(usual->name, collection->usual) == 0);
		else
			CHECK(usual == NULL);
	}
	collections_free(collections);
}

static void test_usual_chosen(void)
{
	struct entry entries[] = { { .name = (char[]){ "one" } }, { .name = (char[]){ "two" } } };
	struct collection collection = { .count = 2, .entries = entries };

	CHECK(collection_usual(&collection) == NULL);
	collection.usual = "two";
	CHECK(collection_usual(&collection) == &entries[1]);
	collection.count = 1;
	collection.usual = NULL;
	CHECK(collection_usual(&collection) == &entries[0]);
}

static bool ends_in(const char *text, char last)
{
	return text && *text && text[strlen(text) - 1] == last;
}

static void check_described(const struct collection *collection, const struct entry *entry)
{
	const struct benchmark *benchmark = entry->benchmark;

	CHECK(collection->summary && *collection->summary);
	CHECK(benchmark->summary && *benchmark->summary && !strchr(benchmark->summary, '\n'));
	CHECK(!ends_in(benchmark->summary, '.'));
	CHECK(strlen(benchmark->summary) <= 63); /* beside the name in 80 columns */
	CHECK(benchmark->operation && *benchmark->operation && !ends_in(benchmark->operation, '.'));
	CHECK(ends_in(benchmark->about, '.'));
	CHECK(!strstr(benchmark->about, "  "));
	CHECK(benchmark->headline && *benchmark->headline);
}

static void test_described(void)
{
	visit_all(check_described);
}

static void check_complete(const struct collection *collection, const struct entry *entry)
{
	(void)collection;
	CHECK(entry->benchmark->setup != NULL);
	CHECK(entry->benchmark->report != NULL);
	CHECK(entry->benchmark->options != NULL);
}

static void test_complete(void)
{
	visit_all(check_complete);
}

/* Clashes of letters and names, and a default out of its range, are a BUG that ends the test. */
static void check_options(const struct collection *collection, const struct entry *entry)
{
	struct optset *set = optset_new(entry->benchmark->options);

	(void)collection;
	CHECK_UINT(optset_rows(set), 1);
	for (const struct opt *opt = entry->benchmark->options; opt->type != OPT_TYPE_END; opt++) {
		CHECK(opt->help && *opt->help && !ends_in(opt->help, '.'));
		CHECK(opt->type == OPT_TYPE_FLAG || opt->argument);
	}
	optset_free(set);
}

static void test_options(void)
{
	visit_all(check_options);
}

static const struct test tests[] = {
	{ "collections and benchmarks have words that can be typed", test_words },
	{ "each is found by its word, which is no other's", test_found },
	{ "what is not listed is not found", test_not_found },
	{ "the usual benchmark of a collection is one of it", test_usual },
	{ "where there is one benchmark it is the usual one", test_usual_chosen },
	{ "every benchmark says what it does and counts", test_described },
	{ "every benchmark has what a run calls", test_complete },
	{ "every table of options is sound", test_options },
};

TEST_MAIN(tests)
