// SPDX-License-Identifier: GPL-2.0-only
#include "numawork.h"

#include <string.h>
#include <unistd.h>

#define LINE_WORDS 8
#define LINE_BYTES (LINE_WORDS * sizeof(uint64_t))

/* Small enough that a task which is told to stop does so within a millisecond. */
#define PIECE ((size_t)1 << 20)
/* In random order: large enough that choosing the next one costs nothing, small enough to be random. */
#define RANDOM_PIECE ((size_t)8 << 10)

/*
 * The loops. Tasks that share memory race for its words, as they are meant to: nobody cares for the values, but the
 * compiler must believe that somebody does, so each loop hands on a value.
 */
#define RACES __attribute__((no_sanitize_thread))

RACES static inline uint64_t read_line(const uint64_t *line)
{
	return line[0] + line[1] + line[2] + line[3] + line[4] + line[5] + line[6] + line[7];
}

RACES static inline void write_line(uint64_t *line, uint64_t value)
{
	for (int i = 0; i < LINE_WORDS; i++)
		line[i] = value;
}

RACES static inline void update_line(uint64_t *line, uint64_t value)
{
	for (int i = 0; i < LINE_WORDS; i++)
		line[i] += value;
}

RACES static uint64_t read_up(uint64_t *words, size_t lines, uint64_t value)
{
	for (size_t i = 0; i < lines; i++)
		value += read_line(words + i * LINE_WORDS);
	return value;
}

RACES static uint64_t read_down(uint64_t *words, size_t lines, uint64_t value)
{
	for (size_t i = lines; i-- > 0;)
		value += read_line(words + i * LINE_WORDS);
	return value;
}

RACES static uint64_t write_up(uint64_t *words, size_t lines, uint64_t value)
{
	for (size_t i = 0; i < lines; i++)
		write_line(words + i * LINE_WORDS, value);
	return value + 1;
}

RACES static uint64_t write_down(uint64_t *words, size_t lines, uint64_t value)
{
	for (size_t i = lines; i-- > 0;)
		write_line(words + i * LINE_WORDS, value);
	return value + 1;
}

RACES static uint64_t update_up(uint64_t *words, size_t lines, uint64_t value)
{
	for (size_t i = 0; i < lines; i++)
		update_line(words + i * LINE_WORDS, value);
	return value + 1;
}

RACES static uint64_t update_down(uint64_t *words, size_t lines, uint64_t value)
{
	for (size_t i = lines; i-- > 0;)
		update_line(words + i * LINE_WORDS, value);
	return value + 1;
}

RACES static uint64_t zero(uint64_t *words, size_t lines, uint64_t value)
{
	memset(words, 0, lines * LINE_BYTES);
	return value;
}

typedef uint64_t touch_lines(uint64_t *words, size_t lines, uint64_t value);

static touch_lines *const loops[WORK_TOUCHES][2] = {
	[WORK_UPDATE] = { update_up, update_down },
	[WORK_READ] = { read_up, read_down },
	[WORK_WRITE] = { write_up, write_down },
	[WORK_ZERO] = { zero, zero },
};

/* A pass over an area, and how far it is. */
struct pass {
	const struct worker *worker;
	touch_lines *touch;
	uint64_t sum;
	size_t done;
};

/* False: the time is over. */
static bool touch_piece(struct pass *pass, char *memory, size_t bytes)
{
	if (worker_stopping(pass->worker))
		return false;
	pass->sum = pass->touch((uint64_t *)(void *)memory, bytes / LINE_BYTES, pass->sum);
	pass->done += bytes;
	return true;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool go_up(struct pass *pass, char *from, char *to)
{
	while (from < to) {
		size_t bytes = smaller(PIECE, (size_t)(to - from));

		if (!touch_piece(pass, from, bytes))
			return false;
		from += bytes;
	}
	return true;
}

static bool go_down(struct pass *pass, char *from, char *to)
{
	while (from < to) {
		size_t bytes = smaller(PIECE, (size_t)(to - from));

		if (!touch_piece(pass, to - bytes, bytes))
			return false;
		to -= bytes;
	}
	return true;
}

/*
 * A linear congruential generator of full period over a power of two meets each piece once; numbers above the last
 * piece are passed over. Its low bits are poor: the high ones are folded into them, which keeps the numbers distinct.
 */
static void go_randomly(struct pass *pass, const struct work_area *area, uint64_t seed)
{
	size_t pieces = (area->bytes + RANDOM_PIECE - 1) / RANDOM_PIECE;
	uint64_t step = seed << 1 | 1, number = seed >> 1;
	unsigned bits = 0;

	while ((uint64_t)1 << bits < pieces)
		bits++;
	for (uint64_t i = 0; i < (uint64_t)1 << bits; i++) {
		size_t piece, offset;

		number = (number * 6364136223846793005u + step) & (((uint64_t)1 << bits) - 1);
		piece = (size_t)(number ^ number >> (bits + 1) / 2);
		offset = piece * RANDOM_PIECE;
		if (piece < pieces &&
			!touch_piece(pass, area->memory + offset, smaller(RANDOM_PIECE, area->bytes - offset)))
			return;
	}
}

/* Another order for each worker and pass, the same in every run. */
static uint64_t seed_of(const struct worker *worker, uint64_t pass)
{
	return (pass + 1) * 0x9e3779b97f4a7c15u ^ (worker->index + 1) * 0xbf58476d1ce4e5b9u;
}

size_t work_pass(const struct work *work, const struct work_area *area, uint64_t pass_number,
	const struct worker *worker, uint64_t *sum)
{
	bool down = work->turning && pass_number % 2;
	struct pass pass = { .worker = worker, .touch = loops[work->touch][down], .sum = *sum };
	char *memory = area->memory, *start = memory + area->start, *end = memory + area->bytes;

	if (area->lock)
		pthread_mutex_lock(area->lock);
	if (work->random)
		go_randomly(&pass, area, seed_of(worker, pass_number));
	else if (down)
		(void)(go_down(&pass, memory, start) && go_down(&pass, start, end));
	else
		(void)(go_up(&pass, start, end) && go_up(&pass, memory, start));
	if (area->lock)
		pthread_mutex_unlock(area->lock);
	*sum = pass.sum;
	return pass.done;
}

static void touch_pages(volatile char *memory, size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < bytes; i += page)
		memory[i] = 0;
}

static void fill_randomly(uint64_t *words, size_t count)
{
	uint64_t number = 1;

	for (size_t i = 0; i < count; i++)
		words[i] = number = number * 6364136223846793005u + 1;
}

void work_fill(enum work_fill fill, char *memory, size_t bytes)
{
	switch (fill) {
	case WORK_FILL_TOUCH:
		touch_pages(memory, bytes);
		break;
	case WORK_FILL_ZERO:
		memset(memory, 0, bytes);
		break;
	case WORK_FILL_RANDOM:
		fill_randomly((uint64_t *)(void *)memory, bytes / sizeof(uint64_t));
		break;
	}
}
