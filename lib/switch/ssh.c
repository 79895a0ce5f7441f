// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From a stream to a host that is known and has let us in. libssh never blocks: each wait is a
 * poll(2) of ours that ends at a deadline or when the job is to end.
 */
#include "lib/switch/ssh.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/switch/algorithms.h"
#include "lib/switch/ssh-private.h"

/* ---- the life of a peer ---- */

struct ssh_peer *ssh_peer_free(struct ssh_peer *peer)
{
	if (!peer)
		return NULL;
	if (peer->shell)
		ssh_channel_free(peer->shell);
	if (peer->session) {
		if (ssh_is_connected(peer->session))
			ssh_disconnect(peer->session);
		ssh_free(peer->session);
	}
	if (peer->fd >= 0)
		(void)close(peer->fd);
	dial_command_end(peer->proxy);
	for (size_t i = 0; i < SSH_WARNINGS_MAX; i++)
		free(peer->warnings[i]);
	free(peer);
	return NULL;
}

static void ssh_peer_freep(struct ssh_peer **peer)
{
	*peer = ssh_peer_free(*peer);
}

#define _cleanup_peer_ _cleanup_(ssh_peer_freep)

static void key_freep(ssh_key *key)
{
	ssh_key_free(*key);
}

const char *ssh_peer_warning(const struct ssh_peer *peer, size_t i)
{
	return i < SSH_WARNINGS_MAX ? peer->warnings[i] : NULL;
}

static struct ssh_peer *peer_new(const struct ssh_options *options, char *words, size_t size)
{
	struct ssh_peer *peer = calloc(1, sizeof(*peer));

	if (size > 0)
		words[0] = '\0';
	if (!peer)
		return NULL;
	peer->channel.ops = &ssh_channel_ops;
	peer->options = options;
	peer->command_ms = options->command_ms;
	peer->cancelled = options->cancelled;
	peer->fd = -1;
	peer->words = words;
	peer->words_size = size;
	return peer;
}

static enum ssh_end no_memory(char *words, size_t size)
{
	if (size > 0)
		(void)snprintf(words, size, "no memory");
	return SSH_END_BAD;
}

/* ---- algorithms ---- */

static const struct {
	enum algorithm kind;
	enum ssh_options_e option;
} options_of_lists[] = {
	{ ALGORITHM_KEX, SSH_OPTIONS_KEY_EXCHANGE },
	{ ALGORITHM_HOSTKEY, SSH_OPTIONS_HOSTKEYS },
	{ ALGORITHM_CIPHER, SSH_OPTIONS_CIPHERS_C_S },
	{ ALGORITHM_CIPHER, SSH_OPTIONS_CIPHERS_S_C },
	{ ALGORITHM_MAC, SSH_OPTIONS_HMAC_C_S },
	{ ALGORITHM_MAC, SSH_OPTIONS_HMAC_S_C },
	{ ALGORITHM_HOSTKEY, SSH_OPTIONS_PUBLICKEY_ACCEPTED_TYPES },
};

/* libssh leaves out silently what it has not, if something else is in a list. */
static enum ssh_end check_legacy(struct ssh_peer *peer)
{
	const char *const *legacy = peer->options->legacy;

	for (; legacy && *legacy; legacy++) {
		enum algorithm kind = algorithm_kind(*legacy);
		int r = SSH_ERROR;

		for (size_t i = 0; i < ARRAY_SIZE(options_of_lists) && r != SSH_OK; i++)
			if (options_of_lists[i].kind == kind)
				r = ssh_options_set(peer->session, options_of_lists[i].option,
						    *legacy);
		if (r != SSH_OK)
			return ssh_say(peer, SSH_END_ALGORITHM,
				       "legacy algorithm \"%.64s\": libssh has none of this name",
				       *legacy);
	}
	return SSH_END_OK;
}

static enum ssh_end set_algorithms(struct ssh_peer *peer, const char *const *first)
{
	enum ssh_end end = check_legacy(peer);
	char list[ALGORITHMS_TEXT_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(options_of_lists) && end == SSH_END_OK; i++) {
		enum algorithm kind = options_of_lists[i].kind;

		if (!algorithms_list(kind, peer->options->legacy, first, list) ||
		    ssh_options_set(peer->session, options_of_lists[i].option, list) != SSH_OK)
			end = ssh_say(peer, SSH_END_BAD,
				      "the list of algorithms for %s is not taken",
				      algorithm_name(kind));
	}
	return end;
}

/* ---- connect ---- */

static enum ssh_end dialled(struct ssh_peer *peer, int error)
{
	const char *address = peer->options->address;
	const char *why = error == -ENOENT ? "there is no such name" : strerror(-error);

	switch (error) {
	case -ECANCELED:
		return ssh_say(peer, SSH_END_CANCELLED, "cancelled");
	case -ETIMEDOUT:
		return ssh_say(peer, SSH_END_TIMEOUT, "%s port %u does not answer", address,
			       peer->options->port);
	case -ECONNREFUSED:
		return ssh_say(peer, SSH_END_REFUSED, "%s port %u: connection refused", address,
			       peer->options->port);
	case -EINVAL:
		return ssh_say(peer, SSH_END_BAD,
			       "the proxy command, address or user is not usable");
	}
	return ssh_say(peer, SSH_END_UNREACHABLE, "%s port %u: %s", address, peer->options->port,
		       why);
}

static enum ssh_end dial(struct ssh_peer *peer)
{
	const struct ssh_options *options = peer->options;
	struct patience until = ssh_patience(peer, options->connect_ms);

	if (options->proxy_command)
		peer->fd = dial_command(options->proxy_command, options->address, options->port,
					options->user, &peer->proxy);
	else
		peer->fd = dial_tcp(options->address, options->port, &until);
	return peer->fd < 0 ? dialled(peer, peer->fd) : SSH_END_OK;
}

/* Nothing is read from the machine: what is not said here does not hold. */
static enum ssh_end set_options(struct ssh_peer *peer, const char *const *first)
{
	const struct ssh_options *options = peer->options;
	const int no = 0;
	int r;

	peer->session = ssh_new();
	if (!peer->session)
		return ssh_say(peer, SSH_END_BAD, "no memory");
	r = ssh_options_set(peer->session, SSH_OPTIONS_PROCESS_CONFIG, &no);
	r |= ssh_options_set(peer->session, SSH_OPTIONS_HOST, options->address);
	r |= ssh_options_set(peer->session, SSH_OPTIONS_PORT, &options->port);
	r |= ssh_options_set(peer->session, SSH_OPTIONS_USER, options->user);
	r |= ssh_options_set(peer->session, SSH_OPTIONS_KNOWNHOSTS, "/dev/null");
	r |= ssh_options_set(peer->session, SSH_OPTIONS_GLOBAL_KNOWNHOSTS, "/dev/null");
	r |= ssh_options_set(peer->session, SSH_OPTIONS_FD, &peer->fd);
	if (r != SSH_OK)
		return ssh_failed(peer, SSH_END_BAD, "address, port or user");
	ssh_set_blocking(peer->session, 0);
	return set_algorithms(peer, first);
}

static enum ssh_end exchange_failed(struct ssh_peer *peer)
{
	const char *error = ssh_get_error(peer->session);
	char text[ALGORITHMS_TEXT_MAX];

	if (algorithms_mismatch(error ? error : "", text, sizeof(text)))
		return ssh_say(peer, SSH_END_ALGORITHM, "%s", text);
	if (!ssh_get_serverbanner(peer->session))
		return ssh_say(peer, SSH_END_BUSY,
			       "the switch closed the connection before it said "
			       "anything (too many sessions?)");
	return ssh_failed(peer, SSH_END_LOST, "key exchange");
}

static enum ssh_end exchange_keys(struct ssh_peer *peer)
{
	struct patience until = ssh_patience(peer, peer->options->banner_ms);
	int r;

	peer->fd = -1; /* libssh closes it from here on */
	while ((r = ssh_connect(peer->session)) == SSH_AGAIN) {
		r = ssh_wait(peer, &until);
		if (r < 0)
			return ssh_waited(peer, r, "the beginning of SSH");
	}
	return r == SSH_OK ? SSH_END_OK : exchange_failed(peer);
}

static enum ssh_end take_key(struct ssh_peer *peer, struct host_key *ret)
{
	_cleanup_(key_freep) ssh_key key = NULL;
	const char *type;
	char *base64 = NULL;

	if (ssh_get_server_publickey(peer->session, &key) != SSH_OK ||
	    ssh_pki_export_pubkey_base64(key, &base64) != SSH_OK)
		return ssh_failed(peer, SSH_END_LOST, "the host's key");
	type = ssh_key_type_to_char(ssh_key_type(key));
	(void)snprintf(ret->type, sizeof(ret->type), "%s", type ? type : "unknown");
	ret->base64 = strdup(base64);
	ssh_string_free_char(base64);
	return ret->base64 ? SSH_END_OK : ssh_say(peer, SSH_END_BAD, "no memory");
}

static enum ssh_end meet(struct ssh_peer *peer, const char *const *first, struct host_key *ret)
{
	enum ssh_end end = dial(peer);

	if (end == SSH_END_OK)
		end = set_options(peer, first);
	if (end == SSH_END_OK)
		end = exchange_keys(peer);
	return end == SSH_END_OK ? take_key(peer, ret) : end;
}

static enum ssh_end meet_and_judge(struct ssh_peer *peer, const char *const *first)
{
	_cleanup_(host_key_done) struct host_key key = {};
	_cleanup_free_ char *text = NULL;
	char types[SSH_TYPES_MAX][KNOWN_TYPE_MAX];
	const char *known[SSH_TYPES_MAX + 1] = {};
	enum ssh_end end = ssh_trust_load(peer, &text);

	/* known types first, so that a host with several keys shows one that is known */
	if (text)
		ssh_trust_types(peer->options, text, types, known);
	if (end == SSH_END_OK)
		end = meet(peer, first ? first : known, &key);
	return end == SSH_END_OK ? ssh_trust_judge(peer, &key, text) : end;
}

static void warn_of_legacy(struct ssh_peer *peer)
{
	const char *const *legacy = peer->options->legacy;
	const char *used[] = {
		ssh_get_kex_algo(peer->session),
		ssh_get_cipher_in(peer->session),
		ssh_get_cipher_out(peer->session),
		ssh_get_hmac_in(peer->session),
	};
	char list[ALGORITHMS_TEXT_MAX] = "";

	if (!legacy || !legacy[0])
		return;
	for (size_t i = 0; legacy[i]; i++)
		for (size_t k = 0; k < ARRAY_SIZE(used); k++)
			if (used[k] && strcmp(used[k], legacy[i]) == 0 &&
			    !algorithms_have(list, legacy[i]))
				(void)snprintf(list + strlen(list), sizeof(list) - strlen(list),
					       "%s%s", *list ? "," : "", legacy[i]);
	ssh_warn(peer, "legacy algorithms in use: %s",
		 *list ? list : "none; the setting can go, unless the host key needs it");
}

static enum ssh_end open_once(const struct ssh_options *options, const char *const *first,
			      struct ssh_peer **ret, char *words, size_t size)
{
	_cleanup_peer_ struct ssh_peer *peer = peer_new(options, words, size);
	enum ssh_end end;

	if (!peer)
		return no_memory(words, size);
	end = meet_and_judge(peer, first);
	if (end == SSH_END_OK)
		end = ssh_log_in(peer);
	if (end != SSH_END_OK)
		return end;
	warn_of_legacy(peer);
	peer->options = NULL;
	*ret = TAKE_PTR(peer);
	return SSH_END_OK;
}

/*
 * A fingerprint does not tell what type of key it is of: before the host is called another one, it
 * is asked for each type.
 */
static enum ssh_end open_pinned(const struct ssh_options *options, struct ssh_peer **ret,
				char *words, size_t size)
{
	static const char *const types[][2] = {
		{ NULL },
		{ "ssh-ed25519" },
		{ "ssh-rsa" },
		{ "ecdsa-sha2-nistp256" },
	};
	char first_words[512] = "";
	enum ssh_end end = SSH_END_KEY_CHANGED;

	for (size_t i = 0; i < ARRAY_SIZE(types) && end == SSH_END_KEY_CHANGED; i++) {
		end = open_once(options, types[i], ret, words, size);
		if (i == 0 && size > 0)
			(void)snprintf(first_words, sizeof(first_words), "%s", words);
	}
	if (end == SSH_END_KEY_CHANGED && size > 0)
		(void)snprintf(words, size, "%s", first_words);
	return end;
}

/*
 * What each process that logs in would look up again, for a process that forks many: OpenSSL seeds
 * its generator and finds its algorithms at their first use. The keys are nobody's. A child gets
 * random numbers of its own: OpenSSL's generator and gcrypt's notice a fork.
 */
void ssh_warm_up(void)
{
	static const enum ssh_keytypes_e types[] = { SSH_KEYTYPE_ED25519, SSH_KEYTYPE_ECDSA_P256 };

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		_cleanup_(key_freep) ssh_key key = NULL, again = NULL;
		char *text = NULL;

		if (ssh_pki_generate(types[i], 0, &key) != SSH_OK ||
		    ssh_pki_export_privkey_base64(key, NULL, NULL, NULL, &text) != SSH_OK)
			continue;
		(void)ssh_pki_import_privkey_base64(text, NULL, NULL, NULL, &again);
		ssh_string_free_char(text);
	}
}

static void wipe(char *secret)
{
	if (secret)
		explicit_bzero(secret, strlen(secret));
}

enum ssh_end ssh_peer_open(struct ssh_options *options, struct ssh_peer **ret, char *ret_words,
			   size_t size)
{
	enum ssh_end end;

	if (options->fingerprints && options->fingerprints[0])
		end = open_pinned(options, ret, ret_words, size);
	else
		end = open_once(options, NULL, ret, ret_words, size);
	wipe(options->key);
	wipe(options->password);
	return end;
}

/* ---- another key ---- */

enum ssh_end ssh_peer_key(const struct ssh_options *options, struct host_key *ret,
			  char ret_old[FINGERPRINT_MAX], char *ret_words, size_t size)
{
	_cleanup_peer_ struct ssh_peer *peer = peer_new(options, ret_words, size);
	_cleanup_(host_key_done) struct host_key key = {};
	_cleanup_free_ char *text = NULL;
	enum ssh_end end;

	if (!peer)
		return no_memory(ret_words, size);
	end = ssh_trust_load(peer, &text);
	if (end == SSH_END_OK)
		end = meet(peer, NULL, &key);
	if (end != SSH_END_OK)
		return end;
	ssh_trust_old(options, text ? text : "", &key, ret_old);
	*ret = key;
	key = (struct host_key){};
	return SSH_END_OK;
}

enum ssh_end ssh_peer_accept(const struct ssh_options *options, const struct host_key *key,
			     char *ret_words, size_t size)
{
	_cleanup_peer_ struct ssh_peer *peer = peer_new(options, ret_words, size);

	if (!peer)
		return no_memory(ret_words, size);
	if (!options->known_hosts)
		return ssh_say(peer, SSH_END_KNOWN_HOSTS, "there is no file of known hosts");
	return ssh_trust_remember(peer, key, true);
}
