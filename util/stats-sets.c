// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "stats-internal.h"
#include "wrap.h"

/*
 * Welch (1947), with the degrees of freedom of Welch and Satterthwaite: (A + B)^2 / (A^2 / (n - 1) + B^2 / (m - 1)) for
 * squared errors A and B of the means. Written with their shares of the sum, no square leaves the range of doubles.
 */
struct stats_welch stats_welch(const double *a, size_t n, const double *b, size_t m)
{
	struct stats_welch welch = { NO_NUMBER, NO_NUMBER, NO_NUMBER, NO_NUMBER, NO_NUMBER };
	struct stats s = stats_moments(a, n), z = stats_moments(b, m);
	double error_a = s.stddev / sqrt((double)n), error_b = z.stddev / sqrt((double)m);
	double error = hypot(error_a, error_b), difference = s.mean - z.mean, share_a, share_b, half;

	if (!isfinite(error) || error == 0 || !isfinite(difference))
		return welch;
	share_a = (error_a / error) * (error_a / error);
	share_b = (error_b / error) * (error_b / error);
	welch.t = difference / error;
	welch.df = 1 / (share_a * share_a / (double)(n - 1) + share_b * share_b / (double)(m - 1));
	welch.p = stats_t_two_sided(welch.t, welch.df);
	half = stats_t_quantile(0.975, welch.df) * error;
	welch.t = stats_finite(welch.t);
	welch.low = stats_finite(difference - half);
	welch.high = stats_finite(difference + half);
	return welch;
}

static bool all_positive(const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(values[i] > 0) || !isfinite(values[i]))
			return false;
	return n > 0;
}

/* log(value / unit): of values that lie close together it keeps the digits in which they differ. */
static double log_against(double value, double unit)
{
	double distance = value - unit;

	return fabs(distance) < unit / 2 ? log1p(distance / unit) : log(value) - log(unit);
}

static double *logs_against(const double *values, size_t n, double unit)
{
	double *logs = xcalloc(n, sizeof(*logs));

	for (size_t i = 0; i < n; i++)
		logs[i] = log_against(values[i], unit);
	return logs;
}

struct stats_ratio stats_ratio(const double *a, size_t n, const double *b, size_t m)
{
	struct stats_ratio ratio = { NO_NUMBER, NO_NUMBER, NO_NUMBER, NO_NUMBER, NO_NUMBER, NO_NUMBER };
	struct stats_welch welch;
	double *logs_a, *logs_b;

	if (!all_positive(a, n) || !all_positive(b, m))
		return ratio;
	logs_a = logs_against(a, n, a[0]);
	logs_b = logs_against(b, m, a[0]);
	welch = stats_welch(logs_b, m, logs_a, n);
	ratio.ratio = stats_finite(exp(stats_moments(logs_b, m).mean - stats_moments(logs_a, n).mean));
	ratio.low = stats_finite(exp(welch.low));
	ratio.high = stats_finite(exp(welch.high));
	ratio.t = welch.t;
	ratio.df = welch.df;
	ratio.p = welch.p;
	free(logs_a);
	free(logs_b);
	return ratio;
}

double stats_log_deviation(const double *a, size_t n, const double *b, size_t m)
{
	double *logs_a, *logs_b, deviation;

	if (!all_positive(a, n) || !all_positive(b, m))
		return NO_NUMBER;
	logs_a = logs_against(a, n, a[0]);
	logs_b = logs_against(b, m, a[0]);
	deviation = stats_pooled(stats_moments(logs_a, n).stddev, n, stats_moments(logs_b, m).stddev, m);
	free(logs_a);
	free(logs_b);
	return deviation;
}

double stats_geometric_mean(const double *values, size_t n)
{
	double *logs, mean;

	if (!all_positive(values, n))
		return NO_NUMBER;
	logs = logs_against(values, n, values[0]);
	mean = stats_moments(logs, n).mean;
	free(logs);
	return fabs(mean) < 1 ? values[0] * exp(mean) : exp(log(values[0]) + mean);
}

double stats_pooled(double a, size_t n, double b, size_t m)
{
	double free_a = n > 1 ? (double)(n - 1) : 0, free_b = m > 1 ? (double)(m - 1) : 0;
	double part_a = free_a > 0 ? a * sqrt(free_a / (free_a + free_b)) : 0;
	double part_b = free_b > 0 ? b * sqrt(free_b / (free_a + free_b)) : 0;

	return free_a + free_b > 0 ? stats_finite(hypot(part_a, part_b)) : NO_NUMBER;
}

struct row {
	double p;
	size_t place;
};

static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	return (a->p > b->p) - (a->p < b->p);
}

/* Holm (1979): the i-th smallest of k, times k - i, counted from 0, and never less than the one before it. */
void stats_holm(const double *p, size_t n, double *adjusted)
{
	struct row *rows = xcalloc(n ? n : 1, sizeof(*rows));
	double least = 0;
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		if (p[i] >= 0 && p[i] <= 1)
			rows[count++] = (struct row){ p[i], i };
		else
			adjusted[i] = NO_NUMBER;
	}
	qsort(rows, count, sizeof(*rows), compare_rows);
	for (size_t i = 0; i < count; i++) {
		least = fmax(least, fmin(1, (double)(count - i) * rows[i].p));
		adjusted[rows[i].place] = least;
	}
	free(rows);
}
