/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What benchmarks share: a clock, a median, and rows of one table in Markdown. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { BENCH_RUNS_MAX = 1000 };

/* Times of one thing. */
struct series {
	double seconds[BENCH_RUNS_MAX];
	size_t n;
};

void series_add(struct series *series, double seconds);
double series_median(const struct series *series);

/* The time that a share of @quantile is not above; 1: the slowest. */
double series_quantile(const struct series *series, double quantile);

/*
 * The median of ours[i] / bare[i]: both were taken one right after the other, so that what else
 * the machine does weighs on both.
 */
double series_ratio(const struct series *ours, const struct series *bare);

/* Seconds that this process has computed; what other processes do does not count. */
double cpu_seconds(void);

/* Seconds on the wall. */
double wall_seconds(void);

/* "1.2 s", "34.5 ms", "67.8 us" */
struct duration {
	char text[32];
};
struct duration duration(double seconds);

/* End the benchmark with one line on stderr. */
_Noreturn void bench_die(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));
