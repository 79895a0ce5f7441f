/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Other owners of a port's DCB settings that run on this node. */
#pragma once

#include <stddef.h>

#include "lib/os/os.h"

/*
 * Programs that scripts and units run at boot to set by hand what the file declares (vendors'
 * recipes: mlnx-tools, doroce-linux, bnxt_setupcc.sh), as alternatives of fnmatch(3).
 */
#define RIVAL_SCRIPTS \
	"mlnx_qos|cma_roce_tos|cma_roce_mode|doRoCE|doroce|bnxt_setupcc|lldptool|dcbtool|" \
	"dcb app|dcb pfc"

/* The process of lldpad: 1; 0 if there is none; a negative errno if that cannot be told. */
int rival_process(struct os *os, char *pid, size_t size);

/*
 * Each line of the file at @path that has one of RIVAL_SCRIPTS, a comment too, with no control
 * character left in it and cut at OS_TEXT_MAX bytes. Returns 0; -EFBIG if the file is beyond what
 * any script is; what @each returns, if that is not 0; another negative errno.
 */
int rival_lines(struct os *os, const char *path, int (*each)(const char *line, void *data),
		void *data);

/*
 * Look for lldpad among the processes; @text gets one line that names it and says what to do, "" if
 * there is none.
 */
void rival_find(struct os *os, char *text, size_t size);
