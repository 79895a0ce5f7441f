// SPDX-License-Identifier: LGPL-2.1-or-later
/* The RoCE v2 GID is found by what it is, wherever in the table it stands (field case N03). */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "tests/support/nic-node.h"

#define GIDS "/sys/class/infiniband/mlx5_0/ports/1/"

enum { FAKE_SLOTS = 16 };

#define LOCAL	 "fe80:0000:0000:0000:0a00:00ff:fe00:0001"
#define GLOBAL	 "2001:0db8:0000:0000:0000:0000:0000:0007"
#define V4(last) "0000:0000:0000:0000:0000:ffff:c000:02" last

struct slot {
	unsigned int index;
	const char *gid;
	const char *type; /* NULL: reading type and network device gives EINVAL */
	const char *netdev;
};

static const struct {
	const char *name;
	struct slot slot[6];
	enum gid_state gid;
	const char *note;
} tables[] = {
	{ "as in the field",
	  { { 0, LOCAL, "IB/RoCE v1", "ens1f0np0" },
	    { 1, LOCAL, "RoCE v2", "ens1f0np0" },
	    { 3, V4("07"), "RoCE v2", "ens1f0np0.40" },
	    { 8, V4("07"), "RoCE v2", "ens1f0np0" } },
	  GID_V2,
	  "index 8, 192.0.2.7" },
	{ "at the end of the table",
	  { { 15, V4("ff"), "RoCE v2", "ens1f0np0" } },
	  GID_V2,
	  "index 15, 192.0.2.255" },
	{ "global before link-local",
	  { { 1, LOCAL, "RoCE v2", "ens1f0np0" }, { 5, GLOBAL, "RoCE v2", "ens1f0np0" } },
	  GID_V2,
	  "index 5, 2001:db8::7" },
	{ "link-local alone",
	  { { 1, LOCAL, "RoCE v2", "ens1f0np0" } },
	  GID_V2,
	  "index 1, fe80::a00:ff:fe00:1" },
	{ "IPv4 before the rest",
	  { { 1, GLOBAL, "RoCE v2", "ens1f0np0" }, { 2, V4("09"), "RoCE v2", "ens1f0np0" } },
	  GID_V2,
	  "index 2, 192.0.2.9" },
	{ "v1 only",
	  { { 0, LOCAL, "IB/RoCE v1", "ens1f0np0" }, { 2, V4("07"), "IB/RoCE v1", "ens1f0np0" } },
	  GID_V1_ONLY,
	  "RoCE v1 at index 0, 2" },
	{ "v1 only, the routed one first",
	  { { 0, V4("07"), "IB/RoCE v1", "ens1f0np0" },
	    { 2, LOCAL, "IB/RoCE v1", "ens1f0np0" },
	    { 3, GLOBAL, "IB/RoCE v1", "ens1f0np0" } },
	  GID_V1_ONLY,
	  "RoCE v1 at index 0, 2, 3" },
	{ "a routed one of v1 is none",
	  { { 0, V4("07"), "IB/RoCE v1", "ens1f0np0" },
	    { 2, LOCAL, "RoCE v2", "ens1f0np0" },
	    { 4, GLOBAL, "RoCE v2", "ens1f0np0.40" } },
	  GID_V2,
	  "index 2, fe80::a00:ff:fe00:1" },
	{ "of other network devices only",
	  { { 0, V4("07"), "RoCE v2", "ens1f0np0.40" } },
	  GID_NONE,
	  "no GID of ens1f0np0" },
	{ "the name is not a beginning",
	  { { 0, V4("07"), "RoCE v2", "ens1f0np" } },
	  GID_NONE,
	  "no GID of ens1f0np0" },
	{ "a slot that is being filled",
	  { { 0, V4("07"), NULL, NULL } },
	  GID_NONE,
	  "no GID of ens1f0np0" },
	{ "zeros with a type",
	  { { 0, "0000:0000:0000:0000:0000:0000:0000:0000", "RoCE v2", "ens1f0np0" } },
	  GID_NONE,
	  "no GID of ens1f0np0" },
	{ "empty", {}, GID_NONE, "no GID of ens1f0np0" },
};

static void poke_slot(struct nic_node *node, unsigned int index, const char *what, const char *text)
{
	char path[OS_PATH_MAX], line[64];

	(void)snprintf(path, sizeof(path), GIDS "%s/%u", what, index);
	(void)snprintf(line, sizeof(line), "%s\n", text);
	assert_int_equal(os_fake_poke_file(node->os, path, line), 0);
}

static void poke_table(struct nic_node *node, const struct slot *slots, size_t n)
{
	for (unsigned int i = 0; i < FAKE_SLOTS; i++)
		poke_slot(node, i, "gids", "0000:0000:0000:0000:0000:0000:0000:0000");
	for (size_t i = 0; i < n && slots[i].gid; i++) {
		static const struct fake_fault empty = { FAKE_READ, "gid_attrs/", FAKE_ERRNO,
							 EINVAL };

		poke_slot(node, slots[i].index, "gids", slots[i].gid);
		if (slots[i].type) {
			poke_slot(node, slots[i].index, "gid_attrs/types", slots[i].type);
			poke_slot(node, slots[i].index, "gid_attrs/ndevs", slots[i].netdev);
		} else {
			(void)os_fake_fault(node->os, &empty);
		}
	}
}

static void test_gid(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);
		struct value value;

		poke_table(node, tables[i].slot, ARRAY_SIZE(tables[i].slot));
		value = nic_node_value(node, 0, KNOB_GID);
		case_equal(tables[i].name, value.status, VALUE_KNOWN);
		case_equal(tables[i].name, value.data.number, tables[i].gid);
		case_string(tables[i].name, value.note, tables[i].note);
	}
}

/* Whose a slot is that cannot be chosen is not asked. */
static void test_only_candidates(void **state)
{
	static const struct slot slots[] = { { 0, LOCAL, "RoCE v2", "ens1f0np0" },
					     { 1, V4("07"), "RoCE v2", "ens1f0np0" } };
	static const struct fake_fault fault = { FAKE_READ, "gid_attrs/ndevs/0", FAKE_ERRNO, EIO };
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);
	struct value value;

	poke_table(node, slots, ARRAY_SIZE(slots));
	assert_true(os_fake_fault(node->os, &fault) >= 0);
	value = nic_node_value(node, 0, KNOB_GID);
	assert_string_equal(value.note, "index 1, 192.0.2.7");
	assert_int_equal(os_fake_hits(node->os), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gid),
		cmocka_unit_test(test_only_candidates),
	};

	return cmocka_run_group_tests_name("nic-gid", tests, NULL, NULL);
}
