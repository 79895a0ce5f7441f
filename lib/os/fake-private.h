/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the simulated node share; nobody else includes this. */
#pragma once

#include <linux/dcbnl.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/cleanup.h"
#include "lib/os/dcb.h"
#include "lib/os/ethtool.h"
#include "lib/os/fake.h"
#include "lib/os/os.h"

struct nl_msg;

enum {
	FAKE_PRIORITIES = 8,
	FAKE_DSCPS = 64,
	FAKE_GIDS = 16,
	FAKE_RULES = 40,		/* of a traffic_class attribute, as in OFED */
	FAKE_HANDLES = 16,
	FAKE_LINK_DELAY_MS = 100,	/* carrier is back after so long */
	FAKE_MTU_MIN = 68,
	FAKE_MTU_MAX = 9978,
	FAKE_ETHTOOL_FAMILY = 21,
};

struct fake_device;

/* ---- the tree of attributes ---- */

/* An attribute with behaviour. Both return a negative errno; show returns the length otherwise. */
struct fake_attribute {
	const char *name;
	int (*show)(struct fake_device *device, unsigned int index, char *text, size_t size);
	int (*store)(struct fake_device *device, const char *text);	/* NULL: read only */
};

enum fake_kind {
	FAKE_DIR,
	FAKE_FILE,
	FAKE_LINK,
};

struct fake_inode {
	enum fake_kind kind;
	char name[OS_NAME_MAX];
	struct fake_inode *parent;
	struct fake_inode *children;	/* in the order in which they came */
	struct fake_inode *next;
	char *text;			/* a link's target; a file's own text */
	bool writable;
	const struct fake_attribute *attribute;
	struct fake_device *device;
	unsigned int index;
};

/* ---- devices ---- */

struct fake_rule {
	char match[192];
	int tclass;
};

/* What lives in an ib_device, and dies with it */
struct fake_rdma {
	char name[OS_NAME_MAX];		/* "": none */
	bool present;
	bool infiniband;
	bool ofed;
	int tclass;			/* negative: unset */
	struct fake_rule rule[FAKE_RULES];
	uint8_t cm_tos;
	bool cm_v1;
};

/* What the firmware of the NIC holds, and what the driver remembers */
struct fake_hw {
	struct ieee_ets ets;
	uint8_t pfc_en;
	uint16_t cable_m;
	uint8_t dcbx;
	struct os_pause pause;
	bool trust_dscp;
	uint8_t dscp2prio[FAKE_DSCPS];
	unsigned int n_dscp;		/* the driver's count of DSCP entries */
	size_t n_app;
	struct dcb_app app[OS_DCB_APP_MAX];	/* the kernel's table, the newest first */
};

/* A network device, a PCI function, and its RDMA device */
struct fake_device {
	struct fake *fake;
	char name[IFNAMSIZ];		/* "": no netdev */
	bool present;			/* the netdev is there */
	int ifindex;
	char kind[16];
	int lower;
	int master;
	uint32_t mtu;
	uint32_t mtu_min;
	uint32_t mtu_max;
	uint8_t mac[6];
	unsigned int number;		/* counts the ports, for addresses */
	unsigned int dev_port;
	char pci[OS_NAME_MAX];		/* "": a virtual device */
	char driver[OS_NAME_MAX];
	char physfn[OS_NAME_MAX];	/* "": no VF */
	bool unplugged;
	int64_t carrier_from_ms;
	unsigned int link_delay_ms;
	struct fake_hw hw;
	struct fake_rdma rdma;
};

static inline bool fake_has_dcb(const struct fake_device *device)
{
	return device->pci[0] && !device->physfn[0];
}

/* ---- the node ---- */

struct fake_handle {
	bool used;
	bool writes;
	char path[OS_PATH_MAX];
	size_t offset;
};

struct fake_trap {			/* a fault and how far it is */
	enum fake_call call;
	enum fake_mode mode;
	char *match;
	int error;
	unsigned int skip;
	unsigned int times;
	unsigned int seen;
	unsigned int hits;
};

struct fake_write {
	enum fake_call call;
	char *subject;
};

struct fake_packet {
	struct fake_packet *next;
	size_t size;
	unsigned char data[];
};

/* One protocol: what was answered, and what is to be answered instead */
struct fake_wire {
	struct fake_packet *answers;
	struct fake_packet *script;
	struct fake_packet *request;	/* the last one */
	uint32_t seq;			/* of the last request */
	uint32_t port;
};

enum { FAKE_ROUTE, FAKE_GENERIC, FAKE_WIRES };

struct fake {
	struct os os;
	struct fake *next;		/* of all in this process, see fake-netlink.c */
	int64_t now_ms;
	struct fake_device **device;
	size_t n_device;
	size_t device_room;
	struct fake_inode root;
	struct fake_handle handle[FAKE_HANDLES];
	struct fake_trap *trap;
	size_t n_trap;
	size_t trap_room;
	struct fake_write *write;
	size_t n_write;
	size_t write_room;
	struct fake_wire wire[FAKE_WIRES];
};

static inline struct fake *fake_of(struct os *os)
{
	return (struct fake *)os;
}

/* ---- fake.c ---- */

enum fake_fate {
	FAKE_GO,
	FAKE_SKIP,		/* say yes, change nothing */
	FAKE_FAIL,		/* this errno */
	FAKE_REFUSE,		/* the driver's word: a status byte in DCB, an errno elsewhere */
};

struct fake_verdict {
	enum fake_fate fate;
	int error;		/* negative errno, or the status byte */
};

/* What happens to this call. A call that changes the node is counted. */
struct fake_verdict fake_enter(struct fake *fake, enum fake_call call, const char *subject);

struct fake_device *fake_find_name(struct fake *fake, const char *ifname);
struct fake_device *fake_find_index(struct fake *fake, int ifindex);
struct fake_device *fake_find_rdma(struct fake *fake, const char *rdma);
bool fake_carrier(const struct fake_device *device);
void fake_netdev_gone(struct fake_device *device);
void fake_rdma_gone(struct fake_device *device);
void fake_rdma_defaults(struct fake_rdma *rdma);

/* ---- fake-files.c: the calls; fake-tree.c: inodes; fake-sysfs.c: what stands where ---- */

int fake_open(struct os *os, const char *path, int flags);
ssize_t fake_read(struct os *os, int handle, void *data, size_t size);
ssize_t fake_write(struct os *os, int handle, const void *data, size_t size);
int fake_close(struct os *os, int handle);
int fake_make_dir(struct os *os, const char *path);
ssize_t fake_read_link(struct os *os, const char *path, char *text, size_t size);
int fake_list(struct os *os, const char *path, int (*each)(const char *name, void *data),
	      void *data);

struct fake_inode *fake_tree_find(struct fake *fake, const char *path, bool follow);
/* Make it and the directories above it; what is there already is returned. NULL: no memory. */
struct fake_inode *fake_tree_make(struct fake *fake, enum fake_kind kind, const char *path);
int fake_tree_text(struct fake *fake, const char *text, const char *format, ...) _printf_(3, 4);
int fake_tree_link(struct fake *fake, const char *target, const char *format, ...) _printf_(3, 4);
int fake_tree_attribute(struct fake *fake, const struct fake_attribute *attribute,
			struct fake_device *device, unsigned int index, const char *format, ...)
	_printf_(5, 6);
void fake_tree_remove(struct fake_inode *inode);
void fake_tree_done(struct fake *fake);

int fake_sysfs_base(struct fake *fake);
int fake_sysfs_pci(struct fake_device *device);
int fake_sysfs_netdev(struct fake_device *device);
int fake_sysfs_rdma(struct fake_device *device);
int fake_sysfs_cm_group(struct fake_device *device);
void fake_sysfs_drop_netdev(struct fake_device *device);
void fake_sysfs_drop_rdma(struct fake_device *device);

/* fake-rdma.c: the formats of traffic_class and of configfs */
extern const struct fake_attribute fake_traffic_class;
extern const struct fake_attribute fake_cm_mode;
extern const struct fake_attribute fake_cm_tos;

/* ---- fake-netlink.c, fake-dcb.c ---- */

struct fake_request {
	struct fake *fake;
	struct fake_wire *wire;
	const struct nlmsghdr *header;
};

int fake_netlink_open(struct os *os, int protocol, struct nl_sock *socket);
void fake_netlink_done(struct fake *fake);
void fake_netlink_register(struct fake *fake);

/* Put an answer on its way; takes the message. */
void fake_reply(const struct fake_request *request, struct nl_msg *message);
/* NLMSG_ERROR as the kernel makes it; 0 is the ACK, sent if it was asked for. */
void fake_reply_error(const struct fake_request *request, int error, const char *text);

void fake_dcb_request(const struct fake_request *request);

/* ---- fake-mlx5.c: the port. The setters return what the driver returns. ---- */

void fake_mlx5_attach(struct fake_device *device);
int fake_mlx5_set_ets(struct fake_device *device, const struct ieee_ets *ets);
int fake_mlx5_set_pfc(struct fake_device *device, const struct ieee_pfc *pfc);
int fake_mlx5_set_dcbx(struct fake_device *device, uint8_t mode);
int fake_mlx5_set_pause(struct fake_device *device, const struct os_pause *pause);
int fake_mlx5_app_add(struct fake_device *device, const struct dcb_app *app);
int fake_mlx5_app_delete(struct fake_device *device, const struct dcb_app *app);
void fake_mlx5_app_failed(struct fake_device *device);	/* a firmware command for the map failed */
int fake_app_table_add(struct fake_hw *hw, const struct dcb_app *app);
