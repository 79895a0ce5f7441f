// SPDX-License-Identifier: LGPL-2.1-or-later
/* record: all that losslessctl reads of this node, as a file that --root takes. */
#include <errno.h>
#include <string.h>

#include "cli/file.h"
#include "cli/session.h"
#include "cli/verbs.h"
#include "lib/node/record.h"

static int render(struct session *session, char **ret_text, size_t *ret_size)
{
	_cleanup_(bundle_done) struct bundle bundle = {};
	FILE *stream;
	int r;

	r = record_take(session->os, &bundle);
	if (r == -E2BIG)
		return session_trouble(session, STATUS_FAILED,
				       "this node has more than a bundle can hold");
	if (r < 0)
		return session_trouble(session, STATUS_FAILED, "cannot read this node: %s",
				       strerror(-r));
	stream = open_memstream(ret_text, ret_size);
	if (stream)
		bundle_write(&bundle, stream);
	if (!stream || fclose(stream) != 0)
		return session_trouble(session, STATUS_FAILED, "out of memory");
	return 0;
}

/* A file that is there is somebody's work. */
static int save(const struct session *session, const char *path, const char *text, size_t size)
{
	int r = file_save(path, text, size);

	if (r == -EEXIST)
		return session_trouble(session, STATUS_FAILED,
				       "%s is there already: choose another name", path);
	if (r < 0)
		return session_trouble(session, STATUS_FAILED, "cannot write %s: %s", path,
				       strerror(-r));
	return STATUS_OK;
}

int verb_record(const struct options *options)
{
	_cleanup_(session_done) struct session session;
	_cleanup_free_ char *text = NULL;
	size_t size = 0;
	int r;

	r = session_open(&session, options, REPORT_OTHER);
	if (r == 0)
		r = render(&session, &text, &size);
	if (r != 0)
		return r;
	if (strcmp(options->argument, "-") != 0)
		return save(&session, options->argument, text, size);
	(void)fwrite(text, 1, size, stdout);
	return STATUS_OK;
}
