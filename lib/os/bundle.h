/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A recorded node as text: what RTNETLINK, DCB and ethtool say of its network devices, and files of
 * sysfs, procfs and configfs. One line a fact, so that a person can read a bundle, and look for
 * secrets, before it is mailed. Taken by lib/node/record.c, brought to life by fake-bundle.c.
 *
 *   losslessd bundle 1
 *   node gpu-1
 *   kernel 6.12.1
 *   reader root
 *   link ens1f0np0 index 2 lower 0 master 0 mtu 1500 min 68 max 9978 mac 02:17:00:00:00:01 up 1 ...
 *   pfc ens1f0np0 enabled 0x08 cap 8 mbc 0 delay 7
 *   symlink /sys/class/net/ens1f0np0/device ../../../0000:17:00.0
 *   file /sys/class/net/ens1f0np0/device/vendor
 *    0x15b3
 *   bytes /sys/class/infiniband/mlx5_0/device/config
 *    size 64
 *    0x000 b315211046041000...
 *   dir /sys/kernel/config/rdma_cm
 *   unreadable /sys/kernel/debug/mlx5 EACCES
 *   end
 *
 * The text of a file follows it, each line behind one blank. A symbolic link stands before what is
 * below it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/diag.h"
#include "lib/os/dcb.h"
#include "lib/os/ethtool.h"
#include "lib/os/link.h"

enum {
	BUNDLE_SIZE_MAX = 16 * 1024 * 1024,
	BUNDLE_LINKS_MAX = 4096,
	BUNDLE_ENTRIES_MAX = 65536,
};

/* A network device. What a driver has not has no line: -EOPNOTSUPP when it is asked. */
struct bundle_link {
	struct os_link link;
	struct os_dcb dcb;
	uint16_t apps;		/* how many entries were announced */
	int dcb_error;		/* positive errno: DCB could not be read */
	bool has_dcb_error;
	bool has_pause;
	struct os_pause pause;
	int pause_error;
	bool has_pause_error;
	bool has_stall;
	uint16_t stall_ms;
	bool has_lldp_agent;	/* private flag fw-lldp-agent */
	bool lldp_agent;
	struct os_stats stats;
	size_t stats_room;
};

enum bundle_kind {
	BUNDLE_DIR,
	BUNDLE_FILE,
	BUNDLE_BYTES,		/* a file that is no text: bundle-bytes.h */
	BUNDLE_SYMLINK,
	BUNDLE_UNREADABLE,
	BUNDLE_KIND_MAX,
};

struct bundle_entry {
	enum bundle_kind kind;
	int error;		/* BUNDLE_UNREADABLE: a positive errno */
	char *path;
	/*
	 * of a file, each line with its newline (of bytes as they stand here), or the target of a
	 * link; NULL otherwise
	 */
	char *text;
	unsigned int line;	/* in the bundle, 0 if it was not read from one */
};

struct bundle {
	char node[OS_NAME_MAX + 1];
	char kernel[OS_NAME_MAX + 1];
	bool privileged;	/* recorded by root */
	struct bundle_link *links;
	size_t n_links;
	size_t links_room;
	struct bundle_entry *entries;
	size_t n_entries;
	size_t entries_room;
};

void bundle_done(struct bundle *bundle);

/* Append; NULL without memory or above the limit. @entry takes copies; @text may be NULL. */
struct bundle_link *bundle_add_link(struct bundle *bundle);
struct bundle_entry *bundle_add_entry(struct bundle *bundle, enum bundle_kind kind,
				      const char *path, const char *text, size_t size);
void bundle_drop_entry(struct bundle *bundle);	/* the last one */
int bundle_add_stat(struct bundle_link *link, const char *name, uint64_t value);

/* True if @path can stand in a bundle: absolute, no "." and "..", no blanks, within the limits. */
bool bundle_path_fits(const char *path, size_t size);

/* Print it; bundle_parse() reads exactly this. Errors are the stream's. */
void bundle_write(const struct bundle *bundle, FILE *out);

/*
 * Read it strictly: one form, nothing left over, nothing twice. Returns 0; -EINVAL with the first
 * error in @diags; -ENOMEM.
 */
int bundle_parse(const char *text, size_t size, struct bundle *ret, struct diags *diags);
