// SPDX-License-Identifier: GPL-2.0-only
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "die.h"
#include "units.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* The length of the character at s, 0 where it is not UTF-8. Never looks past a NUL, which continues nothing. */
static size_t utf8_length(const unsigned char *s)
{
	static const struct {
		unsigned char mask, lead;
		uint32_t least; /* a smaller code point has a shorter form: overlong */
	} forms[] = { { 0x80, 0x00, 0 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 } };
	size_t length = 0;
	uint32_t point;

	while (length < ARRAY_SIZE(forms) && (s[0] & forms[length].mask) != forms[length].lead)
		length++;
	if (length == ARRAY_SIZE(forms))
		return 0;
	point = s[0] & (uint32_t)~forms[length].mask;
	for (size_t i = 1; i <= length; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		point = point << 6 | (s[i] & 0x3f);
	}
	if (point < forms[length].least || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
		return 0;
	return length + 1;
}

static void write_escaped(FILE *out, unsigned char c)
{
	static const char raw[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	const char *found = strchr(raw, c);

	if (found)
		fprintf(out, "\\%c", letters[found - raw]);
	else
		fprintf(out, "\\u%04x", c);
}

static void write_quoted(FILE *out, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	fputc('"', out);
	while (*s) {
		size_t length = utf8_length(s);

		if (length == 0)
			fputs(REPLACEMENT, out);
		else if (*s < 0x20 || *s == '"' || *s == '\\')
			write_escaped(out, *s);
		else
			fwrite(s, 1, length, out);
		s += length ? length : 1;
	}
	fputc('"', out);
}

/* What stands before every value. */
static void begin_member(struct json *json, const char *key)
{
	if (json->comma && json->depth == 0)
		BUG("a second outermost json value");
	if (json->comma)
		fputc(',', json->out);
	if (key) {
		write_quoted(json->out, key);
		fputc(':', json->out);
	}
	json->comma = true;
}

static void open_group(struct json *json, const char *key, char bracket)
{
	begin_member(json, key);
	fputc(bracket, json->out);
	json->depth++;
	json->comma = false;
}

static void close_group(struct json *json, char bracket)
{
	if (json->depth == 0)
		BUG("json '%c' closes nothing", bracket);
	fputc(bracket, json->out);
	json->depth--;
	json->comma = true;
}

void json_begin(struct json *json, FILE *out)
{
	*json = (struct json){ .out = out };
}

void json_object(struct json *json, const char *key)
{
	open_group(json, key, '{');
}

void json_object_end(struct json *json)
{
	close_group(json, '}');
}

void json_array(struct json *json, const char *key)
{
	open_group(json, key, '[');
}

void json_array_end(struct json *json)
{
	close_group(json, ']');
}

void json_string(struct json *json, const char *key, const char *value)
{
	begin_member(json, key);
	if (value)
		write_quoted(json->out, value);
	else
		fputs("null", json->out);
}

void json_number(struct json *json, const char *key, double value)
{
	char text[UNITS_TEXT];

	begin_member(json, key);
	fputs(isfinite(value) ? units_format_number(text, value) : "null", json->out);
}

void json_integer(struct json *json, const char *key, uint64_t value)
{
	begin_member(json, key);
	fprintf(json->out, "%" PRIu64, value);
}

void json_bool(struct json *json, const char *key, bool value)
{
	begin_member(json, key);
	fputs(value ? "true" : "false", json->out);
}
