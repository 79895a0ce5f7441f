// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Receive buffers, read only: struct dcbnl_buffer of the IEEE state. Nothing tells whether the
 * sizes are the driver's or somebody's, so `auto` is taken at its purpose: each lossless priority
 * has a buffer with room (mlx5/core/en/port_buffer.c refuses to make it otherwise, but a raw
 * register write does not ask). The driver's own xoff arithmetic is not repeated here.
 */
#include "lib/nic/object.h"

/* The lossless priorities without room, as bits. */
static unsigned int short_priorities(const struct os_dcb *dcb)
{
	unsigned int found = 0;

	for (unsigned int i = 0; i < PRIORITIES; i++) {
		unsigned int buffer = dcb->buffer.prio2buffer[i];

		if (!(dcb->pfc.pfc_en & (1U << i)))
			continue;
		if (buffer >= DCBX_MAX_BUFFERS || dcb->buffer.buffer_size[buffer] == 0)
			found |= 1U << i;
	}
	return found;
}

int dcb_buffer_read(struct nic_reader *reader, struct state *have)
{
	const struct os_dcb *dcb;
	unsigned int found;
	int r;

	r = nic_reader_dcb(reader, &dcb);
	if (r < 0)
		return nic_value_error(reader, have, KNOB_BUFFERS, r, "DCB");
	if (!dcb->has_buffer) {
		nic_value_unsupported(have, KNOB_BUFFERS, "the driver shows no buffers");
		return 0;
	}
	found = short_priorities(dcb);
	nic_value_number(have, KNOB_BUFFERS, found ? BUFFERS_SHORT : BUFFERS_AUTO);
	if (found)
		value_note(&have->value[KNOB_BUFFERS],
			   "lossless priority %d has no room: give it a buffer with dcb buffer set",
			   __builtin_ctz(found));
	return 0;
}
