// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Makes fabric.yaml.5.scd of the text that people wrote (stdin): what the tables of the fabric
 * file, of knobs and of drivers know is taken from there. Runs at build time.
 *
 *	@SECTION KEY@	the key and what may stand there; each key of key_table once
 *	@knobs@		all rows of knob_table
 *	@names@		which characters names may have
 *
 * Fails if the text has a key that the file has not, lacks one that it has, or has one twice.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/model/driver.h"
#include "lib/report/facts.h"
#include "lib/spec/key.h"

static const char *const sections[] = {
	[SECTION_TOP] = "top",	     [SECTION_ROCE] = "roce",	      [SECTION_CNP] = "cnp",
	[SECTION_QOS] = "qos",	     [SECTION_WATCHDOG] = "watchdog", [SECTION_ECN] = "ecn",
	[SECTION_NIC] = "nic",	     [SECTION_EXCEPT] = "except",     [SECTION_NODE] = "node",
	[SECTION_SWITCH] = "switch", [SECTION_ANSWER] = "answer",     [SECTION_POLICY] = "policy",
};
static_assert(ARRAY_SIZE(sections) == SECTION_MAX, "a word for each");

/* @text so that scdoc changes nothing in it. */
static void put(const char *text)
{
	for (; *text; text++) {
		if (strchr("\\*_`~<>[]#|", *text))
			(void)putchar('\\');
		(void)putchar(*text);
	}
}

static void put_line(const char *what, const char *text)
{
	if (!text || !*text)
		return;
	printf("++\n_%s_: ", what);
	put(text);
}

/* ---- keys ---- */

static void put_words(const char *const *words, const char *between)
{
	for (size_t i = 0; words[i]; i++) {
		(void)fputs(i ? between : "", stdout);
		put(words[i]);
	}
}

static void put_number(const struct key_info *key)
{
	put(range_shown(key_min(key), key_max(key), key->units).text);
	for (const struct unit *unit = key->units; unit && unit->name; unit++)
		printf("%s%s", unit == key->units ? ", with a unit: " : ", ", unit->name);
}

static void put_value(const struct key_info *key)
{
	switch (key->kind) {
	case KIND_INTEGER:
	case KIND_QUANTITY:
		put_number(key);
		return;
	case KIND_WORD:
		put_words(key_words(key), " | ");
		return;
	case KIND_WORDS:
		(void)fputs("list of ", stdout);
		put_words(key_words(key), ", ");
		return;
	case KIND_BOOLEAN:
		(void)fputs("true | false", stdout);
		return;
	case KIND_PRIORITIES:
		(void)fputs("list of priorities 0..7, may be empty", stdout);
		return;
	case KIND_SOME_PRIORITIES:
		(void)fputs("list of priorities 0..7", stdout);
		return;
	case KIND_NAME:
		put(name_what(key->names));
		return;
	case KIND_NAMES:
		printf("list: ");
		put(name_what(key->names));
		return;
	case KIND_PATTERNS:
		put(name_what(key->names));
		printf(" or pattern, or a list of these");
		return;
	case KIND_DSCP_MAP:
		(void)fputs("map of DSCP 0..63 to priority 0..7", stdout);
		return;
	case KIND_SCHEDULER:
		(void)fputs("map of priority 0..7 to 1%..100% or strict", stdout);
		return;
	case KIND_RATES:
		(void)fputs("map of priority 0..7 to a rate (Mbit/s, Gbit/s) or unlimited", stdout);
		return;
	case KIND_CURVES:
		(void)fputs("map, or a list of maps", stdout);
		return;
	case KIND_LIST:
		(void)fputs("list", stdout);
		return;
	case KIND_MAP:
	case KIND_SECTION:
		(void)fputs("map", stdout);
		return;
	}
}

static const struct key_info *key_of(const char *section, const char *name)
{
	for (enum section i = 0; i < SECTION_MAX; i++)
		if (strcmp(sections[i], section) == 0)
			return key_find(i, name);
	return NULL;
}

static bool put_key(const char *section, const char *name, bool *seen)
{
	const struct key_info *key = key_of(section, name);

	if (!key) {
		(void)fprintf(stderr, "page: the fabric file has no key %s %s\n", section, name);
		return false;
	}
	if (seen[key - key_table]) {
		(void)fprintf(stderr, "page: %s %s stands there twice\n", section, name);
		return false;
	}
	seen[key - key_table] = true;
	printf("*");
	put(name);
	printf("*: ");
	put_value(key);
	return true;
}

static bool keys_complete(const bool *seen)
{
	bool ok = true;

	for (size_t i = 0; i < key_table_size; i++) {
		if (seen[i])
			continue;
		(void)fprintf(stderr, "page: lacks the key %s %s\n", sections[key_table[i].section],
			      key_table[i].name);
		ok = false;
	}
	return ok;
}

/* ---- knobs ---- */

/* What to do instead, whatever the driver is, and for those that have advice of their own. */
static void put_instead(enum knob knob)
{
	const struct driver_info *driver;
	char what[64];

	put_line("instead", knob_table[knob].instead);
	for (size_t i = 0; (driver = driver_at(i)); i++) {
		(void)snprintf(what, sizeof(what), "instead, %s", driver->name);
		put_line(what, driver->instead[knob]);
	}
}

static void put_knob(enum knob knob)
{
	const struct knob_info *info = &knob_table[knob];
	char range[FACT_TEXT_MAX];

	knob_range_format(info, range, sizeof(range));
	printf("*%s*, of %s\n\t", info->name,
	       info->target == TARGET_PORT ? "a port" : "an RDMA device");
	put(info->why);
	put_line("values", range);
	put_line("from", info->spec);
	put_line("kernel", info->kernel);
	put_line("drivers", info->drivers);
	if (object_table[info->object].read_only)
		put_line("here", "read and reported, never written");
	put_instead(knob);
	if (info->required)
		put_line("required", "a port that cannot do it is refused before the first write");
	printf("\n\n");
}

/* Where DCB is not written at all. */
static void put_drivers(void)
{
	const struct driver_info *driver;

	for (size_t i = 0; (driver = driver_at(i)); i++) {
		/* A virtual device has none to be compared */
		if (!driver->dcb_instead || !*driver->name)
			continue;
		printf("DCB of %s is compared and not written: ", driver->name);
		put(driver->dcb_instead);
		printf(".\n");
	}
}

/* ---- names ---- */

static void put_names(void)
{
	for (enum name name = 0; name < NAME_MAX; name++) {
		printf("_%s_\n\t", name_what(name));
		put(name_set(name));
		printf("; at most %zu characters\n\n", name_max(name));
	}
}

/* ---- the text ---- */

static bool put_mark(char *mark, bool *seen)
{
	char *key = strchr(mark, ' ');

	if (strcmp(mark, "knobs") == 0) {
		for (enum knob knob = 0; knob < KNOB_MAX; knob++)
			put_knob(knob);
		put_drivers();
		return true;
	}
	if (strcmp(mark, "names") == 0) {
		put_names();
		return true;
	}
	if (!key) {
		(void)fprintf(stderr, "page: @%s@ means nothing\n", mark);
		return false;
	}
	*key = '\0';
	return put_key(mark, key + 1, seen);
}

int main(void)
{
	bool *seen = calloc(key_table_size, sizeof(*seen));
	bool ok = seen != NULL;
	char line[1024];

	while (ok && fgets(line, sizeof(line), stdin)) {
		char *mark = line + strspn(line, "\t");

		if (*mark != '@') {
			(void)fputs(line, stdout);
			continue;
		}
		printf("%.*s", (int)(mark - line), line);
		mark[strcspn(mark, "\n")] = '\0';
		mark[strcspn(mark + 1, "@") + 1] = '\0';
		ok = put_mark(mark + 1, seen);
		(void)putchar('\n');
	}
	ok = ok && keys_complete(seen) && fflush(stdout) == 0;
	free(seen);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
