// SPDX-License-Identifier: GPL-2.0-only
/* What several commands are given in the same words. */
#include <string.h>

#include "builtin.h"
#include "counters.h"
#include "sysinfo.h"
#include "units.h"

void common_cpus(const struct common *common, struct cpus *cpus)
{
	const char *list = common->cpus;
	struct cpus allowed;
	char text[200];

	cpus_allowed(&allowed);
	*cpus = allowed;
	if (!list)
		return;
	if (!cpus_parse(list, cpus) || !cpus_count(cpus))
		usage("option --cpus: '%s' is not a list of CPUs such as 0-3,8", list);
	if (!cpus_subset(cpus, &allowed))
		usage("option --cpus: '%s' is not within the CPUs that this process may use, %s", list,
			cpus_format(&allowed, text, sizeof(text)));
}

/* An event is a metric, and so is what it is for one operation. */
struct events *common_events(const char *list)
{
	const size_t room = METRIC_KEY - sizeof("/op");
	struct events *events = list ? events_parse(list) : NULL;

	for (size_t i = 0; events && i < events_count(events); i++)
		if (strlen(events_name(events, i)) > room)
			usage("option -e, --event: '%s' is longer than %zu characters", events_name(events, i), room);
	return events;
}

double common_percent(const char *option, const char *text)
{
	double percent = 0;

	if (text && !units_parse_percent(text, &percent))
		usage("option %s: '%s' is not a percentage such as 2 or 0.5", option, text);
	return percent;
}

struct sysinfo *common_facts(void)
{
	struct sysinfo *info = sysinfo_read("");

	if (info->count == ARRAY_SIZE(info->facts))
		BUG("no room for another fact");
	info->facts[info->count++] = (struct fact){ "kbench", xstrdup(KBENCH_VERSION) };
	return info;
}
