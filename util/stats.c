// SPDX-License-Identifier: GPL-2.0-only
#include "stats.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats-internal.h"
#include "wrap.h"

#define MAX_STEPS 100000 /* of a continued fraction; some hundred are enough for Student's t */

/* So many degrees of freedom are as good as infinitely many: t differs from the normal by less than a double shows. */
#define DF_INFINITE 1e18

/* From here on two terms of Stirling's series leave less than 1e-13. */
#define STIRLING_LEAST 100.0

/* Ascending; NANs last, or qsort would be given an order that is none. */
static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	if (isnan(a) || isnan(b))
		return (isnan(a) != 0) - (isnan(b) != 0);
	return (a > b) - (a < b);
}

double *stats_sorted(const double *values, size_t n)
{
	double *sorted = xcalloc(n ? n : 1, sizeof(*sorted));

	if (n) {
		memcpy(sorted, values, n * sizeof(*sorted));
		qsort(sorted, n, sizeof(*sorted), compare);
	}
	return sorted;
}

double stats_quantile(const double *sorted, size_t n, double p)
{
	double place, part;
	size_t below;

	if (!n || !(p >= 0 && p <= 1))
		return NO_NUMBER;
	place = p * (double)(n - 1);
	below = (size_t)place;
	part = place - (double)below;
	if (part == 0 || sorted[below] == sorted[below + 1])
		return sorted[below];
	return (1 - part) * sorted[below] + part * sorted[below + 1];
}

double stats_finite(double value)
{
	return isfinite(value) ? value : NO_NUMBER;
}

int stats_exponent(double min, double max)
{
	int exponent = 0;

	frexp(fmax(fabs(min), fabs(max)), &exponent);
	return exponent;
}

/*
 * Sums are taken of scaled values, so squares neither overflow nor vanish, and of distances to the first value, so
 * equal values have a deviation of 0 and not of a rounding error.
 */
static void set_moments(struct stats *s, const double *values)
{
	int exponent = stats_exponent(s->min, s->max);
	double first = ldexp(values[0], -exponent), n = (double)s->n;
	double sum = 0, rest = 0, squares = 0, mean, stddev;

	for (size_t i = 0; i < s->n; i++)
		sum += ldexp(values[i], -exponent) - first;
	mean = first + sum / n;
	for (size_t i = 0; i < s->n; i++) {
		double distance = ldexp(values[i], -exponent) - mean;

		rest += distance;
		squares += distance * distance;
	}
	mean += rest / n;
	s->mean = ldexp(mean, exponent);
	if (s->n < 2)
		return;
	stddev = sqrt((squares - rest * rest / n) / (n - 1));
	s->stddev = stats_finite(ldexp(stddev, exponent));
	s->percent = stats_finite(100 * stddev / fabs(mean));
}

bool stats_all_finite(const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isfinite(values[i]))
			return false;
	return true;
}

struct stats stats_moments(const double *values, size_t n)
{
	struct stats s = { n, NO_NUMBER, NO_NUMBER, NO_NUMBER, NO_NUMBER, NO_NUMBER, NO_NUMBER, NO_NUMBER, NO_NUMBER };
	double *sorted;

	if (!n || !stats_all_finite(values, n))
		return s;
	sorted = stats_sorted(values, n);
	s.median = stats_quantile(sorted, n, 0.5);
	s.min = sorted[0];
	s.max = sorted[n - 1];
	free(sorted);
	set_moments(&s, values);
	return s;
}

struct stats stats_of(const double *values, size_t n)
{
	struct stats s = stats_moments(values, n);
	double half;

	if (isnan(s.stddev))
		return s;
	half = stats_t_quantile(0.975, (double)(n - 1)) * s.stddev / sqrt((double)n);
	s.low = stats_finite(s.mean - half);
	s.high = stats_finite(s.mean + half);
	return s;
}

/* lgamma writes a global; all arguments here are positive, so the sign is of no use. */
static double log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

/* What Stirling's formula for log_gamma leaves over, for x >= STIRLING_LEAST. */
static double stirling_rest(double x)
{
	return (1.0 / 12 - 1 / (360 * x * x)) / x;
}

/* log(gamma(a + b) / gamma(a)); for large a two values of log_gamma would cancel all their digits. */
static double log_gamma_ratio(double a, double b)
{
	if (a < STIRLING_LEAST)
		return log_gamma(a + b) - log_gamma(a);
	return (a - 0.5) * log1p(b / a) + b * (log(a + b) - 1) + stirling_rest(a + b) - stirling_rest(a);
}

/* Denominator n >= 0 of the continued fraction of I_x(a, b); written with y = 1 - x it has no large terms to cancel. */
static double beta_denominator(double a, double b, double x, double y, double n)
{
	double last = n > 0 ? n * (b - n) * x / (a + 2 * n - 1) : 0;

	return n + last + (a + n) / (a + 2 * n + 1) * (a * y - b * x + 1 + n * (1 + y));
}

/* Numerator n >= 1. */
static double beta_numerator(double a, double b, double x, double n)
{
	double divisor = a + 2 * n - 1;

	return (a + n - 1) * (a + b + n - 1) * n * (b - n) * x * x / (divisor * divisor);
}

/*
 * 1 / (d0 + n1 / (d1 + n2 / (d2 + ...))) by Lentz's method: DiDonato and Morris, algorithm 708, ACM TOMS 18 (1992).
 * For x < (a + 1) / (a + b + 2) it converges fast and nothing on the way is 0.
 */
static double beta_fraction(double a, double b, double x, double y)
{
	double value = beta_denominator(a, b, x, y, 0), above = value, below = 0, factor = 0;

	for (unsigned n = 1; fabs(factor - 1) > 4 * DBL_EPSILON && n < MAX_STEPS; n++) {
		double numerator = beta_numerator(a, b, x, n), denominator = beta_denominator(a, b, x, y, n);

		below = 1 / (denominator + numerator * below);
		above = denominator + numerator / above;
		factor = above * below;
		value *= factor;
	}
	return 1 / value;
}

/* y is 1 - x, given by the caller because near x = 1 a subtraction would lose its digits. */
static double beta_of(double a, double b, double x, double y)
{
	double log_x = x < 0.5 ? log(x) : log1p(-y), log_y = y < 0.5 ? log(y) : log1p(-x);
	double large = fmax(a, b), small = fmin(a, b), front;

	if (x <= 0 || y <= 0)
		return x <= 0 ? 0 : 1;
	front = exp(a * log_x + b * log_y + log_gamma_ratio(large, small) - log_gamma(small));
	if (x * (b + 1) < y * (a + 1)) /* x < (a + 1) / (a + b + 2), where x may be so near 1 that it is written as 1 */
		return front * beta_fraction(a, b, x, y);
	return 1 - front * beta_fraction(b, a, y, x);
}

double stats_beta(double a, double b, double x)
{
	if (!(a > 0 && b > 0 && x >= 0 && x <= 1))
		return NO_NUMBER;
	return beta_of(a, b, x, 1 - x);
}

double stats_t_two_sided(double t, double df)
{
	if (!(df > 0))
		return NO_NUMBER;
	df = fmin(df, DF_INFINITE);
	return beta_of(df / 2, 0.5, df / (df + t * t), t * t / (df + t * t)); /* t * t is inf: x is 0, y is not asked */
}

/* P(|T| < t), which keeps its digits where the two-sided tail is nearly 1. */
static double t_inside(double t, double df)
{
	df = fmin(df, DF_INFINITE);
	return beta_of(0.5, df / 2, t * t / (df + t * t), df / (df + t * t));
}

/* Whether T exceeds t >= 0 with less than the probability tail <= 0.5, asked of the side that keeps its digits. */
static bool is_beyond(double t, double df, double tail)
{
	if (tail < 0.25)
		return stats_t_two_sided(t, df) < 2 * tail;
	return t_inside(t, df) > 1 - 2 * tail;
}

/* Bisection down to the last digit: the tail is monotonic, so it cannot fail, and speed is no matter here. */
double stats_t_quantile(double p, double df)
{
	double tail = fmin(p, 1 - p), low = 0, high = 1;

	if (!(p >= 0 && p <= 1 && df > 0))
		return NO_NUMBER;
	if (tail == 0.5)
		return 0;
	while (isfinite(high) && !is_beyond(high, df, tail)) {
		low = high;
		high *= 2;
	}
	while (high - low > DBL_EPSILON * high) {
		double middle = low + (high - low) / 2;

		if (is_beyond(middle, df, tail))
			high = middle;
		else
			low = middle;
	}
	return p < 0.5 ? -high : high;
}
