// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From events to marks. A link event is compared with what was known of the link, so that
 * statistics and the like cause nothing; what a write of our own causes is seen and found equal.
 */
#include "daemon/watch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/nic/watch.h"
#include "lib/os/monitor.h"

enum {
	RESYNC_MS = 1000,	/* at most one a second, however much is lost */
	ALL = -1,
};

/* A link as it was when the devices were read, or as an event showed it since. */
struct known {
	int ifindex;
	int master_ifindex;
	uint32_t mtu;
	bool carrier;
	char name[OS_NAME_MAX];
};

/* A file or folder under watch. */
struct place {
	int wd;
	int ifindex;
	uint32_t objects;
	bool again;	/* asked for by the last watch_targets() */
};

struct watch {
	sd_event *event;
	struct manager *manager;
	struct os *os;
	struct os_monitor monitor;
	sd_event_source *source[OS_MONITOR_MAX];
	sd_event_source *files;
	sd_event_source *resync;	/* lost events wait for it */
	int inotify;
	int root;			/* watch of the folder rdma_cm, -1: none */
	struct known *known;
	size_t n_known, known_room;
	struct place *places;
	size_t n_places, places_room;
	const struct nic *nic;		/* while its places are added */
};

/* Objects that DCB messages speak of, as bits. */
static uint32_t dcb_objects(void)
{
	uint32_t objects = 0;

	for (enum object object = 0; object < OBJECT_MAX; object++)
		if (object_table[object].dcb || object == OBJECT_DCBX || object == OBJECT_BUFFERS)
			objects |= UINT32_C(1) << object;
	return objects;
}

/* ---- links ---- */

static struct known *find_known(struct watch *watch, int ifindex)
{
	for (size_t i = 0; i < watch->n_known; i++)
		if (watch->known[i].ifindex == ifindex)
			return &watch->known[i];
	return NULL;
}

static void add_known(struct watch *watch, const struct os_link *link)
{
	struct known *known;

	if (array_grow(&watch->known, watch->n_known, &watch->known_room,
		       sizeof(*watch->known)) < 0)
		return;
	known = &watch->known[watch->n_known++];
	*known = (struct known){ .ifindex = link->ifindex, .mtu = link->mtu,
				 .carrier = link->carrier,
				 .master_ifindex = link->master_ifindex };
	memcpy(known->name, link->name, sizeof(link->name));
}

/* It may be a port, or what is stacked on one; not what containers come and go with. */
static void on_new_link(struct watch *watch, const struct os_link *link)
{
	static const char *const kinds[] = { "", "bond", "vlan", "macvlan" };

	add_known(watch, link);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strcmp(link->kind, kinds[i]) == 0)
			manager_dirty_devices(watch->manager);
}

static void on_link(struct watch *watch, const struct os_event *event)
{
	const struct os_link *link = &event->link;
	struct known *known = find_known(watch, link->ifindex);

	if (!known) {
		if (!event->gone)
			on_new_link(watch, link);
		return;
	}
	if (event->gone || strcmp(known->name, link->name) != 0 ||
	    known->master_ifindex != link->master_ifindex) {
		manager_dirty_devices(watch->manager);
		return;
	}
	if (known->mtu != link->mtu)
		/* Those above and below are bounded by it */
		manager_dirty_port(watch->manager, 0, UINT32_C(1) << OBJECT_MTU);
	if (known->carrier != link->carrier)
		/* What the firmware settles with its neighbour comes with the link */
		manager_dirty_port(watch->manager, link->ifindex, (uint32_t)ALL);
	known->mtu = link->mtu;
	known->carrier = link->carrier;
}

static int on_resync_time(sd_event_source *source, uint64_t usec, void *data)
{
	struct watch *watch = data;

	watch->resync = sd_event_source_disable_unref(watch->resync);
	manager_dirty_all(watch->manager);
	return 0;
}

static void on_lost(struct watch *watch)
{
	if (watch->resync)
		return;
	if (sd_event_add_time_relative(watch->event, &watch->resync, CLOCK_BOOTTIME,
				       RESYNC_MS * 1000, 1000, on_resync_time, watch) < 0)
		manager_dirty_all(watch->manager);
}

static void on_event(const struct os_event *event, void *data)
{
	struct watch *watch = data;
	int ifindex = event->link.ifindex;

	switch (event->kind) {
	case OS_EVENT_DCB:
		manager_dirty_port_name(watch->manager, event->name, dcb_objects());
		break;
	case OS_EVENT_LINK:
		on_link(watch, event);
		break;
	case OS_EVENT_ADDRESS:
		manager_dirty_port(watch->manager, ifindex, UINT32_C(1) << OBJECT_GID);
		break;
	case OS_EVENT_PAUSE:
		/* mlx5 has one register for both */
		manager_dirty_port(watch->manager, ifindex,
				   UINT32_C(1) << OBJECT_PAUSE | UINT32_C(1) << OBJECT_PFC);
		break;
	case OS_EVENT_PRIVATE_FLAGS:
		manager_dirty_port(watch->manager, ifindex, UINT32_C(1) << OBJECT_FW_LLDP_AGENT);
		break;
	case OS_EVENT_RDMA:
		manager_dirty_devices(watch->manager);
		break;
	case OS_EVENT_LOST:
		on_lost(watch);
		break;
	}
}

static int on_monitor(sd_event_source *source, int fd, uint32_t events, void *data)
{
	struct watch *watch = data;
	size_t i = 0;

	while (i + 1 < OS_MONITOR_MAX && watch->monitor.fd[i] != fd)
		i++;
	(void)os_monitor_read(&watch->monitor, (enum os_monitor_source)i, on_event, watch);
	return 0;
}

/* ---- files ---- */

static struct place *find_place(struct watch *watch, int wd)
{
	for (size_t i = 0; i < watch->n_places; i++)
		if (watch->places[i].wd == wd)
			return &watch->places[i];
	return NULL;
}

static void on_file_event(struct watch *watch, const struct inotify_event *event)
{
	struct place *place = find_place(watch, event->wd);

	if (event->mask & IN_Q_OVERFLOW)
		on_lost(watch);
	else if (event->wd == watch->root)
		manager_dirty_devices(watch->manager);
	else if (place && event->mask & (IN_IGNORED | IN_DELETE_SELF))
		/* It went with its device; a new one of that name is another file */
		manager_dirty_devices(watch->manager);
	else if (place)
		manager_dirty_port(watch->manager, place->ifindex, place->objects);
	if (place && event->mask & IN_IGNORED)
		place->wd = -1;
}

static int on_inotify(sd_event_source *source, int fd, uint32_t events, void *data)
{
	_Alignas(struct inotify_event) char buffer[8192];
	struct watch *watch = data;
	ssize_t size;

	size = read(fd, buffer, sizeof(buffer));
	for (ssize_t at = 0; size - at >= (ssize_t)sizeof(struct inotify_event);) {
		const struct inotify_event *event = (const struct inotify_event *)(buffer + at);

		on_file_event(watch, event);
		at += (ssize_t)(sizeof(*event) + event->len);
	}
	return 0;
}

static void add_place(const char *path, uint32_t objects, void *data)
{
	struct watch *watch = data;
	struct place *place;
	int wd;

	/* What is under watch already keeps its number */
	wd = inotify_add_watch(watch->inotify, path, IN_MODIFY | IN_DELETE_SELF);
	if (wd < 0)
		return;
	place = find_place(watch, wd);
	if (!place) {
		if (array_grow(&watch->places, watch->n_places, &watch->places_room,
			       sizeof(*watch->places)) < 0)
			return;
		place = &watch->places[watch->n_places++];
	}
	*place = (struct place){ .wd = wd, .ifindex = watch->nic->ifindex, .objects = objects,
				 .again = true };
}

static void drop_places(struct watch *watch)
{
	size_t n = 0;

	for (size_t i = 0; i < watch->n_places; i++) {
		if (watch->places[i].again)
			watch->places[n++] = watch->places[i];
		else if (watch->places[i].wd >= 0)
			(void)inotify_rm_watch(watch->inotify, watch->places[i].wd);
	}
	watch->n_places = n;
}

/* ---- what is there ---- */

void watch_targets(struct watch *watch, const struct inventory *inventory)
{
	_cleanup_(os_links_done) struct os_links links = {};

	for (size_t i = 0; i < watch->n_places; i++)
		watch->places[i].again = false;
	watch->n_known = 0;
	if (os_link_dump(watch->os, &links) == 0)
		for (size_t i = 0; i < links.n; i++)
			add_known(watch, &links.list[i]);
	watch->root = inotify_add_watch(watch->inotify, NIC_WATCH_CM_ROOT, IN_CREATE | IN_DELETE);
	for (size_t i = 0; inventory && i < inventory->n; i++) {
		watch->nic = &inventory->list[i];
		nic_watch_paths(watch->nic, add_place, watch);
	}
	drop_places(watch);
}

/* ---- life ---- */

struct watch *watch_free(struct watch *watch)
{
	if (!watch)
		return NULL;
	for (size_t i = 0; i < OS_MONITOR_MAX; i++)
		(void)sd_event_source_disable_unref(watch->source[i]);
	(void)sd_event_source_disable_unref(watch->files);
	(void)sd_event_source_disable_unref(watch->resync);
	os_monitor_close(&watch->monitor);
	if (watch->inotify >= 0)
		(void)close(watch->inotify);
	watch->os = os_free(watch->os);
	free(watch->known);
	free(watch->places);
	free(watch);
	return NULL;
}

static int open_all(struct watch *watch)
{
	int r;

	r = os_linux_new(&watch->os);
	if (r == 0)
		r = os_monitor_open(watch->os, &watch->monitor);
	for (size_t i = 0; r >= 0 && i < OS_MONITOR_MAX; i++)
		if (watch->monitor.fd[i] >= 0)
			r = sd_event_add_io(watch->event, &watch->source[i], watch->monitor.fd[i],
					    EPOLLIN, on_monitor, watch);
	if (r < 0)
		return r;
	watch->inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (watch->inotify < 0)
		return -errno;
	return sd_event_add_io(watch->event, &watch->files, watch->inotify, EPOLLIN, on_inotify,
			       watch);
}

int watch_new(sd_event *event, struct manager *manager, struct watch **ret)
{
	struct watch *watch = calloc(1, sizeof(*watch));
	int r;

	if (!watch)
		return -ENOMEM;
	*watch = (struct watch){ .event = event, .manager = manager, .inotify = -1, .root = -1,
				 .monitor.fd = { -1, -1, -1 } };
	r = open_all(watch);
	if (r < 0) {
		(void)watch_free(watch);
		return r;
	}
	*ret = watch;
	return 0;
}
