/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From bytes to a tree: encodings (field case Y06), duplicate keys (Y03), anchors and merges, and
 * files made to hurt. Every complaint names its place.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/spec/yaml.h"
#include "tests/support/cases.h"
#include "tests/support/spec-case.h"

#define BYTES(text) text, sizeof(text) - 1

static const struct spec_case encodings[] = {
	{ "byte order mark", BYTES("\xef\xbb\xbf" SPEC_HEAD "mtu: 9000\n"), NULL },
	{ "CRLF", BYTES("version: 1\r\nfabric: pod-a\r\nmtu: 9000\r\n"), NULL },
	{ "byte order mark and CRLF: places",
	  BYTES("\xef\xbb\xbfversion: 1\r\nfabric: pod-a\r\nmtu: 90\r\n"),
	  "3:6: error: mtu: 90 is not in", "    3 | mtu: 90\n      |      ^~\n" },
	{ "CRLF in a block", BYTES(SPEC_HEAD "x-note: |\r\n  a\r\n  b\r\nmtu: 1\r\n"),
	  "6:6: error: mtu: 1 is not in" },
	{ "CRLF in quotes", BYTES("version: 1\nfabric: \"pod\r\n  a\"\n"),
	  "2:9: error: fabric: 'pod a' is not" },
	{ "lone CR", BYTES(SPEC_HEAD "mtu: 9000\rx-a: 1\n"),
	  "3:10: error: a carriage return without a line feed", "byte offset 34" },
	{ "CR CR LF", BYTES(SPEC_HEAD "mtu: 9000\r\r\n"), "3:10: error: a carriage return" },
	{ "escaped CR", BYTES(SPEC_HEAD "x-a: \"a\\rb\"\n"),
	  "3:6: error: a control character in a text, U+000D" },
	{ "tab in the indentation", BYTES(SPEC_HEAD "nics:\n\tname: ens1f0np0\n"),
	  "4:1: error: a tab in the indentation" },
	{ "tab behind spaces", BYTES(SPEC_HEAD "qos:\n  \tpfc: [3]\n  trust: dscp\n"),
	  "4:3: error: a tab in the indentation" },
	{ "tab deeper", BYTES(SPEC_HEAD "qos:\n  pfc: [3]\n\ttrust: dscp\n"),
	  "5:1: error: a tab in the indentation" },
	{ "tab between key and value", BYTES(SPEC_HEAD "mtu:\t9000\n"), NULL },
	{ "tab in brackets", BYTES(SPEC_HEAD "qos: {\n\tpfc: [3]}\nx-a: 1\n"),
	  "4:7: warning: priority 3" },
	{ "NUL", BYTES("fabric: rail0\0\n"), "1:14: error: a NUL byte, at byte offset 13" },
	{ "NUL later", BYTES(SPEC_HEAD "\0"), "3:1: error: a NUL byte, at byte offset 25" },
	{ "escaped NUL", BYTES(SPEC_HEAD "x-a: \"a\\0b\"\n"),
	  "3:6: error: a control character in a text, U+0000" },
	{ "bell", BYTES(SPEC_HEAD "# \a\n"),
	  "3:3: error: a control character, U+0007, at byte offset 27" },
	{ "escape", BYTES(SPEC_HEAD "mtu: \x1b[31m9000\n"),
	  "3:6: error: a control character, U+001B" },
	{ "escaped bell", BYTES(SPEC_HEAD "x-a: [b, \"\\a\"]\n"),
	  "3:10: error: a control character in a text, U+0007" },
	{ "delete", BYTES(SPEC_HEAD "x-a: \x7f\n"), "3:6: error: a control character, U+007F" },
	{ "invalid UTF-8",
	  BYTES(SPEC_HEAD "mtu: 9\xff"
			  "00\n"),
	  "3:7: error: not UTF-8: byte offset 31" },
	{ "latin-1", BYTES("# caf\xe9\n" SPEC_HEAD), "1:6: error: not UTF-8: byte offset 5" },
	{ "overlong", BYTES(SPEC_HEAD "x-a: \xc0\xaf\n"), "3:6: error: not UTF-8: byte offset 30" },
	{ "surrogate", BYTES(SPEC_HEAD "x-a: \xed\xa0\x80\n"),
	  "3:6: error: not UTF-8: byte offset 30" },
	{ "beyond Unicode", BYTES(SPEC_HEAD "x-a: \xf4\x90\x80\x80\n"),
	  "3:6: error: not UTF-8: byte offset 30" },
	{ "cut at the end", BYTES(SPEC_HEAD "x-a: \xe2\x82"),
	  "3:6: error: not UTF-8: byte offset 30" },
	{ "columns are characters", BYTES(SPEC_HEAD "x-a: \xc3\xa4\xc3\xb6\xff\n"),
	  "3:8: error: not UTF-8: byte offset 34" },
	{ "good UTF-8", BYTES(SPEC_HEAD "x-a: \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\n"), NULL },
	{ "UTF-16LE", BYTES("\xff\xfem\0t\0u\0"), " error: the file is UTF-16" },
	{ "UTF-16BE", BYTES("\xfe\xff\0m\0t\0u"), " error: the file is UTF-16" },
	{ "UTF-16LE without a mark", BYTES("v\0e\0r\0s\0"), " error: the file is UTF-16" },
	{ "UTF-16BE without a mark", BYTES("\0v\0e\0r\0s"), " error: the file is UTF-16" },
	{ "UTF-32LE", BYTES("\xff\xfe\0\0m\0\0\0"), " error: the file is UTF-32" },
	{ "UTF-32BE", BYTES("\0\0\xfe\xff\0\0\0m"), " error: the file is UTF-32" },
	{ "UTF-32LE without a mark", BYTES("v\0\0\0e\0\0\0"), " error: the file is UTF-32" },
	{ "UTF-32BE without a mark", BYTES("\0\0\0v\0\0\0e"), " error: the file is UTF-32" },
	{ "U+0085",
	  BYTES(SPEC_HEAD "mtu: 90\xc2\x85"
			  "00\n"),
	  "3:8: error: U+0085 is not accepted as a line end" },
	{ "U+2028",
	  BYTES(SPEC_HEAD "x-a: b\xe2\x80\xa8"
			  "c\n"),
	  "3:7: error: U+2028 is not accepted as a line end" },
	{ "U+2029",
	  BYTES(SPEC_HEAD "x-a: b\xe2\x80\xa9"
			  "c\n"),
	  "3:7: error: U+2029 is not accepted as a line end" },
	{ "escaped U+2028", BYTES(SPEC_HEAD "x-a: \"\\u2028\"\n"),
	  "3:6: error: a control character in a text, U+2028" },
	{ "mark inside", BYTES(SPEC_HEAD "\xef\xbb\xbfmtu: 9000\n"),
	  "3:1: error: a byte order mark inside" },
	{ "direction override", BYTES(SPEC_HEAD "x-a: \xe2\x80\xae\n"),
	  "3:6: error: a control character, U+202E" },
};

static const struct spec_case documents[] = {
	{ "empty", "", 0, " error: the file is empty" },
	{ "blank", "\n \n\n", 0, " error: the file is empty" },
	{ "comment only", "# nothing\n", 0, " error: the file is empty" },
	{ "only a mark", "\xef\xbb\xbf", 0, " error: the file is empty" },
	{ "null", "~\n", 0, " error: the file is empty" },
	{ "null in words", "null\n", 0, " error: the file is empty" },
	{ "empty document", "---\n", 0, " error: the file is empty" },
	{ "empty map", "{}\n", 0, "1:1: error: the file has no fabric", "the file has no version" },
	{ "a list", "- version: 1\n", 0, "1:1: error: the file has to be a map" },
	{ "a text", "hello\n", 0, "1:1: error: the file has to be a map" },
	{ "begins with ---", "---\n" SPEC_HEAD, 0, NULL },
	{ "ends with ...", SPEC_HEAD "...\n# done\n", 0, NULL },
	{ "second document", SPEC_HEAD "---\nmtu: 4200\n", 0, "3:1: error: a second document" },
	{ "second document, empty", SPEC_HEAD "---\n", 0, "3:1: error: a second document" },
	{ "second document after the end", SPEC_HEAD "...\n---\nmtu: 4200\n", 0,
	  "4:1: error: a second document" },
	{ "YAML directive", "%YAML 1.2\n---\n" SPEC_HEAD, 0, NULL },
	{ "TAG directive", "%TAG ! a\n---\n" SPEC_HEAD, 0, "1:1: error: tags are not understood" },
	{ "TAG directive later", SPEC_HEAD "...\n%TAG ! a\n---\n", 0,
	  "4:1: error: tags are not understood" },
	{ "tag", SPEC_HEAD "mtu: !!int 9000\n", 0, "3:6: error: tags are not understood" },
	{ "tag of a map", SPEC_HEAD "qos: !a {}\n", 0, "3:6: error: tags are not understood" },
	{ "tag of a list", SPEC_HEAD "nics: !a []\n", 0, "3:7: error: tags are not understood" },
	{ "star without quotes", SPEC_HEAD "nodes:\n  *: {}\n", 0,
	  "4:4: error: an alias without a name; write \"*\"" },
	{ "bracket left open", SPEC_HEAD "qos: {pfc: [3}\n", 0,
	  "3:14: error: not valid YAML: did not find expected ',' or ']'\n" },
	{ "wrong indentation", SPEC_HEAD "qos:\n  pfc: [3]\n trust: dscp\n", 0,
	  "5:2: error: not valid YAML", "that begins on line 1" },
	{ "quote left open", SPEC_HEAD "x-a: \"b\n", 0, "4:1: error: not valid YAML" },
	{ "list as a key", SPEC_HEAD "? [a]\n: b\n", 0,
	  "3:3: error: a key has to be plain text, not a list" },
	{ "map as a key", SPEC_HEAD "{a: b}: c\n", 0,
	  "3:1: error: a key has to be plain text, not a map" },
};

static const struct spec_case duplicates[] = {
	{ "at the top", SPEC_HEAD "mtu: 1500\nmtu: 9000\n", 0,
	  "4:1: error: duplicate key 'mtu', first on line 3" },
	{ "in a section", SPEC_HEAD "qos:\n  pfc: [3]\n  trust: dscp\n  pfc: [4]\n", 0,
	  "6:3: error: duplicate key 'pfc', first on line 4" },
	{ "deep, in a free key", SPEC_HEAD "x-a: {b: [{c: 1, c: 2}]}\n", 0,
	  "3:18: error: duplicate key 'c', first on line 3" },
	{ "node", SPEC_HEAD "nodes:\n  a: {}\n  a: {}\n", 0,
	  "5:3: error: duplicate key 'a', first on line 4" },
	{ "quoted and not", SPEC_HEAD "qos: {dscp_to_priority: {26: 3, \"26\": 4}}\n", 0,
	  "3:33: error: duplicate key '26'" },
	{ "three times", SPEC_HEAD "mtu: 1500\nmtu: 1500\nmtu: 1500\n", 0,
	  "4:1: error: duplicate key 'mtu', first on line 3",
	  "f:5:1: error: duplicate key 'mtu', first on line 3" },
	{ "hexadecimal", SPEC_HEAD "qos:\n  dscp_to_priority:\n    26: 3\n    0x1a: 4\n", 0,
	  "6:5: error: dscp_to_priority: duplicate key 0x1a, the same as '26' on line 5" },
	{ "hexadecimal twice", SPEC_HEAD "qos: {dscp_to_priority: {0x1A: 3, 0x1a: 3}}\n", 0,
	  "3:35: error: dscp_to_priority: duplicate key" },
	{ "hexadecimal, scheduler", SPEC_HEAD "qos: {scheduler: {0: 50%, 3: 50%, 0x3: strict}}\n",
	  0, "3:35: error: scheduler: duplicate key 0x3" },
	{ "quoted hexadecimal", SPEC_HEAD "qos: {dscp_to_priority: {'0x3': 1, 3: 1}}\n", 0,
	  "3:36: error: dscp_to_priority: duplicate key 3" },
	{ "among many",
	  SPEC_HEAD "x-a: {a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, c: 2}\n", 0,
	  "3:61: error: duplicate key 'c', first on line 3" },
	{ "nics as a map",
	  SPEC_HEAD
	  "nics:\n  ens1f0np0: {mtu: 9000}\n  ens1f1np1: {mtu: 9000}\n  ens1f0np0: {mtu: 4200}\n",
	  0, "4:3: error: nics: a list is expected",
	  "6:3: error: duplicate key 'ens1f0np0', first on line 4" },
	{ "two merge keys", SPEC_HEAD "x-a: &a {b: 1}\nx-b: {<<: *a, <<: *a}\n", 0,
	  "4:15: error: duplicate key '<<'" },
	{ "merge does not duplicate",
	  SPEC_HEAD
	  "x-q: &q {pfc: [], trust: dscp}\nqos: {<<: *q, pfc: [3], dscp_to_priority: {26: 3}}\n",
	  0, NULL },
	{ "merge of an equal number",
	  SPEC_HEAD "x-m: &m {0x1a: 4}\nqos: {pfc: [3], dscp_to_priority: {<<: *m, 26: 3}}\n", 0,
	  NULL },
	{ "no duplicate: case", SPEC_HEAD "x-a: 1\nx-A: 2\n", 0, NULL },
};

static const struct spec_case aliases[] = {
	{ "anchor and alias", SPEC_HEAD "x-q: &q {pfc: [3], dscp_to_priority: {26: 3}}\nqos: *q\n",
	  0, NULL },
	{ "place of an error is where it is written", SPEC_HEAD "x-q: &q {foo: 1}\nqos: *q\n", 0,
	  "3:10: error: unknown key 'foo'" },
	{ "no such anchor", SPEC_HEAD "mtu: *b\n", 0,
	  "3:6: error: alias to an anchor that is not there: 'b'" },
	{ "alias before the anchor", SPEC_HEAD "mtu: *m\nx-m: &m 9000\n", 0,
	  "3:6: error: alias to an anchor that is not there" },
	{ "cycle in a list", SPEC_HEAD "x-a: &a [*a]\n", 0,
	  "3:10: error: a cycle: 'a' contains itself" },
	{ "cycle in a map", SPEC_HEAD "x-a: &a\n  b: {c: *a}\n", 0,
	  "4:10: error: a cycle: 'a' contains itself" },
	{ "cycle by merge", SPEC_HEAD "x-a: &a {<<: *a}\n", 0, "3:14: error: a cycle" },
	{ "anchor used again", SPEC_HEAD "x-a: &m 1\nx-b: &m 9000\nmtu: *m\n", 0, NULL },
	{ "alias as a key", SPEC_HEAD "x-a: &k mtu\n*k : 9000\n", 0, NULL },
	{ "merge list, first wins",
	  SPEC_HEAD "x-a: &a {mtu: 1500}\nx-b: &b {mtu: 1}\nnodes:\n  n: {<<: [*a, *b]}\n", 0,
	  NULL },
	{ "merge list, first wins: the other way",
	  SPEC_HEAD "x-a: &a {mtu: 1500}\nx-b: &b {mtu: 1}\nnodes:\n  n: {<<: [*b, *a]}\n", 0,
	  "4:15: error: mtu: 1 is not in" },
	{ "explicit wins", SPEC_HEAD "x-a: &a {mtu: 1}\nnodes:\n  n: {mtu: 1500, <<: *a}\n", 0,
	  NULL },
	{ "merge in a merge",
	  SPEC_HEAD "x-a: &a {mtu: 1}\nx-b: &b {<<: *a, nics: []}\nnodes:\n  n: {<<: *b}\n", 0,
	  "3:15: error: mtu: 1" },
	{ "merge of a text", SPEC_HEAD "nodes:\n  n: {<<: 3}\n", 0,
	  "4:11: error: << merges a map or a list of maps" },
	{ "merge of a list of texts", SPEC_HEAD "nodes:\n  n: {<<: [a]}\n", 0,
	  "4:12: error: << merges a map" },
	{ "quoted, it is a key", SPEC_HEAD "nodes:\n  n: {\"<<\": {}}\n", 0,
	  "4:7: error: unknown key '<<'" },
	{ "merge of a map in place", SPEC_HEAD "nodes:\n  n: {<<: {mtu: 1}}\n", 0,
	  "4:17: error: mtu: 1 is not in" },
};

static void encoding(void **data)
{
	spec_cases_run(encodings, ARRAY_SIZE(encodings));
}

static void document(void **data)
{
	spec_cases_run(documents, ARRAY_SIZE(documents));
}

static void duplicate(void **data)
{
	spec_cases_run(duplicates, ARRAY_SIZE(duplicates));
}

static void alias(void **data)
{
	spec_cases_run(aliases, ARRAY_SIZE(aliases));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(encoding),
		cmocka_unit_test(document),
		cmocka_unit_test(duplicate),
		cmocka_unit_test(alias),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
