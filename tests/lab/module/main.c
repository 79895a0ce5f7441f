// SPDX-License-Identifier: GPL-2.0
/*
 * simnic: module parameters, the netdevs and the wire between them.
 *
 * Ports 2n and 2n+1 form a pair.  A frame is counted under the priority that the sender's and the
 * receiver's own trust setting give it, so per-priority counters are a real proof of a DSCP map.
 */
#include <linux/debugfs.h>
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <linux/udp.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>

#include "simnic.h"

#define ROCE_V2_PORT 4791

static unsigned int pairs = 1;
module_param(pairs, uint, 0444);
MODULE_PARM_DESC(pairs, "number of back-to-back pairs (1..8)");

static char *personality[SIM_PORTS / 2] = { "mlx5" };
static unsigned int personalities = 1;
module_param_array(personality, charp, &personalities, 0444);
MODULE_PARM_DESC(personality, "per pair: mlx5, bnxt, ice or plain; the last one repeats");

static char *names[SIM_PORTS];
static unsigned int n_names;
module_param_array(names, charp, &n_names, 0444);
MODULE_PARM_DESC(names, "netdev names, port by port (default sim0, sim1, ...)");

static unsigned int vf;
module_param(vf, uint, 0444);
MODULE_PARM_DESC(vf, "bit n: port n is like a VF, without DCB and vendor sysfs");

static unsigned int noops;
module_param(noops, uint, 0444);
MODULE_PARM_DESC(noops, "leave out setters: 1 pfc, 2 ets, 4 app, 8 buffer, 16 maxrate, 32 dcbx");

static int ofed = -1;
module_param(ofed, int, 0444);
MODULE_PARM_DESC(ofed, "vendor sysfs: 0 none, 1 OFED 24.07, 2 + old qos/trust; -1 by personality");

static struct sim_port *ports[SIM_PORTS];
static unsigned int n_ports;
static struct dentry *debug_root;

/* ---- the wire ---- */

static int sim_priority(const struct sim_port *p, const struct sk_buff *skb)
{
	const struct ethhdr *eth = (const struct ethhdr *)skb->data;
	const u8 *l3 = (const u8 *)(eth + 1);
	__be16 proto = eth->h_proto;
	int pcp = 0;

	if (skb_vlan_tag_present(skb))
		pcp = skb_vlan_tag_get_prio(skb);
	if (proto == htons(ETH_P_8021Q) && skb_headlen(skb) >= ETH_HLEN + VLAN_HLEN) {
		const struct vlan_hdr *tag = (const struct vlan_hdr *)l3;

		pcp = ntohs(tag->h_vlan_TCI) >> VLAN_PRIO_SHIFT;
		proto = tag->h_vlan_encapsulated_proto;
		l3 += VLAN_HLEN;
	}
	if (p->hw.trust != SIM_TRUST_DSCP || skb_headlen(skb) < l3 - skb->data + 4)
		return pcp;
	if (proto == htons(ETH_P_IP))
		return p->hw.dscp2prio[l3[1] >> 2] & 7;
	if (proto == htons(ETH_P_IPV6))
		return p->hw.dscp2prio[ipv6_get_dsfield((const struct ipv6hdr *)l3) >> 2] & 7;
	return pcp;
}

/*
 * ConnectX takes only the DSCP of a traffic class, the ECN bits stay as they were
 * (mlx5_ib qp.c: dscp = traffic_class >> 2).
 */
static void sim_force_tclass(const struct sim_port *p, struct sk_buff *skb)
{
	struct ethhdr *eth = (struct ethhdr *)skb->data;
	struct iphdr *ip = (struct iphdr *)(eth + 1);
	struct ipv6hdr *ip6 = (struct ipv6hdr *)(eth + 1);
	u8 dsfield = p->wire_tclass & ~INET_ECN_MASK;

	if (eth->h_proto == htons(ETH_P_IP)) {
		if (skb_headlen(skb) < ETH_HLEN + sizeof(*ip) + sizeof(struct udphdr) ||
		    ip->protocol != IPPROTO_UDP || ip->ihl != 5 ||
		    ((struct udphdr *)(ip + 1))->dest != htons(ROCE_V2_PORT))
			return;
		ipv4_change_dsfield(ip, INET_ECN_MASK, dsfield);
	} else if (eth->h_proto == htons(ETH_P_IPV6)) {
		if (skb_headlen(skb) < ETH_HLEN + sizeof(*ip6) + sizeof(struct udphdr) ||
		    ip6->nexthdr != IPPROTO_UDP ||
		    ((struct udphdr *)(ip6 + 1))->dest != htons(ROCE_V2_PORT))
			return;
		ipv6_change_dsfield(ip6, INET_ECN_MASK, dsfield);
	}
}

static netdev_tx_t sim_xmit(struct sk_buff *skb, struct net_device *dev)
{
	const int header = ETH_HLEN + VLAN_HLEN + sizeof(struct ipv6hdr) + sizeof(struct udphdr);
	struct sim_port *p = sim_port(dev);
	struct sim_port *peer = p->peer;
	unsigned int len = skb->len;
	int prio;

	if (!netif_carrier_ok(dev) || skb_ensure_writable(skb, min_t(int, len, header))) {
		dev->stats.tx_dropped++;
		kfree_skb(skb);
		return NETDEV_TX_OK;
	}
	if (p->wire_tclass < SIM_TC_OFF)
		sim_force_tclass(p, skb);
	prio = sim_priority(p, skb);
	atomic64_inc(&p->stats[prio].tx_packets);
	atomic64_add(len, &p->stats[prio].tx_bytes);
	prio = sim_priority(peer, skb);
	atomic64_inc(&peer->stats[prio].rx_packets);
	atomic64_add(len, &peer->stats[prio].rx_bytes);
	skb_tx_timestamp(skb);
	if (dev_forward_skb(peer->dev, skb) == NET_RX_SUCCESS) {
		dev_sw_netstats_tx_add(dev, 1, len);
		dev_sw_netstats_rx_add(peer->dev, len);
	}
	return NETDEV_TX_OK;
}

/* ---- link ---- */

static void sim_link_work(struct work_struct *work)
{
	struct sim_port *p = container_of(to_delayed_work(work), struct sim_port, link_work);

	if (netif_running(p->dev))
		netif_carrier_on(p->dev);
}

static void sim_link_down(struct sim_port *p)
{
	if (!netif_running(p->dev))
		return;
	p->link_flaps++;
	netif_carrier_off(p->dev);
	mod_delayed_work(system_wq, &p->link_work, msecs_to_jiffies(p->link_delay_ms));
}

/* A port that drops its link takes the other end of the cable with it. */
void sim_link_bounce(struct sim_port *p)
{
	if (!p->link_bounces)
		return;
	sim_link_down(p);
	sim_link_down(p->peer);
}

/* ice_dcbnl_devreset(): the netdev itself goes down and up; needs RTNL, as all dcbnl callbacks */
void sim_netdev_reset(struct sim_port *p)
{
	if (!p->link_bounces || !netif_running(p->dev))
		return;
	p->link_flaps++;
	p->link_hold = true;
	dev_close(p->dev);
	netdev_state_change(p->dev);
	dev_open(p->dev, NULL);
	netdev_state_change(p->dev);
	sim_link_down(p->peer);
}

static int sim_open(struct net_device *dev)
{
	struct sim_port *p = sim_port(dev);

	netif_tx_start_all_queues(dev);
	if (p->link_hold)
		mod_delayed_work(system_wq, &p->link_work, msecs_to_jiffies(p->link_delay_ms));
	else
		netif_carrier_on(dev);
	p->link_hold = false;
	return 0;
}

static int sim_stop(struct net_device *dev)
{
	struct sim_port *p = sim_port(dev);

	cancel_delayed_work_sync(&p->link_work);
	netif_tx_stop_all_queues(dev);
	netif_carrier_off(dev);
	return 0;
}

static int sim_change_mtu(struct net_device *dev, int mtu)
{
	struct sim_port *p = sim_port(dev);
	int r;

	r = sim_begin(p, SIM_MTU);
	if (r <= 0)
		return r;
	sim_changed(p, SIM_MTU);
	WRITE_ONCE(dev->mtu, mtu);
	return 0;
}

static const struct net_device_ops sim_netdev_ops = {
	.ndo_open = sim_open,
	.ndo_stop = sim_stop,
	.ndo_start_xmit = sim_xmit,
	.ndo_change_mtu = sim_change_mtu,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
	.ndo_get_stats64 = dev_get_tstats64,
};

bool sim_owns(const struct net_device *dev)
{
	return dev->netdev_ops == &sim_netdev_ops;
}

int simnic_set_tclass(struct net_device *dev, u32 tclass)
{
	if (!sim_owns(dev))
		return -ENODEV;
	sim_port(dev)->wire_tclass = tclass;
	return 0;
}
EXPORT_SYMBOL_GPL(simnic_set_tclass);

/* ---- ports ---- */

void sim_defaults(struct sim_port *p)
{
	struct sim_hw *hw = &p->hw;
	int i;

	memset(hw, 0, sizeof(*hw));
	hw->pfc_delay = 7;
	hw->ets.ets_cap = SIM_PRIOS;
	for (i = 0; i < SIM_PRIOS; i++) {
		hw->ets.prio_tc[i] = i;
		hw->ets.tc_tsa[i] = IEEE_8021QAZ_TSA_STRICT;
	}
	for (i = 0; i < SIM_DSCPS; i++)
		hw->dscp2prio[i] = i >> 3;
	hw->buffer.buffer_size[0] = 262016;
	hw->buffer.total_size = 524160;
	hw->trust = SIM_TRUST_PCP;
	hw->dcbx = p->kind->dcbx;
	hw->rx_pause = true;
	hw->tx_pause = true;
	hw->stall_ms = 8000;
	sim_ofed_defaults(hw);

	p->dscp_apps = 0;
	p->ets_known = false;
	p->pfc_known = false;
	p->lossless_tcs = 0;
	bitmap_zero(p->dscp_mapped, SIM_DSCPS);
	p->trust_order[0] = DCB_APP_SEL_PCP;
	p->trust_count = 1;
	if (p->kind->reset)
		p->kind->reset(p);
}

static void sim_switches(struct sim_port *p)
{
	p->link_delay_ms = 100;
	p->link_bounces = p->kind != &sim_plain;
	p->pfc_clears_pause = p->kind->pfc_clears_pause;
	p->hidden_fw_app = p->kind->hidden_fw_app;
	p->app_status = p->kind->app_status;
	p->ecn_reenable_eperm = true;
	p->max_tc = SIM_PRIOS;
	p->max_lltc = 2;
	p->wire_tclass = SIM_TC_OFF;
	p->lldp_agent = p->kind == &sim_ice;
}

static void sim_dcb_setup(struct sim_port *p)
{
	p->dcb = *p->kind->dcb;
	if (noops & 1)
		p->dcb.ieee_setpfc = NULL;
	if (noops & 2)
		p->dcb.ieee_setets = NULL;
	if (noops & 4) {
		p->dcb.ieee_setapp = NULL;
		p->dcb.ieee_delapp = NULL;
	}
	if (noops & 8)
		p->dcb.dcbnl_setbuffer = NULL;
	if (noops & 16)
		p->dcb.ieee_setmaxrate = NULL;
	if (noops & 32)
		p->dcb.setdcbx = NULL;
	p->dev->dcbnl_ops = p->is_vf ? NULL : &p->dcb;
}

static void sim_netdev_setup(struct net_device *dev)
{
	ether_setup(dev);
	dev->netdev_ops = &sim_netdev_ops;
	dev->ethtool_ops = &sim_ethtool_ops;
	dev->min_mtu = ETH_MIN_MTU;
	dev->max_mtu = 9978;
	dev->priv_flags &= ~IFF_TX_SKB_SHARING;
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	dev->lltx = true;
#else
	dev->features |= NETIF_F_LLTX;
#endif
	eth_hw_addr_random(dev);
}

static void sim_port_free(struct sim_port *p)
{
	if (!p)
		return;
	debugfs_remove_recursive(p->dir);
	sim_ofed_del(p);
	if (p->dev) {
		if (p->dev->reg_state == NETREG_REGISTERED)
			unregister_netdev(p->dev);
		free_percpu(p->dev->tstats);
		free_netdev(p->dev);
	}
	sim_pci_del(p);
	kfree(p);
}

static int sim_port_new(unsigned int index, const struct sim_personality *kind)
{
	const char *name = index < n_names ? names[index] : "sim%d";
	struct sim_port *p;
	int r;

	p = kzalloc(sizeof(*p), GFP_KERNEL);
	if (!p)
		return -ENOMEM;
	ports[index] = p;
	p->index = index;
	p->kind = kind;
	p->is_vf = vf & BIT(index);
	INIT_DELAYED_WORK(&p->link_work, sim_link_work);
	sim_switches(p);
	r = sim_pci_add(p);
	if (r < 0)
		return r;
	p->dev = alloc_netdev_mqs(sizeof(p), name, NET_NAME_ENUM, sim_netdev_setup, SIM_PRIOS, 1);
	if (!p->dev)
		return -ENOMEM;
	*(struct sim_port **)netdev_priv(p->dev) = p;
	SET_NETDEV_DEV(p->dev, &p->pdev->dev);
	p->dev->dev_port = index & 1;
	p->dev->tstats = netdev_alloc_pcpu_stats(struct pcpu_sw_netstats);
	if (!p->dev->tstats)
		return -ENOMEM;
	sim_defaults(p);
	sim_dcb_setup(p);
	return 0;
}

static int sim_port_register(struct sim_port *p)
{
	bool vendor = ofed < 0 ? p->kind->ofed : ofed > 0;
	int r;

	netif_carrier_off(p->dev);
	r = register_netdev(p->dev);
	if (r < 0)
		return r;
	sim_debug_add(p, debug_root);
	if (vendor && !p->is_vf)
		return sim_ofed_add(p, ofed == 2);
	return 0;
}

static const struct sim_personality *sim_kind(unsigned int pair)
{
	const char *name = personality[min(pair, personalities - 1)];
	unsigned int i;

	for (i = 0; i < SIM_KINDS; i++)
		if (!strcmp(sim_kinds[i]->name, name))
			return sim_kinds[i];
	return NULL;
}

static void sim_cleanup(void)
{
	unsigned int i;

	for (i = 0; i < n_ports; i++)
		sim_port_free(ports[i]);
	sim_pci_exit();
	debugfs_remove_recursive(debug_root);
}

static int sim_build(void)
{
	unsigned int i;
	int r;

	for (i = 0; i < pairs * 2; i++) {
		const struct sim_personality *kind = sim_kind(i / 2);

		if (!kind)
			return -EINVAL;
		n_ports = i + 1;
		r = sim_port_new(i, kind);
		if (r < 0)
			return r;
	}
	for (i = 0; i < n_ports; i++)
		ports[i]->peer = ports[i ^ 1];
	for (i = 0; i < n_ports; i++) {
		r = sim_port_register(ports[i]);
		if (r < 0)
			return r;
	}
	return 0;
}

static int __init sim_init(void)
{
	int r;

	if (!pairs || pairs > SIM_PORTS / 2 || !personalities)
		return -EINVAL;
	debug_root = debugfs_create_dir("simnic", NULL);
	r = sim_build();
	if (r < 0)
		sim_cleanup();
	return r;
}

static void __exit sim_exit(void)
{
	sim_cleanup();
}

module_init(sim_init);
module_exit(sim_exit);
MODULE_DESCRIPTION("back-to-back netdevs that answer like a lossless NIC");
MODULE_LICENSE("GPL");
