// SPDX-License-Identifier: GPL-2.0-only
/*
 * The one vocabulary of errors. A message is "kbench: CONTEXT: text" on stderr, or, in a process that works for a
 * run, a record in memory shared with the supervisor, which says it once.
 */
#ifndef KBENCH_DIE_H
#define KBENCH_DIE_H

#include <stdatomic.h>
#include <stdnoreturn.h>

#include "base.h"

enum exit_status {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_SKIPPED = 4,
	EXIT_SIGNAL = 128, /* plus the number of the signal */
};

/*
 * Where the processes of one run leave the reason why it has no number. The first report wins, but for echoes: an
 * echo ("the peer closed") is replaced by the first report that is none.
 */
struct failure {
	atomic_int claimed; /* 0 free, 1 an echo is being or was written, 2 a cause is being or was written */
	atomic_int written; /* the highest claim whose text is complete */
	int status;         /* an enum exit_status */
	char text[512];     /* cut here; always terminated */
	char echo[512];     /* the text of the echo, used when no cause came */
};

/* Ends the process with EXIT_FAILED. die_errno adds ": " and the text of errno. */
noreturn void die(const char *format, ...) PRINTF_LIKE(1, 2);
noreturn void die_errno(const char *format, ...) PRINTF_LIKE(1, 2);

/* Ends the process with EXIT_USAGE: what was typed cannot be meant. */
noreturn void usage(const char *format, ...) PRINTF_LIKE(1, 2);

/* Ends the process with EXIT_SKIPPED: this cannot run here, for the reason given. */
noreturn void skip(const char *format, ...) PRINTF_LIKE(1, 2);

/*
 * For what a machine may refuse or lack: as skip where errno is EPERM, EACCES or ENOSYS, and otherwise as die_errno. errno's
 * text is added to both.
 */
noreturn void die_or_skip(const char *format, ...) PRINTF_LIKE(1, 2);

/* Like die, for a failure that is most likely the consequence of another task's: "the peer closed its end". */
noreturn void die_echo(const char *format, ...) PRINTF_LIKE(1, 2);

/* Says something on stderr and goes on. */
void warn(const char *format, ...) PRINTF_LIKE(1, 2);

/* Ends the process: the program, not its user or its machine, is wrong. */
#define BUG(...) die_bug(__FILE__, __LINE__, __VA_ARGS__)
noreturn void die_bug(const char *file, int line, const char *format, ...) PRINTF_LIKE(3, 4);

/* From now on die and die_errno end the program with this status in place of EXIT_FAILED. */
void die_status(int status);

/* Words put before every message from now on, such as "sched messaging"; NULL for none. Not copied. */
void die_context(const char *words);

/* The same for the calling thread, after the context: "receiver 3". A role of NULL takes it away. Not copied. */
void die_role(const char *role, unsigned number);

/* From now on this process and those it forks leave their last words in *failure; NULL: on stderr again. */
void die_into(struct failure *failure);

/*
 * Records a failure of somebody else (a worker that was killed) in the slot given to die_into, or on stderr, with
 * the status die would have used, and returns.
 */
void die_record(const char *format, ...) PRINTF_LIKE(1, 2);

/* Has a cause, not only an echo, been recorded where this process leaves its last words? */
bool die_has_cause(void);

/* The text to show for a failed run, or NULL where nobody left one; *status is set with it. */
const char *failure_text(const struct failure *failure, int *status);

#endif
