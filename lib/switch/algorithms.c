// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Lists of SSH's algorithms. The defaults are those of libssh 0.10, written out: its own may be
 * changed by a configuration of the whole machine, and it does not take OpenSSH's "+name".
 */
#include "lib/switch/algorithms.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"

static const struct {
	const char *name;
	const char *list;
	const char *libssh; /* how its errors call it */
} kinds[] = {
	[ALGORITHM_KEX] = { "kex",
			    "curve25519-sha256,curve25519-sha256@libssh.org,ecdh-sha2-nistp256,"
			    "ecdh-sha2-nistp384,ecdh-sha2-nistp521,diffie-hellman-group18-sha512,"
			    "diffie-hellman-group16-sha512,diffie-hellman-group-exchange-sha256,"
			    "diffie-hellman-group14-sha256",
			    "kex algos" },
	[ALGORITHM_HOSTKEY] = { "hostkey",
				"ssh-ed25519,ecdsa-sha2-nistp521,ecdsa-sha2-nistp384,"
				"ecdsa-sha2-nistp256,rsa-sha2-512,rsa-sha2-256",
				"server host key algo" },
	[ALGORITHM_CIPHER] = { "cipher",
			       "chacha20-poly1305@openssh.com,aes256-gcm@openssh.com,"
			       "aes128-gcm@openssh.com,aes256-ctr,aes192-ctr,aes128-ctr",
			       "encryption" },
	[ALGORITHM_MAC] = { "mac",
			    "hmac-sha2-256-etm@openssh.com,hmac-sha2-512-etm@openssh.com,"
			    "hmac-sha2-256,hmac-sha2-512",
			    "mac algo" },
};
static_assert(ARRAY_SIZE(kinds) == ALGORITHM_MAX, "a row for each kind");

/* Beginnings of names (RFC 4250 section 4.11, and what came after it). */
static const struct {
	const char *begins;
	enum algorithm kind;
} beginnings[] = {
	{ "diffie-hellman-", ALGORITHM_KEX }, { "ecdh-", ALGORITHM_KEX },
	{ "curve25519-", ALGORITHM_KEX },     { "curve448-", ALGORITHM_KEX },
	{ "sntrup", ALGORITHM_KEX },	      { "mlkem", ALGORITHM_KEX },
	{ "ssh-", ALGORITHM_HOSTKEY },	      { "rsa-sha2-", ALGORITHM_HOSTKEY },
	{ "ecdsa-", ALGORITHM_HOSTKEY },      { "hmac-", ALGORITHM_MAC },
	{ "umac-", ALGORITHM_MAC },	      { "aes", ALGORITHM_CIPHER },
	{ "3des-", ALGORITHM_CIPHER },	      { "blowfish-", ALGORITHM_CIPHER },
	{ "chacha20-", ALGORITHM_CIPHER },    { "rijndael-", ALGORITHM_CIPHER },
	{ "cast128-", ALGORITHM_CIPHER },     { "arcfour", ALGORITHM_CIPHER },
};

const char *algorithm_name(enum algorithm kind)
{
	return kinds[kind].name;
}

enum algorithm algorithm_kind(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-@._";

	if (name[strspn(name, letters)] || strlen(name) > 64)
		return ALGORITHM_MAX;
	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++)
		if (strncmp(name, beginnings[i].begins, strlen(beginnings[i].begins)) == 0)
			return beginnings[i].kind;
	return ALGORITHM_MAX;
}

static bool has(const char *list, const char *name, size_t size)
{
	while (*list) {
		size_t n = strcspn(list, ",");

		if (n == size && memcmp(list, name, n) == 0)
			return true;
		list += n + (list[n] == ',');
	}
	return false;
}

bool algorithms_have(const char *list, const char *name)
{
	return has(list, name, strlen(name));
}

/* Behind what is there, unless it is there already. */
static bool append(char ret[ALGORITHMS_TEXT_MAX], const char *name, size_t size)
{
	size_t n = strlen(ret);

	if (has(ret, name, size))
		return true;
	if (n + size + 2 > ALGORITHMS_TEXT_MAX)
		return false;
	if (n > 0)
		ret[n++] = ',';
	memcpy(ret + n, name, size);
	ret[n + size] = '\0';
	return true;
}

/* Those of @from that sign with a key of @type; all if it is NULL. */
static bool append_all(char ret[ALGORITHMS_TEXT_MAX], const char *from, const char *type)
{
	bool rsa = type && strcmp(type, "ssh-rsa") == 0, fits = true;

	while (*from && fits) {
		size_t n = strcspn(from, ",");
		bool wanted = !type || (n == strlen(type) && memcmp(from, type, n) == 0) ||
			      (rsa && strncmp(from, "rsa-sha2-", 9) == 0);

		if (wanted)
			fits = append(ret, from, n);
		from += n + (from[n] == ',');
	}
	return fits;
}

bool algorithms_list(enum algorithm kind, const char *const *legacy, const char *const *first,
		     char ret[ALGORITHMS_TEXT_MAX])
{
	char all[ALGORITHMS_TEXT_MAX] = "";
	bool fits = append_all(all, kinds[kind].list, NULL);

	for (; fits && legacy && *legacy; legacy++)
		if (algorithm_kind(*legacy) == kind)
			fits = append(all, *legacy, strlen(*legacy));
	ret[0] = '\0';
	for (; fits && first && *first && kind == ALGORITHM_HOSTKEY; first++)
		fits = append_all(ret, all, *first);
	return fits && append_all(ret, all, NULL);
}

/* "...: server [a,b], client [c,d]" */
static bool bracket(const char *error, const char *before, const char **ret, int *ret_size)
{
	const char *at = strstr(error, before), *end;

	if (!at)
		return false;
	at += strlen(before);
	end = strchr(at, ']');
	if (!end)
		return false;
	*ret = at;
	*ret_size = (int)MIN((size_t)(end - at), (size_t)300);
	return true;
}

bool algorithms_mismatch(const char *error, char *ret, size_t size)
{
	const char *theirs, *ours, *what = strstr(error, "no match for method ");
	int n_theirs, n_ours;

	if (!what)
		return false;
	what += strlen("no match for method ");
	if (!bracket(what, "server [", &theirs, &n_theirs) ||
	    !bracket(what, "client [", &ours, &n_ours))
		return false;
	for (size_t i = 0; i < ALGORITHM_MAX; i++) {
		if (strncmp(what, kinds[i].libssh, strlen(kinds[i].libssh)) != 0)
			continue;
		(void)snprintf(ret, size, "no common %s: the switch offers %.*s "
			       "(legacy_algorithms allows old ones); "
			       "we offer %.*s",
			       kinds[i].name, n_theirs, theirs, n_ours, ours);
		return true;
	}
	return false;
}
