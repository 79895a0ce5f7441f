// SPDX-License-Identifier: LGPL-2.1-or-later
/* The two datagrams of losslessd-switch, checked byte by byte. No I/O. */
#include "lib/switch/wire.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/spec/name.h"

static const char *const verb_names[] = {
	[SWITCH_TEST] = "test",
	[SWITCH_RENDER] = "render",
	[SWITCH_PUSH] = "push",
	[SWITCH_READ] = "read",
	[SWITCH_RETURN] = "return",
	[SWITCH_CONFIRM] = "confirm",
	[SWITCH_KEY] = "key",
	[SWITCH_ACCEPT] = "accept",
};
static_assert(ARRAY_SIZE(verb_names) == SWITCH_VERB_MAX, "a name for each verb");

const char *switch_verb_name(enum switch_verb verb)
{
	return verb_names[verb];
}

static bool is_zero(const void *data, size_t size)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < size; i++)
		if (bytes[i])
			return false;
	return true;
}

/* Ends within @size, and nothing hides behind the end. */
static bool is_text(const char *text, size_t size)
{
	size_t length = strnlen(text, size);

	return length < size && is_zero(text + length, size - length);
}

void switch_request_encode(const struct switch_call *call, struct switch_request *ret)
{
	*ret = (struct switch_request){
		.magic = SWITCH_MAGIC,
		.version = SWITCH_VERSION,
		.job = call->job,
		.deadline_ms = call->deadline_ms,
		.text_size = call->text_size,
		.trial_s = call->trial_s,
		.verb = (uint8_t)call->verb,
	};
	memcpy(ret->name, call->name, strnlen(call->name, sizeof(ret->name)));
}

static const char *find_fault(const struct switch_request *request)
{
	struct trouble trouble;

	if (request->magic != SWITCH_MAGIC)
		return "not ours";
	if (request->version != SWITCH_VERSION)
		return "of another version";
	if (!request->job)
		return "no number";
	if (!request->verb || request->verb >= SWITCH_VERB_MAX)
		return "no such verb";
	if (!is_zero(request->zero, sizeof(request->zero)))
		return "not zero where it has to be";
	if (!request->deadline_ms || request->deadline_ms > SWITCH_DEADLINE_MAX_MS)
		return "no such deadline";
	if (request->text_size > SWITCH_TEXT_MAX)
		return "text too large";
	if (request->trial_s > SWITCH_TRIAL_MAX_S ||
	    (request->trial_s && request->verb != SWITCH_PUSH && request->verb != SWITCH_RETURN))
		return "no such trial";
	if (!is_text(request->name, sizeof(request->name)) ||
	    !name_check(NAME_HOST, request->name, &trouble))
		return "no name of a switch";
	return NULL;
}

int switch_request_decode(const void *data, size_t size, struct switch_call *ret,
			  const char **ret_why)
{
	struct switch_request request;
	const char *fault;

	if (size != sizeof(request)) {
		*ret_why = "of another size";
		return -EBADMSG;
	}
	memcpy(&request, data, sizeof(request));
	fault = find_fault(&request);
	if (fault) {
		*ret_why = fault;
		return -EBADMSG;
	}
	*ret = (struct switch_call){
		.job = request.job,
		.deadline_ms = request.deadline_ms,
		.text_size = request.text_size,
		.trial_s = request.trial_s,
		.verb = (enum switch_verb)request.verb,
	};
	memcpy(ret->name, request.name, sizeof(ret->name));
	return 0;
}

static bool is_control(char c)
{
	return ((unsigned char)c < ' ' && c != '\n' && c != '\t') || c == 0x7f;
}

void switch_reply_encode(uint32_t job, enum switch_kind kind, enum verdict verdict,
			 const char *text, struct switch_reply *ret)
{
	*ret = (struct switch_reply){
		.magic = SWITCH_MAGIC,
		.version = SWITCH_VERSION,
		.job = job,
		.kind = (uint8_t)kind,
		.verdict = (uint8_t)verdict,
	};
	for (size_t i = 0; text[i] && i + 1 < sizeof(ret->text); i++)
		ret->text[i] = is_control(text[i]) ? '?' : text[i];
}

int switch_reply_decode(const void *data, size_t size, struct switch_reply *ret)
{
	struct switch_reply reply;

	if (size != sizeof(reply))
		return -EBADMSG;
	memcpy(&reply, data, sizeof(reply));
	if (reply.magic != SWITCH_MAGIC || reply.version != SWITCH_VERSION || !reply.kind ||
	    reply.kind >= SWITCH_KIND_MAX || reply.verdict >= VERDICT_MAX ||
	    (reply.kind != SWITCH_RESULT && reply.kind != SWITCH_FINDING && reply.verdict) ||
	    !is_zero(reply.zero, sizeof(reply.zero)) || !is_text(reply.text, sizeof(reply.text)))
		return -EBADMSG;
	for (const char *c = reply.text; *c; c++)
		if (is_control(*c))
			return -EBADMSG;
	*ret = reply;
	return 0;
}

/* ---- findings ---- */

enum { COLUMNS = 8, NUMBER_BYTES = 12 };

/* A copy without what would be another column or line. */
static void put_column(FILE *out, const char *text)
{
	for (; *text; text++)
		(void)fputc(*text == '\t' || *text == '\n' ? ' ' : *text, out);
}

void switch_finding_format(const struct switch_finding *finding, char *ret, size_t size)
{
	FILE *out = fmemopen(ret, size, "w");

	*ret = '\0';
	if (!out)
		return;
	put_column(out, finding->port);
	(void)fprintf(out, "\t%s\t%u\t%u\t%u\t",
		      finding->knob < SWITCH_KNOB_MAX ? switch_knob_table[finding->knob].name : "",
		      finding->where.line, finding->where.column, finding->n_lines);
	put_column(out, finding->want);
	(void)fputc('\t', out);
	put_column(out, finding->have);
	(void)fputc('\t', out);
	put_column(out, finding->note);
	(void)fclose(out);
	ret[size - 1] = '\0';
}

/* Cut the next column off @text. Returns false if there is none, or it is longer than @size. */
static bool take_column(const char **text, char *ret, size_t size)
{
	size_t n = strcspn(*text, "\t\n");

	if (n >= size || (*text)[n] == '\n')
		return false;
	memcpy(ret, *text, n);
	ret[n] = '\0';
	*text += n + ((*text)[n] == '\t');
	return true;
}

static bool take_number(const char **text, unsigned int *ret)
{
	char column[NUMBER_BYTES], *end;

	if (!take_column(text, column, sizeof(column)) || *column < '0' || *column > '9')
		return false;
	errno = 0;
	*ret = (unsigned int)strtoul(column, &end, 10);
	return !*end && errno == 0;
}

int switch_finding_parse(const char *text, enum verdict verdict, struct switch_finding *ret)
{
	struct switch_finding finding = { .verdict = verdict };
	char knob[64];
	size_t tabs = 0;

	for (const char *c = text; *c; c++)
		tabs += *c == '\t';
	if (tabs != COLUMNS - 1 || !take_column(&text, finding.port, sizeof(finding.port)) ||
	    !take_column(&text, knob, sizeof(knob)) || !take_number(&text, &finding.where.line) ||
	    !take_number(&text, &finding.where.column) || !take_number(&text, &finding.n_lines) ||
	    !take_column(&text, finding.want, sizeof(finding.want)) ||
	    !take_column(&text, finding.have, sizeof(finding.have)) ||
	    !take_column(&text, finding.note, sizeof(finding.note)))
		return -EBADMSG;
	finding.knob = switch_knob_find(knob);
	if (finding.knob == SWITCH_KNOB_MAX && *knob)
		return -EBADMSG;
	*ret = finding;
	return 0;
}
