// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The table of kernel objects, and what all of them need: the status of a value, the words of a
 * refusal.
 */
#include "lib/nic/object.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"

const struct nic_object_ops nic_object_ops[] = {
	[OBJECT_FW_LLDP_AGENT] = { agent_read, agent_write, .of_port = true },
	[OBJECT_DCBX] = { dcbx_read, dcbx_write, .of_port = true },
	[OBJECT_PAUSE] = { pause_read, pause_write, .of_port = true },
	[OBJECT_ETS] = { dcb_ets_read, dcb_ets_write, .of_port = true },
	[OBJECT_MAX_RATE] = { dcb_maxrate_read, dcb_maxrate_write, .of_port = true },
	[OBJECT_APP] = { dcb_app_read, dcb_app_write, .of_port = true },
	[OBJECT_PFC] = { dcb_pfc_read, dcb_pfc_write, .of_port = true },
	[OBJECT_BUFFERS] = { dcb_buffer_read, NULL, .of_port = true },
	[OBJECT_PFC_WATCHDOG] = { watchdog_read, watchdog_write, .of_port = true },
	[OBJECT_ECN_NP] = { ecn_np_read, ecn_np_write, .of_port = true },
	[OBJECT_ECN_RP] = { ecn_rp_read, ecn_rp_write, .of_port = true },
	[OBJECT_CNP_DSCP] = { cnp_dscp_read, cnp_dscp_write, .of_port = true },
	[OBJECT_CNP_PRIORITY] = { cnp_priority_read, cnp_priority_write, .of_port = true },
	[OBJECT_MTU] = { link_mtu_read, link_mtu_write },
	[OBJECT_CM_MODE] = { roce_cm_mode_read, roce_cm_mode_write },
	[OBJECT_CM_TOS] = { roce_cm_tos_read, roce_cm_tos_write },
	[OBJECT_TRAFFIC_CLASS] = { traffic_class_read, traffic_class_write },
	[OBJECT_GID] = { gid_read, NULL },
};
static_assert(ARRAY_SIZE(nic_object_ops) == OBJECT_MAX, "one row for each object");

int nic_reader_dcb(struct nic_reader *reader, const struct os_dcb **ret)
{
	if (reader->dcb_result > 0)
		reader->dcb_result = os_dcb_get(reader->os, reader->link.name, &reader->dcb);
	if (reader->dcb_result < 0)
		return reader->dcb_result;
	*ret = &reader->dcb;
	return 0;
}

void nic_value_number(struct state *have, enum knob knob, uint32_t number)
{
	struct value *value = &have->value[knob];

	value->status = VALUE_KNOWN;
	value->data.number = number;
}

void nic_value_unsupported(struct state *have, enum knob knob, const char *format, ...)
{
	struct value *value = &have->value[knob];
	va_list args;

	value->status = VALUE_UNSUPPORTED;
	va_start(args, format);
	(void)vsnprintf(value->note, sizeof(value->note), format, args);
	va_end(args);
}

int nic_value_error(const struct nic_reader *reader, struct state *have, enum knob knob, int r,
		    const char *what)
{
	struct value *value = &have->value[knob];

	if (r == -ENODEV)
		return r;
	if (r == -EOPNOTSUPP) {
		value->status = VALUE_UNSUPPORTED;
		value_note(value, "%s has no %s",
			   *reader->nic->driver ? reader->nic->driver : "the device", what);
	} else if ((r == -EACCES || r == -EPERM) && !reader->os->privileged) {
		value->status = VALUE_NEEDS_ROOT;
		value_note(value, "needs root or losslessd");
	} else {
		value->status = VALUE_UNREADABLE;
		value->error = -r;
		value_note(value, "%s cannot be read: %s%s", what,
			   strerrordesc_np(-r) ?: "unknown error",
			   r == -EACCES || r == -EPERM ? " (SELinux or AppArmor?)" : "");
	}
	return 0;
}

bool nic_wants(const struct state *want, enum knob knob)
{
	return want->value[knob].status == VALUE_KNOWN;
}

int nic_written(int r, const struct os_error *error, struct refusal *ret)
{
	if (r >= 0)
		return 1;
	*ret = (struct refusal){ .error = -r };
	if (error) {
		ret->status = error->status;
		nic_printable(error->text, ret->text, sizeof(ret->text));
	}
	return r;
}

int nic_dcb_written(const struct nic_writer *writer, int r, const struct os_error *error,
		    struct refusal *ret)
{
	if (r == -EREMOTEIO && error->status > 0 && writer->driver->positive_is_unknown)
		return 1;
	return nic_written(r, error, ret);
}

void nic_driver_words(const struct driver_info *driver, char *text, size_t size)
{
	(void)snprintf(text, size, "%s%s%s", *driver->name ? driver->name : "the driver",
		       driver->vendor_driver ? " without " : "",
		       driver->vendor_driver ? driver->vendor_driver : "");
}

bool nic_dcb_is_unset(const struct nic_reader *reader, const struct os_dcb *dcb)
{
	if (!reader->driver->zeros_until_set || !(dcb->dcbx & DCB_CAP_DCBX_HOST) || dcb->pfc.pfc_en)
		return false;
	for (unsigned int i = 0; i < PRIORITIES; i++)
		if (dcb->ets.prio_tc[i] || dcb->ets.tc_tx_bw[i] || dcb->ets.tc_tsa[i])
			return false;
	return true;
}

int nic_refuse(struct refusal *ret, int r, const char *format, ...)
{
	va_list args;

	*ret = (struct refusal){ .error = -r };
	va_start(args, format);
	(void)vsnprintf(ret->text, sizeof(ret->text), format, args);
	va_end(args);
	return r;
}

void nic_printable(const char *text, char *ret, size_t size)
{
	size_t i;

	for (i = 0; i + 1 < size && text[i]; i++)
		ret[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
	ret[i] = '\0';
}
