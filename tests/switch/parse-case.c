// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/switch/parse-case.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/cases.h"

enum { TARGETS_MAX = 16 };

static struct switch_target targets[TARGETS_MAX];
static size_t n_targets;

static struct switch_target *target_of(const char *port)
{
	size_t i = 0;

	while (i < n_targets && strcmp(targets[i].port, port) != 0)
		i++;
	if (i == n_targets) {
		assert_true(n_targets < TARGETS_MAX);
		targets[n_targets] = (struct switch_target){};
		(void)snprintf(targets[n_targets++].port, sizeof(targets[0].port), "%s", port);
	}
	return &targets[i];
}

static const struct switch_query *query_of(const struct switch_queries *queries, const char *text)
{
	for (size_t i = 0; i < queries->n; i++)
		if (strcmp(queries->list[i].text, text) == 0)
			return &queries->list[i];
	for (size_t i = 0; i < queries->n; i++)
		print_error("asked: %s\n", queries->list[i].text);
	fail_msg("nobody asks %s", text);
	return NULL;
}

static void check_values(const struct parse_case *c)
{
	for (size_t i = 0; i < CHANGES_MAX && c->values[i].have; i++) {
		const struct case_have *value = &c->values[i];
		const char *port = value->port ? value->port : "";
		char name[512], text[1024];

		(void)snprintf(name, sizeof(name), "%s %s %s", c->file,
			       switch_knob_table[value->knob].name, port);
		case_value_text(value->knob, &target_of(port)->have[value->knob], text,
				sizeof(text));
		case_string(name, text, value->have);
	}
}

static void run(const struct dialect *dialect, const struct parse_case *c)
{
	struct switch_queries queries = {};
	char path[256], why[512] = "", *answer;
	size_t size, n = 0;
	int r;

	n_targets = 0;
	for (size_t i = 0; i < CHANGES_MAX && c->values[i].have; i++)
		target_of(c->values[i].port ? c->values[i].port : "")
			->want[c->values[i].knob]
			.status = SWITCH_KNOWN;
	while (n < SETTINGS_MAX && c->settings[n].name)
		n++;
	r = switch_queries_build(dialect, c->settings, n, targets, n_targets, &queries, why,
				 sizeof(why));
	if (r < 0)
		fail_msg("%s: %s", c->file, why);
	(void)snprintf(path, sizeof(path), "tests/switch/transcripts/%s/%s", dialect_name(dialect),
		       c->file);
	answer = case_file(path, &size);
	r = switch_parse(dialect, c->settings, n, query_of(&queries, c->query), answer, size,
			 targets, n_targets, why, sizeof(why));
	if ((r < 0) != (c->why != NULL) || !strstr(why, c->why ? c->why : ""))
		fail_msg("%s: %d: %s", c->file, r, why);
	check_values(c);
	switch_queries_done(&queries);
	free(answer);
}

void parse_cases(const char *dialect, const struct parse_case *cases, size_t n)
{
	struct dialect *loaded = case_dialect(dialect);

	for (size_t i = 0; i < n; i++)
		run(loaded, &cases[i]);
	(void)dialect_free(loaded);
}
