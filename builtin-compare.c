// SPDX-License-Identifier: GPL-2.0-only
/* kbench compare: is one set of runs different from another, and how sure is that? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-compare.h"
#include "builtin.h"

#define EXIT_UNCLEAR 125 /* git bisect run: this commit cannot be tested */

static void print_help(const struct opt *options)
{
	puts("Usage: kbench compare [options] BASE NEW...\n"
	     "\n"
	     "Holds the runs of record files (kbench -o FILE, or any Go benchmark file)\n"
	     "against those of the first: mean and deviation of each, the change with its\n"
	     "95 % interval, and a verdict. With --exit-code: 0 no regression, 1 a\n"
	     "regression, 125 cannot tell.\n"
	     "\n"
	     "Options:");
	opts_print_help(options);
}

/* Nobody has the metric: what there is is said. */
static noreturn void unknown_metric(const struct compare_wish *wish, const char *path)
{
	struct record *record = record_read(path, "all");
	const struct record_row *row = &record->rows[0];
	char list[400] = "";
	size_t length = 0;

	for (size_t i = 0; i < row->metric_count && length < sizeof(list); i++)
		length += (size_t)snprintf(
			list + length, sizeof(list) - length, "%s%s", i ? ", " : "", row->metrics[i].unit);
	usage("option --metric: no run of %s has '%s'; %s has %s", path, wish->metric, row->name, list);
}

static bool has_metric(const struct record *record)
{
	for (size_t i = 0; i < record->row_count; i++)
		if (record->rows[i].metric_count)
			return true;
	return false;
}

/* A metric that nobody has is a slip; one that some lack, as an event that a kernel did not count, cannot be compared. */
static void check_metric(const struct compare_wish *wish, const struct compare_files *files)
{
	const char *lacks = NULL;
	size_t have = 0;

	for (size_t i = 0; i < files->count; i++) {
		if (has_metric(files->records[i]))
			have++;
		else if (!lacks)
			lacks = files->records[i]->path;
	}
	if (!have)
		unknown_metric(wish, files->records[0]->path);
	if (lacks)
		die("option --metric: no run of %s has '%s', and others have", lacks, wish->metric);
}

static struct compare_files read_files(const struct compare_wish *wish, int count, char **paths)
{
	struct compare_files files = { .records = xcalloc((size_t)count, sizeof(*files.records)) };

	for (int i = 0; i < count; i++)
		files.records[files.count++] = record_read_against(paths[i], wish->metric, i ? files.records[0] : NULL);
	if (wish->metric)
		check_metric(wish, &files);
	return files;
}

static void say_sets(const struct compare_wish *wish, const struct compare_files *files)
{
	char *text = xasprintf("base: %s", files->records[0]->path);

	report_compare_line(wish->format, "base", text);
	free(text);
	for (size_t i = 1; i < files->count; i++) {
		text = files->count > 2 ? xasprintf("%zu: %s", i, files->records[i]->path)
					: xasprintf("new: %s", files->records[i]->path);
		report_compare_line(wish->format, "new", text);
		free(text);
	}
}

static int compare_files(const struct compare_wish *wish, const struct compare_files *files, bool exit_code)
{
	struct compare_outcome outcome;

	report_compare_begin(wish->format);
	say_sets(wish, files);
	compare_environments(files, wish->format);
	outcome = compare_tables(files, wish);
	if (!outcome.compared)
		die("no row of %s is in another file with the same metric", files->records[0]->path);
	if (!exit_code)
		return EXIT_DONE;
	if (outcome.regressed)
		return EXIT_FAILED;
	return outcome.unclear ? EXIT_UNCLEAR : EXIT_DONE;
}

/* The option after the word wins over the one before it. */
static unsigned usual_format(const struct common *common)
{
	switch (common->format) {
	case FORMAT_DEFAULT:
		return COMPARE_DEFAULT;
	case FORMAT_JSON:
		return COMPARE_JSON;
	case FORMAT_CSV:
		return COMPARE_CSV;
	default:
		usage("option -f, --format: compare has default, json, csv and md");
	}
}

int cmd_compare(const struct common *common, int argc, char **argv)
{
	struct compare_wish wish = { .metric = NULL };
	const char *threshold = NULL;
	bool exit_code = false, help;
	const struct opt options[] = { OPT_STRING(0, "threshold", &threshold, "PCT",
					       "a smaller change in percent is neither improved nor regressed"),
		OPT_STRING(0, "metric", &wish.metric, "NAME", "in place of the first of each row; all: every one"),
		OPT_FLAG(0, "exit-code", &exit_code, "the status says it too: 0, 1 or 125"),
		OPT_CHOICE('f', "format", &wish.format, report_compare_formats, "how it is written"), OPT_END };
	struct compare_files files;
	struct optset *set;
	int first, status;

	die_context("compare");
	wish.format = usual_format(common);
	set = optset_new(options);
	first = optset_parse(set, argc, argv, true, &help);
	if (help) {
		print_help(options);
		optset_free(set);
		return EXIT_DONE;
	}
	optset_select(set, 0);
	optset_free(set);
	wish.threshold = common_percent("--threshold", threshold);
	for (int i = first; i < argc && strcmp(argv[first - 1], "--") != 0; i++)
		if (argv[i][0] == '-')
			usage("unexpected option '%s': options stand before the files; a file is ./%s", argv[i],
				argv[i]);
	if (argc - first < 2)
		usage("it takes a base and at least one file to compare it with");
	if (exit_code)
		die_status(EXIT_UNCLEAR);
	files = read_files(&wish, argc - first, argv + first);
	status = compare_files(&wish, &files, exit_code);
	for (size_t i = 0; i < files.count; i++)
		record_free(files.records[i]);
	free(files.records);
	return status;
}
