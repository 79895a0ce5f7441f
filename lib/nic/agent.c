// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The LLDP agent in the NIC's firmware: a private flag of the driver. Mirrors ice_set_priv_flags in
 * drivers/net/ethernet/intel/ice/ice_ethtool.c: off, the driver takes DCBX for the host by itself;
 * on, LLD_MANAGED comes back.
 */
#include <errno.h>

#include "lib/nic/object.h"
#include "lib/os/ethtool.h"

int agent_read(struct nic_reader *reader, struct state *have)
{
	const char *flag = reader->driver->agent_flag;
	bool on;
	int r;

	if (!flag) {
		nic_value_unsupported(have, KNOB_FW_LLDP_AGENT, "the driver has no such flag");
		return 0;
	}
	r = os_private_flag_get(reader->os, reader->link.name, flag, &on);
	if (r < 0)
		return nic_value_error(reader, have, KNOB_FW_LLDP_AGENT, r, flag);
	nic_value_number(have, KNOB_FW_LLDP_AGENT, on ? AGENT_ON : AGENT_OFF);
	if (on)
		value_note(&have->value[KNOB_FW_LLDP_AGENT],
			   "the firmware's LLDP agent owns DCB and overwrites what the host sets");
	return 0;
}

int agent_write(const struct nic_writer *writer, struct refusal *ret)
{
	uint32_t want = writer->want->value[KNOB_FW_LLDP_AGENT].data.number;
	const struct value *have = &writer->have->value[KNOB_FW_LLDP_AGENT];
	int r;

	if (!nic_wants(writer->want, KNOB_FW_LLDP_AGENT))
		return 0;
	if (have->status == VALUE_KNOWN && have->data.number == want)
		return 0;
	if (!writer->driver->agent_flag)
		return nic_refuse(ret, -EOPNOTSUPP, "the driver has no such flag");
	r = os_private_flag_set(writer->os, writer->link.name, writer->driver->agent_flag,
				want == AGENT_ON);
	return nic_written(r, NULL, ret);
}
