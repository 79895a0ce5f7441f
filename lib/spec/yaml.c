// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The only file that knows libyaml: its events become our tree. An alias is a copy of the node that
 * shares its children, so the tree stays as small as the text; what it would be expanded is counted
 * against the limits.
 */
#include "lib/spec/yaml.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/base/utf8.h"
#include "lib/spec/spec.h"
#include "lib/spec/yaml-tree.h"

enum { RECENT = 256, RECENT_BYTES = 24 };

struct anchor {
	const char *name;
	bool open; /* the node is not complete: an alias to it now would be a cycle */
	struct yaml_node node;
	size_t nodes; /* with itself, after expansion */
	unsigned int height; /* levels of lists and maps in it */
};

/* A list or map that is not complete yet. */
struct frame {
	size_t first; /* its children begin here in pending */
	size_t nodes_before;
	unsigned int height;
	struct anchor *anchor;
	struct yaml_node node;
};

struct parse {
	yaml_parser_t parser;
	struct yaml_tree *tree;
	struct diags *diags;
	struct yaml_node *pending; /* complete nodes whose list or map is not */
	size_t n_pending;
	size_t pending_room;
	struct frame frames[YAML_DEPTH_MAX];
	unsigned int depth;
	size_t nodes;
	const char
		*recent[RECENT]; /* short texts by hash: the same few keys come again and again */
	void *anchors; /* tsearch() tree of struct anchor: balanced whatever the names are */
	bool done;
};

static int anchor_compare(const void *a, const void *b)
{
	return strcmp(((const struct anchor *)a)->name, ((const struct anchor *)b)->name);
}

static void anchor_keep(void *anchor)
{
	/* lives in the arena */
}

static void parse_done(struct parse *parse)
{
	tdestroy(parse->anchors, anchor_keep);
	free(parse->pending);
	yaml_parser_delete(&parse->parser);
}

void yaml_done(struct yaml_tree *tree)
{
	arena_done(&tree->arena);
	*tree = (struct yaml_tree){};
}

/* An error that ends the reading. */
#define parse_fail(parse, where, width, ...) \
	(diag_add((parse)->diags, SEVERITY_ERROR, where, width, __VA_ARGS__), -EINVAL)

static struct position mark_position(const yaml_mark_t *mark)
{
	return (struct position){ mark->line + 1, mark->column + 1 };
}

static struct yaml_node event_node(const yaml_event_t *event, enum yaml_kind kind)
{
	const yaml_mark_t *start = &event->start_mark, *end = &event->end_mark;
	size_t width = end->line == start->line && end->column > start->column ?
			       end->column - start->column :
			       1;

	return (struct yaml_node){
		.line = start->line + 1,
		.column = start->column + 1,
		.width = MIN(width, (size_t)UINT16_MAX),
		.kind = kind,
	};
}

static int nodes_count(struct parse *parse, const yaml_event_t *event, size_t n)
{
	parse->nodes += n;
	if (parse->nodes <= YAML_NODES_MAX)
		return 0;
	return parse_fail(parse, mark_position(&event->start_mark), 1, "more than %d nodes%s",
			  YAML_NODES_MAX, n > 1 ? " when aliases are expanded" : "");
}

static int node_push(struct parse *parse, struct yaml_node node, unsigned int height)
{
	if (parse->depth == 0) {
		parse->tree->root = node;
		return 0;
	}
	if (array_grow(&parse->pending, parse->n_pending, &parse->pending_room,
		       sizeof(*parse->pending)) < 0)
		return -ENOMEM;
	parse->pending[parse->n_pending++] = node;
	parse->frames[parse->depth - 1].height =
		MAX(parse->frames[parse->depth - 1].height, height);
	return 0;
}

/* The anchor of a node that begins; a name may be used again and then stands for the later node. */
static int anchor_add(struct parse *parse, const yaml_char_t *name, struct anchor **ret)
{
	struct anchor wanted = { .name = (const char *)name }, *anchor;
	struct anchor **found;

	*ret = NULL;
	if (!name)
		return 0;
	found = tfind(&wanted, &parse->anchors, anchor_compare);
	if (found) {
		anchor = *found;
	} else {
		anchor = arena_alloc(&parse->tree->arena, sizeof(*anchor));
		if (!anchor)
			return -ENOMEM;
		anchor->name = arena_text(&parse->tree->arena, wanted.name, strlen(wanted.name));
		if (!anchor->name || !tsearch(anchor, &parse->anchors, anchor_compare))
			return -ENOMEM;
	}
	anchor->open = true;
	*ret = anchor;
	return 0;
}

static void anchor_close(struct anchor *anchor, const struct yaml_node *node, size_t nodes,
			 unsigned int height)
{
	if (!anchor)
		return;
	anchor->open = false;
	anchor->node = *node;
	anchor->nodes = nodes;
	anchor->height = height;
}

/* What escapes in double quotes can smuggle in; the rest was scanned before. */
static void text_check(struct parse *parse, const char *text, size_t size,
		       const struct yaml_node *node)
{
	uint32_t character;
	size_t length;

	for (size_t i = 0; i < size; i += length) {
		length = 1;
		if ((text[i] >= ' ' && text[i] < 0x7f) || text[i] == '\n' || text[i] == '\t')
			continue;
		length = utf8_decode(text + i, size - i, &character);
		if (length > 0 && !utf8_is_control(character))
			continue;
		diag_add(parse->diags, SEVERITY_ERROR, yaml_position(node), node->width,
			 "a control character in a text, U+%04X",
			 length ? character : (unsigned char)text[i]);
		return;
	}
}

static int tag_check(struct parse *parse, const yaml_char_t *tag, const yaml_event_t *event)
{
	if (!tag)
		return 0;
	return parse_fail(parse, mark_position(&event->start_mark), strlen((const char *)tag),
			  "tags are not understood; the key decides what a value means");
}

/* A copy of a text, or one that is there already: what stands in the slot of its hash. */
static const char *text_keep(struct parse *parse, const char *text, size_t size)
{
	const char **slot;
	unsigned int hash = 0;

	if (size > RECENT_BYTES || memchr(text, '\0', size))
		return arena_text(&parse->tree->arena, text, size);
	for (size_t i = 0; i < size; i++)
		hash = hash * 31 + (unsigned char)text[i];
	slot = &parse->recent[(hash ^ hash >> 8) % RECENT];
	if (!*slot || strncmp(*slot, text, size) != 0 || (*slot)[size])
		*slot = arena_text(&parse->tree->arena, text, size);
	return *slot;
}

static int scalar_add(struct parse *parse, const yaml_event_t *event)
{
	const char *text = (const char *)event->data.scalar.value;
	size_t size = event->data.scalar.length;
	struct yaml_node node = event_node(event, YAML_TEXT);
	struct anchor *anchor;
	int r;

	r = tag_check(parse, event->data.scalar.tag, event);
	if (r >= 0)
		r = nodes_count(parse, event, 1);
	if (r >= 0)
		r = anchor_add(parse, event->data.scalar.anchor, &anchor);
	if (r < 0)
		return r;
	if (event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
		node.flags = YAML_QUOTED;
	if (event->data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE)
		text_check(parse, text, size, &node);
	node.n = size;
	node.text = text_keep(parse, text, size);
	if (!node.text)
		return -ENOMEM;
	anchor_close(anchor, &node, 1, 0);
	return node_push(parse, node, 0);
}

static int alias_add(struct parse *parse, const yaml_event_t *event)
{
	struct anchor wanted = { .name = (const char *)event->data.alias.anchor };
	struct anchor **found = tfind(&wanted, &parse->anchors, anchor_compare);
	struct yaml_node node = event_node(event, YAML_TEXT);
	int r;

	if (!found)
		return parse_fail(parse, yaml_position(&node), node.width,
				  "alias to an anchor that is not there: '%.60s'", wanted.name);
	if ((*found)->open)
		return parse_fail(parse, yaml_position(&node), node.width,
				  "a cycle: '%.60s' contains itself", wanted.name);
	if (parse->depth + (*found)->height > YAML_DEPTH_MAX)
		return parse_fail(parse, yaml_position(&node), node.width,
				  "nested deeper than %d levels", YAML_DEPTH_MAX);
	r = nodes_count(parse, event, (*found)->nodes);
	if (r < 0)
		return r;
	return node_push(parse, (*found)->node, (*found)->height);
}

static int frame_open(struct parse *parse, const yaml_event_t *event, enum yaml_kind kind)
{
	const yaml_char_t *name = event->data.sequence_start.anchor,
			  *tag = event->data.sequence_start.tag;
	struct frame *frame = &parse->frames[parse->depth];
	struct anchor *anchor;
	int r;

	if (kind == YAML_MAP) {
		name = event->data.mapping_start.anchor;
		tag = event->data.mapping_start.tag;
	}
	r = tag_check(parse, tag, event);
	if (r < 0)
		return r;
	if (parse->depth == YAML_DEPTH_MAX)
		return parse_fail(parse, mark_position(&event->start_mark), 1,
				  "nested deeper than %d levels", YAML_DEPTH_MAX);
	r = anchor_add(parse, name, &anchor);
	if (r < 0)
		return r;
	*frame = (struct frame){
		.first = parse->n_pending,
		.nodes_before = parse->nodes,
		.anchor = anchor,
		.node = event_node(event, kind),
	};
	parse->depth++;
	return nodes_count(parse, event, 1);
}

static int frame_close(struct parse *parse)
{
	struct frame *frame = &parse->frames[--parse->depth];
	size_t n = parse->n_pending - frame->first;
	const struct yaml_node *children = n ? parse->pending + frame->first : NULL;
	struct arena *arena = &parse->tree->arena;
	int r;

	if (frame->node.kind == YAML_MAP) {
		r = yaml_map_finish(arena, children, n / 2, &frame->node, parse->diags);
		if (r < 0)
			return r;
	} else {
		frame->node.item = arena_alloc(arena, n * sizeof(*children));
		if (!frame->node.item)
			return -ENOMEM;
		frame->node.n = n;
		if (n > 0)
			memcpy(frame->node.item, children, n * sizeof(*children));
	}
	parse->n_pending = frame->first;
	anchor_close(frame->anchor, &frame->node, parse->nodes - frame->nodes_before,
		     frame->height + 1);
	return node_push(parse, frame->node, frame->height + 1);
}

static bool line_starts_with_tab(const yaml_parser_t *parser, const char *text, size_t size)
{
	size_t at = MIN(parser->problem_mark.index,
			size); /* characters: at most the bytes up to the place */
	unsigned int line = 0;

	for (at = 0; at < size && line < parser->problem_mark.line; at++)
		line += text[at] == '\n';
	while (at < size && text[at] == ' ')
		at++;
	return at < size && text[at] == '\t';
}

static int syntax_error(struct parse *parse, const char *text, size_t size)
{
	const yaml_parser_t *parser = &parse->parser;
	struct position where = mark_position(&parser->problem_mark);
	const char *problem = parser->problem ? parser->problem : "cannot be read";

	if (parser->error == YAML_MEMORY_ERROR)
		return -ENOMEM;
	if (line_starts_with_tab(parser, text, size))
		return parse_fail(parse, where, 1, "a tab in the indentation; indent with spaces");
	if (parser->context && strcmp(parser->context, "while scanning an alias") == 0)
		return parse_fail(
			parse, where, 1,
			"an alias without a name; write \"*\" in quotes if a star is meant");
	if (parser->context && parser->context_mark.line + 1 != where.line)
		return parse_fail(parse, where, 1, "not valid YAML: %s %s that begins on line %zu",
				  problem, parser->context, parser->context_mark.line + 1);
	return parse_fail(parse, where, 1, "not valid YAML: %s", problem);
}

/* One event. What follows the document is looked at once more: there must not be a second. */
static int event_handle(struct parse *parse, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		return scalar_add(parse, event);
	case YAML_ALIAS_EVENT:
		return alias_add(parse, event);
	case YAML_SEQUENCE_START_EVENT:
		return frame_open(parse, event, YAML_LIST);
	case YAML_MAPPING_START_EVENT:
		return frame_open(parse, event, YAML_MAP);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		return frame_close(parse);
	case YAML_DOCUMENT_START_EVENT:
		if (parse->nodes > 0)
			return parse_fail(parse, mark_position(&event->start_mark), 3,
					  "a second document; one file holds one");
		return 0;
	case YAML_STREAM_END_EVENT:
		parse->done = true;
		return 0;
	case YAML_NO_EVENT:
	case YAML_STREAM_START_EVENT:
	case YAML_DOCUMENT_END_EVENT:
		return 0;
	}
	return 0;
}

static int events_read(struct parse *parse, const char *text, size_t size)
{
	yaml_event_t event;
	int r;

	while (!parse->done) {
		if (!yaml_parser_parse(&parse->parser, &event))
			return syntax_error(parse, text, size);
		r = event_handle(parse, &event);
		yaml_event_delete(&event);
		if (r < 0)
			return r;
	}
	return 0;
}

static int root_check(const struct parse *parse)
{
	const struct yaml_node *root = &parse->tree->root;

	if (parse->nodes == 0 || yaml_is_null(root))
		return parse_fail(parse, ((struct position){}), 1,
				  "the file is empty: it needs at least version and fabric");
	if (root->kind != YAML_MAP)
		return parse_fail(
			parse, yaml_position(root), root->width,
			"the file has to be a map, with version, fabric and what else is wanted");
	return 0;
}

static int text_parse(const char *text, size_t size, struct yaml_tree *tree, struct diags *diags)
{
	_cleanup_(parse_done) struct parse parse = { .tree = tree, .diags = diags };
	int r;

	if (!yaml_parser_initialize(&parse.parser))
		return -ENOMEM;
	yaml_parser_set_encoding(&parse.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parse.parser, (const unsigned char *)text, size);
	r = events_read(&parse, text, size);
	if (r >= 0)
		r = root_check(&parse);
	return r;
}

int yaml_load(const char *text, size_t size, struct yaml_tree *ret, struct diags *diags)
{
	_cleanup_(yaml_done) struct yaml_tree tree = {};
	_cleanup_free_ char *copy = NULL;
	bool has_cr;
	size_t skip;
	int r;

	if (size > SPEC_SIZE_MAX) {
		diag_add(diags, SEVERITY_ERROR, (struct position){}, 1,
			 "the file has %zu bytes, more than %d MiB", size,
			 SPEC_SIZE_MAX / 1024 / 1024);
		return -EINVAL;
	}
	r = yaml_scan(text, size, &skip, &has_cr, diags);
	if (r < 0)
		return r;
	text += skip;
	size -= skip;
	if (has_cr) {
		copy = yaml_remove_cr(text, size, &size);
		if (!copy)
			return -ENOMEM;
		text = copy;
	}
	r = text_parse(text, size, &tree, diags);
	if (r < 0)
		return r;
	*ret = tree;
	tree = (struct yaml_tree){};
	return 0;
}

const struct yaml_node *yaml_find(const struct yaml_node *map, const char *key)
{
	if (!map || map->kind != YAML_MAP)
		return NULL;
	for (size_t i = 0; i < map->n; i++)
		if (yaml_key(map, i)->text[0] == key[0] && strcmp(yaml_key(map, i)->text, key) == 0)
			return yaml_value(map, i);
	return NULL;
}

bool yaml_is_null(const struct yaml_node *node)
{
	static const char *const words[] = { "", "~", "null", "Null", "NULL" };
	enum { LONGEST = 4 };

	if (node->kind != YAML_TEXT || node->n > LONGEST || node->flags & YAML_QUOTED)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strcmp(node->text, words[i]) == 0)
			return true;
	return false;
}
