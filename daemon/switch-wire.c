// SPDX-License-Identifier: LGPL-2.1-or-later
/* The two datagrams of losslessd-switch, checked byte by byte. No I/O. */
#include "daemon/switch-wire.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/spec/name.h"

static const char *const verb_names[] = {
	[SWITCH_TEST] = "test",
	[SWITCH_RENDER] = "render",
	[SWITCH_PUSH] = "push",
	[SWITCH_READ] = "read",
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
	    (reply.kind == SWITCH_PROGRESS && reply.verdict) ||
	    !is_zero(reply.zero, sizeof(reply.zero)) || !is_text(reply.text, sizeof(reply.text)))
		return -EBADMSG;
	for (const char *c = reply.text; *c; c++)
		if (is_control(*c))
			return -EBADMSG;
	*ret = reply;
	return 0;
}
