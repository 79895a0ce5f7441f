// SPDX-License-Identifier: LGPL-2.1-or-later
/* Clocks, medians and words of all benchmarks. */
#include "tests/bench/bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void series_add(struct series *series, double seconds)
{
	if (series->n == BENCH_RUNS_MAX)
		bench_die("more than %d runs", BENCH_RUNS_MAX);
	series->seconds[series->n++] = seconds;
}

static int compare(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static void sort(const struct series *series, double sorted[BENCH_RUNS_MAX])
{
	if (series->n == 0)
		bench_die("nothing was measured");
	memcpy(sorted, series->seconds, series->n * sizeof(sorted[0]));
	qsort(sorted, series->n, sizeof(sorted[0]), compare);
}

double series_median(const struct series *series)
{
	double sorted[BENCH_RUNS_MAX];

	sort(series, sorted);
	return (sorted[(series->n - 1) / 2] + sorted[series->n / 2]) / 2;
}

double series_quantile(const struct series *series, double quantile)
{
	double sorted[BENCH_RUNS_MAX];

	sort(series, sorted);
	return sorted[(size_t)(quantile * (double)(series->n - 1) + 0.5)];
}

double series_ratio(const struct series *ours, const struct series *bare)
{
	struct series ratios = {};

	for (size_t i = 0; i < ours->n && i < bare->n; i++)
		series_add(&ratios, ours->seconds[i] / bare->seconds[i]);
	return series_median(&ratios);
}

static double seconds(clockid_t clock)
{
	struct timespec now;

	if (clock_gettime(clock, &now) < 0)
		bench_die("no clock");
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double cpu_seconds(void)
{
	return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

double wall_seconds(void)
{
	return seconds(CLOCK_MONOTONIC);
}

struct duration duration(double value)
{
	struct duration ret;

	if (value >= 1)
		(void)snprintf(ret.text, sizeof(ret.text), "%.2f s", value);
	else if (value >= 1e-3)
		(void)snprintf(ret.text, sizeof(ret.text), "%.1f ms", value * 1e3);
	else
		(void)snprintf(ret.text, sizeof(ret.text), "%.1f us", value * 1e6);
	return ret;
}

void bench_die(const char *format, ...)
{
	va_list args;

	(void)fputs("bench: ", stderr);
	va_start(args, format);
	(void)vfprintf(stderr, format, args);
	va_end(args);
	(void)fputc('\n', stderr);
	exit(EXIT_FAILURE);
}
