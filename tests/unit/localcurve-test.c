// SPDX-License-Identifier: GPL-2.0-only
#include "localcurve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "units.h"

#define MS(n) ((n)*NSEC_PER_MSEC)

static struct localcurve curve_of(const struct localpoint *points, size_t count)
{
	return (struct localcurve){ .interval_ns = MS(100), .pages = 1000, .count = count, .points = points };
}

/* Of 1000 pages; the third point was not taken. */
static const struct localpoint rising[] = {
	{ .at_ns = MS(0), .local = 0, .taken = true },
	{ .at_ns = MS(110), .local = 500, .taken = true },
	{ .taken = false },
	{ .at_ns = MS(300), .local = 899, .taken = true },
	{ .at_ns = MS(410), .local = 900, .taken = true },
	{ .at_ns = MS(500), .local = 1000, .taken = true },
};

static void reached(void)
{
	struct localcurve curve = curve_of(rising, ARRAY_SIZE(rising)), part = curve_of(rising, 4);

	CHECK_NEAR(localcurve_percent(&curve, 1), 50, 0);
	CHECK(isnan(localcurve_percent(&curve, 2)));
	CHECK_NEAR(localcurve_reached(&curve, 90), 0.41, 1e-12);
	CHECK_NEAR(localcurve_reached(&curve, 0), 0, 0);
	CHECK(isnan(localcurve_reached(&part, 90)));
}

static void mean(void)
{
	struct localcurve curve = curve_of(rising, ARRAY_SIZE(rising)), one = curve_of(rising, 1);

	/* 110 ms of 0, 190 of 50 %, 110 of 89.9, 90 of 90 */
	CHECK_NEAR(localcurve_mean(&curve), (190 * 50 + 110 * 89.9 + 90 * 90) / 500, 1e-12);
	CHECK(isnan(localcurve_mean(&one)));
}

static struct result *report_of(const struct localcurve *curve)
{
	struct result *result = calloc(1, RESULT_SIZE);
	struct run run = { .result = result };

	localcurve_report(curve, &run);
	return result;
}

static void drawing(void)
{
	struct localcurve curve = curve_of(rising, ARRAY_SIZE(rising));
	struct result *result = report_of(&curve);
	static const char *const lines[] = {
		"   after    local",
		"      0s    0.0 %",
		"   100ms   50.0 %  ====================",
		"   200ms     n/a",
		"   300ms   89.9 %  ===================================",
		"   400ms   90.0 %  ====================================",
		"   500ms  100.0 %  ========================================",
	};

	CHECK_UINT(result->note_count, ARRAY_SIZE(lines));
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		CHECK_TEXT(result->notes[i], lines[i]);
	CHECK_UINT(result->remark_count, 1);
	CHECK_TEXT(result->remarks[0], "the task came too late for 1 of 6 points, which are n/a");
	CHECK_NEAR(result_value(result, "to-90-percent-sec"), 0.41, 1e-12);
	CHECK_NEAR(result_value(result, "end-local-percent"), 100, 0);
	CHECK_NEAR(result_value(result, "local-percent@300ms"), 89.9, 1e-12);
	CHECK(isnan(result_value(result, "local-percent@200ms")));
}

static void not_reached(void)
{
	static const struct localpoint points[] = {
		{ .at_ns = MS(0), .local = 0, .taken = true },
		{ .at_ns = MS(100), .local = 123, .untold = 7, .taken = true },
		{ .at_ns = MS(200), .local = 100, .untold = 2, .taken = true },
	};
	struct localcurve curve = curve_of(points, ARRAY_SIZE(points));
	struct result *result = report_of(&curve);

	CHECK(isnan(result_value(result, "to-90-percent-sec")));
	CHECK_NEAR(result_value(result, "end-local-percent"), 10, 1e-12);
	CHECK_UINT(result->remark_count, 2);
	CHECK_TEXT(result->remarks[0], "90 % were not reached in 200ms, but 12.3 %");
	CHECK_TEXT(result->remarks[1],
		"of up to 7 of 1000 pages the kernel did not tell, being about to look who uses them: they count as "
		"where they were last");
}

/* What is nearly the goal is not told as the goal. */
static void nearly_reached(void)
{
	static const struct localpoint points[] = { { .local = 8997, .taken = true },
		{ .at_ns = MS(100), .local = 8997, .taken = true } };
	struct localcurve curve = curve_of(points, ARRAY_SIZE(points));
	struct result *result;

	curve.pages = 10000;
	result = report_of(&curve);
	CHECK_TEXT(result->remarks[0], "90 % were not reached in 100ms, but 89.9 %");
	free(result);
}

/* Any number of points fits into the lines and metrics of a result, and the last one is drawn. */
static void many_points(void)
{
	struct localpoint points[LOCALCURVE_POINTS];
	char due[UNITS_TEXT];

	for (size_t i = 0; i < LOCALCURVE_POINTS; i++)
		points[i] = (struct localpoint){ .at_ns = i * MS(100), .local = i, .taken = true };
	for (size_t count = 2; count <= LOCALCURVE_POINTS; count += test_brief() ? 23 : 1) {
		struct localcurve curve = curve_of(points, count);
		struct result *result = report_of(&curve);

		CHECK(result->note_count >= 3 && result->note_count < RESULT_NOTES - 4);
		CHECK(strstr(result->notes[result->note_count - 1], units_format_time(due, MS(100) * (count - 1))));
		CHECK_UINT(result->metric_count, 3 + count);
		free(result);
	}
}

static void counters(void)
{
	static const char text[] = "nr_free_pages 7\nnuma_pte_updates 4111\nnuma_hint_faults 18446744073709551615\n"
				   "numa_hint_faults_local 12\nnuma_pages_migrated 0\n";

	CHECK_NEAR(vmstat_value(text, "nr_free_pages"), 7, 0);
	CHECK_NEAR(vmstat_value(text, "numa_pte_updates"), 4111, 0);
	CHECK_NEAR(vmstat_value(text, "numa_hint_faults_local"), 12, 0);
	CHECK_NEAR(vmstat_value(text, "numa_pages_migrated"), 0, 0);
	CHECK(isnan(vmstat_value(text, "numa_hint")));
	CHECK(isnan(vmstat_value(text, "pte_updates")));
	CHECK(isnan(vmstat_value(NULL, "nr_free_pages")));
	CHECK(isnan(vmstat_value("", "nr_free_pages")));
}

static void settings(void)
{
	static const struct {
		const char *text, *said; /* NULL: it is on */
	} cases[] = {
		{ "1", NULL },
		{ "3", NULL },
		{ "0", "automatic NUMA balancing is off (sysctl kernel.numa_balancing=1 turns it on)" },
		{ "2", "automatic NUMA balancing is off (sysctl kernel.numa_balancing=1 turns it on)" },
		{ "", "the sysctl kernel.numa_balancing is no number" },
		{ NULL, "this kernel has no automatic NUMA balancing: there is no sysctl kernel.numa_balancing" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *said = balancing_is_off(cases[i].text);

		CHECK_TEXT(said ? said : "on", cases[i].said ? cases[i].said : "on");
	}
}

static const struct test tests[] = {
	{ "a share is reached at the first point that has it", reached },
	{ "the mean is over time, whenever points were taken", mean },
	{ "a curve is drawn line by line, and what was not looked up is n/a", drawing },
	{ "where the goal was not reached it is said what was", not_reached },
	{ "what is nearly the goal is told as less", nearly_reached },
	{ "curves of any length fit into a result", many_points },
	{ "a counter of vmstat is found by its whole name", counters },
	{ "balancing is on where the sysctl has its first bit, and otherwise it is said why not", settings },
};

TEST_MAIN(tests)
