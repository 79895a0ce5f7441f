// SPDX-License-Identifier: LGPL-2.1-or-later
/* Answers in JSON: the first document in what may be noise, and the places that a path leads to. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "lib/base/macro.h"
#include "lib/switch/parse.h"

enum {
	STARTS_MAX = 32, /* braces and brackets that turn out to be noise */
	SCALAR_MAX = 512,
	STEP_DEPTH_MAX = 16,
};

struct json_document {
	json_t *root;
};

struct json_document *json_document_free(struct json_document *document)
{
	if (!document)
		return NULL;
	json_decref(document->root);
	free(document);
	return NULL;
}

/* Noise like "[standalone: master]" is no JSON, so what begins there is tried and passed over. */
static json_t *find_root(const char *answer, size_t size)
{
	const size_t flags = JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES;
	size_t tried = 0;

	for (size_t i = 0; i < size && tried < STARTS_MAX; i++) {
		json_t *root;

		if (answer[i] != '{' && answer[i] != '[')
			continue;
		tried++;
		root = json_loadb(answer + i, size - i, flags, NULL);
		if (root)
			return root;
	}
	return NULL;
}

int json_document_load(const char *answer, size_t size, struct json_document **ret)
{
	struct json_document *document = calloc(1, sizeof(*document));

	if (!document)
		return -ENOMEM;
	document->root = find_root(answer, size);
	if (!document->root) {
		free(document);
		return -EBADMSG;
	}
	*ret = document;
	return 0;
}

/* ---- steps ---- */

/* The size of the step at @path; what is behind it begins with a slash. */
static size_t step_size(const char *path)
{
	return strcspn(path, "/");
}

struct walk {
	const struct json_paths *paths;
	const char *port; /* what $port stands for */
	char key[24]; /* what $key was */
	struct taker *taker;
};

/* Does the step (with $port, $key and ~1 for a slash in it) name this member? */
static bool step_matches(struct walk *walk, const char *step, size_t size, const char *name)
{
	while (size > 0) {
		size_t used = 1, n = 1;

		if (size >= 5 && walk->port && strncmp(step, "$port", 5) == 0) {
			used = 5;
			n = strlen(walk->port);
			if (strncmp(name, walk->port, n) != 0)
				return false;
		} else if (size >= 4 && strncmp(step, "$key", 4) == 0) {
			used = 4;
			n = strspn(name, "0123456789");
			if (n == 0 || n >= sizeof(walk->key))
				return false;
			(void)snprintf(walk->key, sizeof(walk->key), "%.*s", (int)n, name);
		} else if (size >= 2 && step[0] == '~' && (step[1] == '0' || step[1] == '1')) {
			used = 2;
			if (*name != (step[1] == '1' ? '/' : '~'))
				return false;
		} else if (*step != *name) {
			return false;
		}
		step += used;
		size -= used;
		name += n;
	}
	return *name == '\0';
}

/* ---- what is there ---- */

static bool put_text(char *buffer, size_t *used, const char *text, size_t size)
{
	if (size >= SCALAR_MAX - *used || memchr(text, '\0', size))
		return false;
	memcpy(buffer + *used, text, size);
	*used += size;
	return true;
}

static bool put_scalar(const json_t *node, char *buffer, size_t *used)
{
	char number[64];
	int n;

	switch (json_typeof(node)) {
	case JSON_STRING:
		return put_text(buffer, used, json_string_value(node), json_string_length(node));
	case JSON_TRUE:
		return put_text(buffer, used, "true", 4);
	case JSON_FALSE:
		return put_text(buffer, used, "false", 5);
	case JSON_INTEGER:
		n = snprintf(number, sizeof(number), "%" JSON_INTEGER_FORMAT,
			     json_integer_value(node));
		return put_text(buffer, used, number, (size_t)n);
	case JSON_REAL:
		n = snprintf(number, sizeof(number), "%.6f", json_real_value(node));
		return n < (int)sizeof(number) && put_text(buffer, used, number, (size_t)n);
	case JSON_NULL:
	case JSON_OBJECT:
	case JSON_ARRAY:
		break;
	}
	return false;
}

/* A scalar, or an array of scalars with commas between. */
static bool put_node(const json_t *node, char *buffer, size_t *used)
{
	if (!json_is_array(node))
		return put_scalar(node, buffer, used);
	for (size_t i = 0; i < json_array_size(node); i++) {
		if (i > 0 && !put_text(buffer, used, ",", 1))
			return false;
		if (!put_scalar(json_array_get(node, i), buffer, used))
			return false;
	}
	return true;
}

static json_t *child(const json_t *node, const char *name)
{
	char *end;
	unsigned long index;

	if (json_is_object(node))
		return json_object_get(node, name);
	if (!json_is_array(node) || !*name)
		return NULL;
	index = strtoul(name, &end, 10);
	return *end ? NULL : json_array_get(node, index);
}

/* What a path below @node leads to, each step by its name; NULL if nothing is there. */
static json_t *find_below(json_t *node, const char *path)
{
	char name[SCALAR_MAX];

	while (node && *path) {
		size_t size;

		path += *path == '/';
		size = step_size(path);
		if (size >= sizeof(name))
			return NULL;
		memcpy(name, path, size);
		name[size] = '\0';
		node = child(node, name);
		path += size;
	}
	return node;
}

static void take_here(struct walk *walk, json_t *node)
{
	char buffer[GROUPS_MAX][SCALAR_MAX];
	struct told told = {};

	if (walk->port)
		told.part[GROUP_PORT] = (struct pattern_text){ walk->port, strlen(walk->port) };
	if (*walk->key)
		told.part[GROUP_KEY] = (struct pattern_text){ walk->key, strlen(walk->key) };
	for (size_t i = 0; i < GROUPS_MAX; i++) {
		const char *path = walk->paths->part[i];
		json_t *part = path ? find_below(node, path) : NULL;
		size_t used = 0;

		if (!part || json_is_null(part))
			continue;
		told.bad |= !put_node(part, buffer[i], &used);
		told.part[i] = (struct pattern_text){ buffer[i], used };
	}
	taker_take(walk->taker, &told);
}

static void walk_down(struct walk *walk, json_t *node, const char *path, unsigned int depth);

/* One child: on, if the step names it. */
static void walk_child(struct walk *walk, json_t *node, const char *name, const char *path,
		       unsigned int depth)
{
	size_t size = step_size(path);
	char key[sizeof(walk->key)];

	memcpy(key, walk->key, sizeof(key));
	if ((size == 1 && *path == '*') || step_matches(walk, path, size, name))
		walk_down(walk, node, path + size, depth + 1);
	memcpy(walk->key, key, sizeof(key));
}

static void walk_down(struct walk *walk, json_t *node, const char *path, unsigned int depth)
{
	const char *name;
	json_t *value;
	char number[24];
	size_t i;

	if (!*path) {
		take_here(walk, node);
		return;
	}
	if (depth == STEP_DEPTH_MAX)
		return;
	path++;
	if (json_is_array(node)) {
		json_array_foreach(node, i, value)
		{
			(void)snprintf(number, sizeof(number), "%zu", i);
			walk_child(walk, value, number, path, depth);
		}
		return;
	}
	json_object_foreach(node, name, value) walk_child(walk, value, name, path, depth);
}

void json_document_read(const struct json_document *document, const struct json_paths *paths,
			const char *port, struct taker *taker)
{
	struct walk walk = { .paths = paths, .port = port, .taker = taker };

	walk_down(&walk, document->root, paths->at, 0);
}
