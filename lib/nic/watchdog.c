// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * How long a priority may be paused before the NIC takes it for a storm: the ethtool tunable
 * pfc-prevention-tout. Mirrors mlx5e_set_pfc_prevention_tout in mlx5/core/en_ethtool.c: 0 is off,
 * 0xffff the driver's choice of 100 ms.
 */
#include <errno.h>

#include "lib/nic/object.h"
#include "lib/os/ethtool.h"

enum { WATCHDOG_AUTO = 0xffff };

int watchdog_read(struct nic_reader *reader, struct state *have)
{
	uint16_t ms;
	int r;

	r = os_pfc_stall_get(reader->os, reader->link.name, &ms);
	if (r < 0)
		return nic_value_error(reader, have, KNOB_PFC_WATCHDOG, r, "pfc-prevention-tout");
	nic_value_number(have, KNOB_PFC_WATCHDOG, ms);
	if (ms == 0)
		value_note(&have->value[KNOB_PFC_WATCHDOG], "off: a storm stops nothing");
	else if (ms == WATCHDOG_AUTO)
		value_note(&have->value[KNOB_PFC_WATCHDOG], "auto: the driver takes 100ms");
	return 0;
}

int watchdog_write(const struct nic_writer *writer, struct refusal *ret)
{
	uint32_t want = writer->want->value[KNOB_PFC_WATCHDOG].data.number;
	const struct value *have = &writer->have->value[KNOB_PFC_WATCHDOG];

	if (!nic_wants(writer->want, KNOB_PFC_WATCHDOG))
		return 0;
	if (have->status == VALUE_KNOWN && have->data.number == want)
		return 0;
	if (want > UINT16_MAX)
		return nic_refuse(ret, -EINVAL, "at most %u ms", UINT16_MAX);
	return nic_written(os_pfc_stall_set(writer->os, writer->link.name, (uint16_t)want), NULL,
			   ret);
}
