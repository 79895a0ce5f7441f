/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of behaviours, in two halves, and what both need. See behaviours.c. */
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

/* Both end with a row without a name. */
extern const struct behaviour behaviours_dcb[];
extern const struct behaviour behaviours_node[];

/* What DCB shows now; all zero if it cannot be read. Good until the next call. */
const struct os_dcb *behave_dcb(struct bed *bed);

int behave_set_pause(struct bed *bed, bool autoneg, bool rx, bool tx);
bool behave_pause_is(struct bed *bed, bool rx, bool tx);
