// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Requests and replies to bytes and back. A value is checked by the row of its knob; then it is
 * encoded again, and has to be what came: so nothing hides in what is not used. Pure.
 */
#include "lib/nic/wire.h"

#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/nic/object.h"

enum {
	PRIORITIES_ALL = (1 << PRIORITIES) - 1,
	PAUSE_ALL = PAUSE_RX | PAUSE_TX | PAUSE_AUTONEG,
	SHARE_MAX = 100,
	ERRNO_MAX = 4095,
	WANT_FLAGS = WIRE_SET | WIRE_OF_PRIORITIES, /* the rest is of what is found */
};

static_assert((int)WIRE_NAME_MAX == (int)NAME_MAX_BYTES, "a name of the model fits");
static_assert((int)WIRE_TEXT_MAX == (int)VALUE_NOTE_MAX, "a note of the model fits");
static_assert((int)KNOB_MAX <= UINT8_MAX && (int)OBJECT_MAX <= UINT8_MAX, "one byte is enough");

/* The next knob of the object from @knob on, for this kind of target; KNOB_MAX at the end. */
static enum knob next_knob(enum object object, enum target_kind target, enum knob knob)
{
	while (knob < KNOB_MAX &&
	       (knob_table[knob].object != object || knob_table[knob].target != target))
		knob++;
	return knob;
}

/* ---- values ---- */

static void ets_encode(const struct ets_map *ets, struct wire_value *ret)
{
	ret->ets_named = ets->named;
	for (unsigned int i = 0; i < PRIORITIES; i++) {
		ret->ets_class[i] = ets->class_of[i];
		ret->ets_algorithm[i] = ets->algorithm[i];
		ret->ets_share[i] = ets->algorithm[i] == ETS_SHARE ? ets->share[i] : 0;
	}
}

static void rates_encode(const struct rates *rates, struct wire_value *ret)
{
	ret->ets_named = rates->named;
	if (rates->of_priorities)
		ret->flags |= WIRE_OF_PRIORITIES;
	for (unsigned int i = 0; i < PRIORITIES; i++) {
		ret->ets_class[i] = rates->class_of[i];
		ret->rates[i] = rates->named & (1U << i) ? rates->kbit[i] : 0;
	}
}

static void data_encode(enum value_kind kind, const struct value *value, struct wire_value *ret)
{
	switch (kind) {
	case VALUE_NUMBER:
	case VALUE_WORD:
	case VALUE_PRIORITIES:
	case VALUE_PAUSE:
		ret->number = value->data.number;
		break;
	case VALUE_OPTIONAL:
		if (value->data.optional.set) {
			ret->number = value->data.optional.number;
			ret->flags |= WIRE_SET;
		}
		break;
	case VALUE_DSCP_MAP:
		ret->map_named = value->data.map.named;
		for (unsigned int i = 0; i < DSCPS; i++)
			if (ret->map_named & dscp_bit(i))
				ret->map[i] = value->data.map.priorities[i];
		break;
	case VALUE_ETS:
		ets_encode(&value->data.ets, ret);
		break;
	case VALUE_RATES:
		rates_encode(&value->data.rates, ret);
		break;
	case VALUE_SWITCHES:
	case VALUE_PORT_SWITCHES:
		ret->switches_named = value->data.switches.named;
		ret->switches_on = value->data.switches.on & value->data.switches.named;
		break;
	case VALUE_KIND_MAX:
		break;
	}
}

static void value_encode(enum knob knob, const struct value *value, struct wire_value *ret)
{
	*ret = (struct wire_value){ .knob = (uint8_t)knob, .status = (uint8_t)value->status };
	if (value->unset)
		ret->flags |= WIRE_UNSET;
	if (value->blocks)
		ret->flags |= WIRE_BLOCKS;
	if (value->status == VALUE_UNREADABLE)
		ret->error = (uint32_t)value->error;
	if (value->status == VALUE_KNOWN)
		data_encode(knob_table[knob].kind, value, ret);
}

static void data_decode(enum value_kind kind, const struct wire_value *wire, struct value *ret)
{
	switch (kind) {
	case VALUE_NUMBER:
	case VALUE_WORD:
	case VALUE_PRIORITIES:
	case VALUE_PAUSE:
		ret->data.number = wire->number;
		break;
	case VALUE_OPTIONAL:
		ret->data.optional.set = wire->flags & WIRE_SET;
		ret->data.optional.number = wire->number;
		break;
	case VALUE_DSCP_MAP:
		ret->data.map.named = wire->map_named;
		memcpy(ret->data.map.priorities, wire->map, sizeof(wire->map));
		break;
	case VALUE_ETS:
		ret->data.ets.named = wire->ets_named;
		memcpy(ret->data.ets.class_of, wire->ets_class, sizeof(wire->ets_class));
		memcpy(ret->data.ets.algorithm, wire->ets_algorithm, sizeof(wire->ets_algorithm));
		memcpy(ret->data.ets.share, wire->ets_share, sizeof(wire->ets_share));
		break;
	case VALUE_RATES:
		ret->data.rates.named = wire->ets_named;
		ret->data.rates.of_priorities = wire->flags & WIRE_OF_PRIORITIES;
		memcpy(ret->data.rates.class_of, wire->ets_class, sizeof(wire->ets_class));
		memcpy(ret->data.rates.kbit, wire->rates, sizeof(wire->rates));
		break;
	case VALUE_SWITCHES:
	case VALUE_PORT_SWITCHES:
		ret->data.switches.named = wire->switches_named;
		ret->data.switches.on = wire->switches_on;
		break;
	case VALUE_KIND_MAX:
		break;
	}
}

static bool ets_is_valid(const struct ets_map *ets)
{
	for (unsigned int i = 0; i < PRIORITIES; i++)
		if (ets->class_of[i] >= PRIORITIES || ets->algorithm[i] >= ETS_ALGORITHM_MAX ||
		    ets->share[i] > SHARE_MAX)
			return false;
	return true;
}

/* Any number is a rate: what was there before is given back. */
static bool rates_are_valid(const struct rates *rates)
{
	for (unsigned int i = 0; i < PRIORITIES; i++)
		if (rates->class_of[i] >= PRIORITIES)
			return false;
	return true;
}

static uint32_t words_count(const struct knob_info *info)
{
	uint32_t n = 0;

	while (info->words[n])
		n++;
	return n;
}

/* What is found may be any number; what is wanted is in the range of its row. */
static bool number_is_valid(const struct knob_info *info, uint32_t number, bool wanted)
{
	uint32_t min = info->restore_max ? info->restore_min : info->min;
	uint32_t max = info->restore_max ? info->restore_max : info->max;

	return !wanted || (number >= min && number <= max);
}

static bool data_is_valid(const struct knob_info *info, const struct value *value, bool wanted)
{
	switch (info->kind) {
	case VALUE_NUMBER:
		return number_is_valid(info, value->data.number, wanted);
	case VALUE_OPTIONAL:
		return !value->data.optional.set ||
		       number_is_valid(info, value->data.optional.number, wanted);
	case VALUE_WORD:
		return value->data.number < words_count(info);
	case VALUE_PRIORITIES:
		return value->data.number <= PRIORITIES_ALL;
	case VALUE_PAUSE:
		return value->data.number <= PAUSE_ALL;
	case VALUE_ETS:
		return ets_is_valid(&value->data.ets);
	case VALUE_RATES:
		return rates_are_valid(&value->data.rates);
	case VALUE_DSCP_MAP:
	case VALUE_SWITCHES:
	case VALUE_PORT_SWITCHES:
		return true; /* any bit stands for a priority */
	case VALUE_KIND_MAX:
		break;
	}
	return false;
}

/* Of the knob that it says it is of, which the caller has checked. Returns false if it is none. */
static bool value_decode(const struct wire_value *wire, bool wanted, struct value *ret)
{
	const struct knob_info *info = &knob_table[wire->knob];
	struct value value = {};
	struct wire_value again;

	if (wire->status >= VALUE_STATUS_MAX || wire->status == VALUE_UNMANAGED)
		return false;
	if (wanted && (wire->status != VALUE_KNOWN || wire->flags & ~WANT_FLAGS))
		return false;
	value.status = wire->status;
	value.unset = wire->flags & WIRE_UNSET;
	value.blocks = wire->flags & WIRE_BLOCKS;
	if (value.status == VALUE_UNREADABLE) {
		if (wire->error == 0 || wire->error > ERRNO_MAX)
			return false;
		value.error = (int)wire->error;
	}
	if (value.status == VALUE_KNOWN) {
		data_decode(info->kind, wire, &value);
		if (!data_is_valid(info, &value, wanted))
			return false;
	}
	value_encode(wire->knob, &value, &again);
	if (memcmp(&again, wire, sizeof(again)) != 0)
		return false;
	*ret = value;
	return true;
}

static bool is_zero(const void *data, size_t size)
{
	const uint8_t *byte = data;

	for (size_t i = 0; i < size; i++)
		if (byte[i])
			return false;
	return true;
}

/* ---- requests ---- */

void wire_request_encode(const struct wire_call *call, struct wire_request *ret)
{
	const struct nic *nic = &call->target.nic;

	*ret = (struct wire_request){
		.magic = WIRE_MAGIC,
		.id = call->id,
		.ifindex = nic->ifindex,
		.rdma_port = nic->rdma_port,
		.verb = (uint8_t)call->verb,
		.target = (uint8_t)call->target.kind,
		.object = (uint8_t)call->change.object,
	};
	(void)snprintf(ret->name, sizeof(ret->name), "%s", nic->name);
	(void)snprintf(ret->rdma, sizeof(ret->rdma), "%s", nic->rdma);
	(void)snprintf(ret->pci, sizeof(ret->pci), "%s", nic->pci);
	if (call->verb != WIRE_WRITE)
		return;
	ret->op = (uint8_t)call->change.op;
	ret->parts = call->change.parts;
	for (enum knob knob = 0; ret->n_knobs < WIRE_KNOBS_MAX; knob++) {
		knob = next_knob(call->change.object, call->target.kind, knob);
		if (knob == KNOB_MAX)
			break;
		if (call->want.value[knob].status != VALUE_KNOWN)
			continue;
		value_encode(knob, &call->expect.value[knob], &ret->expect[ret->n_knobs]);
		value_encode(knob, &call->want.value[knob], &ret->want[ret->n_knobs]);
		/* What only plans ask for stays here */
		ret->want[ret->n_knobs].flags &= WANT_FLAGS;
		ret->n_knobs++;
	}
}

/* A name as a path may hold it, terminated, with zeros behind it; empty is good too. */
static bool name_is_valid(const char text[WIRE_NAME_MAX], size_t size_max)
{
	size_t length = strnlen(text, WIRE_NAME_MAX);

	if (length >= size_max || !is_zero(text + length, WIRE_NAME_MAX - length))
		return false;
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)text[i] <= ' ' || text[i] == 0x7f || text[i] == '/')
			return false;
	return strcmp(text, ".") != 0 && strcmp(text, "..") != 0;
}

static const char *check_target(const struct wire_request *request)
{
	bool has_link = request->ifindex != 0, has_rdma = request->rdma_port != 0;

	if (request->target >= TARGET_KIND_MAX)
		return "no such kind of target";
	if (!name_is_valid(request->name, IFNAMSIZ) || request->ifindex < 0 ||
	    has_link != !!*request->name)
		return "no such name of a network device";
	if (!name_is_valid(request->rdma, WIRE_NAME_MAX) || request->rdma_port > UINT8_MAX ||
	    has_rdma != !!*request->rdma)
		return "no such name of an RDMA device";
	if (!name_is_valid(request->pci, WIRE_NAME_MAX))
		return "no such address of a device";
	if (request->target == TARGET_PORT ? !has_link : !has_rdma)
		return "no device";
	if (request->object >= OBJECT_MAX ||
	    object_table[request->object].target != request->target)
		return "no such object of the target";
	return NULL;
}

/* The parts that values of the object can have: all ones, or some of them. */
static bool parts_are_valid(const struct wire_request *request)
{
	const struct object_info *object = &object_table[request->object];

	if (request->parts == UINT64_MAX)
		return true;
	if (object->map)
		return request->parts != 0;
	return object->files && request->parts != 0 && request->parts <= PRIORITIES_ALL;
}

static const char *check_write(const struct wire_request *request)
{
	const struct object_info *object = &object_table[request->object];

	if (object->read_only)
		return "the object is only read";
	if (request->op >= STEP_OP_MAX || object->map != (request->op != STEP_SET))
		return "no such way to write the object";
	if (!parts_are_valid(request))
		return "no such parts of the object";
	if (request->n_knobs == 0)
		return "nothing is wanted";
	return NULL;
}

static const char *check_head(const struct wire_request *request)
{
	const char *why;

	if (request->magic != WIRE_MAGIC)
		return "another version";
	if (request->verb < WIRE_READ || request->verb >= WIRE_VERB_MAX)
		return "no such verb";
	why = check_target(request);
	if (why)
		return why;
	if (!is_zero(request->zero, sizeof(request->zero)) || request->n_knobs > WIRE_KNOBS_MAX)
		return "malformed";
	if (request->verb == WIRE_WRITE)
		return check_write(request);
	return request->op || request->parts || request->n_knobs ? "malformed" : NULL;
}

/* Knobs of the object, each once, in the order of the table. */
static const char *decode_values(const struct wire_request *request, struct wire_call *call)
{
	const size_t rest = WIRE_KNOBS_MAX - request->n_knobs;
	enum knob knob = 0;

	for (unsigned int i = 0; i < request->n_knobs; i++, knob++) {
		const struct wire_value *want = &request->want[i], *expect = &request->expect[i];

		if (want->knob != expect->knob || want->knob < knob ||
		    next_knob(request->object, request->target, want->knob) != want->knob ||
		    want->knob >= KNOB_MAX)
			return "no such knob of the object";
		knob = want->knob;
		if (!value_decode(want, true, &call->want.value[knob]))
			return "no such value";
		if (!value_decode(expect, false, &call->expect.value[knob]))
			return "no such value to expect";
	}
	if (!is_zero(&request->want[request->n_knobs], rest * sizeof(*request->want)) ||
	    !is_zero(&request->expect[request->n_knobs], rest * sizeof(*request->expect)))
		return "malformed";
	return NULL;
}

static void decode_target(const struct wire_request *request, struct target *ret)
{
	ret->kind = request->target;
	ret->nic.ifindex = request->ifindex;
	ret->nic.rdma_port = request->rdma_port;
	memcpy(ret->nic.name, request->name, sizeof(ret->nic.name));
	memcpy(ret->nic.rdma, request->rdma, sizeof(ret->nic.rdma));
	memcpy(ret->nic.pci, request->pci, sizeof(ret->nic.pci));
	(void)snprintf(ret->name, sizeof(ret->name), "%s",
		       ret->kind == TARGET_PORT ? ret->nic.name : ret->nic.rdma);
}

int wire_request_decode(const void *data, size_t size, struct wire_call *ret, const char **ret_why)
{
	struct wire_request request;

	*ret = (struct wire_call){};
	if (size != sizeof(request)) {
		*ret_why = "another size";
		return -EBADMSG;
	}
	memcpy(&request, data, sizeof(request));
	ret->id = request.id;
	*ret_why = check_head(&request);
	if (!*ret_why)
		*ret_why = decode_values(&request, ret);
	if (*ret_why)
		return -EBADMSG;
	ret->verb = request.verb;
	ret->change = (struct change){ request.object, request.op, request.parts };
	decode_target(&request, &ret->target);
	ret->want.target = ret->target;
	ret->expect.target = ret->target;
	return 0;
}

/* ---- replies ---- */

void wire_reply_encode(uint32_t id, int result, const struct refusal *refusal, enum object object,
		       const struct state *have, struct wire_reply *ret)
{
	*ret = (struct wire_reply){ .magic = WIRE_MAGIC, .id = id, .result = result };
	if (result < 0) {
		ret->error = refusal->error ?: -result;
		ret->status = refusal->status;
		nic_printable(refusal->text, ret->text, sizeof(ret->text));
	}
	if (!have)
		return;
	for (enum knob knob = 0; ret->n_knobs < WIRE_KNOBS_MAX; knob++) {
		knob = next_knob(object, have->target.kind, knob);
		if (knob == KNOB_MAX)
			break;
		value_encode(knob, &have->value[knob], &ret->have[ret->n_knobs]);
		nic_printable(have->value[knob].note, ret->note[ret->n_knobs], WIRE_TEXT_MAX);
		ret->n_knobs++;
	}
}

/* Text as nic_printable() makes it, zeros behind it. */
static bool text_is_valid(const char text[WIRE_TEXT_MAX])
{
	char again[WIRE_TEXT_MAX] = "";

	if (!memchr(text, '\0', WIRE_TEXT_MAX))
		return false;
	nic_printable(text, again, sizeof(again));
	return memcmp(text, again, sizeof(again)) == 0;
}

static bool reply_is_valid(const struct wire_reply *reply, const struct wire_call *call)
{
	const int result_max = call->verb == WIRE_WRITE ? 1 : 0;

	if (reply->magic != WIRE_MAGIC || reply->id != call->id || !text_is_valid(reply->text) ||
	    !is_zero(reply->zero, sizeof(reply->zero)))
		return false;
	if (reply->result < -ERRNO_MAX || reply->result > result_max)
		return false;
	if (reply->result < 0)
		return reply->error > 0 && reply->error <= ERRNO_MAX;
	return !reply->error && !reply->status && !*reply->text &&
	       (reply->n_knobs > 0) == (call->verb != WIRE_PROBE);
}

/* All knobs of the object, in their order; or none. */
static bool decode_have(const struct wire_reply *reply, const struct wire_call *call,
			struct state *have)
{
	unsigned int i = 0;

	for (enum knob knob = 0; reply->n_knobs > 0; knob++, i++) {
		knob = next_knob(call->change.object, call->target.kind, knob);
		if (knob == KNOB_MAX)
			break;
		if (i == WIRE_KNOBS_MAX || reply->have[i].knob != knob ||
		    !text_is_valid(reply->note[i]) ||
		    !value_decode(&reply->have[i], false, &have->value[knob]))
			return false;
		memcpy(have->value[knob].note, reply->note[i], WIRE_TEXT_MAX);
	}
	if (i != reply->n_knobs)
		return false;
	return is_zero(&reply->have[i], (WIRE_KNOBS_MAX - i) * sizeof(*reply->have)) &&
	       is_zero(&reply->note[i], (WIRE_KNOBS_MAX - i) * sizeof(*reply->note));
}

int wire_reply_decode(const void *data, size_t size, const struct wire_call *call,
		      struct state *have, struct refusal *ret_refusal, int *ret_result)
{
	struct wire_reply reply;
	struct state read = *have;

	if (size != sizeof(reply))
		return -EBADMSG;
	memcpy(&reply, data, sizeof(reply));
	if (!reply_is_valid(&reply, call) || !decode_have(&reply, call, &read))
		return -EBADMSG;
	*have = read;
	*ret_refusal = (struct refusal){ .error = reply.error, .status = reply.status };
	memcpy(ret_refusal->text, reply.text, sizeof(reply.text));
	*ret_result = reply.result;
	return 0;
}
