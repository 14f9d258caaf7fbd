// SPDX-License-Identifier: GPL-2.0-only
#include "sysfile.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wrap.h"

char *sysfile_text(const char *root, const char *format, ...)
{
	char name[PATH_MAX], *path, *text;
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(name, sizeof(name), format, arguments);
	va_end(arguments);
	path = xasprintf("%s%s", root, name);
	text = read_file(path);
	free(path);
	return text;
}

/* Frees text, and returns what stands in it from start up to any of the ends. */
static char *take_part(char *text, const char *start, const char *ends)
{
	size_t length = start ? strcspn(start, ends) : 0;
	char *part = length ? xasprintf("%.*s", (int)length, start) : NULL;

	free(text);
	return part;
}

char *sysfile_line(const char *root, const char *path)
{
	char *text = sysfile_text(root, "%s", path);

	return take_part(text, text, "\n");
}

char *sysfile_word(const char *root, const char *path)
{
	char *text = sysfile_text(root, "%s", path);

	return take_part(text, text, " \t\n");
}

char *sysfile_marked(const char *root, const char *path)
{
	char *text = sysfile_text(root, "%s", path), *mark = text ? strpbrk(text, "[(") : NULL;

	return take_part(text, mark ? mark + 1 : NULL, "])");
}

bool sysfile_is(const char *root, const char *path, const char *word)
{
	char *text = sysfile_word(root, path);
	bool same = text && strcmp(text, word) == 0;

	free(text);
	return same;
}
