// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * nccl-env: what NCCL has to be told. stdout is for a shell or for NCCL, so that everything else
 * goes to stderr.
 */
#include <string.h>

#include "cli/session.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "lib/base/macro.h"
#include "lib/node/nccl.h"

static const char *const formats[] = {
	[NCCL_SHELL] = "shell",
	[NCCL_CONF] = "nccl.conf",
	[NCCL_JSON] = "json",
};
static_assert(ARRAY_SIZE(formats) == NCCL_FORMAT_MAX, "a name for each format");

static int read_format(const struct options *options, enum nccl_format *ret)
{
	const char *name = options->value[OPTION_FORMAT];
	bool json = option_given(options, OPTION_JSON);
	enum nccl_format format = json ? NCCL_JSON : NCCL_SHELL;

	if (name)
		for (format = 0; format < NCCL_FORMAT_MAX; format++)
			if (strcmp(formats[format], name) == 0)
				break;
	if (format == NCCL_FORMAT_MAX)
		return usage_error(options->verb,
				   "--format is shell, nccl.conf or json, and not '%s'", name);
	if (json && format != NCCL_JSON)
		return usage_error(options->verb, "--json is --format json, and not %s", name);
	*ret = format;
	return 0;
}

/* What people have to know. Returns the exit status. */
static enum exit_status tell(const struct nccl_env *env)
{
	enum exit_status exit = STATUS_OK;

	for (size_t i = 0; i < env->n_notes; i++) {
		say("%s", env->notes[i].text);
		if (env->notes[i].trouble)
			exit = STATUS_FAILED;
	}
	return exit;
}

int verb_nccl_env(const struct options *options)
{
	_cleanup_(session_done) struct session session = {};
	_cleanup_(pass_done) struct pass pass = {};
	enum nccl_format format;
	enum exit_status exit;
	struct nccl_env env;
	int r;

	r = read_format(options, &format);
	if (r != 0)
		return r;
	r = session_open(&session, options, REPORT_OTHER);
	session.json = format == NCCL_JSON;
	if (r == 0)
		r = session_read_in_force(&session, options);
	if (r != 0)
		return r;
	pass.file = session.path;
	r = pass_plan(&pass, session.os, session.text, session.size, session.node);
	if (pass.exit == STATUS_SPEC)
		return session_refused(&session, &pass.diags);
	if (r < 0)
		return session_trouble(&session, pass.exit, "%s", pass.trouble);
	diags_write(&pass.diags, stderr, session.path, session.text, session.size);
	if (nccl_env_build(&pass, &env) < 0)
		return session_trouble(&session, STATUS_FAILED, "out of memory");
	exit = tell(&env);
	nccl_env_write(&env, format, session.node, &pass.diags, exit, session.out);
	return exit;
}
