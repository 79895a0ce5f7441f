// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The client of org.lossless.Node1, see org.lossless.Node1(5): one connection, one job at a time.
 * The file goes in a sealed memfd: sd-bus takes no text that is not UTF-8, and it cannot change
 * under way. Who is refused at the socket asks again on the system bus, where polkit may let him.
 */
#include "cli/client.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <fcntl.h>
#include <systemd/sd-bus.h>
#include <time.h>
#include <unistd.h>

#include "cli/file.h"
#include "cli/progress.h"
#include "cli/stop.h"
#include "cli/terminal.h"
#include "lib/base/macro.h"
#include "lib/report/width.h"

#define NODE_NAME      "org.lossless.Node1"
#define NODE_PATH      "/org/lossless/Node1"
#define NODE_INTERFACE "org.lossless.Node1"
#define JOB_INTERFACE  "org.lossless.Job1"

enum {
	/* Longer than any pass: a link may take 30 s to come back, one after the other */
	TIMEOUT_US = 600 * 1000 * 1000,
	WAIT_US = 200 * 1000,	/* how soon a signal is seen */
	REFRESH_S = 5,		/* how old "just now" becomes on a terminal */
	WATCH_LINES = 4,	/* below the status, with the one of the cursor */
	WATCH_WIDTH = 50,	/* of these in full */
};

struct client {
	sd_bus *bus;
	const char *name;		/* on the system bus; NULL: the peer at the socket */
	const struct session *session;	/* whose job is followed */
	char job[64];
	bool finished;
	bool changed;
	char *shown;			/* the status that was printed last */
	time_t asked_s;			/* for it */
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
	if (client) {
		(void)sd_bus_flush_close_unref(client->bus);
		free(client->shown);
	}
	free(client);
	return NULL;
}

/* Go on by the system bus, if losslessd is there. */
static int join_system_bus(struct client *client)
{
	sd_bus_message *reply = NULL;
	sd_bus *bus = NULL;
	int there = 0, r;

	r = sd_bus_open_system(&bus);
	if (r >= 0)
		r = sd_bus_call_method(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus",
				       "org.freedesktop.DBus", "NameHasOwner", NULL, &reply, "s",
				       NODE_NAME);
	if (r >= 0)
		r = sd_bus_message_read(reply, "b", &there);
	(void)sd_bus_message_unref(reply);
	if (r < 0 || !there) {
		(void)sd_bus_flush_close_unref(bus);
		return r < 0 ? r : -ENOENT;
	}
	(void)sd_bus_flush_close_unref(client->bus);
	(void)sd_bus_set_method_call_timeout(bus, TIMEOUT_US);
	client->bus = bus;
	client->name = NODE_NAME;
	return 0;
}

/* ---- trouble ---- */

static int lost(const struct session *session)
{
	return session_trouble(session, STATUS_FAILED,
			       "losslessd ended meanwhile: see journalctl -u losslessd, and "
			       "losslessctl status for what is so now");
}

static bool is_gone(const sd_bus_error *error, int r)
{
	return r == -ECONNRESET || r == -ENOTCONN || r == -EPIPE || r == -ESTALE ||
	       sd_bus_error_has_name(error, SD_BUS_ERROR_NO_REPLY) ||
	       sd_bus_error_has_name(error, SD_BUS_ERROR_NAME_HAS_NO_OWNER) ||
	       sd_bus_error_has_name(error, SD_BUS_ERROR_SERVICE_UNKNOWN);
}

/* A call failed: refused with words, or the connection is gone. */
static int call_trouble(const struct session *session, const sd_bus_error *error, int r)
{
	if (is_gone(error, r))
		return lost(session);
	if (error->message && *error->message)
		return session_trouble(session, STATUS_FAILED, "%s", error->message);
	return session_trouble(session, STATUS_FAILED, "losslessd cannot be asked: %s",
			       strerror(-r));
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
	progress_step(true, number, total, target, knob, what);
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
	int fd = file_in_memory("fabric", session->text, session->size);

	if (fd >= 0 &&
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

	r = sd_bus_message_new_method_call(client->bus, ret, client->name, NODE_PATH,
					   NODE_INTERFACE, method);
	if (r >= 0)
		r = sd_bus_message_set_auto_start(*ret, false);
	/* polkit may ask for a password */
	if (r >= 0 && client->name)
		r = sd_bus_message_set_allow_interactive_authorization(*ret, terminal_is(stderr));
	if (r >= 0 && session->text) {
		fd = make_sealed(session);
		if (fd < 0)
			return fd;
		r = sd_bus_message_append(*ret, "h", fd);
		(void)close(fd);
	}
	return r < 0 ? r : append_options(*ret, session, confirm_ms);
}

/* Who listens, asks: the answer comes after the job has begun. */
static int listen_to_jobs(struct client *client)
{
	int r;

	r = sd_bus_match_signal(client->bus, NULL, client->name, NULL, JOB_INTERFACE, "Progress",
				on_progress, client);
	if (r < 0)
		return r;
	return sd_bus_match_signal(client->bus, NULL, client->name, NULL, JOB_INTERFACE,
				   "Finished", on_finished, client);
}

static int try_job(struct client *client, const struct session *session, const char *method,
		   uint64_t confirm_ms, sd_bus_error *error)
{
	sd_bus_message *call = NULL, *reply = NULL;
	const char *path;
	int r;

	r = listen_to_jobs(client);
	if (r >= 0)
		r = make_call(client, session, method, confirm_ms, &call);
	if (r >= 0)
		r = sd_bus_call(client->bus, call, 0, error, &reply);
	if (r >= 0)
		r = sd_bus_message_read(reply, "o", &path);
	if (r >= 0)
		(void)snprintf(client->job, sizeof(client->job), "%s", path);
	(void)sd_bus_message_unref(call);
	(void)sd_bus_message_unref(reply);
	return r;
}

/* Returns 0, or an exit status after words. */
static int begin_job(struct client *client, const struct session *session, const char *method,
		     uint64_t confirm_ms)
{
	sd_bus_error error = SD_BUS_ERROR_NULL;
	int status = 0, r;

	r = try_job(client, session, method, confirm_ms, &error);
	if (r < 0 && sd_bus_error_has_name(&error, SD_BUS_ERROR_ACCESS_DENIED) &&
	    join_system_bus(client) == 0) {
		sd_bus_error_free(&error);
		r = try_job(client, session, method, confirm_ms, &error);
	}
	if (r < 0)
		status = call_trouble(session, &error, r);
	sd_bus_error_free(&error);
	return status;
}

static void ask_to_stop(struct client *client)
{
	(void)sd_bus_call_method(client->bus, client->name, NODE_PATH, NODE_INTERFACE, "Stop",
				 NULL, NULL, "o", client->job);
}

/* Take in what has come, or wait for it a moment. Returns a negative errno at its end. */
static int take_in(struct client *client)
{
	int r;

	r = sd_bus_process(client->bus, NULL);
	if (r == 0)
		r = sd_bus_wait(client->bus, WAIT_US);
	if (r >= 0 && sd_bus_is_open(client->bus) <= 0)
		return -ECONNRESET;
	return r == -EINTR ? 0 : r;
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
		r = take_in(client);
	}
	return client->finished ? 0 : r;
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

	r = sd_bus_call_method(client->bus, client->name, NODE_PATH, NODE_INTERFACE, "GetResult",
			       &error, &reply, "o", client->job);
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
	status = begin_job(client, session, method, confirm_ms);
	if (status != 0)
		return status;
	stop_watch(stop_after_step);
	r = follow(client);
	stop_unwatch();
	progress_end(session->progress);
	return r < 0 ? lost(session) : print_result(client, session);
}

int client_verb(const struct options *options, enum report_kind kind, const char *method)
{
	_cleanup_(client_closep) struct client *client = NULL;
	_cleanup_(session_done) struct session session = {};
	int r;

	r = session_open(&session, options, kind);
	if (r == 0)
		r = session_connect(&session, options, &client);
	return r != 0 ? r : client_job(client, &session, method, 0);
}

/* ---- status ---- */

/* Of one line, without the colours. */
static unsigned int screen_rows(const char *line, size_t size, unsigned int width)
{
	unsigned int columns = 0;
	size_t n;

	for (size_t at = 0; at < size; at += n)
		if (line[at] == '\033')
			n = strcspn(line + at, "m") + 1;
		else
			columns += character_width(line + at, &n);
	return MAX((columns + width - 1) / width, 1U);
}

/* As much as the terminal has room for: the first lines say the most. */
static void put_top(const struct session *session, const char *text, const char *errors,
		    unsigned int width)
{
	unsigned int rows = terminal_rows(session->out);
	unsigned int left = rows > WATCH_LINES ? rows - WATCH_LINES : 0;
	size_t more = 0, size;

	for (; terminal_is(stderr) && *errors; errors += size + (errors[size] == '\n')) {
		size = strcspn(errors, "\n");
		left -= MIN(left, screen_rows(errors, size, width));
	}
	for (; *text; text += size) {
		unsigned int needed;

		size = strcspn(text, "\n");
		needed = screen_rows(text, size, width);
		size += text[size] == '\n';
		if (rows && (more || needed > left)) {
			more++;
			continue;
		}
		(void)fwrite(text, 1, size, session->out);
		left -= MIN(left, needed);
	}
	if (more)
		(void)fprintf(session->out, "... and %zu more%s\n", more,
			      width < WATCH_WIDTH ? "" : ": losslessctl status");
}

/* A terminal shows how long ago all was, so it is drawn again in any case. */
static void draw(const struct session *session, const char *text, const char *errors)
{
	unsigned int width = terminal_style(session->out).width;
	time_t now = time(NULL);
	struct tm tm;
	char clock[16] = "";

	if (localtime_r(&now, &tm))
		(void)strftime(clock, sizeof(clock), "%T", &tm);
	(void)fputs("\033[H\033[2J", session->out);
	(void)fflush(session->out);
	(void)fputs(errors, stderr);
	put_top(session, text, errors, width);
	(void)fprintf(session->out, "\n%s%s Ctrl-C ends\n", clock,
		      width < WATCH_WIDTH ? "," : ", again whenever it changes;");
	(void)fflush(session->out);
}

/* Print it unless it reads as the one before. */
static int show_status(struct client *client, const struct session *session, const char *text,
		       const char *json, const char *errors)
{
	char *shown;

	if (asprintf(&shown, "%s%s", errors, session->json ? json : text) < 0)
		return -ENOMEM;
	if (session->redraw) {
		draw(session, text, errors);
	} else if (!client->shown || strcmp(client->shown, shown) != 0) {
		put(session, text, json, errors);
		(void)fflush(session->out);
	}
	free(client->shown);
	client->shown = shown;
	return 0;
}

/* Returns 0 and the exit status, or a negative errno. */
static int ask_status(struct client *client, const struct session *session, int *ret_status,
		      sd_bus_error *error)
{
	sd_bus_message *call = NULL, *reply = NULL;
	const char *text, *json, *errors;
	uint32_t status;
	int r;

	r = make_call(client, session, "GetReport", 0, &call);
	if (r >= 0)
		r = sd_bus_call(client->bus, call, 0, error, &reply);
	if (r >= 0)
		r = sd_bus_message_read(reply, "usss", &status, &text, &json, &errors);
	if (r >= 0)
		r = show_status(client, session, text, json, errors);
	if (r >= 0)
		*ret_status = (int)status;
	(void)sd_bus_message_unref(call);
	(void)sd_bus_message_unref(reply);
	return r;
}

int client_status(struct client *client, struct session *session)
{
	sd_bus_error error = SD_BUS_ERROR_NULL;
	int status, r;

	r = ask_status(client, session, &status, &error);
	if (r < 0)
		status = call_trouble(session, &error, r);
	sd_bus_error_free(&error);
	return status;
}

static int on_changed(sd_bus_message *message, void *data, sd_bus_error *error)
{
	struct client *client = data;

	client->changed = true;
	return 0;
}

/* Take in all signals that have come, then look once. */
static int watch_once(struct client *client, struct session *session, int *status,
		      sd_bus_error *error)
{
	int r;

	r = sd_bus_process(client->bus, NULL);
	if (r != 0)
		return r;
	if (!client->changed && !(session->redraw && time(NULL) - client->asked_s >= REFRESH_S))
		return take_in(client);
	client->changed = false;
	client->asked_s = time(NULL);
	return ask_status(client, session, status, error);
}

int client_watch(struct client *client, struct session *session)
{
	sd_bus_error error = SD_BUS_ERROR_NULL;
	int status = STATUS_OK, r;

	session->redraw = terminal_is(session->out) && !session->json;
	client->changed = true;
	stop_watch(NULL);
	r = sd_bus_match_signal(client->bus, NULL, client->name, NODE_PATH, NODE_INTERFACE, NULL,
				on_changed, client);
	while (r >= 0 && !stop_requested() && !ferror(session->out))
		r = watch_once(client, session, &status, &error);
	stop_unwatch();
	if (r < 0 && is_gone(&error, r))
		status = session_trouble(session, STATUS_NO_DAEMON,
					 "losslessd is not running any more");
	else if (r < 0)
		status = call_trouble(session, &error, r);
	sd_bus_error_free(&error);
	return status;
}
