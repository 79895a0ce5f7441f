/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Values by the key that asks for them: leading zeros (field case Y01), words and booleans (Y02),
 * numbers and units (Y05), and both ends of every range of the table of keys.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/spec/key.h"
#include "tests/support/cases.h"
#include "tests/support/spec-case.h"

/* One number, as it is written and as it is taken. */
static const struct {
	const char *text;
	const struct unit *units;
	uint64_t min;
	uint64_t max;
	uint64_t value;
	const char *trouble; /* NULL: it is good */
} numbers[] = {
	{ "0", NULL, 0, 63, 0, NULL },
	{ "26", NULL, 0, 63, 26, NULL },
	{ "63", NULL, 0, 63, 63, NULL },
	{ "0x0", NULL, 0, 63, 0, NULL },
	{ "0x1a", NULL, 0, 63, 26, NULL },
	{ "0x1A", NULL, 0, 63, 26, NULL },
	{ "0x006a", NULL, 0, 255, 106, NULL },
	{ "18446744073709551615", NULL, 0, UINT64_MAX, UINT64_MAX, NULL },

	{ "64", NULL, 0, 63, 0, "64 is not in 0..63" },
	{ "362", NULL, 0, 255, 0, "362 is not in 0..255" },
	{ "4294967402", NULL, 0, 255, 0, "4294967402 is not in 0..255" },
	{ "18446744073709551722", NULL, 0, 255, 0, "18446744073709551722 is not in 0..255" },
	{ "99999999999999999999", NULL, 1500, 65535, 0,
	  "99999999999999999999 is not in 1500..65535" },
	{ "0x16a", NULL, 0, 255, 0, "0x16a is not in 0..255" },
	{ "0x1000000000000006a", NULL, 0, 255, 0, "0x1000000000000006a is not in 0..255" },
	{ "1499", NULL, 1500, 65535, 0, "1499 is not in 1500..65535" },

	{ "032", NULL, 0, 63, 0, "'032' has a leading zero: write 32, or 26 if octal is meant" },
	{ "048", NULL, 0, 63, 0, "'048' has a leading zero: write 48" },
	{ "007", NULL, 0, 63, 0, "'007' has a leading zero: write 7" },
	{ "00", NULL, 0, 63, 0, "'00' has a leading zero: write 0" },
	{ "00010000", NULL, 0, 63, 0, "'00010000' has a leading zero; if it is a string of bits" },
	{ "0o152", NULL, 0, 255, 0, "'0o152' is octal: write 106 or 0x6a" },
	{ "0O152", NULL, 0, 255, 0, "'0O152' is octal: write 106" },
	{ "0o19", NULL, 0, 255, 0, "'0o19' is not a whole number (0..255)" },
	{ "0b11", NULL, 0, 255, 0, "'0b11' is not a whole number (0..255)" },
	{ "0x", NULL, 0, 255, 0, "'0x' is not a whole number (0..255)" },
	{ "0X6a", NULL, 0, 255, 0, "'0X6a' is not a whole number" },
	{ "0x6g", NULL, 0, 255, 0, "'0x6g' is not a whole number" },
	{ "6a", NULL, 0, 255, 0, "'6a' is not a whole number" },
	{ "1_06", NULL, 0, 255, 0, "'1_06' is not a whole number: write 106" },
	{ "1,500", NULL, 1500, 65535, 0, "'1,500' is not a whole number: write 1500" },
	{ "1 500", NULL, 1500, 65535, 0, "'1 500' is not a whole number: write 1500" },
	{ "106 107", NULL, 0, 255, 0, "'106 107' is not a whole number (0..255)" },
	{ "106 107", NULL, 0, 1000000, 0, "'106 107' is not a whole number: write 106107" },
	{ "26 3", NULL, 0, 1000000, 0, "'26 3' is not a whole number (0..1000000)" },
	{ "3, 4", NULL, 0, 255, 0, "'3, 4' is not a whole number (0..255)" },
	{ "1,5", NULL, 0, 255, 0, "'1,5' is not a whole number (0..255)" },
	{ "1 ", NULL, 0, 255, 0, "'1 ' is not a whole number (0..255)" },
	{ "0 500", NULL, 0, 1000, 0, "'0 500' is not a whole number (0..1000)" },
	{ "+300", NULL, 0, 255, 0, "'+300' is not a whole number (0..255)" },
	{ "+007", NULL, 0, 255, 0, "'+007' is not a whole number (0..255)" },
	{ "300.0", NULL, 0, 255, 0, "'300.0' is not a whole number: write it without fraction" },
	{ "0o777", NULL, 0, 255, 0, "'0o777' is not a whole number (0..255)" },
	{ "2", NULL, 1, 1, 0, "2 is not 1" },
	{ "-1", NULL, 1, 1, 0, "'-1' is not 1" },
	{ "one", NULL, 1, 1, 0, "'one' is not a whole number (1)" },
	{ "1'500", NULL, 1500, 65535, 0, "'1'500' is not a whole number: write 1500" },
	{ "+26", NULL, 0, 63, 0, "'+26' has a sign: write 26" },
	{ "-1", NULL, 0, 63, 0, "'-1' is not in 0..63" },
	{ "-0", NULL, 0, 63, 0, "'-0' is not in 0..63" },
	{ "--1", NULL, 0, 63, 0, "'--1' is not a whole number" },
	{ "9000.0", NULL, 1500, 65535, 0, "'9000.0' is not a whole number: write 9000" },
	{ "9000.5", NULL, 1500, 65535, 0,
	  "'9000.5' is not a whole number: write it without fraction" },
	{ ".5", NULL, 0, 63, 0, "'.5' is not a whole number" },
	{ "9e3", NULL, 1500, 65535, 0,
	  "'9e3' is not a whole number: write it without fraction and exponent" },
	{ "9E3", NULL, 1500, 65535, 0, "'9E3' is not a whole number: write it without" },
	{ "9.0e+3", NULL, 1500, 65535, 0, "'9.0e+3' is not a whole number: write it without" },
	{ ".nan", NULL, 0, 63, 0, "'.nan' is not a whole number (0..63)" },
	{ ".inf", NULL, 0, 63, 0, "'.inf' is not a whole number (0..63)" },
	{ "-.inf", NULL, 0, 63, 0, "'-.inf' is not a whole number" },
	{ "Infinity", NULL, 0, 63, 0, "'Infinity' is not a whole number" },
	{ "true", NULL, 0, 63, 0, "'true' is not a whole number" },
	{ "26 ", NULL, 0, 63, 0, "'26 ' is not a whole number" },
	{ " 26", NULL, 0, 63, 0, "' 26' is not a whole number" },
	{ "", NULL, 0, 63, 0, "'' is not a whole number" },
	{ "3:30", NULL, 0, 63, 0, "'3:30' is not a whole number" },
	{ "\xd9\xa3", NULL, 0, 63, 0, "'\xd9\xa3' is not a whole number" },

	{ "150KB", size_units, 0, 1000000, 150000, NULL },
	{ "150KiB", size_units, 0, 1000000, 153600, NULL },
	{ "1MB", size_units, 0, 1000000, 1000000, NULL },
	{ "1MiB", size_units, 0, 1048576, 1048576, NULL },
	{ "0ms", time_units, 0, 1, 0, NULL },
	{ "200ms", time_units, 0, 3600000, 200, NULL },
	{ "2s", time_units, 0, 3600000, 2000, NULL },
	{ "5m", time_units, 0, 3600000, 300000, NULL },
	{ "1h", time_units, 0, 3600000, 3600000, NULL },
	{ "100%", percent_units, 0, 100, 100, NULL },
	{ "5m", length_units, 1, 999, 5, NULL },
	{ "100Mbit/s", rate_units, 100000, 1000000000, 100000, NULL },
	{ "10Gbit/s", rate_units, 100000, 1000000000, 10000000, NULL },
	{ "1000Gbit/s", rate_units, 100000, 1000000000, 1000000000, NULL },

	{ "101%", percent_units, 0, 100, 0, "101% is not in 0%..100%" },
	{ "1000m", length_units, 1, 999, 0, "1000m is not in 1m..999m" },
	{ "0m", length_units, 1, 999, 0, "0m is not in 1m..999m" },
	{ "2h", time_units, 0, 3600000, 0, "2h is not in 0ms..1h" },
	{ "99999999s", time_units, 0, 3600000, 0, "99999999s is not in 0ms..1h" },
	{ "18446744073709551617ms", time_units, 0, 3600000, 0, "18446744073709551617ms is not in" },
	{ "18446744073709552KB", size_units, 0, 1000000, 0,
	  "18446744073709552KB is not in 0KB..1MB" },
	{ "150", size_units, 0, 1000000, 0, "150 needs a unit (KB KiB MB MiB): write 150KB if" },
	{ "5", length_units, 1, 999, 0, "5 needs a unit (m): write 5m if" },
	{ "05", length_units, 1, 999, 0, "05 needs a unit (m), and no leading zero" },
	{ "6m", length_units, 5, 5, 0, "6m is not 5m" },
	{ "99999999999999999999", length_units, 1, 999, 0,
	  "99999999999999999999 needs a unit (m)" },
	{ "1500k", size_units, 0, 1000000, 0, "'1500k': write 1500KB (units: KB KiB MB MiB)" },
	{ "150kib", size_units, 0, 1000000, 0, "'150kib': write 150KiB" },
	{ "150GB", size_units, 0, 1000000, 0,
	  "'150GB' has no unit that is known here (KB KiB MB MiB)" },
	{ "150KBit", size_units, 0, 1000000, 0, "'150KBit' has no unit that is known here" },
	{ "150 KiB", size_units, 0, 1000000, 0, "'150 KiB': write 150KiB" },
	{ "5metres", length_units, 1, 999, 0, "'5metres': write 5m" },
	{ "5cm", length_units, 1, 999, 0, "'5cm' has no unit that is known here (m)" },
	{ "30sec", time_units, 0, 3600000, 0, "'30sec': write 30s" },
	{ "30us", time_units, 0, 3600000, 0, "'30us' has no unit that is known here (ms s m h)" },
	{ "1.5MiB", size_units, 0, 1000000, 0, "'1.5MiB' is not a whole number with a unit" },
	{ "1,500KB", size_units, 0, 1000000, 0, "'1,500KB' is not a whole number with a unit" },
	{ "1 500KB", size_units, 0, 1000000, 0, "'1 500KB' is not a whole number with a unit" },
	{ "1e2KB", size_units, 0, 1000000, 0, "'1e2KB' is not a whole number with a unit" },
	{ "-5m", length_units, 1, 999, 0, "'-5m' is not a whole number with a unit (m), 1m..999m" },
	{ "+5m", length_units, 1, 999, 0, "'+5m' is not a whole number with a unit" },
	{ "0x5m", length_units, 1, 999, 0, "'0x5m' has no unit" },
	{ "05m", length_units, 1, 999, 0, "'05m' has a leading zero: write 5m" },
	{ "010%", percent_units, 0, 100, 0,
	  "'010%' has a leading zero: write 10%, or 8% if octal" },
	{ "m", length_units, 1, 999, 0, "'m' is not a whole number with a unit" },
	{ "", length_units, 1, 999, 0, "'' is not a whole number with a unit" },
	{ "5m5m", length_units, 1, 999, 0, "'5m5m'" },
	{ "99Mbit/s", rate_units, 100000, 1000000000, 0,
	  "99Mbit/s is not in 100Mbit/s..1000Gbit/s" },
	{ "1001Gbit/s", rate_units, 100000, 1000000000, 0, "1001Gbit/s is not in 100Mbit/s.." },
	{ "4295067296Mbit/s", rate_units, 100000, 1000000000, 0, "4295067296Mbit/s is not in" },
	{ "18446744073709552616Gbit/s", rate_units, 100000, 1000000000, 0,
	  "18446744073709552616Gbit/s is not in" },
	{ "10", rate_units, 100000, 1000000000, 0, "10 needs a unit (Mbit/s Gbit/s)" },
	{ "10G", rate_units, 100000, 1000000000, 0, "'10G': write 10Gbit/s" },
	{ "10Gbit", rate_units, 100000, 1000000000, 0, "'10Gbit' has no unit that is known here" },
	{ "10gbit/s", rate_units, 100000, 1000000000, 0, "'10gbit/s': write 10Gbit/s" },
	{ "10000kbit/s", rate_units, 100000, 1000000000, 0, "'10000kbit/s' has no unit" },
	{ "2.5Gbit/s", rate_units, 100000, 1000000000, 0, "'2.5Gbit/s' is not a whole number" },
	{ "-1Gbit/s", rate_units, 100000, 1000000000, 0, "'-1Gbit/s' is not a whole number" },
};

static void number(void **data)
{
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		const char *name = numbers[i].text, *wanted = numbers[i].trouble;
		struct trouble trouble = {};
		uint64_t value = 4711;
		bool good = number_parse(name, numbers[i].min, numbers[i].max, numbers[i].units,
					 &value, &trouble);

		case_equal(name, good, wanted == NULL);
		case_equal(name, value, wanted ? 4711 : (long long)numbers[i].value);
		if (wanted && strncmp(trouble.text, wanted, strlen(wanted)) != 0)
			fail_msg("%s: \"%s\", want \"%s\"", name, trouble.text, wanted);
	}
}

static void long_number_is_shown_short(void **data)
{
	char digits[5001];
	struct trouble trouble;
	uint64_t value;

	memset(digits, '9', sizeof(digits) - 1);
	digits[sizeof(digits) - 1] = '\0';
	assert_false(number_parse(digits, 0, 255, NULL, &value, &trouble));
	assert_non_null(strstr(trouble.text, "9999... is not in 0..255"));
	memset(digits, '0', sizeof(digits) - 1);
	assert_false(number_parse(digits, 0, 255, NULL, &value, &trouble));
	assert_non_null(strstr(trouble.text, "000...' has a leading zero: write 0"));
}

/* Put one value where a section may stand. */
static void value_place(const struct key_info *info, const char *value, char *text, size_t size)
{
	static const char *const before[] = {
		[SECTION_TOP] = "",
		[SECTION_ROCE] = "roce: {",
		[SECTION_CNP] = "roce: {cnp: {",
		[SECTION_QOS] = "qos: {",
		[SECTION_WATCHDOG] = "qos: {pfc_watchdog: {",
		[SECTION_ECN] = "ecn: {priorities: [3], ",
		[SECTION_NIC] = "nics: [{name: a, ",
		[SECTION_EXCEPT] = "nics: [{except: {",
		[SECTION_NODE] = "nodes: {a: {",
		[SECTION_SWITCH] = "switches: {a: {dialect: a, owner: b, ",
		[SECTION_ANSWER] = "",
		[SECTION_POLICY] = "policy: {",
	};
	static const char *const after[] = {
		[SECTION_TOP] = "",	   [SECTION_ROCE] = "}",
		[SECTION_CNP] = "}}",	   [SECTION_QOS] = "}",
		[SECTION_WATCHDOG] = "}}", [SECTION_ECN] = "}",
		[SECTION_NIC] = "}]",	   [SECTION_EXCEPT] = "}}]",
		[SECTION_NODE] = "}}",	   [SECTION_SWITCH] = "}}\nnodes: {b: {}}",
		[SECTION_ANSWER] = "",	   [SECTION_POLICY] = "}",
	};

	(void)snprintf(text, size, "%s%s%s: %s%s\n",
		       strcmp(info->name, "version") == 0 ? "fabric: pod-a\n" : SPEC_HEAD,
		       before[info->section], info->name, value, after[info->section]);
}

static bool is_refused(const struct key_info *info, const char *value, char **ret_shown)
{
	char text[512], refused[64];

	value_place(info, value, text, sizeof(text));
	(void)snprintf(refused, sizeof(refused), "error: %s: %s is not in ", info->name, value);
	*ret_shown = spec_findings(text, strlen(text));
	return strstr(*ret_shown, refused) != NULL;
}

/* Every row with a range: both ends are taken, what is one beyond is refused with the range. */
static void range_ends(void **data)
{
	size_t rows = 0;

	for (size_t i = 0; i < key_table_size; i++) {
		const struct key_info *info = &key_table[i];
		uint64_t min = info->knob ? info->knob->min : info->min;
		uint64_t max = info->knob ? info->knob->max : info->max,
			 values[4] = { min, max, max + 1, min - 1 };
		const struct unit *unit = info->units;
		char value[32], *shown;

		if ((info->kind != KIND_INTEGER && info->kind != KIND_QUANTITY) ||
		    strcmp(info->name, "version") == 0)
			continue;
		rows++;
		case_true(info->name, max > min);
		for (size_t j = 0; j < (min > 0 ? 4 : 3); j++) {
			uint64_t factor = 1;

			if (unit && unit == size_units) { /* no unit of one byte: whole steps */
				factor = j == 1 || j == 2 ? 1 << 20 : 1000;
				values[j] = j == 2 ? max + factor :
					    j == 3 ? min - factor :
						     values[j];
			}
			(void)snprintf(value, sizeof(value), "%" PRIu64 "%s", values[j] / factor,
				       !unit	      ? "" :
				       factor == 1000 ? "KB" :
				       factor > 1     ? "MiB" :
							unit->name);
			if (is_refused(info, value, &shown) != (j >= 2))
				fail_msg("%s: %s: %s\n%s", info->name, value,
					 j < 2 ? "refused" : "not refused", shown);
			free(shown);
		}
	}
	assert_int_equal(rows, 18);
}

static const struct spec_case words[] = {
	{ "trust off", SPEC_HEAD "qos: {trust: off}\n", 0,
	  "3:14: error: trust: 'off' is not known; allowed: dscp\n" },
	{ "trust \"off\"", SPEC_HEAD "qos: {trust: \"off\"}\n", 0,
	  "3:14: error: trust: 'off' is not known; allowed: dscp\n" },
	{ "trust 'off'", SPEC_HEAD "qos: {trust: 'off'}\n", 0,
	  "3:14: error: trust: 'off' is not known; allowed: dscp\n" },
	{ "trust false", SPEC_HEAD "qos: {trust: false}\n", 0,
	  "3:14: error: trust: the boolean false is not a word for this; allowed: dscp\n" },
	{ "trust True", SPEC_HEAD "qos: {trust: True}\n", 0,
	  "3:14: error: trust: the boolean True is not a word" },
	{ "trust \"false\" is a text", SPEC_HEAD "qos: {trust: \"false\"}\n", 0,
	  "3:14: error: trust: 'false' is not known" },
	{ "trust pcp", SPEC_HEAD "qos: {trust: pcp}\n", 0,
	  "3:14: error: trust: pcp is refused: it needs a VLAN egress map" },
	{ "trust dscp", SPEC_HEAD "qos: {trust: dscp}\n", 0, NULL },
	{ "trust \"dscp\"", SPEC_HEAD "qos: {trust: \"dscp\"}\n", 0, NULL },
	{ "trust DSCP", SPEC_HEAD "qos: {trust: DSCP}\n", 0,
	  "3:14: error: trust: 'DSCP' is not known; allowed: dscp\n" },
	{ "trust in a list", SPEC_HEAD "qos: {trust: [dscp]}\n", 0,
	  "3:14: error: trust: a single value is expected, not a list" },
	{ "ecn Yes", SPEC_HEAD "roce: {ecn: Yes}\n", 0,
	  "3:13: error: ecn: 'Yes' is not known; allowed: not-ect, ect1, ect0" },
	{ "mode 2", SPEC_HEAD "roce: {mode: 2}\n", 0,
	  "3:14: error: mode: '2' is not known; allowed: v1, v2" },
	{ "buffers manual", SPEC_HEAD "qos: {buffers: manual}\n", 0,
	  "3:16: error: buffers: 'manual' is not known; allowed: auto" },
	{ "action", SPEC_HEAD "qos: {pfc_watchdog: {action: kill}}\n", 0,
	  "3:30: error: action: 'kill' is not known; allowed: drop, forward, report" },
	{ "drift no", SPEC_HEAD "policy: {drift: no}\n", 0,
	  "3:17: error: drift: 'no' is not known; allowed: repair, report" },
	{ "disruptive", SPEC_HEAD "policy: {disruptive: always}\n", 0,
	  "3:22: error: disruptive: 'always' is not known; allowed: idle, apply, confirm, never" },
	{ "boolean yes", SPEC_HEAD "qos: {exclusive: yes}\n", 0,
	  "3:18: error: exclusive: 'yes' is not known; write true" },
	{ "boolean on", SPEC_HEAD "qos: {exclusive: on}\n", 0,
	  "3:18: error: exclusive: 'on' is not known; write true" },
	{ "boolean no", SPEC_HEAD "qos: {exclusive: no}\n", 0,
	  "3:18: error: exclusive: 'no' is not known; allowed: true, false" },
	{ "boolean TRUE", SPEC_HEAD "qos: {exclusive: TRUE}\n", 0,
	  "3:18: error: exclusive: 'TRUE' is not known; write true" },
	{ "boolean 1", SPEC_HEAD "qos: {exclusive: 1}\n", 0,
	  "3:18: error: exclusive: '1' is not known; write true" },
	{ "boolean false", SPEC_HEAD "qos: {exclusive: false}\n", 0, NULL },
	{ "key on", SPEC_HEAD "qos: {dscp_to_priority: {on: 3}}\n", 0,
	  "3:26: error: dscp_to_priority: key 'on' is not a whole number (0..63)" },
	{ "a node named no", SPEC_HEAD "nodes: {no: {}, on: {}, \"null\": {}, 007: {}}\n", 0,
	  NULL },
	{ "a fabric named no", "version: 1\nfabric: no\n", 0, NULL },
	{ "a netdev named off", SPEC_HEAD "nics: [{name: off}, {name: 1e3}, {name: 0x1a}]\n", 0,
	  NULL },
	{ "a PCI address like base 60", SPEC_HEAD "nics: [{pci: 10:20:30.0}]\n", 0,
	  "3:14: error: pci: '10:20:30.0' is not a PCI address" },
	{ "a MAC address like base 60", SPEC_HEAD "nics: [{mac: 10:20:30:40:50:01}]\n", 0, NULL },
	{ "vars keep their text",
	  SPEC_HEAD
	  "nodes: {a: {}}\nswitches: {s: {dialect: d, owner: a, vars: {layer3: no, n: 0x1a}}}\n",
	  0, NULL },
};

static const struct spec_case in_place[] = {
	{ "bit string", SPEC_HEAD "qos:\n  pfc: 00010000\n", 0,
	  "4:8: error: pfc: '00010000' looks like a string of bits; write a list" },
	{ "quoted bit string", SPEC_HEAD "qos: {pfc: \"00010000\"}\n", 0,
	  "3:12: error: pfc: '00010000' looks like a string of bits" },
	{ "priority alone", SPEC_HEAD "qos: {pfc: 3}\n", 0,
	  "3:12: error: pfc: a list is expected, write [3]" },
	{ "priorities as a text", SPEC_HEAD "qos: {pfc: '3,4'}\n", 0,
	  "3:12: error: pfc: a list is expected" },
	{ "priority 8", SPEC_HEAD "qos: {pfc: [8]}\n", 0, "3:13: error: pfc: 8 is not in 0..7" },
	{ "priority 03", SPEC_HEAD "qos: {pfc: [03]}\n", 0,
	  "3:13: error: pfc: '03' has a leading zero: write 3" },
	{ "priority twice", SPEC_HEAD "qos: {pfc: [3, 0x3]}\n", 0,
	  "3:16: error: pfc: '0x3' is in the list already" },
	{ "priority null", SPEC_HEAD "qos: {pfc: [~]}\n", 0,
	  "3:13: error: pfc: a value is missing" },
	{ "dscp 032", SPEC_HEAD "roce:\n  dscp: 032\n", 0,
	  "4:9: error: dscp: '032' has a leading zero: write 32, or 26" },
	{ "quoted number", SPEC_HEAD "roce: {traffic_class: \"106\"}\n", 0, NULL },
	{ "two errors at once", SPEC_HEAD "roce: {traffic_class: 362}\nmtu: 99999999999999999999\n",
	  0, "3:23: error: traffic_class: 362 is not in 0..255",
	  "f:4:6: error: mtu: 99999999999999999999 is not in 1500..65535" },
	{ "comma in braces", SPEC_HEAD "ecn: {priorities: [3], max: 1,500}\n", 0,
	  "3:29: error: max: 1 needs a unit",
	  "unknown key '500': if it belongs to the number before" },
	{ "26:3", SPEC_HEAD "qos:\n  dscp_to_priority: {26:3}\n", 0,
	  "4:22: error: dscp_to_priority: '26:3' is one key without a value: write 26: 3, with a "
	  "space" },
	{ "26:3, 48:6", SPEC_HEAD "qos: {dscp_to_priority: {26:3, 48:6}}\n", 0,
	  "3:26: error: dscp_to_priority: '26:3'", "write 48: 6, with a space" },
	{ "0x1a:3", SPEC_HEAD "qos: {dscp_to_priority: {0x1a:3}}\n", 0,
	  "3:26: error: dscp_to_priority: '0x1a:3' is one key without a value: write 0x1a: 3" },
	{ "0:50%", SPEC_HEAD "qos: {scheduler: {0:50%}}\n", 0,
	  "3:19: error: scheduler: '0:50%' is one key without a value: write 0: 50%" },
	{ "dscp:48", SPEC_HEAD "roce: {cnp: {dscp:48}}\n", 0,
	  "3:14: error: unknown key 'dscp:48': write dscp: 48, with a space" },
	{ "traffic_class:106", SPEC_HEAD "roce:\n  traffic_class:106\n", 0,
	  "4:3: error: roce: a map is expected: write traffic_class: 106, with a space" },
	{ "DSCP 64", SPEC_HEAD "qos: {dscp_to_priority: {64: 3}}\n", 0,
	  "3:26: error: dscp_to_priority: key 64 is not in 0..63" },
	{ "DSCP 026", SPEC_HEAD "qos: {dscp_to_priority: {026: 3}}\n", 0,
	  "3:26: error: dscp_to_priority: key '026' has a leading zero: write 26, or 22" },
	{ "priority of a DSCP", SPEC_HEAD "qos: {dscp_to_priority: {26: 8}}\n", 0,
	  "3:30: error: dscp_to_priority: 8 is not in 0..7" },
	{ "DSCP without a priority", SPEC_HEAD "qos: {dscp_to_priority: {26: }}\n", 0,
	  "3:26: error: '26' has no value" },
	{ "share 0", SPEC_HEAD "qos: {scheduler: {0: 0%}}\n", 0,
	  "3:22: error: scheduler: 0% is not in 1%..100%" },
	{ "share without a unit", SPEC_HEAD "qos: {scheduler: {0: 100}}\n", 0,
	  "3:22: error: scheduler: 100 needs a unit (%): write 100% if" },
	{ "share STRICT", SPEC_HEAD "qos: {scheduler: {0: STRICT}}\n", 0,
	  "3:22: error: scheduler: 'STRICT' is not a whole number" },
	{ "apply_to alone", SPEC_HEAD "roce: {apply_to: verbs}\n", 0,
	  "3:18: error: apply_to: a list is expected" },
	{ "apply_to twice", SPEC_HEAD "roce: {apply_to: [verbs, verbs]}\n", 0,
	  "3:26: error: apply_to: 'verbs' is in the list already" },
	{ "apply_to of nothing", SPEC_HEAD "roce: {apply_to: []}\n", 0,
	  "3:18: error: apply_to: the list is empty" },
	{ "apply_to else", SPEC_HEAD "roce: {apply_to: [ucx]}\n", 0,
	  "3:19: error: apply_to: 'ucx' is not known; allowed: rdma-cm, verbs" },
	{ "ecn of no priority", SPEC_HEAD "ecn: {priorities: []}\n", 0,
	  "3:19: error: priorities: the list is empty" },
	{ "empty map", SPEC_HEAD "qos: {dscp_to_priority: {}}\n", 0,
	  "3:25: error: dscp_to_priority: the map is empty" },
	{ "rates", SPEC_HEAD "qos: {max_rate: {0: 100Mbit/s, 0x3: 1000Gbit/s, 7: unlimited}}\n",
	  0, NULL },
	{ "rate of priority 8", SPEC_HEAD "qos: {max_rate: {8: 1Gbit/s}}\n", 0,
	  "3:18: error: max_rate: key 8 is not in 0..7" },
	{ "rate 0", SPEC_HEAD "qos: {max_rate: {3: 0Gbit/s}}\n", 0,
	  "3:21: error: max_rate: 0Gbit/s is not in 100Mbit/s..1000Gbit/s" },
	{ "a rate that is cut to a good one", SPEC_HEAD "qos: {max_rate: {3: 4294968Mbit/s}}\n", 0,
	  "3:21: error: max_rate: 4294968Mbit/s is not in" },
	{ "rate without a unit", SPEC_HEAD "qos: {max_rate: {3: 10000000}}\n", 0,
	  "3:21: error: max_rate: 10000000 needs a unit (Mbit/s Gbit/s)" },
	{ "rate in bytes", SPEC_HEAD "qos: {max_rate: {3: 10MB}}\n", 0,
	  "3:21: error: max_rate: '10MB' has no unit that is known here (Mbit/s Gbit/s)" },
	{ "rate none", SPEC_HEAD "qos: {max_rate: {3: none}}\n", 0,
	  "3:21: error: max_rate: 'none' is not a whole number with a unit" },
	{ "rate null", SPEC_HEAD "qos: {max_rate: {3: }}\n", 0, "3:18: error: '3' has no value" },
	{ "rate twice", SPEC_HEAD "qos: {max_rate: {3: 1Gbit/s, 0x3: 1Gbit/s}}\n", 0,
	  "3:30: error: max_rate: duplicate key 0x3, the same as '3' on line 3" },
	{ "3:1Gbit/s", SPEC_HEAD "qos: {max_rate: {3:1Gbit/s}}\n", 0,
	  "3:18: error: max_rate: '3:1Gbit/s' is one key without a value: write 3: 1Gbit/s" },
	{ "one rate for all", SPEC_HEAD "qos: {max_rate: 10Gbit/s}\n", 0,
	  "3:17: error: max_rate: a map is expected" },
	{ "no rates", SPEC_HEAD "qos: {max_rate: {}}\n", 0,
	  "3:17: error: max_rate: the map is empty" },
	{ "empty scheduler", SPEC_HEAD "qos: {scheduler: {}}\n", 0,
	  "3:18: error: scheduler: the map is empty" },
	{ "empty list of ecn", SPEC_HEAD "ecn: []\n", 0, "3:6: error: ecn: the list is empty" },
	{ "version 2", "version: 2\nfabric: A B\nfoo: 3\n", 0,
	  "1:10: error: version 2 of the fabric file is not known here" },
	{ "version 1.0", "version: 1.0\nfabric: a\n", 0,
	  "1:10: error: version: '1.0' is not a whole number: write 1" },
	{ "version missing", "fabric: a\n", 0, "1:1: error: the file has no version" },
	{ "fabric missing", "version: 1\n", 0, "1:1: error: the file has no fabric" },
	{ "fabric in capitals", "version: 1\nfabric: Pod\n", 0,
	  "2:9: error: fabric: 'Pod' is not a name of a fabric: a-z 0-9 -" },
	{ "fabric too long",
	  "version: 1\nfabric: a123456789012345678901234567890123456789012345678901234567890123\n",
	  0, "2:9: error: fabric: 'a", "has 64 characters, at most 63" },
};

static void word(void **data)
{
	spec_cases_run(words, ARRAY_SIZE(words));
}

static void value_in_place(void **data)
{
	spec_cases_run(in_place, ARRAY_SIZE(in_place));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(number),	  cmocka_unit_test(long_number_is_shown_short),
		cmocka_unit_test(range_ends),	  cmocka_unit_test(word),
		cmocka_unit_test(value_in_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
