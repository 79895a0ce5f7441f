// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Verdicts and plans from tables: wanted text, found text, what comes of it. Pure, like what it
 * tests.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/reconcile/judge.h"
#include "lib/reconcile/plan.h"
#include "tests/support/cases.h"

static struct value known(enum knob knob, const char *text)
{
	struct value value = {};

	if (value_parse(&knob_table[knob], text, &value) < 0)
		fail_msg("%s: bad value '%s' in the table", knob_table[knob].name, text);
	return value;
}

/* ---- verdicts ---- */

static const struct {
	const char *name;
	enum knob knob;
	const char *want;
	bool required;
	enum value_status have_status;
	int error;
	const char *have;
	const char *note;
	enum verdict verdict;
	enum exit_status exit;
	const char *reason;
} verdicts[] = {
	{ "equal", KNOB_PFC, "3", true, VALUE_KNOWN, 0, "3", "", VERDICT_IN_SYNC, STATUS_OK, "" },
	{ "differs", KNOB_PFC, "3", true, VALUE_KNOWN, 0, "none", "", VERDICT_DRIFT, STATUS_DRIFT,
	  "" },
	{ "wrong ECN bits", KNOB_CM_TOS, "106", false, VALUE_KNOWN, 0, "104", "", VERDICT_DRIFT,
	  STATUS_DRIFT, "DSCP 26 is right, ECN bits 0, want 2" },
	{ "wrong ECN bits, OFED", KNOB_TRAFFIC_CLASS, "106", false, VALUE_KNOWN, 0, "105", "",
	  VERDICT_DRIFT, STATUS_DRIFT, "DSCP 26 is right, ECN bits 1, want 2" },
	{ "wrong DSCP", KNOB_CM_TOS, "106", false, VALUE_KNOWN, 0, "10", "", VERDICT_DRIFT,
	  STATUS_DRIFT, "" },
	{ "unset", KNOB_TRAFFIC_CLASS, "106", false, VALUE_KNOWN, 0, "unset", "", VERDICT_DRIFT,
	  STATUS_DRIFT, "" },
	{ "note of what was found", KNOB_DCBX, "host", false, VALUE_KNOWN, 0, "lld",
	  "firmware agent", VERDICT_DRIFT, STATUS_DRIFT, "firmware agent" },
	{ "unsupported is a note", KNOB_TRAFFIC_CLASS, "106", false, VALUE_UNSUPPORTED, 0, NULL, "",
	  VERDICT_UNSUPPORTED, STATUS_OK, "unsupported by mlx5_core" },
	{ "unsupported and required", KNOB_PFC, "3", true, VALUE_UNSUPPORTED, 0, NULL, "",
	  VERDICT_UNSUPPORTED, STATUS_FAILED, "unsupported by mlx5_core" },
	{ "unreadable", KNOB_PFC, "3", true, VALUE_UNREADABLE, EIO, NULL, "", VERDICT_UNKNOWN,
	  STATUS_FAILED, "cannot be read: Input/output error" },
	{ "needs root", KNOB_CM_TOS, "106", false, VALUE_NEEDS_ROOT, 0, NULL, "", VERDICT_UNKNOWN,
	  STATUS_OK, "needs root or losslessd" },
	{ "not looked at", KNOB_PFC, "3", true, VALUE_UNMANAGED, 0, NULL, "", VERDICT_UNKNOWN,
	  STATUS_FAILED, "was not read" },
	{ "does not apply", KNOB_PFC, "3", true, VALUE_NOT_APPLICABLE, 0, NULL, "inherited",
	  VERDICT_NOT_APPLICABLE, STATUS_OK, "inherited" },
};

static void test_verdicts(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(verdicts); i++) {
		struct value want = known(verdicts[i].knob, verdicts[i].want);
		struct value have = { .error = verdicts[i].error };
		struct finding finding = { .knob = verdicts[i].knob };
		struct nic nic = { .driver = "mlx5_core" };

		if (verdicts[i].have)
			have = known(verdicts[i].knob, verdicts[i].have);
		have.status = verdicts[i].have_status;
		value_note(&have, "%s", verdicts[i].note);
		want.required = verdicts[i].required;
		knob_judge(verdicts[i].knob, &want, &have, &nic, &finding);
		case_equal(verdicts[i].name, finding.verdict, verdicts[i].verdict);
		case_equal(verdicts[i].name, finding.exit, verdicts[i].exit);
		case_string(verdicts[i].name, finding.reason, verdicts[i].reason);
	}
}

/* ---- plans ---- */

enum { PAIRS_MAX = 8 };

static const struct {
	const char *name;
	const char *driver;
	enum plan_direction direction;
	struct {
		enum knob knob;
		const char *want;
		const char *have;	/* NULL: unsupported */
	} knobs[PAIRS_MAX];
	uint64_t named;			/* DSCPs of the wanted map, 0: all */
	/* object op, the DSCP or priority if it is for one, '!' if the link may drop */
	const char *steps;
} plans[] = {
	{ "in order",
	  "mlx5_core",
	  PLAN_FORWARD,
	  { { KNOB_PFC, "3", "none" },
	    { KNOB_DCBX, "host", "fw" },
	    { KNOB_PAUSE, "off", "rx tx" },
	    { KNOB_DSCP_TO_PRIORITY, "26:3", "none" },
	    { KNOB_TRUST, "dscp", "pcp" },
	    { KNOB_MTU, "4200", "1500" } },
	  UINT64_C(1) << 26,
	  "dcbx set, pause set, app add, pfc set!, mtu set" },
	{ "nothing to do",
	  "mlx5_core",
	  PLAN_FORWARD,
	  { { KNOB_PFC, "3", "3" }, { KNOB_DCBX, "host", "host" } },
	  0,
	  "" },
	{ "same mask drops no link",
	  "mlx5_core",
	  PLAN_FORWARD,
	  { { KNOB_PFC, "3", "3" }, { KNOB_CABLE_LENGTH, "30m", "7m" } },
	  0,
	  "pfc set" },
	{ "unknown driver: assume it drops",
	  "else",
	  PLAN_FORWARD,
	  { { KNOB_MTU, "4200", "1500" } },
	  0,
	  "mtu set!" },
	{ "driver replaces",
	  "mlx5_core",
	  PLAN_FORWARD,
	  { { KNOB_DSCP_TO_PRIORITY, "26:3", "26:0" } },
	  UINT64_C(1) << 26,
	  "app add" },
	{ "driver does not replace: delete first",
	  "bnxt_en",
	  PLAN_FORWARD,
	  { { KNOB_DSCP_TO_PRIORITY, "26:3", "26:0" } },
	  UINT64_C(1) << 26,
	  "app delete, app add" },
	{ "right entry beside a wrong one",
	  "mlx5_core",
	  PLAN_FORWARD,
	  { { KNOB_DSCP_TO_PRIORITY, "26:3", "26:0,3" } },
	  UINT64_C(1) << 26,
	  "app delete" },
	{ "others stay",
	  "mlx5_core",
	  PLAN_FORWARD,
	  { { KNOB_DSCP_TO_PRIORITY, "26:3", "26:3 48:6" } },
	  UINT64_C(1) << 26,
	  "" },
	{ "exclusive: others go",
	  "mlx5_core",
	  PLAN_FORWARD,
	  { { KNOB_DSCP_TO_PRIORITY, "26:3", "26:3 48:6" } },
	  0,
	  "app delete" },
	{ "trust alone",
	  "mlx5_core",
	  PLAN_FORWARD,
	  { { KNOB_TRUST, "dscp", "pcp" } },
	  0,
	  "app add" },
	{ "PFC that shrinks goes first",
	  "mlx5_core",
	  PLAN_FORWARD,
	  { { KNOB_DCBX, "host", "fw" },
	    { KNOB_PFC, "none", "3" },
	    { KNOB_DSCP_TO_PRIORITY, "26:0", "26:3" } },
	  UINT64_C(1) << 26,
	  "dcbx set, pfc set!, app add" },
	{ "PFC that grows goes last",
	  "mlx5_core",
	  PLAN_FORWARD,
	  { { KNOB_PFC, "3,4", "3" }, { KNOB_DSCP_TO_PRIORITY, "26:0", "26:3" } },
	  UINT64_C(1) << 26,
	  "app add, pfc set!" },
	{ "back",
	  "mlx5_core",
	  PLAN_BACK,
	  { { KNOB_DCBX, "fw", "host" },
	    { KNOB_PAUSE, "rx tx", "off" },
	    { KNOB_DSCP_TO_PRIORITY, "none", "26:3" },
	    { KNOB_TRUST, "pcp", "dscp" },
	    { KNOB_PFC, "none", "3" },
	    { KNOB_MTU, "1500", "4200" } },
	  0,
	  "mtu set, pfc set!, app delete, pause set, dcbx set" },
	{ "one that lacks PFC is left alone",
	  "mlx5_core",
	  PLAN_FORWARD,
	  { { KNOB_PFC, "3", NULL }, { KNOB_MTU, "4200", "1500" } },
	  0,
	  "" },
	{ "one that lacks dcbx is not",
	  "mlx5_core",
	  PLAN_FORWARD,
	  { { KNOB_DCBX, "host", NULL }, { KNOB_MTU, "4200", "1500" } },
	  0,
	  "mtu set" },
	{ "what the driver lacks refuses nothing",
	  "mlx5_core",
	  PLAN_FORWARD,
	  { { KNOB_ECN_RP, "3", NULL }, { KNOB_MTU, "4200", "1500" } },
	  0,
	  "mtu set" },
	/* nic.md 1.4: ETS before PFC; both map the queues anew */
	{ "bnxt in order",
	  "bnxt_en",
	  PLAN_FORWARD,
	  { { KNOB_PFC, "3", "none" },
	    { KNOB_PAUSE, "off", "rx tx" },
	    { KNOB_DSCP_TO_PRIORITY, "26:3 48:6", "none" },
	    { KNOB_TRUST, "dscp", "pcp" },
	    { KNOB_SCHEDULER,
	      "0:0/50% 1:0/50% 2:0/50% 3:1/50% 4:0/50% 5:0/50% 6:2/strict 7:0/50%",
	      "0:0/strict 1:0/strict 2:0/strict 3:0/strict 4:0/strict 5:0/strict 6:0/strict "
	      "7:0/strict" } },
	  UINT64_C(1) << 26 | UINT64_C(1) << 48,
	  "pause set, ets set!, app add, pfc set!" },
	/* nic.md 1.5: the agent off first, ETS before the map, one APP a message */
	{ "ice in order",
	  "ice",
	  PLAN_FORWARD,
	  { { KNOB_PFC, "3", "none" },
	    { KNOB_FW_LLDP_AGENT, "off", "on" },
	    { KNOB_DCBX, "host", "lld" },
	    { KNOB_PAUSE, "off", "rx tx" },
	    { KNOB_DSCP_TO_PRIORITY, "26:3 48:2", "none" },
	    { KNOB_TRUST, "dscp", "pcp" },
	    { KNOB_SCHEDULER, "0:0/50% 1:1/0% 2:2/strict 3:3/50% 4:4/0% 5:5/0% 6:6/0% 7:7/0%",
	      "0:0/100% 1:0/100% 2:0/100% 3:0/100% 4:0/100% 5:0/100% 6:0/100% 7:0/100%" } },
	  UINT64_C(1) << 26 | UINT64_C(1) << 48,
	  "fw_lldp_agent set, pause set, ets set!, app add 26!, app add 48!, pfc set!" },
	{ "ice back: the agent last, and DCBX with it",
	  "ice",
	  PLAN_BACK,
	  { { KNOB_PFC, "none", "3" },
	    { KNOB_FW_LLDP_AGENT, "on", "off" },
	    { KNOB_DCBX, "lld", "host" },
	    { KNOB_DSCP_TO_PRIORITY, "none", "26:3 48:2" },
	    { KNOB_TRUST, "pcp", "dscp" } },
	  0,
	  "pfc set!, app delete 26!, app delete 48!, fw_lldp_agent set" },
	{ "ice, agent off already",
	  "ice",
	  PLAN_FORWARD,
	  { { KNOB_FW_LLDP_AGENT, "off", "off" }, { KNOB_DCBX, "host", "fw" } },
	  0,
	  "dcbx set" },
	/* nic.md 1.5: a mapped DSCP cannot be mapped anew */
	{ "ice maps anew",
	  "ice",
	  PLAN_FORWARD,
	  { { KNOB_DSCP_TO_PRIORITY, "10:1 26:3", "10:0 26:0" }, { KNOB_TRUST, "dscp", "dscp" } },
	  UINT64_C(1) << 26 | UINT64_C(1) << 10,
	  "app delete 10!, app add 10!, app delete 26!, app add 26!" },
	{ "DCB of an unknown driver is not written, and what needs it refuses",
	  "else",
	  PLAN_FORWARD,
	  { { KNOB_PFC, "3", "none" }, { KNOB_MTU, "4200", "1500" } },
	  0,
	  "" },
	{ "DCB of an unknown driver, as wanted",
	  "else",
	  PLAN_FORWARD,
	  { { KNOB_PFC, "3", "3" }, { KNOB_DCBX, "host", "fw" }, { KNOB_MTU, "4200", "1500" } },
	  0,
	  "mtu set!" },
	/* N10: two writes, one a file */
	{ "notification and reaction point",
	  "mlx5_core",
	  PLAN_FORWARD,
	  { { KNOB_ECN_NP, "3", "none" }, { KNOB_ECN_RP, "3", "none" } },
	  0,
	  "ecn_np set 3, ecn_rp set 3" },
	{ "notification point is one switch: none goes off while one is wanted",
	  "mlx5_core",
	  PLAN_FORWARD,
	  { { KNOB_ECN_NP, "3", "0,1,2,3,4,5,6,7" }, { KNOB_ECN_RP, "3", "0,3" } },
	  0,
	  "ecn_rp set 0" },
	{ "notification point off",
	  "mlx5_core",
	  PLAN_FORWARD,
	  { { KNOB_ECN_NP, "none", "0,3" } },
	  0,
	  "ecn_np set 0, ecn_np set 3" },
};

static const char *const
	ops[STEP_OP_MAX] = { [STEP_SET] = "set", [STEP_ADD] = "add", [STEP_DELETE] = "delete" };

static void format_steps(const struct plan *plan, char *text, size_t size)
{
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < plan->n_steps && used < size; i++) {
		const struct step *step = &plan->steps[i];

		used += (size_t)snprintf(text + used, size - used, "%s%s %s", i ? ", " : "",
					 object_table[step->object].name, ops[step->op]);
		if (step->parts != UINT64_MAX)
			used += (size_t)snprintf(text + used, size - used, " %d",
						 __builtin_ctzll(step->parts));
		used += (size_t)snprintf(text + used, size - used, "%s",
					 step->may_drop_link ? "!" : "");
	}
}

static void fill(size_t row, struct state *want, struct state *have)
{
	for (size_t k = 0; k < PAIRS_MAX && plans[row].knobs[k].want; k++) {
		enum knob knob = plans[row].knobs[k].knob;

		want->value[knob] = known(knob, plans[row].knobs[k].want);
		want->value[knob].required = knob_table[knob].required;
		if (knob == KNOB_DSCP_TO_PRIORITY && plans[row].named)
			want->value[knob].data.map.named = plans[row].named;
		if (plans[row].knobs[k].have)
			have->value[knob] = known(knob, plans[row].knobs[k].have);
		else
			have->value[knob].status = VALUE_UNSUPPORTED;
	}
}

static void test_plans(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(plans); i++) {
		struct states want = {}, have = {};
		struct nic nic = {};
		struct plan plan;
		char text[512];

		(void)snprintf(nic.driver, sizeof(nic.driver), "%s", plans[i].driver);
		case_true(plans[i].name, states_add(&want, TARGET_PORT, &nic, "a"));
		case_true(plans[i].name, states_add(&have, TARGET_PORT, &nic, "a"));
		fill(i, &want.list[0], &have.list[0]);
		case_equal(plans[i].name, plan_build(&want, &have, plans[i].direction, &plan), 0);
		format_steps(&plan, text, sizeof(text));
		case_string(plans[i].name, text, plans[i].steps);
		plan_done(&plan);
		states_done(&want);
		states_done(&have);
	}
}

/* ---- what a driver lacks ---- */

static const struct {
	const char *name;
	struct nic nic;
	enum knob knob;
	const char *want;
	enum value_status have_status;
	const char *have;
	bool blocks;
	enum verdict verdict;
	enum exit_status exit;
	const char *reason;
	const char *instead;	/* how it begins */
} lacks[] = {
	/* nic.md 1.1: no tclass upstream; 1.2: DevX is reached by neither; 1.9: NCCL_IB_TC */
	{ "traffic class, upstream", { .driver = "mlx5_core" }, KNOB_TRAFFIC_CLASS, "106",
	  VALUE_UNSUPPORTED, NULL, false, VERDICT_UNSUPPORTED, STATUS_OK,
	  "unsupported by mlx5_core", "cm_tos covers RDMA-CM, not NCCL" },
	{ "ECN, upstream", { .driver = "mlx5_core" }, KNOB_ECN_RP, "3", VALUE_UNSUPPORTED, NULL,
	  false, VERDICT_UNSUPPORTED, STATUS_OK, "unsupported by mlx5_core",
	  "mlxconfig ROCE_CC_PRIO_MASK_P1" },
	{ "ECN, bnxt", { .driver = "bnxt_en" }, KNOB_ECN_NP, "3", VALUE_UNSUPPORTED, NULL, false,
	  VERDICT_UNSUPPORTED, STATUS_OK, "unsupported by bnxt_en", "bnxt_re of Linux has it on" },
	{ "ECN, ice", { .driver = "ice" }, KNOB_ECN_NP, "3", VALUE_UNSUPPORTED, NULL, false,
	  VERDICT_UNSUPPORTED, STATUS_OK, "unsupported by ice", "irdma of Linux has no DCQCN" },
	/* nic.md 1.4: SDCBX cannot leave LLD_MANAGED */
	{ "bnxt of its firmware", { .driver = "bnxt_en" }, KNOB_DCBX, "host", VALUE_UNSUPPORTED,
	  NULL, true, VERDICT_UNSUPPORTED, STATUS_FAILED, "unsupported by bnxt_en", "niccli" },
	/* nic.md 1.6 */
	{ "ionic", { .driver = "ionic" }, KNOB_PFC, "3", VALUE_UNSUPPORTED, NULL, false,
	  VERDICT_UNSUPPORTED, STATUS_FAILED, "unsupported by ionic", "AMD's nicctl sets it" },
	{ "unknown, other than wanted", { .driver = "qede" }, KNOB_PFC, "3", VALUE_KNOWN, "none",
	  false, VERDICT_UNSUPPORTED, STATUS_FAILED,
	  "how qede takes DCB settings is not known here: read, not written",
	  "set it with the vendor's own tool" },
	{ "unknown, as wanted", { .driver = "qede" }, KNOB_PFC, "3", VALUE_KNOWN, "3", false,
	  VERDICT_IN_SYNC, STATUS_OK, "", NULL },
	{ "rxe", { .driver = "" }, KNOB_PFC, "3", VALUE_UNSUPPORTED, NULL, false,
	  VERDICT_UNSUPPORTED, STATUS_FAILED, "unsupported by this driver", "a virtual port" },
	/* nic.md 1.5: all IEEE setters refuse in a bond */
	{ "ice in a bond", { .driver = "ice", .master_ifindex = 9, .master = "bond0" }, KNOB_PFC,
	  "3", VALUE_KNOWN, "none", false, VERDICT_UNSUPPORTED, STATUS_FAILED,
	  "ice refuses DCB writes while the port is in bond0", "set it before" },
	{ "MTU above the maximum", { .driver = "mlx5_core", .mtu_max = 9978 }, KNOB_MTU, "9979",
	  VALUE_KNOWN, "1500", false, VERDICT_UNSUPPORTED, STATUS_FAILED,
	  "mlx5_core takes 9978 at most", "a smaller mtu" },
	{ "the largest MTU", { .driver = "mlx5_core", .mtu_max = 9978 }, KNOB_MTU, "9978",
	  VALUE_KNOWN, "1500", false, VERDICT_DRIFT, STATUS_DRIFT, "", NULL },
	{ "mlx5 in a bond", { .driver = "mlx5_core", .master_ifindex = 9, .master = "bond0" },
	  KNOB_PFC, "3", VALUE_KNOWN, "none", false, VERDICT_DRIFT, STATUS_DRIFT, "", NULL },
};

static void test_lacks(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(lacks); i++) {
		enum knob knob = lacks[i].knob;
		struct value want = known(knob, lacks[i].want), have = {};
		struct finding finding = { .knob = knob };
		const char *instead;

		if (lacks[i].have)
			have = known(knob, lacks[i].have);
		have.status = lacks[i].have_status;
		have.blocks = lacks[i].blocks;
		want.required = knob_table[knob].required;
		knob_judge(knob, &want, &have, &lacks[i].nic, &finding);
		case_equal(lacks[i].name, finding.verdict, lacks[i].verdict);
		case_equal(lacks[i].name, finding.exit, lacks[i].exit);
		case_string(lacks[i].name, finding.reason, lacks[i].reason);
		instead = finding.instead ?: "";
		case_true(lacks[i].name, !lacks[i].instead == !*instead);
		case_true(lacks[i].name, !lacks[i].instead ||
						 !strncmp(instead, lacks[i].instead,
							  strlen(lacks[i].instead)));
	}
}

/* roce.apply_to names verbs: what reaches RDMA-CM is no answer */
static void test_verbs_asked(void **state)
{
	static const struct nic nic = { .driver = "mlx5_core" };
	struct finding finding = { .knob = KNOB_TRAFFIC_CLASS };
	struct value want = known(KNOB_TRAFFIC_CLASS, "106");
	struct value have = { .status = VALUE_UNSUPPORTED };

	want.required = true;
	knob_judge(KNOB_TRAFFIC_CLASS, &want, &have, &nic, &finding);
	assert_int_equal(finding.exit, STATUS_FAILED);
	assert_non_null(strstr(finding.instead, "apply_to"));
}

/* A scheduler that is wanted only because PFC needs one is right wherever there is one. */
static void test_least_scheduler(void **state)
{
	static const char wanted[] =
		"0:0/50% 1:0/50% 2:0/50% 3:1/50% 4:0/50% 5:0/50% 6:2/strict 7:0/50%";
	static const char other[] =
		"0:0/10% 1:0/10% 2:0/10% 3:1/90% 4:0/10% 5:0/10% 6:0/10% 7:0/10%";
	static const struct nic nic = { .driver = "bnxt_en" };
	struct value want = known(KNOB_SCHEDULER, wanted), have = known(KNOB_SCHEDULER, other);
	struct finding finding = { .knob = KNOB_SCHEDULER };

	want.if_unset = true;
	knob_judge(KNOB_SCHEDULER, &want, &have, &nic, &finding);
	assert_int_equal(finding.verdict, VERDICT_IN_SYNC);
	have.unset = true;
	knob_judge(KNOB_SCHEDULER, &want, &have, &nic, &finding);
	assert_int_equal(finding.verdict, VERDICT_DRIFT);
}

/* What is said of a target as a whole ends the talk about it, not about the others. */
static void test_whole_targets(void **state)
{
	struct states want = {}, have = {};
	struct plan plan;

	for (size_t i = 0; i < 3; i++) {
		static const char *const names[] = { "missing", "gone", "fine" };

		assert_non_null(states_add(&want, TARGET_PORT, NULL, names[i]));
		assert_non_null(states_add(&have, TARGET_PORT, NULL, names[i]));
		want.list[i].value[KNOB_MTU] = known(KNOB_MTU, "4200");
		have.list[i].value[KNOB_MTU] = known(KNOB_MTU, "1500");
	}
	want.list[0].verdict = VERDICT_PENDING;
	have.list[1].verdict = VERDICT_UNKNOWN;
	assert_int_equal(plan_build(&want, &have, PLAN_FORWARD, &plan), 0);
	assert_int_equal(plan.n_steps, 1);
	assert_int_equal(plan.steps[0].target, 2);
	assert_int_equal(plan_finding(&plan, 0, KNOB_NONE)->exit, STATUS_DRIFT);
	assert_int_equal(plan_finding(&plan, 1, KNOB_NONE)->exit, STATUS_FAILED);
	assert_null(plan_finding(&plan, 0, KNOB_MTU));
	assert_int_equal(plan_exit(&plan), STATUS_FAILED);
	plan_done(&plan);
	states_done(&want);
	states_done(&have);
}

static void test_count(void **state)
{
	static const struct nic nic = { .driver = "bnxt_en" };
	struct states want = {}, have = {};
	struct plan_counts counts;
	struct plan plan;

	for (size_t i = 0; i < 2; i++) {
		assert_non_null(states_add(&want, TARGET_PORT, &nic, i ? "b" : "a"));
		assert_non_null(states_add(&have, TARGET_PORT, &nic, i ? "b" : "a"));
		want.list[i].value[KNOB_PFC] = known(KNOB_PFC, "3");
		have.list[i].value[KNOB_PFC] = known(KNOB_PFC, "none");
		want.list[i].value[KNOB_DSCP_TO_PRIORITY] = known(KNOB_DSCP_TO_PRIORITY, "26:3");
		have.list[i].value[KNOB_DSCP_TO_PRIORITY] = known(KNOB_DSCP_TO_PRIORITY, "26:0");
	}
	assert_int_equal(plan_build(&want, &have, PLAN_FORWARD, &plan), 0);
	counts = plan_count(&plan);
	assert_int_equal(plan.n_steps, 6);
	assert_int_equal(counts.changes, 4);
	assert_int_equal(counts.targets, 2);
	assert_int_equal(counts.may_drop_link, 2);
	plan_done(&plan);
	states_done(&want);
	states_done(&have);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_plans),
		cmocka_unit_test(test_lacks),
		cmocka_unit_test(test_verbs_asked),
		cmocka_unit_test(test_least_scheduler),
		cmocka_unit_test(test_whole_targets),
		cmocka_unit_test(test_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
