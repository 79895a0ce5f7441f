// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The rows. Sources of the facts: Linux 6.12 net/dcb/dcbnl.c, include/uapi/linux/dcbnl.h,
 * drivers/infiniband/core/cma_configfs.c, drivers/net/ethernet/mellanox/mlx5/core/en_dcbnl.c;
 * MLNX_OFED 24.07 drivers/infiniband/hw/mlx5/main_ext.c.
 */
#include "lib/model/knob.h"

#include <string.h>

#include "lib/base/macro.h"

static const char *const agent_words[] = { "off", "on", NULL };
static const char *const dcbx_words[] = { "fw", "host", "lld", "cee", NULL };
static const char *const trust_words[] = { "pcp", "dscp", NULL };
static const char *const mode_words[] = { "v1", "v2", NULL };
static const char *const gid_words[] = { "none", "v1", "v2", NULL };
static const char *const buffers_words[] = { "auto", "short", NULL };

const struct object_info object_table[] = {
	[OBJECT_FW_LLDP_AGENT] = { "fw_lldp_agent", TARGET_PORT, .settle_ms = 2000 },
	[OBJECT_DCBX] = { "dcbx", TARGET_PORT, .settle_ms = 200, .dcb = true },
	[OBJECT_PAUSE] = { "pause", TARGET_PORT, .settle_ms = 1000 },
	[OBJECT_ETS] = { "ets", TARGET_PORT, .settle_ms = 1000, .dcb = true },
	[OBJECT_MAX_RATE] = { "max_rate", TARGET_PORT, .settle_ms = 1000, .dcb = true },
	[OBJECT_APP] = { "app", TARGET_PORT, .settle_ms = 1000, .map = true, .dcb = true },
	[OBJECT_PFC] = { "pfc", TARGET_PORT, .settle_ms = 2000, .dcb = true },
	[OBJECT_BUFFERS] = { "buffers", TARGET_PORT, .read_only = true, .dcb = true },
	[OBJECT_PFC_WATCHDOG] = { "pfc_watchdog", TARGET_PORT, .settle_ms = 200 },
	[OBJECT_ECN_NP] = { "ecn_np", TARGET_PORT, .settle_ms = 200, .files = true },
	[OBJECT_ECN_RP] = { "ecn_rp", TARGET_PORT, .settle_ms = 200, .files = true },
	[OBJECT_CNP_DSCP] = { "cnp_dscp", TARGET_PORT, .settle_ms = 200 },
	[OBJECT_CNP_PRIORITY] = { "cnp_priority", TARGET_PORT, .settle_ms = 200 },
	[OBJECT_MTU] = { "mtu", TARGET_PORT, .settle_ms = 2000, .stacked = true },
	[OBJECT_CM_MODE] = { "cm_mode", TARGET_RDMA, .settle_ms = 200 },
	[OBJECT_CM_TOS] = { "cm_tos", TARGET_RDMA, .settle_ms = 200 },
	[OBJECT_TRAFFIC_CLASS] = { "traffic_class", TARGET_RDMA, .settle_ms = 200 },
	[OBJECT_GID] = { "gid", TARGET_RDMA, .read_only = true },
};
static_assert(ARRAY_SIZE(object_table) == OBJECT_MAX, "one row for each object");

const struct knob_info knob_table[] = {
	[KNOB_FW_LLDP_AGENT] = {
		.name = "fw_lldp_agent",
		.object = OBJECT_FW_LLDP_AGENT,
		.target = TARGET_PORT,
		.kind = VALUE_WORD,
		.unit = "",
		.words = agent_words,
		.why = "The LLDP agent in the NIC's firmware: while it is on it owns the port's "
		       "DCB settings, and every write of the host is refused.",
		.spec = "derived: off, where any DCB setting is managed",
		.kernel = "ethtool private flag fw-lldp-agent (ice_ethtool.c)",
		.drivers = "ice",
	},
	[KNOB_DCBX] = {
		.name = "dcbx",
		.object = OBJECT_DCBX,
		.target = TARGET_PORT,
		.kind = VALUE_WORD,
		.unit = "",
		.words = dcbx_words,
		.why = "Who owns the port's DCB settings: firmware that listens to the switch may "
		       "overwrite what the host sets, and tells nobody. cee: the host, but in a "
		       "mode in which the driver takes none of its settings.",
		.spec = "derived: host, where any DCB setting is managed",
		.kernel = "DCB netlink DCB_CMD_SDCBX, DCB_CMD_GDCBX (net/dcb/dcbnl.c)",
		.drivers = "mlx5_core, bnxt_en, ice; bnxt_en cannot take it back from its firmware",
	},
	[KNOB_PAUSE] = {
		.name = "pause",
		.object = OBJECT_PAUSE,
		.target = TARGET_PORT,
		.kind = VALUE_PAUSE,
		.unit = "",
		.why = "Global pause (802.3x) stops all priorities at once and defeats PFC, "
		       "without a single drop to be seen.",
		.spec = "derived: off, where qos.pfc is not empty",
		.kernel = "ethtool netlink ETHTOOL_MSG_PAUSE_SET (net/ethtool/pause.c)",
		.drivers = "all with ethtool pause settings",
	},
	[KNOB_SCHEDULER] = {
		.name = "scheduler",
		.object = OBJECT_ETS,
		.target = TARGET_PORT,
		.kind = VALUE_ETS,
		.unit = "",
		.why = "Which traffic class each priority is sent in, and how the classes share "
		       "the link (802.1Qaz ETS).",
		.spec = "qos.scheduler; derived for bnxt_en, which takes PFC only after ETS",
		.kernel = "DCB netlink DCB_ATTR_IEEE_ETS (struct ieee_ets)",
		.drivers = "mlx5_core (class = priority), bnxt_en (classes numbered densely), ice",
	},
	[KNOB_MAX_RATE] = {
		.name = "max_rate",
		.object = OBJECT_MAX_RATE,
		.target = TARGET_PORT,
		.kind = VALUE_RATES,
		.unit = "",
		.why = "The most that a priority may send. It is a limit of its traffic class: all "
		       "priorities of the class share it.",
		.spec = "qos.max_rate",
		.kernel = "DCB netlink DCB_ATTR_IEEE_MAXRATE (struct ieee_maxrate)",
		.drivers = "mlx5_core (steps of 100 Mbit/s up to 25.5 Gbit/s, then of 1 Gbit/s up "
			   "to 255 Gbit/s)",
		.instead = "no limit per class in this driver: leave max_rate out for this port, "
			   "or limit at the switch",
	},
	[KNOB_TRUST] = {
		.name = "trust",
		.object = OBJECT_APP,
		.target = TARGET_PORT,
		.kind = VALUE_WORD,
		.unit = "",
		.words = trust_words,
		.why = "Whether the priority of a packet is taken from its DSCP or from its VLAN "
		       "tag. RoCE v2 without a VLAN needs dscp.",
		.spec = "qos.trust; derived: dscp, from qos.dscp_to_priority",
		.kernel = "DCB netlink DCB_ATTR_IEEE_APP_TABLE: on mlx5 the first DSCP entry is "
			  "trust dscp",
		.drivers = "mlx5_core, bnxt_en, ice",
	},
	[KNOB_DSCP_TO_PRIORITY] = {
		.name = "dscp_to_priority",
		.object = OBJECT_APP,
		.target = TARGET_PORT,
		.kind = VALUE_DSCP_MAP,
		.unit = "",
		.required = true,
		.why = "The priority that packets of a DSCP belong to: the link between what RDMA "
		       "marks and what PFC protects.",
		.spec = "qos.dscp_to_priority, roce.cnp",
		.kernel = "DCB netlink DCB_ATTR_IEEE_APP_TABLE, selector 5 (struct dcb_app)",
		.drivers = "mlx5_core, bnxt_en, ice",
		.instead = "set the map with the vendor's own tool, or leave qos out for this port",
	},
	[KNOB_PFC] = {
		.name = "pfc",
		.object = OBJECT_PFC,
		.target = TARGET_PORT,
		.kind = VALUE_PRIORITIES,
		.unit = "",
		.required = true,
		.why = "The lossless priorities: the receiver pauses just these instead of "
		       "dropping (802.1Qbb).",
		.spec = "qos.pfc",
		.kernel = "DCB netlink DCB_ATTR_IEEE_PFC (struct ieee_pfc pfc_en)",
		.drivers = "mlx5_core, bnxt_en (2 lossless priorities), ice (1); a change takes "
			   "the link down for a moment",
		.instead = "this port cannot be lossless: exclude it in `nics`, or use ECN alone",
	},
	[KNOB_CABLE_LENGTH] = {
		.name = "cable_length",
		.object = OBJECT_PFC,
		.target = TARGET_PORT,
		.kind = VALUE_NUMBER,
		.min = 1,
		.max = 999,
		.unit = "m",
		.why = "Sizes the headroom: what is still on the wire when a pause frame leaves "
		       "has to fit.",
		.spec = "qos.cable_length",
		.kernel = "DCB netlink DCB_ATTR_IEEE_PFC (struct ieee_pfc delay, which mlx5 takes "
			  "as metres)",
		.drivers = "mlx5_core",
	},
	[KNOB_MTU] = {
		.name = "mtu",
		.object = OBJECT_MTU,
		.target = TARGET_PORT,
		.kind = VALUE_NUMBER,
		.min = 1500,
		.max = 65535,
		.restore_min = 68,
		.restore_max = 65535,
		.unit = "",
		.required = true,
		.why = "The largest packet; a RoCE payload of 4096 bytes needs at least 4192.",
		.spec = "mtu",
		.kernel = "RTNETLINK RTM_NEWLINK IFLA_MTU",
		.drivers = "all",
	},
	[KNOB_CM_MODE] = {
		.name = "cm_mode",
		.object = OBJECT_CM_MODE,
		.target = TARGET_RDMA,
		.kind = VALUE_WORD,
		.unit = "",
		.words = mode_words,
		.why = "The GID type that RDMA-CM connections use unless the application chooses; "
		       "only v2 is routed and carries a DSCP.",
		.spec = "roce.mode; derived: v2, where roce is given",
		.kernel = "configfs rdma_cm/DEVICE/ports/PORT/default_roce_mode "
			  "(drivers/infiniband/core/cma_configfs.c)",
		.drivers = "all RoCE drivers",
	},
	[KNOB_CM_TOS] = {
		.name = "cm_tos",
		.object = OBJECT_CM_TOS,
		.target = TARGET_RDMA,
		.kind = VALUE_NUMBER,
		.max = 255,
		.unit = "",
		.why = "The ToS byte of RDMA-CM connections whose application sets none: DSCP in "
		       "the upper six bits, ECN in the lower two.",
		.spec = "roce.traffic_class, or roce.dscp with roce.ecn",
		.kernel = "configfs rdma_cm/DEVICE/ports/PORT/default_roce_tos "
			  "(drivers/infiniband/core/cma_configfs.c)",
		.drivers = "all RoCE drivers; gone when the RDMA device registers anew",
	},
	[KNOB_TRAFFIC_CLASS] = {
		.name = "traffic_class",
		.object = OBJECT_TRAFFIC_CLASS,
		.target = TARGET_RDMA,
		.kind = VALUE_OPTIONAL,
		.max = 255,
		.unit = "",
		.why = "The traffic class that the driver forces on all queue pairs made with "
		       "verbs, whatever the application asks for.",
		.spec = "roce.traffic_class, or roce.dscp with roce.ecn",
		.kernel = "sysfs infiniband/DEVICE/tc/PORT/traffic_class (MLNX_OFED only)",
		.drivers = "mlx5_core of MLNX_OFED and DOCA-OFED; not of upstream Linux",
		.instead = "cm_tos covers RDMA-CM, not NCCL (set NCCL_IB_TC), other verbs "
			   "programs or DevX (each sets its own)",
	},
	[KNOB_GID] = {
		.name = "gid",
		.object = OBJECT_GID,
		.target = TARGET_RDMA,
		.kind = VALUE_WORD,
		.unit = "",
		.words = gid_words,
		.why = "A RoCE v2 GID of the port's own network device has to exist; its index "
		       "moves with addresses and link events.",
		.spec = "derived: v2, where roce.mode is v2",
		.kernel = "sysfs infiniband/DEVICE/ports/PORT/gid_attrs "
			  "(drivers/infiniband/core/sysfs.c); read only",
		.drivers = "all RoCE drivers",
	},
	[KNOB_PFC_WATCHDOG] = {
		.name = "pfc_watchdog",
		.object = OBJECT_PFC_WATCHDOG,
		.target = TARGET_PORT,
		.kind = VALUE_NUMBER,
		.min = 80,
		.max = 8000,
		.restore_min = 0,
		.restore_max = 65535,
		.unit = "ms",
		.why = "How long a priority may be paused before the NIC takes it for a storm and "
		       "stops pausing.",
		.spec = "qos.pfc_watchdog.detect",
		.kernel = "ethtool tunable pfc-prevention-tout (an ioctl)",
		.drivers = "mlx5_core",
		.instead = "let the switch watch for storms: its PFC watchdog covers this port's "
			   "pauses too",
	},
	[KNOB_BUFFERS] = {
		.name = "buffers",
		.object = OBJECT_BUFFERS,
		.target = TARGET_PORT,
		.kind = VALUE_WORD,
		.unit = "",
		.words = buffers_words,
		.why = "Receive buffers per priority; auto leaves them to the driver. Short: a "
		       "lossless priority has a buffer without room.",
		.spec = "qos.buffers",
		.kernel = "DCB netlink DCB_ATTR_DCB_BUFFER (struct dcbnl_buffer); read only",
		.drivers = "mlx5_core",
		.instead = "other drivers size their buffers by themselves and do not show them",
	},
	[KNOB_ECN_NP] = {
		.name = "ecn_np",
		.object = OBJECT_ECN_NP,
		.target = TARGET_PORT,
		.kind = VALUE_PORT_SWITCHES,
		.unit = "",
		.why = "DCQCN, notification point: the receiver answers marked packets with CNPs. "
		       "One switch of the port, shown for each priority.",
		.spec = "ecn.priorities",
		.kernel = "sysfs net/DEVICE/ecn/roce_np/enable/PRIORITY (MLNX_OFED only)",
		.drivers = "mlx5_core of MLNX_OFED and DOCA-OFED",
		.instead = "without it marks are not answered: the switch marks in vain",
	},
	[KNOB_ECN_RP] = {
		.name = "ecn_rp",
		.object = OBJECT_ECN_RP,
		.target = TARGET_PORT,
		.kind = VALUE_SWITCHES,
		.unit = "",
		.why = "DCQCN, reaction point: the priorities whose senders slow down for CNPs.",
		.spec = "ecn.priorities",
		.kernel = "sysfs net/DEVICE/ecn/roce_rp/enable/PRIORITY (MLNX_OFED only)",
		.drivers = "mlx5_core of MLNX_OFED and DOCA-OFED",
		.instead = "without it CNPs slow nobody down",
	},
	[KNOB_CNP_DSCP] = {
		.name = "cnp_dscp",
		.object = OBJECT_CNP_DSCP,
		.target = TARGET_PORT,
		.kind = VALUE_NUMBER,
		.max = 63,
		.unit = "",
		.why = "The DSCP that congestion notification packets leave with.",
		.spec = "roce.cnp.dscp",
		.kernel = "sysfs net/DEVICE/ecn/roce_np/cnp_dscp (MLNX_OFED), debugfs "
			  "mlx5/PCI/cc_params/np_cnp_dscp",
		.drivers = "mlx5_core",
	},
	[KNOB_CNP_PRIORITY] = {
		.name = "cnp_priority",
		.object = OBJECT_CNP_PRIORITY,
		.target = TARGET_PORT,
		.kind = VALUE_NUMBER,
		.max = 7,
		.unit = "",
		.why = "The priority of congestion notification packets; neither lossless nor "
		       "that of RoCE.",
		.spec = "roce.cnp.priority",
		.kernel = "sysfs net/DEVICE/ecn/roce_np/cnp_802p_prio (MLNX_OFED), debugfs "
			  "mlx5/PCI/cc_params/np_cnp_prio",
		.drivers = "mlx5_core",
	},
};
static_assert(ARRAY_SIZE(knob_table) == KNOB_MAX, "one row for each knob");

enum knob knob_find(const char *name)
{
	enum knob knob = 0;

	while (knob < KNOB_MAX && strcmp(knob_table[knob].name, name) != 0)
		knob++;
	return knob;
}

const char *target_kind_name(enum target_kind kind)
{
	return kind == TARGET_PORT ? "port" : "rdma";
}
