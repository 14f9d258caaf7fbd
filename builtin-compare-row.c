// SPDX-License-Identifier: GPL-2.0-only
/* Two rows against each other: which runs are pairs, and what is to be said of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-compare.h"
#include "wrap.h"

/* The runs of one side that have the metric, in their order. */
struct side {
	const struct record_row *row;
	const struct record_place **places;
	double *values; /* of these runs, once they are chosen */
	size_t n;
};

static int by_index(const void *left, const void *right)
{
	const struct record_place *const *a = left, *const *b = right;

	return ((*a)->index > (*b)->index) - ((*a)->index < (*b)->index);
}

static struct side side_of(const struct record_row *row, const struct record_values *metric)
{
	struct side side = { .row = row, .places = xcalloc(row->run_count + 1, sizeof(*side.places)) };

	for (size_t i = 0; i < row->run_count; i++)
		if (!isnan(metric->values[i]))
			side.places[side.n++] = &row->places[i];
	return side;
}

static void take_values(struct side *side, const struct record_values *metric)
{
	side->values = xcalloc(side->n + 1, sizeof(*side->values));
	for (size_t i = 0; i < side->n; i++)
		side->values[i] = metric->values[side->places[i] - side->row->places];
}

static void side_release(struct side *side)
{
	free(side->values);
	free(side->places);
}

static bool all_have_id(const struct side *side, const char *id)
{
	for (size_t i = 0; i < side->n; i++)
		if (!side->places[i]->id || strcmp(side->places[i]->id, id) != 0)
			return false;
	return true;
}

/* Made in one command, in turns: all runs of both sides carry the same id. */
static bool in_turns(const struct side *a, const struct side *b)
{
	const char *id = a->n ? a->places[0]->id : NULL;

	return id && b->n && all_have_id(a, id) && all_have_id(b, id);
}

/* Orders by round. False: a round stands twice. */
static bool sort_rounds(struct side *side)
{
	qsort(side->places, side->n, sizeof(*side->places), by_index);
	for (size_t i = 1; i < side->n; i++)
		if (side->places[i]->index == side->places[i - 1]->index)
			return false;
	return true;
}

/* Keeps the rounds that both sides have. */
static void keep_common(struct side *a, struct side *b)
{
	size_t i = 0, k = 0, n = 0;

	while (i < a->n && k < b->n) {
		if (a->places[i]->index < b->places[k]->index) {
			i++;
		} else if (a->places[i]->index > b->places[k]->index) {
			k++;
		} else {
			a->places[n] = a->places[i++];
			b->places[n++] = b->places[k++];
		}
	}
	a->n = b->n = n;
}

static int by_run(const void *left, const void *right)
{
	const struct record_place *const *a = left, *const *b = right;
	int order = strcmp((*a)->id ? (*a)->id : "", (*b)->id ? (*b)->id : "");

	if (order)
		return order;
	if ((*a)->index != (*b)->index)
		return (*a)->index > (*b)->index ? 1 : -1;
	return ((*a)->time > (*b)->time) - ((*a)->time < (*b)->time);
}

/*
 * Runs of a file that is compared with itself, or with one that it is a part of. Two commands that were run in turn have
 * rounds in common, and by chance a time, but not all of them.
 */
static size_t same_runs(const struct side *a, const struct side *b, bool pairs)
{
	const struct record_place **runs = xcalloc(a->n + 1, sizeof(*runs));
	size_t same = 0;

	for (size_t i = 0; i < a->n; i++)
		runs[i] = a->places[i];
	qsort(runs, a->n, sizeof(*runs), by_run);
	for (size_t i = 0; i < b->n; i++)
		same += b->places[i]->id && isfinite(b->places[i]->time) &&
			bsearch(&b->places[i], runs, a->n, sizeof(*runs), by_run);
	free(runs);
	return pairs && same < b->n ? 0 : same;
}

static bool all_before(const struct side *a, const struct side *b)
{
	double latest = -(double)INFINITY;

	for (size_t i = 0; i < a->n; i++)
		latest = a->places[i]->time > latest ? a->places[i]->time : latest;
	for (size_t i = 0; i < b->n; i++)
		if (!(b->places[i]->time > latest)) /* NAN: not known */
			return false;
	return a->n && b->n && isfinite(latest);
}

/* A drift over one side after the other looks like a difference. */
static void look_at(const struct side *a, const struct side *b, bool pairs, struct compare_remarks *remarks)
{
	struct stats_look first = stats_look(a->values, a->n), second = stats_look(b->values, b->n);

	remarks->outlier_rows += first.far_outliers || second.far_outliers;
	remarks->mode_rows += first.two_modes || second.two_modes;
	if (!pairs && (first.drift || second.drift))
		remarks->drifts += all_before(a, b) || all_before(b, a);
}

struct comparison *compare_row(const struct record_row *base, const struct record_values *base_metric,
	const struct record_row *new, const struct record_values *new_metric, struct compare_remarks *remarks)
{
	struct comparison *comparison = xcalloc(1, sizeof(*comparison));
	struct side a = side_of(base, base_metric), b = side_of(new, new_metric);
	enum better better = base_metric->better != BETTER_NONE ? base_metric->better : new_metric->better;
	size_t runs = a.n + b.n;
	bool pairs = in_turns(&a, &b) && sort_rounds(&a) && sort_rounds(&b);

	if (pairs)
		keep_common(&a, &b);
	remarks->same += same_runs(&a, &b, pairs);
	remarks->unpaired += runs - a.n - b.n;
	take_values(&a, base_metric);
	take_values(&b, new_metric);
	look_at(&a, &b, pairs, remarks);
	compare_sets(comparison, a.values, a.n, b.values, b.n, pairs, better);
	side_release(&a);
	side_release(&b);
	return comparison;
}
