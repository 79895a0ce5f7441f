/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A simulated node behind the seam: a tree of attributes and a kernel that answers RTNETLINK, DCB,
 * ethtool and RDMA messages as Linux 6.12 does with an mlx5, bnxt, ice or any other port. It stores
 * what is written, so that what is read back is what really came of a write. The demo and the tests
 * use this one; the table tests/model/behaviours.c holds it to the lab's real kernel.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/os/bundle.h"
#include "lib/os/os.h"

/* Where a fault strikes. */
enum fake_call {
	FAKE_OPEN,		/* with EROFS: only opening for writing */
	FAKE_READ,
	FAKE_WRITE,
	FAKE_CLOSE,
	FAKE_MAKE_DIR,
	FAKE_NETLINK,		/* a request of any kind, reads too */
	FAKE_DCB_GET,
	FAKE_DCB_SET,		/* "ens1f0np0/pfc": one call per object in the message */
	FAKE_LINK_DUMP,
	FAKE_LINK_NAME,		/* "ens1f0np0/name" */
	FAKE_LINK_SET,
	FAKE_PAUSE_GET,
	FAKE_PAUSE_SET,
	FAKE_ETHTOOL_GET,	/* "ens1f0np0/tunable", ".../privflag", ".../stats" */
	FAKE_ETHTOOL_SET,
	FAKE_RDMA_DUMP,		/* "/devices", "mlx5_0/qps" */
	FAKE_ANY_WRITE,		/* any call that changes the node: FAKE_WRITE, FAKE_*_SET */
	FAKE_CALL_MAX,
};

enum fake_mode {
	FAKE_ERRNO,		/* fail with .error until the fault is removed */
	FAKE_BUSY,		/* EBUSY .times times, then work; in DCB as status byte */
	FAKE_SILENT,		/* say yes, change nothing */
	FAKE_STATUS,		/* DCB: the driver refuses, .error is the status byte */
	/*
	 * Say yes, apply less: PFC on the lowest priority asked for, ETS and buffers of four
	 * classes, rates in steps of 1 Gbit/s, buffers in pieces of 32 KiB, the first entry of an
	 * APP message, pause without tx, MTU in steps of 1024, 1000 ms of stall, the largest
	 * value of an ECN parameter, a traffic class or ToS without its ECN bits. What knows no
	 * less (DCBX, flags, words) is as it was.
	 */
	FAKE_CLAMP,
	FAKE_GONE,		/* the RDMA device (or netdev) behind it disappears, then ENODEV */
};

struct fake_fault {
	enum fake_call call;
	/*
	 * Part of a path or of "ifname/object" (dcbx pause ets app pfc mtu buffer maxrate
	 * tunable privflag stats dcb link qps); NULL: any
	 */
	const char *match;
	enum fake_mode mode;
	int error;
	unsigned int skip;	/* so many matching calls pass first */
	unsigned int times;	/* then so many are hit; 0: all */
};

/* One port of the simulated node. */
struct fake_port {
	const char *name;	/* "ens1f0np0" */
	const char *rdma;	/* "mlx5_0", NULL: no RDMA device */
	const char *pci;	/* "0000:17:00.0" */
	/* "mlx5_core", "bnxt_en" and "ice" behave like these; others take what they are given */
	const char *driver;
	const char *physfn;	/* for a VF: PCI address of its PF; it has neither DCB nor pause */
	bool infiniband;	/* link layer InfiniBand: no netdev, only the RDMA device */
	/* tc/1/traffic_class and, for a PF, ecn/; without it mlx5 has cc_params in debugfs */
	bool ofed;
	bool no_dcb;		/* the driver has no DCB operations at all, as ionic */
};

/*
 * A node with @n ports in the state after driver load; NULL: the two ports of the demo. Returns
 * -ENOMEM, -EINVAL.
 */
int os_fake_new(const struct fake_port *ports, size_t n, struct os **ret);

/*
 * A node as a bundle has it: the driver of each device decides how it behaves, what is recorded is
 * its state, and files without a behaviour are there as they stand. Returns -ENOMEM; -EINVAL with
 * @diags if the files of the bundle cannot be one tree.
 */
int os_fake_load(const struct bundle *bundle, struct diags *diags, struct os **ret);

/* Set a fault; several may stand side by side. Returns its number. */
int os_fake_fault(struct os *os, const struct fake_fault *fault);
void os_fake_fault_clear(struct os *os);

/* How many calls the faults that stand have struck. */
unsigned int os_fake_hits(const struct os *os);

/*
 * How many calls changed, or would have changed, the node since the last reset: the fake's write
 * counters.
 */
unsigned int os_fake_writes(const struct os *os, enum fake_call call, const char *match);
void os_fake_writes_reset(struct os *os);

/* The hand of somebody else on the node, past the counters. Return 0 or a negative errno. */
/*
 * An attribute that has behaviour takes @text as if it were written; what no writer could bring
 * about is put there as it stands. An attribute that is not there is made.
 */
int os_fake_poke_file(struct os *os, const char *path, const char *text);
/* An attribute, a symbolic link, or a whole directory */
int os_fake_remove(struct os *os, const char *path);
int os_fake_poke_pfc(struct os *os, const char *ifname, uint8_t priorities);
int os_fake_poke_dcbx(struct os *os, const char *ifname, uint8_t dcbx);
/* A second entry for the same DSCP is allowed */
int os_fake_poke_app(struct os *os, const char *ifname, uint8_t dscp, uint8_t priority);
int os_fake_poke_pause(struct os *os, const char *ifname, bool autoneg, bool rx, bool tx);
/* A private counter; -ENOENT if the driver has none of that name, whatever is configured */
int os_fake_poke_stat(struct os *os, const char *ifname, const char *name, uint64_t value);
int os_fake_poke_flag(struct os *os, const char *ifname, const char *flag, bool on);
int os_fake_poke_mtu(struct os *os, const char *ifname, uint32_t mtu);
int os_fake_rename(struct os *os, const char *ifname, const char *to);
int os_fake_carrier(struct os *os, const char *ifname, bool carrier);
/* The ib_device goes and comes back: its values are gone */
int os_fake_reregister_rdma(struct os *os, const char *rdma);

/*
 * How long the link stays away after a change of the PFC mask; 100 ms at first, no real time
 * passes.
 */
int os_fake_link_delay(struct os *os, const char *ifname, unsigned int ms);

/*
 * A queue pair of a process (@user) or of the kernel; each RDMA device has one of the kernel from
 * the beginning (GSI). All go with their device.
 */
int os_fake_add_qp(struct os *os, const char *rdma, unsigned int port, bool user);
/* The processes end: their queue pairs are gone */
void os_fake_end_users(struct os *os);

/* ecn/roce_np/enable: writing one of the eight files sets all (field case N10). Not at first. */
void os_fake_np_coupled(struct os *os, bool coupled);

/* Kernel lockdown, integrity: debugfs attributes of mode 0600 cannot even be read. */
int os_fake_lockdown(struct os *os, bool on);

/*
 * Stacks: a device of @kind ("bond", "vlan") above @lower (may be NULL); a port becomes slave of a
 * bond. MTUs follow the kernel's rules: no VLAN above the MTU of its parent, which takes it down
 * and not up again; the slaves of a bond have the MTU of the bond.
 */
int os_fake_add_link(struct os *os, const char *name, const char *kind, const char *lower);
int os_fake_enslave(struct os *os, const char *ifname, const char *master);

/* Be root or a plain user: decides EACCES/EPERM as the kernel would. Root at first. */
void os_fake_privileged(struct os *os, bool privileged);

/*
 * Answer the next netlink request of @protocol with these datagrams instead (field cases L02, L03):
 * complete messages, one recv(2) each. Sequence number and port of the request are patched in.
 * Several calls queue up.
 */
int os_fake_netlink_reply(struct os *os, int protocol, const void *datagram, size_t size);

/* The last request of @protocol as it was sent; NULL if there was none. Good until the next one. */
const void *os_fake_netlink_request(const struct os *os, int protocol, size_t *ret_size);

/*
 * Everything that can be set on the node as text, for comparing before and after; the caller
 * frees.
 */
char *os_fake_dump(const struct os *os);
