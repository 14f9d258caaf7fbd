// SPDX-License-Identifier: GPL-2.0-only
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "nearest.h"
#include "options-internal.h"
#include "wrap.h"

#define LONG_CODE 256 /* getopt_long's code of option i is this plus i: never a letter, never '?' or ':' */

struct setting {
	struct sweep sweep; /* never empty: the default until something is typed */
	bool given;
};

struct optset {
	const struct opt *table;
	size_t count;
	struct setting *settings; /* one an option of the table */
	size_t combinations;
	const struct opt *menu; /* that help was asked of; or NULL */
	/* What getopt_long and nearest want to see of the table and of help. */
	char *letters;
	struct option *words;
	const char **names;
	const struct opt_strangers *strangers; /* or NULL */
};

static const struct opt help_option = { .letter = 'h', .name = "help", .type = OPT_TYPE_FLAG };

union opt_value opt_load(const struct opt *opt)
{
	switch (opt->type) {
	case OPT_TYPE_FLAG:
		return (union opt_value){ .number = *(bool *)opt->value };
	case OPT_TYPE_CHOICE:
		return (union opt_value){ .number = *(unsigned *)opt->value };
	case OPT_TYPE_STRING:
	case OPT_TYPE_WORDS:
		return (union opt_value){ .text = *(const char **)opt->value };
	case OPT_TYPE_LIST:
		return (union opt_value){ .list = *(struct opt_list *)opt->value };
	default:
		return (union opt_value){ .number = *(uint64_t *)opt->value };
	}
}

static void store(const struct opt *opt, union opt_value value)
{
	switch (opt->type) {
	case OPT_TYPE_FLAG:
		*(bool *)opt->value = value.number;
		break;
	case OPT_TYPE_CHOICE:
		*(unsigned *)opt->value = (unsigned)value.number;
		break;
	case OPT_TYPE_STRING:
	case OPT_TYPE_WORDS:
		*(const char **)opt->value = value.text;
		break;
	case OPT_TYPE_LIST:
		*(struct opt_list *)opt->value = value.list;
		break;
	default:
		*(uint64_t *)opt->value = value.number;
	}
}

bool opt_is_numeric(const struct opt *opt)
{
	return opt->type >= OPT_TYPE_COUNT && opt->type <= OPT_TYPE_INT;
}

static void check_default(const struct opt *opt)
{
	union opt_value value = opt_load(opt);
	size_t choices = 0;

	if (opt_is_numeric(opt) && !opt_in_range(opt, value))
		BUG("the default of option --%s is out of its range", opt->name);
	if (opt->type == OPT_TYPE_LIST && value.list.count)
		BUG("option --%s has a list from the start", opt->name);
	if (opt->type != OPT_TYPE_CHOICE)
		return;
	while (opt->choices[choices])
		choices++;
	if (value.number >= choices && !opt_is_all(opt, value))
		BUG("the default of option --%s is none of its choices", opt->name);
}

static void check_clash(const struct opt *a, const struct opt *b)
{
	if (strcmp(a->name, b->name) == 0)
		BUG("two options are named --%s", a->name);
	if (a->letter && a->letter == b->letter)
		BUG("options --%s and --%s have the same letter -%c", a->name, b->name, a->letter);
}

static void check_table(const struct opt *table, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		check_clash(&table[i], &help_option);
		for (size_t j = 0; j < i; j++)
			check_clash(&table[j], &table[i]);
		check_default(&table[i]);
	}
}

static void describe(struct optset *set, const struct opt *opt, size_t i)
{
	int argument = opt->type == OPT_TYPE_FLAG ? no_argument : opt->bare ? optional_argument : required_argument;
	char *end = set->letters + strlen(set->letters);

	set->words[i] = (struct option){ opt->name, argument, NULL, LONG_CODE + (int)i };
	set->names[i] = opt->name;
	if (opt->letter)
		*end++ = (char)opt->letter;
	if (opt->letter)
		memset(end, ':', (size_t)argument); /* none, one, or two where it is optional */
}

static noreturn void reject_product(const struct optset *set)
{
	char list[256] = "";
	size_t length = 0;

	for (size_t i = 0; i < set->count && length < sizeof(list); i++)
		if (set->settings[i].sweep.count > 1)
			length += (size_t)snprintf(list + length, sizeof(list) - length, "%s--%s takes %zu values",
				length ? ", " : "", set->table[i].name, set->settings[i].sweep.count);
	usage("%s: more than %d combinations", list, SWEEP_MAX);
}

static void count_combinations(struct optset *set)
{
	set->combinations = 1;
	for (size_t i = 0; i < set->count; i++) {
		size_t values = set->settings[i].sweep.count;

		if (set->combinations > SWEEP_MAX / values)
			reject_product(set);
		set->combinations *= values;
	}
}

struct optset *optset_new(const struct opt *table)
{
	struct optset *set = xcalloc(1, sizeof(*set));

	set->table = table;
	while (table[set->count].type != OPT_TYPE_END)
		set->count++;
	check_table(table, set->count);
	set->settings = xcalloc(set->count + 1, sizeof(*set->settings));
	set->letters = xcalloc(1, sizeof("+:h") + 3 * set->count);
	set->words = xcalloc(set->count + 2, sizeof(*set->words));
	set->names = xcalloc(set->count + 1, sizeof(*set->names));
	strcpy(set->letters, "+:"); /* stop at the first word; tell a missing value from an unknown option */
	for (size_t i = 0; i < set->count; i++) {
		if (opt_is_all(&table[i], opt_load(&table[i])))
			sweep_add_all(&set->settings[i].sweep, &table[i]);
		else
			sweep_add(&set->settings[i].sweep, opt_load(&table[i]));
		describe(set, &table[i], i);
	}
	describe(set, &help_option, set->count);
	count_combinations(set);
	return set;
}

void optset_strangers(struct optset *set, const struct opt_strangers *strangers)
{
	set->strangers = strangers;
}

void optset_free(struct optset *set)
{
	if (!set)
		return;
	for (size_t i = 0; i < set->count; i++) {
		if (set->table[i].type == OPT_TYPE_LIST)
			free(set->settings[i].sweep.values[0].list.words);
		free(set->settings[i].sweep.values);
		free(set->settings[i].sweep.words);
	}
	free(set->settings);
	free(set->letters);
	free(set->words);
	free(set->names);
	free(set);
}

/* The index in the table, or its length for help, of the option with this code of getopt_long. */
static size_t find(const struct optset *set, int code)
{
	size_t i = 0;

	if (code >= LONG_CODE)
		return (size_t)(code - LONG_CODE);
	while (i < set->count && set->table[i].letter != code)
		i++;
	return i;
}

/* getopt_long has answered '?': optopt is a letter, the code of an option that takes no value, or 0; word was typed. */
static noreturn void reject_option(const struct optset *set, const char *word)
{
	const char letter[] = { '-', (char)optopt, '\0' };
	const char *advice = set->strangers && set->strangers->advice ? set->strangers->advice : "";
	const char *meant;
	char name[64];

	if (optopt >= LONG_CODE) {
		size_t i = find(set, optopt);

		opt_reject(i == set->count ? &help_option : &set->table[i], " takes no value");
	}
	if (set->strangers)
		opts_stranger(set->strangers, optopt ? letter : word);
	if (optopt)
		usage("unknown option '%s'%s", letter, advice);
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + 2, "="), word + 2);
	meant = nearest(name, set->names, set->count + 1);
	if (meant)
		usage("unknown option '--%s': did you mean '--%s'?", name, meant);
	usage("unknown option '--%s'%s", name, advice);
}

int optset_parse(struct optset *set, int argc, char **argv, bool stop_at_word, bool *help)
{
	int code, next = 1;

	*help = false;
	opterr = 0;
	optind = 0; /* starts getopt_long afresh, with glibc and with musl */
	while ((code = getopt_long(argc, argv, set->letters, set->words, NULL)) != -1) {
		size_t i;

		if (code == '?')
			reject_option(set, argv[optind - 1]);
		i = find(set, code == ':' ? optopt : code);
		if (code == ':')
			opt_reject(&set->table[i], " needs a value");
		if (i < set->count && set->table[i].meanings && strcmp(optarg, "help") == 0)
			set->menu = &set->table[i];
		if (i == set->count || set->menu) {
			*help = true;
			return optind;
		}
		sweep_parse(&set->settings[i].sweep, &set->table[i], optarg);
		set->settings[i].given = true;
		next = optind;
	}
	if (!stop_at_word && optind == next && optind < argc) /* "--" would have moved optind */
		usage("unexpected word '%s'", argv[optind]);
	count_combinations(set);
	return optind;
}

bool optset_given(const struct optset *set, const char *name)
{
	for (size_t i = 0; i < set->count; i++)
		if (strcmp(set->table[i].name, name) == 0)
			return set->settings[i].given;
	BUG("there is no option --%s", name);
}

size_t optset_combinations(const struct optset *set)
{
	return set->combinations;
}

size_t optset_rows(const struct optset *set)
{
	size_t rows = set->combinations;

	for (size_t i = 0; i < set->count; i++)
		if (set->table[i].meanings)
			rows /= set->settings[i].sweep.count;
	return rows;
}

/*
 * The value of one option in a combination: *combination is a number whose lowest digit is this option's, and loses
 * that digit. So the walk over a table begins at its last option.
 */
static union opt_value take_digit(const struct sweep *sweep, size_t *combination)
{
	union opt_value value = sweep->values[*combination % sweep->count];

	*combination /= sweep->count;
	return value;
}

void optset_select(const struct optset *set, size_t i)
{
	for (size_t o = set->count; o-- > 0;)
		store(&set->table[o], take_digit(&set->settings[o].sweep, &i));
}

/* "a, b" */
static char *list_text(const struct opt_list *list)
{
	char *text = xstrdup("");

	for (size_t i = 0; i < list->count; i++) {
		char *longer = xasprintf("%s%s%s", text, i ? ", " : "", list->words[i]);

		free(text);
		text = longer;
	}
	return text;
}

static char *value_text(const struct opt *opt, union opt_value value)
{
	char text[UNITS_TEXT];

	return opt->type == OPT_TYPE_LIST ? list_text(&value.list) : xstrdup(opt_format(text, opt, value));
}

struct param *optset_params(const struct optset *set, size_t i, size_t *count)
{
	struct param *params = xcalloc(set->count + 1, sizeof(*params));

	for (size_t o = set->count; o-- > 0;) {
		const struct setting *setting = &set->settings[o];
		const struct opt *opt = &set->table[o];
		union opt_value value = take_digit(&setting->sweep, &i);

		params[o] = (struct param){
			.name = opt->name,
			.type = opt->type,
			.number = opt->type >= OPT_TYPE_STRING ? 0 : value.number,
			.value = value_text(opt, value),
			.given = setting->given || setting->sweep.count > 1,
			.swept = setting->sweep.count > 1,
		};
	}
	*count = set->count;
	return params;
}

void params_free(struct param *params, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(params[i].value);
	free(params);
}

char *params_swept_text(const struct param *params, size_t count)
{
	char *text;
	size_t length;
	FILE *out = xopen_memstream(&text, &length);
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		if (!params[i].swept)
			continue;
		fprintf(out, "%s%s=%s", any ? " " : "", params[i].name, params[i].value);
		any = true;
	}
	fputs(any ? ": " : "", out);
	xclose_memstream(out);
	return text;
}

const struct opt *optset_menu(const struct optset *set)
{
	return set->menu;
}
