// SPDX-License-Identifier: LGPL-2.1-or-later
/* The simulated node: its devices, its clock, faults and write counters. */
#include "lib/os/fake.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/os/fake-private.h"

enum {
	CLOCK_START_MS = 1000,
	LO_INDEX = 1,
	LO_MTU = 65536,
	MTU_DEFAULT = 1500,
};

/* What the demo shows, and what os_fake_new() makes if it is given nothing. */
static const struct fake_port demo_ports[] = {
	{ .name = "ens1f0np0",
	  .rdma = "mlx5_0",
	  .pci = "0000:17:00.0",
	  .driver = "mlx5_core",
	  .ofed = true },
	{ .name = "ens1f1np1",
	  .rdma = "mlx5_1",
	  .pci = "0000:17:00.1",
	  .driver = "mlx5_core",
	  .ofed = true },
};

/* ---- clock ---- */

static int64_t fake_now_ms(struct os *os)
{
	return fake_of(os)->now_ms;
}

static void fake_sleep_ms(struct os *os, unsigned int ms)
{
	fake_of(os)->now_ms += ms;
}

/* ---- devices ---- */

struct fake_device *fake_find_name(struct fake *fake, const char *ifname)
{
	for (size_t i = 0; i < fake->n_device; i++)
		if (fake->device[i]->present && !strcmp(fake->device[i]->name, ifname))
			return fake->device[i];
	return NULL;
}

struct fake_device *fake_find_index(struct fake *fake, int ifindex)
{
	for (size_t i = 0; i < fake->n_device; i++)
		if (fake->device[i]->present && fake->device[i]->ifindex == ifindex)
			return fake->device[i];
	return NULL;
}

struct fake_device *fake_find_rdma(struct fake *fake, const char *rdma)
{
	for (size_t i = 0; i < fake->n_device; i++)
		if (*rdma && !strcmp(fake->device[i]->rdma.name, rdma))
			return fake->device[i];
	return NULL;
}

bool fake_carrier(const struct fake_device *device)
{
	return !device->unplugged && device->fake->now_ms >= device->carrier_from_ms;
}

void fake_netdev_gone(struct fake_device *device)
{
	if (!device->present)
		return;
	fake_sysfs_drop_netdev(device);
	device->present = false;
}

void fake_rdma_gone(struct fake_device *device)
{
	if (!device->rdma.present)
		return;
	fake_sysfs_drop_rdma(device);
	fake_qps_gone(device);
	fake_rdma_defaults(&device->rdma);
	device->rdma.present = false;
}

/* cma.c: RoCE v2 where the device can, ToS 0; no traffic class */
void fake_rdma_defaults(struct fake_rdma *rdma)
{
	rdma->tclass = -1;
	rdma->cm_tos = 0;
	rdma->cm_v1 = rdma->infiniband;
	memset(rdma->rule, 0, sizeof(rdma->rule));
}

static int copy_name(char *ret, size_t size, const char *name)
{
	size_t length = name ? strlen(name) : 0;

	if (length >= size)
		return -EINVAL;
	if (length)
		memcpy(ret, name, length);
	ret[length] = '\0';
	return 0;
}

struct fake_device *fake_add_device(struct fake *fake)
{
	struct fake_device *device;

	if (array_grow(&fake->device, fake->n_device, &fake->device_room, sizeof(*fake->device)) <
	    0)
		return NULL;
	device = calloc(1, sizeof(*device));
	if (!device)
		return NULL;
	fake->device[fake->n_device++] = device;
	device->fake = fake;
	device->ifindex = (int)fake->n_device;
	device->link_delay_ms = FAKE_LINK_DELAY_MS;
	device->rdma.tclass = -1;
	device->dcb_error = -EOPNOTSUPP;
	device->pause_error = -EOPNOTSUPP;
	return device;
}

int fake_add_virtual(struct fake *fake, const char *name, const char *kind, uint32_t mtu,
		     struct fake_device **ret)
{
	struct fake_device *device = fake_add_device(fake);

	if (!device)
		return -ENOMEM;
	if (copy_name(device->name, sizeof(device->name), name) < 0 ||
	    copy_name(device->kind, sizeof(device->kind), kind) < 0)
		return -EINVAL;
	device->mtu = mtu;
	device->mtu_max = UINT16_MAX;
	if (mtu <= UINT16_MAX)
		device->mtu_min = FAKE_MTU_MIN;
	else
		device->mtu_max = 0;
	device->present = true;
	*ret = device;
	return fake_sysfs_netdev(device);
}

static int copy_port(struct fake_device *device, const struct fake_port *port)
{
	const char *driver = port->driver ? port->driver : "mlx5_core";

	if (!port->pci || (!port->name && !port->infiniband))
		return -EINVAL;
	if (copy_name(device->pci, sizeof(device->pci), port->pci) < 0 ||
	    copy_name(device->driver_name, sizeof(device->driver_name), driver) < 0 ||
	    copy_name(device->physfn, sizeof(device->physfn), port->physfn) < 0 ||
	    copy_name(device->rdma.name, sizeof(device->rdma.name), port->rdma) < 0)
		return -EINVAL;
	device->driver = fake_driver_find(driver);
	return copy_name(device->name, sizeof(device->name), port->infiniband ? NULL : port->name);
}

static void number_port(struct fake *fake, struct fake_device *device)
{
	for (size_t i = 0; i < fake->n_device; i++) {
		const struct fake_device *other = fake->device[i];

		if (other == device || !other->pci[0])
			continue;
		device->number++;
		device->dev_port += !strcmp(other->pci, device->pci);
	}
	/* locally administered, counting */
	device->mac[0] = 0x02;
	device->mac[1] = 0x17;
	device->mac[5] = (uint8_t)(device->number + 1);
}

static int add_port(struct fake *fake, const struct fake_port *port)
{
	struct fake_device *device = fake_add_device(fake);
	int r;

	if (!device)
		return -ENOMEM;
	r = copy_port(device, port);
	if (r < 0)
		return r;
	number_port(fake, device);
	device->mtu = MTU_DEFAULT;
	device->mtu_min = FAKE_MTU_MIN;
	device->mtu_max = FAKE_MTU_MAX;
	device->rdma.ofed = port->ofed;
	fake_attach(device);
	if (!device->physfn[0] && !port->no_dcb)
		device->dcb_error = device->pause_error = 0;
	r = fake_sysfs_pci(device);
	if (r < 0)
		return r;
	if (device->name[0]) {
		device->present = true;
		r = fake_sysfs_netdev(device);
		if (r < 0)
			return r;
	}
	if (!device->rdma.name[0])
		return 0;
	device->rdma.infiniband = port->infiniband;
	device->rdma.present = true;
	fake_rdma_defaults(&device->rdma);
	return fake_sysfs_rdma(device);
}

/* ---- faults and counters ---- */

/* What a call is, for faults and counters that stand for several. */
static const struct {
	bool netlink;
	bool write; /* counts in FAKE_ANY_WRITE */
	bool counted;
} call_kind[FAKE_CALL_MAX] = {
	[FAKE_WRITE] = { .write = true, .counted = true },
	[FAKE_MAKE_DIR] = { .counted = true },
	[FAKE_NETLINK] = { .netlink = true },
	[FAKE_DCB_GET] = { .netlink = true },
	[FAKE_DCB_SET] = { .netlink = true, .write = true, .counted = true },
	[FAKE_LINK_DUMP] = { .netlink = true },
	[FAKE_LINK_SET] = { .netlink = true, .write = true, .counted = true },
	[FAKE_PAUSE_GET] = { .netlink = true },
	[FAKE_PAUSE_SET] = { .netlink = true, .write = true, .counted = true },
	[FAKE_ETHTOOL_SET] = { .write = true, .counted = true },
	[FAKE_RDMA_DUMP] = { .netlink = true },
};

static bool matches(enum fake_call wanted, const char *match, enum fake_call call,
		    const char *subject)
{
	bool same = wanted == call || (wanted == FAKE_NETLINK && call_kind[call].netlink) ||
		    (wanted == FAKE_ANY_WRITE && call_kind[call].write);

	return same && (!match || strstr(subject, match));
}

static void count(struct fake *fake, enum fake_call call, const char *subject)
{
	char *copy;

	if (!call_kind[call].counted)
		return;
	copy = strdup(subject);
	if (!copy ||
	    array_grow(&fake->write, fake->n_write, &fake->write_room, sizeof(*fake->write)) < 0) {
		free(copy);
		return;
	}
	fake->write[fake->n_write++] = (struct fake_write){ .call = call, .subject = copy };
}

/* The device that a path or "ifname/object" is about goes away. */
static void vanish(struct fake *fake, const char *subject)
{
	for (size_t i = 0; i < fake->n_device; i++) {
		struct fake_device *device = fake->device[i];
		const char *rdma = device->rdma.name[0] ? strstr(subject, device->rdma.name) : NULL;
		const char *name = device->name[0] ? strstr(subject, device->name) : NULL;
		bool debug = device->pci[0] && !strncmp(subject, "/sys/kernel/debug/", 18) &&
			     strstr(subject, device->pci);

		if (debug || (rdma && (rdma[strlen(device->rdma.name)] == '/' ||
				       !rdma[strlen(device->rdma.name)])))
			fake_rdma_gone(device);
		else if (name && name[strlen(device->name)] == '/')
			fake_netdev_gone(device);
	}
}

static struct fake_verdict strike(struct fake *fake, const struct fake_trap *trap,
				  enum fake_call call, const char *subject)
{
	bool dcb = call == FAKE_DCB_SET;

	switch (trap->mode) {
	case FAKE_ERRNO:
		return (struct fake_verdict){ FAKE_FAIL, -abs(trap->error) };
	case FAKE_BUSY:
		/* A busy driver says so itself: in the status byte */
		return (struct fake_verdict){ dcb ? FAKE_REFUSE : FAKE_FAIL, -EBUSY };
	case FAKE_SILENT:
		return (struct fake_verdict){ FAKE_SKIP, 0 };
	case FAKE_STATUS:
		return (struct fake_verdict){ dcb ? FAKE_REFUSE : FAKE_FAIL,
					      dcb ? trap->error : -abs(trap->error) };
	case FAKE_CLAMP:
		return (struct fake_verdict){ FAKE_LESS, 0 };
	case FAKE_GONE:
		vanish(fake, subject);
		break;
	}
	return (struct fake_verdict){};
}

struct fake_verdict fake_enter(struct fake *fake, enum fake_call call, const char *subject)
{
	const struct fake_trap *hit = NULL;

	count(fake, call, subject);
	for (size_t i = 0; i < fake->n_trap; i++) {
		struct fake_trap *trap = &fake->trap[i];

		if (!matches(trap->call, trap->match, call, subject) || trap->seen++ < trap->skip)
			continue;
		if (trap->times && trap->hits >= trap->times)
			continue;
		trap->hits++;
		if (!hit)
			hit = trap;
	}
	return hit ? strike(fake, hit, call, subject) : (struct fake_verdict){};
}

int os_fake_fault(struct os *os, const struct fake_fault *fault)
{
	struct fake *fake = fake_of(os);
	struct fake_trap trap = {
		.call = fault->call,
		.mode = fault->mode,
		.error = fault->error,
		.skip = fault->skip,
		.times = fault->times,
	};

	if (array_grow(&fake->trap, fake->n_trap, &fake->trap_room, sizeof(*fake->trap)) < 0)
		return -ENOMEM;
	if (fault->match) {
		trap.match = strdup(fault->match);
		if (!trap.match)
			return -ENOMEM;
	}
	fake->trap[fake->n_trap] = trap;
	return (int)fake->n_trap++;
}

unsigned int os_fake_hits(const struct os *os)
{
	const struct fake *fake = (const struct fake *)os;
	unsigned int hits = 0;

	for (size_t i = 0; i < fake->n_trap; i++)
		hits += fake->trap[i].hits;
	return hits;
}

void os_fake_fault_clear(struct os *os)
{
	struct fake *fake = fake_of(os);

	while (fake->n_trap > 0)
		free(fake->trap[--fake->n_trap].match);
}

unsigned int os_fake_writes(const struct os *os, enum fake_call call, const char *match)
{
	const struct fake *fake = (const struct fake *)os;
	unsigned int n = 0;

	for (size_t i = 0; i < fake->n_write; i++)
		n += matches(call, match, fake->write[i].call, fake->write[i].subject);
	return n;
}

void os_fake_writes_reset(struct os *os)
{
	struct fake *fake = fake_of(os);

	while (fake->n_write > 0)
		free(fake->write[--fake->n_write].subject);
}

/* ---- begin and end ---- */

static void fake_free(struct os *os)
{
	struct fake *fake = fake_of(os);

	os_fake_fault_clear(os);
	os_fake_writes_reset(os);
	free(fake->trap);
	free(fake->write);
	fake_netlink_done(fake);
	fake_tree_done(fake);
	for (size_t i = 0; i < fake->n_device; i++) {
		free(fake->device[i]->counter);
		free(fake->device[i]);
	}
	free(fake->qp);
	free(fake->device);
	free(fake);
}

static int fake_link_name(struct os *os, int ifindex, char *ret)
{
	const struct fake_device *device = fake_find_index(fake_of(os), ifindex);
	char subject[OS_NAME_MAX + sizeof("/name")];
	struct fake_verdict verdict;

	(void)snprintf(subject, sizeof(subject), "%s/name", device ? device->name : "");
	verdict = fake_enter(fake_of(os), FAKE_LINK_NAME, subject);
	device = fake_find_index(fake_of(os), ifindex);
	if (verdict.fate == FAKE_FAIL)
		return verdict.error;
	if (!device)
		return -ENODEV;
	(void)snprintf(ret, IFNAMSIZ, "%s", device->name);
	return 0;
}

static const struct os_ops fake_ops = {
	.open = fake_open,
	.read = fake_read,
	.write = fake_write,
	.close = fake_close,
	.make_dir = fake_make_dir,
	.read_link = fake_read_link,
	.list = fake_list,
	.ethtool = fake_ethtool,
	.link_name = fake_link_name,
	.netlink_open = fake_netlink_open,
	.now_ms = fake_now_ms,
	.sleep_ms = fake_sleep_ms,
	.free = fake_free,
};

static int build(struct fake *fake, const struct fake_port *ports, size_t n)
{
	struct fake_device *lo;
	int r;

	r = fake_sysfs_base(fake);
	if (r < 0)
		return r;
	r = fake_add_virtual(fake, "lo", "", LO_MTU, &lo);
	for (size_t i = 0; i < n && r == 0; i++)
		r = add_port(fake, &ports[i]);
	return r;
}

struct fake *fake_new(void)
{
	struct fake *fake = calloc(1, sizeof(*fake));

	if (!fake)
		return NULL;
	fake->os.ops = &fake_ops;
	fake->os.privileged = true;
	fake->now_ms = CLOCK_START_MS;
	fake_netlink_register(fake);
	return fake;
}

int os_fake_new(const struct fake_port *ports, size_t n, struct os **ret)
{
	struct fake *fake = fake_new();
	int r;

	if (!fake)
		return -ENOMEM;
	r = ports ? build(fake, ports, n) : build(fake, demo_ports, ARRAY_SIZE(demo_ports));
	if (r < 0) {
		(void)os_free(&fake->os);
		return r;
	}
	*ret = &fake->os;
	return 0;
}
