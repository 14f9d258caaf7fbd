// SPDX-License-Identifier: GPL-2.0-only
#include "csv.h"

#include <string.h>

void csv_field(FILE *out, const char *text)
{
	if (!strpbrk(text, "\",\r\n")) {
		fputs(text, out);
		return;
	}
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}
