// SPDX-License-Identifier: GPL-2.0-only
/* kbench stat: statistics over any command, and comparison of several: what was typed becomes a plan. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "builtin-stat-series.h"
#include "builtin.h"
#include "die.h"
#include "shuffle.h"
#include "wrap.h"

struct typed {
	uint64_t repeat, warmup, seed, timeout_ns;
	const char *number, *events, *threshold;
	struct opt_list prepare, output;
	bool ignore_failure;
};

static void print_help(const struct opt *options)
{
	puts("Usage: kbench [<common options>] stat [<options>] <command>...\n"
	     "       kbench [<common options>] stat [<options>] -- <program> [<arguments>]\n"
	     "\n"
	     "Repeats any command, and shows statistics of its time, or of a number that it\n"
	     "prints. Each command is one word for /bin/sh; after -- it is a program with its\n"
	     "arguments. Several commands are run in turn, in random order within each round,\n"
	     "and compared with the first, round by round.\n"
	     "\n"
	     "One number (-f simple) is wall-sec, or with --number the number.\n"
	     "\n"
	     "Options:");
	opts_print_help(options);
}

/* What stands before the word holds where nothing stands after it. */
static void inherit(const struct common *common, const struct optset *set, struct typed *typed)
{
	if (common->repeat_given && !optset_given(set, "repeat"))
		typed->repeat = common->repeat;
	if (!optset_given(set, "warmup"))
		typed->warmup = common->warmup;
	if (!optset_given(set, "timeout"))
		typed->timeout_ns = common->timeout_ns;
	if (!typed->events)
		typed->events = common->events;
}

/* Conditions of benchmarks that a command can make for itself, or not at all. */
static void refuse_conditions(const struct common *common)
{
	if (common->format == FORMAT_GO)
		usage("option -f, --format: stat has default, simple, json and csv; -o FILE writes records");
	if (common->drop_caches)
		usage("option --drop-caches is for benchmarks; here --prepare 'sync; echo 3 "
		      ">/proc/sys/vm/drop_caches' does it");
	if (common->cgroup || common->cpu_max)
		usage("option --%s is for benchmarks", common->cgroup ? "cgroup" : "cpu-max");
	if (common->precision)
		usage("option --precision is for benchmarks; stat has -r, --repeat");
}

static void check_count(const char *option, size_t given, size_t commands)
{
	if (given > 1 && given != commands)
		usage("option %s is given %zu times for %zu command%s: once for all, or once for each", option, given,
			commands, commands == 1 ? "" : "s");
}

/* The folder of a path without links, and its last part; on the heap. */
static char *place_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char *folder = slash ? xasprintf("%.*s/", (int)(slash - path), path) : xstrdup(".");
	char *real = realpath(folder, NULL), *place = xasprintf("%s/%s", real ? real : folder, name);

	free(real);
	free(folder);
	return place;
}

static bool is_same_file(const char *a, const char *b)
{
	struct stat one, other;
	bool there = stat(a, &one) == 0, same;
	char *place_a, *place_b;

	if (there != (stat(b, &other) == 0))
		return false;
	if (there)
		return S_ISREG(one.st_mode) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
	place_a = place_of(a);
	place_b = place_of(b);
	same = strcmp(place_a, place_b) == 0;
	free(place_a);
	free(place_b);
	return same;
}

static void take_outputs(struct stat_plan *plan, const struct opt_list *outputs, const char *common)
{
	for (size_t i = 0; i < outputs->count; i++)
		for (size_t k = 0; k < i; k++)
			if (is_same_file(outputs->words[i], outputs->words[k]))
				usage("option -o, --output: '%s' is given for two commands; one -o is for all of them",
					outputs->words[i]);
	for (; plan->output_count < outputs->count; plan->output_count++)
		plan->outputs[plan->output_count] = outputs->words[plan->output_count];
	if (!outputs->count && common)
		plan->outputs[plan->output_count++] = common;
}

static struct events *take_events(const char *list)
{
	struct events *events = common_events(list);

	if (events && events_count(events) > STAT_EVENTS)
		usage("option -e, --event: %zu events are more than %d", events_count(events), STAT_EVENTS);
	return events;
}

static char *join(char *const *words)
{
	char *text = xstrdup(*words);

	while (*++words) {
		char *longer = xasprintf("%s %s", text, *words);

		free(text);
		text = longer;
	}
	return text;
}

/* Each word is a command for the shell. */
static void take_commands(struct stat_plan *plan, char **words, size_t count)
{
	if (count > REPORT_LABELS)
		usage("%zu commands are more than %d", count, REPORT_LABELS);
	plan->count = count;
	plan->commands = xcalloc(count, sizeof(*plan->commands));
	for (size_t i = 0; i < count; i++) {
		char **argv = xcalloc(4, sizeof(*argv));

		if (words[i][0] == '-')
			usage("'%s' stands after a command; options come before the commands", words[i]);
		if (words[i][strspn(words[i], " \t\n")] == '\0')
			usage("'%s' is no command", words[i]);
		argv[0] = xstrdup("/bin/sh");
		argv[1] = xstrdup("-c");
		argv[2] = xstrdup(words[i]);
		plan->commands[i] = (struct stat_command){ .argv = argv, .text = xstrdup(words[i]) };
	}
}

/* What follows -- is a program and its arguments. */
static void take_program(struct stat_plan *plan, char **words)
{
	size_t count = 0;
	char **argv;

	while (words[count])
		count++;
	argv = xcalloc(count + 1, sizeof(*argv));
	for (size_t i = 0; i < count; i++)
		argv[i] = xstrdup(words[i]);
	plan->count = 1;
	plan->commands = xcalloc(1, sizeof(*plan->commands));
	plan->commands[0] = (struct stat_command){ .argv = argv, .text = join(words) };
}

static void take_prepare(struct stat_plan *plan, const struct opt_list *prepare, const char *common)
{
	for (size_t i = 0; i < plan->count; i++)
		if (prepare->count)
			plan->commands[i].prepare = prepare->words[prepare->count == 1 ? 0 : i];
		else
			plan->commands[i].prepare = common;
}

static void make_plan(struct stat_plan *plan, const struct common *common, const struct typed *typed, char **words,
	size_t count, bool program)
{
	if (!count)
		usage("there is no command; 'kbench stat -h' shows how it is given");
	*plan = (struct stat_plan){
		.conditions = { .timeout_ns = typed->timeout_ns, .quiet = common->quiet },
		.number = typed->number,
		.repeat = typed->repeat,
		.warmup = typed->warmup,
		.seed = typed->seed ? typed->seed : shuffle_seed(),
		.threshold = common_percent("--threshold", typed->threshold),
		.ignore_failure = typed->ignore_failure,
	};
	if (program)
		take_program(plan, words);
	else
		take_commands(plan, words, count);
	check_count("--prepare", typed->prepare.count, plan->count);
	check_count("-o, --output", typed->output.count, plan->count);
	take_outputs(plan, &typed->output, common->output);
	take_prepare(plan, &typed->prepare, common->prepare);
	common_cpus(common, &plan->conditions.cpus);
	plan->conditions.number = typed->number ? number_parse(typed->number) : NULL;
	plan->conditions.events = take_events(typed->events);
}

static void free_plan(struct stat_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		char **argv = plan->commands[i].argv;

		for (size_t k = 0; argv[k]; k++)
			free(argv[k]);
		free(argv);
		free(plan->commands[i].text);
	}
	free(plan->commands);
	number_free(plan->conditions.number);
	events_free(plan->conditions.events);
}

static int measure(const struct common *common, const struct typed *typed, char **words, size_t count, bool program)
{
	struct stat_plan plan;
	int status;

	make_plan(&plan, common, typed, words, count, program);
	status = stat_series(&plan,
		&(struct report_style){ .format = common->format, .verbose = common->verbose, .quiet = common->quiet });
	free_plan(&plan);
	return status;
}

int cmd_stat(const struct common *common, int argc, char **argv)
{
	struct typed typed = { .repeat = 10 };
	const struct opt options[] = { OPT_COUNT('r', "repeat", &typed.repeat, 1, 1000000,
					       "measured runs of each command"),
		OPT_COUNT('w', "warmup", &typed.warmup, 0, 1000000, "runs before them that are not measured"),
		OPT_OPTIONAL(0, "number", &typed.number, "N|REGEX", "1",
			"measure the first number that it prints, the Nth, or the one in what REGEX matches (in its "
			"first group, if it has one)"),
		OPT_LIST(0, "prepare", &typed.prepare, "CMD",
			"shell command before each run; given once for all commands, or once for each"),
		OPT_STRING('e', "event", &typed.events, "EVENTS", "count these too, such as cycles,instructions"),
		OPT_LIST('o', "output", &typed.output, "FILE",
			"append the runs to a record file; given once for all commands, or once for each"),
		OPT_COUNT(0, "seed", &typed.seed, 0, OPT_MAX, "of the random order; 0: another one each time"),
		OPT_STRING(0, "threshold", &typed.threshold, "PCT", "call a smaller change 'below threshold'"),
		OPT_TIME(0, "timeout", &typed.timeout_ns, 0, 1000 * 24 * 3600 * NSEC_PER_SEC,
			"a run that takes longer is ended, and has failed; 0: none"),
		OPT_FLAG(0, "ignore-failure", &typed.ignore_failure,
			"go on after a run that failed; it is counted, not measured"),
		OPT_END };
	const struct opt_strangers strangers = { .elsewhere = common->options, .before = "stat", .words = "stat" };
	struct optset *set = optset_new(options);
	int first, status = EXIT_DONE;
	bool help;

	die_context("stat");
	optset_strangers(set, &strangers);
	first = optset_parse(set, argc, argv, true, &help);
	if (optset_combinations(set) > 1)
		usage("an option of stat takes one value; lists and ranges are for the options of a benchmark");
	if (help) {
		print_help(options);
	} else {
		optset_select(set, 0);
		inherit(common, set, &typed);
		refuse_conditions(common);
		status = measure(common, &typed, argv + first, (size_t)(argc - first),
			first > 1 && strcmp(argv[first - 1], "--") == 0);
	}
	optset_free(set);
	die_context(NULL);
	return status;
}
