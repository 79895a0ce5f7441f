// SPDX-License-Identifier: LGPL-2.1-or-later
/* The datagrams of losslessd-switch: each byte that is not as it has to be is noticed. */
#include <errno.h>
#include <string.h>

#include "lib/switch/wire.h"
#include "tests/support/cases.h"

static const struct switch_call good = {
	.job = 7,
	.deadline_ms = 30000,
	.text_size = 12,
	.trial_s = 60,
	.verb = SWITCH_PUSH,
	.name = "leaf-1.pod-a",
};

static void test_request(void **state)
{
	struct switch_request request;
	struct switch_call call;
	const char *why;

	switch_request_encode(&good, &request);
	assert_int_equal(switch_request_decode(&request, sizeof(request), &call, &why), 0);
	assert_memory_equal(&call, &good, sizeof(call));
}

static void test_sizes(void **state)
{
	char bytes[2 * sizeof(struct switch_request)] = {};
	struct switch_request request;
	struct switch_call call;
	const char *why;

	switch_request_encode(&good, &request);
	memcpy(bytes, &request, sizeof(request));
	for (size_t size = 0; size <= sizeof(bytes); size++)
		if (size != sizeof(request))
			assert_int_equal(switch_request_decode(bytes, size, &call, &why), -EBADMSG);
}

#define AT(field) offsetof(struct switch_request, field)

/* One number in it is another. */
static const struct {
	const char *name;
	size_t at, size;
	uint32_t number;
	const char *why; /* NULL: allowed */
} requests[] = {
	{ "magic", AT(magic), 4, SWITCH_MAGIC + 1, "not ours" },
	{ "old version", AT(version), 4, 0, "of another version" },
	{ "new version", AT(version), 4, 3, "of another version" },
	{ "no job", AT(job), 4, 0, "no number" },
	{ "last job", AT(job), 4, UINT32_MAX, NULL },
	{ "no verb", AT(verb), 1, 0, "no such verb" },
	{ "verb too high", AT(verb), 1, SWITCH_VERB_MAX, "no such verb" },
	{ "a trial of what writes nothing", AT(verb), 1, SWITCH_READ, "no such trial" },
	{ "a return of what may be on trial", AT(verb), 1, SWITCH_RETURN, NULL },
	{ "no trial", AT(trial_s), 4, 0, NULL },
	{ "trial of a day, and the two minutes of losslessd", AT(trial_s), 4, 86520, NULL },
	{ "trial too long", AT(trial_s), 4, 86521, "no such trial" },
	{ "zero", AT(zero), 1, 1, "not zero where it has to be" },
	{ "last zero", AT(zero) + 2, 1, 1, "not zero where it has to be" },
	{ "no deadline", AT(deadline_ms), 4, 0, "no such deadline" },
	{ "shortest deadline", AT(deadline_ms), 4, 1, NULL },
	{ "longest deadline", AT(deadline_ms), 4, 900000, NULL },
	{ "deadline too late", AT(deadline_ms), 4, 900001, "no such deadline" },
	{ "no text", AT(text_size), 4, 0, NULL },
	{ "largest text", AT(text_size), 4, SWITCH_TEXT_MAX, NULL },
	{ "text too large", AT(text_size), 4, SWITCH_TEXT_MAX + 1, "text too large" },
	{ "negative text", AT(text_size), 4, UINT32_MAX, "text too large" },
	{ "no name", AT(name), 1, 0, "no name of a switch" },
	{ "option as a name", AT(name), 1, '-', "no name of a switch" },
	{ "path as a name", AT(name) + 4, 1, '/', "no name of a switch" },
	{ "space", AT(name) + 4, 1, ' ', "no name of a switch" },
	{ "line end", AT(name) + 4, 1, '\n', "no name of a switch" },
	{ "escape", AT(name) + 4, 1, 0x1b, "no name of a switch" },
	{ "not ASCII", AT(name) + 4, 1, 0xe4, "no name of a switch" },
	{ "user", AT(name) + 4, 1, '@', "no name of a switch" },
	{ "behind the name", AT(name) + SWITCH_NAME_MAX - 2, 1, 'a', "no name of a switch" },
	{ "no end", AT(name) + SWITCH_NAME_MAX - 1, 1, 'a', "no name of a switch" },
};

static void test_hostile_requests(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(requests); i++) {
		struct switch_request request;
		struct switch_call call = { .job = 4711 };
		const char *why = NULL;
		int r;

		switch_request_encode(&good, &request);
		memcpy((char *)&request + requests[i].at, &requests[i].number, requests[i].size);
		r = switch_request_decode(&request, sizeof(request), &call, &why);
		case_equal(requests[i].name, r, requests[i].why ? -EBADMSG : 0);
		if (!requests[i].why)
			continue;
		case_string(requests[i].name, why, requests[i].why);
		case_equal(requests[i].name, call.job, 4711);
	}
}

static void test_full_name(void **state)
{
	struct switch_request request;
	struct switch_call call = good;
	const char *why;

	memset(call.name, 'a', sizeof(call.name));
	switch_request_encode(&call, &request);
	assert_int_equal(switch_request_decode(&request, sizeof(request), &call, &why), -EBADMSG);
	memset(request.name + 253, 0, sizeof(request.name) - 253);
	assert_int_equal(switch_request_decode(&request, sizeof(request), &call, &why), 0);
	assert_int_equal(strlen(call.name), 253);
}

#undef AT
#define AT(field) offsetof(struct switch_reply, field)

static const struct {
	const char *name;
	size_t at, size;
	uint32_t number;
	int result;
} replies[] = {
	{ "magic", AT(magic), 4, 0, -EBADMSG },
	{ "version", AT(version), 4, 3, -EBADMSG },
	{ "no kind", AT(kind), 1, 0, -EBADMSG },
	{ "kind too high", AT(kind), 1, SWITCH_KIND_MAX, -EBADMSG },
	{ "a line with a verdict", AT(kind), 1, SWITCH_LINE, -EBADMSG },
	{ "a finding", AT(kind), 1, SWITCH_FINDING, 0 },
	{ "progress with a verdict", AT(kind), 1, 1, -EBADMSG },
	{ "last verdict", AT(verdict), 1, VERDICT_FAILED, 0 },
	{ "verdict too high", AT(verdict), 1, VERDICT_MAX, -EBADMSG },
	{ "zero", AT(zero) + 1, 1, 1, -EBADMSG },
	{ "escape", AT(text), 1, 0x1b, -EBADMSG },
	{ "delete", AT(text), 1, 0x7f, -EBADMSG },
	{ "line end", AT(text), 1, '\n', 0 },
	{ "no end", AT(text) + SWITCH_REPLY_MAX - 1, 1, 'a', -EBADMSG },
	{ "behind the end", AT(text) + 3, 1, 'a', -EBADMSG },
};

static void test_hostile_replies(void **state)
{
	struct switch_reply reply, got;

	for (size_t i = 0; i < ARRAY_SIZE(replies); i++) {
		switch_reply_encode(7, SWITCH_RESULT, VERDICT_UNKNOWN, "ab", &reply);
		memcpy((char *)&reply + replies[i].at, &replies[i].number, replies[i].size);
		case_equal(replies[i].name, switch_reply_decode(&reply, sizeof(reply), &got),
			   replies[i].result);
	}
	switch_reply_encode(7, SWITCH_RESULT, VERDICT_UNKNOWN, "ab", &reply);
	assert_int_equal(switch_reply_decode(&reply, sizeof(reply) - 1, &got), -EBADMSG);
	assert_int_equal(switch_reply_decode(&reply, 0, &got), -EBADMSG);
}

static void test_texts(void **state)
{
	struct switch_reply reply, got;
	char words[2 * SWITCH_REPLY_MAX] = "a\x1b[2J\r\nb\tc\x7f";

	switch_reply_encode(7, SWITCH_PROGRESS, VERDICT_IN_SYNC, words, &reply);
	assert_int_equal(switch_reply_decode(&reply, sizeof(reply), &got), 0);
	assert_string_equal(got.text, "a?[2J?\nb\tc?");
	memset(words, 'x', sizeof(words) - 1);
	switch_reply_encode(7, SWITCH_RESULT, VERDICT_FAILED, words, &reply);
	assert_int_equal(switch_reply_decode(&reply, sizeof(reply), &got), 0);
	assert_int_equal(strlen(got.text), SWITCH_REPLY_MAX - 1);
	assert_int_equal(got.job, 7);
	assert_int_equal(got.kind, SWITCH_RESULT);
	assert_int_equal(got.verdict, VERDICT_FAILED);
}

/* ---- findings ---- */

static void test_finding(void **state)
{
	static const struct switch_finding findings[] = {
		{ .port = "100GE1/0/1", .knob = SWITCH_PFC_ENABLED, .verdict = VERDICT_DRIFT,
		  .where = { 7, 3 }, .n_lines = 2, .want = "on", .have = "off" },
		{ .knob = SWITCH_KNOB_MAX, .verdict = VERDICT_UNKNOWN, .note = "no answer" },
		{ .port = "Gi 0/1", .knob = SWITCH_DSCP_MAP, .verdict = VERDICT_IN_SYNC,
		  .want = "26:3 48:6", .have = "26:3 48:6" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(findings); i++) {
		char text[SWITCH_REPLY_MAX];
		struct switch_finding got = {};

		switch_finding_format(&findings[i], text, sizeof(text));
		case_equal(text, switch_finding_parse(text, findings[i].verdict, &got), 0);
		case_equal(text, memcmp(&got, &findings[i], sizeof(got)), 0);
	}
}

static const char *const bad_findings[] = {
	"", "\t\t\t\t\t\t", "\t\t1\t1\t1\t\t\t\t", "\tno-knob\t1\t1\t1\t\t\t",
	"\tpfc\t-1\t1\t1\t\t\t", "\tpfc\t1\tx\t1\t\t\t", "\tpfc\t1\t\t1\t\t\t",
	"\tpfc\t1\t1\t99999999999999\t\t\t", "\tpfc\t1\t1\t1\ta\nb\t\t",
	"012345678901234567890123456789012345678901234567890123456789012345\tpfc\t1\t1\t1\t\t\t",
};

static void test_bad_findings(void **state)
{
	struct switch_finding got;

	for (size_t i = 0; i < ARRAY_SIZE(bad_findings); i++)
		case_equal(bad_findings[i],
			   switch_finding_parse(bad_findings[i], VERDICT_DRIFT, &got), -EBADMSG);
}

/* What a switch said ends up in one line, and never as another column. */
static void test_finding_texts(void **state)
{
	struct switch_finding finding = { .knob = SWITCH_PFC, .have = "a\tb\nc" }, got;
	char text[SWITCH_REPLY_MAX];

	memset(finding.note, 'x', sizeof(finding.note) - 1);
	switch_finding_format(&finding, text, sizeof(text));
	assert_int_equal(switch_finding_parse(text, VERDICT_FAILED, &got), 0);
	assert_string_equal(got.have, "a b c");
	assert_int_equal(strlen(got.note), sizeof(finding.note) - 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_request),		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_hostile_requests), cmocka_unit_test(test_full_name),
		cmocka_unit_test(test_hostile_replies), cmocka_unit_test(test_texts),
		cmocka_unit_test(test_finding),		cmocka_unit_test(test_bad_findings),
		cmocka_unit_test(test_finding_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
