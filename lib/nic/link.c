// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The MTU of a network device. Mirrors net/core/rtnetlink.c do_setlink and net/core/dev.c
 * dev_validate_mtu.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/nic/object.h"

int link_mtu_read(struct nic_reader *reader, struct state *have)
{
	nic_value_number(have, KNOB_MTU, reader->link.mtu);
	return 0;
}

int link_mtu_write(const struct nic_writer *writer, struct refusal *ret)
{
	uint32_t want = writer->want->value[KNOB_MTU].data.number;
	const struct os_link *link = &writer->link;
	struct os_error error = {};
	size_t used;
	int r;

	if (!nic_wants(writer->want, KNOB_MTU) || link->mtu == want)
		return 0;
	r = os_link_set_mtu(writer->os, link->ifindex, want, &error);
	r = nic_written(r, &error, ret);
	if (r == -EINVAL && link->mtu_max > 0 && want > link->mtu_max) {
		used = strlen(ret->text);
		(void)snprintf(ret->text + used, sizeof(ret->text) - used, "%smaximum %u",
			       used ? ", " : "", link->mtu_max);
	}
	return r;
}
