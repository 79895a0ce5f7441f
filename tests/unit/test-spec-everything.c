/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A fabric file with every key there is, after the manual's example: it loads, and means what it
 * says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "tests/support/cases.h"
#include "tests/support/spec-case.h"

static const char everything[] = "version: 1\n"
				 "fabric: pod-a\n"
				 "roce:\n"
				 "  mode: v2\n"
				 "  traffic_class: 106\n"
				 "  cnp: {dscp: 48, priority: 6}\n"
				 "  apply_to: [rdma-cm, verbs]\n"
				 "qos:\n"
				 "  trust: dscp\n"
				 "  dscp_to_priority: {26: 3, 48: 6}\n"
				 "  exclusive: false\n"
				 "  pfc: [3]\n"
				 "  cable_length: 5m\n"
				 "  pfc_watchdog: {detect: 200ms, restore: 400ms, action: drop}\n"
				 "  scheduler: {0: 50%, 3: 50%, 6: strict}\n"
				 "  max_rate: {3: 10Gbit/s, 6: unlimited}\n"
				 "  buffers: auto\n"
				 "ecn:\n"
				 "  priorities: [3]\n"
				 "  min: 150KiB\n"
				 "  max: 1500KiB\n"
				 "  probability: 100%\n"
				 "mtu: 4200\n"
				 "nics:\n"
				 "  - driver: [mlx5_core, bnxt_en, ice]\n"
				 "  - name: \"ens9*\"\n"
				 "    roce: {traffic_class: 138}\n"
				 "    qos: {cable_length: 30m}\n"
				 "  - except: {name: \"ens1f1*\"}\n"
				 "nodes:\n"
				 "  \"*\": {}\n"
				 "  gpu-9:\n"
				 "    mtu: 9000\n"
				 "    nics: [{name: ens1f0np0}]\n"
				 "switches:\n"
				 "  leaf-1:\n"
				 "    dialect: huawei-cloudengine\n"
				 "    vars: {model: CE6865, layer3: no}\n"
				 "    manage: push\n"
				 "    address: 192.0.2.11\n"
				 "    username: lossless\n"
				 "    key: leaf-admin\n"
				 "    host_key: [\"SHA256:...\"]\n"
				 "    legacy_algorithms: []\n"
				 "    owner: gpu-1\n"
				 "    ecn: {min: 400KiB, max: 1600KiB}\n"
				 "    ports:\n"
				 "      \"100GE1/0/[1-8]\": \"gpu-[1-8]/ens1f0np0\"\n"
				 "      100GE1/0/49: spine-1/100GE1/0/1\n"
				 "    answers:\n"
				 "      - {ask: \"disruption of control traffic\", answer: y}\n"
				 "policy:\n"
				 "  drift: repair\n"
				 "  disruptive: idle\n"
				 "  audit_interval: 30s\n"
				 "  switch_audit_interval: 10m\n"
				 "  grace: 5m\n";

/* The one thing to say of it: an item's class that the map does not name. */
static void loads(void **data)
{
	const struct spec_case cases[] = {
		{ "everything", everything, 0, "27:27: warning: traffic_class 138 is DSCP 34" },
	};
	struct spec *spec;

	spec_cases_run(cases, ARRAY_SIZE(cases));
	spec = spec_good(everything);
	assert_string_equal(spec_fabric(spec), "pod-a");
	spec_free(spec);
}

static void means(const char *node, const struct nic *nic, enum target_kind kind, enum knob knob,
		  const char *wanted)
{
	struct nic list[] = { *nic };
	const struct inventory inventory = { .list = list, .n = 1 };
	struct spec *spec = spec_good(everything);
	struct desired desired = {};
	struct diags diags = {};
	const struct state *state;
	char text[VALUE_TEXT_MAX];

	assert_int_equal(spec_resolve(spec, &inventory, node, &desired, &diags), 0);
	state = states_find(&desired.states, kind, kind == TARGET_PORT ? nic->name : nic->rdma);
	if (!state) {
		case_true(knob_table[knob].name, !wanted);
	} else {
		value_format(&knob_table[knob], &state->value[knob], text, sizeof(text));
		case_string(knob_table[knob].name, text, wanted);
	}
	desired_done(&desired);
	diags_done(&diags);
	spec_free(spec);
}

static void is_resolved(void **data)
{
	const struct nic first = {
		.ifindex = 3, .name = "ens1f0np0", .rdma = "mlx5_0", .driver = "mlx5_core"
	};
	const struct nic second = {
		.ifindex = 4, .name = "ens1f1np1", .rdma = "mlx5_1", .driver = "mlx5_core"
	};
	const struct nic ninth = {
		.ifindex = 5, .name = "ens9f0", .rdma = "irdma0", .driver = "irdma"
	};

	means("gpu-1", &first, TARGET_PORT, KNOB_MTU, "4200");
	means("gpu-9", &first, TARGET_PORT, KNOB_MTU, "9000");
	means("gpu-1", &first, TARGET_PORT, KNOB_DSCP_TO_PRIORITY, "26:3 48:6");
	means("gpu-1", &first, TARGET_PORT, KNOB_CABLE_LENGTH, "5m");
	means("gpu-1", &first, TARGET_PORT, KNOB_PFC_WATCHDOG, "200ms");
	means("gpu-1", &first, TARGET_PORT, KNOB_ECN_NP, "3");
	means("gpu-1", &first, TARGET_PORT, KNOB_ECN_RP, "3");
	means("gpu-1", &first, TARGET_RDMA, KNOB_CM_TOS, "106");
	means("gpu-1", &second, TARGET_PORT, KNOB_MTU, NULL);
	means("gpu-1", &ninth, TARGET_PORT, KNOB_CABLE_LENGTH, "30m");
	means("gpu-1", &ninth, TARGET_RDMA, KNOB_TRAFFIC_CLASS, "138");
	means("gpu-9", &ninth, TARGET_PORT, KNOB_MTU, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads),
		cmocka_unit_test(is_resolved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
