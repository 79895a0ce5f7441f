// SPDX-License-Identifier: LGPL-2.1-or-later
/* The table of knobs of switches keeps its own rules; values stand in order and read well. */
#include <errno.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/model/switch.h"
#include "tests/support/cases.h"

static void test_rows(void **state)
{
	for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++) {
		const struct switch_knob_info *info = &switch_knob_table[knob];

		case_true("row", info->name);
		case_equal(info->name, switch_knob_find(info->name), knob);
		case_true(info->name, info->why && info->spec);
		case_true(info->name, info->why[strlen(info->why) - 1] == '.');
		case_true(info->name, info->scopes && info->scopes < 1U << SCOPE_MAX);
		case_true(info->name, (info->shape == SHAPE_SINGLE) == !info->key);
		case_true(info->name, info->key_max < SWITCH_ENTRIES_MAX);
		case_equal(info->name, info->n_fields == 0, info->shape == SHAPE_LIST);
		for (size_t i = 0; i < info->n_fields; i++) {
			const struct switch_field *field = &info->field[i];

			case_true(info->name, field->name && field->max);
			case_true(info->name, (field->unit == UNIT_WORD) == (field->words != NULL));
			case_true(info->name, !field->words || !field->words[field->max + 1]);
		}
	}
	case_equal("unknown", switch_knob_find("pfc.priority"), SWITCH_KNOB_MAX);
	case_equal("prefix", switch_knob_find("pf"), SWITCH_KNOB_MAX);
	case_equal("empty", switch_knob_find(""), SWITCH_KNOB_MAX);
}

static void test_add(void **state)
{
	static const uint32_t keys[] = { 26, 48, 0, 30, 63 };
	static const uint32_t sorted[] = { 0, 26, 30, 48, 63 };
	struct switch_value value = {};

	for (size_t i = 0; i < 5; i++)
		assert_int_equal(switch_value_add(&value, &(struct switch_entry){ keys[i], { 1 } }),
				 0);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(switch_value_add(&value, &(struct switch_entry){ keys[i], { 2 } }),
				 -EEXIST);
		assert_int_equal(value.entry[i].key, sorted[i]);
		assert_int_equal(value.entry[i].field[0], 1);
	}
	assert_int_equal(value.n, 5);
	assert_ptr_equal(switch_value_find(&value, 30), &value.entry[2]);
	assert_null(switch_value_find(&value, 31));
	for (uint32_t i = 0; i < SWITCH_ENTRIES_MAX; i++)
		(void)switch_value_add(&value, &(struct switch_entry){ i, {} });
	assert_int_equal(value.n, SWITCH_ENTRIES_MAX);
	assert_int_equal(switch_value_add(&value, &(struct switch_entry){ 64, {} }), -ENOSPC);
}

static const struct {
	enum switch_knob knob;
	struct switch_value value;
	const char *text;
	bool off;
} texts[] = {
	{ SWITCH_PFC, { .status = SWITCH_UNMANAGED }, "unmanaged" },
	{ SWITCH_PFC, { .status = SWITCH_UNREADABLE }, "unreadable" },
	{ SWITCH_PFC, { .status = SWITCH_KNOWN }, "none", true },
	{ SWITCH_PFC,
	  { .status = SWITCH_KNOWN, .n = 2, .entry = { { 3, {} }, { 4, {} } } },
	  "3,4" },
	{ SWITCH_PFC,
	  { .status = SWITCH_KNOWN, .not_operational = true, .n = 1, .entry = { { 3, {} } } },
	  "3 (not operational)" },
	{ SWITCH_DSCP_MAP,
	  { .status = SWITCH_KNOWN, .n = 2, .entry = { { 26, { 3 } }, { 48, { 6 } } } },
	  "26:3 48:6" },
	{ SWITCH_DSCP_MAP,
	  { .status = SWITCH_KNOWN,
	    .n = 7,
	    .entry = { { 0, { 1 } },
		       { 1, { 1 } },
		       { 2, { 1 } },
		       { 3, { 3 } },
		       { 26, { 3 } },
		       { 27, { 3 } },
		       { 63, { 3 } } } },
	  "0-2:1 3:3 26-27:3 63:3" },
	{ SWITCH_PFC_ENABLED, { .status = SWITCH_KNOWN, .n = 1, .entry = { { 0, { 1 } } } }, "on" },
	{ SWITCH_PFC_ENABLED,
	  { .status = SWITCH_KNOWN, .n = 1, .entry = { { 0, { 0 } } } },
	  "off",
	  true },
	{ SWITCH_TRUST, { .status = SWITCH_KNOWN, .n = 1, .entry = { { 0, { 2 } } } }, "dscp" },
	{ SWITCH_TRUST, { .status = SWITCH_KNOWN, .n = 1, .entry = { { 0, { 0 } } } }, "none" },
	{ SWITCH_TRUST, { .status = SWITCH_KNOWN }, "unset", true },
	{ SWITCH_MTU, { .status = SWITCH_KNOWN, .n = 1, .entry = { { 0, { 9216 } } } }, "9216" },
	{ SWITCH_ECN,
	  { .status = SWITCH_KNOWN, .n = 1, .entry = { { 3, { 153600, 1536000, 100 } } } },
	  "3: 150KiB to 1500KiB, 100%" },
	{ SWITCH_ECN,
	  { .status = SWITCH_KNOWN,
	    .n = 2,
	    .entry = { { 3, { 1001, 2 << 20, 5 } }, { 4, { 0, UINT64_C(3) << 30, 0 } } } },
	  "3: 1001B to 2MiB, 5%; 4: 0B to 3GiB, 0%" },
	{ SWITCH_WATCHDOG,
	  { .status = SWITCH_KNOWN, .n = 1, .entry = { { 0, { 200, 400, 0 } } } },
	  "200ms, 400ms, drop" },
	{ SWITCH_WATCHDOG,
	  { .status = SWITCH_KNOWN,
	    .n = 1,
	    .entry = { { 0, { 200, SWITCH_ABSENT, SWITCH_ABSENT } } } },
	  "200ms" },
};

static void test_format(void **state)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char text[256];

		switch_value_format(texts[i].knob, &texts[i].value, text, sizeof(text));
		case_string(texts[i].text, text, texts[i].text);
		case_equal(texts[i].text, switch_value_is_off(texts[i].knob, &texts[i].value),
			   texts[i].off);
		/* cut, and never behind the end */
		memset(text, '#', sizeof(text));
		switch_value_format(texts[i].knob, &texts[i].value, text, 3);
		case_true(texts[i].text, strlen(text) <= 2 && text[3] == '#');
		switch_value_format(texts[i].knob, &texts[i].value, text, 0);
	}
}

/* What is recorded is what is returned to. */
static void test_parse(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct switch_value value;
		char again[256];

		if (texts[i].value.status != SWITCH_KNOWN)
			continue;
		case_equal(texts[i].text, switch_value_parse(texts[i].knob, texts[i].text, &value),
			   0);
		case_equal(texts[i].text, value.n, texts[i].value.n);
		value.not_operational = texts[i].value.not_operational;
		switch_value_format(texts[i].knob, &value, again, sizeof(again));
		case_string(texts[i].text, again, texts[i].text);
	}
}

static const struct {
	enum switch_knob knob;
	const char *text;
} bad[] = {
	{ SWITCH_PFC, "" },	     { SWITCH_PFC, "8" },	  { SWITCH_PFC, "3,3" },
	{ SWITCH_PFC, "3," },	     { SWITCH_PFC, "3;4" },	  { SWITCH_PFC, "-1" },
	{ SWITCH_PFC, "unreadable" }, { SWITCH_DSCP_MAP, "26" },   { SWITCH_DSCP_MAP, "26:8" },
	{ SWITCH_DSCP_MAP, "62-64:1" }, { SWITCH_DSCP_MAP, "3-1:1" }, { SWITCH_DSCP_MAP, "1-:1" },
	{ SWITCH_DSCP_MAP, "1-3:1 2:1" }, { SWITCH_PFC, "1-3" },
	{ SWITCH_DSCP_MAP, "64:1" }, { SWITCH_PFC_ENABLED, "yes" }, { SWITCH_MTU, "65536" },
	{ SWITCH_MTU, "unset" },     { SWITCH_ECN, "3: 1KiB" },
	{ SWITCH_ECN, "3: 18446744073709551615GiB to 1GiB, 1%" },
	{ SWITCH_WATCHDOG, "200ms, 400ms, explode" }, { SWITCH_PFC, "none, 3" },
};

static void test_bad(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct switch_value value = { .n = 47 };

		case_equal(bad[i].text, switch_value_parse(bad[i].knob, bad[i].text, &value),
			   -EINVAL);
		case_equal(bad[i].text, value.n, 47);
	}
}

static const struct {
	enum switch_knob knob;
	const char *want, *have, *text;
} beside[] = {
	{ SWITCH_DSCP_MAP, "26:3 48:6", "0-7:1 26:1 27-31:3 48:6", "26:1" },
	{ SWITCH_DSCP_MAP, "24-27:3", "0-25:1 26:3 27-63:0", "24-25:1 27:0" },
	{ SWITCH_DSCP_MAP, "26:3", "26:3 30:3", "26:3 30:3" }, /* more than is wanted */
	{ SWITCH_DSCP_MAP, "26:3", "30:3", "30:3" },
	{ SWITCH_DSCP_MAP, "26:3", "none", "none" },
	{ SWITCH_DSCP_MAP, "26:3", "", "" },
	{ SWITCH_DSCP_MAP, "26:3", "unreadable", "unreadable" },
	{ SWITCH_PFC, "3", "3,4", "3,4" },
	{ SWITCH_ECN, "3: 1KiB to 2KiB, 5%", "3: 1KiB to 2KiB, 6%; 4: 1KiB to 2KiB, 5%",
	  "3: 1KiB to 2KiB, 6%; 4: 1KiB to 2KiB, 5%" },
	{ SWITCH_KNOB_MAX, "a", "b", "b" },
};

static void test_beside(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(beside); i++) {
		char text[256];

		switch_have_format(beside[i].knob, beside[i].want, beside[i].have, text,
				   sizeof(text));
		case_string(beside[i].have, text, beside[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows), cmocka_unit_test(test_parse),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_add),
		cmocka_unit_test(test_format),
		cmocka_unit_test(test_beside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
