// SPDX-License-Identifier: GPL-2.0-only
#include "test.h"

#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum outcome { PASSED, FAILED, SKIPPED = 77 };

static struct {
	int failed_checks;
	char folder[PATH_MAX];
} current;

static void fail(const char *expression, const char *file, int line)
{
	current.failed_checks++;
	printf("# %s:%d: %s\n", file, line, expression);
}

void test_check(bool holds, const char *expression, const char *file, int line)
{
	if (!holds)
		fail(expression, file, line);
}

void test_check_uint(uint64_t actual, uint64_t expected, const char *expression, const char *file, int line)
{
	if (actual == expected)
		return;
	fail(expression, file, line);
	printf("#   expected %" PRIu64 "\n#   got      %" PRIu64 "\n", expected, actual);
}

void test_check_int(int64_t actual, int64_t expected, const char *expression, const char *file, int line)
{
	if (actual == expected)
		return;
	fail(expression, file, line);
	printf("#   expected %" PRId64 "\n#   got      %" PRId64 "\n", expected, actual);
}

void test_check_text(const char *actual, const char *expected, const char *expression, const char *file, int line)
{
	if (actual == expected || (actual && expected && strcmp(actual, expected) == 0))
		return;
	fail(expression, file, line);
	printf("#   expected \"%s\"\n#   got      \"%s\"\n", expected ? expected : "(null)",
		actual ? actual : "(null)");
}

void test_check_near(
	double actual, double expected, double relative, const char *expression, const char *file, int line)
{
	if (isnan(actual) && isnan(expected))
		return;
	if (fabs(actual - expected) <= relative * fabs(expected))
		return;
	fail(expression, file, line);
	printf("#   expected %.17g within %g\n#   got      %.17g\n", expected, relative, actual);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status, (void)type, (void)walk;
	return remove(path);
}

static void end_test(enum outcome outcome)
{
	if (current.folder[0])
		nftw(current.folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	fflush(stdout);
	exit(outcome);
}

bool test_brief(void)
{
	return getenv("KBENCH_TEST_BRIEF");
}

void test_skip(const char *reason)
{
	printf("#skip %s\n", reason);
	end_test(SKIPPED);
	abort();
}

const char *test_folder(void)
{
	const char *base = getenv("TMPDIR");

	if (!current.folder[0]) {
		snprintf(
			current.folder, sizeof(current.folder), "%s/kbench-unit-XXXXXX", base && *base ? base : "/tmp");
		if (!mkdtemp(current.folder)) {
			perror("mkdtemp");
			abort();
		}
	}
	return current.folder;
}

void test_file(const char *folder, const char *path, const char *text)
{
	char full[PATH_MAX];
	FILE *file;

	snprintf(full, sizeof(full), "%s/%s", folder, path);
	for (char *slash = strchr(full + strlen(folder) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(full, 0777) < 0 && errno != EEXIST) {
			perror(full);
			abort();
		}
		*slash = '/';
	}
	file = fopen(full, "w");
	if (!file || fputs(text, file) == EOF || fclose(file) == EOF) {
		perror(full);
		abort();
	}
}

static char *read_back(FILE *file)
{
	long size;
	char *text;

	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	text = calloc(1, (size_t)size + 1);
	if (!text || fread(text, 1, (size_t)size, file) != (size_t)size)
		abort();
	fclose(file);
	return text;
}

static int status_of(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		abort();
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int test_capture(void (*body)(void *), void *argument, char **out, char **err)
{
	FILE *out_file = tmpfile(), *err_file = tmpfile();
	pid_t pid;
	int status;

	fflush(stdout);
	if (!out_file || !err_file)
		abort();
	test_folder(); /* one that the child made would be left */
	pid = fork();
	if (pid < 0)
		abort();
	if (pid == 0) {
		dup2(fileno(out_file), STDOUT_FILENO);
		dup2(fileno(err_file), STDERR_FILENO);
		body(argument);
		fflush(stdout);
		_exit(0);
	}
	status = status_of(pid);
	if (out)
		*out = read_back(out_file);
	if (err)
		*err = read_back(err_file);
	return status;
}

static bool run_one(const struct test *test)
{
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		abort();
	if (pid == 0) {
		test->body();
		end_test(current.failed_checks ? FAILED : PASSED);
	}
	status = status_of(pid);
	if (status == SKIPPED) {
		printf("skip %s\n", test->title);
		return true;
	}
	if (status != PASSED && status != FAILED)
		printf("# ended with status %d\n", status);
	printf("%s %s\n", status == PASSED ? "ok" : "not ok", test->title);
	return status == PASSED;
}

int test_main(const struct test *tests, size_t count)
{
	bool passed = true;

	for (size_t i = 0; i < count; i++)
		passed &= run_one(&tests[i]);
	return passed ? 0 : 1;
}
