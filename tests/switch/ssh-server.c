// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A server of libssh that does what no sshd does for a user without root: it takes a password, asks
 * questions, or closes at a moment of choice. Usage: ssh-server MODE HOSTKEY PASSWORD-FILE. It says
 * its port on the first line, then each request for authentication. One connection at a time.
 */
#include <arpa/inet.h>
#include <libssh/callbacks.h>
#include <libssh/libssh.h>
#include <libssh/server.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TEXT_MAX = 256 };

static const char *mode;
static char password[TEXT_MAX];

static void die(const char *what)
{
	(void)fprintf(stderr, "ssh-server: %s\n", what);
	exit(1);
}

static bool mode_is(const char *name)
{
	return strcmp(mode, name) == 0;
}

static void say_request(const char *method, ssh_message message)
{
	(void)printf("userauth %s %s\n", method, ssh_message_auth_user(message));
}

static int methods(void)
{
	if (mode_is("password") || mode_is("close-shell") || mode_is("no-shell"))
		return SSH_AUTH_METHOD_PASSWORD;
	if (mode_is("both"))
		return SSH_AUTH_METHOD_PASSWORD | SSH_AUTH_METHOD_INTERACTIVE;
	if (mode_is("gssapi"))
		return SSH_AUTH_METHOD_GSSAPI_MIC;
	return SSH_AUTH_METHOD_INTERACTIVE;
}

/* What is asked, in the modes that ask. */
static void ask(ssh_message message)
{
	static const char *prompts[2];
	static char echo[2];
	unsigned int n = 1;

	prompts[0] = mode_is("token") ? "Token: " : "Password: ";
	echo[0] = mode_is("echoed");
	if (mode_is("two")) {
		prompts[n++] = "Password again: ";
		echo[1] = 0;
	}
	(void)ssh_message_auth_interactive_request(message, "", "", n, prompts, echo);
}

/* Returns 1 if somebody is let in, 0 if not, -1 if more is asked. */
static int questions(ssh_session session, ssh_message message)
{
	static int round;
	const char *answer;
	int n;

	if (!ssh_message_auth_kbdint_is_response(message)) {
		say_request("keyboard-interactive", message);
		round = 0;
		ask(message);
		return -1;
	}
	n = ssh_userauth_kbdint_getnanswers(session);
	(void)printf("answers %d\n", n);
	answer = n > 0 ? ssh_userauth_kbdint_getanswer(session, 0) : "";
	if (mode_is("again") && round++ < 3) {
		ask(message);
		return -1;
	}
	return strcmp(answer, password) == 0;
}

/* The callbacks that are to replace it come with an event loop of their own. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static int judge(ssh_session session, ssh_message message)
{
	switch (ssh_message_subtype(message)) {
	case SSH_AUTH_METHOD_NONE:
		say_request("none", message);
		return 0;
	case SSH_AUTH_METHOD_PASSWORD:
		say_request("password", message);
		return methods() & SSH_AUTH_METHOD_PASSWORD &&
		       strcmp(ssh_message_auth_password(message), password) == 0;
	case SSH_AUTH_METHOD_INTERACTIVE:
		return questions(session, message);
	}
	return 0;
}

static bool authenticate(ssh_session session)
{
	ssh_message message;

	while ((message = ssh_message_get(session))) {
		int let_in = 0;

		if (ssh_message_type(message) == SSH_REQUEST_AUTH) {
			let_in = judge(session, message);
			(void)fflush(stdout);
			if (let_in > 0)
				(void)ssh_message_auth_reply_success(message, 0);
		}
		if (let_in == 0) {
			(void)ssh_message_auth_set_methods(message, methods());
			(void)ssh_message_reply_default(message);
		}
		ssh_message_free(message);
		if (let_in > 0)
			return true;
	}
	return false;
}

static ssh_channel open_channel(ssh_session session)
{
	ssh_channel channel = NULL;
	ssh_message message;

	while (!channel && (message = ssh_message_get(session))) {
		if (ssh_message_type(message) == SSH_REQUEST_CHANNEL_OPEN && !mode_is("no-shell"))
			channel = ssh_message_channel_request_open_reply_accept(message);
		else
			(void)ssh_message_reply_default(message);
		ssh_message_free(message);
	}
	return channel;
}

static bool want_shell(ssh_session session)
{
	ssh_message message;

	while ((message = ssh_message_get(session))) {
		bool shell = ssh_message_type(message) == SSH_REQUEST_CHANNEL &&
			     ssh_message_subtype(message) == SSH_CHANNEL_REQUEST_SHELL;

		if (ssh_message_type(message) == SSH_REQUEST_CHANNEL)
			(void)ssh_message_channel_request_reply_success(message);
		else
			(void)ssh_message_reply_default(message);
		ssh_message_free(message);
		if (shell)
			return true;
	}
	return false;
}

static void say(ssh_channel channel, const char *text)
{
	(void)ssh_channel_write(channel, text, (uint32_t)strlen(text));
}

/* Each line is echoed and has no answer. */
static void talk(ssh_channel channel)
{
	char line[TEXT_MAX];
	int n;

	say(channel, "\r\n<sw-lab-1>");
	while ((n = ssh_channel_read(channel, line, sizeof(line) - 1, 0)) > 0) {
		line[n] = '\0';
		line[strcspn(line, "\n")] = '\0';
		say(channel, line);
		say(channel, "\r\n<sw-lab-1>");
	}
}

static void serve(ssh_session session)
{
	ssh_channel channel;

	if (ssh_handle_key_exchange(session) != SSH_OK || !authenticate(session))
		return;
	channel = open_channel(session);
	if (!channel || !want_shell(session))
		return;
	if (!mode_is("close-shell"))
		talk(channel);
	(void)ssh_channel_close(channel);
	ssh_channel_free(channel);
}

static int listen_somewhere(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) < 0 || listen(fd, 8) < 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &size) < 0)
		die("no socket");
	(void)printf("%u\n", ntohs(address.sin_port));
	(void)fflush(stdout);
	return fd;
}

int main(int argc, char **argv)
{
	ssh_bind bind_to = ssh_bind_new();
	FILE *file = argc == 4 ? fopen(argv[3], "re") : NULL;
	const bool no = false;
	int listening;

	if (!file || !fgets(password, sizeof(password), file))
		die("usage: ssh-server MODE HOSTKEY PASSWORD-FILE");
	(void)fclose(file);
	password[strcspn(password, "\n")] = '\0';
	mode = argv[1];
	(void)signal(SIGPIPE, SIG_IGN);
	(void)ssh_bind_options_set(bind_to, SSH_BIND_OPTIONS_PROCESS_CONFIG, &no);
	(void)ssh_bind_options_set(bind_to, SSH_BIND_OPTIONS_HOSTKEY, argv[2]);
	listening = listen_somewhere();
	for (;;) {
		int fd = accept(listening, NULL, NULL);
		ssh_session session = ssh_new();

		if (fd >= 0 && mode_is("close"))
			(void)close(fd);
		else if (fd >= 0 && mode_is("silent"))
			(void)fd; /* kept, and nothing is said */
		else if (fd >= 0 && ssh_bind_accept_fd(bind_to, session, fd) == SSH_OK)
			serve(session);
		ssh_disconnect(session);
		ssh_free(session);
	}
}
