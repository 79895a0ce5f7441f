// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The attributes that people and scripts write. Seen are writes through the file system; what a
 * driver or its firmware changes by itself gives no event (an audit finds that). Not here: debugfs,
 * into which losslessd cannot look; the MTU and the GIDs, of which the kernel tells over netlink.
 */
#include "lib/nic/watch.h"

#include <stdio.h>

#include "lib/base/macro.h"
#include "lib/model/knob.h"
#include "lib/os/os.h"

#define BIT(object) (UINT32_C(1) << (object))
#define CM_BITS	    (BIT(OBJECT_CM_MODE) | BIT(OBJECT_CM_TOS))
#define NET	    "/sys/class/net/"
#define CM_ROOT	    "/sys/kernel/config/rdma_cm"

enum name_of { NAME_NONE, NAME_NETDEV, NAME_RDMA };
enum number_of { NUMBER_NONE, NUMBER_PORT, NUMBER_PRIORITY };

/* A path is root, name, middle, number, end. */
static const struct row {
	const char *root;
	enum name_of name;
	const char *middle;
	enum number_of number;
	const char *end;
	bool folder;
	uint32_t objects;
} rows[] = {
	/* Groups come and go here: mlnx-tools' cma_roce_mode makes one and removes it */
	{ CM_ROOT, NAME_NONE, "", NUMBER_NONE, "", true, CM_BITS },
	{ CM_ROOT "/", NAME_RDMA, "/ports/", NUMBER_PORT, "", true, CM_BITS },
	{ "/sys/class/infiniband/", NAME_RDMA, "/tc/", NUMBER_PORT, "/traffic_class", false,
	  BIT(OBJECT_TRAFFIC_CLASS) },
	{ NET, NAME_NETDEV, "/ecn/roce_np/enable/", NUMBER_PRIORITY, "", false,
	  BIT(OBJECT_ECN_NP) },
	{ NET, NAME_NETDEV, "/ecn/roce_rp/enable/", NUMBER_PRIORITY, "", false,
	  BIT(OBJECT_ECN_RP) },
	{ NET, NAME_NETDEV, "/ecn/roce_np/cnp_dscp", NUMBER_NONE, "", false, BIT(OBJECT_CNP_DSCP) },
	{ NET, NAME_NETDEV, "/ecn/roce_np/cnp_802p_prio", NUMBER_NONE, "", false,
	  BIT(OBJECT_CNP_PRIORITY) },
	/* OFED's own way to what is read over netlink (mlnx_qos uses it): it tells nobody */
	{ NET, NAME_NETDEV, "/qos/trust", NUMBER_NONE, "", false, BIT(OBJECT_APP) },
	{ NET, NAME_NETDEV, "/qos/dscp2prio", NUMBER_NONE, "", false, BIT(OBJECT_APP) },
	{ NET, NAME_NETDEV, "/qos/prio2buffer", NUMBER_NONE, "", false, BIT(OBJECT_BUFFERS) },
	{ NET, NAME_NETDEV, "/qos/buffer_size", NUMBER_NONE, "", false, BIT(OBJECT_BUFFERS) },
	{ NET, NAME_NETDEV, "/settings/pfc_stall_prevention", NUMBER_NONE, "", false,
	  BIT(OBJECT_PFC_WATCHDOG) },
};

/* NULL if the NIC has no such name. */
static const char *row_name(const struct row *row, const struct nic *nic)
{
	const char *name = "";

	switch (row->name) {
	case NAME_NONE:
		return name;
	case NAME_NETDEV:
		name = nic->name;
		break;
	case NAME_RDMA:
		name = nic->rdma;
		break;
	}
	return *name ? name : NULL;
}

static int row_paths(const struct row *row, const struct nic *nic,
		     int (*each)(const char *path, bool folder, uint32_t objects, void *data),
		     void *data)
{
	const char *name = row_name(row, nic);
	unsigned int first = row->number == NUMBER_PORT ? nic->rdma_port : 0;
	unsigned int last = row->number == NUMBER_PRIORITY ? PRIORITIES - 1 : first;
	char path[OS_PATH_MAX], number[16] = "";
	int r = 0;

	for (unsigned int i = first; name && r == 0 && i <= last; i++) {
		if (row->number != NUMBER_NONE)
			(void)snprintf(number, sizeof(number), "%u", i);
		(void)snprintf(path, sizeof(path), "%s%s%s%s%s", row->root, name, row->middle,
			       number, row->end);
		r = each(path, row->folder, row->objects, data);
	}
	return r;
}

int nic_watch_paths(const struct nic *nic,
		    int (*each)(const char *path, bool folder, uint32_t objects, void *data),
		    void *data)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(rows); i++)
		r = row_paths(&rows[i], nic, each, data);
	return r;
}
