// SPDX-License-Identifier: LGPL-2.1-or-later
/* What all documents are made of. */
#include "lib/report/json.h"

#include "lib/base/cleanup.h"
#include "lib/report/width.h"

json_t *json_text(const char *text)
{
	_cleanup_free_ char *clean = NULL;

	if (!text || !*text)
		return json_null();
	clean = text_printable(text);
	return clean ? json_string(clean) : NULL;
}

void json_add(json_t *list, json_t *value, bool *oom)
{
	if (json_array_append_new(list, value) < 0)
		*oom = true;
}

json_t *position_json(struct position where)
{
	if (!where.line)
		return json_null();
	return json_pack("{s:i, s:i}", "line", (int)where.line, "column", (int)where.column);
}

static json_t *diag_json(const struct diag *diag)
{
	return json_pack("{s:s, s:o, s:o}", "severity",
			 diag->severity == SEVERITY_ERROR ? "error" : "warning", "where",
			 position_json(diag->where), "message", json_text(diag->message));
}

json_t *diagnostics_json(const struct diags *diags, bool *oom)
{
	json_t *list = json_array();

	for (size_t i = 0; diags && i < diags->n; i++)
		json_add(list, diag_json(&diags->list[i]), oom);
	return list;
}

void json_finish(json_t *document, bool oom, FILE *out)
{
	if (!document || oom || json_dumpf(document, out, JSON_INDENT(2)) < 0)
		(void)fprintf(out, "{\"schema\": %d, \"exit\": %d, \"trouble\": \"out of memory\"}",
			      REPORT_SCHEMA, STATUS_FAILED);
	(void)fputc('\n', out);
}
