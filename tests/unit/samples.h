// SPDX-License-Identifier: GPL-2.0-only
/* Pairs of sets, and what other programs say of them. */
#ifndef KBENCH_TEST_SAMPLES_H
#define KBENCH_TEST_SAMPLES_H

#include "base.h"

struct sample {
	size_t n;
	double values[20];
};

static const struct sample d1 = { 15,
	{ 27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4 } };
static const struct sample d2 = { 15,
	{ 27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4 } };
static const struct sample d3 = { 10, { 17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7, 21.8 } };
static const struct sample d4 = { 20, { 21.5, 22.8, 21.0, 23.0, 21.6, 23.6, 22.5, 20.7, 23.4, 21.8, 20.7, 21.7, 21.5,
					      22.5, 23.6, 21.5, 22.5, 23.5, 21.5, 21.8 } };
static const struct sample d7 = { 6, { 30.02, 29.99, 30.11, 29.97, 30.01, 29.99 } };
static const struct sample d8 = { 6, { 29.89, 29.93, 29.72, 29.98, 30.02, 29.98 } };
static const struct sample x = { 4, { 3.0, 4.0, 1.0, 2.1 } };
static const struct sample y = { 3, { 490.2, 340.0, 433.9 } };
static const struct sample sleep1 = { 10, { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 } };
static const struct sample sleep2 = { 10, { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 } };
static const struct sample a5 = { 5, { 36.9, 36.5, 37.1, 36.8, 36.6 } };
static const struct sample b5 = { 5, { 33.9, 33.5, 34.1, 33.8, 33.6 } };
static const struct sample e3 = { 3, { 10.1, 10.4, 9.9 } };
static const struct sample f8 = { 8, { 10.9, 11.2, 10.6, 11.0, 10.8, 11.4, 10.7, 11.1 } };
static const struct sample g5 = { 5, { 10.0, 10.1, 9.9, 10.0, 10.2 } };
static const struct sample h5 = { 5, { 10.3, 10.4, 10.3, 10.5, 15.0 } };

#endif
