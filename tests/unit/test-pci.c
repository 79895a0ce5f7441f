// SPDX-License-Identifier: LGPL-2.1-or-later
/* Configuration space and its form in bundles: what is found in it, and what breaks nothing. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/nic/pci.h"
#include "lib/os/bundle-bytes.h"
#include "tests/support/cases.h"

struct byte {
	uint16_t at;
	uint8_t value;
};

enum { BYTES = 20, NONE = -1 };

/* Status with a list at 0x40, PCI Express there, Device Control 0x5130; ACS at 0x148, 0x001d. */
#define LIST               \
	{ 0x06, 0x10 },    \
	{                  \
		0x34, 0x40 \
	}
#define EXPRESS                         \
	{ 0x40, 0x10 }, { 0x48, 0x30 }, \
	{                               \
		0x49, 0x51              \
	}
#define ACS                               \
	{ 0x148, 0x0d }, { 0x14a, 0x01 }, \
	{                                 \
		0x14e, 0x1d               \
	}

static const struct {
	const char *name;
	size_t size;
	struct byte bytes[BYTES];
	int control; /* NONE: it is not found */
	int acs;
} spaces[] = {
	{ "both",
	  4096,
	  { LIST, EXPRESS, { 0x100, 0x01 }, { 0x102, 0x81 }, { 0x103, 0x14 }, ACS },
	  0x5130,
	  0x1d },
	{ "behind another",
	  4096,
	  { { 0x06, 0x10 }, { 0x34, 0x50 }, { 0x50, 0x05 }, { 0x51, 0x43 }, EXPRESS },
	  0x5130,
	  NONE },
	{ "what a plain user reads", 64, { LIST }, NONE, NONE },
	{ "of a conventional device", 256, { LIST, EXPRESS }, 0x5130, NONE },
	{ "no list", 4096, { { 0x34, 0x40 }, EXPRESS }, NONE, NONE },
	{ "a ring",
	  4096,
	  { { 0x06, 0x10 }, { 0x34, 0x40 }, { 0x40, 0x05 }, { 0x41, 0x40 } },
	  NONE,
	  NONE },
	{ "into the header",
	  4096,
	  { { 0x06, 0x10 }, { 0x34, 0x40 }, { 0x40, 0x05 }, { 0x41, 0x08 } },
	  NONE,
	  NONE },
	{ "a ring of extended ones",
	  4096,
	  { { 0x100, 0x01 }, { 0x102, 0x01 }, { 0x103, 0x10 } },
	  NONE,
	  NONE },
	{ "cut before the register",
	  0x149,
	  { { 0x102, 0x81 }, { 0x103, 0x14 }, { 0x148, 0x0d } },
	  NONE,
	  NONE },
	{ "cut within the register", 0x49, { LIST, { 0x40, 0x10 }, { 0x48, 0x30 } }, NONE, NONE },
	{ "at the very end",
	  4096,
	  { { 0x102, 0xc1 }, { 0x103, 0xff }, { 0xffc, 0x0d } },
	  NONE,
	  NONE },
	{ "nothing at all", 0, {}, NONE, NONE },
};

static void fill(size_t index, struct pci_config *config)
{
	*config = (struct pci_config){ .size = spaces[index].size };
	for (size_t i = 0; i < BYTES; i++)
		if (spaces[index].bytes[i].at < config->size)
			config->data[spaces[index].bytes[i].at] |= spaces[index].bytes[i].value;
}

static void compare(size_t index, const struct pci_config *config)
{
	uint16_t value;

	case_equal(spaces[index].name, pci_device_control(config, &value) ? value : NONE,
		   spaces[index].control);
	case_equal(spaces[index].name, pci_acs_control(config, &value) ? value : NONE,
		   spaces[index].acs);
}

static void test_found(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(spaces); i++) {
		struct pci_config config;

		fill(i, &config);
		compare(i, &config);
		/* A serial number goes, what is looked for stays */
		if (config.size > 0x300)
			config.data[0x300] = 0x77;
		pci_config_strip(&config);
		compare(i, &config);
		case_equal(spaces[i].name, config.data[0x300], 0);
		case_equal(spaces[i].name, config.size, spaces[i].size);
	}
}

static const struct {
	const char *name;
	const char *text;
	int size; /* or -EINVAL */
} texts[] = {
	{ "all zero", "size 64\n", 64 },
	{ "a line", "size 32\n0x010 000102030405060708090a0b0c0d0e0f\n", 32 },
	{ "a short last line", "size 18\n0x010 0001\n", 18 },
	{ "no size", "0x000 000102030405060708090a0b0c0d0e0f\n", -EINVAL },
	{ "size 0", "size 0\n", -EINVAL },
	{ "too large", "size 4097\n", -EINVAL },
	{ "negative", "size -1\n", -EINVAL },
	{ "no newline", "size 64", -EINVAL },
	{ "empty", "", -EINVAL },
	{ "zeros are left out", "size 16\n0x000 00000000000000000000000000000000\n", -EINVAL },
	{ "an offset between", "size 32\n0x008 000102030405060708090a0b0c0d0e0f\n", -EINVAL },
	{ "behind the end", "size 16\n0x010 000102030405060708090a0b0c0d0e0f\n", -EINVAL },
	{ "too few", "size 16\n0x000 000102\n", -EINVAL },
	{ "too many", "size 16\n0x000 000102030405060708090a0b0c0d0e0f10\n", -EINVAL },
	{ "no digit", "size 16\n0x000 g00102030405060708090a0b0c0d0e0f\n", -EINVAL },
	{ "twice",
	  "size 16\n0x000 000102030405060708090a0b0c0d0e0f\n0x000 "
	  "000102030405060708090a0b0c0d0e0f\n",
	  -EINVAL },
	{ "capitals", "size 16\n0x000 000102030405060708090A0B0C0D0E0F\n", -EINVAL },
	{ "a blank", "size 16\n0x000 000102030405060708090a0b0c0d0e0f \n", -EINVAL },
	{ "what follows", "size 16\n\n", -EINVAL },
};

static void test_lines(void **state)
{
	unsigned char data[4096];

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		case_equal(texts[i].name, bundle_bytes_parse(texts[i].text, data, sizeof(data)),
			   texts[i].size);
	(void)bundle_bytes_parse(texts[1].text, data, sizeof(data));
	assert_int_equal(data[15], 0);
	assert_int_equal(data[31], 15);
}

static void test_too_long(void **state)
{
	unsigned char data[4096];
	char text[4097];

	memset(data, 0xff, sizeof(data));
	assert_int_equal(bundle_bytes_format(data, sizeof(data), text, sizeof(text)), -E2BIG);
	assert_int_equal(bundle_bytes_format(data, 1024, text, sizeof(text)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
