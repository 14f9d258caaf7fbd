// SPDX-License-Identifier: GPL-2.0-only
/* Matrices over nodes as people paste them: aligned, labelled with real ids, the best and the worst cell marked. */
#include "report-internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "wrap.h"

#define GIGA 1e9

/* Ids in the order of their first sight. */
struct axis {
	unsigned *ids;
	size_t count;
};

/* Numbers of cells, row by row; NAN where there is none. */
struct matrix {
	struct axis rows, columns;
	double *values;
};

static size_t axis_place(struct axis *axis, unsigned id)
{
	size_t i = 0;

	while (i < axis->count && axis->ids[i] != id)
		i++;
	if (i == axis->count) {
		axis->ids = xrealloc(axis->ids, (axis->count + 1) * sizeof(*axis->ids));
		axis->ids[axis->count++] = id;
	}
	return i;
}

static size_t unit_length(const struct metric *cell)
{
	return strcspn(cell->key, "@");
}

static bool is_cell(const struct metric *metric, const struct metric *first)
{
	size_t length = unit_length(first);

	return metric->place == METRIC_CELL && unit_length(metric) == length &&
	       memcmp(metric->key, first->key, length) == 0;
}

/* The matrix of the unit of its first cell; the number of a cell is value(cell, arg). */
static struct matrix matrix_new(const struct result *result, const struct metric *first,
	double (*value)(const struct metric *cell, const void *arg), const void *arg)
{
	const struct metric *end = result->metrics + result->metric_count;
	struct matrix matrix = { 0 };

	for (const struct metric *metric = first; metric < end; metric++)
		if (is_cell(metric, first)) {
			axis_place(&matrix.rows, metric->row);
			axis_place(&matrix.columns, metric->column);
		}
	matrix.values = xcalloc(matrix.rows.count * matrix.columns.count, sizeof(*matrix.values));
	for (size_t i = 0; i < matrix.rows.count * matrix.columns.count; i++)
		matrix.values[i] = (double)NAN;
	for (const struct metric *metric = first; metric < end; metric++)
		if (is_cell(metric, first))
			matrix.values[axis_place(&matrix.rows, metric->row) * matrix.columns.count +
				      axis_place(&matrix.columns, metric->column)] = value(metric, arg);
	return matrix;
}

static void matrix_release(struct matrix *matrix)
{
	free(matrix->rows.ids);
	free(matrix->columns.ids);
	free(matrix->values);
}

/* The places of the least and the most; both 0 where all that there is is equal. */
static void find_ends(const struct matrix *matrix, size_t *least, size_t *most)
{
	const double *values = matrix->values;

	*least = *most = 0;
	for (size_t i = 0; i < matrix->rows.count * matrix->columns.count; i++) {
		if (!isfinite(values[*least]) || values[i] < values[*least])
			*least = i;
		if (!isfinite(values[*most]) || values[i] > values[*most])
			*most = i;
	}
}

/* marks[i] is what stands behind value i; NULL: no marks, and no column for them. */
static void print_matrix(const struct matrix *matrix, FILE *out, int decimals, const char *marks)
{
	struct table *table = table_new(1 + matrix->columns.count);

	table_cell(table, false, "node");
	for (size_t i = 0; i < matrix->columns.count; i++)
		table_cell(table, false, "%u%s", matrix->columns.ids[i], marks ? " " : "");
	for (size_t i = 0; i < matrix->rows.count * matrix->columns.count; i++) {
		const char mark[2] = { marks ? marks[i] : '\0' };

		if (i % matrix->columns.count == 0)
			table_cell(table, false, "%u", matrix->rows.ids[i / matrix->columns.count]);
		if (isfinite(matrix->values[i]))
			table_cell(table, false, "%.*f%s", decimals, matrix->values[i], mark);
		else
			table_cell(table, false, "n/a%s", mark);
	}
	fputc('\n', out);
	table_print(table, out, "  ");
	table_free(table);
}

/* The runs whose medians and deviations are shown, and what a number is divided by. */
struct runs {
	const struct result *const *list;
	size_t count;
	double scale;
};

static struct stats stats_of_cell(const struct metric *cell, const struct runs *runs)
{
	double *values = xcalloc(runs->count, sizeof(*values));
	struct stats stats;

	for (size_t i = 0; i < runs->count; i++)
		values[i] = result_value(runs->list[i], cell->key) / runs->scale;
	stats = stats_of(values, runs->count);
	free(values);
	return stats;
}

static double cell_median(const struct metric *cell, const void *arg)
{
	return stats_of_cell(cell, arg).median;
}

static double cell_percent(const struct metric *cell, const void *arg)
{
	return stats_of_cell(cell, arg).percent;
}

static double cell_distance(const struct metric *cell, const void *arg)
{
	(void)arg;
	return cell->distance ? cell->distance : (double)NAN;
}

/* "read-B/s" becomes "read-GB/s", and the scale 1e9. */
static char *shown_unit(const struct metric *first, double *scale)
{
	static const char bytes[] = "B/s";
	size_t length = unit_length(first), prefix = length - strlen(bytes);
	bool large = length >= strlen(bytes) && strncmp(first->key + prefix, bytes, strlen(bytes)) == 0;

	*scale = large ? GIGA : 1;
	return large ? xasprintf("%.*sG%s", (int)prefix, first->key, bytes)
		     : xasprintf("%.*s", (int)length, first->key);
}

static void write_medians(FILE *out, const char *head, const struct metric *first, const struct runs *runs)
{
	const struct result *result = runs->list[0];
	struct matrix matrix = matrix_new(result, first, cell_median, runs);
	size_t count = matrix.rows.count * matrix.columns.count, least, most;
	bool higher = first->better == BETTER_HIGHER;
	char *marks = xcalloc(count + 1, 1);

	find_ends(&matrix, &least, &most);
	memset(marks, ' ', count);
	fprintf(out, "# %s%s: %s (rows) by %s (columns)", head, runs->count > 1 ? ", medians" : "", result->rows,
		result->columns);
	if (first->better != BETTER_NONE && matrix.values[least] < matrix.values[most]) {
		marks[least] = higher ? '!' : '*';
		marks[most] = higher ? '*' : '!';
		fputs(", best *, worst !", out);
	}
	fputc('\n', out);
	print_matrix(&matrix, out, table_decimals(matrix.values, count, 4), marks);
	free(marks);
	matrix_release(&matrix);
}

static void write_spread(FILE *out, const char *head, const struct metric *first, const struct runs *runs)
{
	struct matrix matrix = matrix_new(runs->list[0], first, cell_percent, runs);

	fprintf(out, "\n# %s: %%stddev of %zu runs\n", head, runs->count);
	print_matrix(&matrix, out, 2, NULL);
	matrix_release(&matrix);
}

/* The first cell of the next matrix, from *at on; NULL: no more. Those of a matrix stand together. */
static const struct metric *next_matrix(const struct result *result, size_t *at)
{
	for (; *at < result->metric_count; ++*at) {
		const struct metric *metric = &result->metrics[*at];

		if (metric->place == METRIC_CELL && (*at == 0 || !is_cell(metric - 1, metric)))
			return &result->metrics[(*at)++];
	}
	return NULL;
}

char *report_matrices(const char *before, const struct result *const *results, size_t count)
{
	const struct metric *first;
	size_t length, at = 0;
	const char *separator = "";
	char *text;
	FILE *out = xopen_memstream(&text, &length);

	while ((first = next_matrix(results[0], &at))) {
		struct runs runs = { .list = results, .count = count };
		char *unit = shown_unit(first, &runs.scale), *head = xasprintf("%s%s", before, unit);

		fputs(separator, out);
		separator = "\n";
		write_medians(out, head, first, &runs);
		if (count > 1)
			write_spread(out, head, first, &runs);
		free(head);
		free(unit);
	}
	xclose_memstream(out);
	return text;
}

char *report_distances(const struct result *result)
{
	size_t length, at = 0;
	const struct metric *first = next_matrix(result, &at);
	char *text;
	FILE *out = xopen_memstream(&text, &length);

	if (first) {
		struct matrix matrix = matrix_new(result, first, cell_distance, NULL);

		fputs("# distance, as the kernel says it\n", out);
		print_matrix(&matrix, out, 0, NULL);
		matrix_release(&matrix);
	}
	xclose_memstream(out);
	return text;
}
