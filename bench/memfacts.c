// SPDX-License-Identifier: GPL-2.0-only
#include "memfacts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "die.h"
#include "sysfile.h"
#include "workers.h"
#include "wrap.h"

#define THP_DIR "/sys/kernel/mm/transparent_hugepage"

/* The number on the line that begins with the key and that separator; 0: no such line. */
static uint64_t number_of(char *text, const char *key, char separator)
{
	size_t length = strlen(key);
	uint64_t number = 0;

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, key, length) && line[length] == separator) {
			number = strtoull(line + length + 1, NULL, 10);
			break;
		}
	}
	free(text);
	return number;
}

uint64_t memfacts_bytes(const char *root, const char *key)
{
	return number_of(sysfile_text(root, "/proc/meminfo"), key, ':') * 1024;
}

uint64_t memfacts_count(const char *root, const char *key)
{
	return number_of(sysfile_text(root, "/proc/vmstat"), key, ' ');
}

static bool marked_is(const char *root, const char *path, const char *word)
{
	char *marked = sysfile_marked(root, path);
	bool is = marked && !strcmp(marked, word);

	free(marked);
	return is;
}

size_t memfacts_thp(const char *root)
{
	char *text = sysfile_text(root, THP_DIR "/hpage_pmd_size"), *path, *own;
	size_t bytes = text ? strtoul(text, NULL, 10) : 0;
	bool off;

	/* Newer kernels have a setting for each size, which overrides the common one unless it says "inherit". */
	path = xasprintf(THP_DIR "/hugepages-%zukB/enabled", bytes / 1024);
	own = sysfile_marked(root, path);
	if (own && strcmp(own, "inherit"))
		off = !strcmp(own, "never");
	else
		off = marked_is(root, THP_DIR "/enabled", "never");
	free(text);
	free(path);
	free(own);
	return off ? 0 : bytes;
}

bool memfacts_zero_page(void)
{
	size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	void *memory = xmmap(bytes, false);
	volatile char *page = memory;
	uint64_t before, after;

	(void)*page;
	before = worker_usage_now().minor_faults;
	*page = 1;
	after = worker_usage_now().minor_faults;
	xmunmap(memory, bytes);
	return after > before;
}
