// SPDX-License-Identifier: GPL-2.0-only
#include "die.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "signals.h"

#define WORD_MOST 60 /* bytes of a word in a message that does not fit */

enum claim { FREE, ECHO, CAUSE };

/* Who speaks. The one state of the program that is not passed around: a message must find its way from anywhere. */
static struct {
	const char *context;
	struct failure *failure;
	int status; /* of a failure; 0: EXIT_FAILED */
} speaker;

static _Thread_local struct {
	const char *role;
	unsigned number;
} part;

void die_context(const char *words)
{
	speaker.context = words;
}

void die_status(int status)
{
	speaker.status = status;
}

static int failure_status(void)
{
	return speaker.status ? speaker.status : EXIT_FAILED;
}

void die_role(const char *role, unsigned number)
{
	part.role = role;
	part.number = number;
}

void die_into(struct failure *failure)
{
	speaker.failure = failure;
}

/* A word of more than WORD_MOST bytes keeps its beginning and, for quotes, its last two: what is said of it is not lost. */
static void shorten_words(char *to, size_t size, const char *from)
{
	char *end = to + size - 1;

	while (*from && to < end) {
		size_t word = strcspn(from, " "), kept = word > WORD_MOST ? WORD_MOST : word;

		for (size_t i = 0; i < kept && to < end; i++)
			*to++ = from[i];
		if (word > WORD_MOST && end - to > 5)
			to += sprintf(to, "...%.2s", from + word - 2);
		from += word;
		while (*from == ' ' && to < end)
			*to++ = *from++;
	}
	*to = '\0';
}

/* As vsnprintf; what does not fit has its long words, such as a value that was typed, cut. Returned: the length of the text. */
PRINTF_LIKE(3, 0)
static size_t compose_words(char *text, size_t size, const char *format, va_list args)
{
	va_list again;
	char *whole;

	va_copy(again, args);
	if ((size_t)vsnprintf(text, size, format, args) >= size && vasprintf(&whole, format, again) >= 0) {
		shorten_words(text, size, whole);
		free(whole);
	}
	va_end(again);
	return strlen(text);
}

/* "receiver 3: read: Connection reset by peer"; error 0: without the text of an errno. */
PRINTF_LIKE(3, 0)
static void compose(char *text, size_t size, const char *format, va_list args, int error)
{
	size_t length = 0;

	if (part.role)
		length = (size_t)snprintf(text, size, "%s %u: ", part.role, part.number);
	if (length < size)
		length += compose_words(text + length, size - length, format, args);
	if (error && length < size)
		snprintf(text + length, size - length, ": %s", strerror(error));
}

/* One write, so that the messages of several processes do not mix. */
static void say(const char *text)
{
	char line[700];
	size_t length;
	const char *context = speaker.context;

	length = (size_t)snprintf(
		line, sizeof(line) - 1, "kbench: %s%s%s", context ? context : "", context ? ": " : "", text);
	if (length > sizeof(line) - 2)
		length = sizeof(line) - 2;
	line[length++] = '\n';
	if (!signals_let_write(STDERR_FILENO))
		return;
	while (write(STDERR_FILENO, line, length) < 0 && errno == EINTR)
		;
}

/* A claim that is higher than all before it takes the slot: the first cause, or the first echo while there is none. */
static void record(int claim, int status, const char *text)
{
	struct failure *failure = speaker.failure;
	int held = atomic_load(&failure->claimed);

	do {
		if (held >= claim)
			return;
	} while (!atomic_compare_exchange_weak(&failure->claimed, &held, claim));
	if (claim == CAUSE) {
		failure->status = status;
		snprintf(failure->text, sizeof(failure->text), "%s", text);
	} else {
		snprintf(failure->echo, sizeof(failure->echo), "%s", text);
	}
	held = atomic_load(&failure->written);
	while (held < claim && !atomic_compare_exchange_weak(&failure->written, &held, claim))
		;
}

bool die_has_cause(void)
{
	return speaker.failure && atomic_load(&speaker.failure->claimed) == CAUSE;
}

const char *failure_text(const struct failure *failure, int *status)
{
	switch (atomic_load(&failure->written)) {
	case CAUSE:
		*status = failure->status;
		return failure->text;
	case ECHO:
		*status = EXIT_FAILED;
		return failure->echo;
	}
	return NULL;
}

PRINTF_LIKE(3, 0)
static noreturn void end(enum claim claim, int status, const char *format, va_list args, int error)
{
	char text[512];

	compose(text, sizeof(text), format, args, error);
	if (!speaker.failure) {
		say(text);
		exit(status);
	}
	record(claim, status, text);
	/* Nothing that the supervisor prepared (buffers, handlers) may run in a worker. */
	_exit(status);
}

#define END(claim, status, format, error)                \
	do {                                             \
		va_list args;                            \
		va_start(args, format);                  \
		end(claim, status, format, args, error); \
	} while (0)

void die(const char *format, ...)
{
	END(CAUSE, failure_status(), format, 0);
}

void die_errno(const char *format, ...)
{
	int error = errno;

	END(CAUSE, failure_status(), format, error);
}

void usage(const char *format, ...)
{
	END(CAUSE, EXIT_USAGE, format, 0);
}

void skip(const char *format, ...)
{
	END(CAUSE, EXIT_SKIPPED, format, 0);
}

void die_or_skip(const char *format, ...)
{
	int error = errno;
	bool refused = error == EPERM || error == EACCES || error == ENOSYS;

	END(CAUSE, refused ? EXIT_SKIPPED : failure_status(), format, error);
}

void die_echo(const char *format, ...)
{
	END(ECHO, EXIT_FAILED, format, 0);
}

void warn(const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	compose(text, sizeof(text), format, args, 0);
	va_end(args);
	say(text);
}

void die_record(const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	compose(text, sizeof(text), format, args, 0);
	va_end(args);
	if (speaker.failure)
		record(CAUSE, EXIT_FAILED, text);
	else
		say(text);
}

void die_bug(const char *file, int line, const char *format, ...)
{
	char what[300];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	die("BUG at %s:%d: %s", file, line, what);
}
