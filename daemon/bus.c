// SPDX-License-Identifier: LGPL-2.1-or-later
/* Connections: who listens, who is let in, who has gone. */
#include "daemon/bus.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <syslog.h>
#include <systemd/sd-id128.h>
#include <unistd.h>

#include "daemon/bus-private.h"
#include "daemon/journal.h"
#include "lib/base/cleanup.h"
#include "lib/base/macro.h"

enum { QUIET_US = 60 * 1000 * 1000 };

/* Once a minute: who is not let in, or let go, may come again at once. */
static void tell_once(struct bus *bus, uid_t uid, const char *what)
{
	uint64_t now = 0;

	(void)sd_event_now(bus->event, CLOCK_BOOTTIME, &now);
	if (bus->told_us && now - bus->told_us < QUIET_US)
		return;
	bus->told_us = now;
	journal_line(LOG_WARNING, "connection of uid %ld %s", (long)uid, what);
}

static void client_close(struct client *client)
{
	if (client->connection)
		bus_jobs_gone(client);
	client->soon = sd_event_source_disable_unref(client->soon);
	client->connection = sd_bus_close_unref(client->connection);
}

static bool let_go_unread(struct client *client, uint64_t most)
{
	uint64_t unread = 0;

	if (client->is_system ||
	    sd_bus_get_n_queued_write(client->connection, &unread) < 0 || unread <= most)
		return false;
	tell_once(client->bus, client->uid, "closed: it does not read");
	client_close(client);
	return true;
}

static void each_one(struct client *client, void (*each)(struct client *client, void *data),
		     void *data)
{
	if (!client->connection)
		return;
	each(client, data);
	(void)let_go_unread(client, UNREAD_MAX);
}

void bus_each(struct bus *bus, void (*each)(struct client *client, void *data), void *data)
{
	each_one(&bus->system, each, data);
	for (size_t i = 0; i < CLIENTS_MAX; i++)
		each_one(&bus->clients[i], each, data);
}

static int retry_later(struct bus *bus);

/* ---- turns: nobody without root is all that is served ---- */

/* Root is served like what losslessd does by itself, all others when nothing else is to be done. */
static int64_t priority_of(const struct client *client)
{
	return client->uid == 0 ? SD_EVENT_PRIORITY_NORMAL : SD_EVENT_PRIORITY_IDLE;
}

static int attach(struct client *client)
{
	return sd_bus_attach_event(client->connection, client->bus->event, priority_of(client));
}

static int on_message(sd_bus_message *message, void *data, sd_bus_error *error)
{
	struct client *client = data;

	if (client->uid == 0)
		return 0;
	if (let_go_unread(client, UNREAD_ASKING))
		return 1;
	if (++client->served < TURN)
		return 0;
	(void)sd_bus_detach_event(client->connection);
	(void)sd_event_source_set_enabled(client->bus->turn, SD_EVENT_ONESHOT);
	return 0;
}

static int next_turn(struct client *client)
{
	bool waits = client->connection && client->served >= TURN;

	client->served = 0;
	return waits ? attach(client) : 0;
}

static int on_turn(sd_event_source *source, void *data)
{
	struct bus *bus = data;

	for (size_t i = 0; i < CLIENTS_MAX; i++)
		if (next_turn(&bus->clients[i]) < 0)
			client_close(&bus->clients[i]);
	return next_turn(&bus->system) < 0 ? retry_later(bus) : 0;
}

static int add_turns(struct bus *bus)
{
	int r;

	r = sd_event_add_defer(bus->event, &bus->turn, on_turn, bus);
	if (r >= 0)
		r = sd_event_source_set_priority(bus->turn, SD_EVENT_PRIORITY_IDLE + 1);
	return r < 0 ? r : sd_event_source_set_enabled(bus->turn, SD_EVENT_OFF);
}

/* ---- descriptors ---- */

/*
 * Before each turn of the loop. What comes with a message that has no end yet sd-bus keeps without
 * a limit, and tells nobody whose it is.
 */
static int on_prepare(sd_event_source *source, void *data)
{
	struct bus *bus = data;
	int fd = fcntl(bus->listen, F_DUPFD_CLOEXEC, 0);

	if (fd >= 0)
		(void)close(fd);
	if (fd >= 0 && fd < FDS_MAX)
		return 0;
	for (size_t i = 0; i < CLIENTS_MAX; i++) {
		struct client *client = &bus->clients[i];

		if (!client->connection || client->uid == 0)
			continue;
		tell_once(bus, client->uid, "closed: too many files are open");
		client_close(client);
	}
	return 0;
}

/* ---- peers at our socket ---- */

enum {
	BACKLOG = 64,
	REST_US = 20 * 1000,
	REST_FAILED_US = 1000 * 1000,
};

static int on_gone(sd_bus_message *message, void *data, sd_bus_error *error)
{
	client_close(data);
	return 0;
}

static int on_soon(sd_event_source *source, void *data)
{
	struct client *client = data;
	sd_bus *connection = sd_bus_ref(client->connection);

	/* A message may end the connection, or its turn */
	while (client->connection == connection && client->served < TURN &&
	       sd_bus_process(connection, NULL) > 0)
		;
	(void)sd_bus_unref(connection);
	return 0;
}

/*
 * Who does not wait for our part of the greeting (libdbus) has sent a message behind it, which
 * sd-bus has read and forgets until more comes.
 */
static int on_greeted(sd_bus_message *message, void *data, sd_bus_error *error)
{
	struct client *client = data;
	int r;

	client->soon = sd_event_source_disable_unref(client->soon);
	r = sd_event_add_defer(client->bus->event, &client->soon, on_soon, client);
	return r < 0 ? r : sd_event_source_set_priority(client->soon, priority_of(client));
}

/* What sd-bus tells by itself. */
static int match_local(struct client *client, const char *member, sd_bus_message_handler_t handler)
{
	return sd_bus_match_signal(client->connection, NULL, NULL, "/org/freedesktop/DBus/Local",
				   "org.freedesktop.DBus.Local", member, handler, client);
}

/* A free place, unless all are taken, or this user has his share; some are root's alone. */
static struct client *find_place(struct bus *bus, uid_t uid)
{
	struct client *place = NULL;
	size_t own = 0, others = 0;

	for (size_t i = 0; i < CLIENTS_MAX; i++) {
		struct client *client = &bus->clients[i];

		if (!client->connection) {
			place = place ?: client;
			continue;
		}
		own += client->uid == uid;
		others += client->uid != 0;
	}
	if (uid != 0 && (own >= CLIENTS_OF_ONE_USER || others >= CLIENTS_OF_OTHERS))
		return NULL;
	return place;
}

/* @fd becomes a connection of its own; consumed. */
static int serve(struct client *client, int fd)
{
	sd_bus *connection = NULL;
	sd_id128_t id;
	int r;

	r = sd_bus_new(&connection);
	if (r >= 0)
		r = sd_bus_set_fd(connection, fd, fd);
	if (r < 0) {
		(void)close(fd);
		(void)sd_bus_unref(connection);
		return r;
	}
	client->connection = connection;
	r = sd_id128_randomize(&id);
	if (r >= 0)
		r = sd_bus_set_server(connection, 1, id);
	if (r >= 0)
		r = sd_bus_negotiate_fds(connection, 1);
	if (r >= 0)
		r = sd_bus_set_anonymous(connection, true);
	if (r >= 0)
		r = bus_add_objects(client);
	if (r >= 0)
		r = sd_bus_set_connected_signal(connection, true);
	if (r >= 0)
		r = sd_bus_add_filter(connection, NULL, on_message, client);
	if (r >= 0)
		r = match_local(client, "Connected", on_greeted);
	if (r >= 0)
		r = match_local(client, "Disconnected", on_gone);
	if (r >= 0)
		r = sd_bus_start(connection);
	return r < 0 ? r : attach(client);
}

static int on_rested(sd_event_source *source, uint64_t usec, void *data)
{
	struct bus *bus = data;

	bus->accepted = 0;
	return sd_event_source_set_io_events(bus->source, EPOLLIN);
}

/* Who connects waits in the kernel. */
static int rest(struct bus *bus, uint64_t rest_us)
{
	(void)sd_event_source_set_time_relative(bus->rest, rest_us);
	(void)sd_event_source_set_enabled(bus->rest, SD_EVENT_ONESHOT);
	return sd_event_source_set_io_events(bus->source, 0);
}

static int on_connection(sd_event_source *source, int listener, uint32_t events, void *data)
{
	struct bus *bus = data;
	struct ucred peer = {};
	socklen_t size = sizeof(peer);
	struct client *client;
	int fd;

	fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (fd < 0)
		return errno == EAGAIN || errno == ECONNABORTED ? 0 : rest(bus, REST_FAILED_US);
	if (++bus->accepted >= TURN_OF_LISTENER)
		(void)rest(bus, REST_US);
	client = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ?
			 find_place(bus, peer.uid) : NULL;
	if (!client) {
		tell_once(bus, peer.uid, "refused: too many already");
		(void)close(fd);
		return 0;
	}
	*client = (struct client){ .bus = bus, .uid = peer.uid };
	if (serve(client, fd) < 0)
		client_close(client);
	return 0;
}

/* Behind those of root, before all others. */
static int add_listener(struct bus *bus)
{
	int r;

	r = sd_event_add_time_relative(bus->event, &bus->rest, CLOCK_BOOTTIME, 0, REST_US / 10,
				       on_rested, bus);
	if (r >= 0)
		r = sd_event_source_set_enabled(bus->rest, SD_EVENT_OFF);
	if (r >= 0)
		r = sd_event_add_io(bus->event, &bus->source, bus->listen, EPOLLIN, on_connection,
				    bus);
	if (r >= 0)
		r = sd_event_source_set_priority(bus->source, SD_EVENT_PRIORITY_NORMAL + 1);
	return r < 0 ? r : sd_event_source_set_prepare(bus->source, on_prepare);
}

static int listen_at(struct bus *bus, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	memcpy(address.sun_path, path, strlen(path) + 1);
	(void)snprintf(bus->path, sizeof(bus->path), "%s", path);
	bus->listen = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (bus->listen < 0)
		return -errno;
	/* The lock says that no other losslessd has it */
	(void)unlink(path);
	if (bind(bus->listen, (struct sockaddr *)&address, sizeof(address)) < 0 ||
	    chmod(path, 0666) < 0 || listen(bus->listen, BACKLOG) < 0)
		return -errno;
	return add_listener(bus);
}

/* ---- the system bus ---- */

enum {
	RETRY_US = 10 * 1000 * 1000,
	RETRY_MAX_US = 300 * 1000 * 1000,
};

static int join_system_bus(struct bus *bus);

static int on_retry(sd_event_source *source, uint64_t usec, void *data)
{
	struct bus *bus = data;

	bus->retry = sd_event_source_disable_unref(bus->retry);
	(void)join_system_bus(bus);
	return 0;
}

/* It is not needed: said once, tried again from time to time, ever less often. */
static int retry_later(struct bus *bus)
{
	uint64_t wait_us;

	if (!bus->told) {
		journal_line(LOG_INFO, "no system bus here: %s serves alone", bus->path);
		bus->retry_us = RETRY_US;
	}
	bus->told = true;
	client_close(&bus->system);
	if (bus->retry)
		return 0;
	wait_us = bus->retry_us;
	bus->retry_us = MIN(wait_us * 2, (uint64_t)RETRY_MAX_US);
	return sd_event_add_time_relative(bus->event, &bus->retry, CLOCK_BOOTTIME, wait_us,
					  wait_us / 10, on_retry, bus);
}

static int on_bus_gone(sd_bus_message *message, void *data, sd_bus_error *error)
{
	struct client *client = data;

	return retry_later(client->bus);
}

static int on_name(sd_bus_message *message, void *data, sd_bus_error *error)
{
	struct bus *bus = data;

	if (sd_bus_message_is_method_error(message, NULL))
		journal_line(LOG_WARNING, "the name %s cannot be had on the system bus: %s",
			     BUS_NAME, sd_bus_message_get_error(message)->message);
	bus->told = false;
	return 0;
}

static int join_system_bus(struct bus *bus)
{
	struct client *client = &bus->system;
	int r;

	*client = (struct client){ .bus = bus, .is_system = true, .uid = (uid_t)-1 };
	r = sd_bus_open_system(&client->connection);
	if (r < 0)
		return retry_later(bus);
	(void)sd_bus_set_exit_on_disconnect(client->connection, false);
	r = bus_add_objects(client);
	if (r >= 0)
		r = sd_bus_add_filter(client->connection, NULL, on_message, client);
	if (r >= 0)
		r = match_local(client, "Disconnected", on_bus_gone);
	if (r >= 0)
		r = sd_bus_request_name_async(client->connection, NULL, BUS_NAME, 0, on_name, bus);
	if (r >= 0)
		r = attach(client);
	return r < 0 ? retry_later(bus) : 0;
}

/* ---- signals ---- */

static const char *const signal_names[] = {
	[EVENT_DRIFT_FOUND] = "DriftFound",
	[EVENT_DRIFT_REPAIRED] = "DriftRepaired",
};

static void send_signal(struct client *client, void *data)
{
	const struct manager_happening *happening = data;
	const char *name = happening->event < ARRAY_SIZE(signal_names) ?
				   signal_names[happening->event] : NULL;

	if (name)
		(void)sd_bus_emit_signal(client->connection, BUS_PATH, BUS_INTERFACE, name, "ssss",
					 happening->target, happening->knob, happening->want,
					 happening->have);
	else
		(void)sd_bus_emit_signal(client->connection, BUS_PATH, BUS_INTERFACE, "Changed",
					 "s", happening->words ?: "");
}

void bus_happening(struct bus *bus, const struct manager_happening *happening)
{
	struct manager_happening copy = *happening;

	bus_each(bus, send_signal, &copy);
}

/* ---- life ---- */

struct bus *bus_free(struct bus *bus)
{
	if (!bus)
		return NULL;
	for (size_t i = 0; i < CLIENTS_MAX; i++) {
		if (bus->clients[i].connection)
			(void)sd_bus_flush(bus->clients[i].connection);
		client_close(&bus->clients[i]);
	}
	bus->system.connection = sd_bus_flush_close_unref(bus->system.connection);
	(void)sd_event_source_disable_unref(bus->source);
	(void)sd_event_source_disable_unref(bus->rest);
	(void)sd_event_source_disable_unref(bus->turn);
	(void)sd_event_source_disable_unref(bus->retry);
	if (bus->listen >= 0) {
		(void)close(bus->listen);
		(void)unlink(bus->path);
	}
	bus_jobs_done(bus);
	free(bus);
	return NULL;
}

int bus_new(sd_event *event, struct manager *manager, const char *socket_path, struct bus **ret)
{
	struct bus *bus = calloc(1, sizeof(*bus));
	int r;

	if (!bus)
		return -ENOMEM;
	bus->event = event;
	bus->manager = manager;
	bus->listen = -1;
	r = add_turns(bus);
	if (r >= 0)
		r = listen_at(bus, socket_path);
	if (r >= 0)
		r = join_system_bus(bus);
	if (r < 0) {
		(void)bus_free(bus);
		return r;
	}
	*ret = bus;
	return 0;
}
