// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Many switches in one program, for the benchmark of pushes. Recording, it stands between a client
 * and one emulated switch, a line at a time, and writes down what is said. Playing, it says the
 * same to as many as ask: the n-th session at a switch is the n-th that was recorded, a line that
 * was not recorded ends it, and each answer takes its time before its prompt. A process a
 * connection; the key of whoever logs in is not compared with any.
 *
 * switch-server record HOSTKEY DIR EMULATOR ARGS...   sessions are DIR/1, DIR/2...
 * switch-server play HOSTKEY DIR COUNT MS             both say a port a line; SIGTERM ends them
 */
#include <arpa/inet.h>
#include <errno.h>
#include <libssh/callbacks.h>
#include <libssh/libssh.h>
#include <libssh/server.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	SWITCHES_MAX = 256,
	LINE_SIZE = 1024,
	ANSWER_SIZE = 1024 * 1024,
	QUIET_MS = 300, /* the emulated switch has said all */
	FIRST_MS = 20000, /* it is an interpreter that has to start */
};

struct server {
	char **emulator; /* NULL: play */
	const char *folder;
	long delay_ms;
	size_t n;
	struct pollfd listeners[SWITCHES_MAX];
	unsigned int sessions[SWITCHES_MAX];
};

struct talk {
	ssh_session session;
	ssh_channel channel;
	FILE *file;
	int width;
	int emulator_fd;
	long delay_ms;
	char prompt[LINE_SIZE];
};

static volatile sig_atomic_t ended;

static void on_end(int number)
{
	ended = 1;
}

static void die(const char *what)
{
	(void)fprintf(stderr, "switch-server: %s\n", what);
	exit(EXIT_FAILURE);
}

/* ---- SSH; see tests/switch/ssh-server.c ---- */

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Its signature has to be right; whose key it is does not matter here. */
static bool take_key(ssh_message message)
{
	if (ssh_message_type(message) != SSH_REQUEST_AUTH ||
	    ssh_message_subtype(message) != SSH_AUTH_METHOD_PUBLICKEY) {
		(void)ssh_message_auth_set_methods(message, SSH_AUTH_METHOD_PUBLICKEY);
		(void)ssh_message_reply_default(message);
		return false;
	}
	if (ssh_message_auth_publickey_state(message) == SSH_PUBLICKEY_STATE_VALID) {
		(void)ssh_message_auth_reply_success(message, 0);
		return true;
	}
	(void)ssh_message_auth_reply_pk_ok_simple(message);
	return false;
}

static bool authenticate(ssh_session session)
{
	ssh_message message;
	bool in = false;

	while (!in && (message = ssh_message_get(session))) {
		in = take_key(message);
		ssh_message_free(message);
	}
	return in;
}

/* Returns true once a shell was asked for. */
static bool take_request(struct talk *talk, ssh_message message)
{
	int type = ssh_message_type(message), subtype = ssh_message_subtype(message);

	if (type == SSH_REQUEST_CHANNEL_OPEN && !talk->channel) {
		talk->channel = ssh_message_channel_request_open_reply_accept(message);
		return false;
	}
	if (type != SSH_REQUEST_CHANNEL) {
		(void)ssh_message_reply_default(message);
		return false;
	}
	if (subtype == SSH_CHANNEL_REQUEST_PTY)
		talk->width = ssh_message_channel_request_pty_width(message);
	(void)ssh_message_channel_request_reply_success(message);
	return subtype == SSH_CHANNEL_REQUEST_SHELL;
}

static bool want_shell(struct talk *talk)
{
	ssh_message message;
	bool shell = false;

	while (!shell && (message = ssh_message_get(talk->session))) {
		shell = take_request(talk, message);
		ssh_message_free(message);
	}
	return shell;
}

static void say(struct talk *talk, const char *text, size_t size)
{
	if (size > 0)
		(void)ssh_channel_write(talk->channel, text, (uint32_t)size);
}

/* Returns false if nothing more will come. */
static bool hear_line(struct talk *talk, char ret[LINE_SIZE])
{
	size_t n = 0;
	char c;

	while (n < LINE_SIZE - 1 && ssh_channel_read(talk->channel, &c, 1, 0) == 1) {
		if (c == '\n' || c == '\r') {
			ret[n] = '\0';
			return true;
		}
		ret[n++] = c;
	}
	return false;
}

/* ---- what is said ---- */

/* Where the last line begins, which is a prompt. */
static size_t prompt_at(const char *text, size_t size)
{
	while (size > 0 && text[size - 1] != '\n')
		size--;
	return size;
}

static void keep_prompt(struct talk *talk, const char *text, size_t size)
{
	size_t at = prompt_at(text, size), n = size - at;

	n = n < LINE_SIZE ? n : LINE_SIZE - 1;
	memcpy(talk->prompt, text + at, n);
	talk->prompt[n] = '\0';
}

/* An answer at once, and the prompt when it has taken its time. */
static void answer(struct talk *talk, const char *text, size_t size, long delay_ms)
{
	size_t at = prompt_at(text, size);
	struct timespec pause = { delay_ms / 1000, delay_ms % 1000 * 1000000 };

	say(talk, text, at);
	if (delay_ms > 0)
		(void)nanosleep(&pause, NULL);
	say(talk, text + at, size - at);
	keep_prompt(talk, text, size);
}

static void repeat_prompt(struct talk *talk)
{
	say(talk, "\r\n", 2);
	say(talk, talk->prompt, strlen(talk->prompt));
}

/* ---- recording ---- */

static size_t collect(struct talk *talk, char *text)
{
	struct pollfd fd = { talk->emulator_fd, POLLIN, 0 };
	size_t size = 0;
	ssize_t n;

	while (poll(&fd, 1, size > 0 ? QUIET_MS : FIRST_MS) > 0) {
		n = read(talk->emulator_fd, text + size, ANSWER_SIZE - size);
		if (n <= 0)
			break;
		size += (size_t)n;
	}
	return size;
}

/* An entry: SIZE LINE, and behind the line end so many bytes. */
static void record(struct talk *talk, const char *line)
{
	static char text[ANSWER_SIZE];
	size_t size = collect(talk, text);

	(void)fprintf(talk->file, "%zu %s\n", size, line);
	(void)fwrite(text, 1, size, talk->file);
	(void)fflush(talk->file);
	answer(talk, text, size, 0);
}

static void record_all(struct talk *talk, char **emulator)
{
	struct winsize window = { .ws_row = 24, .ws_col = (unsigned short)talk->width };
	char line[LINE_SIZE];

	if (forkpty(&talk->emulator_fd, NULL, NULL, &window) == 0) {
		(void)execv(emulator[0], emulator);
		_exit(127);
	}
	record(talk, "");
	while (hear_line(talk, line)) {
		if (!*line) {
			repeat_prompt(talk);
			continue;
		}
		if (write(talk->emulator_fd, line, strlen(line)) < 0 ||
		    write(talk->emulator_fd, "\n", 1) < 0)
			break;
		record(talk, line);
	}
}

/* ---- playing ---- */

/* Returns whether the next entry is that line, and says it. */
static bool play(struct talk *talk, const char *line, long delay_ms)
{
	char head[LINE_SIZE + 32], *known;
	char *text;
	size_t size;
	bool good;

	if (!fgets(head, sizeof(head), talk->file))
		return false;
	head[strcspn(head, "\n")] = '\0';
	size = strtoul(head, &known, 10);
	text = malloc(size + 1);
	good = *known == ' ' && strcmp(known + 1, line) == 0 && text &&
	       fread(text, 1, size, talk->file) == size;
	if (good)
		answer(talk, text, size, delay_ms);
	free(text);
	return good;
}

static void play_all(struct talk *talk)
{
	char line[LINE_SIZE];

	if (!play(talk, "", 0))
		return;
	while (hear_line(talk, line)) {
		if (!*line) {
			repeat_prompt(talk);
		} else if (!play(talk, line, talk->delay_ms)) {
			/* Behind the last entry is what a client says when it goes */
			if (!feof(talk->file))
				(void)fprintf(stderr, "switch-server: not recorded here: %s\n",
					      line);
			return;
		}
	}
}

/* ---- connections ---- */

static void serve(const struct server *server, ssh_bind bind_to, int fd, unsigned int number)
{
	struct talk talk = { .session = ssh_new(), .width = 80, .delay_ms = server->delay_ms };
	char path[512];
	const int yes = 1;

	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
	(void)snprintf(path, sizeof(path), "%s/%u", server->folder, number);
	talk.file = fopen(path, server->emulator ? "we" : "re");
	if (!talk.file || ssh_bind_accept_fd(bind_to, talk.session, fd) != SSH_OK)
		die("more sessions than were recorded");
	if (ssh_handle_key_exchange(talk.session) != SSH_OK || !authenticate(talk.session) ||
	    !want_shell(&talk))
		return;
	if (server->emulator)
		record_all(&talk, server->emulator);
	else
		play_all(&talk);
	(void)ssh_channel_close(talk.channel);
	ssh_disconnect(talk.session);
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
	return fd;
}

static void accept_one(struct server *server, size_t i, ssh_bind bind_to)
{
	int fd = accept(server->listeners[i].fd, NULL, NULL);

	if (fd < 0)
		return;
	server->sessions[i]++;
	if (fork() == 0) {
		(void)signal(SIGTERM, SIG_DFL);
		serve(server, bind_to, fd, server->sessions[i]);
		_exit(EXIT_SUCCESS);
	}
	(void)close(fd);
}

static void run(struct server *server, ssh_bind bind_to)
{
	while (!ended) {
		if (poll(server->listeners, server->n, 100) > 0)
			for (size_t i = 0; i < server->n; i++)
				if (server->listeners[i].revents)
					accept_one(server, i, bind_to);
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
	}
	/* What they spent counts only once they have been waited for */
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
}

int main(int argc, char **argv)
{
	ssh_bind bind_to = ssh_bind_new();
	struct server server = { .n = 1 };
	const bool no = false;

	if (argc < 5)
		die("usage: see the top of switch-server.c");
	server.folder = argv[3];
	if (strcmp(argv[1], "record") == 0) {
		server.emulator = argv + 4;
	} else {
		server.n = strtoul(argv[4], NULL, 10);
		server.delay_ms = argc > 5 ? strtol(argv[5], NULL, 10) : 0;
	}
	if (server.n > SWITCHES_MAX)
		die("too many");
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGTERM, on_end);
	(void)ssh_bind_options_set(bind_to, SSH_BIND_OPTIONS_PROCESS_CONFIG, &no);
	(void)ssh_bind_options_set(bind_to, SSH_BIND_OPTIONS_HOSTKEY, argv[2]);
	for (size_t i = 0; i < server.n; i++)
		server.listeners[i] = (struct pollfd){ listen_somewhere(), POLLIN, 0 };
	(void)fflush(stdout);
	run(&server, bind_to);
	return EXIT_SUCCESS;
}
