// SPDX-License-Identifier: GPL-2.0-only
#include "result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "wrap.h"

static struct metric *find(struct result *result, const char *key)
{
	for (size_t i = 0; i < result->metric_count; i++)
		if (strcmp(result->metrics[i].key, key) == 0)
			return &result->metrics[i];
	return NULL;
}

struct metric *result_metric(struct result *result, const char *key, double value, enum better better)
{
	struct metric *metric = find(result, key);

	if (!metric) {
		if (result->metric_count == RESULT_METRICS || strlen(key) >= sizeof(metric->key))
			BUG("no room for metric %s", key);
		metric = &result->metrics[result->metric_count++];
		*metric = (struct metric){ .place = METRIC_EXTRA };
		strcpy(metric->key, key);
	}
	metric->value = value;
	metric->better = better;
	return metric;
}

struct metric *result_cell(
	struct result *result, const char *unit, unsigned row, unsigned column, double value, enum better better)
{
	char key[2 * METRIC_KEY];
	struct metric *metric;

	snprintf(key, sizeof(key), "%s@%u:%u", unit, row, column);
	metric = result_metric(result, key, value, better);
	metric->place = METRIC_CELL;
	metric->row = row;
	metric->column = column;
	return metric;
}

double result_value(const struct result *result, const char *key)
{
	for (size_t i = 0; i < result->metric_count; i++)
		if (strcmp(result->metrics[i].key, key) == 0)
			return result->metrics[i].value;
	return (double)NAN; /* NAN itself is a float */
}

PRINTF_LIKE(3, 0)
static void add_line(char lines[][RESULT_NOTE_TEXT], size_t *count, const char *format, va_list args)
{
	static const char cut[] = "...";

	if (*count == RESULT_NOTES)
		BUG("no room for another note");
	if (vsnprintf(lines[*count], RESULT_NOTE_TEXT, format, args) >= RESULT_NOTE_TEXT)
		memcpy(lines[*count] + RESULT_NOTE_TEXT - sizeof(cut), cut, sizeof(cut));
	++*count;
}

void result_note_list(struct result *result, const char *format, va_list args)
{
	add_line(result->notes, &result->note_count, format, args);
}

void result_remark_list(struct result *result, const char *format, va_list args)
{
	add_line(result->remarks, &result->remark_count, format, args);
}

void result_note(struct result *result, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	result_note_list(result, format, args);
	va_end(args);
}

void result_remark(struct result *result, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	result_remark_list(result, format, args);
	va_end(args);
}

bool result_is_warning(const char *remark)
{
	return strncmp(remark, "warning:", strlen("warning:")) == 0;
}

struct result *result_copy(const struct result *result)
{
	size_t size = sizeof(*result) + result->metric_count * sizeof(result->metrics[0]);

	return memcpy(xmalloc(size), result, size);
}

void series_add(struct series *series, struct result *result)
{
	series->runs = xrealloc(series->runs, (series->run_count + 1) * sizeof(*series->runs));
	series->runs[series->run_count++] = result;
}

double *series_values(const struct series *series, const char *key)
{
	double *values = xcalloc(series->run_count, sizeof(*values));

	for (size_t i = 0; i < series->run_count; i++)
		values[i] = result_value(series->runs[i], key);
	return values;
}

void series_release(struct series *series)
{
	for (size_t i = 0; i < series->run_count; i++)
		free(series->runs[i]);
	free(series->runs);
	series->runs = NULL;
	series->run_count = 0;
}
