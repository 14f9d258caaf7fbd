// SPDX-License-Identifier: GPL-2.0-only
#include "localcurve.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"
#include "units.h"

#define LINES     16 /* of a drawing, about */
#define BAR_WIDTH 40
#define NORMAL    1 /* a bit of the sysctl; others are for memory of several speeds */

double localcurve_percent(const struct localcurve *curve, size_t i)
{
	return curve->points[i].taken ? 100.0 * (double)curve->points[i].local / (double)curve->pages : (double)NAN;
}

double localcurve_reached(const struct localcurve *curve, double percent)
{
	for (size_t i = 0; i < curve->count; i++)
		if (localcurve_percent(curve, i) >= percent)
			return (double)curve->points[i].at_ns / (double)NSEC_PER_SEC;
	return (double)NAN;
}

double localcurve_mean(const struct localcurve *curve)
{
	const struct localpoint *last = NULL, *first = NULL;
	double sum = 0;

	for (size_t i = 0; i < curve->count; i++) {
		const struct localpoint *point = &curve->points[i];

		if (!point->taken)
			continue;
		if (last)
			sum += (double)last->local * (double)(point->at_ns - last->at_ns);
		first = first ? first : point;
		last = point;
	}
	return first == last ? (double)NAN : 100 * sum / (double)curve->pages / (double)(last->at_ns - first->at_ns);
}

static const char *due(char text[UNITS_TEXT], const struct localcurve *curve, size_t i)
{
	return units_format_time(text, i * curve->interval_ns);
}

static void draw_line(const struct localcurve *curve, struct run *run, size_t i)
{
	char bar[BAR_WIDTH + 1] = "", text[UNITS_TEXT];
	double percent = localcurve_percent(curve, i);

	if (!isfinite(percent)) {
		run_note(run, "%8s     n/a", due(text, curve, i));
		return;
	}
	memset(bar, '=', (size_t)(percent * BAR_WIDTH / 100));
	run_note(run, "%8s  %5.1f %%%s%s", due(text, curve, i), percent, *bar ? "  " : "", bar);
}

static void draw(const struct localcurve *curve, struct run *run)
{
	size_t step = (curve->count + LINES - 1) / LINES;

	run_note(run, "%8s    local", "after");
	for (size_t i = 0; i < curve->count; i += step)
		draw_line(curve, run, i);
	if ((curve->count - 1) % step)
		draw_line(curve, run, curve->count - 1);
}

static size_t taken_points(const struct localcurve *curve, double *percents)
{
	size_t count = 0;

	for (size_t i = 0; i < curve->count; i++)
		if (curve->points[i].taken)
			percents[count++] = localcurve_percent(curve, i);
	return count;
}

static void remark_missing(const struct localcurve *curve, struct run *run, size_t taken)
{
	uint64_t untold = 0;

	for (size_t i = 0; i < curve->count; i++)
		if (curve->points[i].untold > untold)
			untold = curve->points[i].untold;
	if (taken < curve->count)
		run_remark(run, "the task came too late for %zu of %zu points, which are n/a", curve->count - taken,
			curve->count);
	if (untold)
		run_remark(run,
			"of up to %" PRIu64 " of %" PRIu64
			" pages the kernel did not tell, being about to look who uses them: they "
			"count as where they were last",
			untold, curve->pages);
}

void localcurve_report(const struct localcurve *curve, struct run *run)
{
	double *percents = xcalloc(curve->count, sizeof(*percents)), reached;
	size_t taken = taken_points(curve, percents);
	struct stats stats = stats_of(percents, taken);
	char key[METRIC_KEY], text[UNITS_TEXT];

	draw(curve, run);
	reached = localcurve_reached(curve, LOCALCURVE_GOAL);
	run_metric_shown(run, "to-90-percent-sec", reached, BETTER_LOWER);
	run_metric_shown(run, "local-percent", localcurve_mean(curve), BETTER_HIGHER);
	run_metric_shown(run, "end-local-percent", percents[taken - 1], BETTER_HIGHER);
	for (size_t i = 0; i < curve->count; i++) {
		snprintf(key, sizeof(key), "local-percent@%s", due(text, curve, i));
		run_metric(run, key, localcurve_percent(curve, i), BETTER_HIGHER);
	}
	if (!isfinite(reached))
		run_remark(run, "%d %% were not reached in %s, but %.1f %%", LOCALCURVE_GOAL,
			due(text, curve, curve->count - 1), floor(10 * stats.max) / 10);
	remark_missing(curve, run, taken);
	free(percents);
}

double vmstat_value(const char *text, const char *key)
{
	size_t length = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, length) == 0 && line[length] == ' ')
			return (double)strtoull(line + length + 1, NULL, 10);
	}
	return (double)NAN;
}

const char *balancing_is_off(const char *text)
{
	uint64_t mode;

	if (!text)
		return "this kernel has no automatic NUMA balancing: there is no sysctl kernel.numa_balancing";
	if (!units_parse_count(text, &mode))
		return "the sysctl kernel.numa_balancing is no number";
	if (!(mode & NORMAL))
		return "automatic NUMA balancing is off (sysctl kernel.numa_balancing=1 turns it on)";
	return NULL;
}
