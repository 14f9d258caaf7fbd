// SPDX-License-Identifier: GPL-2.0-only
#include "collections.h"

#include <stdlib.h>
#include <string.h>

/* The first reading of benchmarks.h: what the benchmark files export. */
#define COLLECTION(collection, summary, usual)
#define BENCHMARK(collection, name) extern const struct benchmark benchmark_##collection##_##name;
#include "benchmarks.h"
#undef COLLECTION
#undef BENCHMARK

/* The second: its rows. */
static const struct row {
	const char *collection, *summary, *usual;
	const char *name; /* NULL in the row of a collection */
	const struct benchmark *benchmark;
} rows[] = {
#define COLLECTION(word, text, benchmark) { .collection = #word, .summary = (text), .usual = (benchmark) },
#define BENCHMARK(word, title)            { .collection = #word, .name = #title, .benchmark = &benchmark_##word##_##title },
#include "benchmarks.h"
};

/* An identifier of C as a command word. */
static char *word_of(const char *identifier)
{
	char *word = xstrdup(identifier);

	for (char *underscore = word; (underscore = strchr(underscore, '_'));)
		*underscore = '-';
	return word;
}

static void add_collection(struct collections *collections, const struct row *row)
{
	struct collection *added;

	collections->list = xrealloc(collections->list, (collections->count + 1) * sizeof(*collections->list));
	added = &collections->list[collections->count++];
	*added = (struct collection){ .name = word_of(row->collection), .summary = row->summary, .usual = row->usual };
}

static void add_entry(struct collection *collection, const struct row *row)
{
	collection->entries = xrealloc(collection->entries, (collection->count + 1) * sizeof(*collection->entries));
	collection->entries[collection->count++] = (struct entry){
		.collection = collection->name,
		.name = word_of(row->name),
		.benchmark = row->benchmark,
	};
}

struct collections *collections_load(void)
{
	struct collections *collections = xcalloc(1, sizeof(*collections));

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!rows[i].name) {
			add_collection(collections, &rows[i]);
			continue;
		}
		if (strcmp(rows[i].collection, rows[i - 1].collection) != 0)
			BUG("%s %s does not stand below its collection", rows[i].collection, rows[i].name);
		add_entry(&collections->list[collections->count - 1], &rows[i]);
	}
	return collections;
}

void collections_free(struct collections *collections)
{
	for (size_t i = 0; i < collections->count; i++) {
		struct collection *collection = &collections->list[i];

		for (size_t k = 0; k < collection->count; k++)
			free(collection->entries[k].name);
		free(collection->entries);
		free(collection->name);
	}
	free(collections->list);
	free(collections);
}

const struct collection *collection_find(const struct collections *collections, const char *name)
{
	for (size_t i = 0; i < collections->count; i++)
		if (strcmp(collections->list[i].name, name) == 0)
			return &collections->list[i];
	return NULL;
}

const struct entry *collection_entry(const struct collection *collection, const char *name)
{
	for (size_t i = 0; i < collection->count; i++)
		if (strcmp(collection->entries[i].name, name) == 0)
			return &collection->entries[i];
	return NULL;
}

const struct entry *collection_usual(const struct collection *collection)
{
	if (collection->count == 1)
		return &collection->entries[0];
	return collection->usual ? collection_entry(collection, collection->usual) : NULL;
}
