// SPDX-License-Identifier: GPL-2.0-only
#include "builtin-stat-series.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "clock.h"
#include "die.h"
#include "record.h"
#include "shuffle.h"
#include "wrap.h"

struct session {
	const struct stat_plan *plan;
	struct supervisor *supervisor;
	struct report *report;
	struct report_stat stat;
	struct record_writer *writers[REPORT_LABELS];
	char id[RECORD_ID]; /* of all these runs, in their records */
	struct progress progress;
	/* why it ended early */
	int status;
	char reason[700];
};

static void show_progress(void *arg)
{
	const struct session *session = arg;

	report_progress_runs(session->report, &session->progress);
}

/* Records. */

/* "command" is what a file is about; where several share one, each has the number that its name has too. */
static struct record_writer *open_record(const struct stat_plan *plan, size_t output)
{
	struct sysinfo *info = common_facts();
	bool shared = plan->output_count < plan->count;
	size_t count = shared ? plan->count : 1;
	struct fact *facts = xcalloc(info->count + count + 1, sizeof(*facts));
	struct record_writer *writer;
	char keys[REPORT_LABELS][20], seed[24];

	memcpy(facts, info->facts, info->count * sizeof(*facts));
	for (size_t i = 0; i < count; i++) {
		snprintf(keys[i], sizeof(keys[i]), shared ? "command-%zu" : "command", i + 1);
		facts[info->count + i] = (struct fact){ keys[i], xstrdup(plan->commands[output + i].text) };
	}
	snprintf(seed, sizeof(seed), "%" PRIu64, plan->seed);
	facts[info->count + count] = (struct fact){ "seed", seed };
	writer = record_open(plan->outputs[output], facts, info->count + count + 1);
	for (size_t i = 0; i < count; i++)
		free(facts[info->count + i].value);
	free(facts);
	sysinfo_free(info);
	return writer;
}

static void record(const struct session *session, size_t command, uint64_t round)
{
	const struct series *series = &session->stat.commands[command].series;
	size_t outputs = session->plan->output_count;

	if (!outputs)
		return;
	record_write(
		session->writers[outputs == 1 ? 0 : command], &(struct record_run){
								      .series = series,
								      .result = series->runs[series->run_count - 1],
								      .id = session->id,
								      .index = round,
								      .time = record_now(),
							      });
}

/* Runs. */

static void keep(struct session *session, size_t i, uint64_t round, struct result *result)
{
	struct report_command *command = &session->stat.commands[i];

	command->rounds = xrealloc(command->rounds, (command->series.run_count + 1) * sizeof(*command->rounds));
	command->rounds[command->series.run_count] = round;
	series_add(&command->series, result);
	record(session, i, round);
	report_stat_run(session->report, &session->stat, i);
}

static void show_output(const char *output)
{
	warn("%s", output ? "the end of its output:" : "it has printed nothing on stdout");
	while (output && *output) {
		size_t length = strcspn(output, "\n");

		warn("| %.*s", (int)(length < 400 ? length : 400), output);
		output += length + (output[length] == '\n');
	}
}

/* Perhaps one command with its arguments was meant. */
static bool are_bare_words(const struct stat_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		if (strchr(plan->commands[i].text, ' '))
			return false;
	return plan->count > 1;
}

/* Says why a run has no result, and keeps it for the report. round 0: warm-up. */
static void complain(struct session *session, size_t i, uint64_t round, const struct stat_outcome *outcome)
{
	const char *text = session->plan->commands[i].text;
	char which[40] = "a warm-up run";

	if (round)
		snprintf(which, sizeof(which), "run %" PRIu64, round);
	snprintf(session->reason, sizeof(session->reason), "%s of '%.60s%s': %.500s", which, text,
		strlen(text) > 60 ? "..." : "", outcome->reason);
	if (outcome->end == STAT_INTERRUPTED)
		return;
	report_progress(session->report, NULL);
	warn("%s", session->reason);
	if (outcome->printed)
		show_output(outcome->output);
	if (are_bare_words(session->plan))
		warn("each word is a command of its own; a program with arguments stands after --");
}

/* True: go on. */
static bool run_once(struct session *session, size_t i, uint64_t round)
{
	struct stat_outcome outcome;
	bool ignored;

	show_progress(session);
	stat_run(session->supervisor, &session->plan->conditions, &session->plan->commands[i], &outcome);
	session->progress.done++;
	session->progress.last_ns = clock_now();
	ignored = outcome.end == STAT_FAILED && session->plan->ignore_failure;
	if (outcome.end == STAT_DONE && round)
		keep(session, i, round, outcome.result);
	else
		free(outcome.result);
	if (ignored) {
		session->stat.commands[i].failures += round > 0;
	} else if (outcome.end != STAT_DONE) {
		complain(session, i, round, &outcome);
		session->status = outcome.status;
	}
	free(outcome.output);
	return outcome.end == STAT_DONE || ignored;
}

static void run_all(struct session *session)
{
	const struct stat_plan *plan = session->plan;
	struct shuffle shuffle = { plan->seed };
	size_t order[REPORT_LABELS];

	for (uint64_t round = 0; round < plan->warmup + plan->repeat; round++) {
		shuffle_order(&shuffle, order, plan->count);
		for (size_t i = 0; i < plan->count; i++)
			if (!run_once(session, order[i], round < plan->warmup ? 0 : round - plan->warmup + 1))
				return;
	}
	for (size_t i = 0; i < plan->count; i++)
		if (!session->stat.commands[i].series.run_count) {
			snprintf(session->reason, sizeof(session->reason), "every run of '%.60s' failed",
				plan->commands[i].text);
			report_progress(session->report, NULL);
			warn("%s", session->reason);
			session->status = EXIT_FAILED;
		}
}

/* What is typed is a part of the names of its records; so is the command, where several share a file. */
static struct param *params_of(const struct stat_plan *plan, size_t command, size_t *count)
{
	struct param *params = xcalloc(2, sizeof(*params));

	*count = 0;
	if (plan->number)
		params[(*count)++] = (struct param){
			.name = "number", .type = OPT_TYPE_STRING, .value = xstrdup(plan->number), .given = true
		};
	if (plan->count > 1 && plan->output_count == 1)
		params[(*count)++] = (struct param){ .name = "command",
			.type = OPT_TYPE_COUNT,
			.number = command + 1,
			.value = xasprintf("%zu", command + 1) };
	return params;
}

static void session_begin(struct session *session, const struct stat_plan *plan, const struct report_style *style)
{
	*session = (struct session){
		.plan = plan,
		.stat = { .count = plan->count,
			.seed = plan->seed,
			.warmup = plan->warmup,
			.threshold = plan->threshold },
	};
	session->stat.commands = xcalloc(plan->count, sizeof(*session->stat.commands));
	for (size_t i = 0; i < plan->count; i++) {
		struct report_command *command = &session->stat.commands[i];

		command->text = plan->commands[i].text;
		command->series = (struct series){ .collection = "stat",
			.name = "",
			.operation = "run",
			.headline = stat_headline(&plan->conditions) };
		command->series.params = params_of(plan, i, &command->series.param_count);
	}
	for (size_t i = 0; i < plan->output_count; i++)
		session->writers[i] = open_record(plan, i);
	record_draw_id(session->id);
	session->report = report_open(style);
	session->supervisor = supervisor_new(show_progress, session);
	session->progress = (struct progress){
		.words = "stat", .planned = (plan->warmup + plan->repeat) * plan->count, .start_ns = clock_now()
	};
}

static void session_end(struct session *session)
{
	for (size_t i = 0; i < session->plan->output_count; i++)
		record_close(session->writers[i]);
	for (size_t i = 0; i < session->stat.count; i++) {
		struct report_command *command = &session->stat.commands[i];

		series_release(&command->series);
		params_free(command->series.params, command->series.param_count);
		free(command->rounds);
	}
	free(session->stat.commands);
	supervisor_free(session->supervisor);
	report_close(session->report);
}

int stat_series(const struct stat_plan *plan, const struct report_style *style)
{
	struct session session;

	session_begin(&session, plan, style);
	run_all(&session);
	report_stat_end(session.report, &session.stat, session.status ? session.reason : NULL);
	session_end(&session);
	return session.status;
}
