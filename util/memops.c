// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <string.h>

#include "memops-internal.h"

#ifdef __GLIBC__
#define LIBC "glibc"
#else
#define LIBC "libc"
#endif

#define UNROLL_WORDS 8

/* Loads and stores of a register at any address. */
typedef unsigned long word __attribute__((__may_alias__, __aligned__(1)));

/* Keeps the compiler from making the loop a call of memcpy or memset, or vectors. */
#define KEEP_LOOP __asm__ volatile("" : : : "memory")

static void copy_bytes(char *to, const char *from, size_t bytes)
{
	for (; bytes > 0; bytes--) {
		*to++ = *from++;
		KEEP_LOOP;
	}
}

static void set_bytes(char *to, int byte, size_t bytes)
{
	for (; bytes > 0; bytes--) {
		*to++ = (char)byte;
		KEEP_LOOP;
	}
}

unsigned long memops_spread(int byte)
{
	return ULONG_MAX / UINT8_MAX * (uint8_t)byte;
}

static void copy_default(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
}

static void set_default(void *to, int byte, size_t bytes)
{
	memset(to, byte, bytes);
}

void memops_copy_plain(void *to, const void *from, size_t bytes)
{
	char *target = to;
	const char *source = from;

	for (; bytes >= sizeof(word); bytes -= sizeof(word)) {
		*(word *)target = *(const word *)source;
		target += sizeof(word);
		source += sizeof(word);
		KEEP_LOOP;
	}
	copy_bytes(target, source, bytes);
}

void memops_set_plain(void *to, int byte, size_t bytes)
{
	char *target = to;
	word value = memops_spread(byte);

	for (; bytes >= sizeof(word); bytes -= sizeof(word)) {
		*(word *)target = value;
		target += sizeof(word);
		KEEP_LOOP;
	}
	set_bytes(target, byte, bytes);
}

static void copy_unrolled(void *to, const void *from, size_t bytes)
{
	char *target = to;
	const char *source = from;

	for (; bytes >= UNROLL_WORDS * sizeof(word); bytes -= UNROLL_WORDS * sizeof(word)) {
		const word *in = (const word *)source;
		word *out = (word *)target;
		word a = in[0], b = in[1], c = in[2], d = in[3], e = in[4], f = in[5], g = in[6], h = in[7];

		out[0] = a, out[1] = b, out[2] = c, out[3] = d, out[4] = e, out[5] = f, out[6] = g, out[7] = h;
		target += UNROLL_WORDS * sizeof(word);
		source += UNROLL_WORDS * sizeof(word);
		KEEP_LOOP;
	}
	memops_copy_plain(target, source, bytes);
}

static void set_unrolled(void *to, int byte, size_t bytes)
{
	char *target = to;
	word v = memops_spread(byte);

	for (; bytes >= UNROLL_WORDS * sizeof(word); bytes -= UNROLL_WORDS * sizeof(word)) {
		word *out = (word *)target;

		out[0] = v, out[1] = v, out[2] = v, out[3] = v, out[4] = v, out[5] = v, out[6] = v, out[7] = v;
		target += UNROLL_WORDS * sizeof(word);
		KEEP_LOOP;
	}
	memops_set_plain(target, byte, bytes);
}

#define COPIES(row)                                                                                           \
	row("default", "Default memcpy() provided by " LIBC, copy_default)                                    \
		row(MEMOPS_UNROLLED, "memcpy() of eight words a turn", copy_unrolled) MEMOPS_ARCH_COPIES(row) \
			row("plain", "memcpy() of a word a turn", memops_copy_plain)
#define SETS(row)                                                                                          \
	row("default", "Default memset() provided by " LIBC, set_default)                                  \
		row(MEMOPS_UNROLLED, "memset() of eight words a turn", set_unrolled) MEMOPS_ARCH_SETS(row) \
			row("plain", "memset() of a word a turn", memops_set_plain)

#define NAME(name, meaning, routine)    name,
#define MEANING(name, meaning, routine) meaning,
#define ROUTINE(name, meaning, routine) routine,

const char *const memops_copy_names[] = { COPIES(NAME) NULL };
const char *const memops_copy_meanings[] = { COPIES(MEANING) NULL };
static memops_copy *const copies[] = { COPIES(ROUTINE) };

const char *const memops_set_names[] = { SETS(NAME) NULL };
const char *const memops_set_meanings[] = { SETS(MEANING) NULL };
static memops_set *const sets[] = { SETS(ROUTINE) };

memops_copy *memops_copy_get(unsigned index)
{
	return index < ARRAY_SIZE(copies) ? copies[index] : NULL;
}

memops_set *memops_set_get(unsigned index)
{
	return index < ARRAY_SIZE(sets) ? sets[index] : NULL;
}
