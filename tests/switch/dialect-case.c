// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/switch/dialect-case.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/cases.h"

char *case_file(const char *path, size_t *ret_size)
{
	char name[512], *text = NULL;
	FILE *file, *copy;
	int c;

	(void)snprintf(name, sizeof(name), "%s%s%s", *path == '/' ? "" : SOURCE_DIR,
		       *path == '/' ? "" : "/", path);
	file = fopen(name, "r");
	copy = open_memstream(&text, ret_size);
	if (!file || !copy)
		fail_msg("cannot open %s", name);
	while ((c = fgetc(file)) != EOF)
		(void)fputc(c, copy);
	(void)fclose(file);
	(void)fclose(copy);
	return text;
}

struct dialect *case_dialect(const char *name)
{
	struct dialect *dialect = NULL;
	struct diags diags = {};
	const char *folder = getenv("CASE_DIALECTS");
	char path[256], *text;
	size_t size;

	if (folder)
		(void)snprintf(path, sizeof(path), "%s/%s.yaml", folder, name);
	else
		(void)snprintf(path, sizeof(path), "config/dialects/%s.yaml", name);
	text = case_file(path, &size);
	if (dialect_load(text, size, &dialect, &diags) < 0 || diags.n > 0) {
		diags_write(&diags, stderr, path, text, size);
		fail_msg("%s does not load", path);
	}
	diags_done(&diags);
	free(text);
	return dialect;
}

struct switch_value case_value(enum switch_knob knob, const char *text)
{
	const struct switch_knob_info *info = &switch_knob_table[knob];
	struct switch_value value = { .status = SWITCH_KNOWN };
	char *end;

	while (*text) {
		struct switch_entry entry = { 0, { SWITCH_ABSENT, SWITCH_ABSENT, SWITCH_ABSENT } };

		if (info->shape != SHAPE_SINGLE) {
			entry.key = (uint32_t)strtoul(text, &end, 10);
			text = end + (*end == ':');
		}
		for (size_t i = 0; i < info->n_fields; i++) {
			if (*text != '_')
				entry.field[i] = strtoull(text, &end, 10);
			text = *text == '_' ? text + 1 : end;
			text += *text == '/';
		}
		text += *text == ' ' || *text == ',';
		assert_int_equal(switch_value_add(&value, &entry), 0);
	}
	return value;
}

void case_value_text(enum switch_knob knob, const struct switch_value *value, char *ret,
		     size_t size)
{
	const struct switch_knob_info *info = &switch_knob_table[knob];
	FILE *out = fmemopen(ret, size, "w");

	assert_non_null(out);
	if (value->status != SWITCH_KNOWN)
		(void)fputs(value->status == SWITCH_UNREADABLE ? "?" : "-", out);
	for (size_t i = 0; i < value->n; i++) {
		const struct switch_entry *entry = &value->entry[i];

		(void)fputs(i > 0 ? " " : "", out);
		if (info->shape != SHAPE_SINGLE)
			(void)fprintf(out, "%" PRIu32 "%s", entry->key, info->n_fields ? ":" : "");
		for (size_t k = 0; k < info->n_fields; k++) {
			(void)fputs(k > 0 ? "/" : "", out);
			if (entry->field[k] == SWITCH_ABSENT)
				(void)fputs("_", out);
			else
				(void)fprintf(out, "%" PRIu64, entry->field[k]);
		}
	}
	(void)fprintf(out, "%s%c", value->not_operational ? "!" : "", '\0');
	(void)fclose(out);
}
