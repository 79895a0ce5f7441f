/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the SSH transport share. */
#pragma once

#include <libssh/libssh.h>

#include "lib/base/cleanup.h"
#include "lib/switch/dial.h"
#include "lib/switch/ssh.h"

enum {
	SSH_WARNINGS_MAX = 4,
	SSH_TYPES_MAX = 8,	/* of keys of one host */
};

struct ssh_peer {
	struct channel channel;			/* what session.c gets */
	const struct ssh_options *options;	/* NULL when it is open */
	unsigned int command_ms;
	const volatile sig_atomic_t *cancelled;
	ssh_session session;
	ssh_channel shell;
	int fd;					/* -1: libssh has it */
	pid_t proxy;
	bool told;				/* that the job is to end */
	bool given;				/* the password: not again */
	char *warnings[SSH_WARNINGS_MAX];
	char *words;				/* of the call that is under way */
	size_t words_size;
};

/* ---- ssh-words.c ---- */

/* Put a line into the words of this call; returns @end. */
enum ssh_end ssh_say(struct ssh_peer *peer, enum ssh_end end, const char *format, ...)
	_printf_(3, 4);

/* The same with the words of libssh, where it has some. */
enum ssh_end ssh_failed(struct ssh_peer *peer, enum ssh_end end, const char *what);

void ssh_warn(struct ssh_peer *peer, const char *format, ...) _printf_(2, 3);

/* What somebody else says, on one line and harmless. */
void ssh_quote(const char *text, char *ret, size_t size);

/* How long from now. */
struct patience ssh_patience(const struct ssh_peer *peer, unsigned int ms);

/* Until libssh has something to do. Returns 0 or a negative errno, which ssh_waited() tells. */
int ssh_wait(struct ssh_peer *peer, const struct patience *until);
enum ssh_end ssh_waited(struct ssh_peer *peer, int error, const char *what);

/* ---- ssh-trust.c ---- */

/* What is known of hosts; NULL in @ret_text if fingerprints are given, which say all. */
enum ssh_end ssh_trust_load(struct ssh_peer *peer, char **ret_text);

/* The types of keys that are known of the host; ends with NULL. */
void ssh_trust_types(const struct ssh_options *options, const char *text,
		     char types[SSH_TYPES_MAX][KNOWN_TYPE_MAX], const char *ret[SSH_TYPES_MAX + 1]);

/* Is @key the host's? */
enum ssh_end ssh_trust_judge(struct ssh_peer *peer, const struct host_key *key, const char *text);

/* The fingerprint that is known instead, "" if none is. */
void ssh_trust_old(const struct ssh_options *options, const char *text, const struct host_key *key,
		   char ret[FINGERPRINT_MAX]);

enum ssh_end ssh_trust_remember(struct ssh_peer *peer, const struct host_key *key, bool replace);

/* ---- ssh-auth.c ---- */

enum ssh_end ssh_log_in(struct ssh_peer *peer);

/* ---- ssh-channel.c ---- */

extern const struct channel_ops ssh_channel_ops;
