// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Texts from sysfs that lib/nic takes apart: traffic_class (field case N02) and names that look
 * like PCI addresses.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/nic/map.h"
#include "lib/nic/traffic-class.h"
#include "tests/support/cases.h"

static const struct {
	const char *name;
	const char *text;
	int result;
	struct traffic_class class;
} classes[] = {
	{ "N02 a: unset", "", 0, { false, 0, 0 } },
	{ "N02 b: as wanted", "Global tclass=106\n", 0, { true, 106, 0 } },
	{ "N02 c: 10 is not 106", "Global tclass=10\n", 0, { true, 10, 0 } },
	{ "N02 d: with a rule",
	  "Global tclass=106\nsrc_ip=192.0.2.9, tclass=0\n",
	  0,
	  { true, 106, 1 } },
	{ "no newline at the end", "Global tclass=106", 0, { true, 106, 0 } },
	{ "rules only",
	  "src_ip=192.0.2.9,tclass=1\ndst_ip6=2001:db8::1,tclass=106\n",
	  0,
	  { false, 0, 2 } },
	{ "rule first", "dst_ip=192.0.2.0/24,tclass=8\nGlobal tclass=0\n", 0, { true, 0, 1 } },
	{ "empty lines", "\n\nGlobal tclass=255\n\n", 0, { true, 255, 0 } },
	{ "too large", "Global tclass=256\n", -EBADMSG, {} },
	{ "wraps to 106 in eight bits", "Global tclass=362\n", -EBADMSG, {} },
	{ "wraps to 106 in 32 bits", "Global tclass=4294967402\n", -EBADMSG, {} },
	{ "negative", "Global tclass=-1\n", -EBADMSG, {} },
	{ "no number", "Global tclass=\n", -EBADMSG, {} },
	{ "text behind the number", "Global tclass=106 \n", -EBADMSG, {} },
	{ "two global values", "Global tclass=106\nGlobal tclass=104\n", -EBADMSG, {} },
	{ "another form", "106\n", -EBADMSG, {} },
	{ "carriage return", "Global tclass=106\r\n", -EBADMSG, {} },
};

static void test_traffic_class(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		struct traffic_class class = {};
		const char *name = classes[i].name;

		case_equal(name,
			   traffic_class_parse(classes[i].text, strlen(classes[i].text), &class),
			   classes[i].result);
		case_equal(name, class.set, classes[i].class.set);
		case_equal(name, class.number, classes[i].class.number);
		case_equal(name, class.n_rules, classes[i].class.n_rules);
	}
}

/* The size counts, not a terminator. */
static void test_traffic_class_is_bounded(void **state)
{
	struct traffic_class class;

	assert_int_equal(
		traffic_class_parse("Global tclass=106", strlen("Global tclass=10"), &class), 0);
	assert_int_equal(class.number, 10);
}

static const struct {
	const char *text;
	bool is_address;
} addresses[] = {
	{ "0000:17:00.0", true },   { "0000:ff:1f.7", true },
	{ "10000:01:00.0", true },  { "", false },
	{ "0000:17:00", false },    { "0000:17:00.8", false },
	{ "0000:17:00.0x", false }, { "000:17:00.0", false },
	{ "0000:1:00.0", false },   { "0000:17:0.0", false },
	{ "0000.17.00.0", false },  { "simnic.0", false },
	{ "virtio0", false },
};

static void test_pci_address(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(addresses); i++)
		case_equal(addresses[i].text, map_is_pci_address(addresses[i].text),
			   addresses[i].is_address);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_traffic_class),
		cmocka_unit_test(test_traffic_class_is_bounded),
		cmocka_unit_test(test_pci_address),
	};

	return cmocka_run_group_tests_name("nic-text", tests, NULL, NULL);
}
