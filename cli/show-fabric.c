// SPDX-License-Identifier: LGPL-2.1-or-later
/* show cables, show switches: nobody logs in anywhere. */
#include <errno.h>
#include <string.h>

#include "cli/lldp.h"
#include "cli/show.h"
#include "cli/terminal.h"
#include "lib/base/macro.h"
#include "lib/node/cabling.h"
#include "lib/node/switch-about.h"
#include "lib/switch/dialect-file.h"

/* The file alone, without the machine. Returns 0 or an exit status. */
static int read_spec(struct session *session, const struct options *options, struct spec **ret,
		     struct diags *diags)
{
	int r;

	r = session_read_in_force(session, options);
	if (r != 0)
		return r;
	r = spec_load(session->text, session->size, ret, diags);
	if (r == -EINVAL)
		return session_refused(session, diags);
	if (r < 0)
		return session_trouble(session, STATUS_FAILED, "out of memory");
	diags_write(diags, stderr, session->path, session->text, session->size);
	return 0;
}

/* Returns 0; a negative errno with @why, where the file alone can be shown. */
static int hear(const struct session *session, struct lldp_neighbors *ret, char *why, size_t size)
{
	if (!session->simulated)
		return lldp_ask(ret, why, size);
	(void)snprintf(why, size,
		       "a bundle has nothing of LLDP: --lldp FILE takes what lldpcli printed "
		       "there");
	return -ENOENT;
}

int show_cables(struct session *session, const struct options *options)
{
	_cleanup_(lldp_neighbors_done) struct lldp_neighbors neighbors = {};
	_cleanup_(cabling_done) struct cabling cabling = {};
	_cleanup_(spec_freep) struct spec *spec = NULL;
	_cleanup_(diags_done) struct diags diags = {};
	const char *path = options->value[OPTION_LLDP];
	enum exit_status exit;
	char why[512] = "";
	int r;

	r = read_spec(session, options, &spec, &diags);
	if (r != 0)
		return r;
	r = path ? lldp_read(path, &neighbors, why, sizeof(why)) :
		   hear(session, &neighbors, why, sizeof(why));
	if (r < 0 && path)
		return session_trouble(session, STATUS_FAILED, "cannot read %s", why);
	if (cabling_list(spec, session->node, r == 0 ? &neighbors : NULL, &cabling) < 0)
		return session_trouble(session, STATUS_FAILED, "out of memory");
	if (r < 0)
		say("%s", why);
	exit = cabling_exit(&cabling);
	if (session->json)
		cabling_write_json(&cabling, session->node, r == 0, why, &diags, exit,
				   session->out);
	else
		cabling_write_text(&cabling, r == 0, &session->style, session->out);
	return exit;
}

int show_switches(struct session *session, const struct options *options)
{
	_cleanup_(switch_abouts_done) struct switch_abouts abouts = {};
	_cleanup_(spec_freep) struct spec *spec = NULL;
	_cleanup_(diags_done) struct diags diags = {};
	int r;

	r = read_spec(session, options, &spec, &diags);
	if (r != 0)
		return r;
	if (switches_about(spec, session->node, dialect_folders(DIALECT_PATH), &abouts) < 0)
		return session_trouble(session, STATUS_FAILED, "out of memory");
	if (session->json)
		switch_abouts_write_json(&abouts, &diags, session->out);
	else
		switch_abouts_write_text(&abouts, &session->style, session->out);
	return switch_abouts_exit(&abouts);
}
