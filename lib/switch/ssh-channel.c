// SPDX-License-Identifier: LGPL-2.1-or-later
/* A shell with a terminal, and lines on channels of their own, as session.h wants them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/switch/ssh-private.h"

enum { ROWS = 1000 }; /* fewer pages */

static struct ssh_peer *peer_of(struct channel *channel)
{
	return (struct ssh_peer *)channel;
}

/* A job that is to end is told so once; then it may drop what it staged. */
static int wait_or_tell(struct ssh_peer *peer, struct patience until)
{
	int r;

	if (peer->told)
		until.cancelled = NULL;
	r = ssh_wait(peer, &until);
	if (r == -ECANCELED)
		peer->told = true;
	return r;
}

static bool has_ended(ssh_channel channel)
{
	return ssh_channel_is_eof(channel) || ssh_channel_is_closed(channel);
}

static long shell_read(struct channel *channel, char *data, size_t size, int timeout_ms)
{
	struct ssh_peer *peer = peer_of(channel);
	struct patience until = ssh_patience(peer, (unsigned int)MAX(timeout_ms, 0));

	for (;;) {
		int n = ssh_channel_read_nonblocking(peer->shell, data,
						     (uint32_t)MIN(size, (size_t)65536), 0);
		int r;

		if (n > 0)
			return n;
		if (has_ended(peer->shell))
			return 0;
		if (n < 0 && n != SSH_AGAIN)
			return n == SSH_EOF ? 0 : -ECONNRESET;
		r = wait_or_tell(peer, until);
		if (r < 0)
			return r;
	}
}

static int shell_write(struct channel *channel, const char *data, size_t size)
{
	struct ssh_peer *peer = peer_of(channel);
	struct patience until = ssh_patience(peer, peer->command_ms);

	while (size > 0) {
		int n = ssh_channel_write(peer->shell, data, (uint32_t)size), r;

		if (n > 0) {
			data += n;
			size -= (size_t)n;
			continue;
		}
		if (has_ended(peer->shell))
			return -EPIPE;
		if (n < 0 && n != SSH_AGAIN)
			return -ECONNRESET;
		r = wait_or_tell(peer, until);
		if (r < 0 && r != -ECANCELED)
			return r;
	}
	return 0;
}

static int64_t shell_now(struct channel *channel)
{
	return dial_now_ms();
}

/* ---- exec ---- */

struct output {
	char *text;
	size_t n, room;
};

static int output_put(struct output *output, const char *data, size_t size, size_t limit)
{
	if (size > limit - output->n)
		return -E2BIG;
	if (output->n + size + 1 > output->room) {
		size_t room = MAX(2 * output->room, output->n + size + 1);
		char *text = realloc(output->text, room);

		if (!text)
			return -ENOMEM;
		output->text = text;
		output->room = room;
	}
	memcpy(output->text + output->n, data, size);
	output->n += size;
	output->text[output->n] = '\0';
	return 0;
}

/* What is there now of one of the two streams. Returns how much, or a negative errno. */
static int drain(ssh_channel channel, int is_error, struct output *output, size_t limit)
{
	char data[4096];
	int all = 0;

	for (;;) {
		int n = ssh_channel_read_nonblocking(channel, data, sizeof(data), is_error), r;

		if (n == SSH_ERROR && !has_ended(channel))
			return -ECONNRESET;
		if (n <= 0)
			return all;
		r = output_put(output, data, (size_t)n, limit);
		if (r < 0)
			return r;
		all += n;
	}
}

/* A step of opening that libssh wants to have repeated. */
static int open_step(struct ssh_peer *peer, ssh_channel channel, const char *line,
		     const struct patience *until)
{
	int r;

	while ((r = line ? ssh_channel_request_exec(channel, line) :
			   ssh_channel_open_session(channel)) == SSH_AGAIN) {
		r = wait_or_tell(peer, *until);
		if (r < 0)
			return r;
	}
	return r == SSH_OK ? 0 : -ECONNABORTED;
}

/*
 * Until there is a status, or the switch has closed the channel. libssh notices what comes only
 * when it is asked for something: for data up to their end, from then on for the status.
 */
static int collect(struct ssh_peer *peer, ssh_channel channel, const struct patience *until,
		   struct output *out, struct output *errors, size_t limit)
{
	for (;;) {
		int n = drain(channel, 0, out, limit - errors->n), more, r;

		if (n < 0)
			return n;
		more = drain(channel, 1, errors, limit - out->n);
		if (more < 0)
			return more;
		if (n + more > 0)
			continue;
		if (ssh_channel_is_eof(channel) && ssh_channel_get_exit_status(channel) >= 0)
			return 0;
		if (ssh_channel_is_closed(channel))
			return 0;
		r = wait_or_tell(peer, *until);
		if (r < 0)
			return r;
	}
}

static int exec_on(struct ssh_peer *peer, ssh_channel channel, const char *line,
		   const struct patience *until, struct output *out, struct output *errors,
		   size_t limit)
{
	int r = open_step(peer, channel, NULL, until);

	if (r == 0)
		r = open_step(peer, channel, line, until);
	if (r == 0)
		r = ssh_channel_send_eof(channel) == SSH_ERROR ? -ECONNRESET : 0;
	if (r == 0)
		r = collect(peer, channel, until, out, errors, limit);
	if (r == 0)
		r = output_put(out, errors->text ? errors->text : "", errors->n, limit);
	return r;
}

static int own_exec(struct channel *channel, const char *line, size_t limit, int timeout_ms,
		    char **ret, size_t *ret_size, int *ret_status)
{
	struct ssh_peer *peer = peer_of(channel);
	struct patience until = ssh_patience(peer, (unsigned int)MAX(timeout_ms, 0));
	struct output out = {}, errors = {};
	ssh_channel own = ssh_channel_new(peer->session);
	int r;

	if (!own)
		return -ENOMEM;
	r = exec_on(peer, own, line, &until, &out, &errors, limit);
	if (r == 0)
		*ret_status = ssh_channel_get_exit_status(own);
	ssh_channel_free(own);
	free(errors.text);
	if (r < 0) {
		free(out.text);
		return r;
	}
	*ret = out.text;
	*ret_size = out.n;
	return 0;
}

const struct channel_ops ssh_channel_ops = {
	.read = shell_read,
	.write = shell_write,
	.exec = own_exec,
	.now_ms = shell_now,
};

/* ---- the shell ---- */

enum shell_step { SHELL_OPEN, SHELL_TERMINAL, SHELL_START, SHELL_STEPS };

static int shell_step(struct ssh_peer *peer, enum shell_step step, unsigned int width)
{
	switch (step) {
	case SHELL_OPEN:
		return ssh_channel_open_session(peer->shell);
	case SHELL_TERMINAL:
		return ssh_channel_request_pty_size(peer->shell, "vt100", (int)width, ROWS);
	case SHELL_START:
		return ssh_channel_request_shell(peer->shell);
	case SHELL_STEPS:
		break;
	}
	return SSH_ERROR;
}

static enum ssh_end open_shell(struct ssh_peer *peer, unsigned int width)
{
	struct patience until = ssh_patience(peer, peer->command_ms);

	for (enum shell_step step = SHELL_OPEN; step < SHELL_STEPS; step++) {
		int r;

		while ((r = shell_step(peer, step, width)) == SSH_AGAIN) {
			r = ssh_wait(peer, &until);
			if (r < 0)
				return ssh_waited(peer, r, "opening a shell");
		}
		if (r != SSH_OK)
			return ssh_failed(peer, SSH_END_BUSY,
					  "the switch gives no shell (too many sessions?)");
	}
	return SSH_END_OK;
}

enum ssh_end ssh_peer_channel(struct ssh_peer *peer, unsigned int width, struct channel **ret,
			      char *ret_words, size_t size)
{
	enum ssh_end end = SSH_END_OK;

	peer->words = ret_words;
	peer->words_size = size;
	if (width > 0) {
		peer->shell = ssh_channel_new(peer->session);
		if (!peer->shell)
			return ssh_say(peer, SSH_END_BAD, "no memory");
		end = open_shell(peer, width);
	}
	if (end == SSH_END_OK)
		*ret = &peer->channel;
	return end;
}
