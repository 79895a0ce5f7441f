// SPDX-License-Identifier: LGPL-2.1-or-later
/* What the file says of a switch, as YAML again: for another file that reaches it the same way. */
#include <string.h>

#include "lib/spec/spec-internal.h"
#include "lib/spec/switch.h"

/* In quotes what was in quotes, or has more than one line now. */
static void put_text(const struct yaml_node *node, FILE *out)
{
	if (!(node->flags & YAML_QUOTED) && *node->text && !strpbrk(node->text, "\n\t\"\\")) {
		(void)fputs(node->text, out);
		return;
	}
	(void)fputc('"', out);
	for (const char *c = node->text; *c; c++) {
		const char *escaped = *c == '\n' ? "\\n" : *c == '\t' ? "\\t" : NULL;

		if (escaped)
			(void)fputs(escaped, out);
		else
			(void)fprintf(out, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
	}
	(void)fputc('"', out);
}

/* Behind "key:" or "-", to the end of its lines. The depth was limited when it was read. */
static void put_node(const struct yaml_node *node, int indent, FILE *out)
{
	if (node->kind == YAML_TEXT) {
		(void)fputc(' ', out);
		put_text(node, out);
		(void)fputc('\n', out);
		return;
	}
	(void)fputs(node->n ? "\n" : node->kind == YAML_MAP ? " {}\n" : " []\n", out);
	for (size_t i = 0; i < node->n; i++) {
		(void)fprintf(out, "%*s", indent, "");
		if (node->kind == YAML_MAP)
			put_text(yaml_key(node, i), out);
		(void)fputc(node->kind == YAML_MAP ? ':' : '-', out);
		put_node(node->kind == YAML_MAP ? yaml_value(node, i) : &node->item[i], indent + 2,
			 out);
	}
}

void spec_switch_write(const struct spec *spec, size_t index, enum switch_part part, int indent,
		       FILE *out)
{
	const struct yaml_node *map = yaml_value(yaml_find(&spec->tree.root, "switches"), index);

	for (size_t i = 0; i < map->n; i++) {
		const struct yaml_node *key = yaml_key(map, i);
		const struct key_info *info = key_find(SECTION_SWITCH, key->text);
		bool ports = strcmp(key->text, "ports") == 0;

		if (!info || info->key != KEY_NONE || ports != (part == SWITCH_PORTS))
			continue;
		(void)fprintf(out, "%*s%s:", indent, "", key->text);
		put_node(yaml_value(map, i), indent + 2, out);
	}
}
