/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tables of behaviours, and what all of them need. See behaviours.c. */
#pragma once

#include <linux/dcbnl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/os/dcb.h"
#include "tests/support/bed.h"

enum {
	DCBX_START = DCB_CAP_DCBX_VER_CEE | DCB_CAP_DCBX_VER_IEEE,
	DCBX_HOST = DCBX_START | DCB_CAP_DCBX_HOST,
};

/* A row ends at the first thing that is not as it should be. */
#define EXPECT(condition)                                                           \
	do {                                                                        \
		if (!(condition)) {                                                 \
			printf("     line %d: not so: %s\n", __LINE__, #condition); \
			return false;                                               \
		}                                                                   \
	} while (0)

struct behaviour {
	const char *name;
	bool (*holds)(struct bed *bed);
};

/* Each ends with a row without a name. */
extern const struct behaviour behaviours_dcb[];
extern const struct behaviour behaviours_node[];
extern const struct behaviour behaviours_more[];
extern const struct behaviour behaviours_ofed[];
extern const struct behaviour behaviours_bnxt[];
extern const struct behaviour behaviours_ice[];
extern const struct behaviour behaviours_plain[];

extern const struct dcb_app behave_dscp_26_3, behave_dscp_26_4, behave_dscp_48_6;

/* What DCB shows now; all zero if it cannot be read. Good until the next call. */
const struct os_dcb *behave_dcb(struct bed *bed);

/* 0, or the status byte of the driver, or an errno below -1000 so that the two are told apart */
int behave_add(struct bed *bed, const struct dcb_app *app, size_t n);
int behave_drop(struct bed *bed, const struct dcb_app *app);
int behave_set_pfc(struct bed *bed, uint8_t mask, uint16_t cable_m);
int behave_set_ets(struct bed *bed, const struct ieee_ets *ets);
int behave_set_dcbx(struct bed *bed, uint8_t mode);
int behave_set_buffer(struct bed *bed, const struct dcbnl_buffer *buffer);
int behave_set_maxrate(struct bed *bed, const struct ieee_maxrate *maxrate);

/* In this order, the newest first */
bool behave_apps_are(struct bed *bed, const struct dcb_app *app, size_t n);

/* 50:50 for priority 3 and the rest, priority 6 strict */
struct ieee_ets behave_ets(void);

bool behave_has_carrier(struct bed *bed);
bool behave_carrier_returns(struct bed *bed);

int behave_set_pause(struct bed *bed, bool autoneg, bool rx, bool tx);
bool behave_pause_is(struct bed *bed, bool rx, bool tx);

/* True if there is such a private counter; @ret may be NULL. */
bool behave_stat(struct bed *bed, const char *name, uint64_t *ret);

/*
 * A row of several tables: the counter of pause frames received on priority 3 is @name, and DCB
 * shows it too.
 */
bool behave_counts_pause(struct bed *bed, const char *name);

/* Nothing of the kind in this driver, and a write to it says so. */
bool behave_has_no_tunable(struct bed *bed);
/* No operation in the driver: the kernel says yes and nothing happens. */
bool behave_has_no_buffer(struct bed *bed);
