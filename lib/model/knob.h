/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table: objects (what the kernel reads and writes as one) and knobs (what people declare). A
 * knob exists once, as a row here; the diff, the plan's text, `explain`, JSON and the man page read
 * that row. The read and write hooks of an object stand in lib/nic/.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/model/value.h"

enum target_kind {
	TARGET_PORT,		/* a network device */
	TARGET_RDMA,		/* an RDMA device */
	TARGET_KIND_MAX,
};

/* In the order in which they are written when things are switched on; a driver row may differ. */
enum object {
	OBJECT_FW_LLDP_AGENT,
	OBJECT_DCBX,
	OBJECT_PAUSE,
	OBJECT_ETS,
	OBJECT_MAX_RATE,
	OBJECT_APP,
	OBJECT_PFC,
	OBJECT_BUFFERS,
	OBJECT_PFC_WATCHDOG,
	OBJECT_ECN_NP,
	OBJECT_ECN_RP,
	OBJECT_CNP_DSCP,
	OBJECT_CNP_PRIORITY,
	OBJECT_MTU,
	OBJECT_CM_MODE,
	OBJECT_CM_TOS,
	OBJECT_TRAFFIC_CLASS,
	OBJECT_GID,
	OBJECT_MAX,
};

enum knob {
	KNOB_FW_LLDP_AGENT,
	KNOB_DCBX,
	KNOB_PAUSE,
	KNOB_SCHEDULER,
	KNOB_MAX_RATE,
	KNOB_TRUST,
	KNOB_DSCP_TO_PRIORITY,
	KNOB_PFC,
	KNOB_CABLE_LENGTH,
	KNOB_MTU,
	KNOB_CM_MODE,
	KNOB_CM_TOS,
	KNOB_TRAFFIC_CLASS,
	KNOB_GID,
	KNOB_PFC_WATCHDOG,
	KNOB_BUFFERS,
	KNOB_ECN_NP,
	KNOB_ECN_RP,
	KNOB_CNP_DSCP,
	KNOB_CNP_PRIORITY,
	KNOB_MAX,
	KNOB_NONE = KNOB_MAX,	/* a finding about a target as a whole */
};

enum agent { AGENT_OFF, AGENT_ON };				/* words of KNOB_FW_LLDP_AGENT */
enum dcbx_owner { DCBX_FIRMWARE, DCBX_HOST, DCBX_LLD, DCBX_CEE };	/* words of KNOB_DCBX */
enum trust { TRUST_PCP, TRUST_DSCP };				/* words of KNOB_TRUST */
enum roce_mode { ROCE_V1, ROCE_V2 };				/* words of KNOB_CM_MODE */
enum gid_state { GID_NONE, GID_V1_ONLY, GID_V2 };		/* words of KNOB_GID */
enum buffers { BUFFERS_AUTO, BUFFERS_SHORT };			/* words of KNOB_BUFFERS */

struct object_info {
	const char *name;
	enum target_kind target;
	unsigned int settle_ms;	/* how long a write may take to be seen */
	bool read_only;		/* told, never a step */
	bool map;		/* entries are added and deleted one message each, not set whole */
	bool files;		/* one attribute for each priority: a write each, not set whole */
	bool dcb;		/* DCB netlink, which drivers take in different ways */
	bool stacked;		/* bounded by what the device below has, bounds those above */
};

struct knob_info {
	const char *name;
	enum object object;
	enum target_kind target;	/* for knobs without an object too */
	enum value_kind kind;
	uint32_t min;			/* VALUE_NUMBER, VALUE_OPTIONAL */
	uint32_t max;
	/* what may have been there and is returned to, where that is more; both 0: as above */
	uint32_t restore_min;
	uint32_t restore_max;
	const char *unit;		/* "" if it has none */
	const char *const *words;	/* VALUE_WORD, ends with NULL */
	/* unsupported is not a note but refuses the target (design: pfc, dscp_to_priority, mtu) */
	bool required;
	const char *why;		/* one sentence: what it is for */
	const char *spec;		/* the keys of the fabric file that it comes from */
	const char *kernel;		/* the interface, with the kernel file that defines it */
	const char *drivers;		/* who has it */
	/* what to do where it is unsupported; NULL: nothing can be said */
	const char *instead;
};

extern const struct object_info object_table[OBJECT_MAX];
extern const struct knob_info knob_table[KNOB_MAX];

/* Index of the knob with this name, KNOB_NONE if there is none. */
enum knob knob_find(const char *name);

const char *target_kind_name(enum target_kind kind);
