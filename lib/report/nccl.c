// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * `nccl-env`. A file of NCCL has no quotes, and a comment only where the line begins with it
 * (src/misc/param.cc of NCCL), so that values are of a closed set of characters, in all formats.
 */
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/report/json.h"
#include "lib/report/width.h"

enum { COMMENT_WIDTH = 80 };

/* A comment of as many lines as it takes. */
static void write_comment(const char *text, FILE *out)
{
	_cleanup_free_ char *clean = text_printable(text);
	const char *rest = clean ?: "";

	while (*rest) {
		size_t size = strlen(rest), limit = COMMENT_WIDTH - strlen("# ");

		if (size > limit) {
			size = limit;
			while (size > 0 && rest[size] != ' ')
				size--;
			size = size ?: strcspn(rest, " ");
		}
		(void)fprintf(out, "# %.*s\n", (int)size, rest);
		rest += size;
		rest += strspn(rest, " ");
	}
}

static void write_lines(const struct nccl_env *env, enum nccl_format format, const char *node,
			FILE *out)
{
	printable_put(out, "# NCCL on %s, by losslessctl nccl-env --format ", node);
	(void)fprintf(out, "%s\n", format == NCCL_SHELL ? "shell" : "nccl.conf");
	for (size_t i = 0; i < env->n; i++) {
		const struct nccl_setting *setting = &env->list[i];

		(void)fputc('\n', out);
		write_comment(setting->why, out);
		if (format == NCCL_SHELL)
			(void)fprintf(out, "export %s='%s'\n", setting->name, setting->value);
		else
			(void)fprintf(out, "%s=%s\n", setting->name, setting->value);
	}
}

static void write_document(const struct nccl_env *env, const char *node, const struct diags *diags,
			   enum exit_status exit, FILE *out)
{
	json_auto_t *document = NULL;
	json_t *settings = json_array(), *notes = json_array();
	bool oom = false;

	for (size_t i = 0; i < env->n; i++)
		json_add(settings,
			 json_pack("{s:s, s:o, s:o}", "name", env->list[i].name, "value",
				   json_text(env->list[i].value), "because",
				   json_text(env->list[i].why)),
			 &oom);
	for (size_t i = 0; i < env->n_notes; i++)
		json_add(notes,
			 json_pack("{s:b, s:o}", "trouble", env->notes[i].trouble, "text",
				   json_text(env->notes[i].text)),
			 &oom);
	document = json_pack("{s:i, s:s, s:o, s:i, s:o, s:o, s:o}", "schema", REPORT_SCHEMA,
			     "report", "nccl-env", "node", json_text(node), "exit", exit,
			     "diagnostics", diagnostics_json(diags, &oom), "settings", settings,
			     "notes", notes);
	json_finish(document, oom, out);
}

void nccl_env_write(const struct nccl_env *env, enum nccl_format format, const char *node,
		    const struct diags *diags, enum exit_status exit, FILE *out)
{
	switch (format) {
	case NCCL_SHELL:
	case NCCL_CONF:
		write_lines(env, format, node, out);
		return;
	case NCCL_JSON:
		write_document(env, node, diags, exit, out);
		return;
	case NCCL_FORMAT_MAX:
		return;
	}
}
