// SPDX-License-Identifier: GPL-2.0-only
#ifndef KBENCH_CSV_H
#define KBENCH_CSV_H

#include <stdio.h>

#include "base.h"

/* One field as RFC 4180 wants it: in quotes, doubled inside, when it holds a quote, a comma, CR or LF. */
void csv_field(FILE *out, const char *text);

#endif
