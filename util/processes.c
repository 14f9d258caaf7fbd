// SPDX-License-Identifier: GPL-2.0-only
#include "processes.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sysfile.h"
#include "wrap.h"

struct processes {
	DIR *folder;
};

struct processes *processes_open(void)
{
	DIR *folder = opendir("/proc");
	struct processes *processes = folder ? xmalloc(sizeof(*processes)) : NULL;

	if (processes)
		processes->folder = folder;
	return processes;
}

/* The number behind a key of /proc/PID/status. */
static bool find(const char *text, const char *key, unsigned *number)
{
	const char *line = strstr(text, key);

	return line && sscanf(line + strlen(key), "%u", number) == 1;
}

static bool read_process(const char *name, struct process *process)
{
	char *text = sysfile_text("", "/proc/%s/status", name);
	unsigned parent;
	bool known = text && find(text, "\nPPid:", &parent) && find(text, "\nUid:", &process->user) &&
		     find(text, "\nThreads:", &process->threads);

	free(text);
	if (known) {
		process->pid = (int)strtol(name, NULL, 10);
		process->parent = (int)parent;
	}
	return known;
}

bool processes_next(struct processes *processes, struct process *process)
{
	const struct dirent *entry;

	while ((entry = readdir(processes->folder)))
		if (entry->d_name[strspn(entry->d_name, "0123456789")] == '\0' && read_process(entry->d_name, process))
			return true;
	return false;
}

void processes_close(struct processes *processes)
{
	if (processes)
		closedir(processes->folder);
	free(processes);
}

uint64_t processes_of_user(unsigned user)
{
	struct processes *processes = processes_open();
	struct process process;
	uint64_t tasks = 0;

	while (processes && processes_next(processes, &process))
		tasks += process.user == user ? process.threads : 0;
	processes_close(processes);
	return tasks;
}
