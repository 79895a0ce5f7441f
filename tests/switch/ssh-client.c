// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The transport and the session from a command line, for tests with real servers: options as
 * NAME=VALUE, then lines to be sent. Says what came of it.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/base/read.h"
#include "lib/switch/credential.h"
#include "lib/switch/dialect.h"
#include "lib/switch/ssh.h"
#include "tests/switch/scripted.h"

enum { WORDS_MAX = 1024, LIST_MAX = 16, DIALECT_MAX = 1024 * 1024 };

static volatile sig_atomic_t cancelled;

static void cancel(int signal)
{
	cancelled = 1;
}

static const char *const ends[] = {
	"ok",	       "refused",     "unreachable", "timeout", "key-changed",
	"key-unknown", "known-hosts", "algorithm",   "auth",	"busy",
	"lost",	       "cancelled",   "bad",
};
static_assert(ARRAY_SIZE(ends) == SSH_END_MAX, "a word for each end");

struct client {
	struct ssh_options options;
	const char *fingerprints[LIST_MAX], *legacy[LIST_MAX];
	const char *dialect;
	struct credential key, password, enable;
	bool exec, accept, key_only;
};

static void die(const char *what)
{
	(void)fprintf(stderr, "ssh-client: %s\n", what);
	exit(64);
}

/* In a file, so that no command line has it. */
static void secret(char *path, struct credential *ret)
{
	char *name = strrchr(path, '/'), why[WORDS_MAX];

	if (!name)
		die(path);
	*name++ = '\0';
	if (credential_read(path, name, ret, why, sizeof(why)) < 0)
		die(why);
}

static void split(char *value, const char *ret[LIST_MAX])
{
	size_t n = 0;

	for (char *word = strtok(value, ","); word && n + 1 < LIST_MAX; word = strtok(NULL, ","))
		ret[n++] = word;
}

static void number(const char *value, unsigned int *ret)
{
	*ret = (unsigned int)strtoul(value, NULL, 10);
}

static void option(struct client *client, const char *name, char *value)
{
	struct ssh_options *options = &client->options;
	const struct {
		const char *name;
		const char **text;
		unsigned int *number;
		struct credential *secret;
		bool *flag;
		const char **list;
	} known[] = {
		{ "address", .text = &options->address },
		{ "alias", .text = &options->alias },
		{ "user", .text = &options->user },
		{ "known", .text = &options->known_hosts },
		{ "proxy", .text = &options->proxy_command },
		{ "port", .number = &options->port },
		{ "connect_ms", .number = &options->connect_ms },
		{ "banner_ms", .number = &options->banner_ms },
		{ "auth_ms", .number = &options->auth_ms },
		{ "trust", .number = &options->trust },
		{ "key", .secret = &client->key },
		{ "password", .secret = &client->password },
		{ "enable", .secret = &client->enable },
		{ "dialect", .text = &client->dialect },
		{ "exec", .flag = &client->exec },
		{ "accept", .flag = &client->accept },
		{ "show", .flag = &client->key_only },
		{ "fingerprints", .list = client->fingerprints },
		{ "legacy", .list = client->legacy },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (strcmp(known[i].name, name) != 0)
			continue;
		if (known[i].text)
			*known[i].text = value;
		else if (known[i].number)
			number(value, known[i].number);
		else if (known[i].secret)
			secret(value, known[i].secret);
		else if (known[i].flag)
			*known[i].flag = true;
		else
			split(value, known[i].list);
		return;
	}
	die(name);
}

static int said(enum ssh_end end, const char *words)
{
	(void)printf("%s%s%s\n", ends[end], *words ? ": " : "", words);
	(void)fflush(stdout);
	return end == SSH_END_OK ? 0 : 1;
}

static int show_key(const struct client *client)
{
	char words[WORDS_MAX] = "", old[FINGERPRINT_MAX], fingerprint[FINGERPRINT_MAX];
	struct host_key key = {};
	enum ssh_end end = ssh_peer_key(&client->options, &key, old, words, sizeof(words));

	if (end != SSH_END_OK)
		return said(end, words);
	if (!host_key_fingerprint(key.base64, fingerprint))
		die("no fingerprint");
	(void)printf("key: %s %s\nold: %s\n", key.type, fingerprint, old);
	if (client->accept)
		end = ssh_peer_accept(&client->options, &key, words, sizeof(words));
	host_key_done(&key);
	return said(end, words);
}

static struct dialect *load_dialect(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	_cleanup_free_ char *text = NULL;
	struct dialect *dialect = NULL;
	struct diags diags = {};
	size_t size;

	if (fd < 0 || read_whole(fd, DIALECT_MAX, &text, &size) < 0 ||
	    dialect_load(text, size, &dialect, &diags) < 0)
		die(path);
	diags_done(&diags);
	return dialect;
}

/* "save" is the line that saves, for the questions that may be answered. */
static enum ask_where where_of(const char *line)
{
	return strncmp(line, "save", 4) == 0 || strncmp(line, "write", 5) == 0 ? ASK_SAVE :
										 ASK_LINES;
}

static int send_lines(const struct client *client, const struct session_rules *rules,
		      struct channel *channel, char **lines)
{
	static const struct session_limits limits = { 10 * 1000, 50, 1024 * 1024 };
	struct session *session = NULL;
	char words[WORDS_MAX] = "";
	enum session_end end;

	end = session_open(rules, channel, &limits, NULL, 0, client->enable.text, &session, words,
			   sizeof(words));
	(void)printf("session: %d %s%s\n", (int)end, words,
		     end == SESSION_OK ? session_host(session) : "");
	for (size_t i = 0; session && session_warning(session, i); i++)
		(void)printf("warning: %s\n", session_warning(session, i));
	for (; end == SESSION_OK && *lines; lines++) {
		_cleanup_free_ char *answer = NULL;
		size_t size;

		end = session_line(session, *lines, where_of(*lines), SESSION_ANY_MODE, &answer,
				   &size, words, sizeof(words));
		(void)printf("line: %d %s%s\n", (int)end, words, answer ? answer : "");
		(void)printf("at: %s %s\n", session_mark(session), session_mode(session));
		(void)fflush(stdout);
		if (end == SESSION_CANCELLED)
			end = SESSION_OK;
	}
	(void)session_free(session);
	return end == SESSION_OK ? 0 : 1;
}

static int talk(struct client *client, char **lines)
{
	char words[WORDS_MAX] = "";
	struct dialect *dialect = client->dialect ? load_dialect(client->dialect) : NULL;
	struct session_rules rules = dialect ? *dialect_rules(dialect) : rules_huawei;
	struct ssh_peer *peer = NULL;
	struct channel *channel;
	enum ssh_end end;
	int status;

	if (client->exec) {
		rules.channel = SESSION_EXEC;
		rules.exit_status = true;
	}
	end = ssh_peer_open(&client->options, &peer, words, sizeof(words));
	if ((client->options.password && client->options.password[0]) ||
	    (client->options.key && client->options.key[0]))
		die("a secret was not wiped");
	if (end == SSH_END_OK)
		end = ssh_peer_channel(peer, rules.channel == SESSION_EXEC ? 0 : rules.width,
				       &channel, words, sizeof(words));
	status = said(end, words);
	for (size_t i = 0; end == SSH_END_OK && ssh_peer_warning(peer, i); i++)
		(void)printf("warning: %s\n", ssh_peer_warning(peer, i));
	(void)fflush(stdout);
	if (end == SSH_END_OK && *lines)
		status = send_lines(client, &rules, channel, lines);
	(void)ssh_peer_free(peer);
	(void)dialect_free(dialect);
	return status;
}

int main(int argc, char **argv)
{
	struct client client = {
		.options = { .address = "127.0.0.1",
			     .port = 22,
			     .user = "nobody",
			     .connect_ms = 5000,
			     .banner_ms = 10000,
			     .auth_ms = 10000,
			     .command_ms = 10000,
			     .cancelled = &cancelled },
	};
	int i, status;

	(void)signal(SIGTERM, cancel);
	(void)signal(SIGPIPE, SIG_IGN);
	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		char *value = strchr(argv[i], '=');

		if (!value)
			die(argv[i]);
		*value++ = '\0';
		option(&client, argv[i], value);
	}
	client.options.fingerprints = client.fingerprints;
	client.options.legacy = client.legacy;
	client.options.key = client.key.text;
	client.options.password = client.password.text;
	if (client.accept || client.key_only)
		status = show_key(&client);
	else
		status = talk(&client, argv + MIN(i + 1, argc));
	credential_done(&client.key);
	credential_done(&client.password);
	credential_done(&client.enable);
	return status;
}
