// SPDX-License-Identifier: LGPL-2.1-or-later
/* show: what was found on the node, and what the file means for it. */
#include <errno.h>
#include <string.h>

#include "cli/session.h"
#include "cli/verbs.h"
#include "lib/base/macro.h"
#include "lib/nic/nic.h"

static int show_nics(struct session *session, const struct options *options)
{
	_cleanup_(inventory_done) struct inventory inventory = {};
	int r;

	if (option_given(options, OPTION_FILE) || option_given(options, OPTION_NODE))
		return usage_error(options->verb, "show nics takes no fabric file and no node");
	r = nic_inventory(session->os, &inventory);
	if (r == -EXDEV)
		return session_trouble(session, STATUS_FAILED,
				       "sysfs and netlink show different network namespaces: run "
				       "in the namespace that "
				       "/sys was mounted in, or mount sysfs anew");
	if (r < 0)
		return session_trouble(session, STATUS_FAILED, "cannot list network devices: %s",
				       strerror(-r));
	if (session->json)
		inventory_write_json(&inventory, session->out);
	else
		inventory_write_text(&inventory, &session->style, session->out);
	return STATUS_OK;
}

static int show_spec(struct session *session, const struct options *options)
{
	_cleanup_(pass_done) struct pass pass = {};
	int r;

	r = session_read_in_force(session, options);
	if (r != 0)
		return r;
	r = pass_plan(&pass, session->os, session->text, session->size, session->node);
	if (pass.exit == STATUS_SPEC)
		return session_refused(session, &pass.diags);
	if (r < 0)
		return session_trouble(session, pass.exit, "%s", pass.trouble);
	diags_write(&pass.diags, stderr, session->path, session->text, session->size);
	if (session->json)
		desired_write_json(&pass.desired.states, session->out);
	else
		desired_write_text(&pass.desired.states, session_file_name(session),
				   &session->style, session->out);
	return STATUS_OK;
}

static const struct {
	const char *name;
	int (*run)(struct session *session, const struct options *options);
} things[] = {
	{ "nics", show_nics },
	{ "spec", show_spec },
};

int verb_show(const struct options *options)
{
	_cleanup_(session_done) struct session session = {};
	size_t i = 0;
	int r;

	while (i < ARRAY_SIZE(things) && strcmp(things[i].name, options->argument) != 0)
		i++;
	if (i == ARRAY_SIZE(things))
		return usage_error(options->verb, "there is no '%s' to show", options->argument);
	r = session_open(&session, options, REPORT_STATUS);
	if (r != 0)
		return r;
	return things[i].run(&session, options);
}
