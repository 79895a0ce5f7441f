/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * RDMA netlink (kernel: drivers/infiniband/core/nldev.c): who uses a device. Reading needs no
 * privilege.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/os/os.h"

/* One queue pair; those of the kernel (GSI, RDMA block storage) do not count as users. */
struct os_qp {
	char rdma[OS_NAME_MAX];
	unsigned int rdma_port;	/* 0: bound to none */
	bool user;		/* of a process: it has no name of a kernel module */
	uint32_t pid;		/* 0 if the process is in a PID namespace that we do not see */
};

struct os_qps {
	struct os_qp *list;
	size_t n;
	size_t room;
};

void os_qps_done(struct os_qps *qps);

/*
 * List the queue pairs of all RDMA devices (RDMA_NLDEV_CMD_RES_QP_GET). Returns 0; -EOPNOTSUPP if
 * the kernel has no RDMA netlink; -EINTR if every try was interrupted.
 */
int os_qp_dump(struct os *os, struct os_qps *ret);
