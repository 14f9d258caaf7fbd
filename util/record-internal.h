// SPDX-License-Identifier: GPL-2.0-only
/* Between the files of util/record. */
#ifndef KBENCH_RECORD_INTERNAL_H
#define KBENCH_RECORD_INTERNAL_H

#include <stdio.h>

#include "record.h"

#define RECORD_START   "# kbench-record: 1" /* a block begins: nothing that was said before holds */
#define RECORD_METRICS 1024                 /* the most that a line may have */

/* A value of a name or of "# run:": what would not read back stands as %XX. */
void record_put_value(FILE *out, const char *value);

/* Texts, each kept once. They are numbered from 0 in the order of their first sight and never move. */
struct texts {
	struct text {
		const char *text; /* terminated; of a text with NUL bytes length counts */
		uint32_t length, hash;
	} * list;
	size_t count;
	size_t *slots; /* number plus 1, 0: free */
	size_t slot_count;
	struct text_block *blocks;
	char *room;
	size_t room_left;
};

/* The number of a text, which may be new: then it is the old count. More than 4 GB in one is a BUG. */
size_t texts_number(struct texts *texts, const char *text, size_t length);
/* The number, or the count where it was never seen. */
size_t texts_find(const struct texts *texts, const char *text, size_t length);
void texts_release(struct texts *texts);

/* An array that grows one by one: the room of an array with this many elements, when none was ever taken away. */
size_t record_room(size_t count);
/* Makes room for element number count. */
void *record_grow(void *array, size_t count, size_t size);

/* A part of a line. */
struct span {
	const char *start, *end;
};

size_t span_length(struct span span);
bool span_is(struct span span, const char *text);
bool span_starts(struct span span, const char *text);
/* The next word, empty where there is none; *rest is what follows it. Blanks are all that Go's readers split at in ASCII. */
struct span span_word(struct span *rest);
/* Decimal digits and nothing else; false: not one, or too large. */
bool span_integer(struct span span, uint64_t *number);

/* A decimal number as it stands: mantissa * 10^exponent where both are small, otherwise the text decides. */
struct record_number {
	const char *text;
	uint64_t mantissa;
	int exponent;
	bool negative;
};

/* The text must be followed by a byte that is no part of a number. False: no number, or infinite. */
bool record_number_parse(struct span text, struct record_number *number);
double record_number_value(const struct record_number *number);

struct record_pair {
	struct record_number number;
	size_t unit;
};

/* The units of a file, and the pairs of the line that was parsed last. */
struct record_units {
	struct texts texts;
	struct record_unit {
		size_t line; /* the last that had it */
		enum better better;
		bool stated;
	} * list; /* by number */
	struct record_pair pairs[RECORD_METRICS];
	size_t pair_count;
};

size_t record_units_number(struct record_units *units, struct span unit);
enum better record_units_better(const struct record_units *units, const char *unit);
void record_units_release(struct record_units *units);

/*
 * Takes a result line apart: the name, without "Benchmark" and without a last -8, and the pairs. NULL, or why the line is
 * damaged. The line number must be another each time.
 */
const char *record_line_parse(struct record_units *units, struct span line, size_t number, struct span *name);

/* The facts that hold, and all that ever held for a run. */
struct record_facts {
	struct texts keys, values, pairs;
	struct record_holding {
		size_t value;
		uint64_t block;   /* holds in this one only; 0: does not hold */
	} * holding;              /* by number of the key */
	struct record_fact *seen; /* the same */
	uint64_t block;           /* from 1 */
	size_t *changed;          /* keys told since the last run */
	size_t changed_count;
};

void record_facts_forget(struct record_facts *facts);
/* Whether the line is "key: value" or "# key: value". An empty value ends the fact. */
bool record_facts_line(struct record_facts *facts, struct span line);
/* A run was read: what holds now has held. */
void record_facts_run(struct record_facts *facts);
/* Moves those that held for some run to the front; their number. */
size_t record_facts_finish(struct record_facts *facts);
void record_facts_release(struct record_facts *facts);

/* The rows of a file. */
struct record_rows {
	struct texts names;
	struct record_row *list; /* by number of the name */
	size_t last;
	const char *metric;             /* as record_read is asked for it */
	size_t wanted;                  /* the number of that unit */
	const struct record_rows *base; /* whose headlines are wanted; NULL: each row's own */
};

void record_rows_add(struct record_rows *rows, struct record_units *units, struct span name, struct record_place place);
void record_rows_finish(struct record_rows *rows, const struct record_units *units);
void record_rows_release(struct record_rows *rows);

#endif
