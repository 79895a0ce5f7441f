// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The status as people read it: of a node with eight rails, one of which drifted, on a terminal of
 * 80 and of 200 columns and in a file; with the moments that losslessd knows; with names that do
 * not fit. The expected texts are written by hand.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/report/report.h"
#include "lib/report/width.h"
#include "tests/support/cases.h"

enum { RAILS = 8, LONGEST_LINE = 4096 };

/* 2026-11-30 14:03:11 UTC, by date(1) */
#define NOW INT64_C(1796047391)

struct stage {
	struct states want;
	struct states have;
	struct plan plan;
	struct switch_states switches;
	struct report report;
};

static void set(struct states *states, enum target_kind kind, const char *name, enum knob knob,
		const char *text)
{
	struct nic nic = { .ifindex = 4, .carrier = true, .rdma_port = 1, .driver = "mlx5_core" };
	struct state *state = states_find(states, kind, name);

	if (!state)
		state = states_add(states, kind, &nic, name);
	assert_non_null(state);
	assert_int_equal(value_parse(&knob_table[knob], text, &state->value[knob]), 0);
	state->value[knob].where.line = 7;
}

/* Rails with their RDMA devices; @drifted of them (-1: none) has no PFC any more. */
static void stage_open(struct stage *stage, int drifted)
{
	char port[16], rdma[16];

	*stage = (struct stage){};
	for (int i = 0; i < RAILS; i++) {
		(void)snprintf(port, sizeof(port), "rail%d", i);
		(void)snprintf(rdma, sizeof(rdma), "mlx5_%d", i);
		set(&stage->want, TARGET_PORT, port, KNOB_PFC, "3");
		set(&stage->have, TARGET_PORT, port, KNOB_PFC, i == drifted ? "none" : "3");
		set(&stage->want, TARGET_RDMA, rdma, KNOB_CM_TOS, "106");
		set(&stage->have, TARGET_RDMA, rdma, KNOB_CM_TOS, "106");
	}
}

static void stage_plan(struct stage *stage)
{
	assert_int_equal(plan_build(&stage->want, &stage->have, PLAN_FORWARD, &stage->plan), 0);
	stage->report = (struct report){
		.kind = REPORT_STATUS,
		.node = "dgx-1",
		.fabric = "pod-a",
		.file = "fabric.yaml",
		.generation = 3,
		.plan = &stage->plan,
		.switches = stage->switches.n ? &stage->switches : NULL,
		.exit = plan_exit(&stage->plan),
	};
}

static void stage_close(struct stage *stage)
{
	plan_done(&stage->plan);
	states_done(&stage->have);
	states_done(&stage->want);
	switch_states_done(&stage->switches);
}

static char *text_of(const struct stage *stage, unsigned int width)
{
	const struct report_style style = { .width = width };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	report_write_text(&stage->report, &style, out);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void expect(const char *name, const struct stage *stage, unsigned int width,
		   const char *want)
{
	_cleanup_free_ char *text = text_of(stage, width);

	case_string(name, text, want);
}

/* No line is wider than the terminal. */
static void expect_fits(const char *name, const struct stage *stage, unsigned int width)
{
	_cleanup_free_ char *text = text_of(stage, width);

	for (char *line = text, *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		if (text_width(line, (size_t)(end - line)) > width)
			fail_msg("%s: wider than %u: %.*s", name, width, (int)(end - line), line);
	}
}

static const char calm[] =
	"all 8 ports and 8 RDMA devices in sync\n"
	"fabric pod-a, node dgx-1, compared with fabric.yaml; generation 3 in force\n"
	"\n"
	"TARGET      VERDICT  DEVICE\n"
	"rail[0-7]   in-sync  8 ports, mlx5_core\n"
	"mlx5_[0-7]  in-sync  8 RDMA devices, mlx5_core\n";

static const char drifted[] =
	"7 of 8 ports and 8 of 8 RDMA devices in sync\n"
	"fabric pod-a, node dgx-1, compared with fabric.yaml; generation 3 in force\n"
	"\n"
	"TARGET  KNOB  VERDICT  WANT  HAVE  WHERE\n"
	"rail5   pfc   drift    3     none  fabric.yaml:7\n"
	"\n"
	"TARGET         VERDICT  DEVICE\n"
	"rail5          drift    mlx5_core\n"
	"rail[0-4,6-7]  in-sync  7 ports, mlx5_core\n"
	"mlx5_[0-7]     in-sync  8 RDMA devices, mlx5_core\n"
	"\n"
	"next: losslessctl apply --once\n";

/* What fits into 80 columns looks no other in 200. */
static void test_terminal(void **state)
{
	struct stage stage;

	stage_open(&stage, -1);
	stage_plan(&stage);
	expect("all is well, 80 columns", &stage, 80, calm);
	expect("all is well, 200 columns", &stage, 200, calm);
	stage_close(&stage);
	stage_open(&stage, 5);
	stage_plan(&stage);
	expect("drift, 80 columns", &stage, 80, drifted);
	expect("drift, 200 columns", &stage, 200, drifted);
	stage_close(&stage);
}

/* In a file each target has a line that begins with its name. */
static void test_file(void **state)
{
	_cleanup_free_ char *text = NULL;
	struct stage stage;
	char line[64];

	stage_open(&stage, 5);
	stage_plan(&stage);
	text = text_of(&stage, 0);
	for (int i = 0; i < RAILS; i++) {
		(void)snprintf(line, sizeof(line), "\nrail%d   %s ", i,
			       i == 5 ? "drift" : "in-sync");
		case_true(line, strstr(text, line));
		(void)snprintf(line, sizeof(line), "\nmlx5_%d  in-sync ", i);
		case_true(line, strstr(text, line));
	}
	assert_null(strchr(text, '['));
	assert_non_null(strstr(text, "\n\nnext: losslessctl apply --once\n"));
	stage_close(&stage);
}

static const char since_terminal[] =
	"7 of 8 ports and 8 of 8 RDMA devices in sync\n"
	"fabric pod-a, node dgx-1, compared with fabric.yaml\n"
	"generation 3 in force, read 2 s ago (14:03:09)\n"
	"returns in 90 s (14:04:41) unless losslessctl confirm\n"
	"warning: rail5: a pause storm\n"
	"\n"
	"TARGET  KNOB  VERDICT    WANT  HAVE  WHERE          SINCE\n"
	"rail5   pfc   contested  3     none  fabric.yaml:7  2 min ago (14:01:11)\n"
	"    reverted 3 times, not written any more: somebody else keeps writing it\n"
	"\n"
	"TARGET         VERDICT    DEVICE\n"
	"rail5          contested  mlx5_core\n"
	"rail[0-4,6-7]  in-sync    7 ports, mlx5_core\n"
	"mlx5_[0-7]     in-sync    8 RDMA devices, mlx5_core\n"
	"\n"
	"next: losslessctl confirm keeps it, losslessctl rollback returns at once\n"
	"next: stop who else writes it (its note), then losslessctl apply\n";

/* A file has no "ago", which is wrong when it is read, and no age of what was read just now. */
static void test_moments(void **state)
{
	static const char *const in_a_file[] = {
		"generation 3 in force\n",
		"\nreturns at 2026-11-30T14:04:41+0000 unless losslessctl confirm\n",
		" fabric.yaml:7  2026-11-30T14:01:11+0000  reverted 3 times",
	};
	_cleanup_free_ char *text = NULL, *old = NULL;
	struct stage stage;

	stage_open(&stage, 5);
	stage_plan(&stage);
	stage.plan.kept = true;
	stage.report.now_s = NOW;
	stage.report.read_s = NOW - 2;
	stage.report.confirm_s = NOW + 90;
	stage.report.warnings[stage.report.n_warnings++] = "rail5: a pause storm";
	for (size_t i = 0; i < stage.plan.n_findings; i++) {
		struct finding *finding = &stage.plan.findings[i];

		if (finding->verdict != VERDICT_DRIFT)
			continue;
		finding->verdict = VERDICT_CONTESTED;
		finding->since_s = NOW - 120;
		(void)snprintf(finding->reason, sizeof(finding->reason),
			       "reverted 3 times, not written any more: somebody else keeps "
			       "writing it");
	}
	expect("since when", &stage, 80, since_terminal);
	text = text_of(&stage, 0);
	for (size_t i = 0; i < ARRAY_SIZE(in_a_file); i++)
		case_true(in_a_file[i], strstr(text, in_a_file[i]));
	assert_null(strstr(text, "ago"));
	stage.report.read_s = NOW - 60;
	old = text_of(&stage, 0);
	assert_non_null(strstr(old, "fabric.yaml\ngeneration 3 in force, "
				    "read 2026-11-30T14:02:11+0000\n"));
	stage_close(&stage);
}

/* What is to be done, by verdict, without losslessd and with it; the most urgent first. */
static void test_next(void **state)
{
	static const struct {
		const char *name;
		enum verdict verdict;
		const char *reason;
		bool kept;
		bool not_ours;
		const char *want;
	} cases[] = {
		{ "drift", VERDICT_DRIFT, "", false, false, "losslessctl apply --once" },
		{ "drift, kept", VERDICT_DRIFT, "", true, false,
		  "losslessd repairs it by itself: losslessctl status --watch" },
		{ "drift, reported", VERDICT_DRIFT, "only reported (policy.drift)", true, false,
		  "losslessctl apply, for what losslessd does not do by itself (its note)" },
		{ "drift behind something else", VERDICT_DRIFT, "dcbx is unsupported", false, true,
		  "see its note for what losslessd cannot set on this device" },
		{ "failed", VERDICT_FAILED, "busy", false, false,
		  "losslessctl apply --once again, when the cause (its note) is gone" },
		{ "failed, kept", VERDICT_FAILED, "busy", true, false,
		  "see its note for the cause; losslessd tries again by itself, losslessctl apply "
		  "at once" },
		{ "contested", VERDICT_CONTESTED, "lldpad", true, false,
		  "stop who else writes it (its note), then losslessctl apply" },
		{ "pending", VERDICT_PENDING, "no such device", false, false,
		  "losslessctl apply --once, when what it waits for is there" },
		{ "pending, kept", VERDICT_PENDING, "no such device", true, false,
		  "losslessd goes on by itself when what it waits for is there" },
		{ "unknown", VERDICT_UNKNOWN, "lockdown", false, false,
		  "see its note for why it cannot be read" },
		{ "unsupported", VERDICT_UNSUPPORTED, "", false, false,
		  "see its note for what losslessd cannot set on this device" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_free_ char *text = NULL;
		struct stage stage;
		const char *next;

		stage_open(&stage, 5);
		stage_plan(&stage);
		stage.plan.kept = cases[i].kept;
		for (size_t k = 0; k < stage.plan.n_findings; k++) {
			struct finding *finding = &stage.plan.findings[k];

			if (finding->verdict != VERDICT_DRIFT)
				continue;
			finding->verdict = cases[i].verdict;
			finding->not_ours = cases[i].not_ours;
			(void)snprintf(finding->reason, sizeof(finding->reason), "%s",
				       cases[i].reason);
		}
		text = text_of(&stage, 0);
		next = strstr(text, "\nnext: ");
		case_true(cases[i].name, next);
		case_equal(cases[i].name,
			   strncmp(next + 7, cases[i].want, strlen(cases[i].want)), 0);
		/* Once, and it is the end */
		case_string(cases[i].name, next + 7 + strlen(cases[i].want), "\n");
		stage_close(&stage);
	}
}

static const char with_switches[] =
	"all 8 ports and 8 RDMA devices and 3 switches in sync\n"
	"fabric pod-a, node dgx-1, compared with fabric.yaml; generation 3 in force\n"
	"\n"
	"TARGET                                 VERDICT  DEVICE\n"
	"rail[0-7]                              in-sync  8 ports, mlx5_core\n"
	"mlx5_[0-7]                             in-sync  8 RDMA devices, mlx5_core\n"
	"leaf-1-[0-2]                           in-sync  3 switches, sonic\n"
	"leaf-2-[0-2], leaf-3-[0-2] and 3 more  unknown  9 switches of other nodes, sonic\n";

/* Switches that other nodes keep are in no count, and in one line. */
static void test_switches(void **state)
{
	_cleanup_free_ char *text = NULL;
	struct stage stage;
	char name[16];

	stage_open(&stage, -1);
	for (int group = 1; group <= 4; group++)
		for (int i = 0; i < 3; i++) {
			struct switch_state *one;

			(void)snprintf(name, sizeof(name), "leaf-%d-%d", group, i);
			one = switch_states_add(&stage.switches, name);
			assert_non_null(one);
			(void)snprintf(one->dialect, sizeof(one->dialect), "sonic");
			(void)snprintf(one->owner, sizeof(one->owner), "dgx-%d", group);
			(void)snprintf(one->reason, sizeof(one->reason), "owner is dgx-%d", group);
			one->mine = group == 1;
			one->calm = one->mine ? SWITCH_ASKED : SWITCH_OF_ANOTHER;
			one->verdict = one->mine ? VERDICT_IN_SYNC : VERDICT_UNKNOWN;
		}
	stage_plan(&stage);
	expect("twelve switches", &stage, 80, with_switches);
	text = text_of(&stage, 0);
	assert_non_null(strstr(text, "\nleaf-4-2  unknown  sonic, owner is dgx-4\n"));
	assert_non_null(strstr(text, "\nleaf-4-2 is unknown: owner is dgx-4\n"));
	stage_close(&stage);
}

/* As long as a verdict stays the same, so does the moment. */
static void test_dates(void **state)
{
	static const struct {
		const char *name;
		enum verdict before;
		int64_t since_s;
		enum verdict now;
		int64_t want_s;
	} cases[] = {
		{ "the same", VERDICT_DRIFT, NOW - 60, VERDICT_DRIFT, NOW - 60 },
		{ "another", VERDICT_IN_SYNC, NOW - 60, VERDICT_DRIFT, NOW },
		{ "the first time", VERDICT_DRIFT, 0, VERDICT_DRIFT, NOW },
		{ "not there before", VERDICT_MAX, 0, VERDICT_DRIFT, NOW },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct switch_finding finding = { .port = "swp1",
						  .knob = SWITCH_PFC,
						  .verdict = cases[i].before,
						  .since_s = cases[i].since_s };
		struct switch_state before = { .verdict = cases[i].before,
					       .since_s = cases[i].since_s };
		struct switch_state now = { .verdict = cases[i].now };

		if (cases[i].before != VERDICT_MAX)
			assert_int_equal(switch_state_add(&before, &finding), 0);
		finding.verdict = cases[i].now;
		finding.since_s = 0;
		assert_int_equal(switch_state_add(&now, &finding), 0);
		switch_state_date(&now, &before, NOW);
		case_equal(cases[i].name, now.since_s, cases[i].want_s);
		case_equal(cases[i].name, now.findings[0].since_s, cases[i].want_s);
		switch_state_clear(&before);
		switch_state_clear(&now);
	}
}

static const char switch_since[] =
	"\n"
	"TARGET    KNOB  VERDICT  WANT  HAVE  WHERE          SINCE\n"
	"leaf-1    –     unknown  –     –     –              3 min ago (14:00:11)\n"
	"    no answer from 192.0.2.11 within 10 s: see losslessctl switch test\n"
	"leaf-2/1  pfc   drift    3     none  fabric.yaml:9  90 s ago (14:01:41)\n"
	"\n";

static void test_switch_since(void **state)
{
	struct switch_finding finding = { .port = "1", .knob = SWITCH_PFC,
					  .verdict = VERDICT_DRIFT, .since_s = NOW - 90,
					  .want = "3", .have = "none", .where = { .line = 9 } };
	_cleanup_free_ char *text = NULL;
	struct switch_state *one;
	struct stage stage;

	stage_open(&stage, -1);
	one = switch_states_add(&stage.switches, "leaf-1");
	one->since_s = NOW - 180;
	(void)snprintf(one->reason, sizeof(one->reason),
		       "no answer from 192.0.2.11 within 10 s: see losslessctl switch test");
	one = switch_states_add(&stage.switches, "leaf-2");
	one->verdict = VERDICT_IN_SYNC;
	one->since_s = NOW - 90;
	assert_int_equal(switch_state_add(one, &finding), 0);
	stage_plan(&stage);
	stage.report.now_s = NOW;
	stage.report.exit = STATUS_FAILED;
	text = text_of(&stage, 80);
	case_true(text, strstr(text, switch_since));
	case_true(text, strstr(text, "\nnext: losslessctl apply --once\n"
				     "next: losslessctl switch test leaf-1\n"));
	stage_close(&stage);
}

/* One that was asked just now: losslessd hears it by itself, losslessctl alone does not. */
static void test_switch_awaited(void **state)
{
	static const struct {
		const char *name;
		enum verdict verdict;
		bool kept;
		const char *next;
	} cases[] = {
		{ "asked by losslessd", VERDICT_PENDING, true,
		  "\nnext: losslessd goes on by itself when what it waits for is there\n" },
		{ "asked by losslessctl", VERDICT_PENDING, false,
		  "\nnext: losslessctl switch test leaf-1\n" },
		{ "no answer", VERDICT_UNKNOWN, true, "\nnext: losslessctl switch test leaf-1\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_free_ char *text = NULL;
		struct switch_state *one;
		struct stage stage;
		const char *first;

		stage_open(&stage, -1);
		one = switch_states_add(&stage.switches, "leaf-1");
		one->verdict = cases[i].verdict;
		stage_plan(&stage);
		stage.plan.kept = cases[i].kept;
		stage.report.exit = STATUS_FAILED;
		text = text_of(&stage, 80);
		first = strstr(text, "\nnext: ");
		case_string(cases[i].name, first, cases[i].next);
		stage_close(&stage);
	}
}

/* Names and values that leave no room: nothing is wider than the terminal, and nothing is lost. */
static void test_narrow(void **state)
{
	static const char long_name[] = "a-device-with-a-very-long-name-indeed-0123456789";
	static const char wide_name[] = "\xe5\x8f\xb0\xe5\x8c\x97\xe5\x8f\xb0\xe5\x8c\x97"
					"\xe5\x8f\xb0\xe5\x8c\x97\xe5\x8f\xb0\xe5\x8c\x97";
	_cleanup_free_ char *whole = NULL;
	struct stage stage;

	stage_open(&stage, 5);
	set(&stage.want, TARGET_PORT, long_name, KNOB_PFC, "3");
	set(&stage.have, TARGET_PORT, long_name, KNOB_PFC, "0,1,2,3,4,5,6,7");
	set(&stage.want, TARGET_PORT, wide_name, KNOB_PFC, "3");
	set(&stage.have, TARGET_PORT, wide_name, KNOB_PFC, "none");
	stage_plan(&stage);
	stage.report.file = "/etc/losslessd/a-fabric-file-with-a-very-long-name-indeed.yaml";
	expect_fits("80 columns", &stage, 80);
	expect_fits("200 columns", &stage, 200);
	whole = text_of(&stage, 0);
	assert_non_null(strstr(whole, long_name));
	assert_non_null(strstr(whole, wide_name));
	assert_non_null(strstr(whole, " 0,1,2,3,4,5,6,7 "));
	stage_close(&stage);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_terminal),
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_moments),
		cmocka_unit_test(test_next),
		cmocka_unit_test(test_switches),
		cmocka_unit_test(test_dates),
		cmocka_unit_test(test_switch_since),
		cmocka_unit_test(test_switch_awaited),
		cmocka_unit_test(test_narrow),
	};

	if (setenv("TZ", "UTC0", 1) < 0)
		return 1;
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
