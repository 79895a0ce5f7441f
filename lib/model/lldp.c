// SPDX-License-Identifier: LGPL-2.1-or-later
/* The list of neighbours. */
#include "lib/model/lldp.h"

#include <stdlib.h>

void lldp_neighbors_done(struct lldp_neighbors *neighbors)
{
	free(neighbors->list);
	*neighbors = (struct lldp_neighbors){};
}
