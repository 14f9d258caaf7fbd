// SPDX-License-Identifier: GPL-2.0-only
/* Two sets of runs held against each other: which test, what it says, and the word for it. */
#ifndef KBENCH_COMPARE_H
#define KBENCH_COMPARE_H

#include "result.h"
#include "stats.h"

enum compare_word {
	COMPARE_NONE,  /* no difference found */
	COMPARE_BELOW, /* found, and smaller than the threshold */
	COMPARE_IMPROVED,
	COMPARE_REGRESSED,
	COMPARE_CHANGED,     /* found, in a metric of which neither more nor less is better */
	COMPARE_CANNOT_TELL, /* too few runs, or too noisy for the threshold */
};

enum compare_test {
	COMPARE_SIGNED_RANK,  /* pairs: Wilcoxon */
	COMPARE_MANN_WHITNEY, /* at least 4 runs a side */
	COMPARE_WELCH,        /* fewer: weak */
};

struct comparison {
	/* set by compare_sets */
	struct stats base, new;
	enum better better;
	enum compare_test test; /* the one that gives p */
	bool exact;
	double change; /* percent of the base mean, raw sign; NAN for a base of 0 */
	double low,
		high; /* 95 % interval of the change: of the ratio, by Welch on logarithms or, for pairs, by Hodges-Lehmann */
	double p;       /* NAN: there are too few runs */
	double sign;    /* of the change that the test has found: above 0 where the new set has more */
	double least_p; /* the smallest that so many runs can give */
	double welch_t, welch_p;
	double deviation; /* of a run (for pairs: of a pair's ratio), of logarithms; NAN where a value is not positive */
	bool outliers;    /* of COMPARE_MANN_WHITNEY: some run of either set is beyond Tukey's fences */
	/* set by compare_judge and compare_words */
	size_t tests;    /* in the table, that have a p: what Holm counts; 0: this one has none */
	double adjusted; /* p by Holm */
	size_t rivals;   /* of them, those that its p would be held against were it least_p */
	enum compare_word word;
	/* set by compare_judge */
	double least; /* the smallest change in percent that is found in 4 of 5 cases; NAN: not known, or none is */
	size_t enough; /* not 0: so few runs never reach 0.05 in a table of so many rows, only so many a side, or pairs, do */
	double threshold; /* as compare_judge was given it */
};

/* Pairs: base[i] and new[i] were made beside each other in random order, and n == m. */
void compare_sets(struct comparison *comparison, const double *base, size_t n, const double *new, size_t m, bool pairs,
	enum better better);

/* Judges all comparisons of one table; threshold in percent, 0: none. */
void compare_judge(struct comparison *const *comparisons, size_t count, double threshold);

/* Only the words and the adjusted p, which is much faster. */
void compare_words(struct comparison *const *comparisons, size_t count, double threshold);

/*
 * Of COMPARE_NONE and COMPARE_CANNOT_TELL: how many runs a side, or pairs, find a change of the threshold, or without one of
 * 1 %; 0: not known. It takes a millisecond.
 */
size_t compare_needed(const struct comparison *comparison);

const char *compare_word_text(enum compare_word word);
/* A p for a table, made in text where it is not a constant. */
#define COMPARE_P_TEXT 32
const char *compare_p_text(char text[COMPARE_P_TEXT], double p);

const char *compare_test_text(const struct comparison *comparison);

/* Welch's p, made as much larger as p was by Holm. */
double compare_welch_adjusted(const struct comparison *comparison);

/* Whether the verdict and Welch's t, adjusted as much, disagree at 5 %, and what that means; NULL where they do not. */
const char *compare_disagreement(const struct comparison *comparison);

#endif
