// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One table of behaviours of a ConnectX-like port, as nic.md 1.0 to 1.3 tells them. It is run
 * against the simulated node, and with `--lab IFNAME RDMA` against a port of a real kernel with the
 * lab's modules: a row that differs between the two is a fault of the simulation (or of the
 * module), and everything that is tested on the simulated node stands on it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/dcb.h"
#include "lib/os/ethtool.h"
#include "lib/os/file.h"
#include "lib/os/link.h"
#include "tests/support/bed.h"

enum {
	UNKNOWN_INDEX = 99999,
	DCBX_START = DCB_CAP_DCBX_VER_CEE | DCB_CAP_DCBX_VER_IEEE,
	DCBX_HOST = DCBX_START | DCB_CAP_DCBX_HOST,
	CARRIER_STEP_MS = 50,
	CARRIER_STEPS = 60,
};

/* A row ends at the first thing that is not as it should be. */
#define EXPECT(condition)                                                           \
	do {                                                                        \
		if (!(condition)) {                                                 \
			printf("     line %d: not so: %s\n", __LINE__, #condition); \
			return false;                                               \
		}                                                                   \
	} while (0)

/* ---- short forms ---- */

static const struct dcb_app dscp_26_3 = { IEEE_8021QAZ_APP_SEL_DSCP, 3, 26 };
static const struct dcb_app dscp_26_4 = { IEEE_8021QAZ_APP_SEL_DSCP, 4, 26 };
static const struct dcb_app dscp_48_6 = { IEEE_8021QAZ_APP_SEL_DSCP, 6, 48 };

/* 0, or the status byte of the driver, or an errno below -1000 so that the two are told apart */
static int word(int r, const struct os_error *error)
{
	if (r == -EREMOTEIO)
		return error->status;
	return r < 0 ? r - 1000 : 0;
}

static int add(struct bed *bed, const struct dcb_app *app, size_t n)
{
	struct os_error error;

	return word(os_dcb_app_add(bed->os, bed->ifname, app, n, &error), &error);
}

static int delete (struct bed *bed, const struct dcb_app *app)
{
	struct os_error error;

	return word(os_dcb_app_delete(bed->os, bed->ifname, app, 1, &error), &error);
}

static int set_pfc(struct bed *bed, uint8_t mask, uint16_t cable_m)
{
	const struct ieee_pfc pfc = { .pfc_en = mask, .delay = cable_m };
	struct os_error error;

	return word(os_dcb_set_pfc(bed->os, bed->ifname, &pfc, &error), &error);
}

static int set_ets(struct bed *bed, const struct ieee_ets *ets)
{
	struct os_error error;

	return word(os_dcb_set_ets(bed->os, bed->ifname, ets, &error), &error);
}

static int set_dcbx(struct bed *bed, uint8_t mode)
{
	struct os_error error;

	return word(os_dcb_set_dcbx(bed->os, bed->ifname, mode, &error), &error);
}

static int set_pause(struct bed *bed, bool autoneg, bool rx, bool tx)
{
	const struct os_pause pause = { .autoneg = autoneg, .rx = rx, .tx = tx };
	struct os_error error;

	return os_pause_set(bed->os, bed->ifindex, &pause, &error);
}

static bool pause_is(struct bed *bed, bool rx, bool tx)
{
	struct os_pause pause;

	return os_pause_get(bed->os, bed->ifindex, &pause) == 0 && !pause.autoneg &&
	       pause.rx == rx && pause.tx == tx;
}

/* What DCB shows now; all zero if it cannot be read. */
static const struct os_dcb *state(struct bed *bed)
{
	static struct os_dcb dcb;

	if (os_dcb_get(bed->os, bed->ifname, &dcb) < 0)
		memset(&dcb, 0, sizeof(dcb));
	return &dcb;
}

static bool apps_are(struct bed *bed, const struct dcb_app *app, size_t n)
{
	const struct os_dcb *dcb = state(bed);

	return dcb->has_app && dcb->n_app == n &&
	       (n == 0 || !memcmp(dcb->app, app, n * sizeof(*app)));
}

static bool has_carrier(struct bed *bed)
{
	struct os_link link;

	return os_link_get(bed->os, bed->ifindex, &link) == 0 && link.carrier;
}

static bool carrier_returns(struct bed *bed)
{
	for (int i = 0; i < CARRIER_STEPS && !has_carrier(bed); i++)
		bed->os->ops->sleep_ms(bed->os, CARRIER_STEP_MS);
	return has_carrier(bed);
}

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

/* ---- after driver load ---- */

static bool firmware_owns_dcbx(struct bed *bed)
{
	EXPECT(state(bed)->has_dcbx);
	EXPECT(state(bed)->dcbx == DCBX_START);
	return true;
}

static bool attach_resets_ets(struct bed *bed)
{
	static const uint8_t map[] = { 1, 0, 2, 3, 4, 5, 6, 7 };
	const struct os_dcb *dcb = state(bed);

	EXPECT(dcb->has_ets && dcb->ets.ets_cap == 8 && !dcb->ets.willing);
	EXPECT(!memcmp(dcb->ets.prio_tc, map, sizeof(map)));
	for (size_t i = 0; i < ARRAY_SIZE(map); i++)
		EXPECT(dcb->ets.tc_tsa[i] == IEEE_8021QAZ_TSA_VENDOR);
	return true;
}

static bool starts_without_pfc(struct bed *bed)
{
	const struct os_dcb *dcb = state(bed);

	EXPECT(dcb->has_pfc && dcb->pfc.pfc_en == 0);
	EXPECT(dcb->pfc.pfc_cap == 8 && dcb->pfc.delay == 7);
	return true;
}

static bool starts_with_pause(struct bed *bed)
{
	EXPECT(pause_is(bed, true, true));
	return true;
}

static bool starts_with_pcp_trust(struct bed *bed)
{
	EXPECT(apps_are(bed, NULL, 0));
	EXPECT(!bed_trusts_dscp(bed));
	return true;
}

/* ---- trust and the DSCP map ---- */

static bool first_entry_is_trust(struct bed *bed)
{
	EXPECT(add(bed, &dscp_26_3, 1) == 0);
	EXPECT(apps_are(bed, &dscp_26_3, 1));
	EXPECT(bed_trusts_dscp(bed));
	return true;
}

static bool add_replaces(struct bed *bed)
{
	EXPECT(add(bed, &dscp_26_3, 1) == 0);
	EXPECT(add(bed, &dscp_26_4, 1) == 0);
	EXPECT(apps_are(bed, &dscp_26_4, 1));
	EXPECT(bed_dscp_priority(bed, 26) == 4);
	return true;
}

static bool same_entry_again(struct bed *bed)
{
	EXPECT(add(bed, &dscp_26_3, 1) == 0);
	EXPECT(add(bed, &dscp_26_3, 1) == 0);
	EXPECT(apps_are(bed, &dscp_26_3, 1));
	return true;
}

static bool delete_of_missing(struct bed *bed)
{
	EXPECT(delete (bed, &dscp_26_3) == -ENOENT);
	EXPECT(add(bed, &dscp_26_3, 1) == 0);
	EXPECT(delete (bed, &dscp_48_6) == -ENOENT);
	EXPECT(delete (bed, &dscp_26_4) == -ENOENT);
	EXPECT(apps_are(bed, &dscp_26_3, 1));
	return true;
}

static bool deleted_goes_to_priority_0(struct bed *bed)
{
	const struct dcb_app both[] = { dscp_26_3, dscp_48_6 };

	EXPECT(add(bed, both, 2) == 0);
	EXPECT(delete (bed, &dscp_26_3) == 0);
	EXPECT(apps_are(bed, &dscp_48_6, 1));
	EXPECT(bed_dscp_priority(bed, 26) == 0);
	EXPECT(bed_trusts_dscp(bed));
	return true;
}

static bool last_delete_ends_trust(struct bed *bed)
{
	EXPECT(add(bed, &dscp_26_3, 1) == 0);
	EXPECT(delete (bed, &dscp_26_3) == 0);
	EXPECT(apps_are(bed, NULL, 0));
	EXPECT(!bed_trusts_dscp(bed));
	return true;
}

static bool whole_map_in_one_message(struct bed *bed)
{
	struct dcb_app app[64];

	for (size_t i = 0; i < ARRAY_SIZE(app); i++)
		app[i] = (struct dcb_app){ IEEE_8021QAZ_APP_SEL_DSCP, (uint8_t)(i % 8),
					   (uint16_t)i };
	EXPECT(add(bed, app, ARRAY_SIZE(app)) == 0);
	EXPECT(apps_are(bed, app, ARRAY_SIZE(app)));
	return true;
}

static bool only_dscp_selectors(struct bed *bed)
{
	const struct dcb_app ethertype = { IEEE_8021QAZ_APP_SEL_ETHERTYPE, 3, 0x8915 };
	const struct dcb_app too_large = { IEEE_8021QAZ_APP_SEL_DSCP, 3, 64 };

	EXPECT(add(bed, &ethertype, 1) == -EINVAL);
	EXPECT(add(bed, &too_large, 1) == -EINVAL);
	EXPECT(delete (bed, &ethertype) == -EINVAL);
	EXPECT(apps_are(bed, NULL, 0));
	return true;
}

static bool message_ends_at_refusal(struct bed *bed)
{
	const struct dcb_app three[] = { dscp_26_3,
					 { IEEE_8021QAZ_APP_SEL_DSCP, 3, 64 },
					 dscp_48_6 };

	EXPECT(add(bed, three, 3) == -EINVAL);
	EXPECT(apps_are(bed, &dscp_26_3, 1));
	return true;
}

static bool failed_command_ends_trust(struct bed *bed)
{
	EXPECT(add(bed, &dscp_26_3, 1) == 0);
	EXPECT(bed_fault(bed, "app", BED_STATUS, EIO) == 0);
	EXPECT(add(bed, &dscp_48_6, 1) == -EIO);
	EXPECT(apps_are(bed, &dscp_26_3, 1));
	EXPECT(!bed_trusts_dscp(bed));
	return true;
}

/* ---- PFC ---- */

static bool pfc_drops_link_and_pause(struct bed *bed)
{
	EXPECT(set_pfc(bed, 0x08, 0) == 0);
	EXPECT(!has_carrier(bed));
	EXPECT(state(bed)->pfc.pfc_en == 0x08);
	EXPECT(pause_is(bed, false, false));
	EXPECT(carrier_returns(bed));
	return true;
}

static bool same_pfc_keeps_link(struct bed *bed)
{
	EXPECT(set_pfc(bed, 0x00, 0) == 0);
	EXPECT(has_carrier(bed));
	EXPECT(pause_is(bed, true, true));
	EXPECT(set_pfc(bed, 0x08, 0) == 0);
	EXPECT(carrier_returns(bed));
	EXPECT(set_pause(bed, false, true, true) == 0);
	EXPECT(set_pfc(bed, 0x08, 0) == 0);
	EXPECT(has_carrier(bed));
	EXPECT(pause_is(bed, true, true));
	return true;
}

static bool delay_is_cable_length(struct bed *bed)
{
	EXPECT(set_pfc(bed, 0x00, 100) == 0);
	EXPECT(state(bed)->pfc.delay == 100);
	EXPECT(set_pfc(bed, 0x00, 0) == 0);
	EXPECT(state(bed)->pfc.delay == 100);
	EXPECT(set_pfc(bed, 0x00, 1000) == 0);
	EXPECT(state(bed)->pfc.delay == 100);
	EXPECT(set_pfc(bed, 0x00, 999) == 0);
	EXPECT(state(bed)->pfc.delay == 999);
	EXPECT(has_carrier(bed));
	return true;
}

static bool pfc_busy_twice(struct bed *bed)
{
	EXPECT(bed_fault(bed, "pfc", BED_BUSY, 2) == 0);
	EXPECT(set_pfc(bed, 0x08, 0) == -EBUSY);
	EXPECT(set_pfc(bed, 0x08, 0) == -EBUSY);
	EXPECT(state(bed)->pfc.pfc_en == 0);
	EXPECT(set_pfc(bed, 0x08, 0) == 0);
	EXPECT(state(bed)->pfc.pfc_en == 0x08);
	return true;
}

static bool pfc_silent(struct bed *bed)
{
	EXPECT(bed_fault(bed, "pfc", BED_SILENT, 0) == 0);
	EXPECT(set_pfc(bed, 0x08, 0) == 0);
	EXPECT(state(bed)->pfc.pfc_en == 0);
	EXPECT(has_carrier(bed));
	EXPECT(pause_is(bed, true, true));
	return true;
}

/* -ENOTSUPP does not fit the byte: 0xf4, which looks like ENOMEM */
static bool status_is_cut_off(struct bed *bed)
{
	EXPECT(bed_fault(bed, "pfc", BED_STATUS, 524) == 0);
	EXPECT(set_pfc(bed, 0x08, 0) == -12);
	EXPECT(state(bed)->pfc.pfc_en == 0);
	return true;
}

/* ---- ETS ---- */

static struct ieee_ets good_ets(void)
{
	struct ieee_ets ets = {
		.tc_tx_bw = { 50, 50 },
		.tc_tsa = { IEEE_8021QAZ_TSA_ETS, IEEE_8021QAZ_TSA_ETS },
		.prio_tc = { 0, 0, 0, 1, 0, 0, 2, 0 },
	};

	return ets;
}

static bool ets_is_stored(struct bed *bed)
{
	const struct ieee_ets want = good_ets();
	const struct ieee_ets *have;

	EXPECT(set_ets(bed, &want) == 0);
	have = &state(bed)->ets;
	EXPECT(!memcmp(have->prio_tc, want.prio_tc, sizeof(want.prio_tc)));
	EXPECT(!memcmp(have->tc_tsa, want.tc_tsa, sizeof(want.tc_tsa)));
	EXPECT(!memcmp(have->tc_tx_bw, want.tc_tx_bw, sizeof(want.tc_tx_bw)));
	EXPECT(have->ets_cap == 8);
	EXPECT(has_carrier(bed));
	return true;
}

static bool ets_sum_must_be_100(struct bed *bed)
{
	struct ieee_ets ets = good_ets();

	ets.tc_tx_bw[1] = 40;
	EXPECT(set_ets(bed, &ets) == -EINVAL);
	EXPECT(state(bed)->ets.prio_tc[0] == 1);
	return true;
}

static bool ets_without_cbs(struct bed *bed)
{
	struct ieee_ets ets = good_ets();

	ets.tc_tsa[3] = IEEE_8021QAZ_TSA_CB_SHAPER;
	EXPECT(set_ets(bed, &ets) == -EOPNOTSUPP);
	EXPECT(state(bed)->ets.prio_tc[0] == 1);
	return true;
}

static bool ets_has_eight_classes(struct bed *bed)
{
	struct ieee_ets ets = good_ets();

	ets.prio_tc[7] = 8;
	EXPECT(set_ets(bed, &ets) == -EINVAL);
	return true;
}

/* ---- DCBX ---- */

static bool dcbx_host(struct bed *bed)
{
	EXPECT(set_dcbx(bed, DCBX_HOST) == 0);
	EXPECT(state(bed)->dcbx == DCBX_HOST);
	return true;
}

static bool dcbx_lld_refused(struct bed *bed)
{
	EXPECT(set_dcbx(bed, DCBX_HOST | DCB_CAP_DCBX_LLD_MANAGED) == 1);
	EXPECT(state(bed)->dcbx == DCBX_START);
	return true;
}

/* The value that was there before cannot be written back */
static bool dcbx_without_host_refused(struct bed *bed)
{
	EXPECT(set_dcbx(bed, DCBX_HOST) == 0);
	EXPECT(set_dcbx(bed, DCBX_START) == 1);
	EXPECT(state(bed)->dcbx == DCBX_HOST);
	return true;
}

static bool dcbx_mode_0_gives_it_back(struct bed *bed)
{
	EXPECT(set_dcbx(bed, DCBX_HOST) == 0);
	EXPECT(set_dcbx(bed, 0) == 0);
	EXPECT(state(bed)->dcbx == DCBX_START);
	return true;
}

static bool dcbx_failure_has_no_name(struct bed *bed)
{
	EXPECT(bed_fault(bed, "dcbx", BED_BUSY, 1) == 0);
	EXPECT(set_dcbx(bed, DCBX_HOST) == 1);
	EXPECT(state(bed)->dcbx == DCBX_START);
	EXPECT(set_dcbx(bed, DCBX_HOST) == 0);
	return true;
}

/* ---- pause ---- */

static bool pause_is_stored(struct bed *bed)
{
	EXPECT(set_pause(bed, false, false, true) == 0);
	EXPECT(pause_is(bed, false, true));
	EXPECT(set_pause(bed, false, false, true) == 0);
	EXPECT(set_pause(bed, false, false, false) == 0);
	EXPECT(pause_is(bed, false, false));
	EXPECT(has_carrier(bed));
	return true;
}

static bool pause_without_autoneg(struct bed *bed)
{
	EXPECT(set_pause(bed, true, true, true) == -EINVAL);
	EXPECT(pause_is(bed, true, true));
	return true;
}

static bool pause_with_pfc(struct bed *bed)
{
	EXPECT(set_pfc(bed, 0x08, 0) == 0);
	EXPECT(set_pause(bed, false, true, true) == 0);
	EXPECT(pause_is(bed, true, true));
	EXPECT(state(bed)->pfc.pfc_en == 0x08);
	return true;
}

static bool pause_faults(struct bed *bed)
{
	EXPECT(bed_fault(bed, "pause", BED_BUSY, 1) == 0);
	EXPECT(set_pause(bed, false, false, false) == -EBUSY);
	EXPECT(set_pause(bed, false, false, false) == 0);
	EXPECT(bed_fault(bed, "pause", BED_STATUS, EIO) == 0);
	EXPECT(set_pause(bed, false, true, true) == -EIO);
	EXPECT(pause_is(bed, false, false));
	return true;
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
	struct os_link link;
	struct os_dcb dcb;

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
	return set_pause(bed, false, false, false);
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
	if (r < 0 || !state(bed)->has_pfc || !pause_is(bed, true, true))
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

static const struct {
	const char *name;
	bool (*holds)(struct bed *bed);
} behaviours[] = {
	{ "firmware owns DCBX after driver load", firmware_owns_dcbx },
	{ "attach resets ETS to the map 1 0 2 3 4 5 6 7", attach_resets_ets },
	{ "PFC is off after driver load", starts_without_pfc },
	{ "global pause is on after driver load", starts_with_pause },
	{ "trust is PCP after driver load", starts_with_pcp_trust },
	{ "the first DSCP entry is trust", first_entry_is_trust },
	{ "adding replaces the entry of that DSCP", add_replaces },
	{ "the same entry again is no error", same_entry_again },
	{ "delete of what is missing is refused with -2", delete_of_missing },
	{ "a deleted DSCP goes to priority 0", deleted_goes_to_priority_0 },
	{ "the last delete ends DSCP trust", last_delete_ends_trust },
	{ "64 entries fit one message", whole_map_in_one_message },
	{ "only DSCP entries below 64 are taken", only_dscp_selectors },
	{ "a message ends at the first refused entry", message_ends_at_refusal },
	{ "a failed APP command ends DSCP trust", failed_command_ends_trust },
	{ "a changed PFC mask drops the link and clears pause", pfc_drops_link_and_pause },
	{ "an unchanged PFC mask keeps link and pause", same_pfc_keeps_link },
	{ "PFC delay is the cable length, 1 to 999", delay_is_cable_length },
	{ "a busy driver refuses PFC twice, then takes it", pfc_busy_twice },
	{ "a silent driver says yes and changes nothing", pfc_silent },
	{ "status -524 arrives as -12", status_is_cut_off },
	{ "ETS is stored", ets_is_stored },
	{ "ETS shares must add up to 100", ets_sum_must_be_100 },
	{ "a credit-based shaper is refused", ets_without_cbs },
	{ "traffic class 8 is refused", ets_has_eight_classes },
	{ "DCBX: HOST is taken", dcbx_host },
	{ "DCBX: LLD_MANAGED is refused", dcbx_lld_refused },
	{ "DCBX: a mode without HOST is refused", dcbx_without_host_refused },
	{ "DCBX: mode 0 gives it back to the firmware", dcbx_mode_0_gives_it_back },
	{ "DCBX: a failure is a plain 1", dcbx_failure_has_no_name },
	{ "pause is stored", pause_is_stored },
	{ "pause autonegotiation is refused", pause_without_autoneg },
	{ "pause beside PFC is taken", pause_with_pfc },
	{ "pause: the driver's errno arrives", pause_faults },
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
};

static bool run(const struct bed *place, size_t row)
{
	struct bed bed = *place;
	bool ok;
	int r;

	r = bed_begin(&bed);
	if (r < 0)
		printf("     cannot begin: %s\n", strerror(-r));
	ok = r == 0 && behaviours[row].holds(&bed);
	bed_end(&bed);
	printf("%s %s\n", ok ? "ok  " : "FAIL", behaviours[row].name);
	fflush(stdout);
	return ok;
}

int main(int argc, char **argv)
{
	struct bed place = {};
	size_t failed = 0;

	if (argc == 4 && !strcmp(argv[1], "--lab"))
		place = (struct bed){ .lab = true, .ifname = argv[2], .rdma = argv[3] };
	else if (argc != 1) {
		fprintf(stderr, "usage: behaviours [--lab IFNAME RDMA]\n");
		return 2;
	}
	for (size_t i = 0; i < ARRAY_SIZE(behaviours); i++)
		failed += !run(&place, i);
	printf("%zu passed, %zu failed\n", ARRAY_SIZE(behaviours) - failed, failed);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
