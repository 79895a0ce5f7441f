// SPDX-License-Identifier: LGPL-2.1-or-later
/* record: all that losslessctl reads of this node, as a file that --root takes. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli/session.h"
#include "cli/verbs.h"
#include "lib/node/record.h"

enum { FILE_MODE = 0644 };

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

static int write_all(int fd, const char *text, size_t size)
{
	while (size > 0) {
		ssize_t n = write(fd, text, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		text += n;
		size -= (size_t)n;
	}
	return 0;
}

/* A file that is there is somebody's work; one that cannot be written whole does not stay. */
static int save(const struct session *session, const char *path, const char *text, size_t size)
{
	int fd, r;

	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);
	if (fd < 0 && errno == EEXIST)
		return session_trouble(session, STATUS_FAILED,
				       "%s is there already: choose another name", path);
	if (fd < 0)
		return session_trouble(session, STATUS_FAILED, "cannot write %s: %s", path,
				       strerror(errno));
	r = write_all(fd, text, size);
	if (close(fd) < 0 && r == 0)
		r = -errno;
	if (r == 0)
		return STATUS_OK;
	(void)unlink(path);
	return session_trouble(session, STATUS_FAILED, "cannot write %s: %s", path, strerror(-r));
}

int verb_record(const struct options *options)
{
	_cleanup_(session_done) struct session session;
	_cleanup_free_ char *text = NULL;
	size_t size = 0;
	int r;

	r = session_open(&session, options, REPORT_STATUS);
	if (r == 0)
		r = render(&session, &text, &size);
	if (r != 0)
		return r;
	if (strcmp(options->argument, "-") != 0)
		return save(&session, options->argument, text, size);
	(void)fwrite(text, 1, size, stdout);
	return STATUS_OK;
}
