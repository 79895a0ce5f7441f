// SPDX-License-Identifier: LGPL-2.1-or-later
/* Rows, lists, quantities, paths: what is taken out of an answer, and what is not guessed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/switch/dialect-internal.h"
#include "tests/support/cases.h"
#include "tests/switch/dialect-case.h"

#define HEAD                             \
	"dialect: t\nverified: vendor\n" \
	"session: {channel: shell, prompt: '<$host>', error: ['^E']}\nknobs:\n"
#define PFC HEAD "  pfc:\n    scope: port\n    each: {set: a, del: b}\n    read: {send: s, "
#define ONE HEAD "  pfc:\n    scope: port\n    each: {set: a, del: b}\n    read: {send: 's $port', "
#define ON  HEAD "  pfc.enabled:\n    scope: port\n    set: a\n    unset: b\n    read: {send: s, "
#define MAP                                                                                        \
	HEAD "  dscp_to_priority:\n    scope: port\n    each: {set: a, del: b}\n    read: {send: " \
	     "s, "
#define ECN HEAD "  ecn:\n    scope: port\n    each: {set: a, del: b}\n    read: {send: s, "
#define DOG HEAD "  pfc_watchdog:\n    scope: port\n    set: a\n    unset: b\n    read: {send: s, "
#define END "}\n"
#define BY_KEY                                                                             \
	MAP "row: '^(?<port>\\S+) (?<key>[\\d ,-]+) to (?<value>.*)$', keys: ranges, expect: " \
	    "'^map', default: {0-1: 7, 2-3: 6}" END

static const struct {
	const char *name;
	const char *dialect;
	enum switch_knob knob;
	const char *answer;
	const char *p1, *p2; /* of the ports p1 and p2 */
	const char *why; /* if the answer is none */
} cases[] = {
	/* ---- rows ---- */
	{ "rows", PFC "row: '^(?<port>\\S+) (?<value>\\S+)'" END, SWITCH_PFC,
	  "Port Prio\np1 3,4\np2 0\np3 7\n", "3 4", "0" },
	{ "CR LF", PFC "row: '^(?<port>\\S+) (?<value>\\S+)$'" END, SWITCH_PFC,
	  "p1 3,4\r\r\np2 0\r\n", "3 4", "0" },
	{ "no newline at the end", PFC "row: '^(?<port>\\S+) (?<value>\\S+)$'" END, SWITCH_PFC,
	  "p1 3\np2 0", "3", "0" },
	{ "another case of the port", PFC "row: '^(?<port>\\S+) (?<value>\\S+)'" END, SWITCH_PFC,
	  "P1 3\nP22 4\n", "3", "?" },
	{ "no row", PFC "row: '^(?<port>\\S+) (?<value>\\d)'" END, SWITCH_PFC, "p1 on\n", "?",
	  "?" },
	{ "not a list", PFC "row: '^(?<port>\\S+) (?<value>\\S+)'" END, SWITCH_PFC,
	  "p1 3,x\np2 8\n", "?", "?" },
	{ "an empty list", PFC "row: '^(?<port>\\S+) *(?<value>\\S*)'" END, SWITCH_PFC,
	  "p1\np2 3\n", "", "3" },
	{ "a word for an empty list",
	  PFC "row: '^(?<port>\\S+) (?<value>\\S+)', words: {'-': none}" END, SWITCH_PFC,
	  "p1 -\np2 3\n", "", "3" },
	{ "a row a key", PFC "row: '^(?<port>\\S+) (?<key>\\d)$'" END, SWITCH_PFC,
	  "p1 3\np1 4\np2 3\np1 3\n", "3 4", "3" },
	{ "a row a key, on or off",
	  PFC "row: '^(?<port>\\S+) (?<key>\\d) (?<value>\\S+)$', words: {Y: true, N: false}" END,
	  SWITCH_PFC, "p1 3 Y\np1 4 N\np2 3 N\n", "3", "" },
	{ "a row a key, on or what",
	  PFC "row: '^(?<port>\\S+) (?<key>\\d) (?<value>\\S+)$', words: {Y: true, N: false}" END,
	  SWITCH_PFC, "p1 3 Y\np1 4 maybe\np2 3 true\n", "?", "?" },
	{ "carry", PFC "row: '^(?<port>\\S+)? +(?<key>\\d)$', carry: [port]" END, SWITCH_PFC,
	  "p1   3\n     4\np2   0\n     7\n", "3 4", "0 7" },
	{ "carry from a headline",
	  PFC "row: '^(?<port>\\S+):$|^ +PFC (?<key>\\d)', carry: [port]" END, SWITCH_PFC,
	  "p1:\n  PFC 3\n  PFC 4\np3:\n  PFC 0\np2:\n  PFC 5\n", "3 4", "5" },
	{ "carry that ends",
	  PFC "row: '^(?<port>p\\d):$|^(?<port>)end$|^ +PFC (?<key>\\d)', carry: [port]" END,
	  SWITCH_PFC, "p1:\n  PFC 3\nend\n  PFC 4\n", "3", "?" },
	{ "a headline alone says nothing",
	  PFC "row: '^(?<port>\\S+):$|^ +PFC (?<key>\\d)', carry: [port]" END, SWITCH_PFC, "p1:\n",
	  "?", "?" },
	{ "rows over lines",
	  PFC "row: '^(?<port>\\S+) +\\S+ +(?<value>[\\d, ]+)$', starts: '^p'" END, SWITCH_PFC,
	  "p1   on   0,1,2,\n          3\np2   on   5\n          6\n", "0 1 2 3", "5 6" },
	{ "default", PFC "row: '^(?<port>\\S+) (?<value>\\S+)', expect: '^Port', default: none" END,
	  SWITCH_PFC, "Port Prio\np1 3\n", "3", "" },
	{ "default of a list",
	  PFC "row: '^(?<port>\\S+) (?<value>\\S+)', expect: '^Port', default: '3,4'" END,
	  SWITCH_PFC, "Port Prio\np1 5\n", "5", "3 4" },
	{ "many keys in a row",
	  MAP "row: '^(?<port>\\S+) (?<key>[\\d ,-]+) to (?<value>\\S+)', keys: ranges" END,
	  SWITCH_DSCP_MAP, "p1 15 49 to 3\np1 24-26, 28 to 1\np2 63 to 0\n",
	  "15:3 24:1 25:1 26:1 28:1 49:3", "63:0" },
	{ "many keys, of which one is none",
	  MAP "row: '^(?<port>\\S+) (?<key>[\\d ,-]+) to (?<value>\\S+)', keys: ranges" END,
	  SWITCH_DSCP_MAP, "p1 15 64 to 3\np2 26-24 to 0\n", "?", "?" },
	{ "many keys, told twice",
	  MAP "row: '^(?<port>\\S+) (?<key>[\\d ,-]+) to (?<value>\\S+)', keys: ranges" END,
	  SWITCH_DSCP_MAP, "p1 1 2 to 3\np1 2 to 4\np2 1 2 to 3\np2 2 to 3\n", "?", "1:3 2:3" },
	{ "a default of each key", BY_KEY, SWITCH_DSCP_MAP, "map\np1 1 to 3\np2 0-3 to 1\n",
	  "0:7 1:3 2:6 3:6", "0:1 1:1 2:1 3:1" },
	{ "a default of each key of a port of which nothing is said", BY_KEY, SWITCH_DSCP_MAP,
	  "map\np1 1 to 3\n", "0:7 1:3 2:6 3:6", "0:7 1:7 2:6 3:6" },
	{ "a default of each key, and a value that is none", BY_KEY, SWITCH_DSCP_MAP,
	  "map\np1 1 to 3 low\np2 1 to 3\n", "?", "0:7 1:3 2:6 3:6" },
	{ "a default of each key, in JSON of another form",
	  MAP "json: {at: /$port/*, key: k, value: v}, keys: ranges, default: {0-1: 7}" END,
	  SWITCH_DSCP_MAP, "{\"p1\": [{\"k\": \"0\", \"v\": 2}], \"p2\": {\"k\": 0}}", "0:2 1:7",
	  "?" },
	{ "default of another answer",
	  PFC "row: '^(?<port>\\S+) (?<value>\\S+)', expect: '^Port', default: none" END,
	  SWITCH_PFC, "p1 3\n", "?", "?", "the form that the dialect expects" },
	{ "a pattern without end", PFC "row: '^(?<port>(a+)+)(?<value>)$'" END, SWITCH_PFC,
	  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\n", "?", "?", "takes too long" },
	/* ---- in force ---- */
	{ "admin and oper",
	  PFC
	  "row: '^(?<port>\\S+) (?<value>\\S+) (?<oper>\\S+)', words: {up: true, down: false}" END,
	  SWITCH_PFC, "p1 3 up\np2 3 down\n", "3", "3!" },
	{ "nothing that could be in force",
	  PFC "row: '^(?<port>\\S+) (?<value>\\S+) (?<oper>\\S+)', words: {up: true, down: false, "
	      "'-': none}" END,
	  SWITCH_PFC, "p1 - down\np2 3 -\n", "", "3" },
	{ "in what force",
	  PFC
	  "row: '^(?<port>\\S+) (?<value>\\S+) (?<oper>\\S+)', words: {up: true, down: false}" END,
	  SWITCH_PFC, "p1 3 limbo\np2 3 true\n", "?", "?" },
	{ "on, but not in force",
	  ON
	  "row: '^(?<port>\\S+) (?<value>\\S+) (?<oper>\\S+)', words: {on: true, off: false}" END,
	  SWITCH_PFC_ENABLED, "p1 on off\np2 off off\n", "1!", "0" },
	/* ---- lists ---- */
	{ "ranges", PFC "row: '^(?<port>\\S+) (?<value>\\S+)', as: ranges" END, SWITCH_PFC,
	  "p1 0-3,5\np2 3-1\n", "0 1 2 3 5", "?" },
	{ "a dash without ranges", PFC "row: '^(?<port>\\S+) (?<value>\\S+)'" END, SWITCH_PFC,
	  "p1 0-3\np2 3\n", "?", "3" },
	{ "bitmask", PFC "row: '^(?<port>\\S+) (?<value>\\S+)', as: bitmask" END, SWITCH_PFC,
	  "p1 0x18\np2 (9)\n", "3 4", "0 3" },
	{ "bitmask of too much", PFC "row: '^(?<port>\\S+) (?<value>\\S+)', as: bitmask" END,
	  SWITCH_PFC, "p1 0x100\np2 (9\n", "?", "?" },
	{ "blanks", PFC "row: '^(?<port>\\S+) *(?<value>.*)'" END, SWITCH_PFC, "p1 3 4 , 5 \np2 \n",
	  "3 4 5", "" },
	/* ---- values ---- */
	{ "the same row twice",
	  ON "row: '^(?<port>\\S+) (?<value>\\S+)', words: {on: true, off: false}" END,
	  SWITCH_PFC_ENABLED, "p1 on\np1 on\np2 on\np2 off\n", "1", "?" },
	{ "a word for nothing",
	  ON "row: '^(?<port>\\S+) (?<value>\\S+)', words: {on: true, '-': none}" END,
	  SWITCH_PFC_ENABLED, "p1 -\np2 what\n", "", "?" },
	{ "maps", MAP "row: '^(?<port>\\S+) (?<key>\\d+) (?<value>\\d)$'" END, SWITCH_DSCP_MAP,
	  "p1 26 3\np1 48 6\np2 64 1\n", "26:3 48:6", "?" },
	{ "two priorities for one DSCP",
	  MAP "row: '^(?<port>\\S+) (?<key>\\d+) (?<value>\\d)$'" END, SWITCH_DSCP_MAP,
	  "p1 26 3\np1 26 4\np2 26 8\n", "?", "?" },
	{ "plain bytes", ECN "row: '^(?<port>\\S+) (?<key>\\d) (?<min>\\S+) (?<max>\\S+)'" END,
	  SWITCH_ECN, "p1 3 1000 2000\np2 3 1k 2k\n", "3:1000/2000/_", "3:1024/2048/_" },
	{ "kilobytes",
	  ECN "row: '^(?<port>\\S+) (?<key>\\d) (?<min>\\S+) (?<max>\\S+)', as: kbytes" END,
	  SWITCH_ECN, "p1 3 150 1500\np2 3 1.5 2MB\n", "3:153600/1536000/_", "3:1536/2097152/_" },
	{ "quantities",
	  ECN
	  "row: '^(?<port>\\S+) (?<key>\\d) (?<min>[\\d.]+ ?\\w*),(?<max>.*)', as: quantity" END,
	  SWITCH_ECN, "p1 3 146.48 KB,1.43 MB\np2 3 153600 bytes,1500KiB\n", "3:149996/1499464/_",
	  "3:153600/1536000/_" },
	{ "no quantities",
	  ECN "row: '^(?<port>\\S+) (?<key>\\d) (?<min>\\S+) (?<max>\\S+)', as: quantity" END,
	  SWITCH_ECN, "p1 3 1.2.3 2\np2 3 1 5furlongs\n", "?", "?" },
	{ "too much",
	  ECN "row: '^(?<port>\\S+) (?<key>\\d) (?<min>\\S+) (?<max>\\S+)', as: mbytes" END,
	  SWITCH_ECN, "p1 3 1 99999999999999\np2 3 1 1048577\n", "?", "?" },
	{ "percent",
	  ECN
	  "row: '^(?<port>\\S+) (?<key>\\d) (?<min>\\S+) (?<max>\\S+) (?<probability>\\S+)'" END,
	  SWITCH_ECN, "p1 3 1 2 100%\np2 3 1 2 101\n", "3:1/2/100", "?" },
	{ "parts in rows of their own",
	  ECN "row: '^(?<port>\\S+) (?<key>\\d) (?:min (?<min>\\d+)|max (?<max>\\d+))'" END,
	  SWITCH_ECN, "p1 3 max 2\np1 3 min 1\np2 3 min 1\n", "3:1/2/_", "?" },
	{ "times", DOG "row: '^(?<port>\\S+) (?<detect>\\S+) (?<restore>\\S+)'" END,
	  SWITCH_WATCHDOG, "p1 200 400\np2 200ms 1.5s\n", "200/400/_", "200/1500/_" },
	{ "seconds", DOG "row: '^(?<port>\\S+) (?<detect>\\S+)', as: seconds" END, SWITCH_WATCHDOG,
	  "p1 0.20\np2 2\n", "200/_/_", "2000/_/_" },
	{ "tenths", DOG "row: '^(?<port>\\S+) (?<detect>\\S+)', as: tenths" END, SWITCH_WATCHDOG,
	  "p1 1\np2 x\n", "100/_/_", "?" },
	{ "actions",
	  DOG "row: '^(?<port>\\S+) (?<detect>\\S+) (?<action>\\S+)', words: {discard: drop, "
	      "alert: report}" END,
	  SWITCH_WATCHDOG, "p1 1 discard\np2 1 drop\n", "1/_/0", "?" },
	/* ---- JSON ---- */
	{ "json", PFC "json: /$port/pfc" END, SWITCH_PFC,
	  "{\"p1\": {\"pfc\": \"3,4\"}, \"p2\": {\"pfc\": [3, \"5\"]}}", "3 4", "3 5" },
	{ "json in noise", PFC "json: /$port" END, SWITCH_PFC,
	  "show [x: y]\n{what}\n{\"p1\": 3, \"p2\": null}\nsw# ", "3", "?" },
	{ "json of another kind", PFC "json: /$port" END, SWITCH_PFC,
	  "{\"p1\": {\"a\": 1}, \"p2\": [[3]]}", "?", "?" },
	{ "no json", PFC "json: /$port" END, SWITCH_PFC, "% Invalid input\n", "?", "?",
	  "no JSON in the answer" },
	{ "half a json", PFC "json: /$port" END, SWITCH_PFC, "{\"p1\": 3, ", "?", "?", "no JSON" },
	{ "json twice", PFC "json: /$port" END, SWITCH_PFC, "{\"p1\": 3, \"p1\": 4}", "?", "?",
	  "no JSON" },
	{ "json keys", PFC "json: '/$port/$key'" END, SWITCH_PFC,
	  "{\"p1\": {\"3\": {}, \"4\": 1, \"x\": 1}, \"p2\": {}}", "3 4", "?" },
	{ "json keys, on or off", PFC "json: {at: '/$port/$key', value: on}" END, SWITCH_PFC,
	  "{\"p1\": {\"3\": {\"on\": true}, \"4\": {\"on\": false}, \"5\": {}}}", "3", "?" },
	{ "json, key beyond", PFC "json: '/$port/$key'" END, SWITCH_PFC,
	  "{\"p1\": {\"3\": 1, \"8\": 1}, \"p2\": {\"2\": 1}}", "?", "2" },
	{ "json, port in a part", ON "json: {at: '/*', port: name, value: a/on}" END,
	  SWITCH_PFC_ENABLED,
	  "[{\"name\": \"p1\", \"a\": {\"on\": true}}, {\"name\": \"p2\", \"a\": {\"on\": \"x\"}}]",
	  "1", "?" },
	{ "json, index and slash", ON "json: '/1/a~1b/$port'" END, SWITCH_PFC_ENABLED,
	  "[0, {\"a/b\": {\"p1\": false, \"p2\": true}}]", "0", "1" },
	{ "json, real", ECN "json: {at: '/$port/$key', min: 0, max: 1}" END, SWITCH_ECN,
	  "{\"p1\": {\"3\": [1.5, 2e3]}, \"p2\": {\"3\": [1, 2]}}", "3:2/2000/_", "3:1/2/_" },
	{ "json default", PFC "json: /$port, default: none" END, SWITCH_PFC, "{\"p2\": 3}", "",
	  "3" },
	{ "json of nothing", PFC "json: /$port, default: none" END, SWITCH_PFC, "\n", "?", "?",
	  "no JSON" },
	{ "json of nothing, as it may be",
	  PFC "json: /$port, expect: '\\A\\s*\\z', default: none" END, SWITCH_PFC, "\n", "", "" },
	{ "json of something, as it may not be",
	  PFC "json: /$port, expect: '\\A\\s*\\z', default: none" END, SWITCH_PFC, "error\n", "?",
	  "?", "no JSON" },
	{ "json with a zero byte", PFC "json: /$port" END, SWITCH_PFC,
	  "{\"p1\": \"3\\u0000\", \"p2\": 3}", "?", "?", "no JSON" },
};

static struct dialect *load(const char *text)
{
	struct dialect *dialect = NULL;
	struct diags diags = {};

	if (dialect_load(text, strlen(text), &dialect, &diags) < 0) {
		diags_write(&diags, stderr, "text", text, strlen(text));
		fail_msg("does not load: %s", text);
	}
	diags_done(&diags);
	return dialect;
}

static void run(size_t i)
{
	static struct switch_target targets[2];
	struct dialect *dialect = load(cases[i].dialect);
	struct switch_queries queries = {};
	char why[256] = "", text[512];
	int r;

	memset(targets, 0, sizeof(targets));
	strcpy(targets[0].port, "p1");
	strcpy(targets[1].port, "p2");
	targets[0].want[cases[i].knob].status = SWITCH_KNOWN;
	targets[1].want[cases[i].knob].status = SWITCH_KNOWN;
	case_equal(cases[i].name,
		   switch_queries_build(dialect, NULL, 0, targets, 2, &queries, why, sizeof(why)),
		   0);
	case_equal(cases[i].name, queries.n, 1);
	r = switch_parse(dialect, NULL, 0, &queries.list[0], cases[i].answer,
			 strlen(cases[i].answer), targets, 2, why, sizeof(why));
	case_equal(cases[i].name, r, cases[i].why ? -EBADMSG : 0);
	if (cases[i].why && !strstr(why, cases[i].why))
		fail_msg("%s: said: %s", cases[i].name, why);
	case_value_text(cases[i].knob, &targets[0].have[cases[i].knob], text, sizeof(text));
	case_string(cases[i].name, text, cases[i].p1);
	case_value_text(cases[i].knob, &targets[1].have[cases[i].knob], text, sizeof(text));
	case_string(cases[i].name, text, cases[i].p2);
	switch_queries_done(&queries);
	(void)dialect_free(dialect);
}

static void test_cases(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		run(i);
}

/* A line about one port tells nothing of another, and each line is asked once. */
static void test_queries(void **state)
{
	static struct switch_target targets[3];
	struct dialect *dialect = load(ONE
				       "row: '(?<value>\\d)'}\n"
				       "  pfc.enabled:\n    scope: port\n    set: a\n    unset: b\n"
				       "    read: {send: 's $port', row: '(?<value>true)'}\n");
	struct switch_queries queries = {};
	char why[256] = "";

	memset(targets, 0, sizeof(targets));
	for (size_t i = 0; i < 3; i++) {
		(void)snprintf(targets[i].port, sizeof(targets[i].port), "p%zu", i);
		targets[i].want[SWITCH_PFC].status = SWITCH_KNOWN;
		targets[i].want[SWITCH_PFC_ENABLED].status = SWITCH_KNOWN;
		targets[i].want[SWITCH_MTU].status = SWITCH_KNOWN; /* the dialect has none */
	}
	targets[0].port[0] = '\0'; /* the switch, which has no such knobs */
	assert_int_equal(
		switch_queries_build(dialect, NULL, 0, targets, 3, &queries, why, sizeof(why)), 0);
	assert_int_equal(queries.n, 2);
	assert_string_equal(queries.list[0].text, "s p1");
	assert_string_equal(queries.list[1].text, "s p2");
	assert_int_equal(queries.list[1].knobs, 1U << SWITCH_PFC | 1U << SWITCH_PFC_ENABLED);
	assert_int_equal(switch_parse(dialect, NULL, 0, &queries.list[1], "3\n", 2, targets, 3, why,
				      sizeof(why)),
			 0);
	assert_int_equal(targets[1].have[SWITCH_PFC].status, SWITCH_UNMANAGED);
	assert_int_equal(targets[2].have[SWITCH_PFC].status, SWITCH_KNOWN);
	assert_int_equal(targets[2].have[SWITCH_PFC_ENABLED].status, SWITCH_UNREADABLE);
	switch_queries_done(&queries);
	(void)dialect_free(dialect);
}

static const struct {
	const char *ports, *name;
	bool has;
} ranges[] = {
	{ "swp1", "swp1", true },
	{ "swp1", "swp11", false },
	{ "swp1-16", "swp1", true },
	{ "swp1-16", "swp16", true },
	{ "swp1-16", "swp17", false },
	{ "swp2-16", "swp1", false },
	{ "eth0,swp19-22", "swp20", true },
	{ "eth0,swp19-22", "eth0", true },
	{ "eth0,swp19-22", "eth19", false },
	{ "swp1-4,6", "swp6", true },
	{ "swp1-4,6", "swp5", false },
	{ "6,swp1", "swp6", false },
	{ "swp1s0-3", "swp1s2", true },
	{ "swp1s0-3", "swp2", false },
	{ "peer-link1", "peer-link1", true },
	{ "a-1", "a-1", true },
	{ "swp16-1", "swp8", false },
	{ "swp1-swp4", "swp2", false },
	{ "lo", "lo", true },
	{ "lo", "lo1", false },
	{ "swp1-9999999", "swp2", false },
	{ "", "swp1", false },
	{ ",,-,", "swp1", false },
	{ "1-4", "2", false },
};

static void test_ranges(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
		case_equal(ranges[i].ports,
			   port_ranges_have((struct pattern_text){ ranges[i].ports,
								   strlen(ranges[i].ports) },
					    ranges[i].name),
			   ranges[i].has);
}

/* A row that names no port is of nobody, also where one alone is asked for. */
static void test_of_nobody(void **state)
{
	static struct switch_target target;
	struct dialect *dialect =
		load(PFC "row: '^(?<port>\\S+)? +(?<key>\\d)$', carry: [port]" END);
	struct switch_queries queries = {};
	char why[256] = "";

	memset(&target, 0, sizeof(target));
	strcpy(target.port, "p1;x");
	target.want[SWITCH_PFC].status = SWITCH_KNOWN;
	assert_int_equal(
		switch_queries_build(dialect, NULL, 0, &target, 1, &queries, why, sizeof(why)),
		-EINVAL);
	strcpy(target.port, "p1");
	assert_int_equal(
		switch_queries_build(dialect, NULL, 0, &target, 1, &queries, why, sizeof(why)), 0);
	assert_int_equal(switch_parse(dialect, NULL, 0, &queries.list[0], "   3\np2 4\n", 10,
				      &target, 1, why, sizeof(why)),
			 0);
	assert_int_equal(target.have[SWITCH_PFC].status, SWITCH_UNREADABLE);
	switch_queries_done(&queries);
	(void)dialect_free(dialect);
}

static const struct {
	enum switch_knob knob;
	const char *want, *have;
	bool exclusive, equal;
} equals[] = {
	{ SWITCH_ECN, "3:100000/200000/50", "3:105000/190000/50", true, true },
	{ SWITCH_ECN, "3:100000/200000/50", "3:105001/200000/50", true, false },
	{ SWITCH_ECN, "3:100000/200000/50", "3:100000/189999/50", true, false },
	{ SWITCH_ECN, "3:100000/200000/50", "3:100000/200000/51", true, true }, /* never told */
	{ SWITCH_ECN, "3:1/2/3", "3:1/2/3 4:1/2/3", true, false },
	{ SWITCH_ECN, "3:1/2/3", "3:1/2/3 4:1/2/3", false, true },
	{ SWITCH_ECN, "3:1/2/3 4:1/2/3", "3:1/2/3", false, false },
	{ SWITCH_ECN, "", "3:1/2/3", false, true },
	{ SWITCH_ECN, "", "3:1/2/3", true, false },
	{ SWITCH_ECN, "", "", true, true },
};

/* Of a map that has all keys, those with what fills it count for nothing. */
static const struct {
	const char *want, *have;
	bool equal;
} filled[] = {
	{ "26:3", "0:0 1:0 26:3", true },   { "26:3", "0:0 1:1 26:3", false },
	{ "26:3", "26:0", false },	    { "0:0 26:3", "0:0 26:3 27:0", true },
	{ "0:0 26:3", "26:3 27:0", false },
};

/* The same, of one that has 7 for DSCP 0 to 31 and 6 for the others by itself. */
static const struct {
	const char *want, *have;
	bool equal;
} native[] = {
	{ "26:3", "0:7 26:3 32:6 63:6", true },
	{ "26:3", "0:6 26:3 32:6", false },
	{ "26:3", "0:7 26:3 32:7", false },
	{ "26:3", "26:7", false },
	{ "26:7", "26:7 27:7", true },
	{ "26:3", "26:3", true },
};

static void test_equal(void **state)
{
	struct dialect *dialect =
		load(ECN "row: '(?<port>\\S)(?<key>\\d)(?<min>\\d)(?<max>\\d)', tolerance: 5%}\n"
			 "  pfc.enabled:\n    scope: port\n    set: a\n    unset: b\n"
			 "    read: {send: 's $port', row: '(?<value>true)'}\n");
	struct switch_value on = case_value(SWITCH_PFC_ENABLED, "1");
	struct switch_value off = case_value(SWITCH_PFC_ENABLED, "0");
	struct switch_value absent = case_value(SWITCH_PFC_ENABLED, "");
	struct switch_value unknown = { .status = SWITCH_UNREADABLE };

	for (size_t i = 0; i < ARRAY_SIZE(equals); i++) {
		struct switch_value want = case_value(equals[i].knob, equals[i].want);
		struct switch_value have = case_value(equals[i].knob, equals[i].have);

		case_equal(equals[i].have,
			   switch_value_equal(dialect, NULL, 0, equals[i].knob, &want, &have,
					      equals[i].exclusive),
			   equals[i].equal);
	}
	(void)dialect_free(dialect);
	dialect = load(HEAD "  dscp_to_priority:\n    scope: switch\n    each: {set: a, fill: 0}\n"
			    "    read: {send: s, row: '(?<key>\\d) (?<value>\\d)'}\n"
			    "  pfc.enabled:\n    scope: port\n    set: a\n    unset: b\n"
			    "    read: {send: 's $port', row: '(?<value>true)'}\n");
	for (size_t i = 0; i < ARRAY_SIZE(filled); i++) {
		struct switch_value want = case_value(SWITCH_DSCP_MAP, filled[i].want);
		struct switch_value have = case_value(SWITCH_DSCP_MAP, filled[i].have);

		case_equal(
			filled[i].have,
			switch_value_equal(dialect, NULL, 0, SWITCH_DSCP_MAP, &want, &have, true),
			filled[i].equal);
	}
	(void)dialect_free(dialect);
	dialect = load(HEAD "  dscp_to_priority:\n    scope: switch\n    each: {set: a}\n"
			    "    read: {send: s, row: '(?<key>\\d) (?<value>\\d)', expect: a, "
			    "default: {0-31: 7, 32-63: 6}}\n"
			    "  pfc.enabled:\n    scope: port\n    set: a\n    unset: b\n"
			    "    read: {send: 's $port', row: '(?<value>true)'}\n");
	for (size_t i = 0; i < ARRAY_SIZE(native); i++) {
		struct switch_value want = case_value(SWITCH_DSCP_MAP, native[i].want);
		struct switch_value have = case_value(SWITCH_DSCP_MAP, native[i].have);

		case_equal(
			native[i].have,
			switch_value_equal(dialect, NULL, 0, SWITCH_DSCP_MAP, &want, &have, true),
			native[i].equal);
	}
#define EQUAL(a, b) switch_value_equal(dialect, NULL, 0, SWITCH_PFC_ENABLED, &(a), &(b), true)
	assert_true(EQUAL(on, on) && EQUAL(off, off) && EQUAL(off, absent) && EQUAL(absent, off));
	assert_false(EQUAL(on, off) || EQUAL(off, on) || EQUAL(on, absent) || EQUAL(on, unknown) ||
		     EQUAL(unknown, on) || EQUAL(unknown, unknown));
	(void)dialect_free(dialect);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),	  cmocka_unit_test(test_queries),
		cmocka_unit_test(test_of_nobody), cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_equal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
