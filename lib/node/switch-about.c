// SPDX-License-Identifier: LGPL-2.1-or-later
/* What the file wants of a switch, by what its dialect can do. */
#include "lib/node/switch-about.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/switch/dialect-file.h"

/* The dialect that was read last: switches of one kind stand together, as a rule. */
struct reading {
	const struct spec *spec;
	const char *node;
	const char *folders;
	char name[64];
	struct dialect *dialect;
	char trouble[FINDING_TEXT_MAX];
};

static const char *verified_name(enum verified verified)
{
	static const char *const names[] = {
		[VERIFIED_FALSE] = "false",
		[VERIFIED_FIELD] = "field",
		[VERIFIED_VENDOR] = "vendor",
	};

	return names[verified];
}

static int read_dialect(struct reading *reading, const char *name)
{
	int r;

	if (strcmp(reading->name, name) == 0)
		return 0;
	reading->dialect = dialect_free(reading->dialect);
	*reading->trouble = '\0';
	(void)snprintf(reading->name, sizeof(reading->name), "%s", name);
	r = dialect_read(reading->folders, name, &reading->dialect, reading->trouble,
			 sizeof(reading->trouble));
	return r == -ENOMEM ? r : 0;
}

/* The vars of the switch, as the dialect takes them. Returns 0, -EINVAL with trouble, -ENOMEM. */
static int make_settings(const struct dialect *dialect, const struct switch_wish *wish,
			 struct dialect_setting **ret, struct switch_about *about)
{
	struct dialect_setting *settings = calloc(wish->n_vars + 1, sizeof(*settings));
	int r = settings ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < wish->n_vars; i++) {
		settings[i] = (struct dialect_setting){ wish->vars[i].name, wish->vars[i].value };
		r = dialect_check_var(dialect, settings[i].name, settings[i].value, about->trouble,
				      sizeof(about->trouble));
	}
	if (r < 0) {
		free(settings);
		return r;
	}
	*ret = settings;
	return 0;
}

static bool is_wanted(const struct switch_wish *wish, enum switch_knob knob)
{
	for (size_t i = 0; i < wish->n_targets; i++)
		if (wish->targets[i].want[knob].status == SWITCH_KNOWN)
			return true;
	return false;
}

static int add_effects(const struct dialect *dialect, const struct switch_wish *wish,
		       struct switch_about *about)
{
	_cleanup_free_ struct dialect_setting *settings = NULL;
	int r = make_settings(dialect, wish, &settings, about);

	if (r < 0)
		return r == -EINVAL ? 0 : r;
	for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++) {
		struct switch_effect effect = { .knob = knob };
		enum switch_scope scope;
		const char *why;

		if (!is_wanted(wish, knob) ||
		    !dialect_has(dialect, settings, wish->n_vars, knob, &scope, &why))
			continue;
		effect.whole = scope == SCOPE_SWITCH;
		effect.verified = verified_name(
			dialect_knob_verified(dialect, settings, wish->n_vars, knob));
		effect.in_force = dialect_proves_operation(dialect, settings, wish->n_vars, knob);
		(void)snprintf(effect.impact, sizeof(effect.impact), "%s",
			       dialect_impact(dialect, settings, wish->n_vars, knob));
		if (array_grow(&about->effects, about->n, &about->room, sizeof(effect)) < 0)
			return -ENOMEM;
		about->effects[about->n++] = effect;
	}
	return 0;
}

static void describe(const struct reading *reading, size_t index, const struct switch_wish *wish,
		     struct switch_about *about)
{
	spec_switch_owner(reading->spec, index, about->owner, sizeof(about->owner));
	about->mine = spec_node_is(reading->spec, about->owner, reading->node);
	(void)snprintf(about->dialect, sizeof(about->dialect), "%s", wish->dialect);
	(void)snprintf(about->address, sizeof(about->address), "%s", wish->address);
	about->ssh_port = wish->port;
	about->manage = wish->manage;
	about->n_ports = wish->n_targets - 1; /* the first is the switch itself */
}

static int fill(struct reading *reading, size_t index, struct switch_about *about)
{
	_cleanup_(switch_wish_done) struct switch_wish wish = {};
	_cleanup_(diags_done) struct diags diags = {};
	int r;

	r = spec_switch_resolve(reading->spec, about->name, &wish, &diags);
	if (r == -EINVAL) {
		(void)snprintf(about->trouble, sizeof(about->trouble), "line %u: %s",
			       diags.list[0].where.line, diags.list[0].message);
		return 0;
	}
	if (r < 0)
		return r;
	describe(reading, index, &wish, about);
	r = read_dialect(reading, about->dialect);
	if (r < 0)
		return r;
	memcpy(about->trouble, reading->trouble, sizeof(about->trouble));
	if (!reading->dialect)
		return 0;
	about->verified = verified_name(dialect_verified(reading->dialect));
	return add_effects(reading->dialect, &wish, about);
}

int switches_about(const struct spec *spec, const char *node, const char *folders,
		   struct switch_abouts *ret)
{
	struct reading reading = { .spec = spec, .node = node, .folders = folders };
	struct switch_abouts abouts = {};
	int r = 0;

	for (size_t i = 0; r == 0 && i < spec_switch_count(spec); i++) {
		struct switch_about *about;

		r = array_grow(&abouts.list, abouts.n, &abouts.room, sizeof(*abouts.list));
		if (r < 0)
			break;
		about = &abouts.list[abouts.n++];
		*about = (struct switch_about){ .verified = "" };
		(void)snprintf(about->name, sizeof(about->name), "%s", spec_switch_name(spec, i));
		r = fill(&reading, i, about);
	}
	reading.dialect = dialect_free(reading.dialect);
	if (r < 0)
		switch_abouts_done(&abouts);
	else
		*ret = abouts;
	return r;
}
