// SPDX-License-Identifier: GPL-2.0-only
/* kbench compare: is one set of runs different from another, and how sure is that? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-compare.h"
#include "builtin.h"
#include "units.h"

#define EXIT_UNCLEAR 125 /* git bisect run: this commit cannot be tested */

/* What was typed. */
struct words {
	const char *metric, *threshold;
	bool exit_code;
	unsigned format;
};

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
static noreturn void unknown_metric(const struct words *words, const char *path)
{
	struct record *record = record_read(path, "all");
	const struct record_row *row = &record->rows[0];
	char list[400] = "";
	size_t length = 0;

	for (size_t i = 0; i < row->metric_count && length < sizeof(list); i++)
		length += (size_t)snprintf(
			list + length, sizeof(list) - length, "%s%s", i ? ", " : "", row->metrics[i].unit);
	usage("option --metric: no run of %s has '%s'; %s has %s", path, words->metric, row->name, list);
}

static void check_metric(const struct words *words, const struct record *record)
{
	for (size_t i = 0; i < record->row_count; i++)
		if (record->rows[i].metric_count)
			return;
	unknown_metric(words, record->path);
}

static struct compare_files read_files(const struct words *words, int count, char **paths)
{
	struct compare_files files = { .records = xcalloc((size_t)count, sizeof(*files.records)) };

	for (int i = 0; i < count; i++) {
		files.records[files.count] = record_read(paths[i], words->metric);
		check_metric(words, files.records[files.count++]);
	}
	return files;
}

static void say_sets(const struct words *words, const struct compare_files *files)
{
	char *text = xasprintf("base: %s", files->records[0]->path);

	report_compare_line(words->format, "base", text);
	free(text);
	for (size_t i = 1; i < files->count; i++) {
		text = files->count > 2 ? xasprintf("%zu: %s", i, files->records[i]->path)
					: xasprintf("new: %s", files->records[i]->path);
		report_compare_line(words->format, "new", text);
		free(text);
	}
}

static int compare_files(const struct words *words, const struct compare_files *files, double threshold)
{
	struct compare_wish wish = { .metric = words->metric, .threshold = threshold, .format = words->format };
	struct compare_outcome outcome;

	report_compare_begin(words->format);
	say_sets(words, files);
	compare_environments(files, words->format);
	outcome = compare_tables(files, &wish);
	if (!outcome.compared)
		die("no row of %s is in another file", files->records[0]->path);
	if (!words->exit_code)
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
	struct words words = { .format = usual_format(common) };
	const struct opt options[] = { OPT_STRING(0, "threshold", &words.threshold, "PCT",
					       "a smaller change in percent is neither improved nor regressed"),
		OPT_STRING(0, "metric", &words.metric, "NAME", "in place of the first of each row; all: every one"),
		OPT_FLAG(0, "exit-code", &words.exit_code, "the status says it too: 0, 1 or 125"),
		OPT_CHOICE('f', "format", &words.format, report_compare_formats, "how it is written"), OPT_END };
	struct compare_files files;
	struct optset *set;
	double threshold = 0;
	bool help;
	int first, status;

	die_context("compare");
	set = optset_new(options);
	first = optset_parse(set, argc, argv, true, &help);
	if (help) {
		print_help(options);
		optset_free(set);
		return EXIT_DONE;
	}
	optset_select(set, 0);
	optset_free(set);
	if (words.threshold && !units_parse_percent(words.threshold, &threshold))
		usage("option --threshold: '%s' is not a percentage such as 2 or 0.5", words.threshold);
	if (argc - first < 2)
		usage("compare takes a base and at least one file to compare it with");
	if (words.exit_code)
		die_status(EXIT_UNCLEAR);
	files = read_files(&words, argc - first, argv + first);
	status = compare_files(&words, &files, threshold);
	for (size_t i = 0; i < files.count; i++)
		record_free(files.records[i]);
	free(files.records);
	return status;
}
