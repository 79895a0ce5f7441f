/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The file of known host keys, as sshd(8) describes it under SSH_KNOWN_HOSTS FILE FORMAT: names,
 * hashed names, patterns, @revoked. Only this file reads and writes it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
	KNOWN_TYPE_MAX = 64,
	KNOWN_NAME_MAX = 280,		/* [host]:port */
	FINGERPRINT_MAX = 64,		/* SHA256:... */
};

/* A public key of a host. */
struct host_key {
	char type[KNOWN_TYPE_MAX];	/* "ssh-ed25519" */
	char *base64;			/* free it */
};

void host_key_done(struct host_key *key);

enum known {
	KNOWN_NOT,	/* nothing is said of this name */
	KNOWN_SAME,
	KNOWN_OTHER,	/* another key, or another type of key, is */
	KNOWN_REVOKED,
};

/* "host", or "[host]:port" if that is not 22; in small letters. */
void known_hosts_name(const char *host, unsigned int port, char ret[KNOWN_NAME_MAX]);

/* "SHA256:..." of a key as ssh-keygen -l shows it; false if it is no base64. */
bool host_key_fingerprint(const char *base64, char ret[FINGERPRINT_MAX]);

/*
 * The whole file, terminated; empty if there is none. Returns 0 or a negative errno: a file that
 * cannot be read is not one that knows nothing.
 */
int known_hosts_load(const char *path, char **ret_text);

/* What @text says of @key for @name; @ret_old (may be NULL) gets the fingerprint of another one. */
enum known known_hosts_find(const char *text, const char *name, const struct host_key *key,
			    char ret_old[FINGERPRINT_MAX]);

/* The @i-th type of key that is known of @name; false behind the last. */
bool known_hosts_type(const char *text, const char *name, size_t i, char ret[KNOWN_TYPE_MAX]);

/*
 * Add @key for each of @names. With @replace their other keys are forgotten. The file is replaced
 * whole, in order, whoever does the same at the same time. Returns 0 or a negative errno.
 */
int known_hosts_add(const char *path, const char *const *names, size_t n,
		    const struct host_key *key, bool replace);
