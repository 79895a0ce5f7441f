/* SPDX-License-Identifier: GPL-2.0 */
/*
 * simnic: pairs of back-to-back netdevs that answer like a lossless NIC.
 *
 * struct sim_hw is what the firmware of a real NIC would hold.  A personality (one dcb-*.c file
 * each) decides which requests reach it and what the caller is told, in the order and with the
 * error numbers of the driver that it imitates (Linux 6.12).
 */
#ifndef SIMNIC_H
#define SIMNIC_H

#include <linux/atomic.h>
#include <linux/ethtool.h>
#include <linux/kobject.h>
#include <linux/netdevice.h>
#include <linux/platform_device.h>
#include <linux/version.h>
#include <linux/workqueue.h>
#include <net/dcbnl.h>

#ifndef DCB_APP_SEL_PCP			/* uapi before 6.2 */
#define DCB_APP_SEL_PCP 255
#endif
#define HAVE_APPTRUST (LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0))

#define SIM_PORTS 16
#define SIM_KINDS 4
#define SIM_PRIOS 8
#define SIM_DSCPS 64
#define SIM_TC_OFF 256			/* wire_tclass: nothing is forced */

/* One settable object of the NIC: the unit of faults and of write counters. */
enum sim_object {
	SIM_PFC,
	SIM_ETS,
	SIM_MAXRATE,
	SIM_APP,
	SIM_BUFFER,
	SIM_TRUST,
	SIM_DCBX,
	SIM_PAUSE,
	SIM_TUNABLE,
	SIM_ECN,
	SIM_QOS,
	SIM_SETTINGS,
	SIM_MTU,
	SIM_OBJECT_MAX
};

enum sim_fault_mode {
	SIM_FAULT_OFF,
	SIM_FAULT_ERRNO,		/* fail with this errno until told otherwise */
	SIM_FAULT_BUSY,			/* fail with EBUSY so many times, then work */
	SIM_FAULT_SILENT,		/* say yes, change nothing */
	SIM_FAULT_CLAMP			/* say yes, apply the nearest value "supported" */
};

struct sim_fault {
	const char *name;
	bool can_clamp;
	enum sim_fault_mode mode;
	u32 arg;			/* the errno, or how often still busy */
	u32 calls;			/* setter calls, also the refused ones */
	u32 changes;			/* how often the hardware state really changed */
};

/* What a setter has to do; a negative errno is returned instead if the write has to fail. */
#define SIM_SKIP 0			/* report success, change nothing */
#define SIM_GO 1
#define SIM_CLAMP 2

int sim_fault_enter(struct sim_fault *f);
void sim_fault_debugfs(struct sim_fault *f, struct dentry *dir);

enum sim_trust { SIM_TRUST_PCP, SIM_TRUST_DSCP };

/* OFED congestion control parameters: roce_np first, then roce_rp */
#define SIM_NP_PARAMS 3
#define SIM_RP_PARAMS 16
#define SIM_ECN_PARAMS (SIM_NP_PARAMS + SIM_RP_PARAMS)

struct sim_hw {
	struct ieee_ets ets;
	struct ieee_maxrate maxrate;
	struct dcbnl_buffer buffer;
	enum sim_trust trust;
	u16 pfc_delay;
	u16 stall_ms;
	u8 pfc_en;
	u8 dcbx;
	u8 dscp2prio[SIM_DSCPS];
	bool rx_pause;
	bool tx_pause;
	u8 ecn_enable[2];		/* roce_np, roce_rp: bit n is priority n */
	u32 ecn_param[SIM_ECN_PARAMS];
};

struct sim_prio_stats {
	atomic64_t rx_packets;
	atomic64_t rx_bytes;
	atomic64_t tx_packets;
	atomic64_t tx_bytes;
	atomic64_t rx_pause;
	atomic64_t tx_pause;
};

struct sim_port;

struct sim_personality {
	const char *name;		/* value of the module parameter */
	const char *driver;		/* as ethtool -i and device/driver say */
	const struct dcbnl_rtnl_ops *dcb;
	u16 vendor;			/* PCI ids in device/{vendor,device} */
	u16 device;
	u8 dcbx;			/* mode after driver attach */
	bool pfc_clears_pause;
	bool ofed;			/* vendor sysfs exists */
	bool hidden_fw_app;		/* firmware changes of APP don't reach the APP table */
	u32 app_status;			/* status of a good setapp: not 0 ends the message */
	void (*reset)(struct sim_port *p);	/* driver attach, after the common defaults */
};

struct sim_ofed;

struct sim_port {
	struct net_device *dev;
	struct sim_port *peer;
	struct platform_device *pdev;
	const struct sim_personality *kind;
	struct dcbnl_rtnl_ops dcb;	/* kind->dcb less what "noops" takes away */
	unsigned int index;
	bool is_vf;

	struct sim_hw hw;
	struct sim_prio_stats stats[SIM_PRIOS];
	struct sim_fault fault[SIM_OBJECT_MAX];

	/* driver memory */
	u32 dscp_apps;			/* mlx5: DSCP entries that we wrote */
	bool ets_known;			/* bnxt: set since attach */
	bool pfc_known;
	u8 lossless_tcs;		/* bnxt: queues already set up as lossless */
	DECLARE_BITMAP(dscp_mapped, SIM_DSCPS);	/* ice */
	bool lldp_agent;		/* ice private flag fw-lldp-agent */
	u8 trust_order[2];		/* plain: apptrust */
	int trust_count;

	/* behaviour switches, all in debugfs */
	u32 delay_ms;			/* how long each setter takes */
	u32 link_delay_ms;		/* carrier comes back after so long */
	bool link_bounces;		/* changes that drop the link in hardware drop it here */
	bool pfc_clears_pause;
	bool hidden_fw_app;
	bool no_trust;			/* plain: apptrust is EOPNOTSUPP */
	bool ecn_reenable_eperm;	/* OFED: writing 1 over 1 is refused */
	bool ecn_read_empty;		/* OFED: a firmware error makes reads empty */
	u32 app_status;
	u32 max_tc;
	u32 max_lltc;			/* bnxt: lossless traffic classes */
	u32 wire_tclass;

	u32 link_flaps;
	bool link_hold;			/* the next open has no carrier at once */
	struct delayed_work link_work;

	struct sim_ofed *ofed;
	struct dentry *dir;
};

static inline struct sim_port *sim_port(const struct net_device *dev)
{
	return *(struct sim_port **)netdev_priv(dev);
}

/* main.c */
void sim_defaults(struct sim_port *p);
void sim_link_bounce(struct sim_port *p);
void sim_netdev_reset(struct sim_port *p);
bool sim_owns(const struct net_device *dev);

/* dcb.c: what the personalities share */
int sim_begin(struct sim_port *p, enum sim_object o);
void sim_changed(struct sim_port *p, enum sim_object o);
int sim_getpfc(struct net_device *dev, struct ieee_pfc *pfc);
int sim_getets(struct net_device *dev, struct ieee_ets *ets);
int sim_getmaxrate(struct net_device *dev, struct ieee_maxrate *rate);
int sim_getbuffer(struct net_device *dev, struct dcbnl_buffer *buffer);
u8 sim_getdcbx(struct net_device *dev);
bool sim_pfc_write(struct sim_port *p, u8 mask, u16 delay, int verdict);
bool sim_ets_write(struct sim_port *p, const struct ieee_ets *ets, int verdict);
int sim_ets_check(const struct ieee_ets *ets);
int sim_buffer_write(struct sim_port *p, const u8 *prio2buffer, const u32 *size, int verdict);
u64 sim_mlx5_rate(u64 kbit, int verdict);
void sim_app_flush(struct sim_port *p);
void sim_fw_overwrite(struct sim_port *p, u8 mask);

extern const struct sim_personality sim_mlx5;
extern const struct sim_personality sim_bnxt;
extern const struct sim_personality sim_ice;
extern const struct sim_personality sim_plain;
extern const struct sim_personality *const sim_kinds[SIM_KINDS];

/* pci.c */
int sim_pci_add(struct sim_port *p);
void sim_pci_del(struct sim_port *p);
void sim_pci_exit(void);

/* ethtool.c, ofed.c, debug.c */
extern const struct ethtool_ops sim_ethtool_ops;
int sim_ofed_add(struct sim_port *p, bool old);
void sim_ofed_del(struct sim_port *p);
void sim_ofed_defaults(struct sim_hw *hw);
void sim_debug_add(struct sim_port *p, struct dentry *parent);

/* for simib: the DSCP that the NIC behind an ib device forces on RoCE v2; SIM_TC_OFF to stop */
int simnic_set_tclass(struct net_device *dev, u32 tclass);

#endif
