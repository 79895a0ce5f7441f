// SPDX-License-Identifier: LGPL-2.1-or-later
/* Behaviours of links, of attributes in sysfs and configfs, and what a plain user may do. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/dcb.h"
#include "lib/os/ethtool.h"
#include "lib/os/file.h"
#include "lib/os/link.h"
#include "tests/model/behave.h"

enum { UNKNOWN_INDEX = 99999 };

/* ---- short forms ---- */

static const char *path_of(const char *format, const char *name)
{
	static char path[OS_PATH_MAX];
	const char *slot = strchr(format, '@');

	(void)snprintf(path, sizeof(path), "%.*s%s%s", (int)(slot - format), format, name,
		       slot + 1);
	return path;
}

static const char *tclass_path(struct bed *bed)
{
	return path_of("/sys/class/infiniband/@/tc/1/traffic_class", bed->rdma);
}

static const char *tos_path(struct bed *bed)
{
	return path_of("/sys/kernel/config/rdma_cm/@/ports/1/default_roce_tos", bed->rdma);
}

static const char *mode_path(struct bed *bed)
{
	return path_of("/sys/kernel/config/rdma_cm/@/ports/1/default_roce_mode", bed->rdma);
}

static bool text_is(struct bed *bed, const char *path, const char *want)
{
	char text[OS_TEXT_MAX];

	return os_read_text(bed->os, path, text, sizeof(text)) >= 0 && !strcmp(text, want);
}

/* ---- link ---- */

static bool mtu_has_limits(struct bed *bed)
{
	struct os_error error;
	struct os_link link;

	EXPECT(os_link_set_mtu(bed->os, bed->ifindex, 9979, &error) == -EINVAL);
	EXPECT(!strcmp(error.text, "mtu greater than device maximum"));
	EXPECT(os_link_set_mtu(bed->os, bed->ifindex, 67, &error) == -EINVAL);
	EXPECT(!strcmp(error.text, "mtu less than device minimum"));
	EXPECT(os_link_set_mtu(bed->os, bed->ifindex, 4200, &error) == 0);
	EXPECT(os_link_get(bed->os, bed->ifindex, &link) == 0);
	EXPECT(link.mtu == 4200 && link.mtu_min == 68 && link.mtu_max == 9978);
	EXPECT(text_is(bed, path_of("/sys/class/net/@/mtu", bed->ifname), "4200"));
	return true;
}

static bool link_is_in_the_dump(struct bed *bed)
{
	struct os_links links = {};
	struct os_link link;
	size_t found = 0;

	EXPECT(os_link_get(bed->os, bed->ifindex, &link) == 0);
	EXPECT(!strcmp(link.name, bed->ifname) && link.ifindex == bed->ifindex && link.up);
	EXPECT(!link.kind[0] && !link.master_ifindex && !link.link_ifindex);
	EXPECT(os_link_dump(bed->os, &links) == 0);
	for (size_t i = 0; i < links.n; i++)
		found += !memcmp(&links.list[i], &link, sizeof(link));
	os_links_done(&links);
	EXPECT(found == 1);
	return true;
}

static bool unknown_devices(struct bed *bed)
{
	const struct os_pause off = {};
	struct os_error error;
	struct os_pause pause;
	char name[IFNAMSIZ] = "";
	struct os_link link;
	struct os_dcb dcb;

	EXPECT(bed->os->ops->link_name(bed->os, bed->ifindex, name) == 0);
	EXPECT(!strcmp(name, bed->ifname));
	EXPECT(bed->os->ops->link_name(bed->os, UNKNOWN_INDEX, name) == -ENODEV);
	EXPECT(os_dcb_get(bed->os, "nosuch0", &dcb) == -ENODEV);
	EXPECT(os_dcb_set_dcbx(bed->os, "nosuch0", DCBX_HOST, &error) == -ENODEV);
	EXPECT(os_link_get(bed->os, UNKNOWN_INDEX, &link) == -ENODEV);
	EXPECT(os_link_set_mtu(bed->os, UNKNOWN_INDEX, 1500, &error) == -ENODEV);
	EXPECT(os_pause_get(bed->os, UNKNOWN_INDEX, &pause) == -ENODEV);
	EXPECT(os_pause_set(bed->os, UNKNOWN_INDEX, &off, &error) == -ENODEV);
	EXPECT(!strcmp(error.text, "no device matches ifindex"));
	return true;
}

static bool loopback_has_neither(struct bed *bed)
{
	const struct os_pause off = {};
	struct os_error error;
	struct os_pause pause;
	struct os_dcb dcb;

	EXPECT(os_dcb_get(bed->os, "lo", &dcb) == -EOPNOTSUPP);
	EXPECT(os_dcb_set_dcbx(bed->os, "lo", DCBX_HOST, &error) == -EOPNOTSUPP);
	EXPECT(os_pause_get(bed->os, 1, &pause) == -EOPNOTSUPP);
	EXPECT(os_pause_set(bed->os, 1, &off, &error) == -EOPNOTSUPP);
	return true;
}

/* ---- sysfs ---- */

static bool device_links(struct bed *bed)
{
	char name[OS_NAME_MAX];

	EXPECT(os_read_link_name(bed->os, path_of("/sys/class/net/@", bed->ifname), name,
				 sizeof(name)) == 0);
	EXPECT(!strcmp(name, bed->ifname));
	EXPECT(os_read_link_name(bed->os, path_of("/sys/class/net/@/device/driver", bed->ifname),
				 name, sizeof(name)) == 0);
	EXPECT(!strcmp(name, "mlx5_core"));
	EXPECT(text_is(bed, path_of("/sys/class/net/@/device/vendor", bed->ifname), "0x15b3"));
	EXPECT(!os_exists(bed->os, path_of("/sys/class/net/@/device/physfn", bed->ifname)));
	EXPECT(os_exists(bed->os, path_of("/sys/class/net/@/device", bed->ifname)));
	return true;
}

static bool attributes_are_guarded(struct bed *bed)
{
	const char *path = path_of("/sys/class/net/@/ifindex", bed->ifname);

	EXPECT(bed->os->ops->open(bed->os, path, O_WRONLY) == -EACCES);
	EXPECT(os_write_text(bed->os, "/sys/class/net/nosuch0/mtu", "1500") == -ENOENT);
	EXPECT(bed->os->ops->open(bed->os, "/sys/class/net", O_WRONLY) == -EISDIR);
	return true;
}

static bool empty_gid_slot(struct bed *bed)
{
	char text[64];

	EXPECT(text_is(bed, path_of("/sys/class/infiniband/@/ports/1/link_layer", bed->rdma),
		       "Ethernet"));
	EXPECT(text_is(bed, path_of("/sys/class/infiniband/@/ports/1/gids/15", bed->rdma),
		       "0000:0000:0000:0000:0000:0000:0000:0000"));
	EXPECT(os_read_text(
		       bed->os,
		       path_of("/sys/class/infiniband/@/ports/1/gid_attrs/types/15", bed->rdma),
		       text, sizeof(text)) == -EINVAL);
	EXPECT(os_read_text(
		       bed->os,
		       path_of("/sys/class/infiniband/@/ports/1/gid_attrs/ndevs/15", bed->rdma),
		       text, sizeof(text)) == -EINVAL);
	EXPECT(text_is(bed, path_of("/sys/class/infiniband/@/ports/1/gid_attrs/ndevs/0", bed->rdma),
		       bed->ifname));
	return true;
}

/* ---- traffic_class ---- */

static bool tclass_reads_back_differently(struct bed *bed)
{
	EXPECT(text_is(bed, tclass_path(bed), ""));
	EXPECT(os_write_text(bed->os, tclass_path(bed), "106") == 0);
	EXPECT(text_is(bed, tclass_path(bed), "Global tclass=106"));
	EXPECT(os_write_text(bed->os, tclass_path(bed), "tclass=0x60") == 0);
	EXPECT(text_is(bed, tclass_path(bed), "Global tclass=96"));
	EXPECT(os_write_text(bed->os, tclass_path(bed), "-1") == 0);
	EXPECT(text_is(bed, tclass_path(bed), ""));
	return true;
}

static bool tclass_rules(struct bed *bed)
{
	EXPECT(os_write_text(bed->os, tclass_path(bed), "106") == 0);
	EXPECT(os_write_text(bed->os, tclass_path(bed), "src_ip=192.0.2.9, tclass=0") == 0);
	EXPECT(os_write_text(bed->os, tclass_path(bed), "dst_ip=192.0.2.0/24,tclass=96") == 0);
	EXPECT(text_is(
		bed, tclass_path(bed),
		"Global tclass=106\nsrc_ip=192.0.2.9,tclass=0\ndst_ip=192.0.2.0/24,tclass=96"));
	EXPECT(os_write_text(bed->os, tclass_path(bed), "src_ip=192.0.2.9,tclass=-1") == 0);
	EXPECT(os_write_text(bed->os, tclass_path(bed), "dst_ip=192.0.2.0/24,tclass=-1") == 0);
	EXPECT(text_is(bed, tclass_path(bed), "Global tclass=106"));
	return true;
}

static bool tclass_refused(struct bed *bed)
{
	static const char *const bad[] = {
		"256", "x", "", "106x", "tclass=", "src_ip=192.0.2.9", "dst_ip=1.2.3,tclass=1"
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		EXPECT(os_write_text(bed->os, tclass_path(bed), bad[i]) == -EINVAL);
	EXPECT(text_is(bed, tclass_path(bed), ""));
	return true;
}

static bool tclass_faults(struct bed *bed)
{
	EXPECT(bed_fault(bed, "tclass", BED_BUSY, 1) == 0);
	EXPECT(os_write_text(bed->os, tclass_path(bed), "106") == -EBUSY);
	EXPECT(os_write_text(bed->os, tclass_path(bed), "106") == 0);
	EXPECT(bed_fault(bed, "tclass", BED_SILENT, 0) == 0);
	EXPECT(os_write_text(bed->os, tclass_path(bed), "104") == 0);
	EXPECT(text_is(bed, tclass_path(bed), "Global tclass=106"));
	return true;
}

/* ---- RDMA-CM ---- */

static bool cm_groups(struct bed *bed)
{
	const struct os_ops *ops = bed->os->ops;

	EXPECT(ops->make_dir(bed->os, "/sys/kernel/config/rdma_cm/nosuch_0") == -ENODEV);
	EXPECT(ops->make_dir(bed->os, path_of("/sys/kernel/config/rdma_cm/@", bed->rdma)) ==
	       -EEXIST);
	EXPECT(text_is(bed, mode_path(bed), "RoCE v2"));
	EXPECT(text_is(bed, tos_path(bed), "0"));
	return true;
}

static bool cm_tos_is_a_byte(struct bed *bed)
{
	EXPECT(os_write_text(bed->os, tos_path(bed), "106") == 0);
	EXPECT(text_is(bed, tos_path(bed), "106"));
	EXPECT(os_write_text(bed->os, tos_path(bed), "0x68") == 0);
	EXPECT(text_is(bed, tos_path(bed), "104"));
	EXPECT(os_write_text(bed->os, tos_path(bed), "256") == -ERANGE);
	EXPECT(os_write_text(bed->os, tos_path(bed), "-1") == -EINVAL);
	EXPECT(os_write_text(bed->os, tos_path(bed), "x") == -EINVAL);
	EXPECT(os_write_text(bed->os, tos_path(bed), "1 2") == -EINVAL);
	EXPECT(text_is(bed, tos_path(bed), "104"));
	return true;
}

static bool cm_mode_is_a_word(struct bed *bed)
{
	EXPECT(os_write_text(bed->os, mode_path(bed), "RoCE v2") == 0);
	EXPECT(os_write_text(bed->os, mode_path(bed), "bogus") == -EINVAL);
	EXPECT(os_write_text(bed->os, mode_path(bed), "roce v2") == -EINVAL);
	EXPECT(os_write_text(bed->os, mode_path(bed), "RoCE v2 ") == -EINVAL);
	EXPECT(text_is(bed, mode_path(bed), "RoCE v2"));
	return true;
}

/* The group in configfs stays, what was in it does not */
static bool values_die_with_the_device(struct bed *bed)
{
	EXPECT(os_write_text(bed->os, tos_path(bed), "106") == 0);
	EXPECT(os_write_text(bed->os, tclass_path(bed), "106") == 0);
	EXPECT(bed_reregister(bed) == 0);
	EXPECT(text_is(bed, tos_path(bed), "0"));
	EXPECT(text_is(bed, tclass_path(bed), ""));
	EXPECT(os_write_text(bed->os, tos_path(bed), "106") == 0);
	EXPECT(text_is(bed, tos_path(bed), "106"));
	return true;
}

/* ---- a plain user ---- */

static int user_sets_pfc(struct bed *bed)
{
	const struct ieee_pfc pfc = { .pfc_en = 0x08 };
	struct os_error error;

	return os_dcb_set_pfc(bed->os, bed->ifname, &pfc, &error);
}

static int user_sets_dcbx(struct bed *bed)
{
	struct os_error error;

	return os_dcb_set_dcbx(bed->os, bed->ifname, DCBX_HOST, &error);
}

static int user_sets_pause(struct bed *bed)
{
	return behave_set_pause(bed, false, false, false);
}

static int user_sets_mtu(struct bed *bed)
{
	struct os_error error;

	return os_link_set_mtu(bed->os, bed->ifindex, 4200, &error);
}

static int user_writes_tclass(struct bed *bed)
{
	return os_write_text(bed->os, tclass_path(bed), "106");
}

static int user_writes_tos(struct bed *bed)
{
	return os_write_text(bed->os, tos_path(bed), "106");
}

static int user_makes_group(struct bed *bed)
{
	return bed->os->ops->make_dir(bed->os, "/sys/kernel/config/rdma_cm/nosuch_0");
}

static int user_reads(struct bed *bed)
{
	struct os_links links = {};
	int r;

	r = os_link_dump(bed->os, &links);
	os_links_done(&links);
	if (r < 0 || !behave_dcb(bed)->has_pfc || !behave_pause_is(bed, true, true))
		return -EIO;
	return text_is(bed, tos_path(bed), "0") && text_is(bed, tclass_path(bed), "") ? 0 :
											-ENODATA;
}

static bool user_may_not_write(struct bed *bed)
{
	EXPECT(bed_as_user(bed, user_sets_pfc) == -EPERM);
	EXPECT(bed_as_user(bed, user_sets_dcbx) == -EPERM);
	EXPECT(bed_as_user(bed, user_sets_pause) == -EPERM);
	EXPECT(bed_as_user(bed, user_sets_mtu) == -EPERM);
	EXPECT(bed_as_user(bed, user_writes_tclass) == -EACCES);
	EXPECT(bed_as_user(bed, user_writes_tos) == -EACCES);
	EXPECT(bed_as_user(bed, user_makes_group) == -EACCES);
	return true;
}

static bool user_may_read(struct bed *bed)
{
	EXPECT(bed_as_user(bed, user_reads) == 0);
	return true;
}

const struct behaviour behaviours_node[] = {
	{ "MTU has limits, and the kernel says which", mtu_has_limits },
	{ "the port is once in the dump, as it is alone", link_is_in_the_dump },
	{ "what does not exist is ENODEV", unknown_devices },
	{ "lo has neither DCB nor pause", loopback_has_neither },
	{ "links lead to the device and its driver", device_links },
	{ "what is read-only cannot be opened for writing", attributes_are_guarded },
	{ "an empty GID slot reads zero, its type EINVAL", empty_gid_slot },
	{ "traffic_class reads back in another form", tclass_reads_back_differently },
	{ "traffic_class lists its rules", tclass_rules },
	{ "traffic_class refuses what is no class", tclass_refused },
	{ "traffic_class: busy and silent", tclass_faults },
	{ "RDMA-CM groups exist for devices only", cm_groups },
	{ "RDMA-CM ToS is a byte", cm_tos_is_a_byte },
	{ "RDMA-CM mode is a word", cm_mode_is_a_word },
	{ "RDMA values die with the device", values_die_with_the_device },
	{ "a plain user may not write", user_may_not_write },
	{ "a plain user may read", user_may_read },
	{},
};
