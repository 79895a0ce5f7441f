// SPDX-License-Identifier: LGPL-2.1-or-later
/* What to ask a switch, so that everything that is wanted of it can be compared. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/switch/dialect-internal.h"
#include "lib/switch/render.h"

void switch_queries_done(struct switch_queries *queries)
{
	free(queries->list);
	arena_done(&queries->texts);
	*queries = (struct switch_queries){};
}

struct build {
	const struct dialect *dialect;
	const char *vars[VARS_MAX];
	struct switch_queries queries;
	char *why;
	size_t size;
};

static void build_done(struct build *build)
{
	switch_queries_done(&build->queries);
}

/* The same line about the same port is asked once. Those of one port stand at the end, together. */
static struct switch_query *query_find(struct switch_queries *queries, const char *text,
				       const char *port)
{
	for (size_t i = queries->n; i > 0; i--) {
		struct switch_query *query = &queries->list[i - 1];

		if (strcmp(query->port, port) == 0 && strcmp(query->text, text) == 0)
			return query;
	}
	return NULL;
}

static int query_add(struct build *build, const char *text, const char *port, enum switch_knob knob)
{
	struct switch_queries *queries = &build->queries;
	struct switch_query *query = query_find(queries, text, port);
	int r;

	if (query) {
		query->knobs |= 1U << knob;
		return 0;
	}
	r = array_grow(&queries->list, queries->n, &queries->room, sizeof(*queries->list));
	if (r < 0)
		return r;
	query = &queries->list[queries->n];
	*query = (struct switch_query){
		.text = arena_text(&queries->texts, text, strlen(text)),
		.port = arena_text(&queries->texts, port, strlen(port)),
		.knobs = 1U << knob,
	};
	if (!query->text || !query->port)
		return -ENOMEM;
	queries->n++;
	return 0;
}

static int ask(struct build *build, const struct switch_target *target, enum switch_knob knob)
{
	const struct variant *variant = dialect_variant(build->dialect, knob, build->vars);
	struct template_values values = { .port = target->port, .vars = build->vars };
	char line[LINE_BYTES_MAX];
	bool is_port = *target->port;
	int r;

	if (!variant || variant->unsupported || (variant->scope == SCOPE_PORT) != is_port)
		return 0;
	r = is_port ? dialect_check_port(build->dialect, target->port, build->why, build->size) : 0;
	if (r < 0)
		return r;
	r = template_expand(&variant->read.send, &values, line, build->why, build->size);
	if (r < 0)
		return r;
	return query_add(build, line, variant->read.send.uses & USES_PORT ? target->port : "",
			 knob);
}

int switch_queries_build(const struct dialect *dialect, const struct dialect_setting *settings,
			 size_t n, const struct switch_target *targets, size_t n_targets,
			 struct switch_queries *ret, char *ret_why, size_t size)
{
	_cleanup_(build_done) struct build build = {
		.dialect = dialect,
		.why = ret_why,
		.size = size,
	};
	int r;

	r = dialect_vars(dialect, settings, n, build.vars, ret_why, size);
	for (size_t i = 0; i < n_targets && r == 0; i++)
		for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX && r == 0; knob++)
			if (targets[i].want[knob].status == SWITCH_KNOWN)
				r = ask(&build, &targets[i], knob);
	if (r < 0)
		return r;
	*ret = build.queries;
	build.queries = (struct switch_queries){};
	return 0;
}
