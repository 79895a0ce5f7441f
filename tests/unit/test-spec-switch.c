/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a fabric file wants of a switch and of each of its ports, and whose the switch is. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/spec/switch.h"
#include "tests/support/cases.h"

static const char text[] =
	"version: 1\n"
	"fabric: pod-a\n"
	"roce: {traffic_class: 106, cnp: {dscp: 48, priority: 6}}\n"
	"qos:\n"
	"  dscp_to_priority: {26: 3}\n"
	"  pfc: [3]\n"
	"  pfc_watchdog: {detect: 200ms, restore: 400ms, action: drop}\n"
	"ecn: {priorities: [3], min: 150KiB, max: 1500KiB}\n"
	"mtu: 4200\n"
	"nics:\n"
	"  - driver: [mlx5_core]\n"
	"  - name: ens2f0\n"
	"    qos: {pfc: [3, 4]}\n"
	"nodes:\n"
	"  gpu-[1-2]: {}\n"
	"  gpu-3.example: {mtu: 9000}\n"
	"switches:\n"
	"  leaf-1:\n"
	"    dialect: huawei-cloudengine\n"
	"    vars: {model: CE6865, layer3: no}\n"
	"    address: 192.0.2.11\n"
	"    port: 0x16\n"
	"    username: lossless\n"
	"    key: leaf-admin\n"
	"    host_key: [\"SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"]\n"
	"    legacy_algorithms: [ssh-rsa]\n"
	"    ecn: {priorities: [3], min: 400KiB, max: 1600KiB, probability: 10%}\n"
	"    ports:\n"
	"      \"100GE1/0/[1-2]\": \"GPU-[1-2]/ens1f0\"\n"
	"      100GE1/0/3: gpu-3.example/ens2f0\n"
	"      100GE1/0/49: spine-1/Ethernet1/1\n"
	"    answers: [{ask: \"control traffic\", answer: y}]\n"
	"  spine-1:\n"
	"    dialect: arista-eos\n"
	"    manage: read\n"
	"    owner: gpu-2\n"
	"    trust: first-use\n"
	"    qos: {pfc: []}\n";

static const struct {
	const char *name;
	const char *port;	/* "": the switch */
	enum switch_knob knob;
	const char *want;	/* NULL: unmanaged */
} wants[] = {
	{ "leaf-1", "", SWITCH_DSCP_MAP, "26:3 48:6" },
	{ "leaf-1", "", SWITCH_PFC_PRIORITIES, "3" },
	{ "leaf-1", "", SWITCH_ECN, "3: 400KiB to 1600KiB, 10%" },
	{ "leaf-1", "100GE1/0/1", SWITCH_DSCP_MAP, "26:3 48:6" },
	{ "leaf-1", "100GE1/0/1", SWITCH_TRUST, "dscp" },
	{ "leaf-1", "100GE1/0/1", SWITCH_DSCP_MAP_PORT, "on" },
	{ "leaf-1", "100GE1/0/1", SWITCH_FLOW_CONTROL, "off" },
	{ "leaf-1", "100GE1/0/1", SWITCH_PFC, "3" },
	{ "leaf-1", "100GE1/0/1", SWITCH_PFC_ENABLED, "on" },
	{ "leaf-1", "100GE1/0/1", SWITCH_BUFFERS, "3" },
	{ "leaf-1", "100GE1/0/1", SWITCH_ECN_PORT, "3" },
	{ "leaf-1", "100GE1/0/1", SWITCH_SCHEDULER, "6" },
	{ "leaf-1", "100GE1/0/1", SWITCH_WATCHDOG_PORT, "on" },
	{ "leaf-1", "100GE1/0/1", SWITCH_DCBX, "on" },
	{ "leaf-1", "100GE1/0/1", SWITCH_MTU, "4222" },
	/* a nics item by name, and the node's own MTU */
	{ "leaf-1", "100GE1/0/3", SWITCH_PFC, "3,4" },
	{ "leaf-1", "100GE1/0/3", SWITCH_MTU, "9022" },
	/* an uplink: what the top and the switch say */
	{ "leaf-1", "100GE1/0/49", SWITCH_PFC, "3" },
	{ "leaf-1", "100GE1/0/49", SWITCH_MTU, "4222" },
	/* PFC off is wanted, and what goes with it is not */
	{ "spine-1", "", SWITCH_PFC_PRIORITIES, "none" },
	{ "spine-1", "", SWITCH_PFC_ENABLED, "off" },
	{ "spine-1", "", SWITCH_FLOW_CONTROL, NULL },
	{ "spine-1", "", SWITCH_BUFFERS, NULL },
	{ "spine-1", "", SWITCH_ECN, "3: 150KiB to 1500KiB, 100%" },
};

static const struct switch_value *want_of(const struct switch_wish *wish, const char *port,
					  enum switch_knob knob)
{
	for (size_t i = 0; i < wish->n_targets; i++)
		if (strcmp(wish->targets[i].port, port) == 0)
			return &wish->targets[i].want[knob];
	fail_msg("no port %s", port);
	return NULL;
}

static void freep_wish(struct switch_wish *wish)
{
	switch_wish_done(wish);
}

static struct spec *load(void)
{
	struct diags diags = {};
	struct spec *spec = NULL;

	assert_int_equal(spec_load(text, sizeof(text) - 1, &spec, &diags), 0);
	diags_done(&diags);
	return spec;
}

static void test_wants(void **state)
{
	_cleanup_(spec_freep) struct spec *spec = load();

	for (size_t i = 0; i < ARRAY_SIZE(wants); i++) {
		_cleanup_(freep_wish) struct switch_wish wish = {};
		_cleanup_(diags_done) struct diags diags = {};
		const struct switch_value *value;
		char name[80], words[256];

		(void)snprintf(name, sizeof(name), "%s %s %s", wants[i].name, wants[i].port,
			       switch_knob_table[wants[i].knob].name);
		case_equal(name, spec_switch_resolve(spec, wants[i].name, &wish, &diags), 0);
		value = want_of(&wish, wants[i].port, wants[i].knob);
		case_equal(name, value->status == SWITCH_KNOWN, wants[i].want != NULL);
		if (!wants[i].want)
			continue;
		switch_value_format(wants[i].knob, value, words, sizeof(words));
		case_string(name, words, wants[i].want);
		case_true(name, value->where.line > 0);
	}
}

static void test_access(void **state)
{
	_cleanup_(spec_freep) struct spec *spec = load();
	_cleanup_(freep_wish) struct switch_wish leaf = {}, spine = {}, none = {};
	_cleanup_(diags_done) struct diags diags = {};

	assert_int_equal(spec_switch_resolve(spec, "leaf-1", &leaf, &diags), 0);
	assert_string_equal(leaf.dialect, "huawei-cloudengine");
	assert_int_equal(leaf.dialect_where.line, 19);
	assert_int_equal(leaf.manage, MANAGE_PUSH);
	assert_string_equal(leaf.address, "192.0.2.11");
	assert_int_equal(leaf.port, 22);
	assert_string_equal(leaf.username, "lossless");
	assert_string_equal(leaf.key, "leaf-admin");
	assert_string_equal(leaf.password, "");
	assert_int_equal(leaf.host_keys.n, 1);
	assert_string_equal(leaf.legacy.list[0], "ssh-rsa");
	assert_int_equal(leaf.n_vars, 2);
	assert_string_equal(leaf.vars[1].name, "layer3");
	assert_string_equal(leaf.vars[1].value, "no");
	assert_string_equal(leaf.answers[0].name, "control traffic");
	assert_string_equal(leaf.answers[0].value, "y");
	assert_int_equal(leaf.n_targets, 5);
	assert_string_equal(leaf.targets[2].peer, "GPU-2/ens1f0");

	assert_int_equal(spec_switch_resolve(spec, "spine-1", &spine, &diags), 0);
	assert_int_equal(spine.manage, MANAGE_READ);
	assert_true(spine.first_use);
	assert_int_equal(spine.port, 22);
	assert_int_equal(spine.n_targets, 1);
	assert_int_equal(spec_switch_resolve(spec, "leaf-2", &none, &diags), -ENOENT);
}

static void test_owner(void **state)
{
	static const struct {
		const char *owner;
		const char *node;
		bool is;
	} cases[] = {
		{ "gpu-1", "gpu-1", true },
		{ "gpu-1", "GPU-1", true },
		{ "gpu-1", "gpu-1.example", true },
		{ "gpu-1", "gpu-10", false },
		{ "gpu-1", "gpu-2", false },
		{ "gpu-3.example", "gpu-3.example", true },
		{ "gpu-3.example", "gpu-3", false },
		/* it finds itself by its whole name */
		{ "gpu-3", "gpu-3.example", false },
		{ "", "gpu-1", false },
	};
	_cleanup_(spec_freep) struct spec *spec = load();
	char owner[256];

	assert_int_equal(spec_switch_count(spec), 2);
	spec_switch_owner(spec, 0, owner, sizeof(owner));
	assert_string_equal(owner, "gpu-1");
	spec_switch_owner(spec, 1, owner, sizeof(owner));
	assert_string_equal(owner, "gpu-2");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		case_equal(cases[i].node, spec_node_is(spec, cases[i].owner, cases[i].node),
			   cases[i].is);
}

/* PORT END NODE DEVICE LINE; */
static int print_cable(const struct spec_cable *cable, void *data)
{
	return fprintf(data, "%s %s %s %s %u;", cable->port, cable->end, cable->node,
		       cable->device, cable->where.line) < 0;
}

static void test_cables(void **state)
{
	_cleanup_(spec_freep) struct spec *spec = load();
	char *got = NULL;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	assert_int_equal(spec_switch_cables(spec, 0, print_cable, out), 0);
	assert_int_equal(spec_switch_cables(spec, 1, print_cable, out), 0);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(got, "100GE1/0/1 GPU-1/ens1f0 gpu-1 ens1f0 29;"
				 "100GE1/0/2 GPU-2/ens1f0 gpu-2 ens1f0 29;"
				 "100GE1/0/3 gpu-3.example/ens2f0 gpu-3.example ens2f0 30;"
				 "100GE1/0/49 spine-1/Ethernet1/1   31;");
	free(got);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wants),
		cmocka_unit_test(test_access),
		cmocka_unit_test(test_owner),
		cmocka_unit_test(test_cables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
