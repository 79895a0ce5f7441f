// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Who owns the DCB settings of a port: the DCBX mode byte. Mirrors dcbnl_setdcbx in net/dcb/dcbnl.c
 * and, for mlx5, mlx5e_dcbnl_setdcbx in drivers/net/ethernet/mellanox/mlx5/core/en_dcbnl.c: mode 0
 * gives the port to the firmware, the HOST bit takes it, LLD_MANAGED is refused. Where an agent of
 * the firmware owns the port, only that agent's end (agent.c) or the NIC's NVM changes it.
 */
#include <errno.h>

#include "lib/nic/object.h"

enum { DCBX_MODE_FIRMWARE = 0 };

/* A host without IEEE is no owner where the driver's setters want that (bnxt, ice). */
static enum dcbx_owner owner_of(const struct driver_info *driver, uint8_t mode)
{
	uint8_t host = driver->dcbx_host ?: DCB_CAP_DCBX_HOST;

	if ((mode & host) == host)
		return DCBX_HOST;
	if (mode & DCB_CAP_DCBX_LLD_MANAGED)
		return DCBX_LLD;
	if (mode & DCB_CAP_DCBX_HOST)
		return DCBX_CEE;
	return DCBX_FIRMWARE;
}

int dcbx_read(struct nic_reader *reader, struct state *have)
{
	const struct os_dcb *dcb;
	enum dcbx_owner owner;
	int r;

	r = nic_reader_dcb(reader, &dcb);
	if (r < 0)
		return nic_value_error(reader, have, KNOB_DCBX, r, "DCB");
	if (!dcb->has_dcbx) {
		nic_value_unsupported(have, KNOB_DCBX, "the driver tells no DCBX mode");
		return 0;
	}
	owner = owner_of(reader->driver, dcb->dcbx);
	if (owner == DCBX_LLD && reader->driver->lld_stays) {
		nic_value_unsupported(have, KNOB_DCBX, "%s", reader->driver->lld_stays);
		have->value[KNOB_DCBX].blocks = true;
		return 0;
	}
	nic_value_number(have, KNOB_DCBX, owner);
	if (owner == DCBX_LLD)
		value_note(&have->value[KNOB_DCBX], "firmware agent owns DCB (LLD_MANAGED)");
	return 0;
}

/*
 * Taking the port touches no bit but HOST (and IEEE instead of CEE for drivers that take nothing
 * without); giving it back is mode 0, because drivers refuse the old value (mlx5: without HOST only
 * 0 is taken). ice takes no mode without HOST: what it had before was CEE instead of IEEE
 * (ice_dcb_nl.c, ice_dcbnl_setdcbx).
 */
static uint8_t mode_of(uint32_t owner, const struct driver_info *driver, uint8_t mode)
{
	if (owner == DCBX_FIRMWARE)
		return DCBX_MODE_FIRMWARE;
	if (owner == DCBX_CEE)
		return DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_CEE;
	mode |= driver->dcbx_host;
	if (driver->dcbx_host & DCB_CAP_DCBX_VER_IEEE)
		mode &= (uint8_t)~DCB_CAP_DCBX_VER_CEE; /* refused beside IEEE */
	return mode;
}

int dcbx_write(const struct nic_writer *writer, struct refusal *ret)
{
	uint32_t want = writer->want->value[KNOB_DCBX].data.number;
	const char *name = writer->link.name;
	struct os_error error = {};
	struct os_dcb dcb;
	int r;

	if (!nic_wants(writer->want, KNOB_DCBX))
		return 0;
	r = os_dcb_get(writer->os, name, &dcb);
	if (r < 0)
		return nic_written(r, NULL, ret);
	if (!dcb.has_dcbx)
		return nic_refuse(ret, -EOPNOTSUPP, "the driver tells no DCBX mode");
	if (owner_of(writer->driver, dcb.dcbx) == want)
		return 0;

	if (want == DCBX_LLD)
		return nic_refuse(ret, -EOPNOTSUPP,
				  "DCB can only be given to the host or to the firmware");
	r = os_dcb_set_dcbx(writer->os, name, mode_of(want, writer->driver, dcb.dcbx), &error);
	return nic_written(r, &error, ret);
}
