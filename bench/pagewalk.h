// SPDX-License-Identifier: GPL-2.0-only
/*
 * Touching every page of a range once, in an order. What an order needs to know is computed beforehand, so that the
 * loop does nothing but touch.
 */
#ifndef KBENCH_PAGEWALK_H
#define KBENCH_PAGEWALK_H

#include "base.h"

enum page_order_kind { ORDER_SEQ, ORDER_REVERSE, ORDER_RANDOM, ORDER_STRIDE, ORDER_KINDS };

struct page_order {
	enum page_order_kind kind;
	uint64_t stride; /* pages from one touch to the next; the pages left out follow in further passes */
};

/* "seq", "reverse", "random" or "stride=N", N at least 1. False: none of them. */
bool page_order_parse(const char *text, struct page_order *order);

struct page_walk {
	volatile char *base;
	size_t pages, page_size, stride;
	const uint32_t *shuffled; /* ORDER_RANDOM: the page numbers in their order */
	enum page_order_kind kind;
};

/* What a walk in random order remembers of a page, and the most pages that it can remember. */
#define WALK_TABLE_BYTES sizeof(uint32_t)
#define WALK_TABLE_PAGES UINT32_MAX

/* The seed decides a random order. The memory of the walk is never given back: it lives as long as its process. */
void walk_init(struct page_walk *walk, const struct page_order *order, uint64_t seed);

/* One byte a page is read, or written. */
void walk_read(const struct page_walk *walk);
void walk_write(const struct page_walk *walk);

#endif
