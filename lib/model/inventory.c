// SPDX-License-Identifier: LGPL-2.1-or-later
/* The list of ports that lib/nic fills. */
#include "lib/model/inventory.h"

#include <stdlib.h>

void inventory_done(struct inventory *inventory)
{
	free(inventory->list);
	*inventory = (struct inventory){};
}
