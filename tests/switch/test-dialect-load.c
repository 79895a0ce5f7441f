// SPDX-License-Identifier: LGPL-2.1-or-later
/* What is refused in a dialect, where, and with which words; what a fabric file may say to one. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "tests/support/cases.h"
#include "tests/switch/dialect-case.h"

/* Line 1 to 4; what a case says begins at line 5. */
#define HEAD                                                                         \
	"dialect: t\nverified: vendor\n"                                             \
	"session: {channel: shell, prompt: '<$host>', error: ['^E'], leave: quit}\n" \
	"vars: {layer3: bool, model: [a, b], slot: number}\n"
#define KNOB HEAD "knobs:\n"
#define PFC  KNOB "  pfc:\n"
#define READ "    read: {send: s, row: '^(?<port>\\S+) (?<value>\\S+)$'}\n"
#define SET  "    each: {set: 'a $key', del: 'b $key'}\n"
#define DSCP(each) KNOB "  dscp_to_priority:\n    scope: switch\n    each: " each "\n"
#define TOLD       "    read: {send: s, row: '(?<key>\\d) (?<value>\\d)', expect: a, default: "
#define TABLE      DSCP("{set: a}") TOLD
#define SHELL                                                                                \
	"dialect: t\nverified: vendor\n"                                                     \
	"session: {channel: exec, prompt: '<$host>', fail: exit-status}\n\nknobs:\n  pfc:\n" \
	"    scope: port\n"

static const struct {
	const char *name;
	const char *text;
	unsigned int line;
	unsigned int column;
	const char *message; /* a part of it */
} refused[] = {
	/* ---- the file ---- */
	{ "unknown key", HEAD "knobs: {}\nfacts: {}\n", 6, 1,
	  "unknown key \"facts\" in a dialect" },
	{ "no knobs", HEAD, 1, 1, "the key \"knobs\" is missing" },
	{ "no session", "dialect: t\nverified: vendor\nknobs: {}\n", 1, 1,
	  "the key \"session\" is missing" },
	{ "twice", HEAD "knobs: {}\nknobs: {}\n", 6, 1, "knobs" },
	{ "verified", "dialect: t\nverified: maybe\n", 2, 11,
	  "\"maybe\" is none of false, field, vendor" },
	{ "name", "dialect: T/..\n", 1, 10, "dialect: " },
	{ "port names", HEAD "port_names: '('\nknobs: {}\n", 5, 13, "this pattern is wrong" },
	/* ---- vars ---- */
	{ "reserved", "vars: {port: bool}\n", 1, 8, "$port stands for something else" },
	{ "reserved, a field", "vars: {detect: bool}\n", 1, 8, "stands for something else" },
	{ "kind of a variable", "vars: {a: text}\n", 1, 11, "\"text\" is none of bool, number" },
	{ "no values", "vars: {a: []}\n", 1, 11, "at least one text" },
	/* ---- session ---- */
	{ "unknown key of session", "session: {chanel: shell}\n", 1, 11,
	  "unknown key \"chanel\" in session" },
	{ "channel", "session: {channel: telnet}\n", 1, 20, "none of shell, exec, exec-read" },
	{ "prompt without host", "session: {prompt: '[>#]'}\n", 1, 19, "it has no $host" },
	{ "prompt that is always there", "session: {prompt: '($host)?'}\n", 1, 19,
	  "an empty line" },
	{ "prompt is no pattern", "session: {prompt: '$host('}\n", 1, 19, "this pattern is wrong" },
	{ "unknown word in a prompt", "session: {prompt: '$hsot'}\n", 1, 19,
	  "$hsot stands for nothing" },
	{ "error is no pattern", "session: {error: ['^a', '[']}\n", 1, 25,
	  "this pattern is wrong" },
	{ "no errors", "session: {channel: shell, prompt: '$host'}\n", 1, 10,
	  "nothing tells a refused line" },
	{ "exit status of a shell", "session: {channel: shell, fail: exit-status}\n", 1, 10,
	  "have an exit status" },
	{ "ask without an answer", "session: {ask: [{text: a}]}\n", 1, 17,
	  "the key \"answer\" is missing" },
	{ "ask where", "session: {ask: [{text: a, answer: b, only_in: there}]}\n", 1, 47,
	  "none of any, login, lines, commit, save" },
	{ "two lines as an answer", "session: {ask: [{text: a, answer: \"b\\nc\"}]}\n", 1, 35,
	  "one line of printable ASCII" },
	{ "width", "session: {width: 79}\n", 1, 18, "width: " },
	{ "newline", "session: {newline: crlf}\n", 1, 20, "none of lf, cr" },
	{ "enable without a prompt", "session: {enable: {send: enable}}\n", 1, 19,
	  "the key \"prompt\" is missing" },
	/* ---- transaction ---- */
	{ "unknown verb", HEAD "transaction: {undo: a}\n", 5, 15, "unknown key \"undo\"" },
	{ "seconds of a commit", HEAD "transaction: {commit: 'a $seconds'}\n", 5, 23,
	  "$seconds has no meaning in commit" },
	{ "trial for good", HEAD "transaction: {trial: 'a $seconds'}\n", 5, 1,
	  "trial without confirm" },
	{ "port of a commit", HEAD "transaction: {commit: 'a $port'}\n", 5, 23,
	  "$port has no meaning in commit" },
	/* ---- knobs ---- */
	{ "unknown knob", KNOB "  pfc.prios: {}\n", 6, 3, "there is no knob \"pfc.prios\"" },
	{ "unknown key of a knob", PFC "    st: a\n", 7, 5, "unknown key \"st\" in pfc" },
	{ "unsupported with lines", PFC "    unsupported: a\n" SET, 6, 3,
	  "what is unsupported has no lines" },
	{ "no scope", PFC SET READ, 6, 3, "the key \"scope\" is missing" },
	{ "wrong scope", PFC "    scope: switch\n" SET READ, 7, 12, "pfc is never of a switch" },
	{ "no set", PFC "    scope: port\n" READ, 6, 3, "one of set and each" },
	{ "set and each",
	  PFC "    scope: port\n    set: 'a ${value:join}'\n    unset: b\n" SET READ, 6, 3,
	  "one of set and each" },
	{ "set without unset", PFC "    scope: port\n    set: 'a ${value:join}'\n" READ, 6, 3,
	  "without unset nothing can be taken back" },
	{ "each without del", PFC "    scope: port\n    each: {set: 'a $key'}\n" READ, 6, 3,
	  "nothing can be taken back" },
	{ "each with a default of some keys", TABLE "{0-62: 1}}\n", 6, 3,
	  "nothing can be taken back" },
	{ "a default of each key, and fill", DSCP("{set: a, fill: 0}") TOLD "{0-63: 1}}\n", 6, 3,
	  "one of fill and a default of each key" },
	{ "a default of a key that is none", TABLE "{0-64: 1}}\n", 9, 74, "a key is a number" },
	{ "a default of no key", TABLE "{'': 1}}\n", 9, 74, "a key is a number" },
	{ "two defaults of a key", TABLE "{0-7: 1, 7: 2}}\n", 9, 82, "stands there twice" },
	{ "a default that is no value", TABLE "{0-63: 8}}\n", 9, 74, "never a value" },
	{ "a default that is a list", TABLE "{0-63: [1]}}\n", 9, 74, "never a value" },
	{ "a default of each key of a list",
	  PFC "    read: {send: s, row: a, expect: b, default: {0-7: 1}}\n", 7, 40,
	  "no map of numbers" },
	{ "keys of one value",
	  KNOB "  mtu:\n    read: {send: s, row: a, keys: ranges}\n", 7, 29, "mtu has none" },
	{ "keys of another kind",
	  PFC "    read: {send: s, row: a, keys: many}\n", 7, 35, "plain, ranges" },
	{ "more than one line of set",
	  PFC "    scope: port\n    each: {set: ['a $key', b], more: ' $key', del: 'b $key'}\n"
	  READ, 8,
	  11, "more adds to the one line of set" },
	{ "no read", PFC "    scope: port\n" SET, 6, 3, "say read" },
	{ "unset of each", PFC "    scope: port\n    unset: a\n" SET READ, 6, 3, "write clear" },
	{ "a map by set",
	  KNOB "  dscp_to_priority:\n    scope: switch\n    set: a\n    unset: b\n"
	       "    read: {send: s, row: '(?<key>\\d) (?<value>\\d)'}\n",
	  6, 3, "a map is written by each" },
	{ "each of one value", KNOB "  mtu:\n    scope: port\n" SET READ, 8, 17,
	  "$key stands for" },
	{ "fill of a list", PFC "    scope: port\n    each: {set: a, fill: 0}\n" READ, 8, 26,
	  "cannot be filled" },
	{ "fill beyond",
	  KNOB "  dscp_to_priority:\n    scope: switch\n    each: {set: a, fill: 8}\n"
	       "    read: {send: s, row: '(?<key>\\d) (?<value>\\d)'}\n",
	  8, 26, "cannot be filled" },
	{ "needs what is not", PFC "    needs: [pfc.on]\n", 7, 13, "there is no knob \"pfc.on\"" },
	{ "when of nothing", PFC "    when: {family: a}\n", 7, 12,
	  "there is no variable \"family\"" },
	{ "when never", PFC "    when: {model: c}\n", 7, 19,
	  "model cannot be \"c\"; it may be a, b" },
	{ "when for all", PFC "    when: {model: a}\n    unsupported: x\n", 6, 3,
	  "the last variant has to be without when" },
	{ "behind all", KNOB "  pfc:\n    - unsupported: a\n    - unsupported: b\n", 6, 3,
	  "behind a variant without when" },
	/* ---- lines ---- */
	{ "unknown name", PFC "    scope: port\n    each: {set: 'a $prio', del: b}\n" READ, 8, 17,
	  "$prio stands for nothing here" },
	{ "unknown filter", PFC "    scope: port\n    each: {set: 'a ${key:hex}', del: b}\n" READ,
	  8, 17, "there is no filter \"hex\"" },
	{ "filter for something else",
	  PFC "    scope: port\n    each: {set: 'a ${key:kbytes}', del: b}\n" READ, 8, 17,
	  "kbytes cannot be behind $key" },
	{ "a number after a filter",
	  KNOB "  mtu:\n    scope: port\n    set: 'a ${value:shell:words}'\n    unset: b\n" READ, 8,
	  10, "words cannot be behind $value" },
	{ "a list as it is", PFC "    scope: port\n    set: 'a $value'\n    unset: b\n" READ, 8, 10,
	  "say join, ranges or bitmask" },
	{ "open brace", PFC "    scope: port\n    each: {set: 'a ${key', del: b}\n" READ, 8, 17,
	  "a brace is open" },
	{ "a control byte", PFC "    scope: port\n    each: {set: \"a\\tb\", del: b}\n" READ, 8, 17,
	  "only printable ASCII" },
	{ "no ASCII", PFC "    scope: port\n    each: {set: 'ä', del: b}\n" READ, 8, 17,
	  "only printable ASCII" },
	{ "an empty line", PFC "    scope: port\n    each: {set: '', del: b}\n" READ, 8, 17,
	  "a line is empty" },
	{ "a port of the switch",
	  KNOB "  pfc.priorities:\n    scope: switch\n    each: {set: 'a $port', del: b}\n"
	       "    read: {send: s, row: '(?<key>\\d)'}\n",
	  8, 17, "$port has no meaning in set" },
	{ "a value in unset",
	  KNOB "  mtu:\n    scope: port\n    set: 'a $value'\n    unset: 'b $value'\n" READ, 9, 12,
	  "a value has no meaning in unset" },
	{ "words without words",
	  KNOB "  mtu:\n    scope: port\n    set: 'a ${value:words}'\n    unset: b\n" READ, 8, 10,
	  "the filter words needs the key words" },
	{ "words for what never is", KNOB "  trust:\n    words: {ip: x}\n", 7, 13,
	  "trust is never \"ip\"" },
	{ "a shell and a bare port", SHELL "    each: {set: 'a $port $key', del: b}\n" READ, 8, 17,
	  "write ${port:shell}" },
	{ "modes of an exec channel", SHELL "    in: m\n" SET READ, 6, 3, "has no modes" },
	{ "a shell and a bare port in send",
	  SHELL "    each: {set: 'a ${port:shell} $key', del: b}\n    read: {send: 's $port', row: "
		"'(?<value>\\d)'}\n",
	  9, 18, "write ${port:shell}" },
	/* ---- read ---- */
	{ "row and json", PFC "    read: {send: s, row: a, json: /a}\n", 7, 11,
	  "one of row and json" },
	{ "neither", PFC "    read: {send: s}\n", 7, 11, "one of row and json" },
	{ "no send", PFC "    read: {row: a}\n", 7, 11, "the key \"send\" is missing" },
	{ "row is no pattern", PFC "    read: {send: s, row: '(?<value>'}\n", 7, 26,
	  "this pattern is wrong" },
	{ "unknown group", PFC "    read: {send: s, row: '(?<prio>\\d)'}\n", 7, 26,
	  "pfc has no \"prio\"" },
	{ "carry of nothing", PFC "    read: {send: s, row: a, carry: [prio]}\n", 7, 37,
	  "carry: pfc has no \"prio\"" },
	{ "nothing tells the port",
	  PFC "    scope: port\n" SET "    read: {send: s, row: '(?<value>\\d)'}\n", 9, 18,
	  "nothing tells the port" },
	{ "nothing tells the list",
	  PFC "    scope: port\n" SET "    read: {send: 's $port', row: '(?<oper>\\d)'}\n", 9, 18,
	  "nothing tells the list" },
	{ "nothing tells the key",
	  KNOB "  dscp_to_priority:\n    scope: switch\n" SET
	       "    read: {send: s, row: '(?<value>\\d)'}\n",
	  9, 18, "nothing tells the key" },
	{ "half of a value",
	  KNOB "  ecn:\n    scope: switch\n" SET
	       "    read: {send: s, row: '(?<key>\\d) (?<min>\\d)'}\n",
	  9, 18, "a part of the value is not told" },
	{ "a port of a value of the switch", KNOB "  pfc.priorities:\n    scope: switch\n" SET READ,
	  9, 18, "has no port" },
	{ "default of anything",
	  PFC "    scope: port\n" SET
	      "    read: {send: 's $port', row: '(?<value>\\d)', default: none}\n",
	  9, 18, "default needs expect" },
	{ "default that never is", PFC "    read: {send: s, row: a, default: 9}\n", 7, 38,
	  "pfc is never \"9\"" },
	{ "as", PFC "    read: {send: s, row: a, as: hex}\n", 7, 33,
	  "none of plain, list, ranges" },
	{ "tolerance", PFC "    read: {send: s, row: a, tolerance: 90%}\n", 7, 40, "tolerance: " },
	{ "proof", PFC "    read: {send: s, row: a, proof: yes}\n", 7, 36, "none of config, oper" },
	{ "path", PFC "    read: {send: s, json: a/b}\n", 7, 27, "a path begins with /" },
	{ "name in a path", PFC "    read: {send: s, json: /a/$prt}\n", 7, 27,
	  "only $port and $key" },
	{ "at is missing", PFC "    read: {send: s, json: {value: a}}\n", 7, 27,
	  "the key \"at\" is missing" },
	{ "unknown part", PFC "    read: {send: s, json: {at: /a, prio: a}}\n", 7, 36,
	  "pfc has no \"prio\"" },
	{ "carry in JSON",
	  PFC "    scope: port\n" SET "    read: {send: s, json: /$port, carry: [port]}\n", 9, 18,
	  "starts and carry are for row" },
	{ "words that mean nothing", PFC "    read: {send: s, row: a, words: {x: many}}\n", 7, 40,
	  "pfc is never \"many\"" },
};

static bool is_said(const struct diags *diags, size_t i)
{
	for (size_t k = 0; k < diags->n; k++)
		if (diags->list[k].where.line == refused[i].line &&
		    diags->list[k].where.column == refused[i].column &&
		    strstr(diags->list[k].message, refused[i].message))
			return true;
	return false;
}

static void test_refused(void **state)
{
	size_t unsaid = 0;

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		struct dialect *dialect = NULL;
		struct diags diags = {};
		size_t size = strlen(refused[i].text);

		case_equal(refused[i].name, dialect_load(refused[i].text, size, &dialect, &diags),
			   -EINVAL);
		case_true(refused[i].name, !dialect);
		if (!is_said(&diags, i)) {
			diags_write(&diags, stderr, refused[i].name, refused[i].text, size);
			print_error("%s: not said at %u:%u: %s\n", refused[i].name, refused[i].line,
				    refused[i].column, refused[i].message);
			unsaid++;
		}
		diags_done(&diags);
	}
	assert_int_equal(unsaid, 0);
}

static struct dialect *load(const char *text)
{
	struct dialect *dialect = NULL;
	struct diags diags = {};

	if (dialect_load(text, strlen(text), &dialect, &diags) < 0) {
		diags_write(&diags, stderr, "text", text, strlen(text));
		fail_msg("does not load");
	}
	diags_done(&diags);
	return dialect;
}

static void test_too_large(void **state)
{
	struct dialect *dialect = NULL;
	struct diags diags = {};
	size_t size = 256 * 1024 + 1;
	char *text = malloc(size);

	assert_non_null(text);
	memset(text, '#', size);
	assert_int_equal(dialect_load(text, size, &dialect, &diags), -EINVAL);
	assert_non_null(strstr(diags.list[0].message, "at most"));
	diags_done(&diags);
	free(text);
}

static const struct {
	const char *name;
	const char *value;
	const char *why; /* NULL: it may be */
} vars[] = {
	{ "layer3", "true", NULL },
	{ "layer3", "yes", "true or false" },
	{ "model", "b", NULL },
	{ "model", "c", "it may be a, b" },
	{ "slot", "65535", NULL },
	{ "slot", "65536", "0 to 65535" },
	{ "slot", "1; reboot", "0 to 65535" },
	{ "slot", "0x10", "0 to 65535" },
	{ "slot", "", "0 to 65535" },
	{ "speed", "1", "no variable \"speed\"; it has layer3, model, slot" },
};

static void test_vars(void **state)
{
	struct dialect *dialect = load(HEAD "knobs: {}\n");

	for (size_t i = 0; i < ARRAY_SIZE(vars); i++) {
		char why[256] = "";
		int r = dialect_check_var(dialect, vars[i].name, vars[i].value, why, sizeof(why));

		case_equal(vars[i].value, r, vars[i].why ? -EINVAL : 0);
		if (vars[i].why && !strstr(why, vars[i].why))
			fail_msg("%s: said: %s", vars[i].value, why);
	}
	(void)dialect_free(dialect);
}

static const struct {
	const char *port;
	const char *why; /* NULL: it may be */
} ports[] = {
	{ "eth1", NULL },
	{ "eth1/2 3", NULL },
	{ "Eth1", "no port of the dialect t" },
	{ "xeth1", "no port of the dialect t" },
	{ "", "port: " },
	{ "-eth1", "port: " },
	{ "eth1;reboot", "port: " },
	{ "eth1\nreboot", "port: " },
	{ "eth1|x", "port: " },
	{ "eth1?", "port: " },
};

static void test_ports(void **state)
{
	struct dialect *dialect = load(HEAD "port_names: 'eth.+'\nknobs: {}\n");

	for (size_t i = 0; i < ARRAY_SIZE(ports); i++) {
		char why[256] = "";
		int r = dialect_check_port(dialect, ports[i].port, why, sizeof(why));

		case_equal(ports[i].port, r, ports[i].why ? -EINVAL : 0);
		if (ports[i].why && !strstr(why, ports[i].why))
			fail_msg("%s: said: %s", ports[i].port, why);
	}
	(void)dialect_free(dialect);
}

static void test_knob(void **state)
{
	static const struct dialect_setting b = { "model", "b" };
	struct dialect *dialect =
		load(PFC "    - when: {model: b}\n      unsupported: not b\n"
			 "    - scope: port\n      verified: field\n      impact: all ports\n"
			 "      needs: [mtu]\n      each: {set: 'a $key', del: 'b $key'}\n"
			 "      read: {send: s, row: '(?<port>a) (?<value>b)', proof: oper}\n");
	enum switch_scope scope = SCOPE_MAX;
	const char *why = "";

	assert_true(dialect_has(dialect, NULL, 0, SWITCH_PFC, &scope, &why));
	assert_int_equal(scope, SCOPE_PORT);
	assert_false(dialect_has(dialect, &b, 1, SWITCH_PFC, &scope, &why));
	assert_string_equal(why, "not b");
	assert_false(dialect_has(dialect, NULL, 0, SWITCH_MTU, &scope, &why));
	assert_string_equal(why, "the dialect does not know it");
	assert_int_equal(dialect_verified(dialect), VERIFIED_VENDOR);
	assert_int_equal(dialect_knob_verified(dialect, NULL, 0, SWITCH_PFC), VERIFIED_FIELD);
	assert_int_equal(dialect_knob_verified(dialect, &b, 1, SWITCH_PFC), VERIFIED_VENDOR);
	assert_string_equal(dialect_impact(dialect, NULL, 0, SWITCH_PFC), "all ports");
	assert_string_equal(dialect_impact(dialect, &b, 1, SWITCH_PFC), "");
	assert_int_equal(dialect_needs(dialect, NULL, 0, SWITCH_PFC), 1U << SWITCH_MTU);
	assert_true(dialect_proves_operation(dialect, NULL, 0, SWITCH_PFC));
	assert_false(dialect_proves_operation(dialect, NULL, 0, SWITCH_MTU));
	(void)dialect_free(dialect);
}

static void test_session(void **state)
{
	struct dialect *dialect = load(
		"dialect: t\nverified: false\nknobs: {}\n"
		"session:\n  channel: exec-read\n  prompt: '$host#'\n  after_login: [a, b]\n"
		"  enable: {send: en, prompt: '#$', password: 'word:'}\n  pager: more\n"
		"  error: [e, f]\n  not_error: g\n  question: '\\?$'\n  refuse: n\n  leave: exit\n"
		"  newline: cr\n  width: 200\n  fail: exit-status\n"
		"  ask: [{text: x, answer: y, only_in: save}, {text: z, answer: ''}]\n");
	const struct session_rules *rules = dialect_rules(dialect);

	assert_int_equal(rules->channel, SESSION_EXEC_READ);
	assert_string_equal(rules->prompt, "$host#");
	assert_string_equal(rules->after_login[1], "b");
	assert_null(rules->after_login[2]);
	assert_string_equal(rules->enable, "en");
	assert_string_equal(rules->enabled, "#$");
	assert_string_equal(rules->enable_password, "word:");
	assert_string_equal(rules->pager[0], "more");
	assert_null(rules->pager[1]);
	assert_string_equal(rules->error[1], "f");
	assert_string_equal(rules->not_error[0], "g");
	assert_string_equal(rules->question, "\\?$");
	assert_string_equal(rules->refuse, "n");
	assert_string_equal(rules->leave, "exit");
	assert_string_equal(rules->newline, "\r");
	assert_int_equal(rules->width, 200);
	assert_true(rules->exit_status);
	assert_int_equal(rules->n_ask, 2);
	assert_int_equal(rules->ask[0].where, ASK_SAVE);
	assert_int_equal(rules->ask[1].where, ASK_ANY);
	assert_string_equal(rules->ask[1].answer, "");
	(void)dialect_free(dialect);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused), cmocka_unit_test(test_too_large),
		cmocka_unit_test(test_vars),	cmocka_unit_test(test_knob),
		cmocka_unit_test(test_session), cmocka_unit_test(test_ports),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
