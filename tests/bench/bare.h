/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The least that can be done: what the product is measured against. It uses none of our code. */
#pragma once

#include <stddef.h>

/* All events of libyaml, each deleted at once. Returns their number, 0 if there is an error. */
size_t bare_yaml(const char *text, size_t size);

/* One RTNETLINK and one generic netlink socket, messages in fixed buffers, no allocation. */
struct bare_netlink {
	int route;
	int generic;
	unsigned short ethtool; /* family */
	unsigned int sequence;
};

/* These end the program if the kernel does not answer. */
void bare_netlink_open(struct bare_netlink *bare);
void bare_netlink_close(struct bare_netlink *bare);
void bare_dcb(struct bare_netlink *bare, const char *ifname);
void bare_link(struct bare_netlink *bare, int ifindex);
void bare_pause(struct bare_netlink *bare, int ifindex);

/* open, read, close */
void bare_file(const char *path);
