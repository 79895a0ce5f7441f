// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The table of objects and knobs keeps its own rules, and values survive the way to text and back.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/model/driver.h"
#include "lib/model/knob.h"
#include "lib/model/verdict.h"
#include "tests/support/cases.h"

static void test_knob_rows(void **state)
{
	for (enum knob knob = 0; knob < KNOB_MAX; knob++) {
		const struct knob_info *info = &knob_table[knob];

		case_true("row", info->name);
		case_equal(info->name, knob_find(info->name), knob);
		case_true(info->name,
			  info->unit && info->why && info->spec && info->kernel && info->drivers);
		case_true(info->name, info->why[strlen(info->why) - 1] == '.');
		case_true(info->name, (info->kind == VALUE_WORD) == (info->words != NULL));
		case_true(info->name, info->object < OBJECT_MAX && info->kind < VALUE_KIND_MAX);
		case_true(info->name, object_table[info->object].target == info->target);
		case_true(info->name, info->min <= info->max);
		case_true(info->name,
			  !info->required || info->instead || info->object == OBJECT_MTU);
	}
	case_equal("unknown", knob_find("pfc_prios"), KNOB_NONE);
	case_equal("prefix", knob_find("pf"), KNOB_NONE);
}

static void test_object_rows(void **state)
{
	for (enum object object = 0; object < OBJECT_MAX; object++) {
		int knobs = 0;

		case_true("object", object_table[object].name);
		for (enum knob knob = 0; knob < KNOB_MAX; knob++)
			knobs += knob_table[knob].object == object;
		case_true(object_table[object].name, knobs > 0);
		case_true(object_table[object].name,
			  object_table[object].read_only || object_table[object].settle_ms);
	}
}

static const struct {
	enum knob knob;
	const char *text;
} texts[] = {
	{ KNOB_DCBX, "fw" },
	{ KNOB_DCBX, "host" },
	{ KNOB_TRUST, "pcp" },
	{ KNOB_PAUSE, "off" },
	{ KNOB_PAUSE, "rx tx" },
	{ KNOB_PAUSE, "tx autoneg" },
	{ KNOB_PFC, "none" },
	{ KNOB_PFC, "3" },
	{ KNOB_PFC, "0,3,7" },
	{ KNOB_CABLE_LENGTH, "7m" },
	{ KNOB_MTU, "4200" },
	{ KNOB_CM_MODE, "v2" },
	{ KNOB_CM_TOS, "106" },
	{ KNOB_CM_TOS, "0" },
	{ KNOB_TRAFFIC_CLASS, "unset" },
	{ KNOB_TRAFFIC_CLASS, "106" },
	{ KNOB_TRAFFIC_CLASS, "0" },
	{ KNOB_DSCP_TO_PRIORITY, "none" },
	{ KNOB_DSCP_TO_PRIORITY, "26:3" },
	{ KNOB_DSCP_TO_PRIORITY, "0:0 26:0,3 63:7" },
	{ KNOB_SCHEDULER, "0:1/vendor 1:0/vendor 2:2/vendor 3:3/vendor 4:4/vendor 5:5/vendor "
			  "6:6/vendor 7:7/vendor" },
	{ KNOB_SCHEDULER, "0:0/50% 1:0/50% 2:0/50% 3:3/50% 4:0/50% 5:0/50% 6:6/strict 7:0/50%" },
	{ KNOB_SCHEDULER,
	  "0:0/80% 1:0/80% 2:0/80% 3:0/80% 4:0/80% 5:0/80% 6:0/80% 7:0/80% -:4/20%" },
	{ KNOB_MAX_RATE, "unlimited" },
	{ KNOB_MAX_RATE, "tc0:10Gbit/s" },
	{ KNOB_MAX_RATE, "tc3:25500Mbit/s tc6:1kbit/s tc7:18446744073709551615kbit/s" },
	{ KNOB_MAX_RATE, "3:100Mbit/s 6:unlimited" },
	{ KNOB_MAX_RATE, "0:unlimited" },
};

static void test_text_both_ways(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const struct knob_info *knob = &knob_table[texts[i].knob];
		char text[VALUE_TEXT_MAX];
		struct value value;

		case_equal(texts[i].text, value_parse(knob, texts[i].text, &value), 0);
		value_format(knob, &value, text, sizeof(text));
		case_string(knob->name, text, texts[i].text);
		case_true(texts[i].text, value_equal(knob, &value, &value));
	}
}

static void test_full_map_fits(void **state)
{
	struct value value = { .status = VALUE_KNOWN, .data.map.named = UINT64_MAX }, back;
	char text[VALUE_TEXT_MAX];

	for (unsigned int i = 0; i < DSCPS; i++)
		value.data.map.priorities[i] = (uint8_t)(1U << (i >> 3));
	value_format(&knob_table[KNOB_DSCP_TO_PRIORITY], &value, text, sizeof(text));
	case_equal("64 entries", value_parse(&knob_table[KNOB_DSCP_TO_PRIORITY], text, &back), 0);
	case_true("64 entries", value_equal(&knob_table[KNOB_DSCP_TO_PRIORITY], &value, &back));
}

static const struct {
	enum knob knob;
	const char *text;
} refused[] = {
	{ KNOB_DCBX, "" },
	{ KNOB_DCBX, "hos" },
	{ KNOB_PFC, "" },
	{ KNOB_PFC, "8" },
	{ KNOB_PFC, "3," },
	{ KNOB_PFC, "3 4" },
	{ KNOB_PFC, "-3" },
	{ KNOB_CM_TOS, "106x" },
	{ KNOB_CM_TOS, "4294967296" },
	{ KNOB_CM_TOS, "99999999999999999999" },
	{ KNOB_CABLE_LENGTH, "7" },
	{ KNOB_TRAFFIC_CLASS, "-1" },
	{ KNOB_PAUSE, "" },
	{ KNOB_PAUSE, "rxtx" },
	{ KNOB_DSCP_TO_PRIORITY, "64:3" },
	{ KNOB_DSCP_TO_PRIORITY, "26" },
	{ KNOB_DSCP_TO_PRIORITY, "26:" },
	{ KNOB_DSCP_TO_PRIORITY, "26:8" },
	{ KNOB_SCHEDULER, "0:0/50%" },
	{ KNOB_SCHEDULER, "0:0/50 1:0/50 2:0/50 3:3/50 4:0/50 5:0/50 6:6/50 7:0/50" },
	{ KNOB_SCHEDULER, "0:0/x 1:0/x 2:0/x 3:3/x 4:0/x 5:0/x 6:6/x 7:0/x" },
	{ KNOB_MAX_RATE, "" },
	{ KNOB_MAX_RATE, " " },
	{ KNOB_MAX_RATE, "tc" },
	{ KNOB_MAX_RATE, "tc3" },
	{ KNOB_MAX_RATE, "tc3:" },
	{ KNOB_MAX_RATE, "tc8:1Gbit/s" },
	{ KNOB_MAX_RATE, "tc3:1Gbit" },
	{ KNOB_MAX_RATE, "tc3:1gbit/s" },
	{ KNOB_MAX_RATE, "tc3:-1Gbit/s" },
	{ KNOB_MAX_RATE, "tc3:0Gbit/s" },
	{ KNOB_MAX_RATE, "tc3:18446744073709551616kbit/s" },
	{ KNOB_MAX_RATE, "tc3:18446744073709552Mbit/s" },
	{ KNOB_MAX_RATE, "tc3:1Gbit/s tc3:1Gbit/s" },
	{ KNOB_MAX_RATE, "tc3:1Gbit/s 6:1Gbit/s" },
	{ KNOB_MAX_RATE, "6:1Gbit/s tc3:1Gbit/s" },
	{ KNOB_MAX_RATE, "tc3:1Gbit/s unlimited" },
	{ KNOB_MAX_RATE, "unlimited tc3:1Gbit/s" },
};

static void test_text_refused(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		struct value value;

		case_equal(refused[i].text,
			   value_parse(&knob_table[refused[i].knob], refused[i].text, &value),
			   -EINVAL);
	}
}

static const struct {
	const char *name;
	enum knob knob;
	const char *want;
	const char *have;
	uint64_t named;		/* of the wanted map */
	bool equal;
} pairs[] = {
	{ "same mask", KNOB_PFC, "3", "3", 0, true },
	{ "mask with more", KNOB_PFC, "3", "3,4", 0, false },
	{ "104 is not 106", KNOB_CM_TOS, "106", "104", 0, false },
	{ "unset is not 0", KNOB_TRAFFIC_CLASS, "0", "unset", 0, false },
	{ "autoneg is not off", KNOB_PAUSE, "off", "autoneg", 0, false },
	{ "row present among others", KNOB_DSCP_TO_PRIORITY, "26:3", "0:0 26:3 63:7",
	  UINT64_C(1) << 26, true },
	{ "two entries for one DSCP", KNOB_DSCP_TO_PRIORITY, "26:3", "26:0,3", UINT64_C(1) << 26,
	  false },
	{ "named and without entry", KNOB_DSCP_TO_PRIORITY, "none", "26:3", UINT64_C(1) << 26,
	  false },
	{ "exclusive", KNOB_DSCP_TO_PRIORITY, "26:3", "26:3 48:6", UINT64_MAX, false },
	{ "unused classes do not count", KNOB_SCHEDULER,
	  "0:0/100% 1:0/100% 2:0/100% 3:0/100% 4:0/100% 5:0/100% 6:0/100% 7:0/100%",
	  "0:0/100% 1:0/100% 2:0/100% 3:0/100% 4:0/100% 5:0/100% 6:0/100% 7:0/100% -:4/vendor", 0,
	  true },
	{ "a rate", KNOB_MAX_RATE, "tc3:1Gbit/s", "tc3:1000Mbit/s", 0, true },
	{ "another rate", KNOB_MAX_RATE, "tc3:1Gbit/s", "tc3:1001Mbit/s", 0, false },
	{ "the rate of another class", KNOB_MAX_RATE, "tc3:1Gbit/s", "tc4:1Gbit/s", 0, false },
	{ "more limits than before", KNOB_MAX_RATE, "tc3:1Gbit/s", "tc3:1Gbit/s tc4:1Gbit/s", 0,
	  false },
	{ "another share", KNOB_SCHEDULER,
	  "0:0/50% 1:0/50% 2:0/50% 3:3/50% 4:0/50% 5:0/50% 6:0/50% 7:0/50%",
	  "0:0/60% 1:0/60% 2:0/60% 3:3/40% 4:0/60% 5:0/60% 6:0/60% 7:0/60%", 0, false },
};

static void test_equal(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		const struct knob_info *knob = &knob_table[pairs[i].knob];
		struct value want, have;

		case_equal(pairs[i].name, value_parse(knob, pairs[i].want, &want), 0);
		case_equal(pairs[i].name, value_parse(knob, pairs[i].have, &have), 0);
		if (knob->kind == VALUE_DSCP_MAP)
			want.data.map.named = pairs[i].named;
		case_equal(pairs[i].name, value_equal(knob, &want, &have), pairs[i].equal);
	}
}

static void test_exit_order(void **state)
{
	assert_int_equal(exit_worse(STATUS_OK, STATUS_OK), STATUS_OK);
	assert_int_equal(exit_worse(STATUS_DRIFT, STATUS_OK), STATUS_DRIFT);
	assert_int_equal(exit_worse(STATUS_DRIFT, STATUS_FAILED), STATUS_FAILED);
	assert_int_equal(exit_worse(STATUS_FAILED, STATUS_DRIFT), STATUS_FAILED);
}

static void test_drivers(void **state)
{
	assert_true(driver_find("mlx5_core")->app_add_replaces);
	assert_int_equal(driver_find("mlx5_core")->drops_link, KNOB_BIT(KNOB_PFC));
	assert_string_equal(driver_find("nobody")->name, "");
	assert_true(driver_find("nobody")->drops_link & KNOB_BIT(KNOB_PFC));
}

/* Only what is named counts; a priority is looked for in the class that it was found in. */
static void test_rates(void **state)
{
	const struct knob_info *knob = &knob_table[KNOB_MAX_RATE];
	struct value found, want;
	char text[VALUE_TEXT_MAX];

	assert_int_equal(value_parse(knob, "tc0:1Gbit/s tc1:2Gbit/s", &found), 0);
	for (uint8_t i = 0; i < PRIORITIES; i++)
		found.data.rates.class_of[i] = i;
	found.data.rates.class_of[0] = 1;
	found.data.rates.class_of[1] = 0;

	assert_int_equal(value_parse(knob, "0:2Gbit/s 2:unlimited", &want), 0);
	assert_true(value_equal(knob, &want, &found));
	value_format_beside(knob, &found, &want, text, sizeof(text));
	assert_string_equal(text, "0:2Gbit/s 2:unlimited");
	assert_int_equal(value_parse(knob, "1:2Gbit/s", &want), 0);
	assert_false(value_equal(knob, &want, &found));
	value_format_beside(knob, &found, &want, text, sizeof(text));
	assert_string_equal(text, "1:1Gbit/s");

	assert_int_equal(value_parse(knob, "tc1:2Gbit/s", &want), 0);
	assert_false(value_equal(knob, &want, &found));
	want.data.rates.named = 1U << 1;
	assert_true(value_equal(knob, &want, &found));
	value_format_beside(knob, &found, &want, text, sizeof(text));
	assert_string_equal(text, "tc1:2Gbit/s");
	want.data.rates.named = 1U << 5;
	value_format_beside(knob, &found, &want, text, sizeof(text));
	assert_string_equal(text, "tc5:unlimited");
	value_format(knob, &found, text, 8);
	assert_string_equal(text, "tc0:1Gb");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_knob_rows),
		cmocka_unit_test(test_object_rows),
		cmocka_unit_test(test_text_both_ways),
		cmocka_unit_test(test_full_map_fits),
		cmocka_unit_test(test_text_refused),
		cmocka_unit_test(test_equal),
		cmocka_unit_test(test_exit_order),
		cmocka_unit_test(test_drivers),
		cmocka_unit_test(test_rates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
