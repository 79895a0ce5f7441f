// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The writers: what people and programs read of a report made by hand. The expected texts are
 * written by hand after the example of the interface: columns, a dash for nothing, what may drop a
 * link, and what to do.
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/report/facts.h"
#include "lib/report/table.h"
#include "lib/report/width.h"
#include "lib/reconcile/execute.h"
#include "tests/support/cases.h"

/* ---- a node of one port, as the driver leaves it, and the smallest fabric file ---- */

struct stage {
	struct states want;
	struct states have;
	struct plan plan;
	struct plan after;
};

struct row {
	enum target_kind kind;
	enum knob knob;
	const char *have; /* NULL: unsupported */
	const char *want;
	unsigned int line;
	const char *note;
};

static const struct row rows[] = {
	{ TARGET_PORT, KNOB_DCBX, "fw", "host", 6, "because DCB is managed" },
	{ TARGET_PORT, KNOB_PAUSE, "rx tx", "off", 7, "because pfc is [3]" },
	{ TARGET_PORT, KNOB_TRUST, "pcp", "dscp", 6, "because dscp_to_priority is given" },
	{ TARGET_PORT, KNOB_DSCP_TO_PRIORITY, "none", "26:3", 6, "" },
	{ TARGET_PORT, KNOB_PFC, "none", "3", 7, "" },
	{ TARGET_RDMA, KNOB_CM_MODE, "v1", "v2", 3, "because roce is managed" },
	{ TARGET_RDMA, KNOB_CM_TOS, "0", "106", 4, "" },
	{ TARGET_RDMA, KNOB_TRAFFIC_CLASS, NULL, "106", 4, "" },
};

static const struct nic nic = {
	.ifindex = 4,
	.rdma_port = 1,
	.up = true,
	.carrier = true,
	.mtu = 1500,
	.name = "ens1f0np0",
	.rdma = "mlx5_0",
	.driver = "mlx5_core",
	.pci = "0000:17:00.0",
};

static struct state *side(struct states *states, enum target_kind kind)
{
	const char *name = kind == TARGET_PORT ? nic.name : nic.rdma;
	struct state *state = states_find(states, kind, name);

	if (!state)
		state = states_add(states, kind, &nic, name);
	assert_non_null(state);
	return state;
}

static void set(struct value *value, enum knob knob, const char *text)
{
	if (text)
		assert_int_equal(value_parse(&knob_table[knob], text, value), 0);
	else
		value->status = VALUE_UNSUPPORTED;
}

static void stage_open(struct stage *stage)
{
	*stage = (struct stage){};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i];
		struct value *want = &side(&stage->want, row->kind)->value[row->knob];
		struct value *have = &side(&stage->have, row->kind)->value[row->knob];

		set(have, row->knob, row->have);
		set(want, row->knob, row->want);
		want->where = (struct position){ .line = row->line, .column = 3 };
		value_note(want, "%s", row->note);
		if (!row->have)
			value_note(have, "mlx5_core without OFED has no such attribute");
	}
	assert_int_equal(plan_build(&stage->want, &stage->have, PLAN_FORWARD, &stage->plan), 0);
}

/* Everything that is supported is now as wanted. */
static void stage_settle(struct stage *stage)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].have)
			set(&side(&stage->have, rows[i].kind)->value[rows[i].knob], rows[i].knob,
			    rows[i].want);
	plan_done(&stage->after);
	assert_int_equal(plan_build(&stage->want, &stage->have, PLAN_FORWARD, &stage->after), 0);
}

static void stage_close(struct stage *stage)
{
	plan_done(&stage->after);
	plan_done(&stage->plan);
	states_done(&stage->have);
	states_done(&stage->want);
}

static struct report report_of(const struct stage *stage, enum report_kind kind)
{
	return (struct report){
		.kind = kind,
		.node = "gpu-1",
		.fabric = "pod-a",
		.file = "fabric.yaml",
		.plan = &stage->plan,
		.exit = STATUS_DRIFT,
	};
}

static char *text_of(const struct report *report, unsigned int width, bool colour)
{
	const struct report_style style = { .width = width, .colour = colour };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	report_write_text(report, &style, out);
	assert_int_equal(fclose(out), 0);
	return text;
}

static json_t *json_of(const struct report *report)
{
	_cleanup_free_ char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	json_t *document;

	assert_non_null(out);
	report_write_json(report, out);
	assert_int_equal(fclose(out), 0);
	document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	if (!document)
		fail_msg("not one JSON document: %s", text);
	return document;
}

/* ---- plan ---- */

static const char plan_text[] =
	"TARGET     KNOB              NOW    THEN  WHERE          NOTE\n"
	"ens1f0np0  dcbx              fw     host  fabric.yaml:6  because DCB is managed\n"
	"ens1f0np0  pause             rx tx  off   fabric.yaml:7  because pfc is [3]\n"
	"ens1f0np0  trust             pcp    dscp  fabric.yaml:6  because dscp_to_priority is "
	"given\n"
	"ens1f0np0  dscp_to_priority  –      26:3  fabric.yaml:6\n"
	"ens1f0np0  pfc               none   3     fabric.yaml:7  link drops for a moment\n"
	"mlx5_0     cm_mode           v1     v2    fabric.yaml:3  because roce is managed\n"
	"mlx5_0     cm_tos            0      106   fabric.yaml:4\n"
	"7 changes on 2 targets, 1 may drop a link\n"
	"mlx5_0 traffic_class is unsupported (mlx5_core without OFED has no such attribute): "
	"cm_tos covers RDMA-CM, not NCCL (set NCCL_IB_TC), other verbs "
	"programs or DevX (each sets its own)\n";

static void plan_is_a_table(void **unused)
{
	struct stage stage;
	_cleanup_free_ char *text = NULL;
	struct report report;

	stage_open(&stage);
	report = report_of(&stage, REPORT_PLAN);
	text = text_of(&report, 0, false);
	case_string("plan, whole", text, plan_text);
	stage_close(&stage);
}

/* A terminal of 80 columns: nothing is lost, no line is longer, only notes are wrapped. */
static void plan_fits_a_terminal(void **unused)
{
	struct stage stage;
	_cleanup_free_ char *text = NULL;
	struct report report;
	size_t lines = 0;

	stage_open(&stage);
	report = report_of(&stage, REPORT_PLAN);
	text = text_of(&report, 80, false);
	for (char *save = NULL, *line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (text_width(line, strlen(line)) > 80)
			fail_msg("wider than 80: %s", line);
		lines += strstr(line, "dscp_to_priority  –      26:3  fabric.yaml:6") != NULL;
	}
	assert_int_equal(lines, 1);
	stage_close(&stage);
}

static void nothing_to_change(void **unused)
{
	struct stage stage;
	_cleanup_free_ char *text = NULL;
	struct report report;

	stage_open(&stage);
	stage_settle(&stage);
	report = report_of(&stage, REPORT_PLAN);
	report.plan = &stage.after;
	text = text_of(&report, 0, false);
	case_string("plan, empty", text,
		    "nothing to change; 1 port and 1 RDMA device in sync\n"
		    "mlx5_0 traffic_class is unsupported (mlx5_core without OFED has no such "
		    "attribute): "
		    "cm_tos covers RDMA-CM, not NCCL (set NCCL_IB_TC), other verbs "
		    "programs or DevX (each sets its own)\n");
	stage_close(&stage);
}

/* ---- apply ---- */

static void apply_tells_all(void **unused)
{
	struct stage stage;
	_cleanup_free_ char *text = NULL;
	struct report report;

	stage_open(&stage);
	for (size_t i = 0; i < stage.plan.n_steps; i++) {
		struct step *step = &stage.plan.steps[i];

		step->outcome = STEP_DONE;
		if (step->object != OBJECT_PFC)
			continue;
		step->outcome = STEP_FAILED;
		step->refusal = (struct refusal){ .error = 121, .status = -12 };
		(void)snprintf(step->reason, sizeof(step->reason),
			       "refused by the driver (status -12)");
	}
	report = report_of(&stage, REPORT_APPLY);
	report.exit = STATUS_FAILED;
	report.after = &stage.after;
	assert_int_equal(plan_build(&stage.want, &stage.have, PLAN_FORWARD, &stage.after), 0);
	plan_explain_failures(&stage.plan, &stage.after);
	text = text_of(&report, 0, false);
	assert_non_null(strstr(text, "ens1f0np0  pause             rx tx  →  off   done\n"));
	assert_non_null(strstr(text, "ens1f0np0  pfc               none   →  3     failed  "
				     "refused by the driver (status -12)\n"));
	assert_non_null(strstr(text, "6 of 7 changes done: 1 failed\n"));
	assert_non_null(strstr(
		text,
		"ens1f0np0  pfc               failed   3     none   fabric.yaml:7  refused by the "
		"driver (status -12)\n"));
	assert_non_null(strstr(text, "or rollback --once to return\n"));
	stage_close(&stage);
}

/* What somebody else changed meanwhile and a second round wrote is done, and counts once. */
static void second_round_counts_once(void **unused)
{
	struct stage stage;
	_cleanup_free_ char *text = NULL;
	struct report report;

	stage_open(&stage);
	for (size_t i = 0; i < stage.plan.n_steps; i++)
		stage.plan.steps[i].outcome = STEP_DONE;
	assert_true(stage.plan.n_steps < stage.plan.steps_room);
	stage.plan.steps[stage.plan.n_steps] = stage.plan.steps[0];
	stage.plan.n_steps++;
	stage.plan.steps[0].outcome = STEP_STALE;
	stage_settle(&stage);
	report = report_of(&stage, REPORT_APPLY);
	report.after = &stage.after;
	report.exit = STATUS_OK;
	text = text_of(&report, 0, false);
	assert_non_null(strstr(text, "7 changes done on 2 targets\n"));
	assert_null(strstr(text, "changed meanwhile"));
	stage_close(&stage);
}

/* ---- status ---- */

static const char status_text[] =
	"0 of 1 port and 1 of 1 RDMA device in sync\n"
	"fabric pod-a, node gpu-1, compared with fabric.yaml; generation 3 in force\n"
	"\n"
	"TARGET     KNOB  VERDICT  WANT  HAVE  WHERE\n"
	"ens1f0np0  pfc   drift    3     none  fabric.yaml:7\n"
	"\n"
	"TARGET     VERDICT  DEVICE\n"
	"ens1f0np0  drift    mlx5_core 0000:17:00.0, mlx5_0\n"
	"mlx5_0     in-sync  mlx5_core 0000:17:00.0, port 1 is ens1f0np0\n"
	"\n"
	"mlx5_0 traffic_class is unsupported (mlx5_core without OFED has no such attribute): "
	"cm_tos covers RDMA-CM, not NCCL (set NCCL_IB_TC), other verbs "
	"programs or DevX (each sets its own)\n"
	"\n"
	"next: losslessctl apply --once\n";

static void status_shows_drift(void **unused)
{
	struct stage stage;
	_cleanup_free_ char *text = NULL;
	struct report report;

	stage_open(&stage);
	stage_settle(&stage);
	set(&side(&stage.have, TARGET_PORT)->value[KNOB_PFC], KNOB_PFC, "none");
	plan_done(&stage.after);
	assert_int_equal(plan_build(&stage.want, &stage.have, PLAN_FORWARD, &stage.after), 0);
	report = report_of(&stage, REPORT_STATUS);
	report.plan = &stage.after;
	report.generation = 3;
	text = text_of(&report, 0, false);
	case_string("status", text, status_text);
	stage_close(&stage);
}

/* Colours only where they are asked for, and they change no other byte. */
static void colours_are_apart(void **unused)
{
	struct stage stage;
	_cleanup_free_ char *plain = NULL, *colour = NULL;
	struct report report;
	size_t used = 0;

	stage_open(&stage);
	report = report_of(&stage, REPORT_STATUS);
	plain = text_of(&report, 0, false);
	colour = text_of(&report, 0, true);
	assert_null(strchr(plain, '\033'));
	assert_non_null(strchr(colour, '\033'));
	for (const char *c = colour; *c; c++) {
		if (*c == '\033')
			c = strchr(c, 'm');
		else
			colour[used++] = *c;
	}
	colour[used] = '\0';
	assert_string_equal(plain, colour);
	stage_close(&stage);
}

/* What to run again is what was run. */
static void advice_names_the_way(void **unused)
{
	static const struct {
		const char *name;
		enum plan_direction direction;
		enum verdict verdict;
		const char *advice;
	} cases[] = {
		{ "drift", PLAN_FORWARD, VERDICT_DRIFT, "run losslessctl apply --once" },
		{ "pending", PLAN_FORWARD, VERDICT_PENDING, "run apply again" },
		{ "drift, back", PLAN_BACK, VERDICT_DRIFT, "run losslessctl rollback --once" },
		{ "pending, back", PLAN_BACK, VERDICT_PENDING, "run rollback again" },
		{ "failed, back", PLAN_BACK, VERDICT_FAILED, "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct finding finding = { .knob = KNOB_PFC, .verdict = cases[i].verdict };
		struct states none = {};
		char text[FACT_TEXT_MAX];
		struct plan plan;

		assert_int_equal(plan_build(&none, &none, cases[i].direction, &plan), 0);
		finding_advice(&plan, &finding, text, sizeof(text));
		case_string(cases[i].name, text, cases[i].advice);
		plan_done(&plan);
	}
}

/* ---- JSON ---- */

static void json_has_the_same_facts(void **unused)
{
	struct stage stage;
	struct report report;
	json_auto_t *document = NULL;
	const char *name, *now, *then, *kind, *verdict, *text;
	int schema, status, line, changes, drops;
	json_t *steps, *targets;

	stage_open(&stage);
	report = report_of(&stage, REPORT_PLAN);
	document = json_of(&report);
	assert_int_equal(json_unpack(document, "{s:i, s:s, s:i, s:o, s:o, s:{s:i, s:i}}", "schema",
				     &schema, "report", &text, "exit", &status, "steps", &steps,
				     "targets", &targets, "summary", "changes", &changes,
				     "may_drop_link", &drops),
			 0);
	assert_int_equal(schema, REPORT_SCHEMA);
	assert_string_equal(text, "plan");
	assert_int_equal(status, STATUS_DRIFT);
	assert_int_equal(changes, 7);
	assert_int_equal(drops, 1);
	assert_int_equal(json_array_size(targets), 2);
	assert_int_equal(json_unpack(json_array_get(targets, 0), "{s:s, s:s, s:s}", "kind", &kind,
				     "name", &name, "verdict", &verdict),
			 0);
	assert_string_equal(kind, "port");
	assert_string_equal(name, "ens1f0np0");
	assert_string_equal(verdict, "drift");
	assert_int_equal(json_unpack(json_array_get(steps, 0), "{s:[{s:s, s:s, s:s, s:{s:i}}]}",
				     "knobs", "name", &name, "now", &now, "then", &then, "where",
				     "line", &line),
			 0);
	assert_string_equal(name, "dcbx");
	assert_string_equal(now, "fw");
	assert_string_equal(then, "host");
	assert_int_equal(line, 6);
	stage_close(&stage);
}

/* A pass that could not be made is a document too, whatever bytes its words have. */
static void trouble_is_json_too(void **unused)
{
	const struct report report = {
		.kind = REPORT_STATUS,
		.file = "fabric\xff\n.yaml",
		.trouble = "nothing managed on this node",
		.exit = STATUS_FAILED,
	};
	json_auto_t *document = json_of(&report);
	const char *text, *file;

	assert_int_equal(
		json_unpack(document, "{s:s, s:s, s:n}", "trouble", &text, "file", &file, "node"),
		0);
	assert_string_equal(text, "nothing managed on this node");
	assert_string_equal(file, "fabric\\xff\\x0a.yaml");
}

/*
 * What is true whatever the verdicts are stands in both: another owner of DCB, an apply that was
 * killed.
 */
static void warnings_are_told(void **unused)
{
	struct stage stage;
	_cleanup_free_ char *text = NULL;
	json_auto_t *document = NULL;
	struct report report;
	const char *warning;
	int interrupted;

	stage_open(&stage);
	report = report_of(&stage, REPORT_STATUS);
	report.warnings[report.n_warnings++] = "lldpad is running";
	report.interrupted = "apply";
	text = text_of(&report, 0, false);
	assert_non_null(strstr(text, "\nwarning: lldpad is running\n"));
	assert_non_null(strstr(text,
			       "\napply interrupted: apply --once brings the file in force, "
			       "rollback --once returns\n"));
	document = json_of(&report);
	assert_int_equal(json_unpack(document, "{s:[s], s:b}", "warnings", &warning, "interrupted",
				     &interrupted),
			 0);
	assert_string_equal(warning, "lldpad is running");
	assert_true(interrupted);
	stage_close(&stage);
}

/* A recorded node names itself and its ports: nothing of that steers a terminal, in no report. */
static void names_are_harmless(void **unused)
{
	static const char *const raw[] = { "\xc2\x9b", "\033", "\xff", "\next" };
	static const enum report_kind kinds[] = { REPORT_PLAN, REPORT_APPLY, REPORT_STATUS };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		_cleanup_free_ char *text = NULL;
		struct stage stage;
		struct report report;

		stage_open(&stage);
		(void)snprintf(stage.want.list[0].target.name, NAME_MAX_BYTES, "%s",
			       "e\xc2\x9b\033[m\xff\next");
		stage.plan.steps[0].note = "no rollback takes it back";
		report = report_of(&stage, kinds[i]);
		report.node = "g\xc2\x9b\033[m\xff\next";
		report.warnings[report.n_warnings++] = "w\xc2\x9b\033[m\xff\next";
		text = text_of(&report, 0, false);
		for (size_t k = 0; k < ARRAY_SIZE(raw); k++)
			case_true(raw[k], !strstr(text, raw[k]));
		case_true("the name", strstr(text, "e\\u009b\\x1b[m\\xff\\x0aext"));
		case_true("the warning", strstr(text, "warning: w\\u009b\\x1b[m\\xff\\x0aext\n"));
		stage_close(&stage);
	}
}

/* ---- columns ---- */

static const struct {
	const char *name;
	const char *text;
	unsigned int width;
	const char *printable;
} texts[] = {
	{ "ASCII", "pfc", 3, "pfc" },
	{ "a dash", "–", 1, "–" },
	{ "wide", "光纤", 4, "光纤" },
	{ "combining", "e\xcc\x81", 1, "e\xcc\x81" },
	{ "escape", "a\033[31m", 6, "a\\x1b[31m" },
	{ "C1 control",
	  "\xc2\x9b"
	  "1m",
	  3, "\\u009b1m" },
	{ "invalid", "a\xff", 2, "a\\xff" },
	{ "overlong", "\xc0\xaf", 2, "\\xc0\\xaf" },
	{ "surrogate", "\xed\xa0\x80", 3, "\\xed\\xa0\\x80" },
	{ "cut", "\xe2\x80", 2, "\\xe2\\x80" },
};

static void text_takes_columns(void **unused)
{
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		_cleanup_free_ char *text = text_printable(texts[i].text);

		assert_non_null(text);
		case_equal(texts[i].name, text_width(texts[i].text, strlen(texts[i].text)),
			   texts[i].width);
		case_string(texts[i].name, text, texts[i].printable);
	}
}

/*
 * Notes give way first, then values; a word longer than its column is broken, and nothing is lost.
 */
static void table_wraps(void **unused)
{
	static const struct table_column columns[] = {
		{ "NAME" },
		{ "VALUE", TABLE_SHRINKS_LAST },
		{ "NOTE", TABLE_SHRINKS_FIRST },
	};
	static const struct report_style style = { .width = 46 };
	_cleanup_(table_done) struct table table = { .columns = columns, .n_columns = 3 };
	_cleanup_free_ char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	table_row(&table);
	table_cell(&table, 0, TINT_NONE, "map");
	table_cell(&table, 1, TINT_NONE, "0:1 8:1 16:2 26:3 48:6");
	table_cell(&table, 2, TINT_NONE, "a note of several words and-one-that-is-too-long");
	table_row(&table);
	table_cell(&table, 0, TINT_NONE, "none");
	table_write(&table, &style, out);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, "NAME  VALUE                   NOTE\n"
				  "map   0:1 8:1 16:2 26:3 48:6  a note of\n"
				  "                              several words\n"
				  "                              and-one-that-is-\n"
				  "                              too-long\n"
				  "none  –\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plan_is_a_table),
		cmocka_unit_test(plan_fits_a_terminal),
		cmocka_unit_test(nothing_to_change),
		cmocka_unit_test(apply_tells_all),
		cmocka_unit_test(second_round_counts_once),
		cmocka_unit_test(status_shows_drift),
		cmocka_unit_test(colours_are_apart),
		cmocka_unit_test(advice_names_the_way),
		cmocka_unit_test(json_has_the_same_facts),
		cmocka_unit_test(trouble_is_json_too),
		cmocka_unit_test(warnings_are_told),
		cmocka_unit_test(names_are_harmless),
		cmocka_unit_test(text_takes_columns),
		cmocka_unit_test(table_wraps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
