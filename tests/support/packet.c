// SPDX-License-Identifier: LGPL-2.1-or-later
/* Netlink messages byte by byte. Everything is native order, as on the wire of a machine with
 * itself. */
#include "tests/support/packet.h"

#include <ctype.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/os/fake.h"
#include "tests/support/cases.h"

enum {
	HEX_MAX = 1024,
	NUMBERS_BEGIN = 8, /* nlmsg_seq and nlmsg_pid */
	NUMBERS_END = 16,
};

static void set_length(struct packet *packet)
{
	const uint32_t length = (uint32_t)(packet->size - packet->message);

	memcpy(packet->data + packet->message, &length, sizeof(length));
}

static void pad(struct packet *packet)
{
	while (packet->size % 4)
		packet->data[packet->size++] = 0;
}

static uint8_t nibble(char c)
{
	return (uint8_t)(isdigit((unsigned char)c) ? c - '0' :
						     tolower((unsigned char)c) - 'a' + 10);
}

void packet_hex(struct packet *packet, const char *hex)
{
	while (*hex) {
		if (isspace((unsigned char)*hex)) {
			hex++;
			continue;
		}
		packet->data[packet->size++] = (uint8_t)(nibble(hex[0]) << 4 | nibble(hex[1]));
		hex += 2;
	}
}

void packet_message(struct packet *packet, uint16_t type, uint16_t flags, const void *header,
		    size_t header_size)
{
	struct nlmsghdr message = { .nlmsg_type = type, .nlmsg_flags = flags };

	pad(packet);
	packet->message = packet->size;
	packet_bytes(packet, &message, sizeof(message));
	if (header)
		packet_bytes(packet, header, header_size);
}

void packet_bytes(struct packet *packet, const void *data, size_t size)
{
	pad(packet);
	if (packet->size + size > sizeof(packet->data) - 4)
		fail_msg("packet too large");
	if (size)
		memcpy(packet->data + packet->size, data, size);
	packet->size += size;
	set_length(packet);
}

void packet_attr(struct packet *packet, uint16_t type, const void *data, size_t size)
{
	struct nlattr attr = { .nla_len = (uint16_t)(sizeof(attr) + size), .nla_type = type };

	packet_bytes(packet, &attr, sizeof(attr));
	packet_bytes(packet, data, size);
}

void packet_string(struct packet *packet, uint16_t type, const char *text)
{
	packet_attr(packet, type, text, strlen(text) + 1);
}

void packet_u32(struct packet *packet, uint16_t type, uint32_t value)
{
	packet_attr(packet, type, &value, sizeof(value));
}

void packet_u8(struct packet *packet, uint16_t type, uint8_t value)
{
	packet_attr(packet, type, &value, sizeof(value));
}

size_t packet_nest(struct packet *packet, uint16_t type)
{
	pad(packet);
	packet_attr(packet, type, NULL, 0);
	return packet->size - sizeof(struct nlattr);
}

void packet_nest_end(struct packet *packet, size_t nest)
{
	const uint16_t length = (uint16_t)(packet->size - nest);

	memcpy(packet->data + nest, &length, sizeof(length));
}

void packet_error(struct packet *packet, int error)
{
	const struct nlmsgerr answer = { .error = error, .msg.nlmsg_len = NLMSG_HDRLEN };

	packet_message(packet, NLMSG_ERROR, 0, &answer, sizeof(answer));
}

void packet_done(struct packet *packet, uint16_t flags)
{
	const int error = 0;

	packet_message(packet, NLMSG_DONE, NLM_F_MULTI | flags, &error, sizeof(error));
}

void packet_reply(struct packet *packet, struct os *os, int protocol)
{
	assert_int_equal(os_fake_netlink_reply(os, protocol, packet->data, packet->size), 0);
	packet->size = 0;
	packet->message = 0;
}

void packet_expect(const char *name, const struct os *os, int protocol, const char *hex)
{
	char got[HEX_MAX] = "", want[HEX_MAX];
	const uint8_t *data;
	size_t size = 0, n = 0;

	data = os_fake_netlink_request(os, protocol, &size);
	for (size_t i = 0; i < size && 2 * i + 3 < sizeof(got); i++)
		(void)sprintf(got + 2 * i, "%02x",
			      i >= NUMBERS_BEGIN && i < NUMBERS_END ? 0 : data[i]);
	for (; *hex && n + 1 < sizeof(want); hex++)
		if (!isspace((unsigned char)*hex))
			want[n++] = *hex;
	want[n] = '\0';
	case_string(name, got, want);
}
