// SPDX-License-Identifier: GPL-2.0-only
#include "stream.h"

struct line {
	uint64_t words[8];
};

/* The compiler must believe that it is used, and may make no memset or memcpy of a loop: these differ from libc to libc. */
#define KEEP(value) __asm__ volatile("" : : "r"(value) : "memory")

static void read_lines(const struct line *lines, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		const uint64_t *words = lines[i].words;

		sum += words[0] + words[1] + words[2] + words[3] + words[4] + words[5] + words[6] + words[7];
		KEEP(sum);
	}
}

static void write_lines(struct line *lines, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		for (int word = 0; word < 8; word++)
			lines[i].words[word] = i;
		KEEP(lines);
	}
}

static void copy_lines(struct line *lines, size_t count)
{
	const struct line *from = lines + count;

	for (size_t i = 0; i < count; i++) {
		for (int word = 0; word < 8; word++)
			lines[i].words[word] = from[i].words[word];
		KEEP(lines);
	}
}

size_t stream_pass(enum stream stream, void *memory, size_t bytes)
{
	size_t lines = bytes / sizeof(struct line);

	switch (stream) {
	case STREAM_READ:
		read_lines(memory, lines);
		break;
	case STREAM_WRITE:
		write_lines(memory, lines);
		break;
	case STREAM_COPY:
		copy_lines(memory, lines / 2);
		return bytes / 2;
	}
	return bytes;
}
