// SPDX-License-Identifier: LGPL-2.1-or-later
/* The only file besides writer-json*.c that knows jansson. */
#include "lib/report/json.h"

#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/report/report.h"
#include "lib/report/utf8.h"

json_t *json_text(const char *text)
{
	_cleanup_free_ char *clean = NULL;

	if (!text || !*text)
		return json_null();
	clean = strdup(text);
	if (!clean)
		return NULL;
	utf8_clean(clean);
	return json_string(clean);
}

void json_finish(json_t *document, bool oom, FILE *out)
{
	if (!document || oom || json_dumpf(document, out, JSON_INDENT(2)) < 0)
		(void)fprintf(out, "{\"schema\": %d, \"exit\": %d, \"trouble\": \"out of memory\"}", REPORT_SCHEMA,
			      STATUS_FAILED);
	(void)fputc('\n', out);
}
