// SPDX-License-Identifier: GPL-2.0
/* debugfs simnic/<port>/: the tester's hand inside the hardware.  README.md lists the files. */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <linux/seq_file.h>

#include "simnic.h"

static const struct {
	const char *name;
	bool can_clamp;
} objects[SIM_OBJECT_MAX] = {
	[SIM_PFC] = { "pfc", true },
	[SIM_ETS] = { "ets", true },
	[SIM_MAXRATE] = { "maxrate", true },
	[SIM_APP] = { "app", false },
	[SIM_BUFFER] = { "buffer", true },
	[SIM_TRUST] = { "trust", false },
	[SIM_DCBX] = { "dcbx", false },
	[SIM_PAUSE] = { "pause", false },
	[SIM_TUNABLE] = { "tunable", false },
	[SIM_ECN] = { "ecn", true },
	[SIM_QOS] = { "qos", true },
	[SIM_SETTINGS] = { "settings", false },
	[SIM_MTU] = { "mtu", false },
};

/*
 * "reset": back to defaults, APP table emptied, as after a firmware reset.
 * 0 nobody is told, 1 with a DCB notification, 2 with a link notification.
 */
static int sim_reset_set(void *data, u64 how)
{
	struct sim_port *p = data;

	rtnl_lock();
	sim_app_flush(p);
	sim_defaults(p);
	if (how == 1 && p->dev->dcbnl_ops)
		dcbnl_ieee_notify(p->dev, RTM_SETDCB, DCB_CMD_IEEE_SET, 0, 0);
	if (how == 2)
		netdev_state_change(p->dev);
	rtnl_unlock();
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(sim_reset_fops, NULL, sim_reset_set, "%llu\n");

/* "fw_overwrite": firmware DCBX puts this PFC mask in force; not while the host is owner */
static int sim_overwrite_set(void *data, u64 mask)
{
	struct sim_port *p = data;
	int r = 0;

	if (mask > 0xff)
		return -EINVAL;
	rtnl_lock();
	if (p->hw.dcbx & DCB_CAP_DCBX_HOST)
		r = -EPERM;
	else
		sim_fw_overwrite(p, mask);
	rtnl_unlock();
	return r;
}
DEFINE_DEBUGFS_ATTRIBUTE(sim_overwrite_fops, NULL, sim_overwrite_set, "%llu\n");

/* "pause_storm": a thousand pause frames arrive on this priority; "tx_pause_storm": we send them */
static int sim_storm_set(void *data, u64 prio)
{
	atomic64_add(1000, &((struct sim_port *)data)->stats[prio & 7].rx_pause);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(sim_storm_fops, NULL, sim_storm_set, "%llu\n");

static int sim_tx_storm_set(void *data, u64 prio)
{
	atomic64_add(1000, &((struct sim_port *)data)->stats[prio & 7].tx_pause);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(sim_tx_storm_fops, NULL, sim_tx_storm_set, "%llu\n");

/* "link_flap": the cable is pulled and put back after so many ms */
static int sim_flap_set(void *data, u64 ms)
{
	struct sim_port *p = data;
	u32 old = p->link_delay_ms;

	rtnl_lock();
	p->link_delay_ms = ms;
	p->peer->link_delay_ms = ms;
	sim_link_bounce(p);
	p->link_delay_ms = old;
	p->peer->link_delay_ms = old;
	rtnl_unlock();
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(sim_flap_fops, NULL, sim_flap_set, "%llu\n");

/* "dcbx": write the DCBX capability byte as firmware would (for example LLD_MANAGED) */
static int sim_dcbx_get(void *data, u64 *value)
{
	*value = ((struct sim_port *)data)->hw.dcbx;
	return 0;
}

static int sim_dcbx_set(void *data, u64 value)
{
	((struct sim_port *)data)->hw.dcbx = value;
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(sim_dcbx_fops, sim_dcbx_get, sim_dcbx_set, "0x%02llx\n");

/* "hw": what the registers really hold, whatever netlink says */
static int sim_hw_show(struct seq_file *m, void *unused)
{
	const struct sim_port *p = m->private;
	const struct sim_hw *hw = &p->hw;
	int i;

	seq_printf(m, "personality %s\n", p->kind->name);
	seq_printf(m, "trust %s\n", hw->trust == SIM_TRUST_DSCP ? "dscp" : "pcp");
	seq_printf(m, "pfc_en 0x%02x\n", hw->pfc_en);
	seq_printf(m, "pause rx %d tx %d\n", hw->rx_pause, hw->tx_pause);
	for (i = 0; i < SIM_DSCPS; i++)
		if (hw->dscp2prio[i] != i >> 3)
			seq_printf(m, "dscp %d prio %d\n", i, hw->dscp2prio[i]);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(sim_hw);

void sim_debug_add(struct sim_port *p, struct dentry *parent)
{
	struct dentry *d = debugfs_create_dir(netdev_name(p->dev), parent);
	int i;

	p->dir = d;
	for (i = 0; i < SIM_OBJECT_MAX; i++) {
		p->fault[i].name = objects[i].name;
		p->fault[i].can_clamp = objects[i].can_clamp;
		sim_fault_debugfs(&p->fault[i], d);
	}
	debugfs_create_u32("delay_ms", 0644, d, &p->delay_ms);
	debugfs_create_u32("link_delay_ms", 0644, d, &p->link_delay_ms);
	debugfs_create_u32("link_flaps", 0644, d, &p->link_flaps);
	debugfs_create_bool("link_bounces", 0644, d, &p->link_bounces);
	debugfs_create_bool("pfc_clears_pause", 0644, d, &p->pfc_clears_pause);
	debugfs_create_bool("hidden_fw_app", 0644, d, &p->hidden_fw_app);
	debugfs_create_bool("no_trust", 0644, d, &p->no_trust);
	debugfs_create_bool("ecn_reenable_eperm", 0644, d, &p->ecn_reenable_eperm);
	debugfs_create_bool("ecn_read_empty", 0644, d, &p->ecn_read_empty);
	debugfs_create_u32("app_status", 0644, d, &p->app_status);
	debugfs_create_u32("max_tc", 0644, d, &p->max_tc);
	debugfs_create_u32("max_lltc", 0644, d, &p->max_lltc);
	debugfs_create_u32("wire_tclass", 0644, d, &p->wire_tclass);
	debugfs_create_file("reset", 0200, d, p, &sim_reset_fops);
	debugfs_create_file("fw_overwrite", 0200, d, p, &sim_overwrite_fops);
	debugfs_create_file("pause_storm", 0200, d, p, &sim_storm_fops);
	debugfs_create_file("tx_pause_storm", 0200, d, p, &sim_tx_storm_fops);
	debugfs_create_file("link_flap", 0200, d, p, &sim_flap_fops);
	debugfs_create_file("dcbx", 0644, d, p, &sim_dcbx_fops);
	debugfs_create_file("hw", 0444, d, p, &sim_hw_fops);
}
