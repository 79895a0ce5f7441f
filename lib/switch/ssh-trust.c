// SPDX-License-Identifier: LGPL-2.1-or-later
/* Is it the host that it should be? Said before anything of a user is sent. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/switch/ssh-private.h"

struct names {
	char text[2][KNOWN_NAME_MAX];
	const char *list[2];
	size_t n;
};

static void names_of(const struct ssh_options *options, struct names *ret)
{
	known_hosts_name(options->address, options->port, ret->text[0]);
	ret->list[0] = ret->text[0];
	ret->n = 1;
	if (!options->alias)
		return;
	known_hosts_name(options->alias, options->port, ret->text[1]);
	ret->list[1] = ret->text[1];
	ret->n = strcmp(ret->text[0], ret->text[1]) == 0 ? 1 : 2;
}

static bool is_pinned(const struct ssh_options *options)
{
	return options->fingerprints && options->fingerprints[0];
}

enum ssh_end ssh_trust_load(struct ssh_peer *peer, char **ret_text)
{
	const char *path = peer->options->known_hosts;
	int r;

	*ret_text = NULL;
	if (is_pinned(peer->options))
		return SSH_END_OK;
	r = path ? known_hosts_load(path, ret_text) : -EINVAL;
	if (r == 0)
		return SSH_END_OK;
	return ssh_say(peer, SSH_END_KNOWN_HOSTS, "%s cannot be read: %s",
		       path ? path : "known hosts", strerror(-r));
}

/* Each name of which something is known has to have this key. */
static enum known find_known(const struct ssh_options *options, const char *text,
			     const struct host_key *key, char old[FINGERPRINT_MAX])
{
	enum known all = KNOWN_NOT;
	struct names names;

	names_of(options, &names);
	for (size_t i = 0; i < names.n; i++) {
		char other[FINGERPRINT_MAX] = "";
		enum known known = known_hosts_find(text, names.list[i], key, other);

		if (known != KNOWN_SAME && *other)
			memcpy(old, other, sizeof(other));
		if (known > all)
			all = known;
	}
	return all;
}

enum ssh_end ssh_trust_remember(struct ssh_peer *peer, const struct host_key *key, bool replace)
{
	struct names names;
	int r;

	names_of(peer->options, &names);
	r = known_hosts_add(peer->options->known_hosts, names.list, names.n, key, replace);
	if (r == 0)
		return SSH_END_OK;
	return ssh_say(peer, SSH_END_KNOWN_HOSTS, "%s cannot be written: %s",
		       peer->options->known_hosts, strerror(-r));
}

static enum ssh_end judge_pinned(struct ssh_peer *peer, const struct host_key *key,
				 const char *fingerprint)
{
	const char *const *pinned = peer->options->fingerprints;

	for (size_t i = 0; pinned[i]; i++)
		if (strcmp(pinned[i], fingerprint) == 0)
			return SSH_END_OK;
	return ssh_say(peer, SSH_END_KEY_CHANGED,
		       "host key changed: expected %s, the host shows %s %s", pinned[0], key->type,
		       fingerprint);
}

enum ssh_end ssh_trust_judge(struct ssh_peer *peer, const struct host_key *key, const char *text)
{
	char fingerprint[FINGERPRINT_MAX] = "", old[FINGERPRINT_MAX] = "";
	enum ssh_end end;

	if (!host_key_fingerprint(key->base64, fingerprint))
		return ssh_say(peer, SSH_END_LOST, "the host's key is none");
	if (is_pinned(peer->options))
		return judge_pinned(peer, key, fingerprint);
	switch (find_known(peer->options, text, key, old)) {
	case KNOWN_SAME:
		return SSH_END_OK;
	case KNOWN_OTHER:
		return ssh_say(peer, SSH_END_KEY_CHANGED,
			       "host key changed: known is %s, the host shows %s %s", old,
			       key->type, fingerprint);
	case KNOWN_REVOKED:
		return ssh_say(peer, SSH_END_KEY_CHANGED, "host key revoked: the host shows %s %s",
			       key->type, fingerprint);
	case KNOWN_NOT:
		break;
	}
	if (peer->options->trust != SSH_TRUST_FIRST_USE)
		return ssh_say(peer, SSH_END_KEY_UNKNOWN, "host key unknown: the host shows %s %s",
			       key->type, fingerprint);
	end = ssh_trust_remember(peer, key, false);
	if (end == SSH_END_OK)
		ssh_warn(peer, "the host key %s %s was not known and is from now on", key->type,
			 fingerprint);
	return end;
}

/* Known types first, so that a host with several keys shows one that is known. */
void ssh_trust_types(const struct ssh_options *options, const char *text,
		     char types[SSH_TYPES_MAX][KNOWN_TYPE_MAX], const char *ret[SSH_TYPES_MAX + 1])
{
	struct names names;
	size_t n = 0;

	names_of(options, &names);
	for (size_t i = 0; i < names.n; i++)
		for (size_t k = 0;
		     n < SSH_TYPES_MAX && known_hosts_type(text, names.list[i], k, types[n]); k++) {
			ret[n] = types[n];
			n++;
		}
	ret[n] = NULL;
}

void ssh_trust_old(const struct ssh_options *options, const char *text, const struct host_key *key,
		   char ret[FINGERPRINT_MAX])
{
	ret[0] = '\0';
	if (find_known(options, text, key, ret) == KNOWN_SAME)
		(void)host_key_fingerprint(key->base64, ret);
}
