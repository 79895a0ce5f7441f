// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The words have a closed set of characters, and "--" stands before the host: neither ssh nor the
 * shell at the other end finds anything to interpret.
 */
#include "cli/ssh.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/macro.h"

extern char **environ;

enum { HOST_MAX = 320, ARGUMENTS_MAX = SSH_WORDS_MAX + 16 };

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

bool ssh_host_is_valid(const char *host)
{
	size_t size = strlen(host);

	return size > 0 && size < HOST_MAX && *host != '-' && !host[strspn(host, LETTERS "@._:-")];
}

static bool word_is_valid(const char *word)
{
	return *word && !word[strspn(word, LETTERS "-_./")];
}

static int make_arguments(const struct ssh_call *call, const char *arguments[ARGUMENTS_MAX])
{
	static const char *const batch[] = { "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10",
					     "-o", "ServerAliveInterval=15" };
	size_t n = 0;

	if (!ssh_host_is_valid(call->host) || call->n_words > SSH_WORDS_MAX)
		return -EINVAL;
	arguments[n++] = "ssh";
	for (size_t i = 0; call->batch && i < ARRAY_SIZE(batch); i++)
		arguments[n++] = batch[i];
	arguments[n++] = "--";
	arguments[n++] = call->host;
	arguments[n++] = "losslessctl";
	for (size_t i = 0; i < call->n_words; i++) {
		if (!word_is_valid(call->word[i]))
			return -EINVAL;
		arguments[n++] = call->word[i];
	}
	arguments[n] = NULL;
	return 0;
}

static int redirect(posix_spawn_file_actions_t *actions, const struct ssh_call *call)
{
	int r;

	if (call->in >= 0)
		r = posix_spawn_file_actions_adddup2(actions, call->in, STDIN_FILENO);
	else
		r = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY,
						     0);
	if (r == 0 && call->out >= 0)
		r = posix_spawn_file_actions_adddup2(actions, call->out, STDOUT_FILENO);
	if (r == 0 && call->err >= 0)
		r = posix_spawn_file_actions_adddup2(actions, call->err, STDERR_FILENO);
	return r;
}

int ssh_begin(const struct ssh_call *call, pid_t *ret)
{
	const char *arguments[ARGUMENTS_MAX];
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int r;

	r = make_arguments(call, arguments);
	if (r < 0)
		return r;
	if (posix_spawn_file_actions_init(&actions) != 0)
		return -ENOMEM;
	if (posix_spawnattr_init(&attributes) != 0) {
		(void)posix_spawn_file_actions_destroy(&actions);
		return -ENOMEM;
	}
	r = redirect(&actions, call);
	if (r == 0 && call->apart)
		r = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
	if (r == 0)
		r = posix_spawnp(ret, "ssh", &actions, &attributes, (char **)arguments, environ);
	(void)posix_spawnattr_destroy(&attributes);
	(void)posix_spawn_file_actions_destroy(&actions);
	return -r;
}

int ssh_end_any(pid_t *ret, int *ret_status)
{
	pid_t pid;
	int status;

	do
		pid = waitpid(-1, &status, 0);
	while (pid < 0 && errno == EINTR);
	if (pid < 0)
		return -errno;
	*ret = pid;
	*ret_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	return 0;
}
