// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From events to marks: the monitor says what a case lets it say, inotify is real in a folder of
 * its own, and the manager notes what it is told.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "daemon/watch.h"
#include "lib/base/macro.h"
#include "lib/nic/watch.h"
#include "lib/os/monitor.h"
#include "tests/support/cases.h"

#define BIT(object) (UINT32_C(1) << (object))

enum {
	EVENTS_MAX = 2048,
	PATH_ROOM = 192,
	BURST = 1000,
	PORT = 4,
	OTHER_PORT = 5,
	BOND = 9,
	NEW_LINK = 30,
};

/* ---- the manager: a line for each call that says something new ---- */

static char told[1024];
static unsigned int n_told;

static void tell(const char *what, const char *name, uint32_t objects)
{
	const char *separator = " ";
	char line[256];
	int used;

	used = snprintf(line, sizeof(line), "%s%s%s%s", what, *name ? " " : "", name,
			objects == UINT32_MAX ? " everything" : "");
	for (enum object object = 0; objects != UINT32_MAX && object < OBJECT_MAX; object++) {
		if (!(objects & BIT(object)))
			continue;
		used += snprintf(line + used, sizeof(line) - (size_t)used, "%s%s", separator,
				 object_table[object].name);
		separator = "+";
	}
	(void)snprintf(line + used, sizeof(line) - (size_t)used, ";");
	n_told++;
	if (!strstr(told, line) && strlen(told) + strlen(line) < sizeof(told))
		(void)strcat(told, line);
}

void manager_dirty_port(struct manager *manager, int ifindex, uint32_t objects)
{
	char number[16];

	(void)snprintf(number, sizeof(number), "%d", ifindex);
	tell("port", number, objects);
}

void manager_dirty_port_name(struct manager *manager, const char *name, uint32_t objects)
{
	tell("name", name, objects);
}

void manager_dirty_rdma(struct manager *manager, const char *rdma, uint32_t objects)
{
	tell("rdma", rdma, objects);
}

void manager_dirty_devices(struct manager *manager)
{
	tell("devices", "", 0);
}

void manager_dirty_all(struct manager *manager)
{
	tell("all", "", 0);
}

/* ---- the monitor: what is queued comes in one reading ---- */

static struct os_event queue[EVENTS_MAX];
static size_t n_queue;
static int monitor_fd = -1, read_result;

static const struct os_link links[] = {
	{ .ifindex = PORT, .name = "ens1f0np0", .mtu = 1500, .carrier = true },
	{ .ifindex = OTHER_PORT, .name = "ens1f1np1", .mtu = 1500, .master_ifindex = BOND },
	{ .ifindex = BOND, .name = "bond0", .mtu = 1500 },
};

int os_monitor_open(struct os_monitor **ret)
{
	monitor_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	assert_true(monitor_fd >= 0);
	*ret = NULL;
	return 0;
}

struct os_monitor *os_monitor_free(struct os_monitor *monitor)
{
	(void)close(monitor_fd);
	return NULL;
}

int os_monitor_fd(const struct os_monitor *monitor, enum os_monitor_source source)
{
	return source == OS_MONITOR_ROUTE ? monitor_fd : -1;
}

int os_monitor_read(struct os_monitor *monitor, enum os_monitor_source source,
		    int (*each)(const struct os_event *event, void *data), void *data)
{
	uint64_t count;

	assert_int_equal(read(monitor_fd, &count, sizeof(count)), sizeof(count));
	for (size_t i = 0; i < n_queue; i++)
		assert_int_equal(each(&queue[i], data), 0);
	n_queue = 0;
	return read_result;
}

int os_monitor_links(struct os_monitor *monitor,
		     int (*each)(const struct os_event *event, void *data), void *data)
{
	for (size_t i = 0; i < ARRAY_SIZE(links); i++) {
		const struct os_event event = { .kind = OS_EVENT_LINK, .link = links[i] };

		assert_int_equal(each(&event, data), 0);
	}
	return 0;
}

/* ---- the places: a file of the port's own, a folder that all share ---- */

static char dir[64];

static void path_in(const char *name, char path[PATH_ROOM])
{
	(void)snprintf(path, PATH_ROOM, "%s/%s", dir, name);
}

int nic_watch_paths(const struct nic *nic,
		    int (*each)(const char *path, bool folder, uint32_t objects, void *data),
		    void *data)
{
	char path[PATH_ROOM];
	int r;

	path_in("cm", path);
	r = each(path, true, BIT(OBJECT_CM_MODE) | BIT(OBJECT_CM_TOS), data);
	(void)snprintf(path, sizeof(path), "%s/cm/%s", dir, nic->rdma);
	if (r == 0)
		r = each(path, true, BIT(OBJECT_CM_TOS), data);
	path_in(nic->name, path);
	return r ? r : each(path, false, BIT(OBJECT_ECN_NP) | BIT(OBJECT_TRAFFIC_CLASS), data);
}

static void write_file(const char *name)
{
	char path[PATH_ROOM];
	int fd;

	path_in(name, path);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "1", 1), 1);
	assert_int_equal(close(fd), 0);
}

static void make_folder(const char *name)
{
	char path[PATH_ROOM];

	path_in(name, path);
	assert_int_equal(mkdir(path, 0700), 0);
}

static void remove_place(const char *name)
{
	char path[PATH_ROOM];

	path_in(name, path);
	assert_int_equal(remove(path), 0);
}

/* ---- the bed ---- */

struct bed {
	sd_event *event;
	struct watch *watch;
};

static struct nic nics[] = {
	{ .ifindex = PORT, .name = "ens1f0np0", .rdma = "mlx5_0", .rdma_port = 1 },
	{ .ifindex = OTHER_PORT, .name = "ens1f1np1", .rdma = "mlx5_1", .rdma_port = 1 },
};
static const struct inventory both = { .list = nics, .n = 2 }, first = { .list = nics, .n = 1 };

static void forget(void)
{
	*told = '\0';
	n_told = 0;
}

static int begin(void **state)
{
	struct bed *bed = calloc(1, sizeof(*bed));

	assert_non_null(bed);
	(void)strcpy(dir, "/tmp/test-watch-XXXXXX");
	assert_non_null(mkdtemp(dir));
	make_folder("cm");
	make_folder("cm/mlx5_0");
	write_file("ens1f0np0");
	write_file("ens1f1np1");
	write_file("cm/mlx5_0/tos");
	n_queue = 0;
	read_result = 0;
	assert_true(sd_event_new(&bed->event) >= 0);
	assert_int_equal(watch_new(bed->event, NULL, &bed->watch), 0);
	watch_targets(bed->watch, &both);
	forget();
	*state = bed;
	return 0;
}

static int end(void **state)
{
	struct bed *bed = *state;
	char command[128];

	bed->watch = watch_free(bed->watch);
	sd_event_unref(bed->event);
	free(bed);
	(void)snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command);
}

static void run(struct bed *bed)
{
	while (sd_event_run(bed->event, 0) > 0)
		;
}

static void say(struct bed *bed, const struct os_event *events, size_t n)
{
	const uint64_t one = 1;

	for (size_t i = 0; i < n; i++)
		queue[i] = events[i];
	n_queue = n;
	assert_int_equal(write(monitor_fd, &one, sizeof(one)), sizeof(one));
	run(bed);
}

/* ---- what the kernel says ---- */

#define LINK(...)                                              \
	{                                                      \
		.kind = OS_EVENT_LINK, .link = { __VA_ARGS__ } \
	}

static const struct {
	const char *name;
	struct os_event event;
	const char *told;
} cases[] = {
	{ "DCB", { OS_EVENT_DCB, .name = "ens1f0np0" },
	  "name ens1f0np0 dcbx+pause+ets+max_rate+app+pfc+buffers;" },
	{ "nothing that matters", LINK(PORT, .name = "ens1f0np0", .mtu = 1500, .carrier = true),
	  "" },
	{ "other flags", LINK(PORT, .name = "ens1f0np0", .mtu = 1500, .carrier = true, .up = true),
	  "" },
	{ "no MTU in it", LINK(PORT, .name = "ens1f0np0", .carrier = true), "" },
	{ "MTU", LINK(PORT, .name = "ens1f0np0", .mtu = 4200, .carrier = true), "port 0 mtu;" },
	{ "carrier lost", LINK(PORT, .name = "ens1f0np0", .mtu = 1500), "port 4 everything;" },
	{ "renamed", LINK(PORT, .name = "rail0", .mtu = 1500, .carrier = true), "devices;" },
	{ "enslaved",
	  LINK(PORT, .master_ifindex = BOND, .name = "ens1f0np0", .mtu = 1500, .carrier = true),
	  "devices;" },
	{ "released", LINK(OTHER_PORT, .name = "ens1f1np1", .mtu = 1500), "devices;" },
	{ "new", LINK(NEW_LINK, .name = "eth7", .mtu = 1500), "devices;" },
	{ "gone", { OS_EVENT_LINK, .gone = true, .link = { PORT } }, "devices;" },
	{ "gone, never known", { OS_EVENT_LINK, .gone = true, .link = { NEW_LINK } }, "" },
	{ "address", { OS_EVENT_ADDRESS, .link = { PORT } }, "port 4 gid;" },
	{ "address of a bond",
	  { OS_EVENT_ADDRESS, .link = { BOND } },
	  "port 9 gid;port 5 gid;" },
	{ "pause", { OS_EVENT_PAUSE, .link = { PORT } }, "port 4 pause+pfc;" },
	{ "private flags", { OS_EVENT_PRIVATE_FLAGS, .link = { PORT } },
	  "port 4 fw_lldp_agent+dcbx+ets+max_rate+app+pfc+buffers;" },
	{ "RDMA device", { OS_EVENT_RDMA, .name = "mlx5_0" }, "devices;" },
	{ "lost", { OS_EVENT_LOST }, "all;" },
};

static void test_events(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		void *bed;

		assert_int_equal(begin(&bed), 0);
		say(bed, &cases[i].event, 1);
		case_string(cases[i].name, told, cases[i].told);
		assert_int_equal(end(&bed), 0);
	}
}

/* A change is one once: the same again is nothing, and back is one again. */
static void test_known_follows(void **state)
{
	static const struct os_event up =
		LINK(PORT, .name = "ens1f0np0", .mtu = 4200, .carrier = true);
	static const struct os_event short_one = LINK(PORT, .name = "ens1f0np0", .carrier = true);
	static const struct os_event back =
		LINK(PORT, .name = "ens1f0np0", .mtu = 1500, .carrier = true);

	say(*state, &up, 1);
	assert_int_equal(n_told, 1);
	say(*state, &up, 1);
	say(*state, &short_one, 1);
	say(*state, &up, 1);
	assert_int_equal(n_told, 1);
	say(*state, &back, 1);
	assert_int_equal(n_told, 2);
}

/* L04: two devices swap their names by way of a third; the index is what they are known by. */
static void test_l04_swap(void **state)
{
	static const struct os_event swap[] = {
		LINK(PORT, .name = "tmp", .mtu = 1500, .carrier = true),
		LINK(OTHER_PORT, .master_ifindex = BOND, .name = "ens1f0np0", .mtu = 1500),
		LINK(PORT, .name = "ens1f1np1", .mtu = 1500, .carrier = true),
	};

	say(*state, swap, ARRAY_SIZE(swap));
	assert_int_equal(n_told, 3);
	assert_string_equal(told, "devices;");
	forget();
	say(*state, &swap[1], 2);
	assert_int_equal(n_told, 0);
}

/* V02: a port without RDMA yet, its rename, its RDMA device: each is looked at. */
static void test_v02_late_port(void **state)
{
	static const struct os_event events[] = {
		LINK(NEW_LINK, .name = "eth0", .mtu = 1500),
		LINK(NEW_LINK, .name = "ens1f0np0", .mtu = 1500),
		{ OS_EVENT_RDMA, .name = "mlx5_0" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		forget();
		say(*state, &events[i], 1);
		assert_string_equal(told, "devices;");
	}
}

/* An index that is free again may be another device. */
static void test_gone_is_forgotten(void **state)
{
	static const struct os_event gone = { OS_EVENT_LINK, .gone = true, .link = { PORT } };
	static const struct os_event back =
		LINK(PORT, .name = "ens1f0np0", .mtu = 1500, .carrier = true);
	static const struct os_event other = LINK(BOND, .name = "bond0", .mtu = 1500);

	say(*state, &gone, 1);
	say(*state, &gone, 1);
	assert_int_equal(n_told, 1);
	say(*state, &other, 1);
	assert_int_equal(n_told, 1);
	say(*state, &back, 1);
	assert_int_equal(n_told, 2);
}

/* A thousand events that say the same are a thousand comparisons. */
static void test_burst(void **state)
{
	static struct os_event burst[BURST];

	for (size_t i = 0; i < BURST; i++)
		burst[i] = (struct os_event)LINK(PORT, .name = "ens1f0np0", .mtu = 1500,
						 .carrier = true);
	say(*state, burst, BURST);
	assert_int_equal(n_told, 0);
	/* Links of containers: each is new once */
	for (size_t i = 0; i < BURST; i++)
		burst[i].link.ifindex = (int)(NEW_LINK + i % (BURST / 2));
	say(*state, burst, BURST);
	assert_int_equal(n_told, BURST / 2);
	assert_string_equal(told, "devices;");
}

/* ---- lost events ---- */

/* L01: one resync at once, and however many are lost meanwhile, one more a second later. */
static void test_l01_lost(void **state)
{
	static const struct os_event lost = { OS_EVENT_LOST };
	struct bed *bed = *state;
	struct timespec begun, now;
	int64_t ms;

	say(bed, &lost, 1);
	assert_int_equal(n_told, 1);
	(void)clock_gettime(CLOCK_MONOTONIC, &begun);
	say(bed, &lost, 1);
	say(bed, &lost, 1);
	assert_int_equal(n_told, 1);
	while (n_told == 1)
		assert_true(sd_event_run(bed->event, 30 * 1000 * 1000) > 0);
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	ms = (now.tv_sec - begun.tv_sec) * 1000 + (now.tv_nsec - begun.tv_nsec) / 1000000;
	/* Not sooner; how much later is the machine's */
	assert_true(ms >= 900);
	assert_int_equal(n_told, 2);
	assert_string_equal(told, "all;");
	/* Nothing was lost since: the pause ends, and nothing comes of it */
	assert_true(sd_event_run(bed->event, 30 * 1000 * 1000) > 0);
	assert_int_equal(n_told, 2);
	say(bed, &lost, 1);
	assert_int_equal(n_told, 3);
}

/* After a loss what is compared with is the kernel's list, not what was known before. */
static void test_lost_list(void **state)
{
	static const struct os_event changed =
		LINK(PORT, .name = "ens1f0np0", .mtu = 4200, .carrier = true);
	static const struct os_event lost = { OS_EVENT_LOST };

	say(*state, &changed, 1);
	say(*state, &lost, 1);
	forget();
	say(*state, &changed, 1);
	assert_string_equal(told, "port 0 mtu;");
}

static void test_reading_fails(void **state)
{
	read_result = -ENOMEM;
	say(*state, NULL, 0);
	assert_string_equal(told, "all;");
}

/* ---- files ---- */

static void test_file(void **state)
{
	write_file("ens1f0np0");
	run(*state);
	assert_string_equal(told, "rdma mlx5_0 traffic_class;port 4 ecn_np;");
}

static void test_folder(void **state)
{
	write_file("cm/mlx5_0/tos");
	run(*state);
	assert_string_equal(told, "rdma mlx5_0 cm_tos;");
}

/* Somebody makes a group, then its attributes are under watch as well. */
static void test_group_appears(void **state)
{
	struct bed *bed = *state;

	make_folder("cm/mlx5_1");
	run(bed);
	assert_string_equal(told, "devices;");
	watch_targets(bed->watch, &both);
	write_file("cm/mlx5_1/tos");
	run(bed);
	forget();
	write_file("cm/mlx5_1/tos");
	run(bed);
	assert_string_equal(told, "rdma mlx5_1 cm_tos;");
}

/* The folder is shared: it says nothing of one device alone. */
static void test_shared_folder(void **state)
{
	struct bed *bed = *state;

	write_file("cm/version");
	run(bed);
	forget();
	write_file("cm/version");
	run(bed);
	assert_string_equal(told, "port 0 cm_mode+cm_tos;");
	watch_targets(bed->watch, &first);
	forget();
	write_file("cm/version");
	run(bed);
	assert_string_equal(told, "rdma mlx5_0 cm_mode+cm_tos;");
}

static void test_file_goes(void **state)
{
	struct bed *bed = *state;

	remove_place("ens1f0np0");
	run(bed);
	assert_string_equal(told, "devices;");
	write_file("ens1f0np0");
	watch_targets(bed->watch, &both);
	forget();
	write_file("ens1f0np0");
	run(bed);
	assert_string_equal(told, "rdma mlx5_0 traffic_class;port 4 ecn_np;");
}

/* What the kernel keeps for us: lines of /proc/self/fdinfo, as proc(5) has them. */
static unsigned int count_watches(void)
{
	char path[64], line[256];
	unsigned int n = 0;
	FILE *file;

	for (int fd = 0; fd < 64; fd++) {
		(void)snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
		file = fopen(path, "re");
		while (file && fgets(line, sizeof(line), file))
			n += strncmp(line, "inotify wd:", 11) == 0;
		if (file)
			(void)fclose(file);
	}
	return n;
}

/* Read anew as it was: the same watches; gone: none is left behind. */
static void test_watches_do_not_pile_up(void **state)
{
	struct bed *bed = *state;

	/* two files, the shared folder, one group */
	assert_int_equal(count_watches(), 4);
	watch_targets(bed->watch, &both);
	assert_int_equal(count_watches(), 4);
	watch_targets(bed->watch, &first);
	assert_int_equal(count_watches(), 3);
	remove_place("ens1f0np0");
	run(bed);
	watch_targets(bed->watch, &first);
	assert_int_equal(count_watches(), 2);
	watch_targets(bed->watch, NULL);
	assert_int_equal(count_watches(), 0);
}

/* What is no target any more is let go; what stays is not touched, so no write is missed. */
static void test_targets_change(void **state)
{
	struct bed *bed = *state;

	write_file("ens1f0np0");
	watch_targets(bed->watch, &first);
	write_file("ens1f1np1");
	run(bed);
	assert_string_equal(told, "rdma mlx5_0 traffic_class;port 4 ecn_np;");
	watch_targets(bed->watch, NULL);
	forget();
	write_file("ens1f0np0");
	run(bed);
	assert_int_equal(n_told, 0);
}

int main(void)
{
#define WITH_BED(test) cmocka_unit_test_setup_teardown(test, begin, end)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events),
		WITH_BED(test_known_follows),
		WITH_BED(test_l04_swap),
		WITH_BED(test_v02_late_port),
		WITH_BED(test_gone_is_forgotten),
		WITH_BED(test_burst),
		WITH_BED(test_l01_lost),
		WITH_BED(test_lost_list),
		WITH_BED(test_reading_fails),
		WITH_BED(test_file),
		WITH_BED(test_folder),
		WITH_BED(test_group_appears),
		WITH_BED(test_shared_folder),
		WITH_BED(test_file_goes),
		WITH_BED(test_watches_do_not_pile_up),
		WITH_BED(test_targets_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
