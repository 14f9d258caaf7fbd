// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lines in words below a table. What the runs of a row remark is one line a row, in which a number that differs
 * between the runs has become a range; what all rows remark alike is said once.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report-internal.h"
#include "wrap.h"

#define WIDTH   80
#define NUMBERS 32 /* in a remark; further ones are text */

struct number {
	const char *low, *high; /* where the digits of the smallest and the largest begin */
};

/* Remarks of several runs that differ in nothing but numbers. */
struct merged {
	char shape[RESULT_NOTE_TEXT]; /* the text, with '\1' in place of each number */
	struct number numbers[NUMBERS];
	size_t number_count;
	size_t runs;
};

static size_t number_length(const char *text)
{
	size_t length = strspn(text, "0123456789");

	if (text[length] == '.' && isdigit((unsigned char)text[length + 1]))
		length += 1 + strspn(text + length + 1, "0123456789");
	return length;
}

static void take_shape(struct merged *merged, const char *remark)
{
	char before = ' ', *out = merged->shape;

	*merged = (struct merged){ .runs = 1 };
	while (*remark) {
		size_t length = isalnum((unsigned char)before) ? 0 : number_length(remark);

		if (length && merged->number_count < NUMBERS) {
			merged->numbers[merged->number_count++] = (struct number){ remark, remark };
			before = '0';
			*out++ = '\1';
			remark += length;
		} else {
			before = *out++ = *remark++;
		}
	}
	*out = '\0';
}

static void widen(struct merged *merged, const struct merged *other)
{
	merged->runs++;
	for (size_t i = 0; i < merged->number_count; i++) {
		struct number *number = &merged->numbers[i];
		const char *value = other->numbers[i].low;

		if (strtod(value, NULL) < strtod(number->low, NULL))
			number->low = value;
		if (strtod(value, NULL) > strtod(number->high, NULL))
			number->high = value;
	}
}

static void put_number(FILE *out, const struct number *number)
{
	int low = (int)number_length(number->low), high = (int)number_length(number->high);

	fprintf(out, "%.*s", low, number->low);
	if (low != high || strncmp(number->low, number->high, (size_t)low) != 0)
		fprintf(out, "..%.*s", high, number->high);
}

/* "11..13 migrations (in 2 of 3 runs)" */
static char *merged_text(const struct merged *merged, size_t runs)
{
	const struct number *number = merged->numbers;
	char *text;
	size_t size;
	FILE *out = xopen_memstream(&text, &size);

	for (const char *c = merged->shape; *c; c++)
		if (*c == '\1')
			put_number(out, number++);
		else
			fputc(*c, out);
	if (merged->runs < runs)
		fprintf(out, " (in %zu of %zu runs)", merged->runs, runs);
	xclose_memstream(out);
	return text;
}

/* Takes the text. */
static void keep(struct report *report, char *text)
{
	report->remarks = xrealloc(report->remarks, (report->remark_count + 1) * sizeof(*report->remarks));
	report->remarks[report->remark_count++] = (struct report_remark){ report->row_count - 1, text };
}

static void keep_lines(struct report *report, char *text)
{
	char *rest = NULL;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		keep(report, xstrdup(line));
	free(text);
}

static void add_remark(struct merged **list, size_t *count, const char *remark)
{
	struct merged merged;

	take_shape(&merged, remark);
	for (size_t i = 0; i < *count; i++)
		if (strcmp((*list)[i].shape, merged.shape) == 0) {
			widen(&(*list)[i], &merged);
			return;
		}
	*list = xrealloc(*list, (*count + 1) * sizeof(**list));
	(*list)[(*count)++] = merged;
}

void report_remarks_add(struct report *report, const struct series *series)
{
	struct merged *list = NULL;
	size_t count = 0;

	for (size_t i = 0; i < series->run_count; i++)
		for (size_t k = 0; k < series->runs[i]->remark_count; k++)
			add_remark(&list, &count, series->runs[i]->remarks[k]);
	for (size_t i = 0; i < count; i++)
		keep(report, merged_text(&list[i], series->run_count));
	keep_lines(report, report_look(series));
	free(list);
}

/* Whether every row has this remark. */
static bool is_common(const struct report *report, const char *text)
{
	size_t row = 0;

	for (size_t i = 0; i < report->remark_count && row < report->row_count; i++)
		if (report->remarks[i].row == row && strcmp(report->remarks[i].text, text) == 0)
			row++;
	return row == report->row_count;
}

static void say_of_row(const struct report *report, const struct report_remark *remark)
{
	const struct report_row *row = &report->rows[remark->row];
	char *name = params_swept_text(row->swept, row->swept_count);

	report_line(name, remark->text);
	free(name);
}

void report_remarks_print(const struct report *report)
{
	if (report->remark_count)
		putchar('\n');
	for (size_t i = 0; i < report->remark_count && report->remarks[i].row == 0; i++)
		if (is_common(report, report->remarks[i].text))
			report_line("", report->remarks[i].text);
	for (size_t i = 0; i < report->remark_count; i++)
		if (!is_common(report, report->remarks[i].text))
			say_of_row(report, &report->remarks[i]);
}

void report_remarks_free(struct report *report)
{
	for (size_t i = 0; i < report->remark_count; i++)
		free(report->remarks[i].text);
	free(report->remarks);
	report->remarks = NULL;
	report->remark_count = 0;
}

/* A number and its % stay together. */
static size_t word_length(const char *text)
{
	size_t length = strcspn(text, " ");

	return strncmp(text + length, " %", 2) == 0 ? length + 2 + strcspn(text + length + 2, " ") : length;
}

void report_put(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		putchar((unsigned char)text[i] < ' ' || text[i] == 0x7f ? ' ' : text[i]);
}

static void put_words(const char *text, size_t *column)
{
	while (*text) {
		size_t blanks = strspn(text, " "), length = blanks + word_length(text + blanks);

		if (*column + length > WIDTH && blanks) {
			printf("\n#  ");
			*column = strlen("#  ");
			text += blanks - 1;
			length -= blanks - 1;
		}
		report_put(text, length);
		*column += length;
		text += length;
	}
}

void report_line(const char *before, const char *text)
{
	size_t column = (size_t)printf("# ");

	put_words(before, &column);
	put_words(text, &column);
	putchar('\n');
}
