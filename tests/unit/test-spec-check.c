/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Cross-checks: two facts of the file that do not go together, each with the line of the other; in
 * one layer and where layers meet.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "tests/support/cases.h"
#include "tests/support/spec-case.h"

#define QOS "qos:\n  dscp_to_priority: {26: 3}\n  pfc: [3]\n" /* lines 3 to 5 */

static const struct spec_case roce[] = {
	{ "good", SPEC_HEAD QOS "roce: {traffic_class: 106}\n", 0, NULL },
	{ "dscp and ecn agree with the class",
	  SPEC_HEAD QOS "roce: {traffic_class: 106, dscp: 26, ecn: ect0}\n", 0, NULL },
	{ "dscp disagrees", SPEC_HEAD "roce:\n  traffic_class: 106\n  dscp: 34\n", 0,
	  "5:9: error: dscp 34 and traffic_class 106 (line 4) do not agree: 106 is DSCP 26" },
	{ "ecn disagrees", SPEC_HEAD "roce: {traffic_class: 104, ecn: ect0}\n", 0,
	  "3:33: error: ecn ect0 and traffic_class 104 (line 3) do not agree: 104 is not-ect" },
	{ "ecn ect1 is 1", SPEC_HEAD "roce: {traffic_class: 105, ecn: ect1}\n", 0, NULL },
	{ "ecn not-ect is 0", SPEC_HEAD "roce: {traffic_class: 104, ecn: not-ect}\n", 0, NULL },
	{ "ecn alone", SPEC_HEAD "roce: {ecn: ect0}\n", 0,
	  "3:13: error: ecn is a part of the traffic class" },
	{ "v1 with pfc", SPEC_HEAD QOS "roce: {mode: v1}\n", 0,
	  "6:14: error: mode v1 carries no DSCP: it does not go with pfc (line 5)" },
	{ "v1 with dscp", SPEC_HEAD "roce: {mode: v1, dscp: 26}\n", 0,
	  "3:14: error: mode v1 carries no DSCP: it does not go with dscp (line 3)" },
	{ "v1 with traffic_class", SPEC_HEAD "roce: {mode: v1, traffic_class: 106}\n", 0,
	  "3:14: error: mode v1 carries no DSCP: it does not go with traffic_class" },
	{ "v1 with a map", SPEC_HEAD "roce: {mode: v1}\nqos: {dscp_to_priority: {26: 3}}\n", 0,
	  "3:14: error: mode v1 carries no DSCP: it does not go with dscp_to_priority (line 4)" },
	{ "v1 with pfc off", SPEC_HEAD "roce: {mode: v1}\nqos: {pfc: []}\n", 0, NULL },
	{ "class not lossless",
	  SPEC_HEAD
	  "qos:\n  dscp_to_priority: {26: 4, 24: 3}\n  pfc: [3]\nroce: {traffic_class: 106}\n",
	  0,
	  "6:23: error: traffic_class 106 is DSCP 26, which dscp_to_priority (line 4) maps to "
	  "priority 4, and that is not in pfc (line 5)" },
	{ "dscp not lossless",
	  SPEC_HEAD "qos: {dscp_to_priority: {26: 4, 24: 3}, pfc: [3]}\nroce: {dscp: 26}\n", 0,
	  "4:14: error: dscp 26 is DSCP 26, which" },
	{ "class not named",
	  SPEC_HEAD "qos: {dscp_to_priority: {24: 3}, pfc: [3]}\nroce: {traffic_class: 106}\n", 0,
	  "4:23: error: traffic_class 106 is DSCP 26, which dscp_to_priority (line 3) does not "
	  "name" },
	{ "ECN-only RoCE",
	  SPEC_HEAD "qos: {dscp_to_priority: {26: 4}, pfc: []}\nroce: {traffic_class: 106}\n", 0,
	  NULL },
	{ "no pfc", SPEC_HEAD "qos: {dscp_to_priority: {26: 4}}\nroce: {traffic_class: 106}\n", 0,
	  NULL },
	{ "no map", SPEC_HEAD "qos: {pfc: [3]}\nroce: {traffic_class: 106}\n", 0,
	  "3:12: warning: priority 3 is in pfc, but no DSCP of dscp_to_priority reaches it" },
	{ "pfc not reached", SPEC_HEAD "qos: {dscp_to_priority: {26: 3}, pfc: [3, 5]}\n", 0,
	  "3:39: warning: priority 5 is in pfc, but no DSCP" },
	{ "exclusive without a map", SPEC_HEAD "qos: {exclusive: true}\n", 0,
	  "3:18: error: exclusive needs dscp_to_priority" },
	{ "exclusive false without a map", SPEC_HEAD "qos: {exclusive: false}\n", 0, NULL },
};

static const struct spec_case cnp[] = {
	{ "good", SPEC_HEAD QOS "roce: {traffic_class: 106, cnp: {dscp: 48, priority: 6}}\n", 0,
	  NULL },
	{ "in the map too",
	  SPEC_HEAD "qos: {dscp_to_priority: {26: 3, 48: 6}, pfc: [3]}\nroce: {cnp: {dscp: 48, "
		    "priority: 6}}\n",
	  0, NULL },
	{ "disagrees with the map",
	  SPEC_HEAD
	  "qos:\n  dscp_to_priority:\n    26: 3\n    48: 5\nroce: {cnp: {dscp: 48, priority: 6}}\n",
	  0,
	  "7:34: error: cnp has DSCP 48 and priority 6, but dscp_to_priority (line 6) maps 48 to "
	  "5" },
	{ "lossless",
	  SPEC_HEAD "qos: {dscp_to_priority: {26: 3, 34: 6}, pfc: [3, 6]}\nroce: {cnp: {dscp: 48, "
		    "priority: 6}}\n",
	  0, "4:34: error: cnp priority 6 is lossless by pfc (line 3)" },
	{ "lossless by its DSCP",
	  SPEC_HEAD "qos: {dscp_to_priority: {48: 3}, pfc: [3]}\nroce: {cnp: {dscp: 48}}\n", 0,
	  "4:20: error: cnp priority 3 is lossless by pfc (line 3)" },
	{ "that of RoCE",
	  SPEC_HEAD "qos: {dscp_to_priority: {26: 3}}\nroce: {traffic_class: 106, cnp: {dscp: 48, "
		    "priority: 3}}\n",
	  0, "4:54: error: cnp priority 3 is that of RoCE itself (DSCP 26, line 3)" },
	{ "priority alone", SPEC_HEAD "roce: {cnp: {priority: 6}}\n", 0, NULL },
	{ "dscp alone", SPEC_HEAD "roce: {cnp: {dscp: 48}}\n", 0, NULL },
	{ "empty", SPEC_HEAD "roce: {cnp: {}}\n", 0, "3:8: error: cnp needs dscp or priority" },
	{ "reaches a priority of ecn",
	  SPEC_HEAD "qos: {dscp_to_priority: {26: 3}}\nroce: {cnp: {dscp: 48, priority: 6}}\necn: "
		    "{priorities: [6]}\n",
	  0, NULL },
};

static const struct spec_case sharing[] = {
	{ "good", SPEC_HEAD "qos: {scheduler: {0: 50%, 3: 50%, 6: strict}}\n", 0, NULL },
	{ "all strict", SPEC_HEAD "qos: {scheduler: {0: strict, 3: strict}}\n", 0, NULL },
	{ "all eight",
	  SPEC_HEAD
	  "qos: {scheduler: {0: 30%, 1: 10%, 2: 10%, 3: 10%, 4: 10%, 5: 10%, 6: 10%, 7: 10%}}\n",
	  0, NULL },
	{ "99", SPEC_HEAD "qos: {scheduler: {0: 49%, 3: 50%, 6: strict}}\n", 0,
	  "3:7: error: the shares of scheduler are 99% together" },
	{ "101", SPEC_HEAD "qos: {scheduler: {0: 51%, 3: 50%}}\n", 0,
	  "3:7: error: the shares of scheduler are 101% together" },
	{ "800",
	  SPEC_HEAD "qos: {scheduler: {0: 100%, 1: 100%, 2: 100%, 3: 100%, 4: 100%, 5: 100%, 6: "
		    "100%, 7: 100%}}\n",
	  0, "3:7: error: the shares of scheduler are 800% together" },
	{ "without 0", SPEC_HEAD "qos: {scheduler: {3: 100%}}\n", 0,
	  "3:7: error: scheduler has to list priority 0" },
};

static const struct spec_case marking[] = {
	{ "good",
	  SPEC_HEAD "ecn: {priorities: [3], min: 150KiB, max: 1500KiB, probability: 100%}\n", 0,
	  NULL },
	{ "min is max", SPEC_HEAD "ecn: {priorities: [3], min: 1024KiB, max: 1MiB}\n", 0, NULL },
	{ "min over max", SPEC_HEAD "ecn:\n  priorities: [3]\n  max: 1500KB\n  min: 1500KiB\n", 0,
	  "6:8: error: min 1500KiB is more than max 1500KB (line 5)" },
	{ "no priorities", SPEC_HEAD "ecn: {min: 150KiB}\n", 0,
	  "3:1: error: ecn needs priorities" },
	{ "not reached", SPEC_HEAD "qos: {dscp_to_priority: {26: 3}}\necn: {priorities: [3, 4]}\n",
	  0,
	  "4:19: error: priority 4 is in ecn, but no DSCP of dscp_to_priority (line 3) reaches "
	  "it" },
	{ "two maps", SPEC_HEAD "ecn:\n  - {priorities: [3], min: 1MB}\n  - {priorities: [4]}\n", 0,
	  NULL },
	{ "two maps of one priority",
	  SPEC_HEAD "ecn:\n  - {priorities: [3]}\n  - {priorities: [4, 3]}\n", 0,
	  "5:18: error: priority 3 is in two maps of ecn, first on line 4" },
	{ "a map without priorities", SPEC_HEAD "ecn:\n  - {priorities: [3]}\n  - {min: 1MB}\n", 0,
	  "5:5: error: ecn needs priorities" },
	{ "nine maps",
	  SPEC_HEAD "ecn: [{priorities: [0]}, {priorities: [1]}, {priorities: [2]}, {priorities: "
		    "[3]}, {priorities: [4]}, {priorities: [5]}, {priorities: [6]}, {priorities: "
		    "[7]}, {priorities: [7]}]\n",
	  0, "3:159: error: ecn: more than 8 maps" },
};

#define TOP                                      \
	SPEC_HEAD "roce: {traffic_class: 106}\n" \
		  "qos: {dscp_to_priority: {26: 3}, pfc: [3]}\n"

static const struct spec_case layers[] = {
	{ "an item's class that the map does not name: warning",
	  TOP "nics:\n  - name: a\n    roce: {traffic_class: 138}\n", 0,
	  "7:27: warning: traffic_class 138 is DSCP 34, which dscp_to_priority (line 4) does not "
	  "name: it need not end in a priority of pfc (line 4)" },
	{ "an item's class that its own map does not name",
	  TOP "nics:\n  - name: a\n    roce: {traffic_class: 138}\n    qos: {dscp_to_priority: "
	      "{35: 3}}\n",
	  0, "7:27: error: traffic_class 138 is DSCP 34" },
	{ "an item's class that ends in a lossy priority",
	  TOP "nics:\n  - name: a\n    roce: {traffic_class: 138}\n    qos: {dscp_to_priority: "
	      "{34: 4}}\n",
	  0,
	  "7:27: error: traffic_class 138 is DSCP 34, which dscp_to_priority (line 8) maps to "
	  "priority 4, and that is not in pfc (line 4)" },
	{ "an item's class with its map",
	  TOP "nics:\n  - name: a\n    roce: {traffic_class: 138}\n    qos: {dscp_to_priority: "
	      "{34: 3}}\n",
	  0, NULL },
	{ "a node's class that the map does not name",
	  TOP "nodes: {n: {roce: {traffic_class: 138}}}\n", 0,
	  "5:35: error: traffic_class 138 is DSCP 34" },
	{ "a node's pfc", TOP "nodes: {n: {qos: {pfc: [4]}}}\n", 0,
	  "3:23: error: traffic_class 106 is DSCP 26, which dscp_to_priority (line 4) maps to "
	  "priority 3, and that is not in pfc (line 5)" },
	{ "a node replaces a list", TOP "nodes: {n: {qos: {pfc: []}}}\n", 0, NULL },
	{ "a node adds to the map",
	  TOP "nodes: {n: {qos: {dscp_to_priority: {34: 3}}, roce: {traffic_class: 138}}}\n", 0,
	  NULL },
	{ "a node's dscp against the class", TOP "nodes: {n: {roce: {dscp: 34}}}\n", 0,
	  "5:26: error: dscp 34 and traffic_class 106 (line 3) do not agree" },
	{ "rates of classes",
	  SPEC_HEAD "qos: {scheduler: {0: 50%, 3: 50%, 6: strict},\n"
		    "max_rate: {0: 1Gbit/s, 3: 2Gbit/s, 6: unlimited}}\n",
	  0, NULL },
	{ "one rate in a shared class",
	  SPEC_HEAD "qos: {scheduler: {0: 50%, 3: 50%}, max_rate: {0: 1Gbit/s, 5: 1Gbit/s}}\n", 0,
	  NULL },
	{ "two rates in a shared class",
	  SPEC_HEAD "qos: {scheduler: {0: 50%, 3: 50%},\nmax_rate: {0: 1Gbit/s, 5: 2Gbit/s}}\n", 0,
	  "4:1: error: max_rate gives priorities 0 and 5 different rates, but scheduler (line 3) "
	  "leaves both in the class of priority 0" },
	{ "two that are not listed",
	  SPEC_HEAD "qos: {scheduler: {0: strict}, max_rate: {2: 1Gbit/s, 5: unlimited}}\n", 0,
	  "3:31: error: max_rate gives priorities 2 and 5 different rates" },
	{ "two rates, classes unknown",
	  SPEC_HEAD "qos: {max_rate: {0: 1Gbit/s, 5: 2Gbit/s}}\n", 0, NULL },
	{ "a node's rate in a shared class",
	  SPEC_HEAD "qos: {scheduler: {0: strict}, max_rate: {0: 1Gbit/s}}\n"
		    "nodes: {n: {qos: {max_rate: {5: 2Gbit/s}}}}\n",
	  0, "4:19: error: max_rate gives priorities 0 and 5 different rates" },
	{ "a node's scheduler merges",
	  SPEC_HEAD
	  "qos: {scheduler: {0: 50%, 3: 50%}}\nnodes: {n: {qos: {scheduler: {3: 40%}}}}\n",
	  0, "4:19: error: the shares of scheduler are 90% together" },
	{ "half a map at the top, the rest in the only node",
	  SPEC_HEAD "ecn: {min: 1MB}\nnodes: {n: {ecn: {priorities: [3]}}}\n", 0, NULL },
	{ "half a map, and a node without the rest",
	  SPEC_HEAD "ecn: {min: 1MB}\nnodes: {n: {ecn: {priorities: [3]}}, m: {}}\n", 0,
	  "3:1: error: ecn needs priorities" },
	{ "half a map, and a star without the rest",
	  SPEC_HEAD "ecn: {min: 1MB}\nnodes: {\"*\": {}, n: {ecn: {priorities: [3]}}}\n", 0,
	  "3:1: error: ecn needs priorities" },
	{ "the star has the rest",
	  SPEC_HEAD "ecn: {min: 1MB}\nnodes: {\"*\": {ecn: {priorities: [3]}}, n: {mtu: 1500}}\n",
	  0, NULL },
	{ "a node's list of ecn replaces the map",
	  SPEC_HEAD "ecn: {priorities: [3], min: 1MB}\nnodes: {n: {ecn: [{max: 1MB}]}}\n", 0,
	  "4:19: error: ecn needs priorities" },
	{ "a node's map of ecn merges",
	  SPEC_HEAD "ecn: {priorities: [3], min: 2MB}\nnodes: {n: {ecn: {max: 1MB}}}\n", 0,
	  "3:29: error: min 2MB is more than max 1MB (line 4)" },
	{ "a node's item", TOP "nodes: {n: {nics: [{name: a, qos: {pfc: [4]}}]}}\n", 0,
	  "3:23: error: traffic_class 106 is DSCP 26" },
	{ "a node's list replaces the top's",
	  TOP "nics: [{name: a, roce: {dscp: 34}}]\nnodes: {n: {nics: [{name: a}]}}\n", 0, NULL },
	{ "a switch's ecn over the top's",
	  SPEC_HEAD "ecn: {priorities: [3], min: 150KiB, max: 1MB}\nnodes: {a: {}}\nswitches: {s: "
		    "{dialect: d, owner: a, ecn: {min: 2MB}}}\n",
	  0, "5:49: error: min 2MB is more than max 1MB (line 3)" },
	{ "a switch's good ecn",
	  SPEC_HEAD "ecn: {priorities: [3], min: 150KiB, max: 1MB}\nnodes: {a: {}}\nswitches: {s: "
		    "{dialect: d, owner: a, ecn: {min: 400KiB}}}\n",
	  0, NULL },
	{ "VLAN over its parent",
	  SPEC_HEAD "mtu: 4200\nnics:\n  - name: \"*\"\n  - name: ens1f0np0.40\n    mtu: 9000\n", 0,
	  "7:10: error: mtu 9000 of VLAN ens1f0np0.40 is more than mtu 4200 (line 3) of its "
	  "parent" },
	{ "VLAN over its parent's item",
	  SPEC_HEAD "mtu: 9000\nnics:\n  - name: ens1f0np0\n    mtu: 4200\n  - {name: "
		    "ens1f0np0.40, mtu: 4201}\n",
	  0,
	  "7:31: error: mtu 4201 of VLAN ens1f0np0.40 is more than mtu 4200 (line 6) of its "
	  "parent" },
	{ "VLAN as its parent", SPEC_HEAD "mtu: 9000\nnics: [{name: a}, {name: a.40, mtu: 9000}]\n",
	  0, NULL },
	{ "dotted, but no VLAN",
	  SPEC_HEAD "mtu: 4200\nnics: [{name: a}, {name: a.b4, mtu: 9000}]\n", 0, NULL },
	{ "a dot, but no VLAN", SPEC_HEAD "mtu: 4200\nnics: [{name: a}, {name: a., mtu: 9000}]\n",
	  0, NULL },
	{ "VLAN of an unmanaged parent", SPEC_HEAD "nics: [{name: a.40, mtu: 9000}]\n", 0, NULL },
};

static void of_roce(void **data)
{
	spec_cases_run(roce, ARRAY_SIZE(roce));
}

static void of_cnp(void **data)
{
	spec_cases_run(cnp, ARRAY_SIZE(cnp));
}

static void of_scheduler(void **data)
{
	spec_cases_run(sharing, ARRAY_SIZE(sharing));
}

static void of_ecn(void **data)
{
	spec_cases_run(marking, ARRAY_SIZE(marking));
}

static void where_layers_meet(void **data)
{
	spec_cases_run(layers, ARRAY_SIZE(layers));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_roce),	     cmocka_unit_test(of_cnp),
		cmocka_unit_test(of_scheduler),	     cmocka_unit_test(of_ecn),
		cmocka_unit_test(where_layers_meet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
