// SPDX-License-Identifier: GPL-2.0-only
/* What the formats of util/report.h share. Each format is one struct of functions in a file of its own. */
#ifndef KBENCH_REPORT_INTERNAL_H
#define KBENCH_REPORT_INTERNAL_H

#include "json.h"
#include "report.h"
#include "stats.h"

/* A finished series in a table. */
struct report_row {
	struct param *swept; /* copies of the swept parameters */
	size_t swept_count;
	struct stats stats; /* of the headline */
};

struct report {
	struct report_style style;
	bool table;
	const struct report_form *form;
	const char *collection, *name; /* of the benchmark that is under way */
	bool heading_said;
	bool header_said; /* csv */
	const char *headline;
	struct report_row *rows;
	size_t row_count;
	struct table *counters; /* of -e, below the table of the headline; NULL: none yet */
	char **remarks;         /* that hold for the table, each once */
	size_t remark_count;
};

/* Called as the functions of report.h of the same names say. */
struct report_form {
	void (*run)(struct report *report, const struct series *series);
	void (*series)(struct report *report, const struct series *series, const char *error);
	void (*skip)(struct report *report, const struct series *series, const char *reason);
	void (*end)(struct report *report);
};

/* Members of a json line that every kind of line has. */
void report_json_statistics(struct json *json, const struct series *series);
void report_json_remarks(struct json *json, const struct result *last); /* NULL: no run */
void report_json_environment(struct json *json);

/* kbench stat: comparisons[i] is command i against the first; nothing stands in comparisons[0]. */
struct report_stat;
struct comparison;
void report_stat_text(
	const struct report *report, const struct report_stat *stat, const struct comparison *comparisons);
void report_stat_json(const struct report_stat *stat, const struct comparison *comparisons, const char *error);

#define REPORT_JSON_SCHEMA 1

extern const struct report_form report_text, report_simple, report_json, report_csv, report_go;

#endif
