// SPDX-License-Identifier: GPL-2.0-only
/* Rows of record files, matched by name: "SchedMessaging/group=4/nr_loops=10". */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-compare.h"
#include "die.h"
#include "wrap.h"

/* A name in parts. */
struct name {
	char *text; /* on the heap, cut at its slashes */
	const char *benchmark;
	struct part {
		char *key; /* on the heap; no two in a name are the same */
		const char *value;
	} * parts;
	size_t count;
};

static bool has_key(const struct name *name, const char *key)
{
	for (size_t i = 0; i < name->count; i++)
		if (strcmp(name->parts[i].key, key) == 0)
			return true;
	return false;
}

/* A key that comes again is "case2", "case3" and so on. */
static char *new_key(const struct name *name, const char *key)
{
	char *unique = xstrdup(key);

	for (unsigned n = 2; has_key(name, unique); n++) {
		free(unique);
		unique = xasprintf("%s%u", key, n);
	}
	return unique;
}

static void split_name(struct name *name, const char *text)
{
	char *rest;

	*name = (struct name){ .text = xstrdup(text) };
	rest = name->text;
	name->benchmark = strsep(&rest, "/");
	for (char *part; (part = strsep(&rest, "/"));) {
		char *equals = strchr(part, '=');

		if (equals)
			*equals++ = '\0';
		name->parts = xrealloc(name->parts, (name->count + 1) * sizeof(*name->parts));
		name->parts[name->count].key =
			new_key(name, equals ? part : "case"); /* sub-benchmarks of Go have none */
		name->parts[name->count++].value = equals ? equals : part;
	}
}

static void free_name(struct name *name)
{
	for (size_t i = 0; i < name->count; i++)
		free(name->parts[i].key);
	free(name->parts);
	free(name->text);
}

static const char *value_of(const struct name *name, const char *key)
{
	for (size_t i = 0; i < name->count; i++)
		if (strcmp(name->parts[i].key, key) == 0)
			return name->parts[i].value;
	return NULL;
}

static int compare_rows(const void *left, const void *right)
{
	const struct record_row *const *a = left, *const *b = right;

	return strcmp((*a)->name, (*b)->name);
}

/* The rows of a file by name, for bsearch. */
static const struct record_row **sorted_rows(const struct record *record)
{
	const struct record_row **rows = xcalloc(record->row_count + 1, sizeof(*rows));

	for (size_t i = 0; i < record->row_count; i++)
		rows[i] = &record->rows[i];
	qsort(rows, record->row_count, sizeof(*rows), compare_rows);
	return rows;
}

static const struct record_row *find_row(
	const struct record *record, const struct record_row **sorted, const struct record_row *like)
{
	const struct record_row **found = bsearch(&like, sorted, record->row_count, sizeof(*sorted), compare_rows);

	return found ? *found : NULL;
}

static const struct record_values *find_metric(const struct record_row *row, const char *unit)
{
	for (size_t i = 0; i < row->metric_count; i++)
		if (strcmp(row->metrics[i].unit, unit) == 0)
			return &row->metrics[i];
	return NULL;
}

/* All rows of a benchmark that the base has, each with the parts of its name. */
struct group {
	const char *benchmark;
	const struct record_row **rows;
	struct name *names;
	size_t count;
};

/* A key of the first row. */
static bool differs(const struct group *group, const char *key)
{
	const char *first = value_of(&group->names[0], key);

	for (size_t i = 1; i < group->count; i++) {
		const char *value = value_of(&group->names[i], key);

		if (!value || strcmp(first, value) != 0)
			return true;
	}
	return false;
}

static bool is_listed(const char **keys, size_t count, const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(keys[i], key) == 0)
			return true;
	return false;
}

static void add_key(struct report_compare_table *table, const char *key)
{
	if (is_listed(table->keys, table->key_count, key))
		return;
	table->keys = xrealloc(table->keys, (table->key_count + 1) * sizeof(*table->keys));
	table->keys[table->key_count++] = key;
}

/* Parts the keys into columns and what all rows have in common, which is returned too, on the heap. */
static char *choose_keys(const struct group *group, struct report_compare_table *table)
{
	const struct name *first = &group->names[0];
	char *constant = xstrdup(""), *longer;

	for (size_t k = 0; k < first->count; k++) {
		const struct part *part = &first->parts[k];

		if (differs(group, part->key)) {
			add_key(table, part->key);
			continue;
		}
		longer = xasprintf("%s%s%s=%s", constant, *constant ? " " : "", part->key, part->value);
		free(constant);
		constant = longer;
	}
	for (size_t i = 1; i < group->count; i++)
		for (size_t k = 0; k < group->names[i].count; k++)
			if (!value_of(first, group->names[i].parts[k].key))
				add_key(table, group->names[i].parts[k].key);
	table->constant = constant;
	return constant;
}

struct building {
	const struct compare_files *files;
	const struct record_row ***sorted; /* one a file */
	const struct compare_wish *wish;
	struct compare_outcome outcome;
};

/* One metric of one row, against every new file. */
static bool add_row(const struct building *building, const struct group *group, size_t i,
	const struct record_values *metric, struct report_compare_table *table, struct report_compare_row *row,
	struct compare_remarks *remarks)
{
	const struct compare_files *files = building->files;
	bool any = false;

	row->labels = xcalloc(table->key_count + 1, sizeof(*row->labels));
	row->columns = xcalloc(files->count, sizeof(*row->columns));
	row->metric = metric->unit;
	for (size_t k = 0; k < table->key_count; k++)
		row->labels[k] = value_of(&group->names[i], table->keys[k]);
	for (size_t k = 1; k < files->count; k++) {
		const struct record_row *new = find_row(files->records[k], building->sorted[k], group->rows[i]);
		const struct record_values *other = new ? find_metric(new, metric->unit) : NULL;

		if (!other)
			continue;
		row->columns[k - 1] = compare_row(group->rows[i], metric, new, other, remarks);
		any = true;
	}
	return any;
}

static void free_row(const struct report_compare_row *row, size_t columns)
{
	for (size_t i = 0; i < columns; i++)
		free(row->columns[i]);
	free(row->columns);
	free(row->labels);
}

static void judge_table(struct building *building, struct report_compare_table *table)
{
	struct comparison **all = xcalloc(table->row_count * table->title_count + 1, sizeof(struct comparison *));
	size_t count = 0;

	for (size_t i = 0; i < table->row_count; i++)
		for (size_t k = 0; k < table->title_count; k++)
			if (table->rows[i].columns[k])
				all[count++] = table->rows[i].columns[k];
	compare_judge(all, count, building->wish->threshold);
	for (size_t i = 0; i < count; i++) {
		building->outcome.compared++;
		building->outcome.regressed += all[i]->word == COMPARE_REGRESSED;
		building->outcome.unclear += all[i]->word == COMPARE_CANNOT_TELL;
	}
	free(all);
}

/* Of the ratios of the means; a column in which a ratio is missing has none. */
static double *geomeans_of(const struct report_compare_table *table)
{
	double *geomeans = xcalloc(table->title_count, sizeof(*geomeans));
	double *ratios = xcalloc(table->row_count + 1, sizeof(*ratios));

	for (size_t k = 0; k < table->title_count; k++) {
		for (size_t i = 0; i < table->row_count; i++) {
			const struct comparison *c = table->rows[i].columns[k];

			ratios[i] = c ? c->new.mean / c->base.mean : (double)NAN;
		}
		geomeans[k] = 100 * (stats_geometric_mean(ratios, table->row_count) - 1);
	}
	free(ratios);
	return geomeans;
}

/* What tells a row from the others: "group=4: ", "2: group=4 op/s: "; "" for the only one. */
static char *row_name(const struct report_compare_table *table, size_t i, size_t column)
{
	const struct report_compare_row *row = &table->rows[i];
	char *name = table->title_count > 1 ? xasprintf("%zu: ", column + 1) : xstrdup(""), *longer;
	bool any = false;

	for (size_t k = 0; k < table->key_count; k++)
		if (row->labels[k]) {
			longer = xasprintf("%s%s%s=%s", name, any ? " " : "", table->keys[k], row->labels[k]);
			free(name);
			name = longer;
			any = true;
		}
	if (table->metric && !any)
		return name;
	longer = xasprintf("%s%s%s: ", name, any && !table->metric ? " " : "", table->metric ? "" : row->metric);
	free(name);
	return longer;
}

static void say_remarks(
	const struct report_compare_table *table, const struct compare_remarks *remarks, enum compare_format format)
{
	static const char *const kind = "remark";

	for (size_t i = 0; i < table->row_count; i++)
		for (size_t k = 0; k < table->title_count; k++) {
			const struct comparison *c = table->rows[i].columns[k];
			const char *why = c ? compare_disagreement(c) : NULL;

			if (why) {
				char *name = row_name(table, i, k);
				char *text = xasprintf("%sWelch's t disagrees (p %.4f beside %.4f): %s", name,
					compare_welch_adjusted(c), c->adjusted, why);

				report_compare_line(format, kind, text);
				free(text);
				free(name);
			}
		}
	if (remarks->drifts)
		report_compare_notice(format, "warning",
			"warning: one side was run after the other, and the runs drift: what was found may be the machine's; "
			"run them in turns (kbench stat)");
	if (remarks->outlier_rows)
		report_compare_line(format, kind,
			"some sets have runs far out (more than 3 interquartile ranges); none was left out");
	if (remarks->mode_rows)
		report_compare_line(format, kind, "some sets have two modes: their mean is a number that no run had");
	if (remarks->same)
		report_compare_notice(format, "warning",
			"warning: some runs are in both sets: held against themselves they show no difference");
	if (remarks->unpaired)
		report_compare_line(
			format, "warning", "warning: runs without a partner in the other set were left out");
}

static void free_group(struct group *group)
{
	for (size_t i = 0; i < group->count; i++)
		free_name(&group->names[i]);
	free(group->names);
}

static void print_group(struct building *building, struct group *group)
{
	const struct compare_files *files = building->files;
	bool all = building->wish->metric && strcmp(building->wish->metric, "all") == 0;
	struct report_compare_table table = {
		.benchmark = group->benchmark,
		.base = files->records[0]->path,
		.title_count = files->count - 1,
		.threshold = building->wish->threshold,
	};
	struct report_compare_row *rows = NULL;
	struct compare_remarks remarks = { 0 };
	char *constant = choose_keys(group, &table);
	double *geomeans = NULL;

	table.titles = xcalloc(files->count, sizeof(*table.titles));
	for (size_t k = 1; k < files->count; k++)
		table.titles[k - 1] = files->records[k]->path;
	for (size_t i = 0; i < group->count; i++)
		for (size_t m = 0; m < group->rows[i]->metric_count && (all || m == 0); m++) {
			rows = xrealloc(rows, (table.row_count + 1) * sizeof(*rows));
			if (add_row(building, group, i, &group->rows[i]->metrics[m], &table, &rows[table.row_count],
				    &remarks))
				table.row_count++;
			else
				free_row(&rows[table.row_count], table.title_count);
		}
	table.rows = rows;
	if (table.row_count) {
		bool same = !all;

		for (size_t i = 1; i < table.row_count; i++)
			same &= strcmp(rows[i].metric, rows[0].metric) == 0;
		table.metric = same ? rows[0].metric : NULL;
		for (size_t k = 0; k < table.title_count; k++)
			if (rows[0].columns[k])
				table.better = rows[0].columns[k]->better;
		judge_table(building, &table);
		if (same && table.row_count > 1)
			table.geomeans = geomeans = geomeans_of(&table);
		report_compare_table(&table, building->wish->format);
		say_remarks(&table, &remarks, building->wish->format);
	}
	for (size_t i = 0; i < table.row_count; i++)
		free_row(&rows[i], table.title_count);
	free(rows);
	free(geomeans);
	free(constant);
	free(table.keys);
	free(table.titles);
}

static int compare_benchmarks(const struct record_row *a, const struct record_row *b)
{
	size_t length_a = strcspn(a->name, "/"), length_b = strcspn(b->name, "/");
	int order = strncmp(a->name, b->name, length_a < length_b ? length_a : length_b);

	return order ? order : (length_a > length_b) - (length_a < length_b);
}

/* By benchmark, and then as in the file. */
static int compare_places(const void *left, const void *right)
{
	const struct record_row *const *a = left, *const *b = right;
	int order = compare_benchmarks(*a, *b);

	return order ? order : (*a > *b) - (*a < *b);
}

static int compare_groups(const void *left, const void *right)
{
	const struct group *a = left, *b = right;

	return (a->rows[0] > b->rows[0]) - (a->rows[0] < b->rows[0]);
}

/* All groups of the base, in the order of their first rows. Their rows are parts of the array. */
static struct group *groups_of(const struct record *base, const struct record_row **rows, size_t *count)
{
	struct group *groups = xcalloc(base->row_count, sizeof(*groups));

	*count = 0;
	for (size_t i = 0; i < base->row_count; i++)
		rows[i] = &base->rows[i];
	qsort(rows, base->row_count, sizeof(*rows), compare_places);
	for (size_t i = 0; i < base->row_count; i++) {
		if (i == 0 || compare_benchmarks(rows[i - 1], rows[i]) != 0)
			groups[(*count)++].rows = &rows[i];
		groups[*count - 1].count++;
	}
	qsort(groups, *count, sizeof(*groups), compare_groups);
	return groups;
}

/* What no other file has is no row of a table. */
static void keep_shared(const struct building *building, struct group *group)
{
	size_t kept = 0;

	for (size_t i = 0; i < group->count; i++) {
		bool shared = false;

		for (size_t k = 1; k < building->files->count && !shared; k++)
			shared = find_row(building->files->records[k], building->sorted[k], group->rows[i]);
		if (shared)
			group->rows[kept++] = group->rows[i];
	}
	group->count = kept;
}

static void split_names(struct group *group)
{
	group->names = xcalloc(group->count, sizeof(*group->names));
	for (size_t i = 0; i < group->count; i++)
		split_name(&group->names[i], group->rows[i]->name);
	group->benchmark = group->names[0].benchmark;
}

static void say_only(
	const struct building *building, const char *path, const struct record_row *row, const char *metric)
{
	char *text = xasprintf("only in %s: %s%s%s (%zu run%s)", path, metric ? metric : "", metric ? " of " : "",
		row->name, row->run_count, row->run_count == 1 ? "" : "s");

	report_compare_notice(building->wish->format, "only", text);
	free(text);
}

/* Rows of one file that another lacks, and metrics of them: said, never dropped in silence. */
static void say_missing(const struct building *building, size_t in, size_t from)
{
	const struct record *record = building->files->records[in], *other = building->files->records[from];

	for (size_t i = 0; i < record->row_count; i++) {
		const struct record_row *row = &record->rows[i], *like = find_row(other, building->sorted[from], row);

		if (!like)
			say_only(building, record->path, row, NULL);
		for (size_t k = 0; like && k < row->metric_count; k++)
			if (!find_metric(like, row->metrics[k].unit))
				say_only(building, record->path, row, row->metrics[k].unit);
	}
}

struct compare_outcome compare_tables(const struct compare_files *files, const struct compare_wish *wish)
{
	struct building building = { .files = files, .wish = wish };
	const struct record *base = files->records[0];
	const struct record_row **rows = xcalloc(base->row_count, sizeof(*rows));
	size_t count;
	struct group *groups = groups_of(base, rows, &count);

	building.sorted = xcalloc(files->count, sizeof(*building.sorted));
	for (size_t i = 0; i < files->count; i++)
		building.sorted[i] = sorted_rows(files->records[i]);
	for (size_t i = 0; i < count; i++) {
		keep_shared(&building, &groups[i]);
		if (!groups[i].count)
			continue;
		split_names(&groups[i]);
		print_group(&building, &groups[i]);
		free_group(&groups[i]);
	}
	for (size_t i = 1; i < files->count; i++) {
		say_missing(&building, 0, i);
		say_missing(&building, i, 0);
	}
	for (size_t i = 0; i < files->count; i++)
		free(building.sorted[i]);
	free(building.sorted);
	free(groups);
	free(rows);
	return building.outcome;
}
