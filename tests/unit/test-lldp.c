/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * LLDP: the TLVs of DCBX by their bytes, and lldpcli's JSON. The first document was printed by
 * lldpd 1.0.16 of Debian 12 for a frame made by hand; what its TLVs mean was written down from
 * IEEE 802.1Q annex D.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/switch/lldp.h"
#include "tests/support/cases.h"

/* ---- TLVs ---- */

static const uint8_t ieee[3] = { 0x00, 0x80, 0xc2 };
static const uint8_t dot3[3] = { 0x00, 0x12, 0x0f };
static const uint8_t cee[3] = { 0x00, 0x1b, 0x21 };

/* Willing; priority 3 on class 3, 6 on class 6, the others on 0; 50% each for 0 and 3, 6 strict. */
#define ETS_BYTES                                                                          \
	0x80, 0x00, 0x03, 0x00, 0x60, 50, 0, 0, 50, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 0, 2

static const struct {
	const char *name;
	const uint8_t *oui;
	unsigned int subtype;
	size_t size;
	uint8_t bytes[32];
	bool malformed;
	int pfc;	/* priorities; -1: not given */
	int apps;	/* -1: not given */
	bool ets;
	bool advice;
	bool cee;
} tlvs[] = {
	{ "PFC on 3", ieee, 11, 2, { 0x08, 0x08 }, .pfc = 0x08, .apps = -1 },
	{ "PFC on none", ieee, 11, 2, { 0x08, 0x00 }, .pfc = 0, .apps = -1 },
	{ "PFC on all", ieee, 11, 2, { 0x88, 0xff }, .pfc = 0xff, .apps = -1 },
	{ "PFC too short", ieee, 11, 1, { 0x08 }, true, -1, -1 },
	{ "PFC too long", ieee, 11, 3, { 0x08, 0x08, 0 }, true, -1, -1 },
	{ "PFC empty", ieee, 11, 0, {}, true, -1, -1 },
	{ "APP", ieee, 12, 4, { 0, 0x65, 0x00, 0x1a }, .pfc = -1, .apps = 1 },
	{ "APP, two", ieee, 12, 7, { 0, 0x65, 0, 0x1a, 0x63, 0x12, 0xb7 }, .pfc = -1, .apps = 2 },
	{ "APP with none", ieee, 12, 1, { 0 }, .pfc = -1, .apps = 0 },
	{ "APP empty", ieee, 12, 0, {}, true, -1, -1 },
	{ "APP cut", ieee, 12, 3, { 0, 0x65, 0x00 }, true, -1, -1 },
	{ "APP, DSCP 64", ieee, 12, 4, { 0, 0x65, 0x00, 64 }, true, -1, -1 },
	{ "APP, no selector", ieee, 12, 4, { 0, 0x60, 0x00, 26 }, true, -1, -1 },
	{ "APP, selector 6", ieee, 12, 4, { 0, 0x66, 0x00, 26 }, true, -1, -1 },
	{ "ETS", ieee, 9, 21, { ETS_BYTES }, .pfc = -1, .apps = -1, .ets = true },
	{ "ETS advice", ieee, 10, 21, { ETS_BYTES }, .pfc = -1, .apps = -1, .advice = true },
	{ "ETS cut", ieee, 9, 20, { ETS_BYTES }, true, -1, -1 },
	{ "ETS empty", ieee, 9, 0, {}, true, -1, -1 },
	{ "ETS, class 8", ieee, 9, 21, { 0, 0x80 }, true, -1, -1 },
	{ "a VLAN's name", ieee, 3, 5, { 0, 1, 2, 'v', '1' }, .pfc = -1, .apps = -1 },
	{ "CEE", cee, 2, 2, { 0, 0 }, .pfc = -1, .apps = -1, .cee = true },
	{ "of Intel, another", cee, 1, 2, { 0, 0 }, .pfc = -1, .apps = -1 },
	{ "IEEE 802.3", dot3, 11, 2, { 8, 8 }, .pfc = -1, .apps = -1 },
};

static void test_tlvs(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(tlvs); i++) {
		struct lldp_neighbor neighbor = {};
		const char *name = tlvs[i].name;

		lldp_decode(&neighbor, tlvs[i].oui, tlvs[i].subtype, tlvs[i].bytes, tlvs[i].size);
		case_equal(name, neighbor.malformed, tlvs[i].malformed);
		case_equal(name, neighbor.pfc.given, tlvs[i].pfc >= 0);
		case_equal(name, neighbor.pfc.priorities, tlvs[i].pfc >= 0 ? tlvs[i].pfc : 0);
		case_equal(name, neighbor.app_given, tlvs[i].apps >= 0);
		case_equal(name, neighbor.n_apps, tlvs[i].apps >= 0 ? tlvs[i].apps : 0);
		case_equal(name, neighbor.ets.given, tlvs[i].ets);
		case_equal(name, neighbor.ets_advice.given, tlvs[i].advice);
		case_equal(name, neighbor.cee, tlvs[i].cee);
	}
}

static void test_first_counts(void **state)
{
	struct lldp_neighbor neighbor = {};

	lldp_decode(&neighbor, ieee, 11, (const uint8_t[]){ 0x08, 0x08 }, 2);
	lldp_decode(&neighbor, ieee, 11, (const uint8_t[]){ 0x08, 0x10 }, 2);
	lldp_decode(&neighbor, ieee, 12, (const uint8_t[]){ 0, 0x65, 0, 26 }, 4);
	lldp_decode(&neighbor, ieee, 12, (const uint8_t[]){ 0, 0x85, 0, 26 }, 4);
	assert_int_equal(neighbor.pfc.priorities, 0x08);
	assert_int_equal(neighbor.n_apps, 1);
	assert_int_equal(neighbor.app[0].priority, 3);
	assert_false(neighbor.malformed);
}

/* A whole TLV of 511 bytes. */
static void test_many_apps(void **state)
{
	struct lldp_neighbor neighbor = {};
	uint8_t bytes[1 + 3 * (LLDP_APPS_MAX + 1)] = {};

	for (size_t i = 1; i < sizeof(bytes); i += 3)
		bytes[i] = 0x65;
	lldp_decode(&neighbor, ieee, 12, bytes, sizeof(bytes) - 3);
	assert_int_equal(neighbor.n_apps, LLDP_APPS_MAX);
	neighbor = (struct lldp_neighbor){};
	lldp_decode(&neighbor, ieee, 12, bytes, sizeof(bytes));
	assert_true(neighbor.malformed);
	assert_int_equal(neighbor.n_apps, 0);
}

/* ---- JSON ---- */

/* lldpd 1.0.16-1+deb12u1 */
static const char printed[] =
	"{\"lldp\":[{\"interface\":[{\"name\":\"ens1f0np0\",\"via\":\"LLDP\",\"rid\":\"1\","
	"\"age\":\"0 day, 00:00:01\",\"chassis\":[{\"id\":[{\"type\":\"mac\",\"value\":"
	"\"02:aa:bb:cc:dd:01\"}],\"name\":[{\"value\":\"leaf-1\"}],\"descr\":[{\"value\":"
	"\"Some NOS 1.2\"}],\"mgmt-ip\":[{\"value\":\"192.0.2.11\"}],\"mgmt-iface\":[{\"value\":"
	"\"1\"}],\"capability\":[{\"type\":\"Bridge\",\"enabled\":true},{\"type\":\"Router\","
	"\"enabled\":true}]}],\"port\":[{\"id\":[{\"type\":\"ifname\",\"value\":\"Ethernet1/7\"}],"
	"\"descr\":[{\"value\":\"to gpu-1\"}],\"ttl\":[{\"value\":\"120\"}]}],\"unknown-tlvs\":"
	"[{\"unknown-tlv\":[{\"oui\":\"00,80,C2\",\"subtype\":\"9\",\"len\":\"21\",\"value\":"
	"\"00,00,03,00,60,32,00,00,32,00,00,00,00,02,02,02,02,02,02,00,02\"},"
	"{\"oui\":\"00,80,C2\",\"subtype\":\"11\",\"len\":\"2\",\"value\":\"08,08\"},"
	"{\"oui\":\"00,80,C2\",\"subtype\":\"12\",\"len\":\"10\",\"value\":"
	"\"00,65,00,1A,C5,00,30,63,12,B7\"},"
	"{\"oui\":\"00,1B,21\",\"subtype\":\"2\",\"len\":\"2\",\"value\":\"00,00\"}]}]}]}]}";

static void test_printed(void **state)
{
	_cleanup_(lldp_neighbors_done) struct lldp_neighbors neighbors = {};
	const struct lldp_neighbor *one;

	assert_int_equal(lldp_parse(printed, strlen(printed), &neighbors), 0);
	assert_int_equal(neighbors.n, 1);
	one = &neighbors.list[0];
	assert_string_equal(one->device, "ens1f0np0");
	assert_string_equal(one->via, "LLDP");
	assert_string_equal(one->chassis, "leaf-1");
	assert_string_equal(one->chassis_id, "02:aa:bb:cc:dd:01");
	assert_int_equal(one->n_addresses, 1);
	assert_string_equal(one->address[0], "192.0.2.11");
	assert_string_equal(one->port_type, "ifname");
	assert_string_equal(one->port, "Ethernet1/7");
	assert_string_equal(one->port_text, "to gpu-1");
	assert_true(one->pfc.given && !one->pfc.willing);
	assert_int_equal(one->pfc.capability, 8);
	assert_int_equal(one->pfc.priorities, 1 << 3);
	assert_int_equal(one->n_apps, 3);
	assert_int_equal(one->app[0].selector, LLDP_DSCP);
	assert_int_equal(one->app[0].id, 26);
	assert_int_equal(one->app[0].priority, 3);
	assert_int_equal(one->app[1].selector, LLDP_DSCP);
	assert_int_equal(one->app[1].id, 48);
	assert_int_equal(one->app[1].priority, 6);
	assert_int_equal(one->app[2].selector, LLDP_UDP);
	assert_int_equal(one->app[2].id, 4791);
	assert_int_equal(one->app[2].priority, 3);
	assert_true(one->ets.given && !one->ets_advice.given);
	assert_int_equal(one->ets.class_of[3], 3);
	assert_int_equal(one->ets.class_of[6], 6);
	assert_int_equal(one->ets.class_of[7], 0);
	assert_int_equal(one->ets.share[0], 50);
	assert_int_equal(one->ets.share[3], 50);
	assert_int_equal(one->ets.algorithm[3], 2);
	assert_int_equal(one->ets.algorithm[6], 0);
	assert_true(one->cee);
	assert_false(one->malformed);
}

#define DEVICE(more) "{\"lldp\":[{\"interface\":[{\"name\":\"a\"" more "}]}]}"
#define TLV(oui, subtype, value)                                                           \
	DEVICE(",\"unknown-tlvs\":[{\"unknown-tlv\":[{\"oui\":" oui ",\"subtype\":" subtype \
	       ",\"value\":" value "}]}]")

static const struct {
	const char *name;
	const char *text;
	int result;
	size_t n;
	bool malformed;
} documents[] = {
	{ "nobody", "{\"lldp\":[{}]}", 0, 0, false },
	{ "an empty list", "{\"lldp\":[]}", 0, 0, false },
	{ "only a device", DEVICE(""), 0, 1, false },
	{ "no device", "{\"lldp\":[{\"interface\":[{\"via\":\"LLDP\"},{\"name\":\"a\"}]}]}", 0, 1,
	  false },
	{ "numbers for texts", DEVICE(",\"via\":1,\"chassis\":[{\"name\":[{\"value\":2}]}]"), 0, 1,
	  false },
	{ "texts for lists", DEVICE(",\"chassis\":\"x\",\"port\":\"y\",\"unknown-tlvs\":3"), 0, 1,
	  false },
	{ "the other format", "{\"lldp\":{\"interface\":{\"a\":{}}}}", -EBADMSG, 0, false },
	{ "nothing", "", -EBADMSG, 0, false },
	{ "words", "2026-01-01 [WARN] no", -EBADMSG, 0, false },
	{ "a list", "[]", -EBADMSG, 0, false },
	{ "something behind it", "{\"lldp\":[{}]} x", -EBADMSG, 0, false },
	{ "cut", "{\"lldp\":[{\"interface\":[{\"name\":\"a\"", -EBADMSG, 0, false },
	{ "not UTF-8", DEVICE(",\"via\":\"\xff\""), -EBADMSG, 0, false },
	{ "braces in a text", DEVICE(",\"via\":\"\\\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\""), 0,
	  1, false },
	{ "a TLV in small letters", TLV("\"00,80,c2\"", "\"11\"", "\"08,0a\""), 0, 1, false },
	{ "a TLV that is no bytes", TLV("\"00,80,C2\"", "\"11\"", "\"8,8\""), 0, 1, true },
	{ "a comma at the end", TLV("\"00,80,C2\"", "\"11\"", "\"08,08,\""), 0, 1, true },
	{ "no comma", TLV("\"00,80,C2\"", "\"11\"", "\"0808\""), 0, 1, true },
	{ "a TLV without bytes", TLV("\"00,80,C2\"", "\"11\"", "null"), 0, 1, true },
	{ "an OUI that is too short", TLV("\"00,80\"", "\"11\"", "\"08,08\""), 0, 1, false },
	{ "an OUI that is too long", TLV("\"00,80,C2,00\"", "\"11\"", "\"08\""), 0, 1, false },
	{ "a subtype that is a number", TLV("\"00,80,C2\"", "11", "\"08\""), 0, 1, false },
	{ "a subtype that is huge", TLV("\"00,80,C2\"", "\"99999999999\"", "\"08\""), 0, 1, false },
	{ "a subtype with a sign", TLV("\"00,80,C2\"", "\"-11\"", "\"08\""), 0, 1, false },
};

static void test_documents(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(documents); i++) {
		_cleanup_(lldp_neighbors_done) struct lldp_neighbors neighbors = {};
		const char *name = documents[i].name;

		case_equal(name, lldp_parse(documents[i].text, strlen(documents[i].text),
					    &neighbors), documents[i].result);
		case_equal(name, neighbors.n, documents[i].n);
		if (neighbors.n)
			case_equal(name, neighbors.list[0].malformed, documents[i].malformed);
	}
}

/* ---- limits ---- */

/* @head, @n times @part with @between, @tail. */
static char *repeat(const char *head, const char *part, const char *between, size_t n,
		    const char *tail)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	(void)fputs(head, out);
	for (size_t i = 0; i < n; i++)
		(void)fprintf(out, "%s%s", i ? between : "", part);
	(void)fputs(tail, out);
	assert_int_equal(fclose(out), 0);
	return text;
}

static const struct {
	const char *name;
	const char *head;
	const char *part;
	const char *between;
	size_t n;
	const char *tail;
	int result;
	size_t n_neighbors;
} limits[] = {
	{ "as many neighbours as may be", "{\"lldp\":[{\"interface\":[", "{\"name\":\"a\"}", ",",
	  LLDP_NEIGHBORS_MAX, "]}]}", 0, LLDP_NEIGHBORS_MAX },
	{ "one more", "{\"lldp\":[{\"interface\":[", "{\"name\":\"a\"}", ",",
	  LLDP_NEIGHBORS_MAX + 1, "]}]}", -EFBIG, 0 },
	{ "no device, often", "{\"lldp\":[{\"interface\":[",
	  "{\"chassis\":[{\"mgmt-ip\":[{\"value\":\"192.0.2.1\"}]}]}", ",", 100,
	  ",{\"name\":\"a\"}]}]}", 0, 1 },
	{ "as deep as may be", "{\"lldp\":[{\"x\":", "[", "", LLDP_DEPTH_MAX - 3,
	  "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}]}", 0, 0 },
	{ "one deeper", "{\"lldp\":[{\"x\":", "[", "", LLDP_DEPTH_MAX - 2,
	  "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}]}", -EFBIG, 0 },
	{ "a million deep", "", "[", "", 1000000, "", -EFBIG, 0 },
	{ "larger than may be", "{\"lldp\":[{}]}", " ", "", LLDP_SIZE_MAX, "", -EFBIG, 0 },
	{ "a name that is too long", "{\"lldp\":[{\"interface\":[{\"name\":\"", "a", "", 100000,
	  "\"}]}]}", 0, 1 },
	{ "many addresses",
	  "{\"lldp\":[{\"interface\":[{\"name\":\"a\",\"chassis\":[{\"mgmt-ip\":[",
	  "{\"value\":\"192.0.2.1\"}", ",", 1000, "]}]}]}]}", 0, 1 },
	{ "many TLVs",
	  "{\"lldp\":[{\"interface\":[{\"name\":\"a\",\"unknown-tlvs\":[{\"unknown-tlv\":[",
	  "{\"oui\":\"00,80,C2\",\"subtype\":\"3\",\"value\":\"00\"}", ",", 10000, "]}]}]}]}", 0,
	  1 },
	{ "a TLV of a megabyte",
	  "{\"lldp\":[{\"interface\":[{\"name\":\"a\",\"unknown-tlvs\":[{\"unknown-tlv\":[{\"oui\":"
	  "\"00,80,C2\",\"subtype\":\"12\",\"value\":\"", "00", ",", 350000, "\"}]}]}]}]}", 0, 1 },
};

static void test_limits(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		_cleanup_(lldp_neighbors_done) struct lldp_neighbors neighbors = {};
		_cleanup_free_ char *text = repeat(limits[i].head, limits[i].part,
						   limits[i].between, limits[i].n, limits[i].tail);

		case_equal(limits[i].name, lldp_parse(text, strlen(text), &neighbors),
			   limits[i].result);
		case_equal(limits[i].name, neighbors.n, limits[i].n_neighbors);
		case_true(limits[i].name, !neighbors.n || neighbors.list[0].n_addresses <=
								  LLDP_ADDRESSES_MAX);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tlvs),	  cmocka_unit_test(test_first_counts),
		cmocka_unit_test(test_many_apps), cmocka_unit_test(test_printed),
		cmocka_unit_test(test_documents), cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
