// SPDX-License-Identifier: GPL-2.0-only
#include "pagewalk.h"

#include <string.h>

#include "units.h"
#include "wrap.h"

bool page_order_parse(const char *text, struct page_order *order)
{
	static const char *const words[] = {
		[ORDER_SEQ] = "seq",
		[ORDER_REVERSE] = "reverse",
		[ORDER_RANDOM] = "random",
	};
	static const char stride[] = "stride=";

	*order = (struct page_order){ .stride = 1 };
	for (unsigned kind = 0; kind < ARRAY_SIZE(words); kind++) {
		order->kind = kind;
		if (!strcmp(text, words[kind]))
			return true;
	}
	order->kind = ORDER_STRIDE;
	return !strncmp(text, stride, strlen(stride)) && units_parse_count(text + strlen(stride), &order->stride) &&
	       order->stride > 0;
}

/* splitmix64 (Steele, Lea, Flood 2014): any seed will do, 0 also. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static const uint32_t *shuffled_numbers(size_t count, uint64_t seed)
{
	uint32_t *numbers = xmmap(count * WALK_TABLE_BYTES, false);

	for (size_t i = 0; i < count; i++) {
		size_t j = (size_t)(next_random(&seed) % (i + 1));

		numbers[i] = numbers[j];
		numbers[j] = (uint32_t)i;
	}
	return numbers;
}

void walk_init(struct page_walk *walk, const struct page_order *order, uint64_t seed)
{
	walk->kind = order->kind;
	walk->stride = (size_t)order->stride;
	walk->shuffled = order->kind == ORDER_RANDOM ? shuffled_numbers(walk->pages, seed) : NULL;
}

/* A sanitizer would look into its own memory at every touch, and take faults there. */
#define UNCHECKED __attribute__((no_sanitize_address, no_sanitize_thread))

/* Each order is written once and compiled twice: `write` is a constant in every loop. */
#define LOOP static inline __attribute__((always_inline)) UNCHECKED void

LOOP touch(volatile char *byte, bool write)
{
	if (write)
		*byte = 1;
	else
		(void)*byte;
}

LOOP loop_seq(const struct page_walk *walk, bool write)
{
	volatile char *end = walk->base + walk->pages * walk->page_size;
	size_t step = walk->page_size;

	for (volatile char *page = walk->base; page < end; page += step)
		touch(page, write);
}

LOOP loop_reverse(const struct page_walk *walk, bool write)
{
	volatile char *base = walk->base;
	size_t step = walk->page_size;

	for (volatile char *page = base + walk->pages * step; page > base;) {
		page -= step;
		touch(page, write);
	}
}

LOOP loop_random(const struct page_walk *walk, bool write)
{
	volatile char *base = walk->base;
	size_t pages = walk->pages, step = walk->page_size;
	const uint32_t *shuffled = walk->shuffled;

	for (size_t i = 0; i < pages; i++)
		touch(base + shuffled[i] * step, write);
}

LOOP loop_stride(const struct page_walk *walk, bool write)
{
	volatile char *base = walk->base;
	size_t pages = walk->pages, step = walk->page_size, stride = walk->stride;

	for (size_t first = 0; first < stride; first++)
		for (size_t i = first; i < pages; i += stride)
			touch(base + i * step, write);
}

LOOP loop_of_order(const struct page_walk *walk, bool write)
{
	switch (walk->kind) {
	case ORDER_REVERSE:
		loop_reverse(walk, write);
		break;
	case ORDER_RANDOM:
		loop_random(walk, write);
		break;
	case ORDER_STRIDE:
		loop_stride(walk, write);
		break;
	default:
		loop_seq(walk, write);
	}
}

UNCHECKED void walk_read(const struct page_walk *walk)
{
	loop_of_order(walk, false);
}

UNCHECKED void walk_write(const struct page_walk *walk)
{
	loop_of_order(walk, true);
}
