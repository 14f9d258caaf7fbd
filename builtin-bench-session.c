// SPDX-License-Identifier: GPL-2.0-only
/* What all runs of a command share: CPUs, groups, counters, the file of records. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "builtin-bench.h"
#include "cgroup.h"
#include "units.h"

void common_cpus(const struct common *common, struct cpus *cpus)
{
	const char *list = common->cpus;
	struct cpus allowed;
	char text[200];

	cpus_allowed(&allowed);
	*cpus = allowed;
	if (!list)
		return;
	if (!cpus_parse(list, cpus) || !cpus_count(cpus))
		usage("option --cpus: '%s' is not a list of CPUs such as 0-3,8", list);
	if (!cpus_subset(cpus, &allowed))
		usage("option --cpus: '%s' is not within the CPUs that this process may use, %s", list,
			cpus_format(&allowed, text, sizeof(text)));
}

static void parse_precision(struct session *session)
{
	const struct common *common = session->common;

	if (common->precision && !units_parse_percent(common->precision, &session->precision))
		usage("option --precision: '%s' is not a percentage such as 2 or 0.5", common->precision);
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

/* An event is a metric, and so is what it is for one operation. */
static struct events *parse_events(const char *list)
{
	struct events *events = events_parse(list);

	for (size_t i = 0; i < events_count(events); i++)
		if (strlen(events_name(events, i)) > METRIC_KEY - sizeof("/op"))
			usage("option -e, --event: '%s' is too long a name", events_name(events, i));
	return events;
}

static void draw_id(char *id, size_t size)
{
	uint64_t bits = 0;

	if (getrandom(&bits, sizeof(bits), GRND_NONBLOCK) != sizeof(bits))
		die_errno("getrandom");
	snprintf(id, size, "%016" PRIx64, bits);
}

/* -o, and -f go: the same lines to a file and to stdout. */
static void open_records(struct session *session)
{
	const struct common *common = session->common;

	if (!common->output && common->format != FORMAT_GO)
		return;
	session->info = sysinfo_read("");
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
	};
	struct timespec now;

	if (!session->info)
		return;
	if (clock_gettime(CLOCK_REALTIME, &now) < 0)
		die_errno("clock_gettime");
	run.time = (double)now.tv_sec + (double)now.tv_nsec / (double)NSEC_PER_SEC;
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
	if (common->events)
		session->conditions.events = parse_events(common->events);
	open_records(session);
	draw_id(session->id, sizeof(session->id));
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
	if (session->conditions.events)
		events_free(session->conditions.events);
	free(session->limits[0]);
	free(session->limits);
}
