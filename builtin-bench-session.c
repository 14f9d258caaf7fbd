// SPDX-License-Identifier: GPL-2.0-only
/* What all runs of a command share: CPUs, groups, counters, the file of records. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-bench.h"
#include "cgroup.h"

static void parse_precision(struct session *session)
{
	const struct common *common = session->common;

	session->precision = common_percent("--precision", common->precision);
	if (common->precision && common->max_runs < common->repeat)
		usage("option --max-runs: %" PRIu64 " are fewer than the %" PRIu64 " of -r, --repeat", common->max_runs,
			common->repeat);
}

/* The words share the first one's memory. */
static void parse_limits(struct session *session)
{
	char *list = session->common->cpu_max ? xstrdup(session->common->cpu_max) : NULL, *word = list;

	do {
		size_t length = word ? strcspn(word, ",") : 0;
		bool last = !word || word[length] == '\0';

		if (word) {
			word[length] = '\0';
			if (!cgroup_limit_is_valid(word))
				usage("option --cpu-max: '%s' is neither none nor QUOTA/PERIOD in microseconds, such as "
				      "50000/100000 or max/100000",
					word);
		}
		session->limits = xrealloc(session->limits, (session->limit_count + 1) * sizeof(*session->limits));
		session->limits[session->limit_count++] = word;
		word = last ? NULL : word + length + 1;
	} while (word);
}

/* -o, and -f go: the same lines to a file and to stdout. */
static void open_records(struct session *session)
{
	const struct common *common = session->common;

	if (!common->output && common->format != FORMAT_GO)
		return;
	session->info = common_facts();
	if (common->output)
		session->writers[0] = record_open(common->output, session->info->facts, session->info->count);
	if (common->format == FORMAT_GO)
		session->writers[1] = record_open(NULL, session->info->facts, session->info->count);
}

void session_record(struct session *session, const struct series *series)
{
	struct record_run run = {
		.series = series,
		.result = series->runs[series->run_count - 1],
		.id = session->id,
		.index = series->run_count,
		.time = record_now(),
	};

	for (size_t i = 0; i < ARRAY_SIZE(session->writers); i++)
		if (session->writers[i])
			record_write(session->writers[i], &run);
}

bool session_limit(struct session *session, size_t i)
{
	const char *limit = i < session->limit_count ? session->limits[i] : NULL;
	char why[CGROUP_WHY];

	cgroup_remove(session->conditions.fresh);
	session->conditions.fresh = NULL;
	session->limit = limit;
	if (!limit || strcmp(limit, "none") == 0)
		return true;
	session->conditions.fresh = cgroup_make(session->common->cgroup, limit, why);
	if (!session->conditions.fresh)
		warn("skipped: --cpu-max %s: %s", limit, why);
	return session->conditions.fresh;
}

static void add_param(struct param **params, size_t *count, const char *name, const char *value, bool swept)
{
	*params = xrealloc(*params, (*count + 1) * sizeof(**params));
	(*params)[(*count)++] = (struct param){
		.name = name, .type = OPT_TYPE_STRING, .value = xstrdup(value), .given = true, .swept = swept
	};
}

struct param *session_params(const struct session *session, const struct optset *set, size_t i, size_t *count)
{
	struct param *params = optset_params(set, i, count);

	if (session->common->cpus)
		add_param(&params, count, "on-cpus", session->common->cpus, false);
	if (session->common->cgroup)
		add_param(&params, count, "in-cgroup", session->common->cgroup, false);
	if (session->limit)
		add_param(&params, count, "cpu-max", session->limit, session->limit_count > 1);
	return params;
}

void session_begin(struct session *session, const struct common *common, bool all)
{
	*session = (struct session){
		.common = common,
		.all = all,
		.conditions = {
			.timeout_ns = common->timeout_ns,
			.prepare = common->prepare,
			.drop_caches = common->drop_caches,
			.group = common->cgroup,
		},
	};
	common_cpus(common, &session->conditions.cpus);
	parse_precision(session);
	parse_limits(session);
	session->conditions.events = common_events(common->events);
	open_records(session);
	record_draw_id(session->id);
	session->runner = runner_new(&session->conditions, session_progress, session);
	session->report = report_open(&(struct report_style){
		.format = common->format,
		.verbose = common->verbose,
		.quiet = common->quiet,
		.all = all,
	});
}

void session_end(struct session *session)
{
	report_close(session->report);
	runner_free(session->runner);
	for (size_t i = 0; i < ARRAY_SIZE(session->writers); i++)
		if (session->writers[i])
			record_close(session->writers[i]);
	if (session->info)
		sysinfo_free(session->info);
	events_free(session->conditions.events);
	free(session->limits[0]);
	free(session->limits);
}
