// SPDX-License-Identifier: GPL-2.0-only
/* The runs of a file by their names, and of their metrics those that were asked for. */
#include "record-internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "wrap.h"

#define NOT_THERE ((double)NAN) /* NAN itself is a float */

/* Runs of one name mostly follow each other. */
static bool is_last(const struct record_rows *rows, struct span name, size_t length)
{
	const struct text *last = &rows->names.list[rows->last];

	return rows->names.count && last->length == length && memcmp(last->text, name.start, length) == 0;
}

static struct record_row *find_row(struct record_rows *rows, struct span name)
{
	size_t length = span_length(name), count = rows->names.count;

	if (rows->names.count && is_last(rows, name, length))
		return &rows->list[rows->last];
	rows->last = texts_number(&rows->names, name.start, length);
	if (rows->last == count) {
		rows->list = record_grow(rows->list, count, sizeof(*rows->list));
		rows->list[count] = (struct record_row){ .name = rows->names.list[count].text };
	}
	return &rows->list[rows->last];
}

/* One run more, which has nothing yet. */
static void add_run(struct record_row *row, struct record_place place)
{
	size_t run = row->run_count++;

	row->places = record_grow(row->places, run, sizeof(*row->places));
	row->places[run] = place;
	for (size_t i = 0; i < row->metric_count; i++) {
		struct record_values *metric = &row->metrics[i];

		metric->values = record_grow(metric->values, run, sizeof(*metric->values));
		metric->values[run] = NOT_THERE;
	}
}

static struct record_values *add_metric(struct record_row *row, const char *unit)
{
	struct record_values *metric;

	row->metrics = record_grow(row->metrics, row->metric_count, sizeof(*row->metrics));
	metric = &row->metrics[row->metric_count++];
	metric->unit = unit;
	metric->better = BETTER_NONE;
	metric->values = xcalloc(record_room(row->run_count), sizeof(*metric->values));
	for (size_t run = 0; run < row->run_count; run++)
		metric->values[run] = NOT_THERE;
	return metric;
}

/* A unit is one text in memory. The guess is where it stands when all runs of the row have the same metrics. */
static struct record_values *find_metric(struct record_row *row, const char *unit, size_t guess)
{
	if (guess < row->metric_count && row->metrics[guess].unit == unit)
		return &row->metrics[guess];
	for (size_t i = 0; i < row->metric_count; i++)
		if (row->metrics[i].unit == unit)
			return &row->metrics[i];
	return NULL;
}

static bool wants_all(const struct record_rows *rows)
{
	return rows->metric && rows->wanted == SIZE_MAX;
}

/* The base's headline of that row; NULL: the base does not have the row. */
static const char *base_headline(const struct record_rows *base, const char *name)
{
	size_t row = texts_find(&base->names, name, strlen(name));

	return row < base->names.count && base->list[row].metric_count ? base->list[row].metrics[0].unit : NULL;
}

/* Of its headline a row knows the unit once it has one. */
static bool is_headline(const struct record_rows *rows, const struct record_row *row, const char *unit)
{
	const char *of_base;

	if (row->metric_count)
		return false;
	of_base = rows->base ? base_headline(rows->base, row->name) : NULL;
	return of_base ? strcmp(of_base, unit) == 0 : row->run_count == 1;
}

static bool is_wanted(
	const struct record_rows *rows, const struct record_row *row, const struct record_pair *pair, const char *unit)
{
	if (!rows->metric)
		return is_headline(rows, row, unit);
	return wants_all(rows) || pair->unit == rows->wanted;
}

void record_rows_add(struct record_rows *rows, struct record_units *units, struct span name, struct record_place place)
{
	struct record_row *row = find_row(rows, name);

	add_run(row, place);
	for (size_t i = 0; i < units->pair_count; i++) {
		const struct record_pair *pair = &units->pairs[i];
		const char *unit = units->texts.list[pair->unit].text;
		struct record_values *metric = find_metric(row, unit, i);

		if (!metric && is_wanted(rows, row, pair, unit))
			metric = add_metric(row, unit);
		if (!metric)
			continue;
		metric->values[row->run_count - 1] = record_number_value(&pair->number);
		if (!wants_all(rows))
			break;
	}
}

void record_rows_finish(struct record_rows *rows, const struct record_units *units)
{
	for (size_t i = 0; i < rows->names.count; i++)
		for (size_t k = 0; k < rows->list[i].metric_count; k++)
			rows->list[i].metrics[k].better = record_units_better(units, rows->list[i].metrics[k].unit);
}

void record_rows_release(struct record_rows *rows)
{
	for (size_t i = 0; i < rows->names.count; i++) {
		for (size_t k = 0; k < rows->list[i].metric_count; k++)
			free(rows->list[i].metrics[k].values);
		free(rows->list[i].metrics);
		free(rows->list[i].places);
	}
	free(rows->list);
	texts_release(&rows->names);
}
