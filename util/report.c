// SPDX-License-Identifier: GPL-2.0-only
#include "report-internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "clock.h"
#include "die.h"
#include "wrap.h"

const char *const report_formats[] = { "default", "simple", "json", "csv", "go", NULL };

static const struct report_form *const forms[] = {
	[FORMAT_DEFAULT] = &report_text,
	[FORMAT_SIMPLE] = &report_simple,
	[FORMAT_JSON] = &report_json,
	[FORMAT_CSV] = &report_csv,
	[FORMAT_GO] = &report_go,
};

struct report *report_open(const struct report_style *style)
{
	struct report *report = xcalloc(1, sizeof(*report));

	report->style = *style;
	report->form = forms[style->format];
	report->outlet = outlet_open();
	return report;
}

void report_close(struct report *report)
{
	outlet_close(report->outlet);
	free(report);
}

void report_hold(const struct report *report)
{
	outlet_hold(report->outlet);
}

void report_flush(const struct report *report)
{
	outlet_release(report->outlet);
}

void report_begin(struct report *report, const char *collection, const char *name, bool table)
{
	report->collection = collection;
	report->name = name;
	report->table = table;
	report->heading_said = false;
}

void report_run(struct report *report, const struct series *series)
{
	report_progress(report, NULL);
	report_hold(report);
	report->form->run(report, series);
	report_flush(report);
}

void report_series(struct report *report, const struct series *series, const char *error)
{
	report_progress(report, NULL);
	report_hold(report);
	report->form->series(report, series, error);
	report_flush(report);
}

void report_skip(struct report *report, const struct series *series, const char *reason)
{
	report_progress(report, NULL);
	report_hold(report);
	report->form->skip(report, series, reason);
	report_flush(report);
}

void report_end(struct report *report)
{
	report_hold(report);
	report->form->end(report);
	report_flush(report);
}

static int terminal_columns(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

void report_progress(const struct report *report, const char *text)
{
	if (report->style.quiet || !isatty(STDERR_FILENO))
		return;
	/* A line that is wrapped would leave its beginning behind. */
	fprintf(stderr, "\r\033[K%.*s", terminal_columns() - 1, text ? text : "");
	fflush(stderr);
}

uint64_t progress_left(const struct progress *progress, uint64_t now)
{
	uint64_t each = (progress->last_ns - progress->start_ns) / progress->done, running = now - progress->last_ns;

	return each * (progress->planned - progress->done - 1) + (running < each ? each - running : 0);
}

void report_progress_runs(const struct report *report, const struct progress *progress)
{
	uint64_t now = clock_now();
	char text[300], left[64] = "";

	if (progress->done >= progress->planned)
		return;
	if (progress->done)
		snprintf(left, sizeof(left), ", about %" PRIu64 " s left", progress_left(progress, now) / NSEC_PER_SEC);
	snprintf(text, sizeof(text), "%s: run %" PRIu64 " of %" PRIu64 ", %" PRIu64 " s%s", progress->words,
		progress->done + 1, progress->planned, (now - progress->start_ns) / NSEC_PER_SEC, left);
	report_progress(report, text);
}

void report_finish_stdout(void)
{
	if (fflush(stdout) == EOF || ferror(stdout) || fclose(stdout) == EOF)
		die_errno("stdout");
}
