// SPDX-License-Identifier: GPL-2.0-only
/* The formats for machines, of known numbers, to the byte. */
#include "command.h"
#include "csv.h"

static void add_ns(struct result *result)
{
	result_metric(result, "ns/op", 10000, BETTER_LOWER);
}

static void add_groups(struct result *result)
{
	result_note(result, "20 sender and receiver processes per group");
	result_note(result, "10 groups == 400 processes run");
	result_metric(result, "last-message-sec", 1, BETTER_LOWER);
}

static void test_simple(void)
{
	expect((struct command){ .style = { .format = FORMAT_SIMPLE }, .runs = { { 1.5, 0.000000123, 1e6 } } },
		"1.500000000\n0.000000123\n1000000.000000000\n");
	expect((struct command){ .style = { .format = FORMAT_SIMPLE, .verbose = true },
		       .headline = "ns/op",
		       .runs = { { 1 } },
		       .add = add_ns },
		"10000.000000\n");
	expect((struct command){ .style = { .format = FORMAT_SIMPLE },
		       .headline = "map-ns/page",
		       .runs = { { 1 } },
		       .add = add_shown },
		"n/a\n");
	expect((struct command){ .style = { .format = FORMAT_SIMPLE, .all = true }, .skipped = true }, "");
}

static void test_csv(void)
{
	expect((struct command){ .style = { .format = FORMAT_CSV },
		       .params = { { LOOP("10", 10, true), SIZE("4", 4) }, { LOOP("a,\"b\"", 20, true) } },
		       .runs = { { 0.5, 1 }, { 2 } },
		       .add = add_shown },
		"benchmark,loop,run,metric,value,better\r\n"
		"sched pipe,10,1,sec,0.5,lower\r\n"
		"sched pipe,10,1,ns/fault,512.0626,lower\r\n"
		"sched pipe,10,1,map-ns/page,,lower\r\n"
		"sched pipe,10,1,hidden,1,lower\r\n"
		"sched pipe,10,2,sec,1,lower\r\n"
		"sched pipe,10,2,ns/fault,512.0626,lower\r\n"
		"sched pipe,10,2,map-ns/page,,lower\r\n"
		"sched pipe,10,2,hidden,1,lower\r\n"
		"sched pipe,\"a,\"\"b\"\"\",1,sec,2,lower\r\n"
		"sched pipe,\"a,\"\"b\"\"\",1,ns/fault,512.0626,lower\r\n"
		"sched pipe,\"a,\"\"b\"\"\",1,map-ns/page,,lower\r\n"
		"sched pipe,\"a,\"\"b\"\"\",1,hidden,1,lower\r\n");
	expect((struct command){ .style = { .format = FORMAT_CSV }, .skipped = true }, "");
}

static void add_warning(struct result *result)
{
	result_remark(result, "placed freely");
	result_remark(result, "warning: 3 faults, where 4 were expected");
}

static void test_warnings(void)
{
	const unsigned formats[] = { FORMAT_SIMPLE, FORMAT_CSV };

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		struct command command = { .style = { .format = formats[i] }, .runs = { { 1 } }, .add = add_warning };
		char *out, *err;

		CHECK_INT(test_capture(report_command, &command, &out, &err), EXIT_DONE);
		CHECK(!strstr(out, "warning"));
		CHECK_TEXT(err, "kbench: warning: 3 faults, where 4 were expected\n");
		free(out);
		free(err);
	}
}

static void write_field(void *arg)
{
	csv_field(stdout, arg);
}

static void test_csv_field(void)
{
	static struct {
		char text[20];
		const char *field;
	} cases[] = {
		{ "", "" },
		{ "plain text", "plain text" },
		{ "semi;colon'", "semi;colon'" },
		{ "a,b", "\"a,b\"" },
		{ "\"", "\"\"\"\"" },
		{ "say \"so\"", "\"say \"\"so\"\"\"" },
		{ "two\nlines", "\"two\nlines\"" },
		{ "cr\r", "\"cr\r\"" },
		{ "\xc3\xa9", "\xc3\xa9" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *out;

		CHECK_INT(test_capture(write_field, cases[i].text, &out, NULL), 0);
		CHECK_TEXT(out, cases[i].field);
	}
}

/* The environment is the machine's: up to it the line is known, behind it the brackets must close. */
static void expect_json(struct command command, const char *text)
{
	char *out, *environment, *end;

	command.style.format = FORMAT_JSON;
	run_command(&command, &out);
	environment = strstr(out, "\"environment\":{\"kernel\":");
	end = strchr(out, '\n');
	CHECK(environment != NULL);
	CHECK(end && end[1] == '\0');
	CHECK(end && end > out + 2 && end[-1] == '}' && end[-2] == '}');
	if (environment)
		*environment = '\0';
	CHECK_TEXT(out, text);
	free(out);
}

#define PERCENTILES(v) "\"percentiles\":{\"5\":" v ",\"25\":" v ",\"75\":" v ",\"95\":" v "},"

#define JSON_LOOK                                                                            \
	"\"look\":{\"outliers\":0,\"far_outliers\":0,\"first_apart\":false,\"drift\":false," \
	"\"autocorrelation\":null,\"modes\":[]},"

#define JSON_HEAD                                                                       \
	"{\"schema\":1,\"kbench\":\"" KBENCH_VERSION "\",\"benchmark\":\"sched pipe\"," \
	"\"operation\":\"round trip\",\"headline\":\"sec\","

static void test_json(void)
{
	expect_json((struct command){ .params = { { LOOP("1M", 1000000, false), SIZE("1KB", 1024) } },
			    .runs = { { 2, 2 } },
			    .add = add_groups },
		JSON_HEAD "\"status\":\"done\",\"reason\":null,"
			  "\"parameters\":{\"loop\":1000000,\"size\":1024},\"warmup\":0,"
			  "\"runs\":[{\"sec\":2,\"last-message-sec\":1},{\"sec\":2,\"last-message-sec\":1}],"
			  "\"statistics\":{\"sec\":{\"better\":\"lower\",\"n\":2,\"mean\":2,"
			  "\"stddev\":0,\"stddev_percent\":0,"
			  "\"median\":2,\"min\":2,\"max\":2," PERCENTILES(
				  "2") "\"ci95\":[2,2]},"
				       "\"last-message-sec\":{\"better\":\"lower\",\"n\":2,\"mean\":1,\"stddev\":0,"
				       "\"stddev_percent\":0,\"median\":1,\"min\":1,\"max\":1," PERCENTILES(
					       "1") "\"ci95\":[1,1]}}," JSON_LOOK
						    "\"notes\":[\"20 sender and receiver processes per group\","
						    "\"10 groups == 400 processes run\"],\"remarks\":[],");
}

static void add_odd(struct result *result)
{
	result_metric(result, "sec", (double)NAN, BETTER_LOWER);
	result_note(result, "quote \" backslash \\ tab \t");
	result_remark(result, "no UTF-8: \xff");
}

static void test_json_odd(void)
{
	expect_json((struct command){ .error = "killed \"so\"",
			    .runs = { { 1 } },
			    .add = add_odd,
			    .params = { { { .name = "cgroups", .type = OPT_TYPE_STRING, .value = (char[]){ "a\"b\\" } },
				    { .name = "threaded",
					    .type = OPT_TYPE_FLAG,
					    .number = 1,
					    .value = (char[]){ "true" } } } } },
		JSON_HEAD
		"\"status\":\"incomplete\",\"reason\":\"killed \\\"so\\\"\","
		"\"parameters\":{\"cgroups\":\"a\\\"b\\\\\",\"threaded\":true},\"warmup\":0,"
		"\"runs\":[{\"sec\":null}],"
		"\"statistics\":{\"sec\":{\"better\":\"lower\",\"n\":1,\"mean\":null,\"stddev\":null,"
		"\"stddev_percent\":null,\"median\":null,\"min\":null,\"max\":null," PERCENTILES(
			"null") "\"ci95\":[null,null]}}," JSON_LOOK
				"\"notes\":[\"quote \\\" backslash \\\\ tab \\t\"],\"remarks\":[\"no UTF-8: \xef\xbf\xbd\"],");
}

static void test_json_skipped(void)
{
	expect_json((struct command){ .skipped = true },
		JSON_HEAD "\"status\":\"skipped\",\"reason\":\"no such machine\",\"parameters\":{},\"warmup\":0,"
			  "\"runs\":[],\"statistics\":{}," JSON_LOOK "\"notes\":[],\"remarks\":[],");
}

static void report_into_full(void *arg)
{
	if (!freopen("/dev/full", "w", stdout))
		_Exit(77);
	report_command(arg);
}

static void test_full(void)
{
	for (unsigned format = 0; report_formats[format]; format++) {
		struct command command = { .style = { .format = format }, .runs = { { 1, 1 } } };
		char *err;
		int status;

		if (format == FORMAT_GO)
			continue; /* its lines are util/record's */
		status = test_capture(report_into_full, &command, NULL, &err);
		if (status == 77)
			test_skip("there is no /dev/full");
		CHECK_INT(status, EXIT_FAILED);
		CHECK_TEXT(err, "kbench: stdout: No space left on device\n");
	}
}

static const struct test tests[] = {
	{ "simple is one number a run", test_simple },
	{ "csv is one header and a row for each run and metric", test_csv },
	{ "where there are only numbers, a warning goes to stderr", test_warnings },
	{ "a csv field is quoted when it must be", test_csv_field },
	{ "json is one line with every member", test_json },
	{ "json is valid whatever the strings hold, and what is not measured is null", test_json_odd },
	{ "a skip is a line of json too", test_json_skipped },
	{ "a full stdout is an error in every format", test_full },
};

TEST_MAIN(tests)
