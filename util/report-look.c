// SPDX-License-Identifier: GPL-2.0-only
/* What the runs of a series look like in their order: outliers, a first run apart, drift, two modes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "report-internal.h"
#include "table.h"
#include "wrap.h"

static struct stats_look look_of(const struct series *series)
{
	double *values = series_values(series, series->headline);
	struct stats_look look = stats_look(values, series->run_count);

	free(values);
	return look;
}

static void put_outliers(FILE *out, const struct stats_look *look, size_t runs)
{
	fprintf(out, "%zu of %zu runs %s", look->outliers, runs,
		look->outliers == 1 ? "is an outlier" : "are outliers");
	if (look->far_outliers == look->outliers)
		fputs(", far out", out);
	else if (look->far_outliers)
		fprintf(out, ", %zu of them far out", look->far_outliers);
	fputc('\n', out);
}

static void put_modes(FILE *out, const struct stats_look *look)
{
	double apart = look->mode_mean[1] - look->mode_mean[0];
	int decimals = table_decimals(look->mode_mean, ARRAY_SIZE(look->mode_mean), 5);
	int different = table_decimals(&apart, 1, 2);

	decimals = different > decimals ? different : decimals;

	fprintf(out, "two modes: %zu runs around %.*f, %zu around %.*f\n", look->mode_n[0], decimals,
		look->mode_mean[0], look->mode_n[1], decimals, look->mode_mean[1]);
}

char *report_look(const struct series *series)
{
	struct stats_look look = look_of(series);
	char *text;
	size_t size;
	FILE *out = xopen_memstream(&text, &size);

	if (look.outliers)
		put_outliers(out, &look, series->run_count);
	if (look.first_apart)
		fputs("the first run stands apart; warm-up runs (-w) would leave it out\n", out);
	if (look.drift)
		fprintf(out, "runs beside each other are alike (lag-1 autocorrelation %.2f): drift\n", look.r1);
	if (look.two_modes)
		put_modes(out, &look);
	xclose_memstream(out);
	return text;
}

static void write_modes(struct json *json, const struct stats_look *look)
{
	json_array(json, "modes");
	for (size_t i = 0; look->two_modes && i < ARRAY_SIZE(look->mode_n); i++) {
		json_object(json, NULL);
		json_integer(json, "n", look->mode_n[i]);
		json_number(json, "mean", look->mode_mean[i]);
		json_object_end(json);
	}
	json_array_end(json);
}

void report_json_look(struct json *json, const struct series *series)
{
	struct stats_look look = look_of(series);

	json_object(json, "look");
	json_integer(json, "outliers", look.outliers);
	json_integer(json, "far_outliers", look.far_outliers);
	json_bool(json, "first_apart", look.first_apart);
	json_bool(json, "drift", look.drift);
	json_number(json, "autocorrelation", look.r1);
	write_modes(json, &look);
	json_object_end(json);
}
