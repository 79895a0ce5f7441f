// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Objects that not every NIC has, and what else drivers show differently: one reading a case, and
 * the exact bytes of the writes.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "tests/support/nic-node.h"

#define ECN "/sys/class/net/ens1/ecn"

static const struct fake_port ofed[] = {
	{ "ens1", "mlx5_0", "0000:17:00.0", "mlx5_core", .ofed = true },
};
static const struct fake_port bnxt[] = { { "ens1", "bnxt_re0", "0000:17:00.0", "bnxt_en" } };
static const struct fake_port ice[] = { { "ens1", "irdma0", "0000:17:00.0", "ice" } };

static const struct {
	const char *name;
	const struct fake_port *port;
	const char *path;	/* NULL: as it comes */
	const char *text;
	enum knob knob;
	enum value_status status;
	const char *shown;
	const char *note;	/* how it begins */
} reads[] = {
	{ "a reaction point off", ofed, ECN "/roce_rp/enable/0", "0", KNOB_ECN_RP, VALUE_KNOWN,
	  "1,2,3,4,5,6,7", "" },
	/* nic.md 1.2: a firmware error reads as an empty text, a bad write as garbage */
	{ "empty", ofed, ECN "/roce_np/enable/3", "", KNOB_ECN_NP, VALUE_UNREADABLE, NULL, "" },
	{ "garbage", ofed, ECN "/roce_np/enable/3", "32767", KNOB_ECN_NP, VALUE_UNREADABLE, NULL,
	  "" },
	{ "CNP of OFED", ofed, ECN "/roce_np/cnp_dscp", "46", KNOB_CNP_DSCP, VALUE_KNOWN, "46",
	  "" },
	{ "watchdog by default", ofed, NULL, NULL, KNOB_PFC_WATCHDOG, VALUE_KNOWN, "8000ms", "" },
	{ "buffers nobody touched", ofed, NULL, NULL, KNOB_BUFFERS, VALUE_KNOWN, "auto", "" },
	{ "no buffers", ice, NULL, NULL, KNOB_BUFFERS, VALUE_UNSUPPORTED, NULL,
	  "the driver shows no buffers" },
	{ "no switch for ECN", bnxt, NULL, NULL, KNOB_ECN_NP, VALUE_UNSUPPORTED, NULL, "" },
	{ "no agent", bnxt, NULL, NULL, KNOB_FW_LLDP_AGENT, VALUE_UNSUPPORTED, NULL,
	  "the driver has no such flag" },
	{ "agent", ice, NULL, NULL, KNOB_FW_LLDP_AGENT, VALUE_KNOWN, "on",
	  "the firmware's LLDP agent owns DCB" },
	/* nic.md 1.0.1: zeros are no proof */
	{ "never told", bnxt, NULL, NULL, KNOB_PFC, VALUE_KNOWN, "none",
	  "bnxt_en reads as none until" },
};

static void test_reads(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(reads); i++) {
		_cleanup_node_ struct nic_node *node = nic_node_new(reads[i].port, 1);
		struct value value;
		char shown[VALUE_TEXT_MAX];

		if (reads[i].path)
			case_equal(reads[i].name,
				   os_fake_poke_file(node->os, reads[i].path, reads[i].text), 0);
		value = nic_node_value(node, 0, reads[i].knob);
		case_equal(reads[i].name, value.status, reads[i].status);
		case_true(reads[i].name,
			  !strncmp(value.note, reads[i].note, strlen(reads[i].note)));
		if (!reads[i].shown)
			continue;
		value_format(&knob_table[reads[i].knob], &value, shown, sizeof(shown));
		case_string(reads[i].name, shown, reads[i].shown);
	}
}

/* bnxt shows zeros until it is told something; then that is what it has. */
static void test_unset(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(bnxt, 1);
	struct state want = nic_node_state(node, 0, KNOB_SCHEDULER);
	struct refusal refusal;

	assert_true(nic_node_value(node, 0, KNOB_SCHEDULER).unset);
	nic_node_want(&want, KNOB_SCHEDULER,
		      "0:0/50% 1:0/50% 2:0/50% 3:1/50% 4:0/50% 5:0/50% 6:0/50% 7:0/50%");
	assert_int_equal(nic_node_write(node, &want, OBJECT_ETS, STEP_SET, &refusal), 1);
	assert_false(nic_node_value(node, 0, KNOB_SCHEDULER).unset);
	assert_string_equal(nic_node_value(node, 0, KNOB_PFC).note, "");
}

/* One file a write, the lowest that differs; 1 over 1 is never written. */
static void test_one_file_a_write(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(ofed, 1);
	struct state want = nic_node_state(node, 0, KNOB_ECN_RP);
	struct refusal refusal;

	nic_node_want(&want, KNOB_ECN_RP, "3");
	want.value[KNOB_ECN_RP].data.switches.named = 1U << 3 | 1U << 5;
	assert_int_equal(nic_node_write(node, &want, OBJECT_ECN_RP, STEP_SET, &refusal), 1);
	assert_int_equal(os_fake_writes(node->os, FAKE_WRITE, ECN), 1);
	nic_node_assert("5 is off", node, KNOB_ECN_RP, "0,1,2,3,4,6,7");
	assert_int_equal(nic_node_write(node, &want, OBJECT_ECN_RP, STEP_SET, &refusal), 0);

	/* The notification point is one switch: nothing goes off while one is wanted */
	nic_node_want(&want, KNOB_ECN_NP, "3");
	assert_int_equal(nic_node_write(node, &want, OBJECT_ECN_NP, STEP_SET, &refusal), 0);
	assert_int_equal(os_fake_writes(node->os, FAKE_WRITE, ECN), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_unset),
		cmocka_unit_test(test_one_file_a_write),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
