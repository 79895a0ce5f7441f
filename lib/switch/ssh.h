/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * SSH to a switch, as a channel of bytes for session.h. A host whose key is not known gets nothing
 * of a user: neither name nor password. No configuration file of SSH is read.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/switch/known-hosts.h"
#include "lib/switch/session.h"

enum ssh_trust {
	SSH_TRUST_STRICT,	/* the key has to be known */
	SSH_TRUST_FIRST_USE,	/* a name of which nothing is known: its key is, from then on */
};

struct ssh_options {
	const char *address;		/* a name or an address */
	const char *alias;		/* another name under which its key is kept; NULL */
	unsigned int port;
	const char *user;
	/* Wiped before ssh_peer_open() returns, whatever it returns. NULL: none. */
	char *key;			/* the content of a private key's file */
	char *password;
	/* Allowed keys, "SHA256:..."; ends with NULL. If there is one, known_hosts is not asked. */
	const char *const *fingerprints;
	const char *known_hosts;	/* a file */
	enum ssh_trust trust;
	const char *const *legacy;	/* algorithms beyond the defaults; NULL, or ends with it */
	const char *proxy_command;	/* dial_command(); NULL: TCP */
	unsigned int connect_ms;	/* until the stream stands */
	unsigned int banner_ms;		/* until keys are exchanged */
	unsigned int auth_ms;
	unsigned int command_ms;	/* opening a channel, writing */
	const volatile sig_atomic_t *cancelled;	/* NULL: never */
};

enum ssh_end {
	SSH_END_OK,
	SSH_END_REFUSED,	/* nobody listens */
	SSH_END_UNREACHABLE,	/* no such name, no route, no such proxy */
	SSH_END_TIMEOUT,
	SSH_END_KEY_CHANGED,	/* another key is known, or this one is revoked */
	SSH_END_KEY_UNKNOWN,
	SSH_END_KNOWN_HOSTS,	/* the file cannot be read or written */
	SSH_END_ALGORITHM,	/* none in common: trying again does not help */
	SSH_END_AUTH,
	SSH_END_BUSY,		/* closed before it began: too many sessions */
	SSH_END_LOST,
	SSH_END_CANCELLED,
	SSH_END_BAD,		/* the options, or no memory */
	SSH_END_MAX,
};

struct ssh_peer;

/* For a process that forks many that log in: it looks up once what each of them needs. */
void ssh_warm_up(void);

/*
 * Connect, check the host's key, log in. @ret_words gets one line for people, never a secret.
 */
enum ssh_end ssh_peer_open(struct ssh_options *options, struct ssh_peer **ret, char *ret_words,
			   size_t size);

/* Takes NULL, returns NULL. */
struct ssh_peer *ssh_peer_free(struct ssh_peer *peer);

/*
 * A shell with a terminal of @width columns, or only the exec of lines if @width is 0. The channel
 * lives as long as the peer.
 */
enum ssh_end ssh_peer_channel(struct ssh_peer *peer, unsigned int width, struct channel **ret,
			      char *ret_words, size_t size);

/*
 * What people should know of a connection that works: legacy algorithms, a key that was new; NULL
 * behind the last.
 */
const char *ssh_peer_warning(const struct ssh_peer *peer, size_t i);

/*
 * The key that the host shows now, without logging in; what was known of it before in @ret_old
 * (FINGERPRINT_MAX bytes, "" if nothing). For somebody who compares and then accepts it with
 * ssh_peer_accept().
 */
enum ssh_end ssh_peer_key(const struct ssh_options *options, struct host_key *ret,
			  char ret_old[FINGERPRINT_MAX], char *ret_words, size_t size);

/* From now on @key is the one of the host, and no other. */
enum ssh_end ssh_peer_accept(const struct ssh_options *options, const struct host_key *key,
			     char *ret_words, size_t size);
