// SPDX-License-Identifier: LGPL-2.1-or-later
/* history: what was changed, from the file that every apply and repair adds to. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/session.h"
#include "cli/verbs.h"
#include "lib/node/store-history.h"
#include "lib/spec/number.h"

/* Forget all but the last @n lines of @in. */
static void skip_to_last(FILE *in, uint64_t n)
{
	uint64_t lines = 0;
	int c;

	while ((c = getc(in)) != EOF)
		lines += c == '\n';
	rewind(in);
	while (lines > n && (c = getc(in)) != EOF)
		lines -= c == '\n';
}

int verb_history(const struct options *options)
{
	const char *dir = option_given(options, OPTION_STATE_DIR) ?
				  options->value[OPTION_STATE_DIR] : STATE_DIR;
	_cleanup_(session_done) struct session session = {};
	_cleanup_free_ char *path = NULL;
	_cleanup_fclose_ FILE *in = NULL;
	struct trouble trouble;
	uint64_t n = UINT64_MAX;
	int r;

	if (option_given(options, OPTION_COUNT) &&
	    !number_parse(options->value[OPTION_COUNT], 1, UINT32_MAX, NULL, &n, &trouble))
		return usage_error(options->verb, "-n: %s", trouble.text);
	r = session_open(&session, options, REPORT_OTHER);
	if (r != 0)
		return r;
	if (asprintf(&path, "%s/history", dir) < 0) {
		path = NULL;
		return session_trouble(&session, STATUS_FAILED, "out of memory");
	}
	in = fopen(path, "re");
	if (!in && errno == ENOENT) {
		(void)fputs("losslessctl: nothing was changed on this node yet\n", stderr);
		return STATUS_OK;
	}
	if (!in)
		return session_trouble(&session, STATUS_FAILED, "cannot read %s: %s", path,
				       strerror(errno));
	skip_to_last(in, n);
	r = history_write(in, session.json, &session.style, session.out);
	if (r == -ENOMEM)
		return session_trouble(&session, STATUS_FAILED, "out of memory");
	if (r < 0)
		return session_trouble(&session, STATUS_FAILED,
				       "%s has a line that is no record of a change", path);
	return STATUS_OK;
}
