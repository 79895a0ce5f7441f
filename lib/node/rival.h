/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Other owners of a port's DCB settings that run on this node. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "lib/os/os.h"

/*
 * Programs that scripts and units run at boot to set by hand what the file declares (vendors'
 * recipes: mlnx-tools, doroce-linux, bnxt_setupcc.sh), as alternatives of fnmatch(3).
 */
#define RIVAL_SCRIPTS \
	"mlnx_qos|cma_roce_tos|cma_roce_mode|doRoCE|doroce|bnxt_setupcc|lldptool|dcbtool|" \
	"dcb app|dcb pfc"

/* The process of lldpad. False: there is none. */
bool rival_process(struct os *os, char *pid, size_t size);

/*
 * Look for lldpad among the processes; @text gets one line that names it and says what to do, "" if
 * there is none.
 */
void rival_find(struct os *os, char *text, size_t size);
