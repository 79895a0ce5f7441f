// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The file as a person would write it: what all ports share stands once, at the top; what differs
 * stands with the ports that it is about; what was not taken stands in comments. Pure.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/utf8.h"
#include "lib/node/import-private.h"

enum { COLUMNS = 80 };

/* ---- who says it ---- */

/* How many ports have just @text. */
static size_t count(const struct import *import, enum import_key key, const char *text)
{
	size_t n = 0;

	for (size_t i = 0; i < import->n_ports; i++)
		n += import_status(&import->ports[i], key) == IMPORT_GIVEN &&
		     strcmp(import->ports[i].text[key], text) == 0;
	return n;
}

/*
 * What is to be said of all ports: what all have; where each has one and most have the same, that,
 * unless it cannot be replaced below. NULL: nothing.
 */
static const char *shared(const struct import *import, enum import_key key)
{
	const char *most = NULL;
	size_t n = 0, best = 0;

	for (size_t i = 0; i < import->n_ports; i++) {
		const struct import_port *port = &import->ports[i];
		size_t same;

		if (import_status(port, key) == IMPORT_NONE)
			return NULL;
		if (import_status(port, key) == IMPORT_ANY)
			continue;
		n++;
		same = count(import, key, port->text[key]);
		if (same > best) {
			best = same;
			most = port->text[key];
		}
	}
	return best == n || (!import_rows[key].merges && 2 * best > n) ? most : NULL;
}

void import_place(struct import *import)
{
	for (enum import_key key = 0; key < IMPORT_KEY_MAX; key++)
		import->top[key] = shared(import, key);
}

/* What is written for @port, or (NULL) at the top; NULL: nothing. */
static const char *text_here(const struct import *import, const struct import_port *port,
			     enum import_key key)
{
	const char *top = import->top[key];

	if (!port)
		return top;
	if (import_status(port, key) != IMPORT_GIVEN || (top && strcmp(top, port->text[key]) == 0))
		return NULL;
	return port->text[key];
}

/* v2 goes without saying where something else of roce is said. */
static bool goes_without_saying(const struct import *import, const struct import_port *port,
				enum import_key key)
{
	static const enum import_key others[] = { IMPORT_TRAFFIC_CLASS, IMPORT_CNP };
	const char *text = text_here(import, port, key);

	if (key != IMPORT_MODE || !text || strcmp(text, "v2") != 0)
		return false;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (import->top[others[i]] || text_here(import, port, others[i]))
			return true;
	return false;
}

static bool writes(const struct import *import, const struct import_port *port,
		   enum import_key key)
{
	return text_here(import, port, key) && !goes_without_saying(import, port, key);
}

static bool writes_any(const struct import *import, const struct import_port *port)
{
	for (enum import_key key = 0; key < IMPORT_KEY_MAX; key++)
		if (writes(import, port, key))
			return true;
	return false;
}

/* ---- YAML ---- */

void import_put(FILE *out, int indent, const char *key, const char *text)
{
	size_t column = (size_t)fprintf(out, "%*s%s:", indent, "", key);

	for (const char *at = text, *next; *at; at = next) {
		size_t size = strcspn(at, ",");

		size += at[size] == ',';
		next = at + size;
		next += strspn(next, " ");
		if (column + 1 + size > COLUMNS && at != text) {
			(void)fprintf(out, "\n%*s", indent + 3, "");
			column = (size_t)indent + 3;
		}
		(void)fprintf(out, " %.*s", (int)size, at);
		column += 1 + size;
	}
	(void)fputc('\n', out);
}

static void put_settings(const struct import *import, const struct import_port *port, int indent,
			 FILE *out)
{
	const char *section = NULL;

	for (enum import_key key = 0; key < IMPORT_KEY_MAX; key++) {
		const struct import_row *row = &import_rows[key];

		if (!writes(import, port, key))
			continue;
		if (row->section && (!section || strcmp(section, row->section) != 0))
			(void)fprintf(out, "%*s%s:\n", indent, "", row->section);
		section = row->section;
		import_put(out, indent + (section ? 2 : 0), row->key, text_here(import, port, key));
	}
}

static bool same_settings(const struct import *import, const struct import_port *a,
			  const struct import_port *b)
{
	for (enum import_key key = 0; key < IMPORT_KEY_MAX; key++) {
		const char *left = text_here(import, a, key), *right = text_here(import, b, key);

		if (!left != !right || (left && strcmp(left, right) != 0))
			return false;
	}
	return true;
}

/* A key a line. */
static void put_selector(FILE *out, const char *selector)
{
	const char *next = strstr(selector, ", ");

	if (next)
		(void)fprintf(out, "%.*s\n        %s\n", (int)(next - selector), selector,
			      next + 2);
	else
		(void)fprintf(out, "%s\n", selector);
}

/* Behind "      - " */
static void put_list(FILE *out, const char *names)
{
	enum { BEFORE = 14 };
	size_t column = BEFORE;

	(void)fputs("name: [", out);
	for (const char *at = names, *next; *at; at = next) {
		size_t size = strcspn(at, " ");

		next = at + size + strspn(at + size, " ");
		if (column + size + 1 > COLUMNS && at != names) {
			(void)fprintf(out, "\n%*s", BEFORE + 1, "");
			column = BEFORE + 1;
		}
		(void)fprintf(out, "%s%.*s", at == names ? "" : " ", (int)size, at);
		column += 1 + size;
	}
	(void)fputs("]\n", out);
}

/* The names of @port and of the others that have the same, in one item. */
static bool put_item(const struct import *import, size_t first, bool *done, FILE *out)
{
	const struct import_port *port = &import->ports[first];
	const char *separator = "";
	_cleanup_free_ char *names = NULL;
	size_t size = 0, n = 0;
	FILE *list = open_memstream(&names, &size);

	for (size_t i = first; list && i < import->n_ports; i++) {
		const struct import_port *other = &import->ports[i];

		if (done[i] || (i > first && (!port->plain || !other->plain ||
					      !same_settings(import, port, other))))
			continue;
		done[i] = true;
		(void)fprintf(list, "%s%s", separator, strchr(other->selector, ' ') + 1);
		separator = ", ";
		n++;
	}
	if (!list || fclose(list) != 0)
		return false;
	(void)fputs("      - ", out);
	if (n > 1)
		put_list(out, names);
	else
		put_selector(out, port->selector);
	put_settings(import, port, 8, out);
	return true;
}

/* Other nodes of the file are there for their cables, and not managed by it. */
static bool is_alone(const struct import *import)
{
	return !import_other_node(import, 0);
}

static bool put_items(const struct import *import, FILE *out)
{
	_cleanup_free_ bool *done = calloc(import->n_ports + 1, sizeof(*done));
	bool whole = done;

	(void)fputs("    nics:\n", out);
	for (size_t i = 0; whole && i < import->n_ports; i++)
		if (!done[i])
			whole = put_item(import, i, done, out);
	return whole;
}

static bool put_nodes(const struct import *import, FILE *out)
{
	bool items = !import->all && import->n_ports, own = !is_alone(import) &&
							    writes_any(import, NULL);
	const char *other;
	char name[256 + 2];
	bool whole = true;

	for (size_t i = 0; i < import->n_ports; i++)
		items |= writes_any(import, &import->ports[i]);
	import_quote(import->node, name, sizeof(name));
	(void)fprintf(out, "nodes:\n  %s:%s\n", name, items || own ? "" : " {}");
	if (own)
		put_settings(import, NULL, 4, out);
	if (items)
		whole = put_items(import, out);
	for (size_t i = 0; (other = import_other_node(import, i)); i++) {
		import_quote(other, name, sizeof(name));
		(void)fprintf(out, "  %s: {}\n", name);
	}
	return whole;
}

static void put_switches(const struct import *import, FILE *out)
{
	if (import->n_switches)
		(void)fputs("switches:\n", out);
	for (size_t i = 0; i < import->n_switches; i++)
		import_switch_write(import, &import->switches[i], out);
}

/* ---- comments ---- */

/* What comes from outside must neither end the comment nor make the file one that is refused. */
static void put_words(FILE *out, const char *text, size_t *column)
{
	while (*text) {
		size_t size = strcspn(text, " "), used;
		char shown[UTF8_ESCAPED_MAX];

		if (*column + 1 + size > COLUMNS && *column > 4) {
			(void)fprintf(out, "\n#    ");
			*column = 5;
		}
		(void)fputc(' ', out);
		for (const char *end = text + size; text < end; text += used) {
			used = utf8_escape(text, (size_t)(end - text), shown);
			(void)fputs(shown, out);
		}
		*column += 1 + size;
		text += strspn(text, " ");
	}
}

static void put_note(FILE *out, const struct import_note *note)
{
	size_t column = (size_t)fprintf(out, "#  ");
	char text[3 * IMPORT_NOTE_MAX + 8];

	(void)snprintf(text, sizeof(text), "%s: %s: %s", note->who, note->what, note->why);
	put_words(out, text, &column);
	(void)fputc('\n', out);
}

static void put_cables(const struct import *import, FILE *out)
{
	const struct lldp_neighbors *neighbors = import->neighbors;
	bool any = false;

	for (size_t i = 0; neighbors && i < neighbors->n; i++) {
		const struct lldp_neighbor *neighbor = &neighbors->list[i];
		char text[3 * LLDP_TEXT_MAX];
		size_t column = 3;

		for (size_t j = 0; j < import->n_ports; j++) {
			if (strcmp(import->ports[j].nic->name, neighbor->device) != 0)
				continue;
			(void)fputs(any ? "" : "#\n# Cables as LLDP tells them:\n", out);
			any = true;
			(void)fputs("#  ", out);
			(void)snprintf(text, sizeof(text), "%s: %s, port %s", neighbor->device,
				       *neighbor->chassis ? neighbor->chassis :
							    neighbor->chassis_id,
				       neighbor->port);
			put_words(out, text, &column);
			(void)fputc('\n', out);
			break;
		}
	}
}

int import_write(const struct import *import, FILE *out)
{
	(void)fprintf(out, "# What losslessctl import found on %s. A plan with it is empty.\n",
		      import->node);
	if (import->notes.n)
		(void)fputs("#\n# Not taken, and so left as it is:\n", out);
	for (size_t i = 0; i < import->notes.n; i++)
		put_note(out, &import->notes.list[i]);
	put_cables(import, out);
	(void)fprintf(out, "version: 1\nfabric: %s%s\n", import->fabric ?: "imported",
		      import->fabric ? "" : "    # choose a name");
	if (is_alone(import))
		put_settings(import, NULL, 0, out);
	if (!put_nodes(import, out))
		return -ENOMEM;
	put_switches(import, out);
	return 0;
}
