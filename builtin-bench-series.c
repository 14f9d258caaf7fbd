// SPDX-License-Identifier: GPL-2.0-only
/* One benchmark: its parameter sets, the runs of each, what is said of them. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-bench.h"
#include "clock.h"
#include "stats.h"

void session_progress(void *arg)
{
	const struct session *session = arg;

	report_progress_runs(session->report, &session->progress);
}

static const char *headline_of(const struct benchmark *benchmark)
{
	return benchmark->headline_now ? benchmark->headline_now() : benchmark->headline;
}

/* Of the set that is selected. */
static struct series series_of(
	const struct session *session, const struct entry *entry, struct param *params, size_t param_count)
{
	return (struct series){
		.collection = entry->collection,
		.name = entry->name,
		.operation = entry->benchmark->operation,
		.headline = headline_of(entry->benchmark),
		.layout = entry->benchmark->layout,
		.params = params,
		.param_count = param_count,
		.warmup = session->common->warmup,
	};
}

/* Says why a run has no number. In `all` the lines of the others go on. */
static enum verdict complain(struct session *session, const struct outcome *outcome, uint64_t run)
{
	report_progress(session->report, NULL);
	switch (outcome->status) {
	case RUN_DONE:
		return DONE;
	case RUN_SKIPPED:
		if (strcmp(session->skipped, outcome->reason) != 0)
			warn("skipped: %s", outcome->reason);
		snprintf(session->skipped, sizeof(session->skipped), "%s", outcome->reason);
		return SKIPPED;
	case RUN_INTERRUPTED:
		return INTERRUPTED;
	case RUN_FAILED:
		break;
	}
	if (session->progress.planned > 1 && run)
		warn("run %" PRIu64 ": %s", run, outcome->reason);
	else
		warn("%s", outcome->reason);
	return FAILED;
}

static enum verdict run_once(struct session *session, const struct entry *entry, struct series *series, bool measured,
	struct outcome *outcome)
{
	enum verdict verdict;

	session_progress(session);
	runner_run(session->runner, entry, outcome);
	verdict = complain(session, outcome, session->progress.done + 1);
	if (verdict != DONE)
		return verdict;
	session->progress.done++;
	session->progress.last_ns = clock_now();
	if (measured) {
		series_add(series, outcome->result);
		session_record(session, series);
		report_run(session->report, series);
	} else {
		free(outcome->result);
	}
	return DONE;
}

/* Whether the interval of the mean is as narrow as was asked. Never a question of what was found. */
static bool is_precise(const struct session *session, const struct series *series)
{
	double *values = series_values(series, series->headline);
	struct stats stats = stats_of(values, series->run_count);

	free(values);
	return 100 * (stats.high - stats.low) / 2 <= session->precision * fabs(stats.mean);
}

/* Fewer are too often alike by chance. */
#define PRECISE_LEAST 5

/* With --precision: as many as were asked for, and not too few. */
static bool wants_more(const struct session *session, const struct series *series)
{
	const struct common *common = session->common;

	if (series->run_count < common->repeat)
		return true;
	if (!(session->precision > 0) || series->run_count >= common->max_runs)
		return false;
	return series->run_count < PRECISE_LEAST || !is_precise(session, series);
}

static void say_imprecise(const struct session *session, const struct series *series)
{
	char *row;

	if (!(session->precision > 0) || is_precise(session, series))
		return;
	row = params_swept_text(series->params, series->param_count);
	report_progress(session->report, NULL);
	warn("%safter %zu runs the mean is not yet within %g %%; --max-runs allows more", row, series->run_count,
		session->precision);
	free(row);
}

static enum verdict run_series(
	struct session *session, const struct entry *entry, struct series *series, struct outcome *outcome)
{
	enum verdict verdict = DONE;
	char why[700] = "";

	for (uint64_t i = 0; i < session->common->warmup && verdict == DONE; i++)
		verdict = run_once(session, entry, series, false, outcome);
	while (verdict == DONE && wants_more(session, series))
		verdict = run_once(session, entry, series, true, outcome);
	if (verdict == DONE)
		say_imprecise(session, series);
	if (verdict == INTERRUPTED)
		snprintf(why, sizeof(why), "interrupted by signal %d", outcome->signal);
	else
		snprintf(why, sizeof(why), "%s", outcome->reason);
	if (verdict == SKIPPED && series->run_count)
		verdict = FAILED; /* it could run here, and then no more */
	if (verdict == SKIPPED)
		report_skip(session->report, series, why);
	else
		report_series(session->report, series, verdict == DONE ? NULL : why);
	return verdict;
}

/* Everything that can be known to be wrong is said before the first of several sets has run for an hour. */
static enum verdict check_all(
	struct session *session, const struct entry *entry, const struct optset *set, struct outcome *outcome)
{
	enum verdict verdict = DONE;

	for (size_t i = 0; i < optset_combinations(set) && verdict == DONE; i++) {
		optset_select(set, i);
		runner_check(session->runner, entry, outcome);
		if (outcome->status != RUN_SKIPPED)
			verdict = complain(session, outcome, 0);
	}
	return verdict;
}

static enum verdict run_set(
	struct session *session, const struct entry *entry, const struct optset *set, size_t i, struct outcome *outcome)
{
	size_t count;
	struct param *params = session_params(session, set, i, &count);
	struct series series;
	enum verdict verdict;

	optset_select(set, i);
	series = series_of(session, entry, params, count);
	verdict = run_series(session, entry, &series, outcome);
	series_release(&series);
	params_free(params, count);
	return verdict;
}

/* What several sets, or limits, together are: one that cannot run here is no reason not to run the next. */
struct sum {
	enum verdict worst;
	bool ran;
};

static void add_verdict(struct sum *sum, enum verdict verdict)
{
	sum->worst = verdict > sum->worst ? verdict : sum->worst;
	sum->ran |= verdict == DONE;
}

static enum verdict run_all_sets(
	struct session *session, const struct entry *entry, const struct optset *set, struct outcome *outcome)
{
	struct sum sum = { DONE, false };

	for (size_t limit = 0; limit < session->limit_count && sum.worst <= SKIPPED; limit++) {
		if (!session_limit(session, limit)) {
			add_verdict(&sum, SKIPPED);
			continue;
		}
		for (size_t i = 0; i < optset_combinations(set) && sum.worst <= SKIPPED; i++)
			add_verdict(&sum, run_set(session, entry, set, i, outcome));
	}
	session_limit(session, session->limit_count);
	return sum.worst == SKIPPED && sum.ran ? DONE : sum.worst;
}

enum verdict run_benchmark(
	struct session *session, const struct entry *entry, const struct optset *set, struct outcome *outcome)
{
	size_t sets = optset_combinations(set) * session->limit_count;
	enum verdict verdict = DONE;

	snprintf(session->words, sizeof(session->words), "%s %s", entry->collection, entry->name);
	die_context(session->words);
	session->progress = (struct progress){ .words = session->words,
		.planned = sets * (session->common->warmup + session->common->repeat),
		.start_ns = clock_now() };
	session->skipped[0] = '\0';
	report_begin(session->report, entry->collection, entry->name,
		optset_rows(set) * session->limit_count > 1 || session->common->repeat > 1 || session->precision > 0);
	if (sets > 1)
		verdict = check_all(session, entry, set, outcome);
	if (verdict == DONE)
		verdict = run_all_sets(session, entry, set, outcome);
	report_end(session->report);
	return verdict;
}
