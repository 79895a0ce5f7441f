/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What differs between NIC drivers, as data: orders and quirks are rows, not conditions in the
 * code. The order of the objects (object_table) is one for all: it satisfies each of them (the
 * firmware's agent off first, ETS before the map and before PFC, pause off before PFC).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/model/knob.h"

#define KNOB_BIT(knob) (UINT32_C(1) << (knob))

struct driver_info {
	const char *name;		/* as in /sys/class/net/NAME/device/driver */
	const char *rdma_module;	/* what makes its RDMA device; NULL: none, or not known */
	bool writes_dcb; /* its habits are known: DCB objects are written, not only read */
	/* KNOB_BIT of each knob whose change takes the link down for a moment */
	uint32_t drops_link;

	/* bits of the DCBX mode byte that make the host the owner; what is set beside stays */
	uint8_t dcbx_host;
	/* LLD_MANAGED cannot be left at run time: what to do instead; NULL: it can */
	const char *lld_stays;
	/* ethtool private flag of the firmware's LLDP agent, which owns DCB while on; or NULL */
	const char *agent_flag;
	bool dcb_needs_host;		/* refuses DCB writes until the host is the owner */
	bool no_dcb_in_bond;		/* refuses DCB writes while the port is enslaved */

	/* adding DSCP -> priority removes the DSCP's old entry by itself */
	bool app_add_replaces;
	/* a mapped DSCP cannot be mapped anew, or loses both: delete, then add */
	bool app_delete_first;
	/* stops a message behind its first entry, whatever became of that */
	bool app_one_per_message;
	/* an entry that the hardware refused stays in the kernel's table and reads as if applied */
	bool app_refused_stays;
	const char *app_delete_note;	/* what a deleted DSCP entry leaves behind; NULL: nothing */
	const char *app_add_note;	/* what adding an entry does besides; NULL: nothing */
	/* a positive status byte is no refusal: reading back tells what came of it */
	bool positive_is_unknown;

	bool pause_after_pfc_refused;	/* global pause cannot be changed while PFC is on */
	bool pfc_needs_ets;		/* refuses PFC before an ETS was written by anybody */
	bool zeros_until_set; /* the host's ETS and PFC read as zeros before the first set */
	bool cable_length;		/* struct ieee_pfc delay is metres of cable */
	/*
	 * rate limits of traffic classes: steps of so much up to so much, then of the next; none if
	 * it takes any rate or none at all
	 */
	struct {
		uint32_t max_kbit;
		uint32_t step_kbit;
	} rates[2];
	/* traffic classes: 0, a class has its priority's number; else dense, at most so many */
	uint8_t classes;
	/*
	 * the first DSCP entry gives each priority the class of its number and sets the shares to
	 * their defaults; from then on only the shares can be changed
	 */
	bool dscp_fixes_classes;
	uint8_t lossless_max;		/* priorities that can be lossless at once; 0: all */

	/* the vendor's driver outside of Linux that has attributes this one lacks; NULL: none */
	const char *vendor_driver;
	const char *dcb_instead; /* what to do where DCB cannot be set; NULL: nothing of its own */
	const char *instead[KNOB_MAX]; /* as knob_info.instead, for this driver; NULL: as there */
};

/* The row of a driver; unknown drivers get a row that assumes the worst. Never NULL. */
const struct driver_info *driver_find(const char *name);

/* Each row that there is, from 0 on; NULL behind the last. */
const struct driver_info *driver_at(size_t index);

/* True if a write of @object is refused as long as @before is not as wanted. */
bool driver_needs(const struct driver_info *driver, enum object object, enum object before);

/*
 * The rate limit that the driver makes of @kbit: its own step at or below, the smallest one if that
 * would be none. 0 if @kbit is more than it can limit to.
 */
uint32_t driver_rate(const struct driver_info *driver, uint32_t kbit);

/* What to do where the driver lacks the knob; NULL: nothing can be said. */
const char *driver_instead(const struct driver_info *driver, enum knob knob);
