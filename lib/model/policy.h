/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How losslessd behaves on this node; the `policy` map of the fabric file with its defaults. */
#pragma once

#include <stdint.h>

enum policy_drift { POLICY_REPAIR, POLICY_REPORT };
enum policy_disruptive { DISRUPTIVE_IDLE, DISRUPTIVE_APPLY, DISRUPTIVE_CONFIRM, DISRUPTIVE_NEVER };

struct policy {
	enum policy_drift drift;
	enum policy_disruptive disruptive;
	uint32_t audit_interval_ms;
	uint32_t switch_audit_interval_ms;
	uint32_t grace_ms;
};

static const struct policy policy_default = {
	.drift = POLICY_REPAIR,
	.disruptive = DISRUPTIVE_IDLE,
	.audit_interval_ms = 30 * 1000,
	.switch_audit_interval_ms = 10 * 60 * 1000,
	.grace_ms = 5 * 60 * 1000,
};
