// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Exact words only: an option is its whole name, so that a later version may add another one beside
 * it.
 */
#include "cli/options.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "lib/base/macro.h"
#include "cli/ssh.h"
#include "lib/model/verdict.h"
#include "lib/spec/number.h"

enum { USAGE_COLUMNS = 80, CONFIRM_MIN_MS = 1000, CONFIRM_MAX_MS = 24 * 60 * 60 * 1000 };

struct option_row {
	const char *name;
	const char *value; /* what its value is called, NULL if it has none */
	const char *text; /* NULL: not shown */
};

static const struct option_row rows[] = {
	[OPTION_FILE] = { "-f", "FILE", "the fabric file" },
	[OPTION_JSON] = { "--json", NULL, "the same facts as one JSON document" },
	[OPTION_NODE] = { "--node", "NAME", "be this node of the file, whatever the host name is" },
	[OPTION_ROOT] = { "--root", "BUNDLE", "instead of this machine, a node that record wrote" },
	[OPTION_ONCE] = { "--once", NULL, "do it in this process, without losslessd; needs root" },
	[OPTION_CONFIRM] = { "--confirm", "TIME",
			     "return everything unless confirm comes in time (2m)" },
	[OPTION_WATCH] = { "--watch", NULL, "again whenever something changed, until Ctrl-C" },
	[OPTION_COUNT] = { "-n", "N", "the last N only" },
	[OPTION_HOST] = { "-H", "HOST", "ask losslessctl of that host, by ssh" },
	[OPTION_FABRIC] = { "--fabric", NULL, "every node that the file names, by ssh" },
	[OPTION_INTERVAL] = { "--interval", "TIME", "counters: between the two readings (1s)" },
	[OPTION_FINGERPRINT] = { "--fingerprint", "KEY",
				 "accept-key: the one that was compared (SHA256:...)" },
	[OPTION_LLDP] = { "--lldp", "FILE", "what lldpcli printed, instead of asking it" },
	[OPTION_SWITCH] = { "--switch", "NAME", "and this switch of the fabric file (leaf-[1-4])" },
	[OPTION_OUTPUT] = { "-o", "FILE", "write there, not to stdout; a new file" },
	[OPTION_FORCE] = { "--force", NULL, "-o: replace a file that is there" },
	[OPTION_FORMAT] = { "--format", "shell|nccl.conf|json", "for whom it is (shell)" },
	[OPTION_LISTEN] = { "--listen", NULL, "wait here for the verify of other nodes" },
	[OPTION_FROM] = { "--from", "DEV", "only from this port, of this node" },
	[OPTION_TO] = { "--to", "DEV", "to this port, of the other end" },
	[OPTION_MESSAGES] = { "--messages", "N", "of 4 KiB, on each way (1000)" },
	[OPTION_PORT] = { "--port", "N", "of RDMA-CM, where --listen is (18516)" },
	[OPTION_FAST] = { "--fast", NULL, "without the pauses for reading" },
	[OPTION_HELP] = { "--help", NULL, "show this" },
	[OPTION_STATE_DIR] = { "--state-dir", "DIR" },
	[OPTION_RUN_DIR] = { "--run-dir", "DIR" },
	[OPTION_FAULT] = { "--fault", "CALL/MATCH" },
};
static_assert(ARRAY_SIZE(rows) == OPTION_MAX, "a row for each option");

int usage_error(const struct verb *verb, const char *format, ...)
{
	va_list arguments;

	(void)fputs("losslessctl: ", stderr);
	va_start(arguments, format);
	(void)vfprintf(stderr, format, arguments);
	va_end(arguments);
	if (verb)
		(void)fprintf(stderr, ": see losslessctl %s --help\n", verb->name);
	else
		(void)fputs(": see losslessctl --help\n", stderr);
	return STATUS_USAGE;
}

const char *option_name(enum option option)
{
	return rows[option].name;
}

int options_confirm(const struct options *options, uint64_t *ret_ms)
{
	const char *text = options->value[OPTION_CONFIRM];
	struct trouble trouble;

	*ret_ms = 0;
	if (!text)
		return 0;
	if (option_given(options, OPTION_ONCE))
		return usage_error(options->verb, "--confirm needs losslessd, --once does without");
	if (!number_parse(text, CONFIRM_MIN_MS, CONFIRM_MAX_MS, time_units, ret_ms, &trouble))
		return usage_error(options->verb, "--confirm: %s", trouble.text);
	return 0;
}

static bool verb_takes(const struct verb *verb, enum option option)
{
	return option == OPTION_HELP || (verb->options & OPTION_BIT(option));
}

/*
 * Is @word this option? Its value may follow as "--name=value" or "-fvalue": then in @ret_value,
 * else NULL there.
 */
static bool option_matches(const struct option_row *row, const char *word, const char **ret_value)
{
	size_t size = strlen(row->name);

	*ret_value = NULL;
	if (strcmp(word, row->name) == 0)
		return true;
	if (!row->value || strncmp(word, row->name, size) != 0)
		return false;
	if (row->name[1] == '-' && word[size] != '=')
		return false;
	*ret_value = word + size + (row->name[1] == '-');
	return true;
}

static enum option option_find(const struct verb *verb, const char *word, const char **ret_value)
{
	enum option option = 0;

	while (option < OPTION_MAX &&
	       !(verb_takes(verb, option) && option_matches(&rows[option], word, ret_value)))
		option++;
	return option;
}

static bool is_host_name(const char *word)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	char all[sizeof(plain) + 2];

	(void)snprintf(all, sizeof(all), "%s.-", plain);
	return strspn(word, plain) > 0 && !word[strspn(word, all)] && strlen(word) <= HOST_NAME_MAX;
}

/* An option at argv[*at]; its value may be the next word. */
static int take_option(const struct verb *verb, int argc, char **argv, int *at,
		       struct options *options)
{
	const char *word = argv[*at], *value;
	enum option option = option_find(verb, word, &value);

	if (option == OPTION_MAX)
		return usage_error(verb, "%s has no option '%s'", verb->name, word);
	if (option_given(options, option))
		return usage_error(verb, "%s is given twice", rows[option].name);
	if (!rows[option].value) {
		options->value[option] = "";
		return 0;
	}
	if (!value && *at + 1 < argc)
		value = argv[++*at];
	if (!value || !*value)
		return usage_error(verb, "%s needs a value (%s)", rows[option].name,
				   rows[option].value);
	if (option == OPTION_NODE && !is_host_name(value))
		return usage_error(verb, "--node takes a host name, and '%s' is none", value);
	if (option == OPTION_HOST && !ssh_host_is_valid(value))
		return usage_error(verb, "-H takes a host or user@host, and '%s' is none", value);
	options->value[option] = value;
	return 0;
}

static int take_argument(const struct verb *verb, const char *word, struct options *options)
{
	if (!verb->argument)
		return usage_error(verb, "%s takes no argument, but here is '%s'", verb->name,
				   word);
	if (!options->argument) {
		options->argument = word;
		return 0;
	}
	if (!verb->second || options->second)
		return usage_error(verb, "%s takes %s, but here is '%s' too", verb->name,
				   verb->second ? "two arguments" : "one argument", word);
	options->second = word;
	return 0;
}

int options_parse(const struct verb *verb, int argc, char **argv, struct options *ret)
{
	struct options options = { .verb = verb };
	bool words_only = false;
	int r;

	for (int i = 0; i < argc; i++) {
		if (!words_only && strcmp(argv[i], "--") == 0) {
			words_only = true;
			continue;
		}
		if (!words_only && argv[i][0] == '-' && argv[i][1])
			r = take_option(verb, argc, argv, &i, &options);
		else
			r = take_argument(verb, argv[i], &options);
		if (r != 0)
			return r;
	}
	if (verb->argument && *verb->argument != '[' && !options.argument &&
	    !option_given(&options, OPTION_HELP))
		return usage_error(verb, "%s needs an argument (%s)", verb->name, verb->argument);
	*ret = options;
	return 0;
}

/* A word of the usage, on a line of its own where the line would get too long. */
static void write_word(const char *word, size_t *column, FILE *out)
{
	size_t size = strlen(word);

	if (*column + 1 + size > USAGE_COLUMNS) {
		(void)fputs("\n      ", out);
		*column = 6;
	}
	(void)fprintf(out, " %s", word);
	*column += 1 + size;
}

static void write_usage(const struct verb *verb, FILE *out)
{
	size_t column = (size_t)fprintf(out, "Usage: losslessctl %s", verb->name);
	char word[64];

	for (enum option i = 0; i < OPTION_MAX; i++) {

		if (!rows[i].text || i == OPTION_HELP || !verb_takes(verb, i))
			continue;
		(void)snprintf(word, sizeof(word), "[%s%s%s]", rows[i].name,
			       rows[i].value ? " " : "", rows[i].value ? rows[i].value : "");
		write_word(word, &column, out);
	}
	if (verb->argument)
		write_word(verb->argument, &column, out);
	if (verb->second) {
		(void)snprintf(word, sizeof(word), "[%s]", verb->second);
		write_word(word, &column, out);
	}
	(void)fputc('\n', out);
}

void verb_write_help(const struct verb *verb, FILE *out)
{
	char name[32];

	write_usage(verb, out);
	(void)fprintf(out, "\n%s\nOptions:\n", verb->details);
	for (enum option i = 0; i < OPTION_MAX; i++) {
		if (!rows[i].text || !verb_takes(verb, i))
			continue;
		(void)snprintf(name, sizeof(name), "%s%s%s", rows[i].name, rows[i].value ? " " : "",
			       rows[i].value ? rows[i].value : "");
		(void)fprintf(out, "  %-15s  %s\n", name, rows[i].text);
	}
}
