/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the neighbours of this machine say of themselves by LLDP: who they are, and what of DCB they
 * advertise. All of it is somebody else's word. Filled by lib/switch/lldp.c.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	LLDP_NEIGHBORS_MAX = 1024,
	LLDP_ADDRESSES_MAX = 4,
	LLDP_APPS_MAX = 168, /* what a TLV of 511 bytes has room for */
	LLDP_DEVICE_MAX = 64,
	LLDP_WORD_MAX = 16,
	LLDP_TEXT_MAX = 256, /* a TLV's text has 255 bytes at most */
};

/* Selectors of the application priority TLV (IEEE 802.1Q, table D-10). */
enum lldp_selector {
	LLDP_ETHERTYPE = 1,
	LLDP_TCP = 2,
	LLDP_UDP = 3,
	LLDP_PORT = 4, /* TCP, UDP and what else has ports */
	LLDP_DSCP = 5,
};

struct lldp_app {
	uint8_t priority;
	uint8_t selector;
	uint16_t id;
};

/* IEEE 802.1Qaz, 00-80-C2 subtype 9 or 10. */
struct lldp_ets {
	bool given;
	bool willing;		/* of the configuration TLV */
	uint8_t class_of[8];	/* traffic class of each priority */
	uint8_t share[8];	/* percent of each class */
	uint8_t algorithm[8];	/* 0 strict, 1 credit shaper, 2 ETS, 255 vendor */
};

struct lldp_pfc {
	bool given;
	bool willing;
	uint8_t capability;	/* how many classes can have PFC */
	uint8_t priorities;	/* bit n: on for priority n */
};

struct lldp_neighbor {
	char device[LLDP_DEVICE_MAX];	/* ours, that heard it */
	char via[LLDP_WORD_MAX];	/* "LLDP"; lldpd knows CDP and others too */
	char chassis[LLDP_TEXT_MAX];	/* its name; "": it tells none */
	char chassis_id[LLDP_TEXT_MAX];
	char address[LLDP_ADDRESSES_MAX][LLDP_DEVICE_MAX];	/* of its management */
	size_t n_addresses;
	char port_type[LLDP_WORD_MAX];	/* what the port's id is: ifname, local, mac, ifalias */
	char port[LLDP_TEXT_MAX];
	char port_text[LLDP_TEXT_MAX];	/* its description */
	struct lldp_pfc pfc;
	struct lldp_ets ets;		/* what it does */
	struct lldp_ets ets_advice;	/* what it recommends */
	bool app_given;			/* with none, too */
	struct lldp_app app[LLDP_APPS_MAX];
	size_t n_apps;
	bool cee;			/* speaks DCBX of before IEEE: known, not decoded */
	bool malformed;			/* one of these TLVs was not as it has to be: left out */
};

struct lldp_neighbors {
	struct lldp_neighbor *list;
	size_t n;
	size_t room;
};

void lldp_neighbors_done(struct lldp_neighbors *neighbors);
