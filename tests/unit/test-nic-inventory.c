// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What nic_inventory() makes of a node: none, one, many ports, VFs, InfiniBand, names that mislead,
 * wrong namespaces.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "tests/support/nic-node.h"

#define IB  "/sys/class/infiniband/"
#define NET "/sys/class/net/"

static void test_no_port(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 0);

	assert_int_equal(node->inventory.n, 0);
}

static void test_netdev_without_rdma(void **state)
{
	static const struct fake_port port = { .name = "eno1",
					       .pci = "0000:02:00.0",
					       .driver = "mlx5_core" };
	_cleanup_node_ struct nic_node *node = nic_node_new(&port, 1);

	assert_int_equal(node->inventory.n, 0);
}

static void test_one_port(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);
	const struct nic *nic = node->inventory.list;

	assert_int_equal(node->inventory.n, 1);
	assert_true(nic->ifindex > 0);
	assert_int_equal(nic->rdma_port, 1);
	assert_int_equal(nic->link_layer, LINK_LAYER_ETHERNET);
	assert_false(nic->vf);
	assert_true(nic->carrier);
	assert_true(nic->mtu >= 1500);
	assert_string_equal(nic->name, "ens1f0np0");
	assert_string_equal(nic->rdma, "mlx5_0");
	assert_string_equal(nic->driver, "mlx5_core");
	assert_string_equal(nic->pci, "0000:17:00.0");
	assert_string_equal(nic->pf, "");
	assert_string_equal(nic->master, "");
}

/* The order is that of the PCI addresses, whatever the order of names and of registration. */
static void test_eight_ports(void **state)
{
	static const unsigned int bus[] = { 0xc8, 0x17, 0x9f, 0x2a, 0x5e, 0xdb, 0x41, 0x80 };
	static const char *const sorted[] = { "rail1", "rail3", "rail6", "rail4",
					      "rail7", "rail2", "rail0", "rail5" };
	char names[8][16], rdma[8][16], pci[8][16];
	struct fake_port ports[8];
	struct nic_node *node;

	for (size_t i = 0; i < 8; i++) {
		(void)snprintf(names[i], sizeof(names[i]), "rail%zu", i);
		(void)snprintf(rdma[i], sizeof(rdma[i]), "mlx5_%zu", i);
		(void)snprintf(pci[i], sizeof(pci[i]), "0000:%02x:00.0", bus[i]);
		ports[i] = (struct fake_port){ names[i], rdma[i], pci[i], "mlx5_core" };
	}
	node = nic_node_new(ports, 8);
	assert_int_equal(node->inventory.n, 8);
	for (size_t i = 0; i < 8; i++) {
		assert_string_equal(node->inventory.list[i].name, sorted[i]);
		assert_string_equal(node->inventory.list[i].rdma + strlen("mlx5_"),
				    sorted[i] + strlen("rail"));
	}
	nic_node_free(node);
}

static void test_vf(void **state)
{
	static const struct fake_port ports[] = {
		{ "ens1f0np0", "mlx5_0", "0000:3b:00.0", "mlx5_core" },
		{ "ens1f0v0", "mlx5_2", "0000:3b:00.2", "mlx5_core", .physfn = "0000:3b:00.0" },
		{ "ens9v1", "mlx5_7", "0000:5e:00.3", "mlx5_core", .physfn = "0000:5e:00.0" },
	};
	_cleanup_node_ struct nic_node *node = nic_node_new(ports, ARRAY_SIZE(ports));
	const struct nic *nic = node->inventory.list;

	assert_int_equal(node->inventory.n, 3);
	assert_false(nic[0].vf);
	assert_true(nic[1].vf);
	assert_string_equal(nic[1].name, "ens1f0v0");
	assert_string_equal(nic[1].pf, "ens1f0np0");
	assert_true(nic[2].vf);
	assert_string_equal(nic[2].pf, "0000:5e:00.0");
}

static void test_infiniband(void **state)
{
	static const struct fake_port ports[] = {
		{ "ens1f0np0", "mlx5_0", "0000:17:00.0", "mlx5_core" },
		{ NULL, "mlx5_4", "0000:18:00.0", "mlx5_core", .infiniband = true },
	};
	_cleanup_node_ struct nic_node *node = nic_node_new(ports, ARRAY_SIZE(ports));
	const struct nic *nic = &node->inventory.list[1];

	assert_int_equal(node->inventory.n, 2);
	assert_int_equal(nic->link_layer, LINK_LAYER_INFINIBAND);
	assert_int_equal(nic->ifindex, 0);
	assert_string_equal(nic->name, "");
	assert_string_equal(nic->rdma, "mlx5_4");
	assert_string_equal(nic->pci, "0000:18:00.0");
	assert_string_equal(nic->driver, "mlx5_core");
}

/* A RoCE port whose network device lives in another namespace. */
static void test_ethernet_without_netdev(void **state)
{
	static const struct fake_port port = { NULL, "mlx5_4", "0000:18:00.0", "mlx5_core",
					       .infiniband = true };
	_cleanup_node_ struct nic_node *node = nic_node_new(&port, 1);

	assert_int_equal(os_fake_poke_file(node->os, IB "mlx5_4/ports/1/link_layer", "Ethernet\n"),
			 0);
	inventory_done(&node->inventory);
	assert_int_equal(nic_inventory(node->os, &node->inventory), 0);
	assert_int_equal(node->inventory.n, 1);
	assert_int_equal(node->inventory.list[0].link_layer, LINK_LAYER_ETHERNET);
	assert_int_equal(node->inventory.list[0].ifindex, 0);
	assert_string_equal(node->inventory.list[0].name, "");
}

static const struct {
	const char *name;
	struct fake_fault fault[2];
	struct {
		const char *path;
		const char *text;
	} poke[3];
	const char *netdev[2]; /* what mlx5_0 and mlx5_1 get */
} maps[] = {
	{ "holes before the first GID",
	  { { FAKE_READ, "ports/1/gid_attrs/ndevs/0", FAKE_ERRNO, EINVAL },
	    { FAKE_READ, "ports/1/gid_attrs/ndevs/1", FAKE_ERRNO, EINVAL } },
	  {},
	  { "ens1f0np0", "ens1f1np1" } },
	{ "the first GID that there is",
	  { { FAKE_READ, "mlx5_0/ports/1/gid_attrs/ndevs/0", FAKE_ERRNO, EINVAL } },
	  { { IB "mlx5_0/ports/1/gid_attrs/ndevs/1", "ens1f1np1\n" } },
	  { "ens1f1np1", "ens1f1np1" } },
	{ "no GID: the PCI device",
	  { { FAKE_READ, "gid_attrs/ndevs", FAKE_ERRNO, EINVAL } },
	  {},
	  { "ens1f0np0", "ens1f1np1" } },
	{ "GIDs of a network device that is not here: the PCI device",
	  {},
	  { { IB "mlx5_0/ports/1/gid_attrs/ndevs/0", "eth0\n" },
	    { IB "mlx5_0/ports/1/gid_attrs/ndevs/1", "eth0\n" },
	    { IB "mlx5_0/ports/1/gid_attrs/ndevs/2", "eth0\n" } },
	  { "ens1f0np0", "ens1f1np1" } },
	{ "GIDs are believed more than the PCI device",
	  {},
	  { { IB "mlx5_0/ports/1/gid_attrs/ndevs/0", "ens1f1np1\n" } },
	  { "ens1f1np1", "ens1f1np1" } },
};

static void test_map(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(maps); i++) {
		_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);

		for (size_t j = 0; j < ARRAY_SIZE(maps[i].fault); j++)
			if (maps[i].fault[j].match)
				(void)os_fake_fault(node->os, &maps[i].fault[j]);
		for (size_t j = 0; j < ARRAY_SIZE(maps[i].poke) && maps[i].poke[j].path; j++)
			case_equal(maps[i].name,
				   os_fake_poke_file(node->os, maps[i].poke[j].path,
						     maps[i].poke[j].text),
				   0);
		inventory_done(&node->inventory);
		case_equal(maps[i].name, nic_inventory(node->os, &node->inventory), 0);
		case_equal(maps[i].name, node->inventory.n, 2);
		for (size_t j = 0; j < node->inventory.n; j++) {
			const struct nic *nic = &node->inventory.list[j];

			case_string(maps[i].name, nic->name,
				    maps[i].netdev[strcmp(nic->rdma, "mlx5_0") != 0]);
		}
	}
}

/* Soft-RoCE has no PCI device of its own; its netdev's is the port's. */
static void test_soft_roce(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);

	assert_int_equal(os_fake_poke_file(node->os, IB "rxe0/ports/1/link_layer", "Ethernet\n"),
			 0);
	assert_int_equal(os_fake_poke_file(node->os, IB "rxe0/parent", "ens1f0np0\n"), 0);
	inventory_done(&node->inventory);
	assert_int_equal(nic_inventory(node->os, &node->inventory), 0);
	assert_int_equal(node->inventory.n, 2);
	assert_string_equal(node->inventory.list[1].rdma, "rxe0");
	assert_string_equal(node->inventory.list[1].name, "ens1f0np0");
	assert_string_equal(node->inventory.list[1].pci, "0000:17:00.0");
}

/* What is no number from 1 to 255 is no port. */
static void test_port_names(void **state)
{
	static const char *const names[] = {
		"0", "01", "1x", "-1", "256", "4294967297", "18446744073709551617"
	};
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char path[OS_PATH_MAX];

		(void)snprintf(path, sizeof(path), IB "mlx5_0/ports/%s/link_layer", names[i]);
		case_equal(names[i], os_fake_poke_file(node->os, path, "Ethernet\n"), 0);
	}
	inventory_done(&node->inventory);
	assert_int_equal(nic_inventory(node->os, &node->inventory), 0);
	assert_int_equal(node->inventory.n, 1);
}

static const struct {
	const char *name;
	const char *path;
	const char *text;
} namespaces[] = {
	{ "sysfs has a device more", NET "eth7/ifindex", "77\n" },
	{ "the same name with another index", NET "ens1f0np0/ifindex", "99\n" },
	{ "an index that is none", NET "ens1f0np0/ifindex", "four\n" },
	{ "sysfs has a device less", NET "ens1f0np0", NULL },
};

/* V05: sysfs of one namespace, netlink of another. */
static void test_namespaces(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(namespaces); i++) {
		_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);
		struct inventory inventory = {};
		int r;

		r = namespaces[i].text ?
			    os_fake_poke_file(node->os, namespaces[i].path, namespaces[i].text) :
			    os_fake_remove(node->os, namespaces[i].path);
		case_equal(namespaces[i].name, r, 0);
		case_equal(namespaces[i].name, nic_inventory(node->os, &inventory), -EXDEV);
		case_true(namespaces[i].name, !inventory.list);
	}
}

/* The list of bonds is a file among the devices, not a device. */
static void test_bonding_masters(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);
	struct inventory inventory = {};

	assert_int_equal(os_fake_poke_file(node->os, NET "bonding_masters", "bond0\n"), 0);
	assert_int_equal(nic_inventory(node->os, &inventory), 0);
	inventory_done(&inventory);
}

static void test_errors(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);
	struct inventory inventory = {};
	static const struct fake_fault dump = { FAKE_LINK_DUMP, NULL, FAKE_ERRNO, EPERM };
	static const struct fake_fault ifindex = { FAKE_OPEN, "/ifindex", FAKE_ERRNO, EACCES };
	static const struct fake_fault layer = { FAKE_READ, "link_layer", FAKE_ERRNO, EIO };

	(void)os_fake_fault(node->os, &dump);
	assert_int_equal(nic_inventory(node->os, &inventory), -EPERM);
	os_fake_fault_clear(node->os);
	(void)os_fake_fault(node->os, &ifindex);
	assert_int_equal(nic_inventory(node->os, &inventory), -EACCES);
	os_fake_fault_clear(node->os);
	(void)os_fake_fault(node->os, &layer);
	assert_int_equal(nic_inventory(node->os, &inventory), -EIO);
	assert_null(inventory.list);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_port),
		cmocka_unit_test(test_netdev_without_rdma),
		cmocka_unit_test(test_one_port),
		cmocka_unit_test(test_eight_ports),
		cmocka_unit_test(test_vf),
		cmocka_unit_test(test_infiniband),
		cmocka_unit_test(test_ethernet_without_netdev),
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_soft_roce),
		cmocka_unit_test(test_port_names),
		cmocka_unit_test(test_namespaces),
		cmocka_unit_test(test_bonding_masters),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests_name("nic-inventory", tests, NULL, NULL);
}
