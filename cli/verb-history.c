// SPDX-License-Identifier: LGPL-2.1-or-later
/* history: what was changed, from the file that every apply and repair adds to. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cli/session.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "lib/base/text.h"
#include "lib/node/store-history.h"
#include "lib/spec/number.h"

/* Beside what could be shown. */
static int say_bad(const char *path, const struct history_bad *bad)
{
	char numbers[HISTORY_BAD_MAX * 24], more[48] = "";
	struct text text = { .text = numbers, .size = sizeof(numbers) };

	for (size_t i = 0; i < bad->n && i < HISTORY_BAD_MAX; i++)
		text_put(&text, "%s%" PRIu64, i ? ", " : "", bad->line[i]);
	if (bad->n > HISTORY_BAD_MAX)
		(void)snprintf(more, sizeof(more), " and %zu more", bad->n - HISTORY_BAD_MAX);
	say("%s: no record of a change, and left out: line%s %s%s", path, bad->n == 1 ? "" : "s",
	    numbers, more);
	return STATUS_FAILED;
}

int verb_history(const struct options *options)
{
	const char *dir = option_given(options, OPTION_STATE_DIR) ?
				  options->value[OPTION_STATE_DIR] : STATE_DIR;
	_cleanup_(session_done) struct session session = {};
	_cleanup_free_ char *path = NULL;
	_cleanup_fclose_ FILE *in = NULL;
	struct history_bad bad;
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
	r = history_write(in, n, session.json, &session.style, session.out, &bad);
	if (r < 0)
		return session_trouble(&session, STATUS_FAILED, "cannot read %s: %s", path,
				       strerror(-r));
	return bad.n ? say_bad(path, &bad) : STATUS_OK;
}
