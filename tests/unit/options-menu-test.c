// SPDX-License-Identifier: GPL-2.0-only
/* A menu: a choice of what the machine has, with a word for all of it and one that lists it. */
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "test.h"

static const char *const names[] = { "default", "plain", "fast", NULL };
static const char *const meanings[] = { "that of libc", "a loop", "a fast loop", NULL };

static struct {
	unsigned function;
	uint64_t size;
} opt = { .function = OPT_ALL, .size = 1 };

static const struct opt table[] = {
	OPT_MENU('f', "function", &opt.function, names, meanings, "what is called, all or help"),
	OPT_SIZE('s', "size", &opt.size, 1, OPT_MAX, "bytes"),
	OPT_END,
};

struct words {
	const char *words[6];
	bool help;
};

static struct optset *parse(struct words *words)
{
	struct optset *set = optset_new(table);
	char *argv[ARRAY_SIZE(words->words) + 1] = { NULL };
	int argc = 1;

	while (words->words[argc - 1])
		argc++;
	memcpy(argv + 1, words->words, (size_t)argc * sizeof(*argv));
	optset_parse(set, argc, argv, false, &words->help);
	return set;
}

/* "0 2 " for the values in the order of the combinations. */
static void check_functions(struct words words, const char *expected, size_t rows)
{
	struct optset *set = parse(&words);
	char text[64] = "";

	for (size_t i = 0; i < optset_combinations(set); i++) {
		optset_select(set, i);
		strcat(text, (char[]){ (char)('0' + opt.function), ' ', '\0' });
	}
	CHECK_TEXT(text, expected);
	CHECK_UINT(optset_rows(set), rows);
	optset_free(set);
	opt.function = OPT_ALL;
	opt.size = 1;
}

static void all_stands_for_every_word_typed_or_not(void)
{
	check_functions((struct words){ { NULL }, false }, "0 1 2 ", 1);
	check_functions((struct words){ { "-f", "all" }, false }, "0 1 2 ", 1);
	check_functions((struct words){ { "-f", "all,plain" }, false }, "0 1 2 1 ", 1);
	check_functions((struct words){ { "-f", "fast" }, false }, "2 ", 1);
	check_functions((struct words){ { "--function=fast,default" }, false }, "2 0 ", 1);
}

static void the_words_of_a_menu_are_not_rows(void)
{
	check_functions((struct words){ { "-s", "1,2" }, false }, "0 0 1 1 2 2 ", 2);
	check_functions((struct words){ { "-s", "1,2", "-f", "plain" }, false }, "1 1 ", 2);
}

static void several_words_count_as_given(void)
{
	struct words words = { { NULL }, false }, one = { { "-f", "plain" }, false };
	struct optset *set = parse(&words);
	size_t count;
	struct param *params = optset_params(set, 2, &count);

	CHECK_TEXT(params[0].value, "fast");
	CHECK(params[0].given && params[0].swept);
	CHECK(!params[1].given && !params[1].swept);
	params_free(params, count);
	optset_free(set);
	set = parse(&one);
	params = optset_params(set, 0, &count);
	CHECK_TEXT(params[0].value, "plain");
	CHECK(params[0].given && !params[0].swept);
	params_free(params, count);
	optset_free(set);
}

/* An optset that nothing is parsed into, as `kbench all` has them. */
static void without_a_parse_it_is_all(void)
{
	struct optset *set = optset_new(table);

	CHECK_UINT(optset_combinations(set), 3);
	optset_free(set);
}

static void print_help(void *arg)
{
	struct optset *set = parse(arg);

	if (!optset_menu(set))
		exit(1);
	opts_print_menu(optset_menu(set));
	exit(0);
}

static void help_lists_what_is_on_it(void)
{
	struct words menu = { { "-f", "help" }, false }, page = { { "-h" }, false };
	char *out, *err;

	CHECK_INT(test_capture(print_help, &menu, &out, &err), 0);
	CHECK_TEXT(
		out, "Available functions:\n\tdefault ... that of libc\n\tplain ... a loop\n\tfast ... a fast loop\n");
	CHECK_TEXT(err, "");
	CHECK_INT(test_capture(print_help, &page, &out, &err), 1);
	CHECK_TEXT(out, "");
}

static void print_page(void *arg)
{
	(void)arg;
	opts_print_help(table);
	exit(0);
}

static void the_page_is_the_same_whatever_the_machine_has(void)
{
	char *out, *err;

	CHECK_INT(test_capture(print_page, NULL, &out, &err), 0);
	CHECK(strstr(out, "what is called, all or help (default all)"));
	CHECK(!strstr(out, "plain"));
}

static void parse_only(void *arg)
{
	parse(arg);
	exit(0);
}

static void a_word_that_is_not_on_it_is_refused_with_those_that_are(void)
{
	struct words words = { { "-f", "quick" }, false }, list = { { "-f", "plain,help" }, false };
	char *out, *err;

	CHECK_INT(test_capture(parse_only, &words, &out, &err), 2);
	CHECK(strstr(err, "'quick' is not one of default, plain, fast, all"));
	CHECK_INT(test_capture(parse_only, &list, &out, &err), 2);
	CHECK(strstr(err, "'help' is not one of"));
}

static const struct test tests[] = {
	{ "all stands for every word, typed or not", all_stands_for_every_word_typed_or_not },
	{ "the words of a menu are not rows", the_words_of_a_menu_are_not_rows },
	{ "several words count as given", several_words_count_as_given },
	{ "without a parse it is all", without_a_parse_it_is_all },
	{ "help lists what is on it", help_lists_what_is_on_it },
	{ "the page is the same whatever the machine has", the_page_is_the_same_whatever_the_machine_has },
	{ "a word that is not on it is refused with those that are",
		a_word_that_is_not_on_it_is_refused_with_those_that_are },
};

TEST_MAIN(tests)
