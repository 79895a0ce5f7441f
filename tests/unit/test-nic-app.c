// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The APP table (field case N09): adding is not replacing, and the last entry that goes takes trust
 * along.
 */
#include <errno.h>

#include "lib/base/macro.h"
#include "tests/support/nic-node.h"

#define PORT "ens1f0np0"

struct entry {
	uint8_t dscp;
	uint8_t priority;
};

static const struct {
	const char *name;
	struct entry table[4];
	size_t n;
	bool all; /* 64 entries, DSCP d to d >> 3 */
	const char *trust; /* NULL: not managed */
	const char *map; /* NULL: not managed; else just the DSCPs in it are */
	enum step_op op;
	int result;
	const char *after; /* of the DSCPs below 64 that have an entry; NULL: as before */
} apps[] = {
	{ "two entries: the wrong one goes",
	  { { 26, 0 }, { 26, 3 } },
	  2,
	  false,
	  "dscp",
	  "26:3",
	  STEP_ADD,
	  0,
	  NULL },
	{ "full table as wanted: no add", {}, 0, true, "dscp", "26:3", STEP_ADD, 0, NULL },
	{ "full table as wanted: no delete", {}, 0, true, "dscp", "26:3", STEP_DELETE, 0, NULL },
	{ "add drops the old one", { { 26, 0 } }, 1, false, "dscp", "26:3", STEP_ADD, 1, "26:3" },
	{ "delete before add would empty the table",
	  { { 26, 0 } },
	  1,
	  false,
	  "dscp",
	  "26:3",
	  STEP_DELETE,
	  0,
	  NULL },
	{ "unless trust is not managed",
	  { { 26, 0 } },
	  1,
	  false,
	  NULL,
	  "26:3",
	  STEP_DELETE,
	  1,
	  "none" },
	{ "other DSCPs keep theirs",
	  { { 26, 0 }, { 10, 1 } },
	  2,
	  false,
	  "dscp",
	  "26:3",
	  STEP_DELETE,
	  1,
	  "10:1" },
	{ "several are missing",
	  { { 10, 1 } },
	  1,
	  false,
	  "dscp",
	  "26:3 48:6",
	  STEP_ADD,
	  1,
	  "10:1 26:3 48:6" },
	{ "trust alone, empty table: the default of DSCP 0",
	  {},
	  0,
	  false,
	  "dscp",
	  NULL,
	  STEP_ADD,
	  1,
	  "0:0" },
	{ "trust alone, with entries", { { 10, 1 } }, 1, false, "dscp", NULL, STEP_ADD, 0, NULL },
	{ "trust alone deletes nothing",
	  { { 10, 1 } },
	  1,
	  false,
	  "dscp",
	  NULL,
	  STEP_DELETE,
	  0,
	  NULL },
	{ "PCP: all go", { { 10, 1 }, { 26, 3 } }, 2, false, "pcp", NULL, STEP_DELETE, 1, "none" },
	{ "PCP of a full table", {}, 0, true, "pcp", NULL, STEP_DELETE, 1, "none" },
	{ "PCP of an empty table", {}, 0, false, "pcp", NULL, STEP_DELETE, 0, NULL },
};

static void want_app(struct state *want, const char *trust, const char *map)
{
	struct dscp_map *dscps = &want->value[KNOB_DSCP_TO_PRIORITY].data.map;

	if (trust)
		nic_node_want(want, KNOB_TRUST, trust);
	if (!map)
		return;
	nic_node_want(want, KNOB_DSCP_TO_PRIORITY, map);
	for (unsigned int i = 0; i < DSCPS; i++)
		if (!dscps->priorities[i])
			dscps->named &= ~dscp_bit(i);
}

static void test_app(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(apps); i++) {
		_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);
		struct state want = nic_node_state(node, 0, KNOB_TRUST);
		char before[VALUE_TEXT_MAX];
		struct refusal refusal;
		struct value value;

		for (size_t j = 0; j < apps[i].n; j++)
			case_equal(apps[i].name,
				   os_fake_poke_app(node->os, PORT, apps[i].table[j].dscp,
						    apps[i].table[j].priority),
				   0);
		for (unsigned int j = 0; apps[i].all && j < DSCPS; j++)
			case_equal(apps[i].name,
				   os_fake_poke_app(node->os, PORT, (uint8_t)j, (uint8_t)(j >> 3)),
				   0);
		value = nic_node_value(node, 0, KNOB_DSCP_TO_PRIORITY);
		value_format(&knob_table[KNOB_DSCP_TO_PRIORITY], &value, before, sizeof(before));

		want_app(&want, apps[i].trust, apps[i].map);
		case_equal(apps[i].name,
			   nic_node_write(node, &want, OBJECT_APP, apps[i].op, &refusal),
			   apps[i].result);
		case_equal(apps[i].name, os_fake_writes(node->os, FAKE_ANY_WRITE, NULL),
			   apps[i].result);
		nic_node_assert(apps[i].name, node, KNOB_DSCP_TO_PRIORITY, apps[i].after ?: before);
	}
}

/* N09, third table: the driver says that the entry is not there, which is what was wanted. */
static void test_app_enoent_is_success(void **state)
{
	static const struct fake_fault gone = { FAKE_DCB_SET, PORT "/app", FAKE_STATUS, -ENOENT };
	static const struct fake_fault refused = { FAKE_DCB_SET, PORT "/app", FAKE_STATUS,
						   -EINVAL };
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);
	struct state want = nic_node_state(node, 0, KNOB_TRUST);
	struct refusal refusal;

	assert_int_equal(os_fake_poke_app(node->os, PORT, 10, 1), 0);
	assert_int_equal(os_fake_poke_app(node->os, PORT, 26, 0), 0);
	assert_int_equal(os_fake_poke_app(node->os, PORT, 26, 3), 0);
	want_app(&want, "dscp", "26:3");
	(void)os_fake_fault(node->os, &gone);
	assert_int_equal(nic_node_write(node, &want, OBJECT_APP, STEP_DELETE, &refusal), 1);
	os_fake_fault_clear(node->os);
	(void)os_fake_fault(node->os, &refused);
	assert_int_equal(nic_node_write(node, &want, OBJECT_APP, STEP_DELETE, &refusal),
			 -EREMOTEIO);
	assert_int_equal(refusal.status, -EINVAL);
}

/* The driver stops at the entry that is gone; those behind it go all the same. */
static void test_app_enoent_in_between(void **state)
{
	static const struct fake_fault gone = { FAKE_DCB_SET, PORT "/app", FAKE_STATUS, -ENOENT,
						.times = 1 };
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);
	struct state want = nic_node_state(node, 0, KNOB_TRUST);
	struct refusal refusal;

	assert_int_equal(os_fake_poke_app(node->os, PORT, 10, 1), 0);
	assert_int_equal(os_fake_poke_app(node->os, PORT, 26, 3), 0);
	want_app(&want, "pcp", NULL);
	(void)os_fake_fault(node->os, &gone);
	assert_int_equal(nic_node_write(node, &want, OBJECT_APP, STEP_DELETE, &refusal), 1);
	nic_node_assert("after", node, KNOB_DSCP_TO_PRIORITY, "none");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_app),
		cmocka_unit_test(test_app_enoent_is_success),
		cmocka_unit_test(test_app_enoent_in_between),
	};

	return cmocka_run_group_tests_name("nic-app", tests, NULL, NULL);
}
