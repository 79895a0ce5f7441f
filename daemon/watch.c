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
#include "lib/base/macro.h"
#include "lib/nic/watch.h"
#include "lib/os/monitor.h"

#define BIT(object)  (UINT32_C(1) << (object))
#define ALL_OBJECTS  UINT32_MAX
#define CREATED_GONE (IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_IGNORED)

enum {
	RESYNC_US = 1000 * 1000, /* at most one in this time, however much is lost */
	ACCURACY_US = 1000,
	EVERY_PORT = 0, /* as an ifindex, for the manager */
};

/*
 * A link as an event showed it last, or the kernel's list at the start. Every link of the machine,
 * not only those with RDMA: what is known of a container's link is why it causes nothing.
 */
struct known {
	int ifindex;
	int master_ifindex;
	uint32_t mtu;
	bool carrier;
	char name[IFNAMSIZ];
};

/* A file or folder under watch. */
struct place {
	int wd; /* never given twice */
	int ifindex;
	char rdma[NAME_MAX_BYTES]; /* "": of several devices */
	uint32_t objects;
	bool again; /* asked for by the watch_targets() that is at work */
};

struct watch {
	sd_event *event;
	struct manager *manager;
	struct os_monitor *monitor;
	sd_event_source *source[OS_MONITOR_MAX];
	sd_event_source *files;
	sd_event_source *pause; /* after a resync; NULL: the next may be at once */
	bool lost; /* meanwhile */
	int inotify;
	struct known *known;
	size_t n_known, known_room;
	struct place *places;
	size_t n_places, places_room;
	const struct nic *nic; /* while its places are added */
};

static uint32_t dcb_objects(void)
{
	uint32_t objects = 0;

	for (enum object object = 0; object < OBJECT_MAX; object++)
		if (object_table[object].dcb)
			objects |= BIT(object);
	return objects;
}

static uint32_t rdma_objects(void)
{
	uint32_t objects = 0;

	for (enum object object = 0; object < OBJECT_MAX; object++)
		if (object_table[object].target == TARGET_RDMA)
			objects |= BIT(object);
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

static void set_known(struct known *known, const struct os_link *link)
{
	known->ifindex = link->ifindex;
	known->master_ifindex = link->master_ifindex;
	known->mtu = link->mtu ? link->mtu : known->mtu;
	known->carrier = link->carrier;
	memcpy(known->name, link->name, sizeof(known->name));
}

/* Without memory the link stays unknown, and each of its events counts as its first. */
static int add_known(const struct os_event *event, void *data)
{
	struct watch *watch = data;

	if (array_grow(&watch->known, watch->n_known, &watch->known_room, sizeof(*watch->known)) <
	    0)
		return -ENOMEM;
	watch->known[watch->n_known] = (struct known){};
	set_known(&watch->known[watch->n_known++], &event->link);
	return 0;
}

static void on_link_change(struct watch *watch, struct known *known, const struct os_link *link)
{
	if (known->master_ifindex != link->master_ifindex || strcmp(known->name, link->name) != 0)
		manager_dirty_devices(watch->manager);
	if (link->mtu && known->mtu != link->mtu)
		/* Those above and below are bounded by it */
		manager_dirty_port(watch->manager, EVERY_PORT, BIT(OBJECT_MTU));
	if (known->carrier != link->carrier)
		/* What the firmware settles with its neighbour comes with the link */
		manager_dirty_port(watch->manager, link->ifindex, ALL_OBJECTS);
	set_known(known, link);
}

static void on_link(struct watch *watch, const struct os_event *event)
{
	struct known *known = find_known(watch, event->link.ifindex);

	if (event->gone && known) {
		*known = watch->known[--watch->n_known];
		manager_dirty_devices(watch->manager);
	} else if (!event->gone && !known) {
		/* It may be a port, or the VLAN or bond on one */
		(void)add_known(event, watch);
		manager_dirty_devices(watch->manager);
	} else if (!event->gone) {
		on_link_change(watch, known, &event->link);
	}
}

/* The GIDs of the slaves' RDMA device may be those of the bond. */
static void on_address(struct watch *watch, int ifindex)
{
	manager_dirty_port(watch->manager, ifindex, BIT(OBJECT_GID));
	for (size_t i = 0; i < watch->n_known; i++)
		if (watch->known[i].master_ifindex == ifindex)
			manager_dirty_port(watch->manager, watch->known[i].ifindex,
					   BIT(OBJECT_GID));
}

/* ---- lost events (L01) ---- */

static void on_lost(struct watch *watch);

static int on_pause_over(sd_event_source *source, uint64_t usec, void *data)
{
	struct watch *watch = data;

	watch->pause = sd_event_source_disable_unref(watch->pause);
	if (watch->lost)
		on_lost(watch);
	return 0;
}

static void on_lost(struct watch *watch)
{
	watch->lost = watch->pause != NULL;
	if (watch->lost)
		return;
	watch->n_known = 0;
	(void)os_monitor_links(watch->monitor, add_known, watch);
	manager_dirty_all(watch->manager);
	(void)sd_event_add_time_relative(watch->event, &watch->pause, CLOCK_BOOTTIME, RESYNC_US,
					 ACCURACY_US, on_pause_over, watch);
}

/* ---- what the kernel says ---- */

static int on_event(const struct os_event *event, void *data)
{
	struct watch *watch = data;
	int ifindex = event->link.ifindex;

	switch (event->kind) {
	case OS_EVENT_DCB:
		/* On mlx5 a change of the PFC mask clears pause */
		manager_dirty_port_name(watch->manager, event->name,
					dcb_objects() | BIT(OBJECT_PAUSE));
		break;
	case OS_EVENT_LINK:
		on_link(watch, event);
		break;
	case OS_EVENT_ADDRESS:
		on_address(watch, ifindex);
		break;
	case OS_EVENT_PAUSE:
		/* mlx5 has one register for both */
		manager_dirty_port(watch->manager, ifindex, BIT(OBJECT_PAUSE) | BIT(OBJECT_PFC));
		break;
	case OS_EVENT_PRIVATE_FLAGS:
		/* Who owns DCB goes with the agent, without a DCB message */
		manager_dirty_port(watch->manager, ifindex,
				   BIT(OBJECT_FW_LLDP_AGENT) | dcb_objects());
		break;
	case OS_EVENT_RDMA:
		manager_dirty_devices(watch->manager);
		break;
	case OS_EVENT_LOST:
		on_lost(watch);
		break;
	}
	return 0;
}

static int on_monitor(sd_event_source *source, int fd, uint32_t events, void *data)
{
	struct watch *watch = data;

	for (enum os_monitor_source i = 0; i < OS_MONITOR_MAX; i++)
		if (os_monitor_fd(watch->monitor, i) == fd &&
		    os_monitor_read(watch->monitor, i, on_event, watch) < 0)
			on_lost(watch);
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

static void mark_place(struct watch *watch, const struct place *place)
{
	uint32_t rdma = place->objects & rdma_objects(), port = place->objects & ~rdma;

	if (rdma && *place->rdma)
		manager_dirty_rdma(watch->manager, place->rdma, rdma);
	else if (rdma)
		manager_dirty_port(watch->manager, EVERY_PORT, rdma);
	if (port)
		manager_dirty_port(watch->manager, place->ifindex, port);
}

static void on_file_event(struct watch *watch, const struct inotify_event *event)
{
	struct place *place = find_place(watch, event->wd);

	if (event->mask & IN_Q_OVERFLOW)
		on_lost(watch);
	else if (place && event->mask & CREATED_GONE)
		/* Even of the same name it would be another file: what is read anew is watched */
		manager_dirty_devices(watch->manager);
	else if (place)
		mark_place(watch, place);
}

static int on_inotify(sd_event_source *source, int fd, uint32_t events, void *data)
{
	_Alignas(struct inotify_event) char buffer[8192];
	const ssize_t header = sizeof(struct inotify_event);
	struct watch *watch = data;
	ssize_t size, at = 0;

	/* One buffer a call; the rest makes the loop call again */
	size = read(fd, buffer, sizeof(buffer));
	while (size - at >= header) {
		const struct inotify_event *event = (const struct inotify_event *)(buffer + at);

		on_file_event(watch, event);
		at += header + (ssize_t)event->len;
	}
	return 0;
}

/* The place with that number, from before or new; NULL without memory. */
static struct place *need_place(struct watch *watch, int wd)
{
	struct place *place = find_place(watch, wd);

	if (place)
		return place;
	if (array_grow(&watch->places, watch->n_places, &watch->places_room,
		       sizeof(*watch->places)) < 0)
		return NULL;
	place = &watch->places[watch->n_places++];
	*place = (struct place){ .wd = wd };
	return place;
}

static int add_place(const char *path, bool folder, uint32_t objects, void *data)
{
	uint32_t mask = folder ? IN_MODIFY | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_ONLYDIR :
				 IN_MODIFY | IN_DELETE_SELF;
	struct watch *watch = data;
	const struct nic *nic = watch->nic;
	struct place *place;
	int wd;

	/* What is under watch already keeps its number */
	wd = inotify_add_watch(watch->inotify, path, mask);
	if (wd < 0)
		return 0;
	place = need_place(watch, wd);
	if (!place) {
		(void)inotify_rm_watch(watch->inotify, wd);
		return 0;
	}
	if (!place->again) {
		*place = (struct place){ .wd = wd, .ifindex = nic->ifindex, .again = true };
		memcpy(place->rdma, nic->rdma, sizeof(place->rdma));
	}
	if (strcmp(place->rdma, nic->rdma) != 0)
		*place->rdma = '\0';
	place->objects |= objects;
	return 0;
}

static void drop_places(struct watch *watch)
{
	size_t n = 0;

	for (size_t i = 0; i < watch->n_places; i++) {
		if (watch->places[i].again)
			watch->places[n++] = watch->places[i];
		else
			(void)inotify_rm_watch(watch->inotify, watch->places[i].wd);
	}
	watch->n_places = n;
}

void watch_targets(struct watch *watch, const struct inventory *inventory)
{
	for (size_t i = 0; i < watch->n_places; i++)
		watch->places[i].again = false;
	for (size_t i = 0; inventory && i < inventory->n; i++) {
		watch->nic = &inventory->list[i];
		(void)nic_watch_paths(watch->nic, add_place, watch);
	}
	watch->nic = NULL;
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
	(void)sd_event_source_disable_unref(watch->pause);
	(void)os_monitor_free(watch->monitor);
	if (watch->inotify >= 0)
		(void)close(watch->inotify);
	free(watch->known);
	free(watch->places);
	free(watch);
	return NULL;
}

static int open_all(struct watch *watch)
{
	int fd, r;

	r = os_monitor_open(&watch->monitor);
	if (r < 0)
		return r;
	for (enum os_monitor_source i = 0; r >= 0 && i < OS_MONITOR_MAX; i++) {
		fd = os_monitor_fd(watch->monitor, i);
		if (fd >= 0)
			r = sd_event_add_io(watch->event, &watch->source[i], fd, EPOLLIN,
					    on_monitor, watch);
	}
	if (r < 0)
		return r;
	/* Without the list each link is a new one with its first event */
	(void)os_monitor_links(watch->monitor, add_known, watch);
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
	watch->event = event;
	watch->manager = manager;
	watch->inotify = -1;
	r = open_all(watch);
	if (r < 0) {
		(void)watch_free(watch);
		return r;
	}
	*ret = watch;
	return 0;
}
