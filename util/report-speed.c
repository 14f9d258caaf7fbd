// SPDX-License-Identifier: GPL-2.0-only
/* The block of one memory function, as perf bench mem prints it. */
#include "report-internal.h"

#include <math.h>
#include <stdio.h>

#define STEP 1024

void report_speed(const struct result *result)
{
	static const char *const units[] = { "bytes/sec", "KB/sec", "MB/sec", "GB/sec" };
	double cycles = result_value(result, "cycles/byte"), speed = result_value(result, "B/s");
	size_t unit = 0;

	report_notes(result);
	putchar('\n');
	if (isfinite(cycles)) {
		printf(" %14f cycles/byte\n", cycles);
		return;
	}
	if (!isfinite(speed)) {
		printf(" %14s %s\n", "n/a", units[0]);
		return;
	}
	for (; speed >= STEP && unit + 1 < ARRAY_SIZE(units); unit++)
		speed /= STEP;
	printf(" %14f %s\n", speed, units[unit]);
}
