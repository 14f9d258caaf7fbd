// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "die.h"
#include "test.h"
#include "wrap.h"

static void say_die(void *arg)
{
	(void)arg;
	die("%d sheep are %s", 3, "lost");
}

static void say_errno(void *arg)
{
	(void)arg;
	errno = EPIPE;
	die_errno("socketpair %d", 7);
}

static void say_usage(void *arg)
{
	(void)arg;
	usage("option '%s'", "-x");
}

static void say_skip(void *arg)
{
	(void)arg;
	skip("needs %u CPUs", 8U);
}

static void say_echo(void *arg)
{
	(void)arg;
	die_echo("the peer has closed");
}

static void say_record(void *arg)
{
	(void)arg;
	die_record("somebody was killed");
}

static void say_warn(void *arg)
{
	(void)arg;
	warn("%s: %s", "first", "once");
	warn("second");
}

static void in_context(void *arg)
{
	(void)arg;
	die_context("sched messaging");
	warn("one");
	die_role("receiver", 3);
	warn("two");
	die_role(NULL, 0);
	warn("three");
	die_context(NULL);
	die_role("receiver", 4);
	errno = EPIPE;
	die_errno("write");
}

static void *warn_in_thread(void *arg)
{
	(void)arg;
	warn("from a thread");
	die_role("receiver", 9);
	return NULL;
}

static void role_of_thread(void *arg)
{
	pthread_t thread;

	(void)arg;
	die_role("sender", 1);
	if (pthread_create(&thread, NULL, warn_in_thread, NULL) != 0)
		die("pthread_create");
	pthread_join(thread, NULL);
	warn("from the first");
}

static void not_into(void *arg)
{
	die_into(arg);
	die_into(NULL);
	die("said");
}

static struct failure nowhere;

static void test_words(void)
{
	static const struct {
		void (*say)(void *);
		int status;
		const char *err;
	} cases[] = {
		{ say_die, EXIT_FAILED, "kbench: 3 sheep are lost\n" },
		{ say_errno, EXIT_FAILED, "kbench: socketpair 7: Broken pipe\n" },
		{ say_usage, EXIT_USAGE, "kbench: option '-x'\n" },
		{ say_skip, EXIT_SKIPPED, "kbench: needs 8 CPUs\n" },
		{ say_echo, EXIT_FAILED, "kbench: the peer has closed\n" },
		{ say_record, EXIT_DONE, "kbench: somebody was killed\n" },
		{ say_warn, EXIT_DONE, "kbench: first: once\nkbench: second\n" },
		{ in_context, EXIT_FAILED,
			"kbench: sched messaging: one\n"
			"kbench: sched messaging: receiver 3: two\n"
			"kbench: sched messaging: three\n"
			"kbench: receiver 4: write: Broken pipe\n" },
		{ role_of_thread, EXIT_DONE, "kbench: from a thread\nkbench: sender 1: from the first\n" },
		{ not_into, EXIT_FAILED, "kbench: said\n" },
	};
	char *out, *err;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CHECK_INT(test_capture(cases[i].say, &nowhere, &out, &err), cases[i].status);
		CHECK_TEXT(out, "");
		CHECK_TEXT(err, cases[i].err);
	}
}

static void say_bug(void *arg)
{
	(void)arg;
	BUG("slot %d", 5);
}

static void test_bug(void)
{
	char *err;

	CHECK_INT(test_capture(say_bug, NULL, NULL, &err), EXIT_FAILED);
	CHECK(strncmp(err, "kbench: BUG at ", 15) == 0);
	CHECK(strstr(err, "die-test.c:") != NULL);
	CHECK(strstr(err, ": slot 5\n") != NULL);
}

static char *letters(size_t count)
{
	char *text = xcalloc(1, count + 1);

	memset(text, 'x', count);
	return text;
}

static void say_much(void *arg)
{
	die_context(arg);
	die("%s", (const char *)arg);
}

static void say_refused(void *arg)
{
	usage("--order %s: not seq or '%s': %d words", (const char *)arg, (const char *)arg, 2);
}

/* What was typed is cut, and not what is said of it. */
static void test_long_word(void)
{
	char start[61] = "", expected[256], *err;

	memset(start, 'x', 60);
	snprintf(expected, sizeof(expected), "kbench: --order %s...x: not seq or '%.59s...': 2 words\n", start, start);
	CHECK_INT(test_capture(say_refused, letters(5000), NULL, &err), EXIT_USAGE);
	CHECK_TEXT(err, expected);
}

/* However long, a message is one line with its end. */
static void test_long_message(void)
{
	static const size_t lengths[] = { 400, 511, 512, 690, 700, 5000 };

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		char *err;

		CHECK_INT(test_capture(say_much, letters(lengths[i]), NULL, &err), EXIT_FAILED);
		CHECK(strlen(err) > 400);
		CHECK(strlen(err) < 800);
		CHECK(strchr(err, '\n') == err + strlen(err) - 1);
	}
}

/* Failures that are left for the supervisor: each act in a process of its own, one after the other. */

static void die_in_role(void *arg)
{
	(void)arg;
	die_role("receiver", 3);
	errno = ECONNRESET;
	die_errno("read");
}

static void echo_first(void *arg)
{
	(void)arg;
	die_echo("echo 1");
}

static void echo_second(void *arg)
{
	(void)arg;
	die_echo("echo 2");
}

static void cause_first(void *arg)
{
	(void)arg;
	die("cause 1");
}

static void cause_second(void *arg)
{
	(void)arg;
	die("cause 2");
}

static void long_cause(void *arg)
{
	char *text = letters(2000);

	(void)arg;
	for (size_t i = 9; i < 2000; i += 10)
		text[i] = ' ';
	die("%s", text);
}

typedef void act_fn(void *arg);

struct scene {
	act_fn *acts[3];
	int statuses[3];
	int status; /* with the text */
	const char *text;
};

struct stage {
	struct failure *failure;
	act_fn *act;
};

static void perform(void *arg)
{
	const struct stage *stage = arg;

	die_into(stage->failure);
	stage->act(NULL);
}

static struct failure *play(const struct scene *scene)
{
	struct failure *failure = xmmap(sizeof(*failure), true);

	for (size_t i = 0; i < ARRAY_SIZE(scene->statuses) && scene->acts[i]; i++) {
		char *out, *err;

		CHECK_INT(test_capture(perform, &(struct stage){ failure, scene->acts[i] }, &out, &err),
			scene->statuses[i]);
		CHECK_TEXT(out, "");
		CHECK_TEXT(err, "");
	}
	return failure;
}

static void test_left(void)
{
	static const struct scene scenes[] = {
		{ { NULL }, { 0 }, 99, NULL },
		{ { die_in_role }, { EXIT_FAILED }, EXIT_FAILED, "receiver 3: read: Connection reset by peer" },
		{ { say_usage }, { EXIT_USAGE }, EXIT_USAGE, "option '-x'" },
		{ { say_skip }, { EXIT_SKIPPED }, EXIT_SKIPPED, "needs 8 CPUs" },
		{ { say_record }, { EXIT_DONE }, EXIT_FAILED, "somebody was killed" },
		{ { echo_first }, { EXIT_FAILED }, EXIT_FAILED, "echo 1" },
		{ { echo_first, echo_second }, { EXIT_FAILED, EXIT_FAILED }, EXIT_FAILED, "echo 1" },
		{ { cause_first, cause_second }, { EXIT_FAILED, EXIT_FAILED }, EXIT_FAILED, "cause 1" },
		{ { cause_first, echo_first }, { EXIT_FAILED, EXIT_FAILED }, EXIT_FAILED, "cause 1" },
		{ { echo_first, cause_second }, { EXIT_FAILED, EXIT_FAILED }, EXIT_FAILED, "cause 2" },
		{ { echo_first, say_record }, { EXIT_FAILED, EXIT_DONE }, EXIT_FAILED, "somebody was killed" },
		{ { echo_first, cause_second, cause_first }, { EXIT_FAILED, EXIT_FAILED, EXIT_FAILED }, EXIT_FAILED,
			"cause 2" },
		{ { echo_first, say_skip, echo_second }, { EXIT_FAILED, EXIT_SKIPPED, EXIT_FAILED }, EXIT_SKIPPED,
			"needs 8 CPUs" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(scenes); i++) {
		struct failure *failure = play(&scenes[i]);
		int status = 99;

		CHECK_TEXT(failure_text(failure, &status), scenes[i].text);
		CHECK_INT(status, scenes[i].status);
	}
}

static void test_left_long(void)
{
	struct failure *failure = play(&(struct scene){ { long_cause }, { EXIT_FAILED }, 0, NULL });
	int status;

	CHECK_UINT(strlen(failure_text(failure, &status)), sizeof(failure->text) - 1);
}

static void test_has_cause(void)
{
	struct failure *failure = play(&(struct scene){ { echo_first }, { EXIT_FAILED }, 0, NULL });

	CHECK(!die_has_cause());
	die_into(failure);
	CHECK(!die_has_cause());
	die_record("a cause");
	CHECK(die_has_cause());
	die_into(NULL);
	CHECK(!die_has_cause());
}

static void warn_with_failure(void *arg)
{
	die_into(arg);
	warn("said at once");
}

static void test_warning(void)
{
	struct failure *failure = xmmap(sizeof(*failure), true);
	char *err;
	int status;

	CHECK_INT(test_capture(warn_with_failure, failure, NULL, &err), EXIT_DONE);
	CHECK_TEXT(err, "kbench: said at once\n");
	CHECK_TEXT(failure_text(failure, &status), NULL);
}

/* Buffered output of the supervisor, inherited by a worker, must not appear twice. */
static void die_with_buffer(void *arg)
{
	die_into(arg);
	printf("a result");
	die("broken");
}

static void test_buffers(void)
{
	char *out;

	CHECK_INT(test_capture(die_with_buffer, xmmap(sizeof(struct failure), true), &out, NULL), EXIT_FAILED);
	CHECK_TEXT(out, "");
}

/* Many die at the same moment: the text is that of one of them, whole. */
static void test_race(void)
{
	struct failure *failure = xmmap(sizeof(*failure), true);
	char first = 0;
	int status;

	for (int i = 0; i < 20; i++) {
		fflush(stdout);
		if (fork() == 0) {
			char *text = letters(400);

			memset(text, 'a' + i, 400);
			die_into(failure);
			die("%s", text);
		}
	}
	while (wait(&status) > 0)
		;
	first = failure_text(failure, &status)[0];
	CHECK(first >= 'a' && first < 'a' + 20);
	CHECK_UINT(strspn(failure->text, (char[]){ first, '\0' }), 400);
	CHECK_UINT(strlen(failure->text), 400);
}

static const struct test tests[] = {
	{ "a message is a line on stderr, and the status tells its kind", test_words },
	{ "a BUG tells its place", test_bug },
	{ "a long message is cut and still a line", test_long_message },
	{ "a value that is too long is cut, and what is said of it is not", test_long_word },
	{ "of several failures the first cause is kept, or else the first echo", test_left },
	{ "a long failure is cut and ends", test_left_long },
	{ "a cause is known as one, an echo is not", test_has_cause },
	{ "a warning is said at once and is no failure", test_warning },
	{ "a worker that dies does not write what others have buffered", test_buffers },
	{ "of failures at the same moment one is left, whole", test_race },
};

TEST_MAIN(tests)
