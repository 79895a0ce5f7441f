// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Verdicts: wanted and found value of one knob to one of eight words, an exit status and a reason.
 * Pure.
 */
#include "lib/reconcile/judge.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/model/driver.h"

enum { ECN_BITS = 2, ECN_MASK = 3 };

static void say(struct finding *finding, const char *format, ...) _printf_(2, 3);

static void say(struct finding *finding, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)vsnprintf(finding->reason, sizeof(finding->reason), format, args);
	va_end(args);
}

/* 104 for 106 is drift, and people look for the wrong half of it. */
static bool explain_tos(enum knob knob, const struct value *want, const struct value *have,
			struct finding *finding)
{
	uint32_t is, should;

	if (knob == KNOB_CM_TOS) {
		is = have->data.number;
		should = want->data.number;
	} else if (knob == KNOB_TRAFFIC_CLASS && have->data.optional.set &&
		   want->data.optional.set) {
		is = have->data.optional.number;
		should = want->data.optional.number;
	} else {
		return false;
	}
	if (is >> ECN_BITS != should >> ECN_BITS)
		return false;
	say(finding, "DSCP %u is right, ECN bits %u, want %u", is >> ECN_BITS, is & ECN_MASK,
	    should & ECN_MASK);
	return true;
}

static void judge_unsupported(enum knob knob, const struct value *want, const struct value *have,
			      const struct nic *nic, struct finding *finding)
{
	finding->verdict = VERDICT_UNSUPPORTED;
	if (knob == KNOB_TRAFFIC_CLASS && want->required)
		finding->instead = "roce.apply_to asks for verbs: take that out, or use MLNX_OFED";
	if (!finding->instead)
		finding->instead = driver_instead(driver_find(nic->driver), knob);
	if (want->required || have->blocks)
		finding->exit = STATUS_FAILED;
	if (*finding->reason)
		return;
	if (*have->note)
		say(finding, "%s", have->note);
	else
		say(finding, "unsupported by %s", *nic->driver ? nic->driver : "this driver");
}

/* Why a difference stays as it is, whoever asks; false if it can be written. */
static bool explain_unwritable(enum knob knob, const struct value *want, const struct nic *nic,
			       struct finding *finding)
{
	const struct driver_info *driver = driver_find(nic->driver);

	if (knob == KNOB_MTU && nic->mtu_max && want->data.number > nic->mtu_max) {
		say(finding, "%s takes %u at most", *nic->driver ? nic->driver : "the driver",
		    nic->mtu_max);
		finding->instead = "a smaller mtu in the fabric file";
		return true;
	}
	if (!object_table[knob_table[knob].object].dcb)
		return false;
	if (!driver->writes_dcb) {
		say(finding, "how %s takes DCB settings is not known here: read, not written",
		    *nic->driver ? nic->driver : "this device");
		finding->instead = "set it with the vendor's own tool; status goes on comparing it";
		return true;
	}
	if (driver->no_dcb_in_bond && nic->master_ifindex) {
		say(finding, "%s refuses DCB writes while the port is in %s", nic->driver,
		    *nic->master ? nic->master : "a bond");
		finding->instead = "set it before the port joins the bond";
		return true;
	}
	return false;
}

static void judge_known(enum knob knob, const struct value *want, const struct value *have,
			const struct nic *nic, struct finding *finding)
{
	finding->verdict = VERDICT_IN_SYNC;
	say(finding, "%s", have->note);
	if (value_equal(&knob_table[knob], want, have) || (want->if_unset && !have->unset))
		return;
	if (explain_unwritable(knob, want, nic, finding)) {
		judge_unsupported(knob, want, have, nic, finding);
		return;
	}
	finding->verdict = VERDICT_DRIFT;
	finding->exit = STATUS_DRIFT;
	(void)explain_tos(knob, want, have, finding);
}

static void judge_unreadable(const struct value *have, struct finding *finding)
{
	finding->verdict = VERDICT_UNKNOWN;
	if (*have->note)
		say(finding, "%s", have->note);
	else
		say(finding, "cannot be read: %s", strerrordesc_np(have->error) ?: "unknown error");
}

void knob_judge(enum knob knob, const struct value *want, const struct value *have,
		const struct nic *nic, struct finding *finding)
{
	finding->exit = STATUS_OK;
	if (want->status == VALUE_NOT_APPLICABLE) {
		finding->verdict = VERDICT_NOT_APPLICABLE;
		say(finding, "%s", want->note);
		return;
	}
	switch (have->status) {
	case VALUE_KNOWN:
		judge_known(knob, want, have, nic, finding);
		return;
	case VALUE_UNSUPPORTED:
		judge_unsupported(knob, want, have, nic, finding);
		return;
	case VALUE_NOT_APPLICABLE:
		finding->verdict = VERDICT_NOT_APPLICABLE;
		say(finding, "%s", have->note);
		break;
	case VALUE_NEEDS_ROOT:
		finding->verdict = VERDICT_UNKNOWN;
		say(finding, "needs root or losslessd");
		return;
	case VALUE_UNREADABLE:
		judge_unreadable(have, finding);
		break;
	case VALUE_UNMANAGED:
	case VALUE_STATUS_MAX:
		finding->verdict = VERDICT_UNKNOWN;
		say(finding, "was not read");
		break;
	}
	finding->exit = verdict_exit(finding->verdict);
}
