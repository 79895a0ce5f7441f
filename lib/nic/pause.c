// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Global pause (802.3x) with its autonegotiation. Mirrors net/ethtool/pause.c; mlx5 refuses autoneg
 * (mlx5e_set_pauseparam in en_ethtool.c), and a change of the PFC mask clears rx and tx there.
 */
#include "lib/nic/object.h"
#include "lib/os/ethtool.h"

int pause_read(struct nic_reader *reader, struct state *have)
{
	struct os_pause pause;
	int r;

	r = os_pause_get(reader->os, reader->link.ifindex, &pause);
	if (r < 0)
		return nic_value_error(reader, have, KNOB_PAUSE, r, "pause settings");
	nic_value_number(have, KNOB_PAUSE,
			 (pause.rx ? PAUSE_RX : 0U) | (pause.tx ? PAUSE_TX : 0U) |
				 (pause.autoneg ? PAUSE_AUTONEG : 0U));
	return 0;
}

int pause_write(const struct nic_writer *writer, struct refusal *ret)
{
	uint32_t want = writer->want->value[KNOB_PAUSE].data.number;
	const struct value *have = &writer->have->value[KNOB_PAUSE];
	struct os_error error = {};
	struct os_pause pause;
	int r;

	if (!nic_wants(writer->want, KNOB_PAUSE))
		return 0;
	if (have->status == VALUE_KNOWN && have->data.number == want)
		return 0;
	pause = (struct os_pause){
		.autoneg = want & PAUSE_AUTONEG,
		.rx = want & PAUSE_RX,
		.tx = want & PAUSE_TX,
	};
	r = os_pause_set(writer->os, writer->link.ifindex, &pause, &error);
	return nic_written(r, &error, ret);
}
