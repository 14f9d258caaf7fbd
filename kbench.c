// SPDX-License-Identifier: GPL-2.0-only
/* The program: the options before the command, and which command. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "nearest.h"
#include "signals.h"

#define DAY_NS (24 * 3600 * NSEC_PER_SEC)

static const struct command {
	const char *word;
	int (*run)(const struct common *common, int argc, char **argv);
} commands[] = {
	{ "stat", cmd_stat },
	{ "compare", cmd_compare },
	{ "list", cmd_list },
	{ "env", cmd_env },
	{ "all", cmd_bench },
};

/*
 * A closed descriptor would be given to the next pipe or file, and what is meant for people would go there. stdout is
 * what we are for.
 */
static void check_descriptors(void)
{
	bool no_stdout = fcntl(STDOUT_FILENO, F_GETFD) < 0;

	if (fcntl(STDIN_FILENO, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != STDIN_FILENO)
		die_errno("/dev/null");
	if (fcntl(STDERR_FILENO, F_GETFD) < 0 && dup2(open("/dev/null", O_WRONLY), STDERR_FILENO) < 0)
		_exit(EXIT_FAILED);
	if (no_stdout) {
		errno = EBADF;
		die_errno("stdout");
	}
}

/*
 * What the caller did with these must not change a result: a closed pipe is EPIPE, a file that may not grow is EFBIG, and
 * children can be waited for.
 */
static void check_signals(void)
{
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
}

static noreturn void unknown_word(const struct collections *collections, const char *word)
{
	const char *candidates[64];
	const char *near;
	size_t count = 0;

	for (size_t i = 0; i < collections->count && count < ARRAY_SIZE(candidates); i++)
		candidates[count++] = collections->list[i].name;
	for (size_t i = 0; i < ARRAY_SIZE(commands) && count < ARRAY_SIZE(candidates); i++)
		candidates[count++] = commands[i].word;
	near = nearest(word, candidates, count);
	if (near)
		usage("'%s' is neither a collection nor a command; did you mean '%s'?", word, near);
	usage("'%s' is neither a collection nor a command; 'kbench' lists them", word);
}

static void refuse_sweep(const struct optset *set)
{
	size_t count;
	struct param *params = optset_params(set, 0, &count);
	const char *swept = NULL;

	for (size_t i = 0; i < count; i++)
		if (params[i].swept && !swept)
			swept = params[i].name;
	params_free(params, count);
	if (swept)
		usage("option --%s takes one value; lists and ranges are for the options of a benchmark", swept);
}

static int dispatch(const struct common *common, int argc, char **argv)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (strcmp(argv[0], commands[i].word) == 0)
			return commands[i].run(common, argc, argv);
	if (!collection_find(common->collections, argv[0]))
		unknown_word(common->collections, argv[0]);
	return cmd_bench(common, argc, argv);
}

int main(int argc, char **argv)
{
	struct common common = { .format = FORMAT_DEFAULT, .repeat = 1, .max_runs = 100 };
	bool version = false, help;
	const struct opt options[] = { OPT_CHOICE('f', "format", &common.format, report_formats,
					       "how results are written"),
		OPT_COUNT('r', "repeat", &common.repeat, 1, 1000000, "measured runs"),
		OPT_COUNT('w', "warmup", &common.warmup, 0, 1000000, "runs before them that are not measured"),
		OPT_STRING('o', "output", &common.output, "FILE", "append every run to FILE as a record"),
		OPT_STRING('e', "event", &common.events, "LIST",
			"counters over the measured region (cycles,r01c2,sched:sched_switch)"),
		OPT_STRING(0, "precision", &common.precision, "PCT",
			"repeat until the mean is within PCT percent, with 95 % confidence"),
		OPT_COUNT(0, "max-runs", &common.max_runs, 1, 1000000, "with --precision: not more"),
		OPT_STRING(0, "cpus", &common.cpus, "LIST", "run on these CPUs only (0-3,8)"),
		OPT_STRING(0, "prepare", &common.prepare, "CMD",
			"shell command before each run; when it fails, the series ends"),
		OPT_FLAG(0, "drop-caches", &common.drop_caches,
			"write back and drop the page cache before each run (needs root)"),
		OPT_STRING(0, "cgroup", &common.cgroup, "PATH",
			"each run in this cgroup v2 group, a path below the mount"),
		OPT_STRING(0, "cpu-max", &common.cpu_max, "LIST",
			"each run in a new group with this limit: QUOTA/PERIOD in microseconds, or none"),
		OPT_TIME(0, "timeout", &common.timeout_ns, 0, 1000 * DAY_NS,
			"a run that takes longer is ended, and is an error; 0: none"),
		OPT_FLAG('v', "verbose", &common.verbose, "every run's metrics"),
		OPT_FLAG('q', "quiet", &common.quiet, "nothing but the result"),
		OPT_FLAG(0, "version", &version, "print the version"), OPT_END };
	static const struct opt_strangers strangers = { .advice = "; options of a benchmark stand after its name" };
	struct optset *set;
	struct collections *collections;
	int first, ended_by, status = EXIT_DONE;

	check_descriptors();
	check_signals();
	set = optset_new(options);
	optset_strangers(set, &strangers);
	common.options = options;
	first = optset_parse(set, argc, argv, true, &help);
	refuse_sweep(set);
	common.repeat_given = optset_given(set, "repeat");
	common.collections = collections = collections_load();
	if (help || first >= argc) {
		optset_select(set, 0);
		if (!version)
			help_overview(collections, options);
	}
	optset_select(set, 0);
	if (version)
		printf("kbench %s\n", KBENCH_VERSION);
	else if (!help && first < argc)
		status = dispatch(&common, argc - first, argv + first);
	collections_free(collections);
	optset_free(set);
	die_context(NULL);
	report_finish_stdout();
	ended_by = signals_pending();
	return ended_by ? EXIT_SIGNAL + ended_by : status;
}
