// SPDX-License-Identifier: LGPL-2.1-or-later
/* import: the fabric file that asks for what is there already. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/file.h"
#include "cli/import.h"
#include "cli/lldp.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "lib/nic/nic.h"

/* What the import is made of, which it points to. */
struct finds {
	struct session session;
	struct inventory inventory;
	struct states want;
	struct states found;
	struct lldp_neighbors neighbors;
	bool heard;
	struct import_ask *ask; /* NULL: no switch */
	struct import *import;
};

static void finds_done(struct finds *finds)
{
	finds->import = import_free(finds->import);
	finds->ask = import_ask_close(finds->ask);
	lldp_neighbors_done(&finds->neighbors);
	states_done(&finds->found);
	states_done(&finds->want);
	inventory_done(&finds->inventory);
	session_done(&finds->session);
}

static int out_of_memory(const struct finds *finds)
{
	return session_trouble(&finds->session, STATUS_FAILED, "out of memory");
}

/* The cables are only told: without LLDP there is nothing to tell. */
static int hear(struct finds *finds, const struct options *options)
{
	const char *path = options->value[OPTION_LLDP];
	char why[512] = "";
	int r = -ENOENT;

	if (path)
		r = lldp_read(path, &finds->neighbors, why, sizeof(why));
	else if (!finds->session.simulated)
		r = lldp_ask(&finds->neighbors, why, sizeof(why));
	if (r < 0 && path)
		return session_trouble(&finds->session, STATUS_FAILED, "cannot read %s", why);
	finds->heard = r == 0;
	return 0;
}

static int observe(struct finds *finds)
{
	struct provider provider;
	int r = session_inventory(&finds->session, &finds->inventory);

	if (r != 0)
		return r;
	nic_provider_init(&provider, finds->session.os);
	if (import_want(&finds->inventory, &finds->want) < 0 ||
	    states_observe(&finds->want, &provider, &finds->found) < 0)
		return out_of_memory(finds);
	return 0;
}

static int begin(struct finds *finds)
{
	const struct session *session = &finds->session;
	const struct import_ask *ask = finds->ask;
	int r;

	r = import_new(&finds->inventory, &finds->found, ask ? import_ask_node(ask) : session->node,
		       ask ? import_ask_fabric(ask) : NULL, finds->heard ? &finds->neighbors : NULL,
		       &finds->import);
	if (r == -EINVAL)
		return session_trouble(session, STATUS_FAILED,
				       "the name of this node cannot stand in a fabric file: say "
				       "which node it is with --node");
	if (r < 0)
		return out_of_memory(finds);
	return ask ? import_ask_all(finds->ask, finds->import) : 0;
}

static void say_notes(const struct import_notes *notes)
{
	for (size_t i = 0; i < notes->n; i++)
		say("not taken: %s: %s: %s", notes->list[i].who, notes->list[i].what,
		    notes->list[i].why);
}

static int nothing(const struct finds *finds)
{
	if (!finds->inventory.n)
		return session_trouble(&finds->session, STATUS_FAILED,
				       "nothing to import on this node: there is no RDMA device; "
				       "is the driver's RDMA module loaded (mlx5_ib, bnxt_re, "
				       "irdma, rdma_rxe)?");
	return session_trouble(&finds->session, STATUS_FAILED,
			       "nothing to import on this node: nothing of its ports could be "
			       "taken; see losslessctl show nics");
}

static bool is_regular(const char *path)
{
	struct stat there;

	return stat(path, &there) == 0 && S_ISREG(there.st_mode);
}

static int put(const struct session *session, const struct options *options, const char *text,
	       size_t size)
{
	const char *path = options->value[OPTION_OUTPUT];
	bool force = option_given(options, OPTION_FORCE);
	int r;

	if (!path || strcmp(path, "-") == 0) {
		(void)fwrite(text, 1, size, session->out);
		return STATUS_OK;
	}
	r = force ? file_replace(path, text, size) : file_save(path, text, size);
	if (r == -EEXIST && (force || !is_regular(path)))
		return session_trouble(session, STATUS_FAILED,
				       "%s is not replaced: it is no regular file, nor leads to "
				       "one; choose another name, or - for stdout",
				       path);
	if (r == -EEXIST)
		return session_trouble(session, STATUS_FAILED,
				       "%s is there already: choose another name, or replace it "
				       "with --force",
				       path);
	if (r < 0)
		return session_trouble(session, STATUS_FAILED, "cannot write %s: %s", path,
				       strerror(-r));
	return STATUS_OK;
}

static int run(struct finds *finds, const struct options *options)
{
	_cleanup_free_ char *text = NULL;
	size_t size = 0;
	int status = 0, r;

	r = session_open(&finds->session, options, REPORT_OTHER);
	if (r == 0 && option_given(options, OPTION_SWITCH))
		r = import_ask_open(&finds->session, options, &finds->ask);
	if (r == 0)
		r = hear(finds, options);
	if (r == 0)
		r = observe(finds);
	if (r == 0)
		r = begin(finds);
	if (r != 0)
		return r;
	r = import_ask_text(finds->ask, finds->import, &text, &size, &status);
	if (status != 0)
		return status;
	say_notes(import_notes(finds->import));
	if (r == -ENODATA)
		return nothing(finds);
	return r < 0 ? out_of_memory(finds) : put(&finds->session, options, text, size);
}

int verb_import(const struct options *options)
{
	_cleanup_(finds_done) struct finds finds = {};

	if (option_given(options, OPTION_FILE) && !option_given(options, OPTION_SWITCH))
		return usage_error(options->verb, "-f says how switches are reached: it needs "
						  "--switch");
	if (option_given(options, OPTION_ROOT) && option_given(options, OPTION_SWITCH))
		return usage_error(options->verb, "--switch asks a switch, and a recorded node "
						  "(--root) has none");
	if (option_given(options, OPTION_FORCE) && !option_given(options, OPTION_OUTPUT))
		return usage_error(options->verb, "--force needs -o");
	return run(&finds, options);
}
