// SPDX-License-Identifier: GPL-2.0-only
/* What is said of a table to people: its help page, and where an option stands that is not in it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "options-internal.h"
#include "wrap.h"

#define HELP_COLUMN 24
#define HELP_WIDTH  80

/* "1 to 64", "free, same, smt", or "" where no limit is stated. */
static const char *allowed_text(char text[OPT_ALLOWED_TEXT], const struct opt *opt)
{
	*text = '\0';
	if (opt->type == OPT_TYPE_CHOICE && !opt->meanings)
		return opt_choices(text, opt);
	if (opt_is_numeric(opt) && opt->max != OPT_MAX)
		return opt_range(text, opt);
	return text;
}

static char *help_text(const struct opt *opt)
{
	char allowed[OPT_ALLOWED_TEXT], value[UNITS_TEXT];
	bool silent = opt->type == OPT_TYPE_FLAG || opt->type == OPT_TYPE_LIST;
	const char *standard = silent ? "" : opt_format(value, opt, opt_load(opt));

	if (strcmp(standard, "default") == 0)
		standard = ""; /* the word says it */

	allowed_text(allowed, opt);
	if (!*allowed && !*standard)
		return xstrdup(opt->help);
	return xasprintf("%s (%s%s%s%s)", opt->help, allowed, *allowed && *standard ? "; " : "",
		*standard ? "default " : "", standard);
}

static void print_wrapped(const char *text)
{
	int column = HELP_COLUMN;

	while (*text) {
		int length = (int)strcspn(text, " ");

		if (column > HELP_COLUMN && column + 1 + length > HELP_WIDTH) {
			printf("\n%*s", HELP_COLUMN, "");
			column = HELP_COLUMN;
		} else if (column > HELP_COLUMN) {
			column += printf(" ");
		}
		column += printf("%.*s", length, text);
		text += length;
		text += strspn(text, " ");
	}
	printf("\n");
}

void opts_print_help(const struct opt *table)
{
	for (const struct opt *opt = table; opt->type != OPT_TYPE_END; opt++) {
		char letter[] = { '-', (char)opt->letter, ',', '\0' };
		char *text = help_text(opt);
		int column = printf("  %3s --%s%s%s%s", opt->letter ? letter : "", opt->name,
			opt->bare       ? "[="
			: opt->argument ? " "
					: "",
			opt->argument ? opt->argument : "", opt->bare ? "]" : "");

		if (column >= HELP_COLUMN) {
			printf("\n");
			column = 0;
		}
		printf("%*s", HELP_COLUMN - column, "");
		print_wrapped(text);
		free(text);
	}
}

void opts_print_menu(const struct opt *menu)
{
	printf("Available %ss:\n", menu->name);
	for (size_t i = 0; menu->choices[i]; i++)
		printf("\t%s ... %s\n", menu->choices[i], menu->meanings[i]);
}

/* Whether a word as it was typed, "-r", "-r5", "--repeat" or "--repeat=5", is this option. */
static bool is_option(const struct opt *opt, const char *word)
{
	size_t length = strlen(opt->name);

	if (word[0] != '-')
		return false;
	if (word[1] != '-')
		return opt->letter && word[1] == opt->letter;
	return strncmp(word + 2, opt->name, length) == 0 && (!word[2 + length] || word[2 + length] == '=');
}

void opts_stranger(const struct opt_strangers *strangers, const char *word)
{
	for (const struct opt *opt = strangers->elsewhere; opt && opt->type != OPT_TYPE_END; opt++)
		if (is_option(opt, word))
			opt_reject(opt, " is a common option and stands before %s: kbench %.*s%s%s %s",
				strangers->before, opt->letter && word[1] != '-' ? 2 : (int)strcspn(word, "="), word,
				opt->argument ? " " : "", opt->argument ? opt->argument : "", strangers->words);
}
