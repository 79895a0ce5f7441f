// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The `ports` maps: host lists of equal length pair up, every end is named once. Of each end only a
 * hash is kept: all differ in a good file. Where two are equal, the maps are walked once more for
 * the names themselves, so that a whole fabric costs n log n whatever its names are.
 */
#include "lib/spec/cables.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/spec/hostlist.h"

enum end_kind { END_BAD, END_NODE, END_SWITCH };

enum { NETDEV_MAX = 15 }; /* IFNAMSIZ - 1 */

static int text_compare(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static int end_compare(const void *left, const void *right)
{
	const struct cable_end *a = left, *b = right;
	int order = a->hash < b->hash ? -1 : a->hash > b->hash;

	if (order == 0)
		order = strcmp(a->name, b->name);
	if (order == 0 && a->where->line != b->where->line)
		order = a->where->line < b->where->line ? -1 : 1;
	if (order == 0)
		order = a->where->column < b->where->column ? -1 :
							      a->where->column > b->where->column;
	return order;
}

int cables_begin(struct cables *cables)
{
	size_t n = cables->switches->n;

	cables->switch_names = calloc(MAX(n, (size_t)1), sizeof(*cables->switch_names));
	if (!cables->switch_names)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		cables->switch_names[i] = yaml_key(cables->switches, i)->text;
	cables->n_switch_names = n;
	qsort(cables->switch_names, n, sizeof(*cables->switch_names), text_compare);
	return 0;
}

void cables_done(struct cables *cables)
{
	arena_done(&cables->arena);
	free(cables->ends);
	free(cables->hashes);
	free(cables->switch_names);
}

static bool is_switch(const struct cables *cables, const char *name)
{
	/* Nodes are called otherwise, as a rule */
	if (!cables->n_switch_names || strcmp(name, cables->switch_names[0]) < 0 ||
	    strcmp(name, cables->switch_names[cables->n_switch_names - 1]) > 0)
		return false;
	return bsearch(&name, cables->switch_names, cables->n_switch_names,
		       sizeof(*cables->switch_names), text_compare) != NULL;
}

/* People cable their nodes in order: the one behind the last one is tried first. */
static bool node_find(struct cables *cables, const char *lower)
{
	const struct spec *spec = cables->spec;
	const struct node_name *found;

	if (cables->next_node < spec->n_names &&
	    strcmp(spec->names[cables->next_node].name, lower) == 0) {
		cables->next_node++;
		return true;
	}
	found = spec_find_node(spec, lower);
	if (found)
		cables->next_node = (size_t)(found - spec->names) + 1;
	return found != NULL;
}

bool cables_is_node(struct cables *cables, const char *name)
{
	char lower[HOSTLIST_NAME_BYTES];
	size_t size = strlen(name);

	if (cables->spec->all_nodes)
		return true;
	if (size >= sizeof(lower))
		return false;
	for (size_t i = 0; i <= size; i++)
		lower[i] = (char)tolower((unsigned char)name[i]);
	return node_find(cables, lower);
}

/* DEVICE/PORT: a switch of this file, else a node; what cannot be a network device is the port of a
 * foreign switch. */
static enum end_kind end_check(struct cables *cables, const struct yaml_node *where,
			       const char *text)
{
	char device[HOSTLIST_NAME_BYTES];
	const char *slash = strchr(text, '/');
	struct trouble trouble;

	if (!slash || slash == text || !slash[1] || (size_t)(slash - text) >= sizeof(device)) {
		reader_error(cables->reader, where, "ports: '%s' is not NODE/DEVICE or SWITCH/PORT",
			     shown(text).text);
		return END_BAD;
	}
	memcpy(device, text, slash - text);
	device[slash - text] = '\0';
	if (!name_check(NAME_HOST, device, &trouble)) {
		reader_error(cables->reader, where, "ports: %s", trouble.text);
		return END_BAD;
	}
	if (is_switch(cables, device) || strlen(slash + 1) > NETDEV_MAX ||
	    strpbrk(slash + 1, "/ ")) {
		if (name_check(NAME_SWITCH_PORT, slash + 1, &trouble))
			return END_SWITCH;
		reader_error(cables->reader, where, "ports: %s", trouble.text);
		return END_BAD;
	}
	if (!cables_is_node(cables, device)) {
		reader_error(cables->reader, where,
			     "ports: %s is neither a node nor a switch of this file",
			     shown(device).text);
		return END_BAD;
	}
	if (name_check(NAME_NETDEV, slash + 1, &trouble))
		return END_NODE;
	reader_error(cables->reader, where, "ports: %s", trouble.text);
	return END_BAD;
}

/* The first @fold bytes count in lower case. */
static uint64_t end_hash(const char *name, size_t fold)
{
	uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */

	for (size_t i = 0; name[i]; i++) {
		unsigned char c = (unsigned char)name[i];

		if (i < fold && c >= 'A' && c <= 'Z')
			c |= 'a' - 'A';
		hash = (hash ^ c) * UINT64_C(1099511628211);
	}
	return hash;
}

static int end_add(struct cables *cables, const struct yaml_node *where, const char *name,
		   size_t fold)
{
	uint64_t hash = end_hash(name, fold);
	char *copy;

	if (!cables->by_name) {
		if (array_grow(&cables->hashes, cables->n, &cables->room, sizeof(*cables->hashes)) <
		    0)
			return -ENOMEM;
		cables->hashes[cables->n++] = hash;
		return 0;
	}
	if (array_grow(&cables->ends, cables->n, &cables->room, sizeof(*cables->ends)) < 0)
		return -ENOMEM;
	copy = arena_text(&cables->arena, name, strlen(name));
	if (!copy)
		return -ENOMEM;
	for (char *c = copy; *c && (size_t)(c - copy) < fold; c++)
		*c = (char)tolower((unsigned char)*c);
	cables->ends[cables->n++] = (struct cable_end){ copy, hash, where };
	return 0;
}

/* The ports of a switch and their other ends, one pair. */
static int pair_add(struct cables *cables, const char *name, const struct yaml_node *key,
		    const struct yaml_node *value, const char *port, const char *end,
		    bool *any_node)
{
	char own[2 * HOSTLIST_NAME_BYTES];
	struct trouble trouble;
	enum end_kind kind;
	size_t size = strlen(name);
	int r;

	if (!name_check(NAME_SWITCH_PORT, port, &trouble)) {
		reader_error(cables->reader, key, "ports: %s", trouble.text);
		return 0;
	}
	memcpy(own, name, size); /* both were checked: at most 253 and 64 bytes */
	own[size] = '/';
	memcpy(own + size + 1, port, strlen(port) + 1);
	r = end_add(cables, key, own, 0);
	if (r < 0)
		return r;
	kind = end_check(cables, value, end);
	*any_node |= kind != END_SWITCH; /* a bad end says enough: not that an owner is missing */
	if (kind == END_BAD)
		return 0;
	return end_add(cables, value, end, kind == END_NODE ? strcspn(end, "/") : 0);
}

static int lists_add(struct cables *cables, const char *name, const struct yaml_node *key,
		     const struct yaml_node *value, bool *any_node)
{
	_cleanup_(arena_done) struct arena arena = {};
	_cleanup_(hostlist_done) struct hostlist ports = {}, ends = {};
	const struct yaml_node *at = key;
	struct trouble trouble;
	int r;

	r = hostlist_expand(key->text, false, &arena, &ports, &trouble);
	if (r >= 0) {
		at = value;
		r = hostlist_expand(value->text, false, &arena, &ends, &trouble);
	}
	if (r == -EINVAL) {
		*any_node = true; /* as above */
		reader_error(cables->reader, at, "ports: %s", trouble.text);
		return 0;
	}
	if (r >= 0 && ports.n != ends.n) {
		*any_node = true;
		reader_error(cables->reader, value,
			     "ports: lists of different length: '%s' has %zu, '%s' has %zu",
			     shown(key->text).text, ports.n, shown(value->text).text, ends.n);
		return 0;
	}
	cables->expanded += ports.n;
	if (cables->expanded + cables->spec->expanded > SPEC_NAMES_MAX) {
		reader_error(cables->reader, key, "more than %d names in all host lists",
			     SPEC_NAMES_MAX);
		return 0;
	}
	for (size_t i = 0; i < ports.n && r >= 0; i++)
		r = pair_add(cables, name, key, value, ports.list[i], ends.list[i], any_node);
	return r;
}

int cables_add(struct cables *cables, const char *name, const struct yaml_node *ports,
	       bool *ret_any_node)
{
	int r = 0;

	*ret_any_node = false;
	if (!ports || ports->kind != YAML_MAP)
		return 0;
	for (size_t i = 0; i < ports->n && r >= 0; i++) {
		const struct yaml_node *key = yaml_key(ports, i), *value = yaml_value(ports, i);

		if (!reader_expects_value(cables->reader, key, value) ||
		    !reader_expects_name(cables->reader, key, value, NAME_LINE))
			continue;
		if (hostlist_is_list(key->text) || hostlist_is_list(value->text))
			r = lists_add(cables, name, key, value, ret_any_node);
		else
			r = pair_add(cables, name, key, value, key->text, value->text,
				     ret_any_node);
	}
	return r;
}

enum { DIGIT_BITS = 11, DIGIT_VALUES = 1 << DIGIT_BITS, HASH_BITS = 64 };

/* Distribute by the digit at bit @shift, keeping the order of what has the same one. */
static void hashes_pass(const uint64_t *from, uint64_t *to, size_t n, unsigned int shift)
{
	size_t start[DIGIT_VALUES + 1] = {};

	for (size_t i = 0; i < n; i++)
		start[(from[i] >> shift) % DIGIT_VALUES + 1]++;
	for (size_t i = 0; i < DIGIT_VALUES; i++)
		start[i + 1] += start[i];
	for (size_t i = 0; i < n; i++)
		to[start[(from[i] >> shift) % DIGIT_VALUES]++] = from[i];
}

static int hash_compare(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* By the two highest digits, then the few that share them: n log n whatever the hashes are. */
static int hashes_sort(uint64_t *hashes, size_t n)
{
	enum { LOW = HASH_BITS - 2 * DIGIT_BITS };
	_cleanup_free_ uint64_t *spare = reallocarray(NULL, n, sizeof(*spare));
	size_t end;

	if (!spare)
		return -ENOMEM;
	hashes_pass(hashes, spare, n, LOW);
	hashes_pass(spare, hashes, n, LOW + DIGIT_BITS);
	for (size_t first = 0; first < n; first = end) {
		for (end = first + 1; end < n && hashes[end] >> LOW == hashes[first] >> LOW; end++)
			;
		if (end - first > 1)
			qsort(hashes + first, end - first, sizeof(*hashes), hash_compare);
	}
	return 0;
}

/* 1 if two ends may be the same, 0 if not, -ENOMEM. */
static int hashes_repeat(struct cables *cables)
{
	int r;

	if (cables->n < 2)
		return 0;
	r = hashes_sort(cables->hashes, cables->n);
	for (size_t i = 1; i < cables->n && r == 0; i++)
		r = cables->hashes[i] == cables->hashes[i - 1];
	return r;
}

/* Once more, for the names; what else is wrong was said the first time. */
static int ends_collect(struct cables *cables)
{
	struct reader silent = {}, *reader = cables->reader;
	const struct yaml_node *switches = cables->switches;
	bool any_node;
	int r = 0;

	cables->by_name = true;
	cables->n = cables->room = cables->expanded = 0;
	cables->reader = &silent;
	for (size_t i = 0; i < switches->n && r >= 0; i++)
		r = cables_add(cables, yaml_key(switches, i)->text,
			       yaml_find(yaml_value(switches, i), "ports"), &any_node);
	cables->reader = reader;
	return r;
}

static void ends_check(struct cables *cables)
{
	size_t first = 0;

	if (cables->n > 0)
		qsort(cables->ends, cables->n, sizeof(*cables->ends), end_compare);
	for (size_t i = 1; i < cables->n; i++) {
		const struct cable_end *end = &cables->ends[i];

		if (end->hash == cables->ends[first].hash &&
		    strcmp(end->name, cables->ends[first].name) == 0)
			reader_error(cables->reader, end->where,
				     "%s is named twice, first on line %u", shown(end->name).text,
				     cables->ends[first].where->line);
		else
			first = i;
	}
}

int cables_check(struct cables *cables)
{
	int r = hashes_repeat(cables);

	if (r > 0)
		r = ends_collect(cables);
	if (r >= 0 && cables->by_name)
		ends_check(cables);
	return r;
}
