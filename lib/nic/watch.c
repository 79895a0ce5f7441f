// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The attributes that people and scripts write. Seen are writes through the file system; what a
 * driver or its firmware changes by itself gives no event (an audit finds that). debugfs is not
 * watched: losslessd cannot look into it.
 */
#include "lib/nic/watch.h"

#include <stdio.h>

#include "lib/base/macro.h"
#include "lib/model/knob.h"
#include "lib/os/os.h"

#define BIT(object) (UINT32_C(1) << (object))

enum name_of { NAME_NETDEV, NAME_RDMA };

/* "%1$s" is the device, "%2$u" the RDMA port or the priority. */
static const struct {
	const char *path;
	enum name_of name_of;
	bool each_priority;
	uint32_t objects;
} rows[] = {
	{ NIC_WATCH_CM_ROOT "/%1$s/ports/%2$u", NAME_RDMA, false,
	  BIT(OBJECT_CM_MODE) | BIT(OBJECT_CM_TOS) },
	{ "/sys/class/infiniband/%1$s/tc/%2$u/traffic_class", NAME_RDMA, false,
	  BIT(OBJECT_TRAFFIC_CLASS) },
	{ "/sys/class/net/%1$s/ecn/roce_np/enable/%2$u", NAME_NETDEV, true, BIT(OBJECT_ECN_NP) },
	{ "/sys/class/net/%1$s/ecn/roce_rp/enable/%2$u", NAME_NETDEV, true, BIT(OBJECT_ECN_RP) },
	{ "/sys/class/net/%1$s/ecn/roce_np/cnp_dscp", NAME_NETDEV, false, BIT(OBJECT_CNP_DSCP) },
	{ "/sys/class/net/%1$s/ecn/roce_np/cnp_802p_prio", NAME_NETDEV, false,
	  BIT(OBJECT_CNP_PRIORITY) },
	/* OFED's own view of what DCB has */
	{ "/sys/class/net/%1$s/qos/trust", NAME_NETDEV, false, BIT(OBJECT_APP) },
	{ "/sys/class/net/%1$s/qos/pfc", NAME_NETDEV, false, BIT(OBJECT_PFC) },
	{ "/sys/class/net/%1$s/mtu", NAME_NETDEV, false, BIT(OBJECT_MTU) },
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void format_path(const char *format, const char *name, unsigned int number,
			char path[OS_PATH_MAX])
{
	(void)snprintf(path, OS_PATH_MAX, format, name, number);
}
#pragma GCC diagnostic pop

void nic_watch_paths(const struct nic *nic,
		     void (*each)(const char *path, uint32_t objects, void *data), void *data)
{
	char path[OS_PATH_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *name = rows[i].name_of == NAME_RDMA ? nic->rdma : nic->name;
		unsigned int first = rows[i].each_priority ? 0 : nic->rdma_port;
		unsigned int last = rows[i].each_priority ? PRIORITIES - 1 : nic->rdma_port;

		for (unsigned int number = first; *name && number <= last; number++) {
			format_path(rows[i].path, name, number, path);
			each(path, rows[i].objects, data);
		}
	}
}
