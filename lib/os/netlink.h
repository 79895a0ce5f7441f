/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Requests to the kernel and their answers; for the files of this folder only. libnl moves and
 * frames the messages, the error numbers are the kernel's own, the text of its extended ack comes
 * with them (libnl has no accessor for that).
 */
#pragma once

#include <linux/netlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <stddef.h>

#include "lib/os/os.h"

enum {
	NETLINK_TIMEOUT_MS = 10000,	/* a request that is not answered by then is given up */
	NETLINK_MESSAGES_MAX = 65536,	/* in one answer */
};

/*
 * Send @request and pass each message of the answer to @each (may be NULL). With NLM_F_ACK in the
 * request the answer ends with the ACK, with NLM_F_DUMP with NLMSG_DONE, otherwise it is one
 * message. The request may be sent again.
 *
 * Returns 0; the errno of the kernel, with its text in @ret_error (may be NULL); -EINTR if the
 * kernel marked a dump as inconsistent; -ETIMEDOUT; -EBADMSG if the answer is malformed; or the
 * first error that @each returned, after which the rest of the answer is read and not passed on.
 */
int netlink_request(struct os *os, int protocol, struct nl_msg *request,
		    int (*each)(const struct nlmsghdr *message, void *data), void *data,
		    struct os_error *ret_error);

/* Close what is open; the next request opens it again. */
void netlink_close(struct os *os);

/* -errno for libnl's own negative error numbers. */
int netlink_errno(int error);

/*
 * Sort the attributes in @size bytes at @attrs into @table by type (0 to @max; others are ignored,
 * the first of a type counts). Returns 0; -EBADMSG if an attribute is longer than what is left.
 */
int netlink_attributes(const struct nlattr **table, int max, const void *attrs, int size);
int netlink_nested(const struct nlattr **table, int max, const struct nlattr *nest);

/*
 * Copy the payload; -EBADMSG if it is shorter than @size. What a newer kernel appends is ignored.
 */
int netlink_copy(const struct nlattr *attr, void *ret, size_t size);

/* Copy a name; -EBADMSG if it is empty, not terminated within the attribute, or does not fit. */
int netlink_name(const struct nlattr *attr, char *ret, size_t size);

struct os_link;

/* A message about a link, in link.c: 1 and @ret; 0 if it is about something else; -EBADMSG. */
int netlink_link(const struct nlmsghdr *message, struct os_link *ret);

static inline void nl_msg_freep(struct nl_msg **message)
{
	nlmsg_free(*message);
}
