/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is read out of the configuration space of a PCI device; nothing is ever written there. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/os/os.h"

enum {
	PCI_CONFIG_MAX = 4096,
	PCI_CONFIG_USER = 64, /* so much of it everybody may read (drivers/pci/pci-sysfs.c) */
};

struct pci_config {
	unsigned char data[PCI_CONFIG_MAX];
	size_t size; /* so much could be read */
};

/* Read the file "config" of a device. Returns 0; a negative errno. */
int pci_config_read(struct os *os, const char *path, struct pci_config *ret);

/* True if there is more than a plain user may read of any device. */
static inline bool pci_config_is_whole(const struct pci_config *config)
{
	return config->size > PCI_CONFIG_USER;
}

/* The Device Control register of PCI Express. False: the device has none, or it was not read. */
bool pci_device_control(const struct pci_config *config, uint16_t *ret);

/* The control register of Access Control Services. False: the device has none. */
bool pci_acs_control(const struct pci_config *config, uint16_t *ret);

/*
 * Take everything away that the two above do not read: a serial number is nobody's business. What
 * stays reads the same.
 */
void pci_config_strip(struct pci_config *config);
