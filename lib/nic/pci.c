// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Capabilities in configuration space: a list of one-byte offsets from the header on, and behind
 * 256 bytes a list of its own for PCI Express. Offsets as in include/uapi/linux/pci_regs.h.
 */
#include "lib/nic/pci.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/pci_regs.h>
#include <string.h>

#include "lib/base/macro.h"

enum {
	CAPABILITIES_MAX = 48, /* as in drivers/pci/pci.c: a list that is longer is a ring */
	EXTENDED_MAX = (PCI_CONFIG_MAX - PCI_CFG_SPACE_SIZE) / 8,
	EXPRESS_BYTES = PCI_EXP_DEVCTL + 2,
	ACS_BYTES = PCI_ACS_CTRL + 2,
};

int pci_config_read(struct os *os, const char *path, struct pci_config *ret)
{
	int handle, closed;
	ssize_t n;

	*ret = (struct pci_config){};
	handle = os->ops->open(os, path, O_RDONLY);
	if (handle < 0)
		return handle;
	do {
		n = os->ops->read(os, handle, ret->data + ret->size, sizeof(ret->data) - ret->size);
		if (n > 0)
			ret->size += (size_t)n;
	} while (n > 0 && ret->size < sizeof(ret->data));
	closed = os->ops->close(os, handle);
	return n < 0 ? (int)n : closed;
}

static bool get16(const struct pci_config *config, size_t at, uint16_t *ret)
{
	if (at + 2 > config->size)
		return false;
	*ret = (uint16_t)(config->data[at] | config->data[at + 1] << 8);
	return true;
}

/* Offset of a capability, 0 if there is none. */
static size_t find_express(const struct pci_config *config)
{
	uint16_t status, head;
	size_t at;

	if (!get16(config, PCI_STATUS, &status) || !(status & PCI_STATUS_CAP_LIST))
		return 0;
	at = config->data[PCI_CAPABILITY_LIST];
	for (int i = 0; i < CAPABILITIES_MAX && get16(config, at & ~3U, &head); i++) {
		at &= ~3U;
		if (at < PCI_STD_HEADER_SIZEOF)
			return 0;
		if ((head & 0xff) == PCI_CAP_ID_EXP)
			return at;
		at = head >> 8;
	}
	return 0;
}

static size_t find_acs(const struct pci_config *config)
{
	size_t at = PCI_CFG_SPACE_SIZE;
	uint16_t id, next;

	for (int i = 0; i < EXTENDED_MAX && at >= PCI_CFG_SPACE_SIZE; i++) {
		if (!get16(config, at, &id) || !get16(config, at + 2, &next))
			return 0;
		if (id == PCI_EXT_CAP_ID_ACS)
			return at;
		at = (next >> 4) & ~3U;
	}
	return 0;
}

bool pci_device_control(const struct pci_config *config, uint16_t *ret)
{
	size_t at = find_express(config);

	return at && get16(config, at + PCI_EXP_DEVCTL, ret);
}

bool pci_acs_control(const struct pci_config *config, uint16_t *ret)
{
	size_t at = find_acs(config);

	return at && get16(config, at + PCI_ACS_CTRL, ret);
}

static void keep(const struct pci_config *config, struct pci_config *kept, size_t at, size_t size)
{
	if (at < config->size)
		memcpy(kept->data + at, config->data + at, MIN(size, config->size - at));
}

static void put_byte(struct pci_config *config, size_t at, size_t value)
{
	if (at < config->size)
		config->data[at] = (unsigned char)value;
}

void pci_config_strip(struct pci_config *config)
{
	size_t express = find_express(config), acs = find_acs(config);
	struct pci_config kept = { .size = config->size };

	/* who it is and whether it has a list; then each list has just what is looked for */
	keep(config, &kept, PCI_VENDOR_ID, PCI_CACHE_LINE_SIZE);
	if (express) {
		put_byte(&kept, PCI_CAPABILITY_LIST, express);
		keep(config, &kept, express, EXPRESS_BYTES);
		put_byte(&kept, express + 1, 0);
	}
	if (acs) {
		keep(config, &kept, acs, ACS_BYTES);
		put_byte(&kept, acs + 2, kept.data[acs + 2] & 0x0f);
		put_byte(&kept, acs + 3, 0);
	}
	if (acs > PCI_CFG_SPACE_SIZE) {
		put_byte(&kept, PCI_CFG_SPACE_SIZE + 2, 1 | (acs << 4 & 0xf0));
		put_byte(&kept, PCI_CFG_SPACE_SIZE + 3, acs >> 4);
	}
	*config = kept;
}
