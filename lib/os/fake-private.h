/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the simulated node share; nobody else includes this. */
#pragma once

#include <linux/dcbnl.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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
	FAKE_ECN_PARAMS = 22,
	FAKE_CELL = 32768,		/* clamped buffers come in pieces of this size */
};

struct fake_device;

/* ---- what happens to a call ---- */

enum fake_fate {
	FAKE_GO,
	FAKE_LESS,		/* say yes, apply less */
	FAKE_SKIP,		/* say yes, change nothing */
	FAKE_FAIL,		/* this errno */
	FAKE_REFUSE,		/* the driver's word: a status byte in DCB, an errno elsewhere */
};

struct fake_verdict {
	enum fake_fate fate;
	int error;		/* negative errno, or the status byte */
};

/* True if the driver does nothing; @ret is then what it says. */
static inline bool fake_stops(const struct fake_verdict *verdict, int *ret)
{
	*ret = verdict->fate >= FAKE_FAIL ? verdict->error : 0;
	return verdict->fate >= FAKE_SKIP;
}

/* ---- the tree of attributes ---- */

/*
 * An attribute with behaviour. Both return a negative errno; show returns the length otherwise.
 * @less: apply less than what is written.
 */
struct fake_attribute {
	const char *name;
	int (*show)(struct fake_device *device, unsigned int index, char *text, size_t size);
	/* NULL: read only */
	int (*store)(struct fake_device *device, unsigned int index, const char *text, bool less);
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
	size_t size;			/* of a file that is no text, else 0 */
	bool writable;
	const struct fake_attribute *attribute;
	struct fake_device *device;
	unsigned int index;
	unsigned int depth;
	unsigned int n_children;
	int error;			/* positive errno: it cannot be read */
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
	struct ieee_maxrate maxrate;
	struct dcbnl_buffer buffer;
	uint8_t pfc_en;
	uint16_t cable_m;
	uint8_t dcbx;
	struct os_pause pause;
	uint16_t stall_ms;
	bool trust_dscp;
	uint8_t dscp2prio[FAKE_DSCPS];
	uint8_t ecn_enable[2];		/* NP, RP: bit n is priority n */
	uint32_t ecn_param[FAKE_ECN_PARAMS];
	unsigned int n_dscp;		/* mlx5: the driver's count of DSCP entries */
	uint64_t dscp_mapped;		/* ice */
	bool ets_known;			/* bnxt: set since the driver came */
	bool pfc_known;
	uint8_t lossless_tcs;		/* bnxt: classes whose queues are lossless already */
	bool lldp_agent;		/* ice: private flag fw-lldp-agent */
	size_t n_app;
	struct dcb_app app[OS_DCB_APP_MAX];	/* the kernel's table, the newest first */
};

struct fake_counter {
	char name[32];
	uint64_t value;
};

enum {
	FAKE_HAS_ETS = 1,
	FAKE_HAS_PFC = 2,
	FAKE_HAS_APP = 4,
	FAKE_HAS_DCBX = 8,
	FAKE_HAS_BUFFER = 16,
	FAKE_HAS_MAXRATE = 32,
	FAKE_HAS_STALL = 64,
	FAKE_HAS_FLAG = 128,
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
	char driver_name[OS_NAME_MAX];
	const struct fake_driver *driver;
	uint16_t parts;			/* FAKE_HAS_*: what the driver has here */
	char physfn[OS_NAME_MAX];	/* "": no VF */
	bool down;			/* not IFF_UP */
	bool unplugged;
	/* negative errno that DCB and pause are answered with; 0: the driver has them */
	int dcb_error;
	int pause_error;
	struct ieee_pfc pfc_caps;	/* of a replayed node: pfc_cap, mbc */
	uint8_t ets_cap;
	int64_t carrier_from_ms;
	unsigned int link_delay_ms;
	struct fake_hw hw;
	struct fake_rdma rdma;
	struct fake_counter *counter;	/* those that are not zero */
	size_t n_counter;
	size_t counter_room;
};

static inline bool fake_has_dcb(const struct fake_device *device)
{
	return !device->dcb_error;
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

enum { FAKE_ROUTE, FAKE_GENERIC, FAKE_RDMA, FAKE_WIRES };

struct fake_qp {
	const struct fake_device *device;
	unsigned int port;
	bool user;
	uint32_t number;
	uint32_t pid;
};

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
	struct fake_qp *qp;
	size_t n_qp;
	size_t qp_room;
	uint32_t last_qp;		/* numbers given so far */
	bool np_coupled;
	bool lockdown;
	bool replayed;			/* its tree came from a bundle */
	bool loading;			/* nothing is made, attributes go where files stand */
	uint64_t effort;		/* names compared on the way through the tree */
};

static inline struct fake *fake_of(struct os *os)
{
	return (struct fake *)os;
}

/* ---- fake.c ---- */

/* What happens to this call. A call that changes the node is counted. */
struct fake_verdict fake_enter(struct fake *fake, enum fake_call call, const char *subject);

struct fake *fake_new(void);
struct fake_device *fake_add_device(struct fake *fake);
struct fake_device *fake_find_name(struct fake *fake, const char *ifname);
struct fake_device *fake_find_index(struct fake *fake, int ifindex);
struct fake_device *fake_find_rdma(struct fake *fake, const char *rdma);
bool fake_carrier(const struct fake_device *device);
void fake_netdev_gone(struct fake_device *device);
void fake_rdma_gone(struct fake_device *device);
void fake_rdma_defaults(struct fake_rdma *rdma);
int fake_add_virtual(struct fake *fake, const char *name, const char *kind, uint32_t mtu,
		     struct fake_device **ret);

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
/* Make where the symbolic link @link leads to, a directory. NULL: it cannot lead anywhere. */
struct fake_inode *fake_tree_make_target(struct fake *fake, struct fake_inode *link);
void fake_tree_remove(struct fake_inode *inode);
void fake_tree_done(struct fake *fake);

int fake_sysfs_base(struct fake *fake);
int fake_sysfs_pci(struct fake_device *device);
int fake_sysfs_netdev(struct fake_device *device);
int fake_sysfs_rdma(struct fake_device *device);
int fake_sysfs_cm_group(struct fake_device *device);
void fake_sysfs_drop_netdev(struct fake_device *device);
void fake_sysfs_drop_rdma(struct fake_device *device);

/* fake-stack.c: set it, with what that does to the devices above and below. 0; -ERANGE. */
int fake_set_mtu(struct fake_device *device, uint32_t mtu);

/* fake-ecn.c: what stands below ecn/ and in cc_params */
void fake_ecn_defaults(struct fake_hw *hw);
int fake_ecn_sysfs(struct fake_device *device, const char *folder);
int fake_ecn_debugfs(struct fake_device *device, const char *folder);
void fake_ecn_dump(FILE *out, const struct fake_device *device);
/* fake-bundle.c: give behaviour to a file that a bundle brought, and it the file's text */
void fake_bundle_attach(struct fake_inode *inode, const struct fake_attribute *attribute,
			struct fake_device *device, unsigned int index);

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

/* The last part of a dump. */
void fake_reply_done(const struct fake_request *request);

void fake_dcb_request(const struct fake_request *request);

/* fake-nldev.c */
void fake_nldev_request(const struct fake_request *request);
void fake_qps_gone(const struct fake_device *device);

/* ---- fake-ethtool.c: the ioctl, the counters ---- */

int fake_ethtool(struct os *os, const char *ifname, void *command);
uint64_t fake_counter(const struct fake_device *device, const char *name);
void fake_stat_name(const char *format, unsigned int i, char name[32]);

/* ---- drivers ---- */

enum fake_stat_when {
	FAKE_ALWAYS,
	FAKE_WITH_PFC,		/* of this priority */
	FAKE_WITH_PAUSE,	/* global pause */
};

/* The name of a counter, one for each priority or class if it holds "%u". */
struct fake_stat {
	const char *format;
	enum fake_stat_when when;
};

/*
 * A driver: ports of its kind share these. The setters return what the driver returns: 0, a
 * negative errno, or the positive status of ice; what is NULL the driver lacks.
 */
struct fake_driver {
	const char *name;
	const char *vendor;
	const char *function;
	uint8_t dcbx;			/* after the driver has come */
	bool has_stall;			/* the tunable */
	const char *flag;		/* its private flag, NULL: none */
	const char *rx_pause, *tx_pause;	/* counters that DCB shows too */
	const struct fake_stat *stat;	/* ends with one without a name */
	void (*reset)(struct fake_device *device);
	void (*get_ets)(const struct fake_device *device, struct ieee_ets *ret);
	void (*get_pfc)(const struct fake_device *device, struct ieee_pfc *ret);
	int (*set_ets)(struct fake_device *device, const struct ieee_ets *ets,
		       const struct fake_verdict *verdict);
	int (*set_pfc)(struct fake_device *device, const struct ieee_pfc *pfc,
		       const struct fake_verdict *verdict);
	int (*set_buffer)(struct fake_device *device, const struct dcbnl_buffer *buffer,
			  const struct fake_verdict *verdict);
	int (*set_maxrate)(struct fake_device *device, const struct ieee_maxrate *maxrate,
			   const struct fake_verdict *verdict);
	int (*set_dcbx)(struct fake_device *device, uint8_t mode,
			const struct fake_verdict *verdict);
	int (*app_add)(struct fake_device *device, const struct dcb_app *app,
		       const struct fake_verdict *verdict);
	int (*app_delete)(struct fake_device *device, const struct dcb_app *app,
			  const struct fake_verdict *verdict);
	int (*check_pause)(const struct fake_device *device, const struct os_pause *pause);
	void (*set_flag)(struct fake_device *device, bool on);
};

extern const struct fake_driver fake_mlx5, fake_bnxt, fake_ice, fake_plain;

/* fake-driver.c: what the drivers share */
const struct fake_driver *fake_driver_find(const char *name);
void fake_attach(struct fake_device *device);	/* the state after the driver has come */
void fake_link_bounce(struct fake_device *device);
void fake_get_ets(const struct fake_device *device, struct ieee_ets *ret);
void fake_get_pfc(const struct fake_device *device, struct ieee_pfc *ret);
int fake_check_ets(const struct ieee_ets *ets);
/* What drivers without habits of their own do: check, write. */
int fake_set_ets(struct fake_device *device, const struct ieee_ets *ets,
		 const struct fake_verdict *verdict);
/* True if it differs from what was there */
bool fake_write_ets(struct fake_device *device, const struct ieee_ets *ets,
		    const struct fake_verdict *verdict);
bool fake_write_pfc(struct fake_device *device, uint8_t mask, const struct fake_verdict *verdict);
int fake_write_buffer(struct fake_device *device, const struct dcbnl_buffer *buffer,
		      const struct fake_verdict *verdict);
int fake_set_pause(struct fake_device *device, const struct os_pause *pause,
		   const struct fake_verdict *verdict);
int fake_no_autoneg(const struct fake_device *device, const struct os_pause *pause);
bool fake_is_dscp(const struct dcb_app *app);
int fake_app_add(struct fake_hw *hw, const struct dcb_app *app);
int fake_app_drop(struct fake_hw *hw, const struct dcb_app *app);
