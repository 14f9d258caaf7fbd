// SPDX-License-Identifier: GPL-2.0-only
#include "wrap.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "die.h"

void *xmalloc(size_t bytes)
{
	void *memory = malloc(bytes ? bytes : 1);

	if (!memory)
		die_errno("malloc of %zu bytes", bytes);
	return memory;
}

void *xcalloc(size_t count, size_t bytes)
{
	void *memory = calloc(count ? count : 1, bytes ? bytes : 1);

	if (!memory)
		die_errno("calloc of %zu x %zu bytes", count, bytes);
	return memory;
}

void *xrealloc(void *old, size_t bytes)
{
	void *memory = realloc(old, bytes ? bytes : 1);

	if (!memory)
		die_errno("realloc to %zu bytes", bytes);
	return memory;
}

char *xstrdup(const char *text)
{
	return strcpy(xmalloc(strlen(text) + 1), text);
}

char *xasprintf(const char *format, ...)
{
	va_list args;
	char *text;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	if (length < 0)
		die_errno("vasprintf");
	return text;
}

FILE *xopen_memstream(char **text, size_t *length)
{
	FILE *out = open_memstream(text, length);

	if (!out)
		die_errno("open_memstream");
	return out;
}

void xclose_memstream(FILE *out)
{
	if (ferror(out) || fclose(out) != 0)
		die_errno("open_memstream");
}

void xpipe(int ends[2])
{
	if (pipe2(ends, O_CLOEXEC) < 0)
		die_errno("pipe");
}

void xsocketpair(int ends[2])
{
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		die_errno("socketpair");
}

static int xtcp_socket(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		die_errno("socket");
	return fd;
}

/* Without it a last small message may wait for the acknowledgement of the one before. */
static void set_nodelay(int fd)
{
	int on = 1;

	if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) < 0)
		die_errno("setsockopt TCP_NODELAY");
}

void xtcp_pair(int ends[2])
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t length = sizeof(address);
	int listener = xtcp_socket();

	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) < 0)
		die_errno("bind to 127.0.0.1");
	if (listen(listener, 1) < 0)
		die_errno("listen on 127.0.0.1");
	if (getsockname(listener, (struct sockaddr *)&address, &length) < 0)
		die_errno("getsockname");
	ends[0] = xtcp_socket();
	if (connect(ends[0], (struct sockaddr *)&address, sizeof(address)) < 0)
		die_errno("connect to 127.0.0.1 port %u", ntohs(address.sin_port));
	ends[1] = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	if (ends[1] < 0)
		die_errno("accept");
	xclose(listener);
	set_nodelay(ends[0]);
	set_nodelay(ends[1]);
}

void xclose(int fd)
{
	/* After EINTR the descriptor is closed on Linux; a second close could hit somebody else's. */
	if (close(fd) < 0 && errno != EINTR)
		die_errno("close of descriptor %d", fd);
}

void xset_nonblocking(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0)
		die_errno("fcntl O_NONBLOCK");
}

void *xmmap(size_t bytes, bool shared)
{
	void *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, (shared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		die_errno("mmap of %zu bytes", bytes);
	return memory;
}

void xmunmap(void *address, size_t bytes)
{
	if (munmap(address, bytes) < 0)
		die_errno("munmap of %zu bytes", bytes);
}

void xread_all(int fd, void *buffer, size_t bytes)
{
	for (size_t done = 0; done < bytes;) {
		ssize_t got = read(fd, (char *)buffer + done, bytes - done);

		if (got == 0)
			die_echo("read: the peer has closed after %zu of %zu bytes", done, bytes);
		if (got > 0)
			done += (size_t)got;
		else if (errno != EINTR)
			die_errno("read");
	}
}

void xwrite_all(int fd, const void *buffer, size_t bytes)
{
	for (size_t done = 0; done < bytes;) {
		ssize_t put = write(fd, (const char *)buffer + done, bytes - done);

		if (put >= 0)
			done += (size_t)put;
		else if (errno == EPIPE || errno == ECONNRESET)
			die_echo("write: the peer has closed after %zu of %zu bytes", done, bytes);
		else if (errno != EINTR)
			die_errno("write");
	}
}

char *read_file(const char *path)
{
	size_t room = 4096, length = 0;
	char *text = xmalloc(room);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : 1;

	/* That is not the file's doing: what it would have said is not unknown to the machine. */
	if (fd < 0 && (errno == EMFILE || errno == ENFILE))
		die_errno("%s", path);
	while (got > 0) {
		if (length + 1 == room)
			text = xrealloc(text, room *= 2);
		got = read(fd, text + length, room - length - 1);
		if (got > 0)
			length += (size_t)got;
		else if (got < 0 && errno == EINTR)
			got = 1;
	}
	if (fd >= 0) {
		int error = errno;

		close(fd);
		errno = error;
	}
	if (got < 0) {
		int error = errno;

		free(text);
		errno = error;
		return NULL;
	}
	if (length && text[length - 1] == '\n')
		length--;
	text[length] = '\0';
	return text;
}
