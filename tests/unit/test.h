// SPDX-License-Identifier: GPL-2.0-only
/*
 * The unit tests' harness. A test program is a table of titled functions and TEST_MAIN(tests) at its foot. Every test
 * runs in a process of its own, so one that crashes or dies is one failure. Printed: a line "ok TITLE", "not ok TITLE" or
 * "skip TITLE: reason" a test; what was wrong stands above it in lines that begin with "#".
 */
#ifndef KBENCH_TEST_H
#define KBENCH_TEST_H

#include "base.h"

struct test {
	const char *title; /* a sentence */
	void (*body)(void);
};

int test_main(const struct test *tests, size_t count);
#define TEST_MAIN(tests)                                    \
	int main(void)                                      \
	{                                                   \
		return test_main(tests, ARRAY_SIZE(tests)); \
	}

/* A failed check prints expression, both values and place; the test goes on and fails. */
#define CHECK(expression)            test_check((expression), #expression, __FILE__, __LINE__)
#define CHECK_UINT(actual, expected) test_check_uint((actual), (expected), #actual, __FILE__, __LINE__)
#define CHECK_INT(actual, expected)  test_check_int((actual), (expected), #actual, __FILE__, __LINE__)
#define CHECK_TEXT(actual, expected) test_check_text((actual), (expected), #actual, __FILE__, __LINE__)
/* |actual - expected| <= relative * |expected|; two NANs are equal. */
#define CHECK_NEAR(actual, expected, relative) \
	test_check_near((actual), (expected), (relative), #actual, __FILE__, __LINE__)

/* Ends the test as one that cannot run here. */
void test_skip(const char *reason) __attribute__((__noreturn__));

/* What takes long is to be done with fewer cases: KBENCH_TEST_BRIEF is set, as for an emulator. */
bool test_brief(void);

/*
 * Runs body(argument) in a child with stdout and stderr captured. Returned: the exit status, or 128 + the signal that
 * ended it. *out and *err (NULL: not wanted) are on the heap.
 */
int test_capture(void (*body)(void *), void *argument, char **out, char **err);

/* A fresh folder below TMPDIR, removed with all in it when the test ends. */
const char *test_folder(void);
/* Writes a file of the folder, making the folders on its way; path is relative to the folder. */
void test_file(const char *folder, const char *path, const char *text);

void test_check(bool holds, const char *expression, const char *file, int line);
void test_check_uint(uint64_t actual, uint64_t expected, const char *expression, const char *file, int line);
void test_check_int(int64_t actual, int64_t expected, const char *expression, const char *file, int line);
void test_check_text(const char *actual, const char *expected, const char *expression, const char *file, int line);
void test_check_near(
	double actual, double expected, double relative, const char *expression, const char *file, int line);

#endif
