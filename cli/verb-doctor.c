// SPDX-License-Identifier: LGPL-2.1-or-later
/* doctor: is this node ready? Goes without a fabric file where there is none. */
#include <string.h>
#include <unistd.h>

#include "cli/session.h"
#include "cli/verbs.h"
#include "lib/node/doctor.h"

/* The environment is this process's, and says nothing of a recorded node. */
static int examine(struct session *session, const struct options *options, struct pass *pass,
		   struct diagnoses *ret)
{
	_cleanup_(inventory_done) struct inventory inventory = {};
	const struct doctor_question question = {
		.os = session->os,
		.inventory = &inventory,
		.text = session->text,
		.size = session->size,
		.file = options->value[OPTION_FILE] ?: session->path,
		.node = session->node,
		.environment = session->simulated ? NULL : (const char *const *)environ,
	};
	int r;

	pass->file = session->path;
	r = session_inventory(session, &inventory);
	if (r != 0)
		return r;
	r = doctor_examine(&question, pass, ret);
	if (r < 0)
		return session_trouble(session, STATUS_FAILED, "cannot look at this node: %s",
				       strerror(-r));
	return 0;
}

int verb_doctor(const struct options *options)
{
	_cleanup_(diagnoses_done) struct diagnoses diagnoses = {};
	_cleanup_(session_done) struct session session = {};
	_cleanup_(pass_done) struct pass pass = {};
	enum exit_status exit;
	int r;

	r = session_open(&session, options, REPORT_OTHER);
	if (r == 0 && session_has_file(options))
		r = session_read_in_force(&session, options);
	if (r == 0)
		r = examine(&session, options, &pass, &diagnoses);
	if (r != 0)
		return r;
	exit = pass.exit == STATUS_SPEC ? STATUS_SPEC : diagnoses_exit(&diagnoses);
	if (session.text)
		diags_write(&pass.diags, stderr, session.path, session.text, session.size);
	if (session.json)
		diagnoses_write_json(&diagnoses, session.node, &pass.diags, exit, session.out);
	else
		diagnoses_write_text(&diagnoses, session.node, &session.style, session.out);
	return exit;
}
