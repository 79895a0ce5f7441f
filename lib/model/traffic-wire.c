// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Greetings and the report to bytes and back. What is decoded is bounded by its type and checked by
 * its range; counters may be any number, since they only ever become differences. Pure.
 */
#include "lib/model/traffic-wire.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

#include "lib/base/macro.h"

enum {
	/* the version is in the last byte */
	MAGIC_HELLO = 0x4c4c7101,
	MAGIC_WELCOME = 0x4c4c7201,
	MAGIC_END = 0x4c4c7301,
	MAGIC_REPORT = 0x4c4c7401,
	HAS_PFC = 1,
	UNREADABLE = 2,
	FLAGS = HAS_PFC | UNREADABLE,
};

/* ---- numbers ---- */

struct cursor {
	uint8_t *at;
};

struct reader {
	const uint8_t *at;
};

static void put8(struct cursor *cursor, uint8_t value)
{
	*cursor->at++ = value;
}

static void put32(struct cursor *cursor, uint32_t value)
{
	value = htobe32(value);
	memcpy(cursor->at, &value, sizeof(value));
	cursor->at += sizeof(value);
}

static void put64(struct cursor *cursor, uint64_t value)
{
	value = htobe64(value);
	memcpy(cursor->at, &value, sizeof(value));
	cursor->at += sizeof(value);
}

static void put_name(struct cursor *cursor, const char name[NAME_MAX_BYTES])
{
	memset(cursor->at, 0, NAME_MAX_BYTES);
	memcpy(cursor->at, name, strnlen(name, NAME_MAX_BYTES - 1));
	cursor->at += NAME_MAX_BYTES;
}

static uint8_t get8(struct reader *reader)
{
	return *reader->at++;
}

static uint32_t get32(struct reader *reader)
{
	uint32_t value;

	memcpy(&value, reader->at, sizeof(value));
	reader->at += sizeof(value);
	return be32toh(value);
}

static uint64_t get64(struct reader *reader)
{
	uint64_t value;

	memcpy(&value, reader->at, sizeof(value));
	reader->at += sizeof(value);
	return be64toh(value);
}

/* Printable ASCII, and nothing behind its end. */
static bool get_name(struct reader *reader, char ret[NAME_MAX_BYTES])
{
	size_t size = strnlen((const char *)reader->at, NAME_MAX_BYTES);

	memcpy(ret, reader->at, NAME_MAX_BYTES);
	reader->at += NAME_MAX_BYTES;
	for (size_t i = 0; i < size; i++)
		if (ret[i] < '!' || ret[i] > '~')
			return false;
	for (size_t i = size; i < NAME_MAX_BYTES; i++)
		if (ret[i])
			return false;
	return size < NAME_MAX_BYTES;
}

/* ---- greetings ---- */

void traffic_hello_encode(const struct traffic_hello *hello, uint8_t ret[TRAFFIC_HELLO_SIZE])
{
	struct cursor cursor = { ret };

	put32(&cursor, MAGIC_HELLO);
	put64(&cursor, hello->token);
	put32(&cursor, hello->messages);
}

int traffic_hello_decode(const void *data, size_t size, struct traffic_hello *ret)
{
	struct reader reader = { data };
	struct traffic_hello hello;

	if (!data || size < TRAFFIC_HELLO_SIZE || get32(&reader) != MAGIC_HELLO)
		return -EPROTO;
	hello.token = get64(&reader);
	hello.messages = get32(&reader);
	if (hello.messages < TRAFFIC_MESSAGES_MIN || hello.messages > TRAFFIC_MESSAGES_MAX)
		return -EPROTO;
	*ret = hello;
	return 0;
}

void traffic_welcome_encode(const struct traffic_welcome *welcome,
			    uint8_t ret[TRAFFIC_WELCOME_SIZE])
{
	struct cursor cursor = { ret };

	put32(&cursor, MAGIC_WELCOME);
	put64(&cursor, welcome->address);
	put32(&cursor, welcome->key);
}

int traffic_welcome_decode(const void *data, size_t size, struct traffic_welcome *ret)
{
	struct reader reader = { data };

	if (!data || size < TRAFFIC_WELCOME_SIZE || get32(&reader) != MAGIC_WELCOME)
		return -EPROTO;
	ret->address = get64(&reader);
	ret->key = get32(&reader);
	return 0;
}

void traffic_end_encode(uint8_t ret[TRAFFIC_END_SIZE])
{
	put32(&(struct cursor){ ret }, MAGIC_END);
}

int traffic_end_decode(const void *data, size_t size)
{
	if (size != TRAFFIC_END_SIZE || get32(&(struct reader){ data }) != MAGIC_END)
		return -EPROTO;
	return 0;
}

/* ---- what the receiver saw ---- */

void traffic_report_encode(const struct traffic *traffic, uint8_t ret[TRAFFIC_REPORT_SIZE])
{
	const struct port_counters *port = &traffic->to;
	bool known = traffic->tos_received >= 0;
	struct cursor cursor = { ret };

	memset(ret, 0, TRAFFIC_REPORT_SIZE);
	put32(&cursor, MAGIC_REPORT);
	put_name(&cursor, traffic->to_node);
	put_name(&cursor, port->nic.name);
	put_name(&cursor, port->nic.rdma);
	put_name(&cursor, port->nic.driver);
	put8(&cursor, known);
	put8(&cursor, known ? (uint8_t)traffic->tos_received : 0);
	put8(&cursor, (port->after.has_pfc ? HAS_PFC : 0) | (port->result < 0 ? UNREADABLE : 0));
	put8(&cursor, port->after.lossless);
	put32(&cursor, COUNTER_MAX);
	for (enum counter counter = 0; counter < COUNTER_MAX; counter++) {
		for (unsigned int i = 0; i < PRIORITIES; i++) {
			put8(&cursor, port->before.source[counter][i]);
			put8(&cursor, port->after.source[counter][i]);
			put64(&cursor, port->before.value[counter][i]);
			put64(&cursor, port->after.value[counter][i]);
		}
	}
}

static bool get_counters(struct reader *reader, struct port_counters *port)
{
	bool good = true;

	for (enum counter counter = 0; counter < COUNTER_MAX; counter++) {
		for (unsigned int i = 0; i < PRIORITIES; i++) {
			port->before.source[counter][i] = get8(reader);
			port->after.source[counter][i] = get8(reader);
			port->before.value[counter][i] = get64(reader);
			port->after.value[counter][i] = get64(reader);
			good &= port->before.source[counter][i] <= COUNTER_FROM_RDMA &&
				port->after.source[counter][i] <= COUNTER_FROM_RDMA;
		}
	}
	return good;
}

int traffic_report_decode(const void *data, size_t size, struct traffic *traffic)
{
	struct reader reader = { data };
	struct port_counters port = {};
	char node[NAME_MAX_BYTES];
	uint8_t known, tos, flags;

	if (size != TRAFFIC_REPORT_SIZE || get32(&reader) != MAGIC_REPORT ||
	    !get_name(&reader, node) || !get_name(&reader, port.nic.name) ||
	    !get_name(&reader, port.nic.rdma) || !get_name(&reader, port.nic.driver))
		return -EPROTO;
	known = get8(&reader);
	tos = get8(&reader);
	flags = get8(&reader);
	port.after.lossless = get8(&reader);
	if (known > 1 || (!known && tos) || (flags & ~FLAGS) || get32(&reader) != COUNTER_MAX ||
	    !get_counters(&reader, &port))
		return -EPROTO;
	port.after.has_pfc = flags & HAS_PFC;
	port.result = flags & UNREADABLE ? -EIO : 0;
	memcpy(traffic->to_node, node, sizeof(node));
	traffic->to = port;
	traffic->tos_received = known ? tos : TRAFFIC_UNKNOWN;
	return 0;
}
