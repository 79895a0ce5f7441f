// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Logging in: with a key, with a password, or with the same password into the one question that
 * asks for it. A password is given once: switches lock accounts.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/switch/ssh-private.h"

enum { ROUNDS_MAX = 8 }; /* of questions before somebody is let in */

static void key_freep(ssh_key *key)
{
	ssh_key_free(*key);
}

/* ---- calls that libssh wants to have repeated ---- */

enum call { CALL_NONE, CALL_PUBLICKEY, CALL_PASSWORD, CALL_QUESTIONS };

static int call_once(struct ssh_peer *peer, enum call call, ssh_key key)
{
	switch (call) {
	case CALL_NONE:
		return ssh_userauth_none(peer->session, NULL);
	case CALL_PUBLICKEY:
		return ssh_userauth_publickey(peer->session, NULL, key);
	case CALL_PASSWORD:
		return ssh_userauth_password(peer->session, NULL, peer->options->password);
	case CALL_QUESTIONS:
		return ssh_userauth_kbdint(peer->session, NULL, NULL);
	}
	return SSH_AUTH_ERROR;
}

/* Returns how libssh answered in @ret. */
static enum ssh_end call_libssh(struct ssh_peer *peer, enum call call, ssh_key key,
				const struct patience *until, int *ret)
{
	while ((*ret = call_once(peer, call, key)) == SSH_AUTH_AGAIN) {
		int r = ssh_wait(peer, until);

		if (r < 0)
			return ssh_waited(peer, r, "logging in");
	}
	if (*ret == SSH_AUTH_ERROR)
		return ssh_failed(peer, SSH_END_LOST, "logging in");
	return SSH_END_OK;
}

/* ---- methods ---- */

static bool wants_password(const char *prompt)
{
	return strcasestr(prompt, "password") || strcasestr(prompt, "passcode") ||
	       strcasestr(prompt, "passphrase");
}

static enum ssh_end answer(struct ssh_peer *peer, unsigned int i)
{
	char echo = 1, said[200];
	const char *prompt = ssh_userauth_kbdint_getprompt(peer->session, i, &echo);

	if (!prompt)
		return ssh_failed(peer, SSH_END_AUTH, "logging in");
	ssh_quote(prompt, said, sizeof(said));
	if (echo || !wants_password(prompt))
		return ssh_say(peer, SSH_END_AUTH,
			       "the switch asks \"%s\" before it lets anybody in", said);
	if (peer->given)
		return ssh_say(peer, SSH_END_AUTH, "the switch refused the password");
	peer->given = true;
	if (ssh_userauth_kbdint_setanswer(peer->session, i, peer->options->password) < 0)
		return ssh_say(peer, SSH_END_BAD, "no memory");
	return SSH_END_OK;
}

static enum ssh_end ask_and_answer(struct ssh_peer *peer, const struct patience *until, int *ret)
{
	for (unsigned int round = 0; round < ROUNDS_MAX; round++) {
		enum ssh_end end = call_libssh(peer, CALL_QUESTIONS, NULL, until, ret);
		int n;

		if (end != SSH_END_OK || *ret != SSH_AUTH_INFO)
			return end;
		n = ssh_userauth_kbdint_getnprompts(peer->session);
		for (int i = 0; i < n && end == SSH_END_OK; i++)
			end = answer(peer, (unsigned int)i);
		if (end != SSH_END_OK)
			return end;
	}
	return ssh_say(peer, SSH_END_AUTH, "the switch does not stop asking");
}

static enum ssh_end show_key(struct ssh_peer *peer, const struct patience *until, int *ret)
{
	_cleanup_(key_freep) ssh_key key = NULL;

	if (ssh_pki_import_privkey_base64(peer->options->key, NULL, NULL, NULL, &key) != SSH_OK)
		return ssh_say(peer, SSH_END_AUTH,
			       "the private key cannot be used: no key, or one with a passphrase");
	return call_libssh(peer, CALL_PUBLICKEY, key, until, ret);
}

/* What the host takes next; false if there is nothing that we have. */
static bool method_choose(const struct ssh_peer *peer, int methods, bool shown, enum call *ret)
{
	bool password = peer->options->password && !peer->given;

	if (peer->options->key && !shown && methods & SSH_AUTH_METHOD_PUBLICKEY)
		*ret = CALL_PUBLICKEY;
	else if (password && methods & SSH_AUTH_METHOD_PASSWORD)
		*ret = CALL_PASSWORD;
	else if (password && methods & SSH_AUTH_METHOD_INTERACTIVE)
		*ret = CALL_QUESTIONS;
	else
		return false;
	return true;
}

static enum ssh_end refused(struct ssh_peer *peer, int methods, bool shown)
{
	static const struct {
		int method;
		const char *name;
	} names[] = {
		{ SSH_AUTH_METHOD_PUBLICKEY, "publickey" },
		{ SSH_AUTH_METHOD_PASSWORD, "password" },
		{ SSH_AUTH_METHOD_INTERACTIVE, "keyboard-interactive" },
		{ SSH_AUTH_METHOD_HOSTBASED, "hostbased" },
		{ SSH_AUTH_METHOD_GSSAPI_MIC, "gssapi" },
	};
	char list[128] = "";

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (methods & names[i].method)
			(void)snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s",
				       *list ? ", " : "", names[i].name);
	return ssh_say(peer, SSH_END_AUTH, "the switch refused user \"%s\" with %s; it takes: %s",
		       peer->options->user,
		       peer->given && shown ? "the key and the password" :
		       peer->given	    ? "the password" :
		       shown		    ? "the key" :
					      "nothing to log in with",
		       *list ? list : "nothing");
}

enum ssh_end ssh_log_in(struct ssh_peer *peer)
{
	struct patience until = ssh_patience(peer, peer->options->auth_ms);
	bool shown = false;
	int result = 0;
	enum ssh_end end;

	end = call_libssh(peer, CALL_NONE, NULL, &until, &result);
	while (end == SSH_END_OK && result != SSH_AUTH_SUCCESS) {
		int methods = ssh_userauth_list(peer->session, NULL);
		enum call call;

		if (!method_choose(peer, methods, shown, &call))
			return refused(peer, methods, shown);
		if (call == CALL_PUBLICKEY) {
			shown = true;
			end = show_key(peer, &until, &result);
		} else if (call == CALL_PASSWORD) {
			peer->given = true;
			end = call_libssh(peer, call, NULL, &until, &result);
		} else {
			end = ask_and_answer(peer, &until, &result);
			if (!peer->given && result != SSH_AUTH_SUCCESS && end == SSH_END_OK)
				return refused(peer, methods, shown);
		}
	}
	return end;
}
