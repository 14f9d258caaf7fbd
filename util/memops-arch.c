// SPDX-License-Identifier: GPL-2.0-only
/* What an architecture has for memory beyond what C says: string instructions, stores past the caches, flushes. */
#include "memops-internal.h"

#ifdef __x86_64__
#include <emmintrin.h>
#endif

#define LINE 64

#if defined(__x86_64__)

void memops_copy_movsb(void *to, const void *from, size_t bytes)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

void memops_set_stosb(void *to, int byte, size_t bytes)
{
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"(byte) : "memory");
}

void memops_copy_movsq(void *to, const void *from, size_t bytes)
{
	size_t words = bytes / sizeof(uint64_t), rest = bytes % sizeof(uint64_t);

	__asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(words) : : "memory");
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(rest) : : "memory");
}

void memops_set_stosq(void *to, int byte, size_t bytes)
{
	size_t words = bytes / sizeof(uint64_t), rest = bytes % sizeof(uint64_t);
	uint64_t value = memops_spread(byte);

	__asm__ volatile("rep stosq" : "+D"(to), "+c"(words) : "a"(value) : "memory");
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(rest) : "a"(value) : "memory");
}

static void store_line(char *target, __m128i a, __m128i b, __m128i c, __m128i d)
{
	_mm_stream_si128((__m128i *)(void *)target, a);
	_mm_stream_si128((__m128i *)(void *)(target + 16), b);
	_mm_stream_si128((__m128i *)(void *)(target + 32), c);
	_mm_stream_si128((__m128i *)(void *)(target + 48), d);
}

static void copy_line(char *target, const char *source)
{
	const __m128i_u *in = (const void *)source;

	store_line(
		target, _mm_loadu_si128(in), _mm_loadu_si128(in + 1), _mm_loadu_si128(in + 2), _mm_loadu_si128(in + 3));
}

static void set_line(char *target, int byte)
{
	__m128i value = _mm_set1_epi8((char)byte);

	store_line(target, value, value, value, value);
}

static void stores_end(void)
{
	_mm_sfence();
}

bool memops_flush(const void *memory, size_t bytes)
{
	const char *line = memory, *end = line + bytes;

	for (line -= (uintptr_t)line % LINE; line < end; line += LINE)
		_mm_clflush(line);
	_mm_mfence();
	return true;
}

#elif defined(__aarch64__)

static void copy_line(char *target, const char *source)
{
	__asm__ volatile("ldp q0, q1, [%1]\n\t"
			 "ldp q2, q3, [%1, #32]\n\t"
			 "stnp q0, q1, [%0]\n\t"
			 "stnp q2, q3, [%0, #32]"
			 :
			 : "r"(target), "r"(source)
			 : "v0", "v1", "v2", "v3", "memory");
}

static void set_line(char *target, int byte)
{
	__asm__ volatile("dup v0.16b, %w1\n\t"
			 "stnp q0, q0, [%0]\n\t"
			 "stnp q0, q0, [%0, #32]"
			 :
			 : "r"(target), "r"(byte)
			 : "v0", "memory");
}

static void stores_end(void)
{
	__asm__ volatile("dsb ishst" : : : "memory");
}

/* The kernel lets user mode do this, and read the size of a line. */
bool memops_flush(const void *memory, size_t bytes)
{
	const char *at = memory, *end = at + bytes;
	uint64_t cache_type;
	size_t line;

	__asm__("mrs %0, ctr_el0" : "=r"(cache_type));
	line = (size_t)4 << (cache_type >> 16 & 15);
	for (at -= (uintptr_t)at % line; at < end; at += line)
		__asm__ volatile("dc civac, %0" : : "r"(at) : "memory");
	__asm__ volatile("dsb sy" : : : "memory");
	return true;
}

#else

bool memops_flush(const void *memory, size_t bytes)
{
	(void)memory, (void)bytes;
	return false;
}

#endif

#ifdef MEMOPS_NONTEMPORAL
/* How many bytes are before the next address that is aligned, at most all. */
static size_t before_aligned(const void *address, size_t alignment, size_t bytes)
{
	size_t head = -(uintptr_t)address % alignment;

	return head < bytes ? head : bytes;
}

void memops_copy_nontemporal(void *to, const void *from, size_t bytes)
{
	size_t head = before_aligned(to, LINE, bytes);
	char *target = (char *)to + head;
	const char *source = (const char *)from + head;

	memops_copy_plain(to, from, head);
	for (bytes -= head; bytes >= LINE; bytes -= LINE) {
		copy_line(target, source);
		target += LINE;
		source += LINE;
	}
	memops_copy_plain(target, source, bytes);
	stores_end();
}

void memops_set_nontemporal(void *to, int byte, size_t bytes)
{
	size_t head = before_aligned(to, LINE, bytes);
	char *target = (char *)to + head;

	memops_set_plain(to, byte, head);
	for (bytes -= head; bytes >= LINE; bytes -= LINE) {
		set_line(target, byte);
		target += LINE;
	}
	memops_set_plain(target, byte, bytes);
	stores_end();
}
#endif
