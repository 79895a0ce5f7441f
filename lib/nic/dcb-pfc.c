// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The PFC object: which priorities may pause the sender, and the cable length that sizes the
 * headroom. Owns struct ieee_pfc; mirrors net/dcb/dcbnl.c and, for mlx5, mlx5e_dcbnl_ieee_setpfc in
 * en_dcbnl.c: the link toggles if the mask changes, and only then; `delay` is the cable length in
 * metres there.
 */
#include <errno.h>

#include "lib/nic/object.h"

enum {
	PRIORITY_MASK = (1 << PRIORITIES) - 1,
	CABLE_MIN_M = 1, /* mlx5 ignores what is outside of this range */
	CABLE_MAX_M = 999,
};

int dcb_pfc_read(struct nic_reader *reader, struct state *have)
{
	const struct os_dcb *dcb;
	int r;

	r = nic_reader_dcb(reader, &dcb);
	if (r < 0) {
		(void)nic_value_error(reader, have, KNOB_CABLE_LENGTH, r, "DCB");
		return nic_value_error(reader, have, KNOB_PFC, r, "DCB");
	}
	if (!dcb->has_pfc) {
		nic_value_unsupported(have, KNOB_CABLE_LENGTH, "the driver has no PFC");
		nic_value_unsupported(have, KNOB_PFC, "the driver has no PFC");
		return 0;
	}
	nic_value_number(have, KNOB_PFC, dcb->pfc.pfc_en);
	if (nic_dcb_is_unset(reader, dcb))
		value_note(&have->value[KNOB_PFC],
			   "%s reads as none until it is told something: no proof of the hardware",
			   reader->driver->name);
	/* For other drivers `delay` is what 802.1Qaz says: an allowance in bit times */
	if (reader->driver->cable_length)
		nic_value_number(have, KNOB_CABLE_LENGTH, dcb->pfc.delay);
	else
		nic_value_unsupported(have, KNOB_CABLE_LENGTH, "this driver takes no cable length");
	return 0;
}

int dcb_pfc_write(const struct nic_writer *writer, struct refusal *ret)
{
	const struct value *want = writer->want->value;
	const char *name = writer->link.name;
	struct os_error error = {};
	struct ieee_pfc pfc;
	struct os_dcb dcb;
	int r;

	r = os_dcb_get(writer->os, name, &dcb);
	if (r < 0)
		return nic_written(r, NULL, ret);
	if (!dcb.has_pfc)
		return nic_refuse(ret, -EOPNOTSUPP, "the driver has no PFC");

	pfc = dcb.pfc;
	if (nic_wants(writer->want, KNOB_PFC)) {
		if (want[KNOB_PFC].data.number > PRIORITY_MASK)
			return nic_refuse(ret, -EINVAL, "no such priority");
		pfc.pfc_en = (uint8_t)want[KNOB_PFC].data.number;
	}
	if (nic_wants(writer->want, KNOB_CABLE_LENGTH) && writer->driver->cable_length) {
		if (want[KNOB_CABLE_LENGTH].data.number < CABLE_MIN_M ||
		    want[KNOB_CABLE_LENGTH].data.number > CABLE_MAX_M)
			return nic_refuse(ret, -EINVAL, "a cable length is %d to %d m", CABLE_MIN_M,
					  CABLE_MAX_M);
		pfc.delay = (uint16_t)want[KNOB_CABLE_LENGTH].data.number;
	}
	if (pfc.pfc_en == dcb.pfc.pfc_en && pfc.delay == dcb.pfc.delay)
		return 0;
	r = os_dcb_set_pfc(writer->os, name, &pfc, &error);
	return nic_dcb_written(writer, r, &error, ret);
}
