// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "record.h"
#include "test.h"
#include "wrap.h"

struct option {
	const char *name;
	enum opt_type type;
	uint64_t number;
	const char *value;
	bool swept;
};

#define OPTION_COUNT(name, number, value)                  \
	{                                                  \
		name, OPT_TYPE_COUNT, number, value, false \
	}
#define OPTION_TEXT(name, value)                       \
	{                                              \
		name, OPT_TYPE_STRING, 0, value, false \
	}

static void check_name(const char *collection, const char *name, const struct option *options, const char *expected)
{
	struct param params[4] = { 0 };
	struct series series = { .collection = collection, .name = name, .params = params };
	char *text;

	for (; options->name; options++)
		params[series.param_count++] = (struct param){ .name = options->name,
			.type = options->type,
			.number = options->number,
			.value = xstrdup(options->value),
			.swept = options->swept };
	text = record_name(&series);
	CHECK_TEXT(text, expected);
	free(text);
	while (series.param_count > 0)
		free(params[--series.param_count].value);
}

static void names(void)
{
	static const struct {
		const char *collection, *name;
		struct option options[4];
		const char *text;
	} rows[] = {
		{ "sched", "pipe",
			{ OPTION_COUNT("loop", 1000, "1000"), { "threads", OPT_TYPE_FLAG, 0, "false", false },
				{ "place", OPT_TYPE_CHOICE, 0, "free", false } },
			"SchedPipe/loop=1000/place=free" },
		{ "sched", "pipe", { { 0 } }, "SchedPipe/bench=pipe" },
		{ "mem", "page_faults-all", { { 0 } }, "MemPageFaultsAll/bench=page_faults-all" },
		{ "self", "x-8", { { 0 } }, "SelfX8/bench=x%2d8" },
		{ "sched", "pipe", { OPTION_COUNT("spin", 0, "0") }, "SchedPipe/bench=pipe" },
		{ "sched", "pipe", { { "sleep", OPT_TYPE_TIME, 0, "0s", true } }, "SchedPipe/sleep=0s" },
		{ "numa", "mem", { { "threads", OPT_TYPE_FLAG, 1, "true", false } }, "NumaMem/threads=true" },
		{ "numa", "mem", { OPTION_TEXT("cpus", "") }, "NumaMem/bench=mem" },
		{ "numa", "mem", { { "cpus", OPT_TYPE_STRING, 0, "", true } }, "NumaMem/cpus=" },
		{ "numa", "mem", { OPTION_TEXT("cpus", "0-3") }, "NumaMem/cpus=0%2d3" },
		{ "numa", "mem", { OPTION_TEXT("cpus", "0-3"), OPTION_COUNT("x", 1, "1") }, "NumaMem/cpus=0-3/x=1" },
		{ "stat", "", { { 0 } }, "Stat" },
		{ "stat", "", { OPTION_TEXT("number", "2") }, "Stat/number=2" },
		{ "a", "b", { OPTION_TEXT("x", "-5") }, "AB/x=%2d5" },
		{ "a", "b", { OPTION_TEXT("x", "5-") }, "AB/x=5-" },
		{ "a", "b", { OPTION_TEXT("x", "--5-66") }, "AB/x=--5%2d66" },
		{ "a", "b", { OPTION_TEXT("x", "a b/c=d%\n\xc3\xa9") }, "AB/x=a%20b%2fc%3dd%25%0a%c3%a9" },
		{ "a", "b", { OPTION_TEXT("x", "A.z_0,:+*@-~") }, "AB/x=A.z_0,:+*@-%7e" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check_name(rows[i].collection, rows[i].name, rows[i].options, rows[i].text);
}

static const struct test tests[] = {
	{ "a name has the parameters that are on, and nothing that would not read back", names },
};

TEST_MAIN(tests)
