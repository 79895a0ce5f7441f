// SPDX-License-Identifier: LGPL-2.1-or-later
/* What people read of a connection, and the waiting that all of them have in common. */
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <errno.h>

#include "lib/base/utf8.h"
#include "lib/switch/ssh-private.h"

enum ssh_end ssh_say(struct ssh_peer *peer, enum ssh_end end, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (peer->words_size > 0)
		(void)vsnprintf(peer->words, peer->words_size, format, args);
	va_end(args);
	return end;
}

void ssh_warn(struct ssh_peer *peer, const char *format, ...)
{
	va_list args;

	for (size_t i = 0; i < SSH_WARNINGS_MAX; i++) {
		if (peer->warnings[i])
			continue;
		va_start(args, format);
		if (vasprintf(&peer->warnings[i], format, args) < 0)
			peer->warnings[i] = NULL;
		va_end(args);
		return;
	}
}

/* What libssh or the host say, on one line and harmless. */
void ssh_quote(const char *text, char *ret, size_t size)
{
	size_t n = 0, length = strlen(text);

	for (size_t i = 0; i < length && n + UTF8_ESCAPED_MAX < size;) {
		i += utf8_escape(text + i, length - i, ret + n);
		n += strlen(ret + n);
	}
	ret[n] = '\0';
}

struct patience ssh_patience(const struct ssh_peer *peer, unsigned int ms)
{
	return (struct patience){ dial_now_ms() + ms, peer->cancelled };
}

int ssh_wait(struct ssh_peer *peer, const struct patience *until)
{
	int flags = ssh_get_poll_flags(peer->session);
	short events = POLLIN;

	if (flags & SSH_WRITE_PENDING)
		events |= POLLOUT;
	return dial_poll(ssh_get_fd(peer->session), events, until);
}

enum ssh_end ssh_waited(struct ssh_peer *peer, int r, const char *what)
{
	if (r == -ECANCELED)
		return ssh_say(peer, SSH_END_CANCELLED, "cancelled");
	if (r == -ETIMEDOUT)
		return ssh_say(peer, SSH_END_TIMEOUT, "%s took too long", what);
	return ssh_say(peer, SSH_END_LOST, "%s: %s", what, strerror(-r));
}

/* libssh's words, where it has some. */
enum ssh_end ssh_failed(struct ssh_peer *peer, enum ssh_end end, const char *what)
{
	const char *error = ssh_get_error(peer->session);
	char said[256];

	ssh_quote(error && *error ? error : "no reason given", said, sizeof(said));
	return ssh_say(peer, end, "%s: %s", what, said);
}
