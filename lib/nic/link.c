// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The MTU of a network device. Mirrors net/core/rtnetlink.c do_setlink, net/core/dev.c
 * dev_validate_mtu, net/8021q/vlan_dev.c vlan_dev_change_mtu, drivers/net/bonding/bond_main.c
 * bond_change_mtu.
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

/* What the kernel's text leaves out: the bound that was meant. */
static void say_bound(const struct nic_writer *writer, int r, struct refusal *ret)
{
	uint32_t want = writer->want->value[KNOB_MTU].data.number;
	/* A bond takes anything itself: its slaves decide */
	uint32_t max = writer->nic->kind == NIC_BOND ? writer->nic->mtu_max : writer->link.mtu_max;
	size_t used = strlen(ret->text);
	const char *separator = used ? ", " : "";

	if (r == -EINVAL && max > 0 && want > max)
		(void)snprintf(ret->text + used, sizeof(ret->text) - used, "%smaximum %u",
			       separator, max);
	if (r == -ERANGE && *writer->nic->lower)
		(void)snprintf(ret->text + used, sizeof(ret->text) - used,
			       "%smore than %s below it has", separator, writer->nic->lower);
}

int link_mtu_write(const struct nic_writer *writer, struct refusal *ret)
{
	uint32_t want = writer->want->value[KNOB_MTU].data.number;
	const struct os_link *link = &writer->link;
	struct os_error error = {};
	int r;

	if (!nic_wants(writer->want, KNOB_MTU) || link->mtu == want)
		return 0;
	r = os_link_set_mtu(writer->os, link->ifindex, want, &error);
	r = nic_written(r, &error, ret);
	if (r < 0)
		say_bound(writer, r, ret);
	return r;
}
