/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Constants of the kernel's interface that are newer than the headers we build with (Debian 12:
 * Linux 6.1).
 */
#pragma once

#include <linux/dcbnl.h>

#ifndef DCB_APP_SEL_PCP			/* Linux 6.2 */
#define DCB_APP_SEL_PCP 255
#define DCB_ATTR_DCB_APP 2
#endif
