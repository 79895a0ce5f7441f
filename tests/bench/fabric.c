// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A cluster in groups of 80 nodes: rail r of each node of a group is cabled to leaf r of the group,
 * which has eight uplinks to spines that are not in the file. A group is either said in host lists,
 * or node by node with an MTU and a cable length for each rail, and port by port.
 */
#include "tests/bench/fabric.h"

static const char head[] = "version: 1\n"
			   "fabric: pod-a\n"
			   "roce:\n"
			   "  traffic_class: 106\n"
			   "  cnp: {dscp: 48, priority: 6}\n"
			   "qos:\n"
			   "  dscp_to_priority: {26: 3, 48: 6}\n"
			   "  pfc: [3]\n"
			   "  scheduler: {0: 50%, 3: 50%, 6: strict}\n"
			   "mtu: 4200\n"
			   "nics:\n"
			   "  - driver: [mlx5_core, bnxt_en, ice]\n"
			   "policy: {disruptive: apply}\n"
			   "nodes:\n";

void fabric_netdev(unsigned int rail, char *name, size_t size)
{
	(void)snprintf(name, size, "ens%uf0np0", rail + 1);
}

static int one_by_one(enum fabric_shape shape, unsigned int group)
{
	return shape == FABRIC_SINGLES || (shape == FABRIC_MIXED && group % 2);
}

static void write_node(FILE *out, unsigned int node)
{
	char name[16];

	(void)fprintf(out, "  gpu-%05u:\n    mtu: %u\n    nics:\n", node, node % 2 ? 4200 : 9000);
	for (unsigned int rail = 0; rail < FABRIC_RAILS; rail++) {
		fabric_netdev(rail, name, sizeof(name));
		(void)fprintf(out, "      - {name: %s, qos: {cable_length: %um}}\n", name,
			      2 + (node + rail) % 30);
	}
}

static void write_nodes(FILE *out, enum fabric_shape shape, unsigned int group)
{
	unsigned int first = group * FABRIC_GROUP + 1;

	if (!one_by_one(shape, group)) {
		(void)fprintf(out, "  \"gpu-[%05u-%05u]\": {qos: {cable_length: %um}}\n", first,
			      first + FABRIC_GROUP - 1, 2 + group % 30);
		return;
	}
	for (unsigned int i = 0; i < FABRIC_GROUP; i++)
		write_node(out, first + i);
}

static void write_ports(FILE *out, unsigned int first, const char *name)
{
	for (unsigned int i = 0; i < FABRIC_GROUP; i++)
		(void)fprintf(out, "      400GE1/0/%u: gpu-%05u/%s\n", i + 1, first + i, name);
}

static void write_leaf(FILE *out, enum fabric_shape shape, unsigned int group, unsigned int rail)
{
	unsigned int leaf = group * FABRIC_RAILS + rail + 1, first = group * FABRIC_GROUP + 1;
	char name[16];

	fabric_netdev(rail, name, sizeof(name));
	(void)fprintf(out,
		      "  leaf-%04u:\n"
		      "    dialect: huawei-cloudengine\n"
		      "    vars: {model: CE9860, layer3: no}\n"
		      "    address: 10.%u.%u.%u\n"
		      "    username: lossless\n"
		      "    key: leaf-admin\n"
		      "    ports:\n",
		      leaf, leaf >> 16, leaf >> 8 & 255, leaf & 255);
	if (one_by_one(shape, group))
		write_ports(out, first, name);
	else
		(void)fprintf(out, "      \"400GE1/0/[1-%u]\": \"gpu-[%05u-%05u]/%s\"\n",
			      FABRIC_GROUP, first, first + FABRIC_GROUP - 1, name);
	(void)fprintf(out, "      \"400GE1/0/[81-88]\": \"spine-[1-8]/800GE1/0/%u\"\n", leaf);
}

void fabric_write(FILE *out, enum fabric_shape shape, unsigned int nodes)
{
	unsigned int groups = nodes / FABRIC_GROUP;

	(void)fputs(head, out);
	for (unsigned int group = 0; group < groups; group++)
		write_nodes(out, shape, group);
	(void)fputs("switches:\n", out);
	for (unsigned int group = 0; group < groups; group++)
		for (unsigned int rail = 0; rail < FABRIC_RAILS; rail++)
			write_leaf(out, shape, group, rail);
}
