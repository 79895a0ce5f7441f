// SPDX-License-Identifier: LGPL-2.1-or-later
/* What each filter writes, and what no line may be. */
#include <errno.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/switch/template.h"
#include "tests/support/cases.h"
#include "tests/switch/dialect-case.h"

static const char *const var_names[] = { "queue", "slot" };
static const char *const var_values[] = { "uc-tx-queue", NULL };
static const struct word word_list[] = { { "3", "af3" }, { "drop", "discard" } };
static const struct words words = { word_list, ARRAY_SIZE(word_list) };

static const struct {
	const char *name;
	enum switch_knob knob;
	const char *value; /* its first entry, or the list */
	const char *port;
	const char *text;
	const char *line; /* NULL: refused, or there is none */
	int r;
	const char *why;
} cases[] = {
	{ "text", SWITCH_MTU, "9000", "p", "a b", "a b" },
	{ "a dollar", SWITCH_MTU, "9000", "p", "a $$b $$", "a $b $" },
	{ "value", SWITCH_MTU, "9000", "p", "mtu $value", "mtu 9000" },
	{ "end of a name", SWITCH_MTU, "9000", "p", "$port-$value/${value}0", "p-9000/90000" },
	{ "bool", SWITCH_DCBX, "1", "p", "$value", "true" },
	{ "variable", SWITCH_MTU, "9000", "p", "$queue $value", "uc-tx-queue 9000" },
	{ "variable that nobody set", SWITCH_MTU, "9000", "p", "$slot", NULL, -EINVAL,
	  "$slot has no value here" },
	{ "key and value", SWITCH_DSCP_MAP, "26:3", "", "$key:$value", "26:3" },
	{ "words", SWITCH_DSCP_MAP, "26:3", "", "${value:words}", "af3" },
	{ "no word", SWITCH_DSCP_MAP, "26:4", "", "${value:words}", NULL, -EINVAL,
	  "no word for 4" },
	{ "words of a word", SWITCH_WATCHDOG, "200/400/0", "", "${action:words}", "discard" },
	{ "no word of a word", SWITCH_WATCHDOG, "200/400/1", "", "${action:words}", NULL, -EINVAL,
	  "no word for forward" },
	{ "open", SWITCH_WATCHDOG, "200/_/_", "", "a $restore", NULL, -ENODATA, "" },
	{ "bytes", SWITCH_ECN, "3:153600/1536000/100", "", "${min:bytes} $max $probability",
	  "153600 1536000 100" },
	{ "kbytes", SWITCH_ECN, "3:153600/150000/100", "", "${min:kbytes} ${max:kbytes}",
	  "150 146" },
	{ "kbytes up", SWITCH_ECN, "3:1536/1535/100", "", "${min:kbytes} ${max:kbytes}", "2 1" },
	{ "mbytes", SWITCH_ECN, "3:1048576/1572864/100", "", "${min:mbytes} ${max:mbytes}", "1 2" },
	{ "less than one", SWITCH_ECN, "3:100/1/100", "", "${min:kbytes}", NULL, -EINVAL,
	  "100 bytes are less" },
	{ "zero", SWITCH_ECN, "3:0/1/100", "", "${min:kbytes}", "0" },
	{ "milliseconds", SWITCH_WATCHDOG, "250/_/_", "", "$detect", "250" },
	{ "seconds", SWITCH_WATCHDOG, "200/1000/_", "", "${detect:seconds} ${restore:seconds}",
	  "0.2 1" },
	{ "seconds, to the last digit", SWITCH_WATCHDOG, "5/1230/_", "",
	  "${detect:seconds} ${restore:seconds}", "0.005 1.23" },
	{ "tenths", SWITCH_WATCHDOG, "1500/_/_", "", "${detect:tenths}", "15" },
	{ "no tenths", SWITCH_WATCHDOG, "150/_/_", "", "${detect:tenths}", NULL, -EINVAL,
	  "no whole tenths" },
	{ "clock", SWITCH_WATCHDOG, "3600000/61000/_", "", "${detect:hh:mm:ss} ${restore:hh:mm:ss}",
	  "01:00:00 00:01:01" },
	{ "join", SWITCH_PFC, "0,3,4", "p", "${value:join}", "0,3,4" },
	{ "join nothing", SWITCH_PFC, "", "p", "a ${value:join}", "a " },
	{ "ranges", SWITCH_PFC, "0,1,2,4,6,7", "p", "${value:ranges}", "0-2,4,6-7" },
	{ "bitmask", SWITCH_PFC, "3,4", "p", "${value:bitmask}", "0x18" },
	{ "bitmask of nothing", SWITCH_PFC, "", "p", "${value:bitmask}", "0x00" },
	{ "shell", SWITCH_MTU, "1", "a b;c$d", "x ${port:shell}", "x 'a b;c$d'" },
	{ "shell, a quote", SWITCH_MTU, "1", "a'b", "${port:shell}", "'a'\\''b'" },
	{ "pointer", SWITCH_MTU, "1", "Eth1/2~3", "/a/${port:json-pointer}", "/a/Eth1~12~03" },
	{ "pointer in a shell", SWITCH_MTU, "1", "Eth1/2", "${port:json-pointer:shell}",
	  "'Eth1~12'" },
	{ "join in a shell", SWITCH_PFC, "3,4", "p", "${value:join:shell}", "'3,4'" },
	{ "no port", SWITCH_MTU, "1", "", "$port", NULL, -EINVAL, "$port has no value" },
	{ "seconds of nothing", SWITCH_MTU, "1", "p", "$seconds", NULL, -EINVAL,
	  "$seconds has no value" },
	{ "a second line", SWITCH_MTU, "1", "a\nb", "${port:shell}", NULL, -EINVAL,
	  "only printable ASCII" },
	{ "no ASCII", SWITCH_MTU, "1", "\xc3\xa4", "$port", NULL, -EINVAL, "only printable ASCII" },
};

static void test_expand(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct switch_knob_info *knob = &switch_knob_table[cases[i].knob];
		const struct template_names names = { knob, var_names, ARRAY_SIZE(var_names) };
		struct switch_value value = case_value(cases[i].knob, cases[i].value);
		const struct template_values values = {
			.knob = knob,
			.port = cases[i].port,
			.entry = &value.entry[0],
			.list = &value,
			.words = &words,
			.vars = var_values,
		};
		char why[256] = "", line[LINE_BYTES_MAX];
		struct arena arena = {};
		struct template template;

		if (template_parse(cases[i].text, &names, &arena, &template, why, sizeof(why)) < 0)
			fail_msg("%s: %s", cases[i].name, why);
		case_equal(cases[i].name,
			   template_expand(&template, &values, line, why, sizeof(why)), cases[i].r);
		if (cases[i].line)
			case_string(cases[i].name, line, cases[i].line);
		else if (!strstr(why, cases[i].why))
			fail_msg("%s: said: %s", cases[i].name, why);
		arena_done(&arena);
	}
}

static void test_too_long(void **state)
{
	const struct switch_knob_info *knob = &switch_knob_table[SWITCH_MTU];
	const struct template_names names = { knob, NULL, 0 };
	char text[TEMPLATE_BYTES_MAX + 2], port[600], why[256], line[LINE_BYTES_MAX];
	const struct template_values values = { .knob = knob, .port = port };
	struct arena arena = {};
	struct template template;

	memset(text, 'a', sizeof(text));
	text[TEMPLATE_BYTES_MAX + 1] = '\0';
	assert_int_equal(template_parse(text, &names, &arena, &template, why, sizeof(why)),
			 -EINVAL);
	text[TEMPLATE_BYTES_MAX] = '\0';
	assert_int_equal(template_parse(text, &names, &arena, &template, why, sizeof(why)), 0);

	memset(port, 'p', sizeof(port));
	port[511] = '\0';
	assert_int_equal(template_parse("$port$port", &names, &arena, &template, why, sizeof(why)),
			 0);
	assert_int_equal(template_expand(&template, &values, line, why, sizeof(why)), 0);
	assert_int_equal(strlen(line), 1022);
	assert_int_equal(
		template_parse("$port$port..", &names, &arena, &template, why, sizeof(why)), 0);
	assert_int_equal(template_expand(&template, &values, line, why, sizeof(why)), -EINVAL);
	assert_non_null(strstr(why, "longer than"));

	memset(text, '$', 80);
	text[80] = '\0';
	assert_int_equal(template_parse(text, &names, &arena, &template, why, sizeof(why)),
			 -EINVAL);
	arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_expand),
		cmocka_unit_test(test_too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
