// SPDX-License-Identifier: GPL-2.0-only
#include "compare.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "die.h"
#include "wrap.h"

#define ALPHA 0.05

static const double no_number = (double)NAN; /* NAN itself is a float */

static double percent_of(double ratio)
{
	return 100 * (ratio - 1);
}

static bool all_positive(const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(values[i] > 0) || !isfinite(values[i]))
			return false;
	return true;
}

/* Equal ratios have equal logarithms, and a ratio and its inverse opposite ones. */
static double log_ratio(double base, double new)
{
	double more = fmax(base, new), less = fmin(base, new), size = log(more / less);

	if (!isfinite(size))
		size = log(more) - log(less);
	return new < base ? -size : size;
}

/*
 * new - base of each pair, of logarithms where all values have them: then ratios are compared, not seconds. *step gets how
 * far apart rounding alone may have put two that are equal: decimals are not exact either.
 */
static double *pair_differences(const double *base, const double *new, size_t n, bool logs, double *step)
{
	double *differences = xcalloc(n ? n : 1, sizeof(*differences)), largest = 0;

	for (size_t i = 0; i < n; i++) {
		differences[i] = logs ? log_ratio(base[i], new[i]) : new[i] - base[i];
		largest = fmax(largest, logs ? fabs(differences[i]) : fmax(fabs(base[i]), fabs(new[i])));
	}
	*step = 4 * DBL_EPSILON * (logs ? fmax(largest, 1) : largest);
	return differences;
}

static void compare_pairs(struct comparison *c, const double *base, const double *new, size_t n)
{
	bool logs = all_positive(base, n) && all_positive(new, n);
	double step, *differences = pair_differences(base, new, n, logs, &step);
	struct stats_ranks ranks = stats_signed_rank(differences, n, step);
	struct stats_shift shift = stats_shift_pairs(differences, n);

	c->exact = ranks.exact;
	c->p = ranks.p;
	c->sign = ranks.excess;
	c->least_p = stats_least_pairs_p(n);
	if (logs) {
		c->low = percent_of(exp(shift.low));
		c->high = percent_of(exp(shift.high));
		c->deviation = stats_of(differences, n).stddev;
	}
	free(differences);
}

static bool has_outliers(const double *values, size_t n)
{
	return stats_look(values, n).outliers > 0;
}

static void compare_unpaired(struct comparison *c, const double *base, size_t n, const double *new, size_t m)
{
	struct stats_ratio ratio = stats_ratio(base, n, new, m);

	if (c->test == COMPARE_MANN_WHITNEY) {
		struct stats_ranks ranks = stats_mann_whitney(base, n, new, m);

		c->exact = ranks.exact;
		c->p = ranks.p;
		c->sign = -ranks.excess; /* U counts where the base is larger */
		c->least_p = stats_least_sets_p(n, m);
		c->outliers = has_outliers(base, n) || has_outliers(new, m);
	} else {
		c->p = c->welch_p;
		c->sign = c->new.mean - c->base.mean;
		c->least_p = 0;
	}
	c->low = percent_of(ratio.low);
	c->high = percent_of(ratio.high);
	c->deviation = stats_log_deviation(base, n, new, m);
}

void compare_sets(
	struct comparison *c, const double *base, size_t n, const double *new, size_t m, bool pairs, enum better better)
{
	struct stats_welch welch = stats_welch(new, m, base, n);

	if (pairs && n != m)
		BUG("%zu and %zu runs are no pairs", n, m);
	*c = (struct comparison){
		.base = stats_of(base, n),
		.new = stats_of(new, m),
		.better = better,
		.low = no_number,
		.high = no_number,
		.p = no_number,
		.deviation = no_number,
		.least = no_number,
		.adjusted = no_number,
		.welch_t = welch.t,
		.welch_p = welch.p,
	};
	c->test = pairs ? COMPARE_SIGNED_RANK : n >= 4 && m >= 4 ? COMPARE_MANN_WHITNEY : COMPARE_WELCH;
	c->change = c->base.mean != 0 ? 100 * ((c->new.mean - c->base.mean) / fabs(c->base.mean)) : no_number;
	if (!isfinite(c->base.mean) || !isfinite(c->new.mean))
		return; /* an empty set, or a value that is no number */
	if (pairs)
		compare_pairs(c, base, new, n);
	else
		compare_unpaired(c, base, n, new, m);
}

static enum compare_word direction(const struct comparison *c)
{
	if (c->better == BETTER_NONE)
		return COMPARE_CHANGED;
	return (c->sign < 0) == (c->better == BETTER_LOWER) ? COMPARE_IMPROVED : COMPARE_REGRESSED;
}

/* That the most significant of the rows is held to. */
static double level_of(const struct comparison *c)
{
	return ALPHA / (double)(c->tests ? c->tests : 1);
}

static size_t runs_needed(const struct comparison *c, double percent)
{
	double change = stats_change_for_ranks(log1p(percent / 100) / c->deviation);
	size_t needed;

	if (!isfinite(change) || change <= 0)
		return 0;
	needed = c->test == COMPARE_SIGNED_RANK ? stats_pairs_needed(change, level_of(c))
						: stats_runs_needed(change, level_of(c));
	return needed == SIZE_MAX ? 0 : needed;
}

/* Rows of a table mostly have as many runs as the one before: what was computed for that takes milliseconds. */
struct memo {
	enum compare_test test;
	size_t n, m, tests; /* 0: nothing was */
	double deviations;
};

static double least_deviations(enum compare_test test, size_t n, size_t m, double level)
{
	switch (test) {
	case COMPARE_SIGNED_RANK:
		return stats_least_change_signed_rank(n, level);
	case COMPARE_MANN_WHITNEY:
		return stats_least_change_ranks(n, m, level);
	case COMPARE_WELCH:
		break;
	}
	return stats_least_change_welch(n, m, level);
}

static double least_change(const struct comparison *c, struct memo *memo)
{
	size_t n = c->base.n, m = c->new.n;

	if (memo->test != c->test || memo->n != n || memo->m != m || memo->tests != c->tests)
		*memo = (struct memo){ c->test, n, m, c->tests, least_deviations(c->test, n, m, level_of(c)) };
	return percent_of(exp(c->deviation * memo->deviations));
}

/* Whether the smallest p that so many runs can give is too large beside so many others. */
static bool too_few(double least_p, size_t rivals)
{
	return least_p * (double)rivals > ALPHA;
}

/* The fewest runs a side, or pairs, that are not too few; 0 where it is not for their number that it cannot be told. */
static size_t enough_runs(const struct comparison *c)
{
	bool pairs = c->test == COMPARE_SIGNED_RANK;
	size_t n = 2;

	if (c->word != COMPARE_CANNOT_TELL)
		return 0;
	if (isnan(c->p) && c->base.n >= 2 && c->new.n >= 2)
		return 0;
	if (!isnan(c->p) && !too_few(c->least_p, c->rivals))
		return 0;
	while (pairs ? too_few(stats_least_pairs_p(n), c->rivals)
		     : c->base.n >= 4 && c->new.n >= 4 && too_few(stats_least_sets_p(n, n), c->rivals))
		n++;
	return n;
}

static enum compare_word judge(const struct comparison *c, double threshold, struct memo *memo)
{
	if (isnan(c->adjusted))
		return COMPARE_CANNOT_TELL;
	if (c->adjusted <= ALPHA)
		return fabs(c->change) < threshold ? COMPARE_BELOW : direction(c);
	if (too_few(c->least_p, c->rivals) || c->base.n < 2 || c->new.n < 2)
		return COMPARE_CANNOT_TELL;
	return threshold > 0 && !(least_change(c, memo) <= threshold) ? COMPARE_CANNOT_TELL : COMPARE_NONE;
}

static int ascending(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static size_t count_below(const double *sorted, size_t n, double limit)
{
	size_t low = 0;

	while (low < n) {
		size_t middle = low + (n - low) / 2;

		if (sorted[middle] < limit)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

/* Holm steps down: what was found with a smaller p is no rival any more. */
static void count_rivals(struct comparison *const *comparisons, size_t count)
{
	double *found = xcalloc(count ? count : 1, sizeof(*found));
	size_t tests = 0, found_count = 0;

	for (size_t i = 0; i < count; i++) {
		tests += !isnan(comparisons[i]->adjusted);
		if (comparisons[i]->adjusted <= ALPHA)
			found[found_count++] = comparisons[i]->p;
	}
	qsort(found, found_count, sizeof(*found), ascending);
	for (size_t i = 0; i < count; i++) {
		struct comparison *c = comparisons[i];

		c->tests = isnan(c->adjusted) ? 0 : tests;
		c->rivals = tests + isnan(c->adjusted) - count_below(found, found_count, c->least_p);
	}
	free(found);
}

void compare_words(struct comparison *const *comparisons, size_t count, double threshold)
{
	double *p = xcalloc(count ? count : 1, sizeof(*p)), *adjusted = xcalloc(count ? count : 1, sizeof(*adjusted));
	struct memo memo = { .n = 0 };

	for (size_t i = 0; i < count; i++)
		p[i] = comparisons[i]->p;
	stats_holm(p, count, adjusted);
	for (size_t i = 0; i < count; i++)
		comparisons[i]->adjusted = adjusted[i];
	count_rivals(comparisons, count);
	for (size_t i = 0; i < count; i++)
		comparisons[i]->word = judge(comparisons[i], threshold, &memo);
	free(p);
	free(adjusted);
}

void compare_judge(struct comparison *const *comparisons, size_t count, double threshold)
{
	struct memo memo = { .n = 0 };

	compare_words(comparisons, count, threshold);
	for (size_t i = 0; i < count; i++) {
		struct comparison *c = comparisons[i];

		c->enough = enough_runs(c);
		c->least = c->enough ? no_number : least_change(c, &memo);
		c->threshold = threshold;
	}
}

size_t compare_needed(const struct comparison *c)
{
	size_t needed = 0;

	if (c->word == COMPARE_NONE || c->word == COMPARE_CANNOT_TELL)
		needed = runs_needed(c, c->threshold > 0 ? c->threshold : 1);
	return needed && needed < c->enough ? c->enough : needed;
}

const char *compare_word_text(enum compare_word word)
{
	static const char *const words[] = {
		[COMPARE_NONE] = "no difference found",
		[COMPARE_BELOW] = "below threshold",
		[COMPARE_IMPROVED] = "improved",
		[COMPARE_REGRESSED] = "regressed",
		[COMPARE_CHANGED] = "changed",
		[COMPARE_CANNOT_TELL] = "cannot tell",
	};

	return words[word];
}

const char *compare_p_text(char text[COMPARE_P_TEXT], double p)
{
	if (p < 0.0001)
		return "<.0001";
	if (!isfinite(p))
		return "n/a";
	snprintf(text, COMPARE_P_TEXT, "%.4f", p);
	return text;
}

const char *compare_test_text(const struct comparison *c)
{
	if (c->test == COMPARE_WELCH)
		return "Welch's t (weak: fewer than 4 runs a side)";
	if (c->test == COMPARE_SIGNED_RANK)
		return c->exact ? "Wilcoxon signed-rank of pairs, exact" : "Wilcoxon signed-rank of pairs";
	return c->exact ? "Mann-Whitney U, exact" : "Mann-Whitney U";
}

double compare_welch_adjusted(const struct comparison *c)
{
	return c->p > 0 ? fmin(1, c->welch_p * c->adjusted / c->p) : c->welch_p;
}

const char *compare_disagreement(const struct comparison *c)
{
	double welch = compare_welch_adjusted(c);

	if (c->test != COMPARE_MANN_WHITNEY || isnan(c->adjusted) || isnan(welch))
		return NULL;
	if (c->adjusted <= ALPHA && welch > ALPHA)
		return c->outliers ? "the ranks moved and the mean did not: outliers hide it from the mean"
				   : "the ranks moved, and the mean hardly enough";
	if (c->adjusted > ALPHA && welch <= ALPHA)
		return c->outliers ? "the mean moved and the ranks did not: a few runs far out"
				   : "the mean moved, and the ranks hardly enough";
	return NULL;
}
