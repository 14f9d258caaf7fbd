// SPDX-License-Identifier: GPL-2.0-only
#include "death.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgroup.h"

const char *death_text(char text[DEATH_TEXT], int signal_number)
{
	const char *name = strsignal(signal_number);
	char *file = NULL;
	uint64_t kills = signal_number == SIGKILL ? cgroup_oom_kills("", &file) : 0;

	if (signal_number != SIGKILL || (file && !kills))
		snprintf(text, DEATH_TEXT, "signal %d (%s)", signal_number, name);
	else if (file)
		snprintf(text, DEATH_TEXT, "signal %d (%s; out of memory? %s counts %llu oom_kill)", signal_number,
			name, file, (unsigned long long)kills);
	else
		snprintf(text, DEATH_TEXT, "signal %d (%s; out of memory? see dmesg)", signal_number, name);
	free(file);
	return text;
}
