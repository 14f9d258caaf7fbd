// SPDX-License-Identifier: GPL-2.0-only
#include "record-internal.h"

#include <stdlib.h>
#include <string.h>

#include "wrap.h"

#define DIGITS  "0123456789"
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

static void put_escaped(FILE *out, char c, const char *plain)
{
	if (c != '\0' && strchr(plain, c))
		fputc(c, out);
	else
		fprintf(out, "%%%02x", (unsigned)(unsigned char)c);
}

void record_put_value(FILE *out, const char *value)
{
	for (; *value; value++)
		put_escaped(out, *value, LETTERS DIGITS "._,:+*@-");
}

static void put_camel(FILE *out, const char *words)
{
	bool first = true;

	for (; *words; words++) {
		bool lower = *words >= 'a' && *words <= 'z';

		if (*words != '-' && *words != '_')
			put_escaped(out, first && lower ? (char)(*words - 'a' + 'A') : *words, LETTERS DIGITS);
		first = *words == '-' || *words == '_';
	}
}

/* The first word of a choice is not less of an answer than the others. */
static bool is_off(const struct param *param)
{
	switch (param->type) {
	case OPT_TYPE_CHOICE:
		return false;
	case OPT_TYPE_STRING:
	case OPT_TYPE_WORDS:
		return *param->value == '\0';
	default:
		return param->number == 0;
	}
}

static void put_params(FILE *out, const struct series *series)
{
	bool any = false;

	for (size_t i = 0; i < series->param_count; i++) {
		const struct param *param = &series->params[i];

		if (is_off(param) && !param->swept)
			continue;
		fprintf(out, "/%s=", param->name);
		record_put_value(out, param->value);
		any = true;
	}
	/* Readers cut a dash and digits off a name that is no more than words. What has no name is a command of kbench. */
	if (!any && *series->name) {
		fputs("/bench=", out);
		record_put_value(out, series->name);
	}
}

/* To readers of the format a last "-8" is the number of CPUs, not a part of the name. */
static char *protect_tail(char *name)
{
	size_t end = strlen(name);
	char *longer;

	while (end > 0 && strchr(DIGITS, name[end - 1]))
		end--;
	if (name[end] == '\0' || end == 0 || name[end - 1] != '-')
		return name;
	longer = xasprintf("%.*s%%2d%s", (int)end - 1, name, name + end);
	free(name);
	return longer;
}

char *record_name(const struct series *series)
{
	char *name;
	size_t length;
	FILE *out = xopen_memstream(&name, &length);

	put_camel(out, series->collection);
	put_camel(out, series->name);
	put_params(out, series);
	xclose_memstream(out);
	return protect_tail(name);
}
