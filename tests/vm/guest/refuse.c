// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starts a program for which system calls fail, as in a container that forbids them or on a kernel without them:
 *
 *	refuse EPERM|ENOSYS CALL... -- PROGRAM [ARGUMENT]...
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALLS_MAX 20

static const struct {
	const char *name;
	unsigned number;
} calls[] = {
	{ "get_mempolicy", SYS_get_mempolicy },
	{ "madvise", SYS_madvise },
	{ "mbind", SYS_mbind },
	{ "migrate_pages", SYS_migrate_pages },
	{ "move_pages", SYS_move_pages },
	{ "perf_event_open", SYS_perf_event_open },
	{ "sched_setaffinity", SYS_sched_setaffinity },
	{ "set_mempolicy", SYS_set_mempolicy },
	{ "userfaultfd", SYS_userfaultfd },
};

static void give_up(const char *what)
{
	perror(what);
	exit(77);
}

static unsigned number_of(const char *name)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (strcmp(calls[i].name, name) == 0)
			return calls[i].number;
	give_up(name);
	return 0;
}

static void load(struct sock_filter *filter, size_t len)
{
	struct sock_fprog program = { (unsigned short)len, filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		give_up("seccomp");
}

int main(int argc, char **argv)
{
	struct sock_filter filter[2 * CALLS_MAX + 2] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	unsigned error = argc > 1 && strcmp(argv[1], "ENOSYS") == 0 ? ENOSYS : EPERM;
	size_t len = 1;
	int i = 2;

	for (; i < argc && i < CALLS_MAX && strcmp(argv[i], "--") != 0; i++) {
		filter[len++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number_of(argv[i]), 0, 1);
		filter[len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
	}
	filter[len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	if (i + 1 >= argc)
		give_up("no program");
	load(filter, len);
	execv(argv[i + 1], argv + i + 1);
	give_up(argv[i + 1]);
}
