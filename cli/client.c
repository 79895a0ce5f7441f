// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The client of org.lossless.Node1: one connection, one job at a time. The file goes in a sealed
 * memfd: sd-bus takes no text that is not UTF-8, and it cannot change under way.
 */
#include "cli/client.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <fcntl.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include "cli/stop.h"
#include "cli/terminal.h"
#include "lib/base/macro.h"

#define NODE_PATH      "/org/lossless/Node1"
#define NODE_INTERFACE "org.lossless.Node1"
#define JOB_INTERFACE  "org.lossless.Job1"

enum {
	/* Longer than any pass: a link may take 30 s to come back, one after the other */
	TIMEOUT_US = 600 * 1000 * 1000,
	WAIT_US = 200 * 1000,	/* how soon a signal is seen */
};

struct client {
	sd_bus *bus;
	const struct session *session;	/* whose job is followed */
	char job[64];
	bool finished;
	bool changed;
};

/* ---- connection ---- */

/* The socket has no bus behind it: it is losslessd itself. */
static int connect_to(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd, r;

	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	memcpy(address.sun_path, path, strlen(path) + 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	r = connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ? -errno : 0;
	if (r == 0)
		r = fcntl(fd, F_SETFL, O_NONBLOCK) < 0 ? -errno : 0;
	if (r < 0) {
		(void)close(fd);
		return r;
	}
	return fd;
}

static int start(struct client *client, int fd)
{
	int r;

	r = sd_bus_new(&client->bus);
	if (r >= 0)
		r = sd_bus_set_fd(client->bus, fd, fd);
	if (r < 0) {
		(void)close(fd);
		return r;
	}
	r = sd_bus_negotiate_fds(client->bus, 1);
	if (r >= 0)
		r = sd_bus_set_anonymous(client->bus, true);
	if (r >= 0)
		r = sd_bus_start(client->bus);
	if (r >= 0)
		r = sd_bus_set_method_call_timeout(client->bus, TIMEOUT_US);
	return r;
}

int client_open(const struct options *options, struct client **ret)
{
	const char *run_dir =
		option_given(options, OPTION_RUN_DIR) ? options->value[OPTION_RUN_DIR] : RUN_DIR;
	_cleanup_free_ char *path = NULL;
	struct client *client;
	int fd, r;

	if (asprintf(&path, "%s/bus", run_dir) < 0)
		return -ENOMEM;
	fd = connect_to(path);
	if (fd < 0)
		return fd;
	client = calloc(1, sizeof(*client));
	if (!client) {
		(void)close(fd);
		return -ENOMEM;
	}
	r = start(client, fd);
	if (r < 0) {
		(void)client_close(client);
		return r;
	}
	*ret = client;
	return 0;
}

struct client *client_close(struct client *client)
{
	if (client)
		(void)sd_bus_flush_close_unref(client->bus);
	free(client);
	return NULL;
}

/* ---- trouble ---- */

static int lost(const struct session *session)
{
	return session_trouble(session, STATUS_FAILED,
			       "losslessd ended meanwhile: see journalctl -u losslessd, and "
			       "losslessctl status for what is so now");
}

/* A call failed: refused with words, or the connection is gone. */
static int call_trouble(const struct session *session, const sd_bus_error *error, int r)
{
	if (error->message && *error->message &&
	    !sd_bus_error_has_name(error, SD_BUS_ERROR_NO_REPLY) && r != -ECONNRESET &&
	    r != -ENOTCONN && r != -EPIPE)
		return session_trouble(session, STATUS_FAILED, "%s", error->message);
	return lost(session);
}

/* ---- jobs ---- */

static int on_progress(sd_bus_message *message, void *data, sd_bus_error *error)
{
	struct client *client = data;
	const char *target, *knob, *what;
	uint32_t number, total;

	if (!client->session->progress ||
	    strcmp(sd_bus_message_get_path(message), client->job) != 0)
		return 0;
	if (sd_bus_message_read(message, "sssuu", &target, &knob, &what, &number, &total) < 0)
		return 0;
	(void)fprintf(stderr, "\r\033[K[%u/%u] %s %s", number, total, target, knob);
	(void)fflush(stderr);
	return 0;
}

static int on_finished(sd_bus_message *message, void *data, sd_bus_error *error)
{
	struct client *client = data;

	if (strcmp(sd_bus_message_get_path(message), client->job) == 0)
		client->finished = true;
	return 0;
}

/* Returns a sealed copy of the session's file, or a negative errno. */
static int make_sealed(const struct session *session)
{
	int fd = memfd_create("fabric", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	size_t done = 0;

	if (fd < 0)
		return -errno;
	while (done < session->size) {
		ssize_t n = write(fd, session->text + done, session->size - done);

		if (n <= 0)
			break;
		done += (size_t)n;
	}
	if (done < session->size ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) < 0) {
		(void)close(fd);
		return -EIO;
	}
	return fd;
}

static int append_options(sd_bus_message *call, const struct session *session, uint64_t confirm_ms)
{
	int r;

	r = sd_bus_message_open_container(call, 'a', "{sv}");
	if (r >= 0)
		r = sd_bus_message_append(call, "{sv}", "width", "u", session->style.width);
	if (r >= 0)
		r = sd_bus_message_append(call, "{sv}", "colour", "b", session->style.colour);
	if (r >= 0 && session->path)
		r = sd_bus_message_append(call, "{sv}", "file", "s", session->path);
	if (r >= 0 && confirm_ms)
		r = sd_bus_message_append(call, "{sv}", "confirm-msec", "t", confirm_ms);
	return r < 0 ? r : sd_bus_message_close_container(call);
}

static int make_call(struct client *client, const struct session *session, const char *method,
		     uint64_t confirm_ms, sd_bus_message **ret)
{
	int fd, r;

	r = sd_bus_message_new_method_call(client->bus, ret, NULL, NODE_PATH, NODE_INTERFACE,
					   method);
	if (r >= 0 && session->text) {
		fd = make_sealed(session);
		if (fd < 0)
			return fd;
		r = sd_bus_message_append(*ret, "h", fd);
		(void)close(fd);
	}
	return r < 0 ? r : append_options(*ret, session, confirm_ms);
}

/* Returns 0, or an exit status after words. */
static int begin_job(struct client *client, const struct session *session, const char *method,
		     uint64_t confirm_ms)
{
	sd_bus_message *call = NULL, *reply = NULL;
	sd_bus_error error = SD_BUS_ERROR_NULL;
	const char *path;
	int status = 0, r;

	r = make_call(client, session, method, confirm_ms, &call);
	if (r >= 0)
		r = sd_bus_call(client->bus, call, 0, &error, &reply);
	if (r >= 0)
		r = sd_bus_message_read(reply, "o", &path);
	if (r < 0)
		status = call_trouble(session, &error, r);
	else
		(void)snprintf(client->job, sizeof(client->job), "%s", path);
	(void)sd_bus_message_unref(call);
	(void)sd_bus_message_unref(reply);
	sd_bus_error_free(&error);
	return status;
}

static void ask_to_stop(struct client *client)
{
	(void)sd_bus_call_method(client->bus, NULL, NODE_PATH, NODE_INTERFACE, "Stop", NULL, NULL,
				 "o", client->job);
}

static int follow(struct client *client)
{
	bool asked = false;
	int r = 0;

	while (r >= 0 && !client->finished) {
		if (stop_requested() && !asked) {
			ask_to_stop(client);
			asked = true;
		}
		r = sd_bus_process(client->bus, NULL);
		if (r == 0)
			r = sd_bus_wait(client->bus, WAIT_US);
		if (r == -EINTR)
			r = 0;
	}
	return r;
}

/* Print what losslessd rendered. */
static void put(const struct session *session, const char *text, const char *json,
		const char *errors)
{
	(void)fputs(errors, stderr);
	(void)fputs(session->json ? json : text, session->out);
}

static int print_result(struct client *client, const struct session *session)
{
	sd_bus_error error = SD_BUS_ERROR_NULL;
	const char *text, *json, *errors;
	sd_bus_message *reply = NULL;
	uint32_t status = STATUS_FAILED;
	int done, r;

	r = sd_bus_call_method(client->bus, NULL, NODE_PATH, NODE_INTERFACE, "GetResult", &error,
			       &reply, "o", client->job);
	if (r >= 0)
		r = sd_bus_message_read(reply, "busss", &done, &status, &text, &json, &errors);
	if (r < 0)
		status = (uint32_t)call_trouble(session, &error, r);
	else
		put(session, text, json, errors);
	(void)sd_bus_message_unref(reply);
	sd_bus_error_free(&error);
	return (int)status;
}

int client_job(struct client *client, struct session *session, const char *method,
	       uint64_t confirm_ms)
{
	int status, r;

	client->session = session;
	client->finished = false;
	(void)sd_bus_match_signal(client->bus, NULL, NULL, NULL, JOB_INTERFACE, "Progress",
				  on_progress, client);
	(void)sd_bus_match_signal(client->bus, NULL, NULL, NULL, JOB_INTERFACE, "Finished",
				  on_finished, client);
	status = begin_job(client, session, method, confirm_ms);
	if (status != 0)
		return status;
	stop_watch();
	r = follow(client);
	stop_unwatch();
	if (session->progress)
		(void)fputs("\r\033[K", stderr);
	return r < 0 ? lost(session) : print_result(client, session);
}

/* ---- status ---- */

/* Returns the exit status; @ret_gone: there is no losslessd any more, and nothing was printed. */
static int print_status(struct client *client, struct session *session, bool clear, bool *ret_gone)
{
	sd_bus_message *call = NULL, *reply = NULL;
	sd_bus_error error = SD_BUS_ERROR_NULL;
	const char *text, *json, *errors;
	uint32_t status = STATUS_FAILED;
	int r;

	r = make_call(client, session, "GetReport", 0, &call);
	if (r >= 0)
		r = sd_bus_call(client->bus, call, 0, &error, &reply);
	if (r >= 0)
		r = sd_bus_message_read(reply, "usss", &status, &text, &json, &errors);
	*ret_gone = r < 0;
	if (r >= 0) {
		if (clear)
			(void)fputs("\033[H\033[2J", session->out);
		put(session, text, json, errors);
		(void)fflush(session->out);
	}
	(void)sd_bus_message_unref(call);
	(void)sd_bus_message_unref(reply);
	sd_bus_error_free(&error);
	return (int)status;
}

int client_status(struct client *client, struct session *session)
{
	bool gone;
	int status;

	status = print_status(client, session, false, &gone);
	return gone ? lost(session) : status;
}

static int on_changed(sd_bus_message *message, void *data, sd_bus_error *error)
{
	struct client *client = data;

	client->changed = true;
	return 0;
}

int client_watch(struct client *client, struct session *session)
{
	bool clear = terminal_is(stdout) && !session->json, gone = false;
	int status = STATUS_OK, r = 0;

	(void)sd_bus_match_signal(client->bus, NULL, NULL, NODE_PATH, NODE_INTERFACE, NULL,
				  on_changed, client);
	client->changed = true;
	stop_watch();
	while (r >= 0 && !gone && !stop_requested()) {
		if (client->changed) {
			client->changed = false;
			status = print_status(client, session, clear, &gone);
		}
		r = sd_bus_process(client->bus, NULL);
		if (r == 0)
			r = sd_bus_wait(client->bus, WAIT_US);
		if (r == -EINTR)
			r = 0;
	}
	stop_unwatch();
	if (gone || r < 0)
		return session_trouble(session, STATUS_NO_DAEMON,
				       "losslessd is not running any more");
	return status;
}
