/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keys: unknown ones and those in the wrong place (field case Y04), null values, kinds, names with
 * closed sets; and the table of keys itself.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/spec/key.h"
#include "lib/spec/select.h"
#include "tests/support/cases.h"
#include "tests/support/spec-case.h"

#define NICS SPEC_HEAD "nics:\n  - "

static const struct spec_case unknown[] = {
	{ "as in the specification", SPEC_HEAD "qos:\n  pfc_prios: [3]\n", 0,
	  "4:3: error: unknown key 'pfc_prios', did you mean 'pfc'?\n    4 |   pfc_prios: [3]\n    "
	  "  |   ^~~~~~~~~\n" },
	{ "typing error", SPEC_HEAD "roce: {trafic_class: 106}\n", 0,
	  "3:8: error: unknown key 'trafic_class', did you mean 'traffic_class'?" },
	{ "swapped letters", SPEC_HEAD "qso: {}\n", 0,
	  "3:1: error: unknown key 'qso', did you mean 'qos'?" },
	{ "typing error and wrong place", SPEC_HEAD "nics:\n  - name: a\n    trafic_class: 106\n",
	  0, "5:5: error: unknown key 'trafic_class'; 'traffic_class' belongs under roce" },
	{ "pfc at the top", SPEC_HEAD "pfc: [3]\n", 0,
	  "3:1: error: unknown key 'pfc', it belongs under qos" },
	{ "pfc in an item", NICS "{name: a, pfc: [3]}\n", 0,
	  "4:15: error: unknown key 'pfc', it belongs under qos" },
	{ "policy in a switch",
	  SPEC_HEAD "switches: {s: {dialect: d, owner: a, policy: {}}}\nnodes: {a: {}}\n", 0,
	  "3:38: error: unknown key 'policy', it belongs at the top level" },
	{ "roce in a switch",
	  SPEC_HEAD "switches: {s: {dialect: d, owner: a, roce: {}}}\nnodes: {a: {}}\n", 0,
	  "3:38: error: unknown key 'roce', it belongs at the top level" },
	{ "dscp at the top", SPEC_HEAD "dscp: 26\n", 0,
	  "3:1: error: unknown key 'dscp', it belongs under roce" },
	{ "legacy_algorithms at the top", SPEC_HEAD "legacy_algorithms: []\n", 0,
	  "3:1: error: unknown key 'legacy_algorithms', it belongs under a switch" },
	{ "dscp_map", SPEC_HEAD "qos: {dscp_map: {26: 3}}\n", 0,
	  "3:7: error: unknown key 'dscp_map', did you mean 'dscp_to_priority'?" },
	{ "kmin", SPEC_HEAD "ecn: {priorities: [3], kmin: 1KB}\n", 0,
	  "3:24: error: unknown key 'kmin', did you mean 'min'?" },
	{ "far from all", SPEC_HEAD "roce: {wibble: 1}\n", 0,
	  "3:8: error: unknown key 'wibble'; known here: mode traffic_class dscp ecn cnp "
	  "apply_to\n" },
	{ "capitals", SPEC_HEAD "MTU: 9000\n", 0, "3:1: error: unknown key 'MTU'" },
	{ "all at once",
	  SPEC_HEAD "nics:\n  - name: ens1f0np0\n    trafic_class: 106\npfc: [3]\nx-defaults: &d "
		    "{mtu: 9000}\n",
	  0, "5:5: error: unknown key 'trafic_class'",
	  "f:6:1: error: unknown key 'pfc', it belongs under qos" },
	{ "free keys",
	  SPEC_HEAD "x-a: [1]\nroce: {x-b: 1}\nqos: {x-c: {pfc: 1}}\nnics: [{name: a, x-d: "
		    "1}]\nnodes: {a: {x-e: 1}}\npolicy: {x-f: 1}\n",
	  0, NULL },
	{ "x alone is not free", SPEC_HEAD "x: 1\nxa: 1\n", 0, "3:1: error: unknown key 'x'",
	  "4:1: error: unknown key 'xa'" },
	{ "control byte in a key", SPEC_HEAD "\"a\\eb\": 1\n", 0,
	  "3:1: error: a control character in a text, U+001B" },
};

static const struct spec_case nulls[] = {
	{ "section", SPEC_HEAD "qos:\n", 0, "3:1: error: 'qos' has no value" },
	{ "version", "version:\nfabric: a\n", 0, "1:1: error: 'version' has no value" },
	{ "fabric ~", "version: 1\nfabric: ~\n", 0, "2:1: error: 'fabric' has no value" },
	{ "mtu null", SPEC_HEAD "mtu: null\n", 0, "3:1: error: 'mtu' has no value" },
	{ "mtu Null", SPEC_HEAD "mtu: Null\n", 0, "3:1: error: 'mtu' has no value" },
	{ "mtu NULL", SPEC_HEAD "mtu: NULL\n", 0, "3:1: error: 'mtu' has no value" },
	{ "mtu empty quotes", SPEC_HEAD "mtu: ''\n", 0,
	  "3:6: error: mtu: '' is not a whole number" },
	{ "pfc", SPEC_HEAD "qos: {pfc: }\n", 0, "3:7: error: 'pfc' has no value" },
	{ "node", SPEC_HEAD "nodes:\n  \"*\":\n", 0, "4:3: error: '*' has no value; write {}" },
	{ "switch", SPEC_HEAD "switches:\n  s:\n", 0, "4:3: error: 's' has no value" },
	{ "port",
	  SPEC_HEAD "nodes: {a: {}}\nswitches: {s: {dialect: d, owner: a, ports: {p1: }}}\n", 0,
	  "4:46: error: 'p1' has no value" },
	{ "var", SPEC_HEAD "nodes: {a: {}}\nswitches: {s: {dialect: d, owner: a, vars: {v: ~}}}\n",
	  0, "4:45: error: 'v' has no value" },
	{ "item", SPEC_HEAD "nics: [~]\n", 0, "3:8: error: nics: a map is expected" },
	{ "selector in a list", SPEC_HEAD "nics: [{name: [~]}]\n", 0,
	  "3:16: error: name: a value is missing" },
	{ "free key", SPEC_HEAD "x-a:\n", 0, NULL },
};

static const struct spec_case kinds[] = {
	{ "section as a list", SPEC_HEAD "qos: [pfc]\n", 0,
	  "3:6: error: qos: a map is expected, as {key: value}, not a list" },
	{ "section as a text", SPEC_HEAD "roce: v2\n", 0,
	  "3:7: error: roce: a map is expected, as {key: value}, not a single value" },
	{ "number as a map", SPEC_HEAD "mtu: {a: 1}\n", 0,
	  "3:6: error: mtu: a single value is expected, not a map" },
	{ "number as a list", SPEC_HEAD "mtu: [9000]\n", 0,
	  "3:6: error: mtu: a single value is expected, not a list" },
	{ "list as a map", SPEC_HEAD "qos: {pfc: {3: true}}\n", 0,
	  "3:12: error: pfc: a list is expected, such as [a, b], not a map" },
	{ "nodes as a list", SPEC_HEAD "nodes: [a]\n", 0, "3:8: error: nodes: a map is expected" },
	{ "node as a text", SPEC_HEAD "nodes: {a: b}\n", 0, "3:12: error: a: a map is expected" },
	{ "map of DSCPs as a list", SPEC_HEAD "qos: {dscp_to_priority: [26, 3]}\n", 0,
	  "3:25: error: dscp_to_priority: a map is expected" },
	{ "ecn as a number", SPEC_HEAD "ecn: 3\n", 0, "3:6: error: ecn: a map is expected" },
	{ "ecn as a list of numbers", SPEC_HEAD "ecn: [3]\n", 0,
	  "3:7: error: ecn: a map is expected" },
	{ "fabric as a list", "version: 1\nfabric: [a]\n", 0,
	  "2:9: error: fabric: a single value is expected" },
	{ "switches as a list", SPEC_HEAD "switches: []\n", 0,
	  "3:11: error: switches: a map is expected" },
	{ "host_key alone",
	  SPEC_HEAD "nodes: {a: {}}\nswitches: {s: {dialect: d, owner: a, host_key: 'SHA256:x'}}\n",
	  0, "4:48: error: host_key: a list is expected" },
};

static const struct spec_case nics[] = {
	{ "no selector", NICS "{mtu: 9000}\n", 0,
	  "4:5: error: an item of nics needs name, driver, pci, rdma or mac" },
	{ "empty item", NICS "{}\n", 0, "4:5: error: an item of nics needs" },
	{ "empty list", SPEC_HEAD "nics: []\n", 0, NULL },
	{ "empty selector list", NICS "{name: []}\n", 0, "4:12: error: name: the list is empty" },
	{ "empty selector", NICS "{name: ''}\n", 0, "4:12: error: name: the device is empty" },
	{ "except with settings", NICS "except: {name: a}\n    mtu: 9000\n", 0,
	  "5:5: error: 'mtu' beside except" },
	{ "except with a selector", NICS "{name: a, except: {name: b}}\n", 0,
	  "4:6: error: 'name' beside except" },
	{ "empty except", NICS "except: {}\n", 0,
	  "4:13: error: except needs name, driver, pci, rdma or mac" },
	{ "settings in except", NICS "except: {name: a, mtu: 9000}\n", 0,
	  "4:23: error: unknown key 'mtu'" },
	{ "same selector twice", NICS "name: a\n  - name: b\n  - name: a\n    mtu: 9000\n", 0,
	  "6:5: error: the same selector as on line 4" },
	{ "same selectors in another order",
	  NICS "{name: [a, b], driver: ice}\n  - {driver: [ice], name: [b, a]}\n", 0,
	  "5:5: error: the same selector as on line 4" },
	{ "same PCI address, other case", NICS "pci: 0000:3B:00.0\n  - pci: 0000:3b:00.0\n", 0,
	  "5:5: error: the same selector as on line 4" },
	{ "name and rdma of one text differ", NICS "name: a\n  - rdma: a\n", 0, NULL },
	{ "except may repeat", NICS "name: a\n  - except: {name: a}\n", 0, NULL },
	{ "same selector in another list", NICS "name: a\nnodes: {n: {nics: [{name: a}]}}\n", 0,
	  NULL },
	{ "same selector in a node", SPEC_HEAD "nodes: {n: {nics: [{name: a}, {name: a}]}}\n", 0,
	  "3:31: error: the same selector as on line 3" },
	{ "bracket left open", NICS "name: \"ens[1\"\n", 0,
	  "4:11: error: 'ens[1' has a [ without ]" },
	{ "bracket left open in a list", NICS "name: [a, \"b[1\"]\n", 0,
	  "4:15: error: 'b[1' has a [ without ]" },
	{ "bracket left open in except", NICS "except: {rdma: \"mlx5_[0\"}\n", 0,
	  "4:20: error: 'mlx5_[0' has a [ without ]" },
	{ "blank in a name", NICS "name: a b\n", 0, "4:11: error: name: 'a b' is not a device" },
	{ "slash in a name", NICS "name: ../a\n", 0, "4:11: error: name: '../a' is not a device" },
	{ "shell in a name", NICS "name: $(reboot)\n", 0,
	  "4:11: error: name: '$(reboot)' is not a device" },
	{ "driver", NICS "driver: mlx5 core\n", 0,
	  "4:13: error: driver: 'mlx5 core' is not a driver" },
	{ "PCI address without a domain", NICS "pci: 3b:00.0\n", 0, NULL },
	{ "PCI address", NICS "pci: 0000:3b:00\n", 0,
	  "4:10: error: pci: '0000:3b:00' is not a PCI address" },
	{ "PCI address with a dot for a colon", NICS "pci: 0000.3b:00.0\n", 0,
	  "4:10: error: pci: '0000.3b:00.0' is not a PCI address" },
	{ "PCI function", NICS "pci: 0000:3b:00.8\n", 0, "4:10: error: pci: '0000:3b:00.8' is "
	  "not" },
	{ "PCI pattern", NICS "pci: \"0000:3b:*\"\n", 0, NULL },
	{ "MAC address", NICS "mac: 02:00:5e:10:00\n", 0,
	  "4:10: error: mac: '02:00:5e:10:00' is not a MAC address" },
	{ "MAC pattern", NICS "mac: \"02:00:5e:*\"\n", 0, NULL },
	{ "item as a text", NICS "ens1f0np0\n", 0, "4:5: error: nics: a map is expected" },
};

static void key_unknown(void **data)
{
	spec_cases_run(unknown, ARRAY_SIZE(unknown));
}

static void value_null(void **data)
{
	spec_cases_run(nulls, ARRAY_SIZE(nulls));
}

static void kind_wrong(void **data)
{
	spec_cases_run(kinds, ARRAY_SIZE(kinds));
}

static void nics_list(void **data)
{
	spec_cases_run(nics, ARRAY_SIZE(nics));
}

/* Each key once in a section; a kept key is of one kind and range wherever it stands. */
static void table(void **data)
{
	for (size_t i = 0; i < key_table_size; i++) {
		const struct key_info *info = &key_table[i], *first;

		case_true(info->name, key_find(info->section, info->name) == info);
		case_true(info->name, info->kind != KIND_WORD || info->words ||
					      (info->knob && info->knob->words));
		case_true(info->name, strlen(section_name(info->section)) > 0);
		if (info->key == KEY_NONE)
			continue;
		first = key_info(info->key);
		case_equal(info->name, info->kind, first->kind);
		case_string(info->name, info->name, first->name);
		case_true(info->name, info->knob == first->knob && info->words == first->words);
	}
	for (enum key key = KEY_NONE + 1; key < KEY_POLICY_END; key++)
		assert_non_null(key_info(key));
	assert_null(key_find(SECTION_TOP, "pfc"));
	assert_null(key_find(SECTION_MAX, "qos"));
}

static const struct {
	const char *pattern;
	const char *text;
	bool ignore_case;
	bool matches;
} patterns[] = {
	{ "ens1f0np0", "ens1f0np0", false, true },
	{ "ens1f0np0", "ens1f0np1", false, false },
	{ "ens1f0", "ens1f0np0", false, false },
	{ "ens1f0np0", "ens1f0", false, false },
	{ "", "", false, true },
	{ "", "a", false, false },
	{ "*", "", false, true },
	{ "*", "ens1f0np0", false, true },
	{ "ens9*", "ens9f0", false, true },
	{ "ens9*", "ens9", false, true },
	{ "ens9*", "ens8f0", false, false },
	{ "*np0", "ens1f0np0", false, true },
	{ "*np0", "ens1f0np01", false, false },
	{ "e*f*0", "ens1f0np0", false, true },
	{ "e*f*1", "ens1f0np0", false, false },
	{ "**", "a", false, true },
	{ "a*b*c", "aXbXbXc", false, true },
	{ "ens?f0", "ens1f0", false, true },
	{ "ens?f0", "ensf0", false, false },
	{ "ens?", "ens", false, false },
	{ "ens[1-3]f0", "ens2f0", false, true },
	{ "ens[1-3]f0", "ens4f0", false, false },
	{ "ens[!1-3]f0", "ens4f0", false, true },
	{ "ens[!1-3]f0", "ens2f0", false, false },
	{ "ens[13]f0", "ens3f0", false, true },
	{ "ens[13]f0", "ens2f0", false, false },
	{ "[]a]", "]", false, true },
	{ "[a-]", "-", false, true },
	{ "[a", "[a", false, true },
	{ "*[1]", "a1a1", false, true },
	{ "ENS1", "ens1", false, false },
	{ "0000:3B:*", "0000:3b:00.0", true, true },
	{ "[A-F]0", "b0", true, true },
	{ "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	  false, false },
};

static void pattern(void **data)
{
	for (size_t i = 0; i < ARRAY_SIZE(patterns); i++)
		case_equal(patterns[i].pattern,
			   pattern_matches(patterns[i].pattern, patterns[i].text,
					   patterns[i].ignore_case),
			   patterns[i].matches);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(key_unknown), cmocka_unit_test(value_null),
		cmocka_unit_test(kind_wrong),  cmocka_unit_test(nics_list),
		cmocka_unit_test(table),       cmocka_unit_test(pattern),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
