// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A switch that loses what is typed ahead, one that does not end, and lines on channels of their
 * own. The first is a small program, the others say one thing.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "tests/support/cases.h"
#include "tests/switch/scripted.h"

enum { TYPED_MAX = 4096, LINES = 120, LINE_BYTES = 60, WORDS_MAX = 512 };

static void session_freep(struct session **session)
{
	*session = session_free(*session);
}

#define _cleanup_session_ _cleanup_(session_freep)

/* ---- lines that get lost ---- */

struct terminal {
	struct channel channel;
	char typed[TYPED_MAX]; /* not read by the switch yet */
	size_t n_typed;
	char says[2 * TYPED_MAX];
	size_t n_says;
	size_t lines; /* that became configuration */
	int64_t now_ms;
};

static void terminal_say(struct terminal *terminal, const char *text, size_t size)
{
	assert_true(size <= sizeof(terminal->says) - terminal->n_says);
	memcpy(terminal->says + terminal->n_says, text, size);
	terminal->n_says += size;
}

static void terminal_prompt(struct terminal *terminal)
{
	terminal_say(terminal, "\r\n<sw-lab-6>", 12);
}

/* The switch reads what was typed when its output is taken, which is when it has time. */
static void terminal_work(struct terminal *terminal)
{
	const char *end;

	while ((end = memchr(terminal->typed, '\n', terminal->n_typed))) {
		size_t n = (size_t)(end - terminal->typed);

		terminal->lines += n == LINE_BYTES - 1 && memcmp(terminal->typed, "set ", 4) == 0;
		if (terminal->n_says + n + 16 < sizeof(terminal->says)) {
			terminal_say(terminal, terminal->typed, n);
			terminal_prompt(terminal);
		}
		terminal->n_typed -= n + 1;
		memmove(terminal->typed, end + 1, terminal->n_typed);
	}
}

static long terminal_read(struct channel *channel, char *data, size_t size, int timeout_ms)
{
	struct terminal *terminal = (struct terminal *)channel;
	size_t n;

	terminal_work(terminal);
	n = MIN(size, terminal->n_says);
	if (n == 0) {
		terminal->now_ms += timeout_ms;
		return -ETIMEDOUT;
	}
	memcpy(data, terminal->says, n);
	terminal->n_says -= n;
	memmove(terminal->says, terminal->says + n, terminal->n_says);
	return (long)n;
}

static int terminal_write(struct channel *channel, const char *data, size_t size)
{
	struct terminal *terminal = (struct terminal *)channel;
	size_t n = MIN(size, TYPED_MAX - terminal->n_typed);

	memcpy(terminal->typed + terminal->n_typed, data, n);
	terminal->n_typed += n;
	return 0;
}

static int64_t terminal_now(struct channel *channel)
{
	return ((struct terminal *)channel)->now_ms;
}

static const struct channel_ops terminal_ops = {
	.read = terminal_read,
	.write = terminal_write,
	.now_ms = terminal_now,
};

static void line_make(size_t i, char ret[LINE_BYTES + 1])
{
	(void)snprintf(ret, LINE_BYTES + 1, "set interface HGE1/0/%-38zu", i);
	memset(ret + strlen(ret), 'x', LINE_BYTES - 1 - strlen(ret));
	ret[LINE_BYTES - 1] = '\0';
}

static void test_line_by_line(void **state)
{
	struct terminal terminal = { .channel = { &terminal_ops } };
	_cleanup_session_ struct session *session = NULL;
	char words[WORDS_MAX], line[LINE_BYTES + 1];

	terminal_prompt(&terminal);
	assert_int_equal(session_open(&rules_comware, &terminal.channel, &scripted_limits, NULL, 0,
				      NULL, &session, words, sizeof(words)),
			 SESSION_OK);
	for (size_t i = 0; i < LINES; i++) {
		line_make(i, line);
		assert_int_equal(session_line(session, line, ASK_LINES, NULL, NULL, NULL, words,
					      sizeof(words)),
				 SESSION_OK);
	}
	assert_int_equal(terminal.lines, LINES);
}

/* That the switch above does lose lines. */
static void test_pasted(void **state)
{
	struct terminal terminal = { .channel = { &terminal_ops } };
	char line[LINE_BYTES + 1], data[256];

	for (size_t i = 0; i < LINES; i++) {
		line_make(i, line);
		line[LINE_BYTES - 1] = '\n';
		assert_int_equal(terminal_write(&terminal.channel, line, LINE_BYTES), 0);
	}
	while (terminal_read(&terminal.channel, data, sizeof(data), 1) > 0)
		;
	assert_int_equal(terminal.lines, TYPED_MAX / LINE_BYTES);
}

/* ---- a switch that does not end ---- */

struct endless {
	struct channel channel;
	const char *first, *then; /* said once; and again and again */
	size_t at;
	int64_t now_ms;
	int64_t taken_ms; /* by each piece */
	size_t said;
};

static long endless_read(struct channel *channel, char *data, size_t size, int timeout_ms)
{
	struct endless *endless = (struct endless *)channel;
	const char *text = endless->first ? endless->first : endless->then;
	size_t n = MIN(size, strlen(text));

	if (endless->at > 0 && endless->first) {
		endless->now_ms += timeout_ms;
		return -ETIMEDOUT;
	}
	endless->now_ms += endless->taken_ms;
	endless->at++;
	endless->said += n;
	memcpy(data, text, n);
	return (long)n;
}

static int endless_write(struct channel *channel, const char *data, size_t size)
{
	((struct endless *)channel)->first = NULL;
	return 0;
}

static int64_t endless_now(struct channel *channel)
{
	return ((struct endless *)channel)->now_ms;
}

static const struct channel_ops endless_ops = {
	.read = endless_read,
	.write = endless_write,
	.now_ms = endless_now,
};

static const struct {
	const char *name;
	const char *then;
	int64_t taken_ms;
	enum session_end end;
	const char *words;
} endless_cases[] = {
	{ "lines", "show x\r\nline\r\n", 0, SESSION_TOO_LONG, "more than 65536 bytes" },
	{ "one line", "xxxxxxxxxxxxxxxx", 0, SESSION_TOO_LONG, "more than 65536 bytes" },
	{ "sequences without text", "\x1b[1m\x1b[K", 0, SESSION_TOO_LONG, "more than" },
	{ "a string that does not end", "\x1b]0;title", 0, SESSION_TOO_LONG, "more than" },
	{ "moves to the right", "\x1b[999C", 0, SESSION_TOO_LONG, "more than" },
	{ "writes far to the right", "\x1b[500Cx", 0, SESSION_TOO_LONG, "more than" },
	{ "a byte now and then", ".", 90, SESSION_TIMEOUT, "" },
};

static void test_endless(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(endless_cases); i++) {
		struct endless endless = {
			.channel = { &endless_ops },
			.first = "<sw-lab-6>",
			.then = endless_cases[i].then,
			.taken_ms = endless_cases[i].taken_ms,
		};
		const char *name = endless_cases[i].name;
		_cleanup_session_ struct session *session = NULL;
		char words[WORDS_MAX];

		case_equal(name,
			   session_open(&rules_comware, &endless.channel, &scripted_limits, NULL, 0,
					NULL, &session, words, sizeof(words)),
			   SESSION_OK);
		case_equal(name,
			   session_line(session, "show x", ASK_LINES, NULL, NULL, NULL, words,
					sizeof(words)),
			   endless_cases[i].end);
		case_true(name, strstr(words, endless_cases[i].words) != NULL);
		case_true(name, endless.said <= scripted_limits.answer_max + 64);
		case_true(name, endless.now_ms <= scripted_limits.command_ms + 1000);
	}
}

/* ---- channels of their own ---- */

struct exec_case {
	const char *name;
	const char *output;
	int status;
	int error;
	bool exit_status;
	enum session_end end;
	const char *answer; /* or words */
};

static const struct exec_case exec_cases[] = {
	{ "an answer", "a\r\nb", 0, 0, true, SESSION_OK, "a\nb\n" },
	{ "with colours", "\x1b[1ma\x1b[0m\n", 0, 0, true, SESSION_OK, "a\n" },
	{ "nothing", "", 0, 0, true, SESSION_OK, "" },
	{ "what looks like a prompt", "<sw-lab-6>\n", 0, 0, true, SESSION_OK, "<sw-lab-6>\n" },
	{ "a status", "dcb: no such device\n\n", 1, 0, true, SESSION_REFUSED,
	  "dcb: no such device (exit status 1)" },
	{ "a status and nothing said", "", 2, 0, true, SESSION_REFUSED, "nothing (exit status 2)" },
	{ "an error without a status", "% no\n", 0, 0, true, SESSION_REFUSED, "% no" },
	{ "no status", "a\n", -1, 0, true, SESSION_TRUNCATED, "without an exit status" },
	{ "a switch that has none", "a\n", -1, 0, false, SESSION_OK, "a\n" },
	{ "too slow", "", 0, -ETIMEDOUT, true, SESSION_TIMEOUT, "in time" },
	{ "too much", "", 0, -E2BIG, true, SESSION_TOO_LONG, "more than 65536 bytes" },
	{ "gone", "", 0, -ECONNRESET, true, SESSION_LOST, "the connection is gone" },
	{ "to end", "", 0, -ECANCELED, true, SESSION_CANCELLED, "cancelled" },
};

struct execs {
	struct channel channel;
	const struct exec_case *now;
	unsigned int calls;
};

static int execs_exec(struct channel *channel, const char *line, size_t limit, int timeout_ms,
		      char **ret, size_t *ret_size, int *ret_status)
{
	struct execs *execs = (struct execs *)channel;

	assert_string_equal(line, "show 'x'");
	execs->calls++;
	if (execs->now->error)
		return execs->now->error;
	*ret = strdup(execs->now->output);
	*ret_size = strlen(execs->now->output);
	*ret_status = execs->now->status;
	return 0;
}

static const struct channel_ops execs_ops = { .exec = execs_exec };

static void test_exec(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(exec_cases); i++) {
		const struct exec_case *now = &exec_cases[i];
		struct execs execs = { .channel = { &execs_ops }, .now = now };
		struct session_rules rules = rules_comware;
		_cleanup_session_ struct session *session = NULL;
		_cleanup_free_ char *answer = NULL;
		char words[WORDS_MAX];
		size_t size;

		rules.channel = SESSION_EXEC;
		rules.exit_status = now->exit_status;
		case_equal(now->name,
			   session_open(&rules, &execs.channel, &scripted_limits, NULL, 0, NULL,
					&session, words, sizeof(words)),
			   SESSION_OK);
		case_equal(now->name,
			   session_read(session, "show 'x'", &answer, &size, words, sizeof(words)),
			   now->end);
		case_equal(now->name, execs.calls, 1);
		if (now->end == SESSION_OK)
			case_string(now->name, answer, now->answer);
		else
			case_true(now->name, strstr(words, now->answer) != NULL);
		case_equal(now->name,
			   session_read(session, "show\nx", NULL, NULL, words, sizeof(words)),
			   SESSION_BAD);
		case_equal(now->name, execs.calls, 1);
	}
}

static void test_no_exec(void **state)
{
	struct endless endless = { .channel = { &endless_ops }, .first = "<sw-lab-6>" };
	struct session_rules rules = rules_comware;
	struct session *session = NULL;
	char words[WORDS_MAX];

	rules.channel = SESSION_EXEC_READ;
	assert_int_equal(session_open(&rules, &endless.channel, &scripted_limits, NULL, 0, NULL,
				      &session, words, sizeof(words)),
			 SESSION_BAD);
	assert_int_equal(endless.said, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_line_by_line), cmocka_unit_test(test_pasted),
		cmocka_unit_test(test_endless),	     cmocka_unit_test(test_exec),
		cmocka_unit_test(test_no_exec),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
