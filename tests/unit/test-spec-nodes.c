/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Host lists, the nodes and the switches of a fabric file, and files made to hurt. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/spec/hostlist.h"
#include "tests/support/cases.h"
#include "tests/support/spec-case.h"

static const struct {
	const char *text;
	bool commas;
	const char *names; /* with blanks between; NULL: refused */
	const char *trouble;
} lists[] = {
	{ "gpu-1", true, "gpu-1", NULL },
	{ "gpu-[1-3]", true, "gpu-1 gpu-2 gpu-3", NULL },
	{ "gpu-[01-03,20]", true, "gpu-01 gpu-02 gpu-03 gpu-20", NULL },
	{ "gpu-[1]", true, "gpu-1", NULL },
	{ "gpu-[8-11]", true, "gpu-8 gpu-9 gpu-10 gpu-11", NULL },
	{ "gpu-[098-101]", true, "gpu-098 gpu-099 gpu-100 gpu-101", NULL },
	{ "gpu-[1,03]", true, "gpu-1 gpu-03", NULL },
	{ "[1-2]a", true, "1a 2a", NULL },
	{ "r[1-2]-n[1-2]", true, "r1-n1 r1-n2 r2-n1 r2-n2", NULL },
	{ "a,b", true, "a b", NULL },
	{ "a[1,2],b", true, "a1 a2 b", NULL },
	{ "a,b", false, "a,b", NULL },
	{ "100GE1/0/[1-2]", false, "100GE1/0/1 100GE1/0/2", NULL },
	{ "gpu-[0-0]", true, "gpu-0", NULL },
	{ "gpu-[00-01]", true, "gpu-00 gpu-01", NULL },

	{ "gpu-[3-1]", true, NULL, "begin with the smaller number" },
	{ "gpu-[1-08]", true, NULL, "same width" },
	{ "gpu-[001-09]", true, NULL, "same width" },
	{ "gpu-[]", true, NULL, "a number, or two as 1-8" },
	{ "gpu-[1-]", true, NULL, "behind the dash" },
	{ "gpu-[-3]", true, NULL, "a number, or two as 1-8" },
	{ "gpu-[1,,3]", true, NULL, "a number, or two as 1-8" },
	{ "gpu-[1,]", true, NULL, "a number, or two as 1-8" },
	{ "gpu-[a-c]", true, NULL, "a number, or two as 1-8" },
	{ "gpu-[1-3-5]", true, NULL, "only numbers, dashes and commas" },
	{ "gpu-[1 -3]", true, NULL, "only numbers, dashes and commas" },
	{ "gpu-[1", true, NULL, "a [ without ]" },
	{ "gpu-1]", true, NULL, "a ] without [" },
	{ "gpu-[[1]]", true, NULL, "a number, or two as 1-8" },
	{ "a,,b", true, NULL, "a name is empty" },
	{ ",a", true, NULL, "a name is empty" },
	{ "a,", true, NULL, "a name is empty" },
	{ "", true, NULL, "a name is empty" },
	{ "gpu-[1-65537]", true, NULL, "more than 65536 names" },
	{ "gpu-[1-999999999]", true, NULL, "more than 65536 names" },
	{ "gpu-[1-9999999999]", true, NULL, "behind the dash" },
	{ "a[1-300]b[1-300]", true, NULL, "more than 65536 names" },
	{ "a[1][1][1][1][1]", true, NULL, "too many brackets" },
};

static void hostlist(void **data)
{
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		const char *name = lists[i].text;
		struct arena arena = {};
		struct hostlist list = {};
		struct trouble trouble = {};
		char got[512] = "";
		size_t used = 0;
		int r;

		r = hostlist_expand(name, lists[i].commas, &arena, &list, &trouble);
		case_equal(name, r, lists[i].names ? 0 : -EINVAL);
		for (size_t j = 0; r == 0 && j < list.n; j++)
			used += (size_t)snprintf(got + used, sizeof(got) - used, "%s%s",
						 j ? " " : "", list.list[j]);
		if (lists[i].names)
			case_string(name, got, lists[i].names);
		else
			case_true(name, strstr(trouble.text, lists[i].trouble));
		hostlist_done(&list);
		arena_done(&arena);
	}
}

static void hostlist_ends(void **data)
{
	struct arena arena = {};
	struct hostlist list = {};
	struct trouble trouble;
	char text[400];

	assert_int_equal(hostlist_expand("n[1-65536]", true, &arena, &list, &trouble), 0);
	assert_int_equal(list.n, 65536);
	assert_string_equal(list.list[65535], "n65536");
	hostlist_done(&list);
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(hostlist_expand(text, true, &arena, &list, &trouble), -EINVAL);
	assert_non_null(strstr(trouble.text, "too long"));
	hostlist_done(&list);
	arena_done(&arena);
}

static const struct spec_case nodes[] = {
	{ "a list and a star", SPEC_HEAD "nodes: {\"*\": {}, \"gpu-[01-16,20]\": {mtu: 1500}}\n", 0,
	  NULL },
	{ "two lists match one", SPEC_HEAD "nodes:\n  gpu-[1-4]: {}\n  gpu-[4-6]: {}\n", 0,
	  "5:3: error: node gpu-4 is matched by two lists: 'gpu-[4-6]' and 'gpu-[1-4]' (line 4)" },
	{ "a list and a name", SPEC_HEAD "nodes:\n  gpu-2: {}\n  gpu-[1-4]: {}\n", 0,
	  "5:3: error: node gpu-2 is matched by two lists" },
	{ "case does not count", SPEC_HEAD "nodes:\n  GPU-2: {}\n  gpu-2: {}\n", 0,
	  "5:3: error: node gpu-2 is matched by two lists" },
	{ "a list names one twice", SPEC_HEAD "nodes:\n  gpu-[1-3,2]: {}\n", 0,
	  "4:3: error: 'gpu-[1-3,2]' names node gpu-2 twice" },
	{ "widths are other names", SPEC_HEAD "nodes: {\"gpu-[1-3]\": {}, \"gpu-[01-03]\": {}}\n",
	  0, NULL },
	{ "bad list", SPEC_HEAD "nodes: {\"gpu-[3-1]\": {}}\n", 0,
	  "3:9: error: nodes: 'gpu-[3-1]': a range has to begin" },
	{ "two bad lists", SPEC_HEAD "nodes: {\"a[1-]\": {}, \"b[2-1]\": {}}\n", 0,
	  "3:9: error: nodes: 'a[1-]'", "f:3:22: error: nodes: 'b[2-1]'" },
	{ "pattern", SPEC_HEAD "nodes: {\"gpu-*\": {}}\n", 0,
	  "3:9: error: nodes: 'gpu-*' is not a host name" },
	{ "underscore", SPEC_HEAD "nodes: {gpu_1: {}}\n", 0,
	  "3:9: error: nodes: 'gpu_1' is not a host name" },
	{ "begins with a dash", SPEC_HEAD "nodes: {-oProxy: {}}\n", 0,
	  "3:9: error: nodes: '-oProxy' is not a host name" },
	{ "blank", SPEC_HEAD "nodes: {a b: {}}\n", 0,
	  "3:9: error: nodes: 'a b' is not a host name" },
	{ "newline", SPEC_HEAD "nodes: {\"a\\nb\": {}}\n", 0,
	  "3:9: error: nodes: 'a\\x0ab' is not a host name" },
	{ "empty", SPEC_HEAD "nodes: {\"\": {}}\n", 0,
	  "3:9: error: nodes: the host name is empty" },
	{ "error in a node", SPEC_HEAD "nodes: {a: {qos: {pfc: [9]}}}\n", 0,
	  "3:25: error: pfc: 9 is not in 0..7" },
	{ "policy of a node", SPEC_HEAD "nodes: {a: {policy: {grace: 25h}}}\n", 0,
	  "3:29: error: grace: 25h is not in 0ms..24h" },
};

/* One switch that is good; what a case adds stands on line 6. */
#define NODES  SPEC_HEAD "nodes: {\"gpu-[1-8]\": {}}\n"
#define SWITCH NODES "switches:\n  leaf-1:\n    dialect: huawei-cloudengine\n"
#define OWNED  SWITCH "    owner: gpu-1\n" /* line 8 follows */

static const struct spec_case switches[] = {
	{ "lists pair up", SWITCH "    ports:\n      \"100GE1/0/[1-8]\": \"gpu-[1-8]/ens1f0np0\"\n",
	  0, NULL },
	{ "everything of a switch",
	  OWNED
	  "    vars: {model: CE6865, layer3: no}\n    manage: read\n    address: 192.0.2.11\n    "
	  "port: 22\n    username: lossless\n    key: leaf-admin\n    password: leaf.pw\n    "
	  "enable: leaf_en\n    host_key: [\"SHA256:abc+/=\"]\n    trust: first-use\n    "
	  "legacy_algorithms: [ssh-rsa, diffie-hellman-group14-sha1]\n    qos: {pfc: []}\n    mtu: "
	  "9216\n    answers:\n      - {ask: \"control traffic\", answer: y}\n",
	  0, NULL },
	{ "no dialect", NODES "switches:\n  leaf-1: {owner: gpu-1}\n", 0,
	  "5:3: error: switch leaf-1 has no dialect" },
	{ "dialect in capitals", NODES "switches: {s: {dialect: Huawei, owner: gpu-1}}\n", 0,
	  "4:25: error: dialect: 'Huawei' is not a name of a dialect" },
	{ "no owner", SWITCH, 0,
	  "5:3: error: switch leaf-1 has no node on its ports: it needs an owner" },
	{ "no owner, only switches", SWITCH "    ports: {p1: spine-1/100GE1/0/1}\n", 0,
	  "5:3: error: switch leaf-1 has no node on its ports" },
	{ "no owner, only lists of switches", SWITCH "    ports: {\"p[1-2]\": "
	  "\"spine-[1-2]/1/1\"}\n", 0,
	  "5:3: error: switch leaf-1 has no node on its ports" },
	{ "owner is no node", SWITCH "    owner: gpu-9\n", 0,
	  "7:12: error: owner: gpu-9 is not a node of this file" },
	{ "owner in capitals", SWITCH "    owner: GPU-1\n", 0, NULL },
	{ "owner by a star",
	  SPEC_HEAD "nodes: {\"*\": {}}\nswitches: {s: {dialect: d, owner: any}}\n", 0, NULL },
	{ "name of a switch", NODES "switches: {leaf_1: {dialect: d, owner: gpu-1}}\n", 0,
	  "4:12: error: switches: 'leaf_1' is not a host name" },
	{ "lists of different length", SWITCH "    ports: {\"p[1-8]\": \"gpu-[1-7]/a\"}\n", 0,
	  "7:23: error: ports: lists of different length: 'p[1-8]' has 8, 'gpu-[1-7]/a' has 7" },
	{ "one end for many ports", SWITCH "    ports: {\"p[1-2]\": gpu-1/a}\n", 0,
	  "7:23: error: ports: lists of different length" },
	{ "bad list of ports", OWNED "    ports: {\"p[2-1]\": gpu-1/a}\n", 0,
	  "8:13: error: ports: 'p[2-1]': a range has to begin" },
	{ "bad list of ends", OWNED "    ports: {\"p[1-2]\": \"gpu-[1-]/a\"}\n", 0,
	  "8:23: error: ports: 'gpu-[1-]/a': a number is expected" },
	{ "node port twice", SWITCH "    ports:\n      p1: gpu-1/a\n      p2: gpu-1/a\n", 0,
	  "9:11: error: gpu-1/a is named twice, first on line 8" },
	{ "node port twice, in capitals",
	  SWITCH "    ports:\n      p1: gpu-1/a\n      p2: GPU-1/a\n", 0,
	  "9:11: error: gpu-1/a is named twice, first on line 8" },
	{ "node port in two switches",
	  SWITCH "    ports: {p1: gpu-1/a}\n  leaf-2: {dialect: d, ports: {p1: gpu-1/a}}\n", 0,
	  "8:36: error: gpu-1/a is named twice, first on line 7" },
	{ "node port in two lists",
	  SWITCH "    ports:\n      \"p[1-4]\": \"gpu-[1-4]/a\"\n      p5: gpu-3/a\n", 0,
	  "9:11: error: gpu-3/a is named twice, first on line 8" },
	{ "switch port in a list and alone",
	  SWITCH "    ports:\n      \"p[1-4]\": \"gpu-[1-4]/a\"\n      p3: gpu-5/a\n", 0,
	  "9:7: error: leaf-1/p3 is named twice, first on line 8" },
	{ "switch port as the other end",
	  SWITCH
	  "    ports: {p1: gpu-1/a}\n  leaf-2: {dialect: d, ports: {p1: gpu-2/a, p2: leaf-1/p1}}\n",
	  0, "8:49: error: leaf-1/p1 is named twice, first on line 7" },
	{ "one port of two switches",
	  SWITCH "    ports: {p1: gpu-1/a}\n  leaf-2: {dialect: d, ports: {p1: gpu-2/a}}\n", 0,
	  NULL },
	{ "no such node", OWNED "    ports: {p1: gpu-9/a}\n", 0,
	  "8:17: error: ports: gpu-9 is neither a node nor a switch of this file" },
	{ "no port", OWNED "    ports: {p1: gpu-1}\n", 0,
	  "8:17: error: ports: 'gpu-1' is not NODE/DEVICE or SWITCH/PORT" },
	{ "empty port", OWNED "    ports: {p1: gpu-1/}\n", 0,
	  "8:17: error: ports: 'gpu-1/' is not NODE/DEVICE" },
	{ "empty node", OWNED "    ports: {p1: /a}\n", 0,
	  "8:17: error: ports: '/a' is not NODE/DEVICE" },
	{ "end as a list", OWNED "    ports: {p1: [gpu-1/a]}\n", 0,
	  "8:17: error: p1: a single value is expected" },
	{ "shell in an end", OWNED "    ports: {p1: gpu-1/a;b}\n", 0,
	  "8:17: error: ports: 'a;b' is not a network device" },
	{ "newline in a port", OWNED "    ports: {\"p1\\nsave\": gpu-1/a}\n", 0,
	  "8:13: error: ports: 'p1\\x0asave' is not a switch port" },
	{ "port begins with a dash", OWNED "    ports: {-1: gpu-1/a}\n", 0,
	  "8:13: error: ports: '-1' is not a switch port" },
	{ "port with blanks", OWNED "    ports: {Eth 1/1: gpu-1/a}\n", 0, NULL },
	{ "port too long",
	  OWNED "    ports: {p1234567890123456789012345678901234567890123456789012345678901234: "
		"gpu-1/a}\n",
	  0, "8:13: error: ports: 'p", "has 65 characters, at most 64" },
	{ "address is IPv6", OWNED "    address: 2001:db8::1\n", 0, NULL },
	{ "address with a zone", OWNED "    address: fe80::1%eth0\n", 0, NULL },
	{ "address with an empty zone", OWNED "    address: fe80::1%\n", 0,
	  "8:14: error: address: 'fe80::1%' is not an address" },
	{ "address with a long zone", OWNED "    address: "
	  "fe80::1%a12345678901234567890123456789012345678901234567890123456789\n", 0, NULL },
	{ "address too long for IPv6", OWNED "    address: "
	  "1111:2222:3333:4444:5555:6666:7777:8888:1111:2222:3333:4444:5555:6666:7777:8888\n", 0,
	  "8:14: error: address: '1111:" },
	{ "address is a name", OWNED "    address: leaf-1.example\n", 0, NULL },
	{ "address is an option", OWNED "    address: -oProxyCommand=x\n", 0,
	  "8:14: error: address: '-oProxyCommand=x' is not an address" },
	{ "address with a port", OWNED "    address: leaf-1:22\n", 0,
	  "8:14: error: address: 'leaf-1:22' is not an address" },
	{ "user with a blank", OWNED "    username: a b\n", 0,
	  "8:15: error: username: 'a b' is not a name" },
	{ "a secret is no name", OWNED "    password: \"pa$$word\"\n", 0,
	  "8:15: error: password: 'pa$$word' is not a name" },
	{ "credential above", OWNED "    key: ..\n", 0, "8:10: error: key: '..' is not a name" },
	{ "credential path", OWNED "    key: /etc/shadow\n", 0,
	  "8:10: error: key: '/etc/shadow' is not a name" },
	{ "fingerprint", OWNED "    host_key: [\"MD5:12:34\"]\n", 0,
	  "8:16: error: host_key: 'MD5:12:34' is not a fingerprint" },
	{ "two sources of host keys",
	  OWNED "    host_key: [\"SHA256:a\"]\n    known_hosts: known\n", 0,
	  "9:18: error: host_key and known_hosts" },
	{ "OpenSSH's plus", OWNED "    legacy_algorithms: [+ssh-rsa]\n", 0,
	  "8:25: error: legacy_algorithms: '+ssh-rsa' is not" },
	{ "manage", OWNED "    manage: write\n", 0,
	  "8:13: error: manage: 'write' is not known; allowed: push, read, render" },
	{ "trust of a host", OWNED "    trust: dscp\n", 0,
	  "8:12: error: trust: 'dscp' is not known; allowed: strict, first-use" },
	{ "port of ssh", OWNED "    port: 65536\n", 0,
	  "8:11: error: port: 65536 is not in 1..65535" },
	{ "name of a var", OWNED "    vars: {Model: a}\n", 0,
	  "8:12: error: vars: 'Model' is not a name of a variable" },
	{ "var is a list", OWNED "    vars: {model: [a]}\n", 0,
	  "8:19: error: model: a single value is expected" },
	{ "var of two lines", OWNED "    vars: {model: \"a\\nb\"}\n", 0,
	  "8:19: error: model: 'a\\x0ab' is not a text" },
	{ "answer without a question", OWNED "    answers: [{answer: y}]\n", 0,
	  "8:15: error: answers: an item needs both ask and answer" },
	{ "question without an answer", OWNED "    answers: [{ask: sure}]\n", 0,
	  "8:15: error: answers: an item needs both" },
	{ "answer as a text", OWNED "    answers: [y]\n", 0,
	  "8:15: error: answers: a map is expected" },
	{ "answer of two lines", OWNED "    answers: [{ask: a, answer: \"y\\nreboot\"}]\n", 0,
	  "8:32: error: answer: 'y\\x0areboot' is not a text" },
	{ "answer with another key", OWNED "    answers: [{ask: a, answer: b, only: c}]\n", 0,
	  "8:35: error: unknown key 'only'" },
};

static void of_nodes(void **data)
{
	spec_cases_run(nodes, ARRAY_SIZE(nodes));
}

static void of_switches(void **data)
{
	spec_cases_run(switches, ARRAY_SIZE(switches));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hostlist),
		cmocka_unit_test(hostlist_ends),
		cmocka_unit_test(of_nodes),
		cmocka_unit_test(of_switches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
