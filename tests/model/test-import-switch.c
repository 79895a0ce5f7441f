// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Switches of an import beside the ports of the node: what is said once for both ends, what is said
 * of the switch, and what goes because the plan would change something. Answers are by hand; that
 * they come out of switches is tested in tests/switch/product.sh.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/nic/nic.h"
#include "lib/node/import.h"
#include "lib/spec/switch.h"
#include "tests/support/cases.h"
#include "tests/support/node.h"

static const char partial[] = "version: 1\n"
			      "fabric: pod-a\n"
			      "nodes: {\"gpu-[1-2]\": {}}\n"
			      "switches:\n"
			      "  leaf-1:\n"
			      "    dialect: huawei-cloudengine\n"
			      "    vars: {layer3: no, model: \"CE 6865\"}\n"
			      "    address: 192.0.2.11\n"
			      "    username: lossless\n"
			      "    key: leaf-admin\n"
			      "    host_key: [\"SHA256:abc+/=\"]\n"
			      "    qos: {pfc: [5]}    # what is wanted does not count\n"
			      "    ports: {100GE1/0/1: gpu-1/ens1f0np0}\n"
			      "    answers: [{ask: 'say \"y\" \\ or n', answer: y}]\n"
			      "  leaf-2:\n"
			      "    dialect: sonic\n"
			      "    ports:\n"
			      "      Ethernet0: gpu-1/ens1f1np1\n"
			      "      \"Ethernet[4,8]\": \"gpu-2/ens1f[0-1]\"\n"
			      "      Ethernet12: leaf-1/100GE1/0/9\n";

/* How leaf-1 and leaf-2 are reached, as it has to come out again. */
static const char access_1[] = "  leaf-1:\n"
			       "    dialect: huawei-cloudengine\n"
			       "    vars:\n"
			       "      layer3: no\n"
			       "      model: \"CE 6865\"\n"
			       "    address: 192.0.2.11\n"
			       "    username: lossless\n"
			       "    key: leaf-admin\n"
			       "    host_key:\n"
			       "      - \"SHA256:abc+/=\"\n"
			       "    answers:\n"
			       "      -\n"
			       "        ask: \"say \\\"y\\\" \\\\ or n\"\n"
			       "        answer: y\n"
			       "    ports:\n"
			       "      100GE1/0/1: gpu-1/ens1f0np0\n";

/* A node of node_spec, its import, and a switch that answers. */
struct rig {
	struct node node;
	struct inventory inventory;
	struct states want;
	struct states found;
	struct import *import;
	struct spec *spec;
	struct switch_state state;
	char *text;
	size_t size;
};

static void rig_init(struct rig *rig, size_t ports, size_t index)
{
	_cleanup_(diags_done) struct diags diags = {};
	struct provider provider;

	*rig = (struct rig){};
	node_init(&rig->node, ports, false);
	assert_int_equal(node_apply(&rig->node, node_spec), STATUS_OK);
	assert_int_equal(nic_inventory(rig->node.os, &rig->inventory), 0);
	nic_provider_init(&provider, rig->node.os);
	assert_int_equal(import_want(&rig->inventory, &rig->want), 0);
	assert_int_equal(states_observe(&rig->want, &provider, &rig->found), 0);
	assert_int_equal(import_new(&rig->inventory, &rig->found, "gpu-1", "pod-a", NULL,
				    &rig->import), 0);
	assert_int_equal(spec_load(partial, strlen(partial), &rig->spec, &diags), 0);
	assert_int_equal(import_switch_add(rig->import, rig->spec, index), 0);
	(void)snprintf(rig->state.name, sizeof(rig->state.name), "leaf-%zu", index + 1);
}

static void rig_done(struct rig *rig)
{
	free(rig->text);
	switch_state_clear(&rig->state);
	rig->import = import_free(rig->import);
	rig->spec = spec_free(rig->spec);
	states_done(&rig->found);
	states_done(&rig->want);
	inventory_done(&rig->inventory);
	node_done(&rig->node);
}

static void answer(struct rig *rig, const char *port, enum switch_knob knob, enum verdict verdict,
		   const char *want, const char *have)
{
	struct switch_finding finding = { .knob = knob, .verdict = verdict };

	(void)snprintf(finding.port, sizeof(finding.port), "%s", port);
	(void)snprintf(finding.want, sizeof(finding.want), "%s", want);
	(void)snprintf(finding.have, sizeof(finding.have), "%s", have);
	assert_int_equal(switch_state_add(&rig->state, &finding), 0);
}

/* The file, which is valid for the node and for each of its switches. */
static const char *text_of(struct rig *rig)
{
	_cleanup_(diags_done) struct diags diags = {};
	_cleanup_(spec_freep) struct spec *spec = NULL;
	struct pass pass = {};

	free(TAKE_PTR(rig->text));
	assert_int_equal(import_text(rig->import, &rig->text, &rig->size), 0);
	if (spec_load(rig->text, rig->size, &spec, &diags) < 0)
		fail_msg("refused: %s\n%s", diags.list[0].message, rig->text);
	for (size_t i = 0; i < spec_switch_count(spec); i++) {
		_cleanup_(switch_wish_done) struct switch_wish wish = {};

		assert_int_equal(spec_switch_resolve(spec, spec_switch_name(spec, i), &wish,
						     &diags), 0);
	}
	(void)pass_plan(&pass, rig->node.os, rig->text, rig->size, "gpu-1");
	assert_int_equal(pass.exit, STATUS_OK);
	assert_int_equal(pass.plan.n_steps, 0);
	pass_done(&pass);
	return rig->text;
}

static void has(const struct rig *rig, const char *line)
{
	if (!strstr(rig->text, line))
		fail_msg("%s is not in\n%s", line, strstr(rig->text, "version: 1"));
}

static void has_not(const struct rig *rig, const char *line)
{
	if (strstr(rig->text, line))
		fail_msg("%s is in\n%s", line, rig->text);
}

/* huawei: the map is of the switch, PFC has a yes or no for each port. */
static void answer_all(struct rig *rig, const char *map, const char *enabled, const char *mtu)
{
	answer(rig, "", SWITCH_DSCP_MAP, VERDICT_DRIFT, "", map);
	answer(rig, "", SWITCH_PFC_PRIORITIES, VERDICT_DRIFT, "", "3");
	answer(rig, "100GE1/0/1", SWITCH_PFC_ENABLED, VERDICT_DRIFT, "", enabled);
	answer(rig, "100GE1/0/1", SWITCH_MTU, VERDICT_DRIFT, "", mtu);
	assert_int_equal(import_switch_found(rig->import, &rig->state), 0);
	switch_state_clear(&rig->state);
}

static void test_both_ends_agree(void **state)
{
	struct rig rig;

	rig_init(&rig, 1, 0);
	answer_all(&rig, "10:1 26:3", "on", "9216");
	(void)text_of(&rig);
	/* Said once, at the top; nothing of the switch but how it is reached */
	has(&rig, "\nqos:\n  dscp_to_priority: {26: 3}\n  pfc: [3]\n");
	if (strcmp(strstr(rig.text, "  leaf-1:\n"), access_1) != 0)
		fail_msg("otherwise than by hand:\n%s", rig.text);
	assert_int_equal(import_switch_judge(rig.import, &rig.state), 0);
	rig_done(&rig);
}

static void test_ends_differ(void **state)
{
	struct rig rig;

	rig_init(&rig, 1, 0);
	answer_all(&rig, "26:4", "off", "1822");
	(void)text_of(&rig);
	has(&rig, "    qos:\n      dscp_to_priority: {26: 4}\n      pfc: []\n    mtu: 1800\n");
	has(&rig, "\nmtu: 4200\n");
	rig_done(&rig);
}

/* What goes first is what is said of the switch, then what the node brings along, then it all. */
static void test_what_would_change(void **state)
{
	struct rig rig;

	rig_init(&rig, 1, 0);
	answer_all(&rig, "26:3", "on", "9216");
	(void)text_of(&rig);
	has(&rig, "  pfc: [3]\n");
	answer(&rig, "100GE1/0/1", SWITCH_DCBX, VERDICT_DRIFT, "on", "off");
	assert_int_equal(import_switch_judge(rig.import, &rig.state), 1);
	(void)text_of(&rig);
	has_not(&rig, "  pfc: [3]\n");
	has(&rig, "lldp.dcbx of leaf-1/100GE1/0/1 would");
	has(&rig, "  leaf-1:\n");
	/* Nothing is left that could be the reason */
	assert_int_equal(import_switch_judge(rig.import, &rig.state), 1);
	(void)text_of(&rig);
	has_not(&rig, "switches:");
	rig_done(&rig);
}

/* A dialect that cannot have the map is no reason to leave the node's alone. */
static void test_unsupported(void **state)
{
	struct rig rig;

	rig_init(&rig, 1, 0);
	answer(&rig, "", SWITCH_DSCP_MAP, VERDICT_UNSUPPORTED, "26:3", "");
	assert_int_equal(import_switch_found(rig.import, &rig.state), 0);
	(void)text_of(&rig);
	assert_int_equal(import_switch_judge(rig.import, &rig.state), 0);
	(void)text_of(&rig);
	has(&rig, "\n  dscp_to_priority: {26: 3}\n");
	has(&rig, "switches:\n");
	rig_done(&rig);
}

/* Of ports that differ the one that is not like the others is not taken. */
static void test_other_nodes(void **state)
{
	static const char expected[] = "nodes:\n"
				       "  gpu-1:\n"
				       "    roce:\n"
				       "      traffic_class: 106\n";
	struct rig rig;

	rig_init(&rig, 2, 1);
	answer(&rig, "Ethernet0", SWITCH_PFC, VERDICT_DRIFT, "", "3");
	answer(&rig, "Ethernet4", SWITCH_PFC, VERDICT_DRIFT, "", "3");
	answer(&rig, "Ethernet8", SWITCH_PFC, VERDICT_DRIFT, "", "none");
	assert_int_equal(import_switch_found(rig.import, &rig.state), 0);
	switch_state_clear(&rig.state);
	(void)text_of(&rig);
	/* leaf-1 is not imported, so that no cable can end on it; gpu-2 is not managed */
	has(&rig, expected);
	has(&rig, "  gpu-2: {}\n");
	has(&rig, "    ports:\n"
		  "      Ethernet0: gpu-1/ens1f1np1\n"
		  "      Ethernet4: gpu-2/ens1f0\n"
		  "      Ethernet8: gpu-2/ens1f1\n"
		  "    qos:\n"
		  "      pfc: [3]\n");
	answer(&rig, "Ethernet0", SWITCH_PFC, VERDICT_IN_SYNC, "3", "3");
	answer(&rig, "Ethernet4", SWITCH_PFC, VERDICT_IN_SYNC, "3", "3");
	answer(&rig, "Ethernet8", SWITCH_PFC, VERDICT_DRIFT, "3", "none");
	assert_int_equal(import_switch_judge(rig.import, &rig.state), 1);
	(void)text_of(&rig);
	has_not(&rig, "Ethernet8: gpu-2");
	has_not(&rig, "Ethernet12: leaf-1");
	has(&rig, "leaf-2/Ethernet12: its cable: leaf-1/100GE1/0/9 is not imported with it\n");
	has(&rig, "leaf-2/Ethernet8: its cable: pfc of leaf-2/Ethernet8 would change from");
	assert_int_equal(import_switch_judge(rig.import, &rig.state), 0);
	rig_done(&rig);
}

/* Values that a file cannot say, and those that it can. */
static void test_values(void **state)
{
	static const struct {
		enum switch_knob knob;
		const char *have;
		const char *says;	/* NULL: a note */
	} cases[] = {
		{ SWITCH_ECN, "3: 150KiB to 1500KiB, 100%",
		  "    ecn: {priorities: [3], min: 150KiB, max: 1500KiB, probability: 100%}\n" },
		{ SWITCH_ECN, "3: 1MiB to 2MiB; 4: 1MiB to 2MiB",
		  "    ecn: {priorities: [3], min: 1024KiB, max: 2048KiB}\n" },
		{ SWITCH_ECN, "3: 3000B to 5000B",
		  "    ecn: {priorities: [3], min: 3KB, max: 5KB}\n" },
		{ SWITCH_ECN, "4: 1MiB to 2MiB", NULL },
		{ SWITCH_ECN, "3: 208B to 5000B", NULL },
		{ SWITCH_ECN, "3: 1501B to 5000B", NULL },
		{ SWITCH_ECN, "3: 5000B to 3000B", NULL },
		{ SWITCH_WATCHDOG, "200ms, 400ms, drop",
		  "      pfc_watchdog: {detect: 200ms, restore: 400ms, action: drop}\n" },
		{ SWITCH_WATCHDOG, "200ms", "      pfc_watchdog: {detect: 200ms}\n" },
		{ SWITCH_WATCHDOG, "10ms", NULL },
		{ SWITCH_MTU, "9022", "    mtu: 9000\n" },
		{ SWITCH_MTU, "1500", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct rig rig;

		rig_init(&rig, 2, 1);
		answer(&rig, "Ethernet0", cases[i].knob, VERDICT_DRIFT, "", cases[i].have);
		assert_int_equal(import_switch_found(rig.import, &rig.state), 0);
		(void)text_of(&rig);
		if (cases[i].says)
			has(&rig, cases[i].says);
		else
			has(&rig, "a file cannot say it");
		rig_done(&rig);
	}
}

/* Several curves, where a map of the switch leads to their priorities. */
static void test_curves(void **state)
{
	struct rig rig;

	rig_init(&rig, 2, 1);
	answer(&rig, "", SWITCH_DSCP_MAP, VERDICT_DRIFT, "", "26:3 34:4 40:5");
	answer(&rig, "Ethernet0", SWITCH_ECN, VERDICT_DRIFT, "",
	       "3: 1MiB to 2MiB; 4: 2MiB to 3MiB, 5%; 5: 1MiB to 2MiB; 6: 1MiB to 2MiB");
	assert_int_equal(import_switch_found(rig.import, &rig.state), 0);
	(void)text_of(&rig);
	has(&rig, "    ecn: [{priorities: [3, 5], min: 1024KiB, max: 2048KiB}, {priorities: [4],\n"
		  "        min: 2048KiB, max: 3072KiB, probability: 5%}]\n");
	has(&rig, "leaf-2: ecn (6: 1MiB to 2MiB): no DSCP of dscp_to_priority leads there");
	rig_done(&rig);
}

/* The first question is a valid file that wants something of everything. */
static void test_probe(void **state)
{
	for (size_t index = 0; index < 2; index++) {
		_cleanup_(switch_wish_done) struct switch_wish wish = {};
		_cleanup_(diags_done) struct diags diags = {};
		_cleanup_(spec_freep) struct spec *spec = NULL;
		struct rig rig;

		rig_init(&rig, 2, index);
		assert_int_equal(import_probe(rig.import, &rig.text, &rig.size), 0);
		assert_int_equal(spec_load(rig.text, rig.size, &spec, &diags), 0);
		assert_int_equal(spec_switch_resolve(spec, rig.state.name, &wish, &diags), 0);
		for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++)
			case_equal(switch_knob_table[knob].name, wish.targets[1].want[knob].status,
				   SWITCH_KNOWN);
		assert_string_equal(wish.name, rig.state.name);
		rig_done(&rig);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_both_ends_agree),
		cmocka_unit_test(test_ends_differ),
		cmocka_unit_test(test_what_would_change),
		cmocka_unit_test(test_unsupported),
		cmocka_unit_test(test_other_nodes),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_curves),
		cmocka_unit_test(test_probe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
