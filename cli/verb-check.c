// SPDX-License-Identifier: LGPL-2.1-or-later
/* check: is the file valid? Needs nothing of the machine and knows no node. */
#include "cli/session.h"
#include "cli/verbs.h"

static int check(struct session *session)
{
	_cleanup_(diags_done) struct diags diags = {};
	_cleanup_(spec_freep) struct spec *spec = NULL;
	int r;

	r = spec_load(session->text, session->size, &spec, &diags);
	if (diags_has_errors(&diags))
		return session_refused(session, &diags);
	if (r < 0)
		return session_trouble(session, STATUS_FAILED, "out of memory");
	diags_write(&diags, stderr, session->path, session->text, session->size);
	if (session->json)
		diags_write_json(&diags, session->path, spec_fabric(spec), STATUS_OK,
				 session->out);
	else
		(void)fprintf(session->out, "%s: valid, fabric %s\n", session->path,
			      spec_fabric(spec));
	return STATUS_OK;
}

int verb_check(const struct options *options)
{
	struct options file = *options;
	_cleanup_(session_done) struct session session;
	int r;

	file.value[OPTION_FILE] = options->argument;
	r = session_open(&session, options, REPORT_OTHER);
	if (r != 0)
		return r;
	r = session_read_file(&session, &file, NULL);
	if (r != 0)
		return r;
	return check(&session);
}
