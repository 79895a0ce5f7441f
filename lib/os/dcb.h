/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * DCB netlink (kernel: net/dcb/dcbnl.c). Devices are named, not numbered, in these messages: the
 * caller checks that the name still belongs to its ifindex right before a write.
 *
 * The answer of a driver to a write is NOT an NLMSG_ERROR but a signed byte in the reply
 * (DCB_ATTR_IEEE, DCB_ATTR_DCBX) that comes before the ACK; -EREMOTEIO stands for "the driver
 * refused", with that byte in @ret_error->status. A driver that lacks an operation answers 0 and
 * does nothing: only reading back tells.
 */
#pragma once

#include <linux/dcbnl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/os/os.h"

/* Entries of an APP table that are looked at; 64 DSCPs x 8 priorities fit */
enum { OS_DCB_APP_MAX = 1024 };

struct os_dcb {
	bool has_ets;
	bool has_pfc;
	bool has_app;		/* the reply carried an APP table, empty or not */
	bool has_dcbx;
	bool has_buffer;
	bool has_maxrate;
	struct ieee_ets ets;
	struct ieee_pfc pfc;
	struct dcbnl_buffer buffer;
	struct ieee_maxrate maxrate;	/* kbit/s for each traffic class, 0: no limit */
	uint8_t dcbx;
	size_t n_app;
	struct dcb_app app[OS_DCB_APP_MAX];
};

/*
 * Read all of a device's IEEE state in one message.
 *
 * Returns 0; -EOPNOTSUPP if the driver has no DCB; -ENODEV; -EBADMSG if the reply is malformed;
 * -E2BIG above OS_DCB_APP_MAX entries.
 */
int os_dcb_get(struct os *os, const char *ifname, struct os_dcb *ret);

/*
 * One message each. Return 0; -EREMOTEIO with the status; another negative errno if the kernel
 * refused the message.
 */
int os_dcb_set_ets(struct os *os, const char *ifname, const struct ieee_ets *ets,
		   struct os_error *ret_error);
int os_dcb_set_pfc(struct os *os, const char *ifname, const struct ieee_pfc *pfc,
		   struct os_error *ret_error);
int os_dcb_set_buffer(struct os *os, const char *ifname, const struct dcbnl_buffer *buffer,
		      struct os_error *ret_error);
int os_dcb_set_maxrate(struct os *os, const char *ifname, const struct ieee_maxrate *maxrate,
		       struct os_error *ret_error);
int os_dcb_set_dcbx(struct os *os, const char *ifname, uint8_t mode, struct os_error *ret_error);

/*
 * Add or delete @n_app entries in one message; the driver takes them in order and stops at the
 * first that it refuses.
 */
int os_dcb_app_add(struct os *os, const char *ifname, const struct dcb_app *app, size_t n_app,
		   struct os_error *ret_error);
int os_dcb_app_delete(struct os *os, const char *ifname, const struct dcb_app *app, size_t n_app,
		      struct os_error *ret_error);
