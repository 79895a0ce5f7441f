/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The ends of a cable against each other: a NIC and a switch port as both were read. */
#include <stdio.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/node/node.h"
#include "lib/report/cables.h"
#include "tests/support/cases.h"

static const struct nic nic = {
	.ifindex = 4, .rdma_port = 1, .up = true, .carrier = true, .name = "ens1f0np0",
	.rdma = "mlx5_0", .driver = "mlx5_core",
};

/* Of the NIC: what is wanted and what it has; NULL: not wanted, not read. */
struct side {
	const char *want;
	const char *have;
};

/* Of the switch: @port "1" is the one of the cable, "" the switch as a whole. */
struct told {
	const char *port;
	enum switch_knob knob;
	const char *have;
};

enum { TOLD_MAX = 3 };

static const struct {
	const char *name;
	enum knob knob;
	struct side nic;
	struct told told[TOLD_MAX];
	const char *words; /* NULL: they do not contradict each other */
} cases[] = {
	{ "equal", KNOB_PFC, { "3", "3" }, { { "1", SWITCH_PFC, "3" } }, NULL },
	{ "switch has none", KNOB_PFC, { "3", "3" }, { { "1", SWITCH_PFC, "none" } },
	  "NIC has 3, switch has none" },
	{ "NIC has none", KNOB_PFC, { "3", "none" }, { { "1", SWITCH_PFC, "3" } },
	  "NIC has none, switch has 3" },
	{ "both differ from the file", KNOB_PFC, { "3", "4" }, { { "1", SWITCH_PFC, "5" } },
	  "NIC has 4, switch has 5" },
	{ "both differ from the file and not from each other", KNOB_PFC, { "3", "4" },
	  { { "1", SWITCH_PFC, "4" } }, NULL },
	{ "one more", KNOB_PFC, { "3", "3" }, { { "1", SWITCH_PFC, "3,4" } },
	  "NIC has 3, switch has 3,4" },
	{ "the switch was not read", KNOB_PFC, { "3", "3" }, { { "1", SWITCH_PFC, "" } }, NULL },
	{ "nor asked", KNOB_PFC, { "3", "3" }, {}, NULL },
	{ "PFC of the NIC is nobody's business", KNOB_PFC, { NULL, "none" },
	  { { "1", SWITCH_PFC, "3" } }, NULL },
	{ "of another port", KNOB_PFC, { "3", "3" }, { { "2", SWITCH_PFC, "none" } }, NULL },
	{ "the NIC was not read", KNOB_PFC, { "3", NULL }, { { "1", SWITCH_PFC, "none" } }, NULL },
	{ "what the switch says is not understood", KNOB_PFC, { "3", "3" },
	  { { "1", SWITCH_PFC, "many" } }, NULL },
	{ "priorities of the switch, on at the port", KNOB_PFC, { "3", "3" },
	  { { "", SWITCH_PFC_PRIORITIES, "3" }, { "1", SWITCH_PFC_ENABLED, "on" } }, NULL },
	{ "priorities of the switch, off at the port", KNOB_PFC, { "3", "3" },
	  { { "", SWITCH_PFC_PRIORITIES, "3" }, { "1", SWITCH_PFC_ENABLED, "off" } },
	  "NIC has 3, switch has none" },
	{ "other priorities of the switch", KNOB_PFC, { "3", "3" },
	  { { "", SWITCH_PFC_PRIORITIES, "4" }, { "1", SWITCH_PFC_ENABLED, "on" } },
	  "NIC has 3, switch has 4" },

	{ "map equal", KNOB_DSCP_TO_PRIORITY, { "26:3", "26:3" },
	  { { "1", SWITCH_DSCP_MAP, "26:3" } }, NULL },
	{ "map of the switch", KNOB_DSCP_TO_PRIORITY, { "26:3", "26:3" },
	  { { "", SWITCH_DSCP_MAP, "26:4" } }, "NIC has 26:3, switch has 26:4" },
	{ "map not used by the port", KNOB_DSCP_TO_PRIORITY, { "26:3", "26:3" },
	  { { "", SWITCH_DSCP_MAP, "26:3" }, { "1", SWITCH_DSCP_MAP_PORT, "off" } },
	  "NIC has 26:3, switch has none" },
	{ "other DSCPs do not count", KNOB_DSCP_TO_PRIORITY, { "26:3", "26:3 34:5" },
	  { { "1", SWITCH_DSCP_MAP, "8:1 26:3 34:4" } }, NULL },
	{ "only what differs is named", KNOB_DSCP_TO_PRIORITY, { "26:3 48:6", "26:3 48:6" },
	  { { "1", SWITCH_DSCP_MAP, "26:3 48:7" } }, "NIC has 48:6, switch has 48:7" },
	{ "no entry on the NIC", KNOB_DSCP_TO_PRIORITY, { "26:3", "none" },
	  { { "1", SWITCH_DSCP_MAP, "26:3" } }, "NIC has none, switch has 26:3" },
	{ "two entries on the NIC", KNOB_DSCP_TO_PRIORITY, { "26:3", "26:3,5" },
	  { { "1", SWITCH_DSCP_MAP, "26:3" } }, "NIC has 26:3,5, switch has 26:3" },
	{ "a map has all DSCPs by itself", KNOB_DSCP_TO_PRIORITY, { "26:3", "26:3" },
	  { { "1", SWITCH_DSCP_MAP, "0-7:0 8-15:1 16-23:2 24-31:3 32-63:4" } }, NULL },
	{ "and one of them is otherwise", KNOB_DSCP_TO_PRIORITY, { "26:4", "26:4" },
	  { { "1", SWITCH_DSCP_MAP, "0-7:0 8-15:1 16-23:2 24-31:3 32-63:4" } },
	  "NIC has 26:4, switch has 26:3" },
	{ "priority 0 is one", KNOB_DSCP_TO_PRIORITY, { "26:0", "26:0" },
	  { { "1", SWITCH_DSCP_MAP, "26:3" } }, "NIC has 26:0, switch has 26:3" },
	{ "map not wanted", KNOB_DSCP_TO_PRIORITY, { NULL, "26:3" },
	  { { "1", SWITCH_DSCP_MAP, "26:4" } }, NULL },

	{ "MTU as needed", KNOB_MTU, { "4200", "4200" }, { { "1", SWITCH_MTU, "4222" } }, NULL },
	{ "more is no contradiction", KNOB_MTU, { "4200", "4200" }, { { "1", SWITCH_MTU, "9216" } },
	  NULL },
	{ "one byte less", KNOB_MTU, { "4200", "4200" }, { { "1", SWITCH_MTU, "4221" } },
	  "NIC has 4200, 4222 with headers, switch has 4221" },
	{ "MTU of the switch", KNOB_MTU, { "4200", "9000" }, { { "", SWITCH_MTU, "4222" } },
	  "NIC has 9000, 9022 with headers, switch has 4222" },
	{ "MTU of the NIC is nobody's business", KNOB_MTU, { NULL, "9000" },
	  { { "1", SWITCH_MTU, "4222" } }, NULL },
};

static void set(struct states *states, enum knob knob, const char *text)
{
	struct state *state = states_add(states, TARGET_PORT, &nic, nic.name);

	assert_non_null(state);
	if (text)
		assert_int_equal(value_parse(&knob_table[knob], text, &state->value[knob]), 0);
}

/* A file names just those that it gives a priority. */
static void name_given(struct states *states)
{
	struct value *value = &states->list[0].value[KNOB_DSCP_TO_PRIORITY];

	value->data.map.named = 0;
	for (unsigned int dscp = 0; dscp < DSCPS; dscp++)
		if (value->data.map.priorities[dscp])
			value->data.map.named |= dscp_bit(dscp);
}

/* exclusive: no DSCP but these, on the NIC; a switch has what its map has by itself. */
static void name_all(struct states *states)
{
	states->list[0].value[KNOB_DSCP_TO_PRIORITY].data.map.named = UINT64_MAX;
}

struct got {
	size_t n;
	char name[512];
	char words[1024];
};

static void get(const struct cable_finding *finding, void *data)
{
	struct got *got = data;

	got->n++;
	cable_name(finding, got->name, sizeof(got->name));
	cable_words(finding, got->words, sizeof(got->words));
}

/* One cable, from the NIC's port to port 1 of leaf-1. */
static void open_switch(struct switch_states *states, const struct told told[TOLD_MAX])
{
	static const struct switch_cable cables[] = {
		{ "1", "ens1f0np0" },
		{ "3", "ens9" }, /* a device that is not there */
	};
	struct switch_state *state = switch_states_add(states, "leaf-1");

	assert_non_null(state);
	for (size_t i = 0; i < ARRAY_SIZE(cables); i++)
		assert_int_equal(switch_state_add_cable(state, &cables[i]), 0);
	for (size_t i = 0; i < TOLD_MAX && told[i].port; i++) {
		struct switch_finding finding = { .knob = told[i].knob };

		strcpy(finding.port, told[i].port);
		strcpy(finding.have, told[i].have);
		assert_int_equal(switch_state_add(state, &finding), 0);
	}
}

static void test_cases(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(switch_states_done) struct switch_states switches = {};
		struct states want = {}, have = {};
		struct plan plan = { .want = &want, .have = &have };
		struct report report = { .plan = &plan, .switches = &switches, .file = "" };
		struct got got = {};

		set(&want, cases[i].knob, cases[i].nic.want);
		set(&have, cases[i].knob, cases[i].nic.have);
		if (cases[i].knob == KNOB_DSCP_TO_PRIORITY)
			name_given(&want);
		open_switch(&switches, cases[i].told);
		cables_judge(&report, get, &got);
		case_equal(cases[i].name, got.n, cases[i].words != NULL);
		case_string(cases[i].name, got.words, cases[i].words ?: "");
		case_string(cases[i].name, got.name,
			    cases[i].words ? "ens1f0np0 – leaf-1/1" : "");
		case_equal(cases[i].name, cables_exit(&report),
			   cases[i].words ? STATUS_DRIFT : STATUS_OK);
		states_done(&want);
		states_done(&have);
	}
}

/* The DSCPs that exclusive takes away from a NIC are not the switch's to be without. */
static void test_exclusive(void **state)
{
	static const struct {
		const char *name;
		const char *other;
		size_t n;
	} maps[] = {
		{ "by itself", "0-7:0 8-15:1 16-23:2 24-31:3 32-47:4 48-63:6", 0 },
		{ "26 is otherwise", "0-7:0 8-31:2 32-47:4 48-63:6", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(maps); i++) {
		const struct told told[TOLD_MAX] = { { "1", SWITCH_DSCP_MAP, maps[i].other } };
		_cleanup_(switch_states_done) struct switch_states switches = {};
		struct states want = {}, have = {};
		struct plan plan = { .want = &want, .have = &have };
		struct report report = { .plan = &plan, .switches = &switches, .file = "" };
		struct got got = {};

		set(&want, KNOB_DSCP_TO_PRIORITY, "26:3");
		name_all(&want);
		set(&have, KNOB_DSCP_TO_PRIORITY, "26:3");
		open_switch(&switches, told);
		cables_judge(&report, get, &got);
		case_equal(maps[i].name, got.n, maps[i].n);
		case_string(maps[i].name, got.words,
			    maps[i].n ? "NIC has 26:3, switch has 26:2" : "");
		states_done(&want);
		states_done(&have);
	}
}

/*
 * A rollback takes each end back to what it had, which no file declares: nothing to contradict.
 * Any other report is of a file.
 */
static void test_kinds(void **state)
{
	static const struct told told[TOLD_MAX] = { { "1", SWITCH_DSCP_MAP, "26:3 48:6" },
						    { "1", SWITCH_MTU, "1500" },
						    { "1", SWITCH_PFC, "3" } };
	static const struct {
		const char *name;
		enum report_kind kind;
		enum exit_status exit;
	} kinds[] = {
		{ "plan", REPORT_PLAN, STATUS_DRIFT },
		{ "apply", REPORT_APPLY, STATUS_DRIFT },
		{ "status", REPORT_STATUS, STATUS_DRIFT },
		{ "rollback", REPORT_ROLLBACK, STATUS_OK },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		/* The record of what was has every DSCP */
		static const struct {
			enum knob knob;
			const char *was;
		} record[] = {
			{ KNOB_DSCP_TO_PRIORITY, "34:5" },
			{ KNOB_MTU, "1500" },
			{ KNOB_PFC, "none" },
		};
		struct states want = {}, have = {};
		struct pass pass = {};
		struct report report;
		struct got got = {};

		set(&want, KNOB_MTU, NULL);
		set(&have, KNOB_MTU, NULL);
		for (size_t k = 0; k < ARRAY_SIZE(record); k++) {
			const struct knob_info *info = &knob_table[record[k].knob];

			assert_int_equal(value_parse(info, record[k].was,
						     &want.list[0].value[record[k].knob]), 0);
			have.list[0].value[record[k].knob] = want.list[0].value[record[k].knob];
		}
		pass.plan = (struct plan){ .want = &want, .have = &have };
		open_switch(&pass.switches, told);
		report = pass_report(&pass, kinds[i].kind, "");
		case_equal(kinds[i].name, report.exit, kinds[i].exit);
		cables_judge(&report, get, &got);
		case_equal(kinds[i].name, got.n,
			   kinds[i].exit == STATUS_OK ? 0 : ARRAY_SIZE(record));
		switch_states_done(&pass.switches);
		states_done(&want);
		states_done(&have);
	}
}

/* A copy has its cables, and what was found is forgotten without them. */
static void test_states(void **state)
{
	static const struct told told[TOLD_MAX] = { { "1", SWITCH_PFC, "3" } };
	_cleanup_(switch_states_done) struct switch_states states = {}, copy = {};

	open_switch(&states, told);
	assert_int_equal(switch_states_copy(&states, &copy), 0);
	switch_state_clear(&states.list[0]);
	assert_int_equal(states.list[0].n, 0);
	assert_int_equal(states.list[0].n_cables, 2);
	assert_int_equal(copy.list[0].n, 1);
	assert_int_equal(copy.list[0].n_cables, 2);
	assert_ptr_not_equal(copy.list[0].cables, states.list[0].cables);
	assert_string_equal(copy.list[0].cables[0].device, "ens1f0np0");
}

/* ---- what people and programs read ---- */

/* The file wants PFC on 3, which the NIC has; the switch says otherwise, and that is in sync. */
static char *write_report(enum report_kind kind, bool json)
{
	static const struct told told[TOLD_MAX] = { { "1", SWITCH_PFC, "none" } };
	static const struct report_style style = { .width = 80 };
	_cleanup_(switch_states_done) struct switch_states switches = {};
	_cleanup_(plan_done) struct plan plan = {};
	struct states want = {}, have = {};
	struct report report = { .kind = kind, .plan = &plan, .switches = &switches,
				 .node = "gpu-1", .fabric = "pod-a", .file = "fabric.yaml",
				 .exit = STATUS_DRIFT };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	set(&want, KNOB_PFC, "3");
	want.list[0].value[KNOB_PFC].where.line = 7;
	set(&have, KNOB_PFC, "3");
	open_switch(&switches, told);
	switches.list[0].mine = true;
	switches.list[0].verdict = VERDICT_IN_SYNC;
	assert_int_equal(plan_build(&want, &have, PLAN_FORWARD, &plan), 0);
	if (json)
		report_write_json(&report, out);
	else
		report_write_text(&report, &style, out);
	assert_int_equal(fclose(out), 0);
	states_done(&want);
	states_done(&have);
	return text;
}

/* What contradicts itself counts for the exit status of the pass, and nothing takes more away. */
static void test_exit(void **state)
{
	static const struct {
		const char *name;
		const char *have;	/* of the switch */
		enum exit_status before;
		enum exit_status after;
	} exits[] = {
		{ "equal", "3", STATUS_OK, STATUS_OK },
		{ "they differ", "none", STATUS_OK, STATUS_DRIFT },
		{ "and there is drift", "none", STATUS_DRIFT, STATUS_DRIFT },
		{ "and something failed", "none", STATUS_FAILED, STATUS_FAILED },
	};

	for (size_t i = 0; i < ARRAY_SIZE(exits); i++) {
		const struct told told[TOLD_MAX] = { { "1", SWITCH_PFC, exits[i].have } };
		struct states want = {}, have = {};
		struct pass pass = { .exit = exits[i].before };

		set(&want, KNOB_PFC, "3");
		set(&have, KNOB_PFC, "3");
		pass.plan = (struct plan){ .want = &want, .have = &have };
		open_switch(&pass.switches, told);
		case_equal(exits[i].name, pass_report(&pass, REPORT_STATUS, "").exit,
			   exits[i].after);
		switch_states_done(&pass.switches);
		states_done(&want);
		states_done(&have);
	}
}

static void test_written(void **state)
{
	_cleanup_free_ char *status = write_report(REPORT_STATUS, false);
	_cleanup_free_ char *plan = write_report(REPORT_PLAN, false);
	_cleanup_free_ char *json = write_report(REPORT_STATUS, true);

	assert_string_equal(status,
			    "1 port and 1 switch in sync\n"
			    "fabric pod-a, node gpu-1, compared with fabric.yaml\n"
			    "\n"
			    "TARGET                KNOB  VERDICT  NOTE\n"
			    "ens1f0np0 – leaf-1/1  pfc   drift    NIC has 3, switch has none\n"
			    "\n"
			    "TARGET     VERDICT  DEVICE\n"
			    "leaf-1     in-sync\n"
			    "ens1f0np0  in-sync  mlx5_core, mlx5_0\n"
			    "\n"
			    "next: losslessctl show cables, for what two ends contradict each "
			    "other in\n");
	assert_string_equal(plan, "nothing to change; 1 port and 1 switch in sync\n"
				  "ens1f0np0 – leaf-1/1: the ends differ in pfc: NIC has 3, "
				  "switch has none\n");
	assert_non_null(strstr(json, "\"nic_has\": \"3\""));
	assert_non_null(strstr(json, "\"switch_has\": \"none\""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_exclusive),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_exit),
		cmocka_unit_test(test_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
