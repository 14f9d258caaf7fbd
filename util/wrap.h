// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls that must succeed: each dies with the name of the call and its errno. EINTR is retried. Benchmarks use these
 * outside of their loops, so bodies have no error branches.
 */
#ifndef KBENCH_WRAP_H
#define KBENCH_WRAP_H

#include <stdio.h>
#include <sys/types.h>

#include "base.h"

void *xmalloc(size_t bytes);
void *xcalloc(size_t count, size_t bytes);
void *xrealloc(void *old, size_t bytes);
char *xstrdup(const char *text);
char *xasprintf(const char *format, ...) PRINTF_LIKE(1, 2);

/* A stream into memory: *text and *length are there after the close, and *text is the caller's. */
FILE *xopen_memstream(char **text, size_t *length);
void xclose_memstream(FILE *out);

void xpipe(int ends[2]);
void xsocketpair(int ends[2]); /* AF_UNIX, SOCK_STREAM */
void xtcp_pair(int ends[2]);   /* a TCP connection over loopback, TCP_NODELAY at both ends */
void xclose(int fd);
void xset_nonblocking(int fd);

/* Private (or shared) anonymous memory, zeroed, not touched; unmapped by xmunmap. */
void *xmmap(size_t bytes, bool shared);
void xmunmap(void *address, size_t bytes);

/* Transfers of exactly this many bytes; a peer that has closed is die_echo. For what is not the measured loop. */
void xread_all(int fd, void *buffer, size_t bytes);
void xwrite_all(int fd, const void *buffer, size_t bytes);

/*
 * A small file as text, its trailing newline removed; NULL with errno where it cannot be read, but for too few descriptors.
 * On the heap.
 */
char *read_file(const char *path);

#endif
