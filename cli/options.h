/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The verbs and their options as two tables: parsing, usage and --help read the same rows. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum option {
	OPTION_FILE,
	OPTION_JSON,
	OPTION_NODE,
	OPTION_ROOT,
	OPTION_ONCE,
	OPTION_CONFIRM,
	OPTION_WATCH,
	OPTION_COUNT,
	OPTION_HOST,
	OPTION_FABRIC,
	OPTION_FAST,
	OPTION_FINGERPRINT,
	OPTION_INTERVAL,
	OPTION_LLDP,
	OPTION_FORMAT,
	OPTION_SWITCH,
	OPTION_OUTPUT,
	OPTION_FORCE,
	OPTION_LISTEN,
	OPTION_FROM,
	OPTION_TO,
	OPTION_MESSAGES,
	OPTION_PORT,
	OPTION_HELP,
	/* For tests: not in any --help. */
	OPTION_STATE_DIR,
	OPTION_RUN_DIR,
	OPTION_FAULT,
	OPTION_MAX,
};

#define OPTION_BIT(option) (UINT32_C(1) << (option))

/* What stands on the command line behind the verb. */
struct options {
	const struct verb *verb;
	const char *value[OPTION_MAX]; /* NULL: not given; an option without a value has "" */
	const char *argument; /* NULL: none */
	const char *second; /* NULL: none */
};

struct verb {
	const char *name;
	const char *argument; /* as in the usage, in brackets if optional; NULL: takes none */
	const char *second; /* one more that need not be there, NULL if it takes none */
	uint32_t options; /* OPTION_BIT of each, besides --help */
	const char *summary; /* its line in `losslessctl --help` */
	const char *details; /* what `--help` says below the usage */
	/* Returns an exit status. */
	int (*run)(const struct options *options);
};

/* Parse what follows the verb. Returns 0, or STATUS_USAGE after one line on stderr. */
int options_parse(const struct verb *verb, int argc, char **argv, struct options *ret);

/* "--json" */
const char *option_name(enum option option);

/* What --confirm says, 0 without it. Returns 0 or STATUS_USAGE after one line. */
int options_confirm(const struct options *options, uint64_t *ret_ms);

static inline bool option_given(const struct options *options, enum option option)
{
	return options->value[option] != NULL;
}

/* Usage, details and options of one verb; at most 80 columns. */
void verb_write_help(const struct verb *verb, FILE *out);

/*
 * One line that says what is wrong with the command line, and where help is. Returns STATUS_USAGE.
 */
int usage_error(const struct verb *verb, const char *format, ...)
	__attribute__((__format__(__printf__, 2, 3)));
