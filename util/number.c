// SPDX-License-Identifier: GPL-2.0-only
#include "number.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "die.h"
#include "units.h"
#include "wrap.h"

#define BLOCK 65536
#define TOKEN 512 /* a longer number is none */

struct number {
	uint64_t which; /* 0: what the expression says */
	regex_t expression;
	char *text;
};

/* A text that is looked at a few characters ahead; of a file it has a block. */
struct reader {
	int fd; /* -1: the block is all */
	off_t offset;
	char *block;
	size_t position, length;
};

static noreturn void reject_expression(const struct number *number, int error)
{
	char why[200];

	regerror(error, &number->expression, why, sizeof(why));
	usage("option --number: '%s' is not a regular expression: %s", number->text, why);
}

struct number *number_parse(const char *text)
{
	struct number *number = xcalloc(1, sizeof(*number));
	int error;

	if (!*text)
		usage("option --number: '' is neither the place of a number nor a regular expression");
	number->text = xstrdup(text);
	if (text[strspn(text, "0123456789")] == '\0') {
		if (!units_parse_count(text, &number->which) || number->which == 0)
			usage("option --number: '%s': numbers are counted from 1 to %" PRIu64, text, UINT64_MAX);
		return number;
	}
	error = regcomp(&number->expression, text, REG_EXTENDED);
	if (error)
		reject_expression(number, error);
	return number;
}

void number_free(struct number *number)
{
	if (!number)
		return;
	if (!number->which)
		regfree(&number->expression);
	free(number->text);
	free(number);
}

static void fill(struct reader *reader)
{
	ssize_t got;

	memmove(reader->block, reader->block + reader->position, reader->length - reader->position);
	reader->length -= reader->position;
	reader->position = 0;
	do
		got = pread(reader->fd, reader->block + reader->length, BLOCK - reader->length, reader->offset);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		die_errno("reading the output");
	reader->length += (size_t)got;
	reader->offset += got;
}

/* The character that stands so many ahead, EOF behind the last. */
static int peek(struct reader *reader, size_t ahead)
{
	if (reader->position + ahead >= reader->length && reader->fd >= 0)
		fill(reader);
	if (reader->position + ahead >= reader->length)
		return EOF;
	return (unsigned char)reader->block[reader->position + ahead];
}

static bool digit_at(struct reader *reader, size_t ahead)
{
	int c = peek(reader, ahead);

	return c >= '0' && c <= '9';
}

static bool sign_at(struct reader *reader, size_t ahead)
{
	int c = peek(reader, ahead);

	return c == '+' || c == '-';
}

/* What a number does not begin behind. */
static bool is_word(int c)
{
	return c == '.' || c == '_' || isalnum(c);
}

static bool is_hexadecimal(struct reader *reader, size_t ahead)
{
	return peek(reader, ahead) == '0' && tolower(peek(reader, ahead + 1)) == 'x' &&
	       isxdigit(peek(reader, ahead + 2));
}

/* A number begins here; before is the character that stands before it. */
static bool begins(struct reader *reader, int before)
{
	size_t sign = sign_at(reader, 0);

	if (is_word(before) || is_hexadecimal(reader, sign))
		return false;
	return digit_at(reader, sign) || (peek(reader, sign) == '.' && digit_at(reader, sign + 1));
}

/* Takes one character; of a token that is too long it is lost. */
static int take(struct reader *reader, char token[TOKEN], size_t *length)
{
	int c = peek(reader, 0);

	reader->position++;
	if (*length < TOKEN - 1)
		token[*length] = (char)c;
	++*length;
	return c;
}

static int take_digits(struct reader *reader, char token[TOKEN], size_t *length, int last)
{
	while (digit_at(reader, 0))
		last = take(reader, token, length);
	return last;
}

/* Reads the number that begins here; the last of its characters is returned. */
static int take_number(struct reader *reader, char token[TOKEN], size_t *length)
{
	int last = take(reader, token, length); /* sign, point or digit */

	last = take_digits(reader, token, length, last);
	if (peek(reader, 0) == '.' && !memchr(token, '.', *length < TOKEN ? *length : TOKEN - 1))
		last = take(reader, token, length);
	last = take_digits(reader, token, length, last);
	if (tolower(peek(reader, 0)) == 'e' && (digit_at(reader, 1) || (sign_at(reader, 1) && digit_at(reader, 2)))) {
		take(reader, token, length);
		last = take(reader, token, length);
		last = take_digits(reader, token, length, last);
	}
	return last;
}

/* The nth number of a text, as it stands; *count, at least: how many there are. */
static bool find_nth(struct reader *reader, uint64_t nth, char token[TOKEN], uint64_t *count)
{
	int before = '\n';

	*count = 0;
	while (peek(reader, 0) != EOF) {
		size_t length = 0;

		if (begins(reader, before)) {
			before = take_number(reader, token, &length);
			if (++*count == nth) {
				token[length < TOKEN ? length : 0] = '\0';
				return true;
			}
		} else {
			before = take(reader, token, &length);
		}
	}
	return false;
}

static bool evaluate(const char *token, double *value, char *why, size_t size)
{
	errno = 0;
	*value = strtod(token, NULL);
	if (*token && isfinite(*value) && (*value != 0 || errno == 0))
		return true;
	snprintf(why, size, "the number %.40s%s is too long or %s", token, strlen(token) > 40 ? "..." : "",
		*token && *value == 0 ? "too small" : "too large");
	return false;
}

static bool find_in_order(const struct number *number, struct reader *reader, double *value, char *why, size_t size)
{
	char token[TOKEN];
	uint64_t count;

	if (find_nth(reader, number->which, token, &count))
		return evaluate(token, value, why, size);
	if (count)
		snprintf(why, size, "its output has %" PRIu64 " number%s, and number %" PRIu64 " is asked for", count,
			count == 1 ? "" : "s", number->which);
	else
		snprintf(why, size, "its output has no number");
	return false;
}

/* False: there is no further line. What is longer than NUMBER_LINE is cut. */
static bool read_line(struct reader *reader, char *line)
{
	size_t length = 0;
	int c = peek(reader, 0);

	if (c == EOF)
		return false;
	for (; c != EOF && c != '\n'; c = peek(reader, 0)) {
		if (length < NUMBER_LINE)
			line[length++] = c ? (char)c : '?'; /* regexec takes a string */
		reader->position++;
	}
	reader->position++;
	line[length] = '\0';
	return true;
}

static bool find_in_match(char *match, size_t length, double *value, char *why, size_t size)
{
	struct reader reader = { .fd = -1, .block = match, .length = length };
	char token[TOKEN];
	uint64_t count;

	if (find_nth(&reader, 1, token, &count))
		return evaluate(token, value, why, size);
	snprintf(why, size, "what the expression has matched, '%.*s', has no number", (int)(length < 80 ? length : 80),
		match);
	return false;
}

static bool find_in_lines(const struct number *number, struct reader *reader, double *value, char *why, size_t size)
{
	char *line = xmalloc(NUMBER_LINE + 1);
	regmatch_t match[2];
	bool matched = false, found = false;

	while (!matched && read_line(reader, line))
		matched = regexec(&number->expression, line, 2, match, 0) == 0;
	if (matched) {
		/* A group may have taken no part in the match: then it has matched nothing. */
		regmatch_t part = match[number->expression.re_nsub > 0];
		size_t length = part.rm_so < 0 ? 0 : (size_t)(part.rm_eo - part.rm_so);

		found = find_in_match(line + (length ? part.rm_so : 0), length, value, why, size);
	} else {
		snprintf(why, size, "no line of its output matches '%.80s'", number->text);
	}
	free(line);
	return found;
}

bool number_find(const struct number *number, int fd, double *value, char *why, size_t size)
{
	struct reader reader = { .fd = fd, .block = xmalloc(BLOCK) };
	bool found = number->which ? find_in_order(number, &reader, value, why, size)
				   : find_in_lines(number, &reader, value, why, size);

	free(reader.block);
	return found;
}
