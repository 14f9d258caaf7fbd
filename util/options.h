// SPDX-License-Identifier: GPL-2.0-only
/*
 * Typed option tables. From a table come: parsing (getopt_long), ranges, the help page, and the sweep: every numeric
 * option, choice and word takes a list (4,8,16), numbers also a range (1-4) or a doubling range (1-64*2), and the
 * product of all lists is walked one combination at a time.
 *
 * The variables that a table points to hold the defaults until a combination is selected: a default stands once.
 */
#ifndef KBENCH_OPTIONS_H
#define KBENCH_OPTIONS_H

#include <limits.h>

#include "base.h"

enum opt_type {
	OPT_TYPE_END,
	OPT_TYPE_FLAG,   /* bool */
	OPT_TYPE_COUNT,  /* uint64_t; 10k, 2M */
	OPT_TYPE_SIZE,   /* uint64_t bytes; 4K, 1MB */
	OPT_TYPE_MB,     /* uint64_t bytes; typed in megabytes: 64, 0.5 */
	OPT_TYPE_TIME,   /* uint64_t ns; 100ms, 5s, bare seconds */
	OPT_TYPE_INT,    /* int64_t */
	OPT_TYPE_CHOICE, /* unsigned: the index of the word in choices */
	OPT_TYPE_STRING, /* const char *: as typed, never swept, not copied */
	OPT_TYPE_WORDS,  /* const char *: a word of a list; a comma between two digits is part of a word: "same,0,1" */
	OPT_TYPE_LIST,   /* struct opt_list: every occurrence, never swept; nothing until something is typed */
};

/* As typed, in that order; not copied. The array lives as long as the optset. */
struct opt_list {
	const char **words;
	size_t count;
};

struct opt {
	int letter;       /* 0: none */
	const char *name; /* the long name, without dashes */
	enum opt_type type;
	void *value;                 /* the variable; its type is checked by the OPT_ macros */
	const char *argument;        /* what the help calls the value: "N", "SIZE" */
	const char *help;            /* one line; range and default are added */
	int64_t min, max;            /* inclusive; max OPT_MAX: no stated limit but the type's */
	const char *const *choices;  /* NULL-terminated */
	const char *const *meanings; /* CHOICE: what each is, which makes it a menu (OPT_MENU); or NULL */
	const char *bare; /* STRING: its value where the option stands without one, which is then optional; or NULL */
};

#define OPT_MAX INT64_MAX

/* A variable of the wrong type does not compile. */
#define OPT_CHECKED(p, type) _Generic((p), type * : (p))

#define OPT_FLAG(l, n, p, h)                                                                                  \
	{                                                                                                     \
		.letter = (l), .name = (n), .type = OPT_TYPE_FLAG, .value = OPT_CHECKED(p, bool), .help = (h) \
	}
#define OPT_COUNT(l, n, p, lo, hi, h)                                                                  \
	{                                                                                              \
		.letter = (l), .name = (n), .type = OPT_TYPE_COUNT, .value = OPT_CHECKED(p, uint64_t), \
		.argument = "N", .help = (h), .min = (lo), .max = (hi)                                 \
	}
#define OPT_SIZE(l, n, p, lo, hi, h)                                                                  \
	{                                                                                             \
		.letter = (l), .name = (n), .type = OPT_TYPE_SIZE, .value = OPT_CHECKED(p, uint64_t), \
		.argument = "SIZE", .help = (h), .min = (lo), .max = (hi)                             \
	}
#define OPT_MB(l, n, p, lo, hi, h)                                                                                    \
	{                                                                                                             \
		.letter = (l), .name = (n), .type = OPT_TYPE_MB, .value = OPT_CHECKED(p, uint64_t), .argument = "MB", \
		.help = (h), .min = (lo), .max = (hi)                                                                 \
	}
#define OPT_TIME(l, n, p, lo, hi, h)                                                                  \
	{                                                                                             \
		.letter = (l), .name = (n), .type = OPT_TYPE_TIME, .value = OPT_CHECKED(p, uint64_t), \
		.argument = "TIME", .help = (h), .min = (lo), .max = (hi)                             \
	}
#define OPT_INT(l, n, p, lo, hi, h)                                                                                  \
	{                                                                                                            \
		.letter = (l), .name = (n), .type = OPT_TYPE_INT, .value = OPT_CHECKED(p, int64_t), .argument = "N", \
		.help = (h), .min = (lo), .max = (hi)                                                                \
	}
#define OPT_CHOICE(l, n, p, words, h)                                                                   \
	{                                                                                               \
		.letter = (l), .name = (n), .type = OPT_TYPE_CHOICE, .value = OPT_CHECKED(p, unsigned), \
		.argument = "WORD", .help = (h), .choices = (words)                                     \
	}
/*
 * A choice of what the machine has. The word "all" stands for all of them; "help", typed alone, lists them, since a help
 * page is the same on every machine.
 */
#define OPT_ALL UINT_MAX /* the default that is all */
#define OPT_MENU(l, n, p, words, what, h)                                                               \
	{                                                                                               \
		.letter = (l), .name = (n), .type = OPT_TYPE_CHOICE, .value = OPT_CHECKED(p, unsigned), \
		.argument = "WORD", .help = (h), .choices = (words), .meanings = (what)                 \
	}
#define OPT_STRING(l, n, p, arg, h)                                                                         \
	{                                                                                                   \
		.letter = (l), .name = (n), .type = OPT_TYPE_STRING, .value = OPT_CHECKED(p, const char *), \
		.argument = (arg), .help = (h)                                                              \
	}
#define OPT_WORDS(l, n, p, arg, h)                                                                         \
	{                                                                                                  \
		.letter = (l), .name = (n), .type = OPT_TYPE_WORDS, .value = OPT_CHECKED(p, const char *), \
		.argument = (arg), .help = (h)                                                             \
	}
/* --NAME, which is the same as --NAME=BARE, or --NAME=VALUE. */
#define OPT_OPTIONAL(l, n, p, arg, without, h)                                                              \
	{                                                                                                   \
		.letter = (l), .name = (n), .type = OPT_TYPE_STRING, .value = OPT_CHECKED(p, const char *), \
		.argument = (arg), .bare = (without), .help = (h)                                           \
	}
#define OPT_LIST(l, n, p, arg, h)                                                                            \
	{                                                                                                    \
		.letter = (l), .name = (n), .type = OPT_TYPE_LIST, .value = OPT_CHECKED(p, struct opt_list), \
		.argument = (arg), .help = (h)                                                               \
	}
#define OPT_END                      \
	{                            \
		.type = OPT_TYPE_END \
	}

/* An option's value in one combination. */
struct param {
	const char *name; /* the long name */
	enum opt_type type;
	uint64_t number; /* of the types that are one: the value in the type's unit, for INT its two's complement */
	char *value;     /* on the heap: "100000", "1MB", "true", "" for a string that is not set */
	bool given;      /* typed by the user, or several without (a menu) */
	bool swept;      /* takes more than one value in this command */
};

struct optset; /* a table and what was typed for it */

/* The table is not copied. Two options with the same letter or name, or a default out of its range, are a BUG. */
struct optset *optset_new(const struct opt *table);
void optset_free(struct optset *set);

/* What to say of an option that a table does not have. */
struct opt_strangers {
	const struct opt *elsewhere; /* options that stand before some words; NULL: none */
	const char *before, *words;  /* "the collection"; the words as they are typed: "sched pipe" */
	const char *advice;          /* of any other, after "unknown option '-x'"; NULL: nothing */
};

/* For the parse; not copied. */
void optset_strangers(struct optset *set, const struct opt_strangers *strangers);

/* usage() where a word as typed ("-r5", "--repeat=5") is an option of strangers->elsewhere. */
void opts_stranger(const struct opt_strangers *strangers, const char *word);

/*
 * Parses argv[1..argc-1]; argv[0] is not looked at. With stop_at_word the first word that is no option ends the parse
 * (the words after a collection are not its business) and its index is returned; otherwise a word that is no option is a
 * usage error. Also ends at "--". -h and --help are found in every table: *help is set and the parse ends.
 * The first error is usage() with the option, the value, and what is allowed.
 */
int optset_parse(struct optset *set, int argc, char **argv, bool stop_at_word, bool *help);

/* Whether the option with this long name was typed. A name that is not in the table is a BUG. */
bool optset_given(const struct optset *set, const char *name);

/* How many combinations the lists make; at least 1. Above 100000 the parse has answered with a usage error. */
size_t optset_combinations(const struct optset *set);

/* The same, with the words of a menu counted as one: the blocks of a menu are not rows of a table. */
size_t optset_rows(const struct optset *set);

/* After a parse that found help: the menu that it was asked of; NULL: the page is meant. */
const struct opt *optset_menu(const struct optset *set);

/* "Available functions:" and what is on it, on stdout. */
void opts_print_menu(const struct opt *menu);

/* Stores combination i into the table's variables; the last listed option of the table varies fastest. */
void optset_select(const struct optset *set, size_t i);

/* Every option of the table in combination i, in table order. *count is set. Freed by params_free. */
struct param *optset_params(const struct optset *set, size_t i, size_t *count);
void params_free(struct param *params, size_t count);

/* What tells this row of a sweep from the others: "group=4 loop=10: ", or "" where nothing is swept. On the heap. */
char *params_swept_text(const struct param *params, size_t count);

/*
 * The option part of a help page, wrapped at 80 columns, one option a paragraph:
 *   "  -l, --loop N          round trips (1 to 4294967295; default 1000000)"
 * on stdout. Defaults are read from the variables, so nothing may have been selected yet.
 */
void opts_print_help(const struct opt *table);

#endif
