// SPDX-License-Identifier: LGPL-2.1-or-later
/* The end of a seam, whichever implementation stands behind it. */
#include "lib/os/os.h"

#include "lib/os/netlink.h"

struct os *os_free(struct os *os)
{
	if (!os)
		return NULL;
	netlink_close(os);
	os->ops->free(os);
	return NULL;
}
