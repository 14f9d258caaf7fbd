// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writing JSON to a stream, one value after the other; commas and quotes are the writer's business. Valid whatever the
 * strings hold: bytes that are not UTF-8 come out as U+FFFD.
 */
#ifndef KBENCH_JSON_H
#define KBENCH_JSON_H

#include <stdio.h>

#include "base.h"

struct json {
	FILE *out;
	unsigned depth;
	bool comma; /* something stands before the next member */
};

void json_begin(struct json *json, FILE *out);

/* key is NULL inside an array and for the outermost value. */
void json_object(struct json *json, const char *key);
void json_object_end(struct json *json);
void json_array(struct json *json, const char *key);
void json_array_end(struct json *json);
void json_string(struct json *json, const char *key, const char *value); /* NULL: null */
/* 15 to 17 digits, as few as read back; not finite: null. */
void json_number(struct json *json, const char *key, double value);
void json_integer(struct json *json, const char *key, uint64_t value);
void json_bool(struct json *json, const char *key, bool value);

#endif
