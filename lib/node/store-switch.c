// SPDX-License-Identifier: LGPL-2.1-or-later
/* The record of switches. */
#include "lib/node/store-switch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/node/store-file.h"
#include "lib/node/store-history.h"
#include "lib/node/store-private.h"

enum { RECORDS_SIZE_MAX = 16 * 1024 * 1024 };

static void file_name(uint64_t generation, char name[32])
{
	(void)snprintf(name, 32, "switches.%" PRIu64, generation);
}

/* The part of a line that says what it is of: up to its third tab. */
static size_t key_length(const char *line)
{
	size_t n = 0;

	for (int tabs = 0; line[n] && line[n] != '\n'; n++)
		if (line[n] == '\t' && ++tabs == 3)
			break;
	return n;
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return *line ? line + 1 : line;
}

static bool has_key(const char *records, const char *key, size_t length)
{
	for (const char *line = records; *line; line = next_line(line))
		if (key_length(line) == length && memcmp(line, key, length) == 0)
			return true;
	return false;
}

/* Lines of @record with the name before them, those that are not there yet. */
static void add_lines(const char *records, const char *name, const char *record, FILE *out)
{
	for (const char *line = record; *line; line = next_line(line)) {
		_cleanup_free_ char *whole = NULL;

		if (asprintf(&whole, "%s\t%.*s\n", name, (int)strcspn(line, "\n"), line) < 0)
			return;
		if (!has_key(records, whole, key_length(whole)))
			(void)fputs(whole, out);
	}
}

int store_switch_records(const struct store *store, char **ret)
{
	size_t size;
	char name[32];

	if (store->dir < 0)
		return -ENOENT;
	file_name(store->generation, name);
	return store_file_read(store->dir, name, RECORDS_SIZE_MAX, ret, &size);
}

int store_switch_add(struct store *store, const char *name, const char *record)
{
	_cleanup_free_ char *records = NULL, *text = NULL;
	size_t size;
	char file[32];
	FILE *out;
	int r;

	r = store_switch_records(store, &records);
	if (r < 0 && r != -ENOENT)
		return r;
	out = open_memstream(&text, &size);
	if (!out)
		return -ENOMEM;
	(void)fputs(records ?: "", out);
	add_lines(records ?: "", name, record, out);
	if (fclose(out) != 0)
		return -ENOMEM;
	file_name(store->generation, file);
	return store_file_replace(store->dir, file, text, size);
}

void store_switch_history(struct store *store, const struct switch_state *before,
			  const struct switch_state *after, const char *cause)
{
	_cleanup_free_ char *text = NULL;
	size_t size;

	if (history_format_switch(before, after, store->generation, cause, time(NULL), &text,
				  &size) == 0)
		(void)store_file_append(store->dir, "history", text, size);
}

void store_switches_history(struct store *store, const struct switch_states *before,
			    const struct switch_states *after, const char *cause)
{
	for (size_t i = 0; i < before->n && i < after->n; i++)
		store_switch_history(store, &before->list[i], &after->list[i], cause);
}

int store_switch_record(const char *records, const char *name, char **ret)
{
	size_t size, length = strlen(name);
	FILE *out = open_memstream(ret, &size);

	if (!out)
		return -ENOMEM;
	for (const char *line = records; *line; line = next_line(line))
		if (strncmp(line, name, length) == 0 && line[length] == '\t')
			(void)fprintf(out, "%.*s\n", (int)strcspn(line + length + 1, "\n"),
				      line + length + 1);
	return fclose(out) == 0 ? 0 : -ENOMEM;
}

void store_switch_move(const struct store *store, uint64_t from, uint64_t to)
{
	char old[32], new[32];

	file_name(from, old);
	file_name(to, new);
	if (to)
		(void)renameat(store->dir, old, store->dir, new);
	else
		(void)unlinkat(store->dir, old, 0);
}

void store_switch_returned(struct store *store)
{
	store_switch_move(store, store->generation, 0);
}

void store_switch_left(const struct store *store, uint64_t from, uint64_t to)
{
	char name[32];

	file_name(to, name);
	/* What was before the generation before goes further back: it is kept */
	store_switch_move(store, from, faccessat(store->dir, name, F_OK, 0) == 0 ? 0 : to);
}
