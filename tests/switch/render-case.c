// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/switch/render-case.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/cases.h"

static struct switch_value value_of(enum switch_knob knob, const char *text,
				    enum switch_status otherwise)
{
	if (text)
		return case_value(knob, text);
	return (struct switch_value){ .status = otherwise };
}

static char *script_text(const struct switch_script *script)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	for (size_t i = 0; i < script->n; i++) {
		const struct switch_line *line = &script->list[i];

		case_equal(line->text, line->mode != NULL, line->leave || line->mode);
		if (line->mode)
			(void)fputs(line->leave ? "< " : "> ", out);
		(void)fprintf(out, "%s\n", line->text);
	}
	(void)fclose(out);
	return text;
}

static size_t settings_of(const struct render_case *c)
{
	size_t n = 0;

	while (n < SETTINGS_MAX && c->settings[n].name)
		n++;
	return n;
}

void render_case(const struct dialect *dialect, const struct render_case *c)
{
	static struct switch_value values[CHANGES_MAX][2];
	struct switch_change changes[CHANGES_MAX];
	struct switch_script script = {};
	char why[512] = "", *text;
	size_t n = 0;
	int r;

	for (; n < CHANGES_MAX && (c->changes[n].from || c->changes[n].to); n++) {
		const struct case_change *change = &c->changes[n];

		values[n][0] = value_of(change->knob, change->from, SWITCH_UNREADABLE);
		values[n][1] = value_of(change->knob, change->to, SWITCH_UNMANAGED);
		changes[n] = (struct switch_change){ change->knob, change->port ? change->port : "",
						     &values[n][0], &values[n][1] };
	}
	r = switch_render(dialect, c->settings, settings_of(c), changes, n, &script, why,
			  sizeof(why));
	if (c->why) {
		case_true(c->name, r < 0);
		if (!strstr(why, c->why))
			fail_msg("%s: said: %s", c->name, why);
		return;
	}
	if (r < 0)
		fail_msg("%s: refused: %s", c->name, why);
	text = script_text(&script);
	case_string(c->name, text, c->lines);
	free(text);
	switch_script_done(&script);
}

void render_cases(const char *dialect, const struct render_case *cases, size_t n)
{
	struct dialect *loaded = case_dialect(dialect);

	for (size_t i = 0; i < n; i++)
		render_case(loaded, &cases[i]);
	(void)dialect_free(loaded);
}

void render_verb_case(const char *dialect, enum transaction_verb verb, unsigned int seconds,
		      const char *lines)
{
	struct dialect *loaded = case_dialect(dialect);
	struct switch_script script = {};
	char why[512] = "", *text;

	case_equal(dialect, dialect_has_verb(loaded, verb), *lines != '\0');
	case_equal(dialect,
		   switch_render_verb(loaded, NULL, 0, verb, seconds, &script, why, sizeof(why)),
		   0);
	text = script_text(&script);
	case_string(dialect, text, lines);
	free(text);
	switch_script_done(&script);
	(void)dialect_free(loaded);
}
