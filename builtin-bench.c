// SPDX-License-Identifier: GPL-2.0-only
/* Runs benchmarks: parse, sweep, repeat, report. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "clock.h"
#include "nearest.h"
#include "runner.h"
#include "units.h"

/* One command: what its benchmarks share. */
struct session {
	const struct common *common;
	struct conditions conditions;
	struct runner *runner;
	struct report *report;
	bool all;
	/* of the benchmark that is under way, for the progress line */
	uint64_t runs_done, runs_planned, start_ns;
	char words[128];
};

/* How the part of a command that one benchmark is ended; the worst of several is the command's. */
enum verdict { DONE, SKIPPED, FAILED, INTERRUPTED };

static void show_progress(void *arg)
{
	const struct session *session = arg;
	uint64_t elapsed = clock_now() - session->start_ns;
	char text[300], left[64] = "";

	if (session->runs_done)
		snprintf(left, sizeof(left), ", about %" PRIu64 " s left",
			elapsed / session->runs_done * (session->runs_planned - session->runs_done) / NSEC_PER_SEC);
	snprintf(text, sizeof(text), "%s: run %" PRIu64 " of %" PRIu64 ", %" PRIu64 " s%s", session->words,
		session->runs_done + 1, session->runs_planned, elapsed / NSEC_PER_SEC, left);
	report_progress(session->report, text);
}

static struct series series_of(
	const struct session *session, const struct entry *entry, struct param *params, size_t param_count)
{
	return (struct series){
		.collection = entry->collection,
		.name = entry->name,
		.operation = entry->benchmark->operation,
		.headline = entry->benchmark->headline,
		.layout = entry->benchmark->layout,
		.params = params,
		.param_count = param_count,
		.warmup = session->common->warmup,
	};
}

/* Says why a run has no number. In `all` the lines of the others go on. */
static enum verdict complain(const struct session *session, const struct outcome *outcome, uint64_t run)
{
	report_progress(session->report, NULL);
	switch (outcome->status) {
	case RUN_DONE:
		return DONE;
	case RUN_SKIPPED:
		warn("skipped: %s", outcome->reason);
		return SKIPPED;
	case RUN_INTERRUPTED:
		return INTERRUPTED;
	case RUN_FAILED:
		break;
	}
	if (session->runs_planned > 1 && run)
		warn("run %" PRIu64 ": %s", run, outcome->reason);
	else
		warn("%s", outcome->reason);
	return FAILED;
}

static enum verdict run_once(struct session *session, const struct entry *entry, struct series *series, bool measured,
	struct outcome *outcome)
{
	enum verdict verdict;

	show_progress(session);
	runner_run(session->runner, entry, outcome);
	verdict = complain(session, outcome, session->runs_done + 1);
	if (verdict != DONE)
		return verdict;
	session->runs_done++;
	if (measured) {
		series_add(series, outcome->result);
		report_run(session->report, series);
	} else {
		free(outcome->result);
	}
	return DONE;
}

static enum verdict run_series(
	struct session *session, const struct entry *entry, struct series *series, struct outcome *outcome)
{
	uint64_t warmup = session->common->warmup, runs = warmup + session->common->repeat;
	enum verdict verdict = DONE;
	char why[700] = "";

	for (uint64_t i = 0; i < runs && verdict == DONE; i++)
		verdict = run_once(session, entry, series, i >= warmup, outcome);
	if (verdict == INTERRUPTED)
		snprintf(why, sizeof(why), "interrupted by signal %d", outcome->signal);
	else
		snprintf(why, sizeof(why), "%s", outcome->reason);
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

/* A set that cannot run here is no reason not to run the next. */
static enum verdict run_all_sets(
	struct session *session, const struct entry *entry, const struct optset *set, struct outcome *outcome)
{
	enum verdict worst = DONE;
	bool ran = false;

	for (size_t i = 0; i < optset_combinations(set) && worst <= SKIPPED; i++) {
		size_t count;
		struct param *params = optset_params(set, i, &count);
		struct series series = series_of(session, entry, params, count);
		enum verdict verdict;

		optset_select(set, i);
		verdict = run_series(session, entry, &series, outcome);
		worst = verdict > worst ? verdict : worst;
		ran |= verdict == DONE;
		series_release(&series);
		params_free(params, count);
	}
	return worst == SKIPPED && ran ? DONE : worst;
}

static enum verdict run_benchmark(
	struct session *session, const struct entry *entry, const struct optset *set, struct outcome *outcome)
{
	size_t sets = optset_combinations(set);
	enum verdict verdict = DONE;

	snprintf(session->words, sizeof(session->words), "%s %s", entry->collection, entry->name);
	die_context(session->words);
	session->runs_done = 0;
	session->runs_planned = sets * (session->common->warmup + session->common->repeat);
	session->start_ns = clock_now();
	report_begin(session->report, entry->collection, entry->name, sets > 1 || session->common->repeat > 1);
	if (sets > 1)
		verdict = check_all(session, entry, set, outcome);
	if (verdict == DONE)
		verdict = run_all_sets(session, entry, set, outcome);
	report_end(session->report);
	return verdict;
}

static enum verdict run_default(struct session *session, const struct entry *entry, struct outcome *outcome)
{
	struct optset *set = optset_new(entry->benchmark->options);
	enum verdict verdict = run_benchmark(session, entry, set, outcome);

	optset_free(set);
	return verdict;
}

static int run_collections(struct session *session, const struct collection *list, size_t count)
{
	struct outcome *outcome = xcalloc(1, sizeof(*outcome));
	enum verdict worst = DONE;
	int status = EXIT_DONE;

	for (size_t i = 0; i < count && worst != INTERRUPTED; i++)
		for (size_t k = 0; k < list[i].count && worst != INTERRUPTED; k++) {
			enum verdict verdict = run_default(session, &list[i].entries[k], outcome);

			worst = verdict > worst ? verdict : worst;
		}
	if (worst == INTERRUPTED)
		status = EXIT_SIGNAL + outcome->signal;
	else if (worst == FAILED)
		status = EXIT_FAILED;
	free(outcome);
	return status;
}

static int run_one(struct session *session, const struct entry *entry, const struct optset *set)
{
	struct outcome *outcome = xcalloc(1, sizeof(*outcome));
	enum verdict verdict = run_benchmark(session, entry, set, outcome);
	const int statuses[] = {
		[DONE] = EXIT_DONE,
		[SKIPPED] = EXIT_SKIPPED,
		[FAILED] = EXIT_FAILED,
		[INTERRUPTED] = EXIT_SIGNAL + outcome->signal,
	};

	free(outcome);
	return statuses[verdict];
}

static void parse_cpus(const char *list, struct cpus *cpus)
{
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

static void session_begin(struct session *session, const struct common *common, bool all)
{
	*session = (struct session){
		.common = common,
		.all = all,
		.conditions = {
			.timeout_ns = common->timeout_ns,
			.prepare = common->prepare,
			.drop_caches = common->drop_caches,
		},
	};
	parse_cpus(common->cpus, &session->conditions.cpus);
	session->runner = runner_new(&session->conditions, show_progress, session);
	session->report = report_open(&(struct report_style){
		.format = common->format,
		.verbose = common->verbose,
		.quiet = common->quiet,
		.all = all,
	});
}

static void session_end(struct session *session)
{
	report_close(session->report);
	runner_free(session->runner);
}

static bool asks_for_help(const char *word)
{
	return strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0;
}

/* Of one collection, or with NULL of every one. argv[0] is "all". */
static int bench_all(const struct common *common, const struct collection *collection, int argc, char **argv)
{
	const struct collections *every = common->collections;
	struct session session;
	int status;

	if (argc > 1 && asks_for_help(argv[1])) {
		help_all(collection);
		return EXIT_DONE;
	}
	if (argc > 1)
		usage("'%s': all runs every benchmark with its defaults and takes no options", argv[1]);
	session_begin(&session, common, true);
	status = collection ? run_collections(&session, collection, 1)
			    : run_collections(&session, every->list, every->count);
	session_end(&session);
	return status;
}

static int bench_one(const struct common *common, const struct entry *entry, int argc, char **argv)
{
	struct optset *set = optset_new(entry->benchmark->options);
	struct session session;
	bool help;
	char words[128];
	int status = EXIT_DONE;

	snprintf(words, sizeof(words), "%s %s", entry->collection, entry->name);
	die_context(words);
	optset_parse(set, argc, argv, false, &help);
	if (help) {
		help_benchmark(entry);
	} else {
		session_begin(&session, common, false);
		status = run_one(&session, entry, set);
		session_end(&session);
	}
	optset_free(set);
	die_context(NULL);
	return status;
}

static noreturn void unknown_benchmark(const struct collection *collection, const char *word)
{
	const char *candidates[64];
	const char *near;
	size_t count = 0;

	for (; count < collection->count && count < ARRAY_SIZE(candidates) - 1; count++)
		candidates[count] = collection->entries[count].name;
	candidates[count++] = "all";
	near = nearest(word, candidates, count);
	if (near)
		usage("collection %s has no benchmark '%s'; did you mean '%s'?", collection->name, word, near);
	usage("collection %s has no benchmark '%s'; 'kbench %s -h' lists them", collection->name, word,
		collection->name);
}

int cmd_bench(const struct common *common, int argc, char **argv)
{
	const struct collection *collection = collection_find(common->collections, argv[0]);
	const struct entry *entry;

	if (!collection)
		return bench_all(common, NULL, argc, argv);
	entry = collection_usual(collection);
	if ((argc == 1 && !entry) || (argc > 1 && asks_for_help(argv[1]))) {
		help_collection(collection);
		return EXIT_DONE;
	}
	if (argc == 1 || argv[1][0] == '-') {
		if (!entry)
			usage("'%s' comes after the benchmark; 'kbench %s -h' lists those of %s", argv[1], argv[0],
				argv[0]);
		return bench_one(common, entry, argc, argv);
	}
	if (strcmp(argv[1], "all") == 0)
		return bench_all(common, collection, argc - 1, argv + 1);
	entry = collection_entry(collection, argv[1]);
	if (!entry)
		unknown_benchmark(collection, argv[1]);
	return bench_one(common, entry, argc - 1, argv + 1);
}
