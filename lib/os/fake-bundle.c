// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A recorded node brought to life. The tree of files is the bundle's; the devices get the behaviour
 * of their driver and the recorded state; then the attributes that have a behaviour take the place
 * of the files that the bundle has of them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/macro.h"
#include "lib/os/bundle-bytes.h"
#include "lib/os/bundle.h"
#include "lib/os/fake-private.h"
#include "lib/os/file.h"

enum { EFFORT_MAX = 500 * 1000 * 1000 }; /* some seconds; an honest bundle needs a hundredth */

/* ---- the tree ---- */

static int refuse(struct diags *diags, const struct bundle_entry *entry, const char *why)
{
	diag_add(diags, SEVERITY_ERROR, (struct position){ .line = entry->line, .column = 1 }, 1,
		 "%s: %s", entry->path, why);
	return -EINVAL;
}

static enum fake_kind kind_of(const struct bundle_entry *entry)
{
	if (entry->kind == BUNDLE_DIR)
		return FAKE_DIR;
	return entry->kind == BUNDLE_SYMLINK ? FAKE_LINK : FAKE_FILE;
}

/* The same file may be told twice: two links lead to its folder. */
static bool is_same(const struct fake_inode *inode, const struct bundle_entry *entry)
{
	const char *text = entry->text ?: "";
	size_t size = strlen(text);

	if (inode->kind != kind_of(entry) || inode->error != entry->error || inode->size)
		return false;
	return entry->kind != BUNDLE_BYTES && strlen(inode->text ?: "") == size &&
	       memcmp(inode->text ?: "", text, size) == 0;
}

static int load_bytes(struct fake_inode *inode, const struct bundle_entry *entry,
		      struct diags *diags)
{
	unsigned char data[OS_TEXT_MAX];
	int size;

	size = bundle_bytes_parse(entry->text ?: "", data, sizeof(data));
	if (size < 0)
		return refuse(diags, entry,
			      "its lines are `size N` and, in order, `0xOFFSET` with 16 bytes in "
			      "hexadecimal where they are not all zero");
	inode->text = malloc((size_t)size);
	if (!inode->text)
		return -ENOMEM;
	memcpy(inode->text, data, (size_t)size);
	inode->size = (size_t)size;
	return 0;
}

static int load_entry(struct fake *fake, const struct bundle_entry *entry, struct diags *diags)
{
	struct fake_inode *inode = fake_tree_find(fake, entry->path, false);

	if (fake->effort > EFFORT_MAX)
		return refuse(diags, entry, "the links of this bundle are too tangled");
	if (inode)
		return is_same(inode, entry) ||
				       (inode->kind == FAKE_DIR && entry->kind == BUNDLE_DIR) ?
			       0 :
			       refuse(diags, entry, "is there already and is something else");
	inode = fake_tree_make(fake, kind_of(entry), entry->path);
	if (!inode)
		return refuse(diags, entry,
			      "cannot stand here: it is below a file or a link that "
			      "leads nowhere, too deep, or one of too many");
	inode->error = entry->error;
	if (entry->kind == BUNDLE_BYTES)
		return load_bytes(inode, entry, diags);
	if (entry->text) {
		inode->text = strdup(entry->text);
		if (!inode->text)
			return -ENOMEM;
	}
	if (entry->kind == BUNDLE_SYMLINK && !fake_tree_make_target(fake, inode))
		return refuse(diags, entry, "its target cannot be");
	return 0;
}

/* What the head of a bundle says is a file on the node. */
static int load_head(struct fake *fake, const char *path, const char *text)
{
	struct fake_inode *inode = fake_tree_make(fake, FAKE_FILE, path);

	if (!inode)
		return -ENOMEM;
	free(inode->text);
	if (asprintf(&inode->text, "%s\n", text) < 0)
		inode->text = NULL;
	return inode->text ? 0 : -ENOMEM;
}

static int load_tree(struct fake *fake, const struct bundle *bundle, struct diags *diags)
{
	int r;

	r = load_head(fake, "/proc/sys/kernel/hostname", bundle->node);
	if (r == 0)
		r = load_head(fake, "/proc/sys/kernel/osrelease", bundle->kernel);
	for (size_t i = 0; i < bundle->n_entries && r == 0; i++)
		r = load_entry(fake, &bundle->entries[i], diags);
	return r;
}

void fake_bundle_attach(struct fake_inode *inode, const struct fake_attribute *attribute,
			struct fake_device *device, unsigned int index)
{
	static const char global[] = "Global "; /* how OFED's traffic_class shows what it takes */
	char shown[OS_TEXT_MAX + 1], line[OS_TEXT_MAX + 1];
	const char *text = inode->text ?: "";

	if (!attribute->store)
		return;
	inode->attribute = attribute;
	inode->device = device;
	inode->index = index;
	inode->writable = true;
	if (!inode->text)
		return;
	for (size_t length; *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		if (strncmp(text, global, sizeof(global) - 1) == 0) {
			text += sizeof(global) - 1;
			length -= sizeof(global) - 1;
		}
		(void)snprintf(line, sizeof(line), "%.*s\n", (int)length, text);
		(void)attribute->store(device, index, line, false);
	}
	/* What no writer could bring about stays there as it stands */
	if (attribute->show(device, index, shown, sizeof(shown)) < 0 ||
	    strcmp(shown, inode->text) != 0)
		return;
	free(inode->text);
	inode->text = NULL;
}

/* ---- devices ---- */

static void read_name(struct fake *fake, const char *folder, const char *leaf, char *ret)
{
	char path[OS_PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/%s", folder, leaf);
	if (os_read_link_name(&fake->os, path, ret, OS_NAME_MAX) < 0)
		*ret = '\0';
}

/* /sys/bus/pci/devices/ADDRESS, which every PCI device has */
static int add_bus_link(struct fake *fake, const char *address, const char *folder,
			const char *leaf)
{
	char target[OS_PATH_MAX];
	int r;

	if (!strchr(address, ':') || !strchr(address, '.'))
		return 0;
	(void)snprintf(target, sizeof(target), "%s/%s", folder, leaf);
	fake->loading = false;
	r = fake_tree_link(fake, target, "/sys/bus/pci/devices/%s", address);
	fake->loading = true;
	return r;
}

static int read_function(struct fake_device *device, const char *folder)
{
	struct fake *fake = device->fake;
	int r;

	read_name(fake, folder, "device", device->pci);
	read_name(fake, folder, "device/driver", device->driver_name);
	read_name(fake, folder, "device/physfn", device->physfn);
	r = add_bus_link(fake, device->pci, folder, "device");
	if (r == 0)
		r = add_bus_link(fake, device->physfn, folder, "device/physfn");
	return r;
}

static bool all_zero(const void *data, size_t size)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < size; i++)
		if (bytes[i])
			return false;
	return true;
}

/* What bnxt shows before its first set is not what the hardware has. */
static void load_dcb(struct fake_device *device, const struct os_dcb *dcb)
{
	struct ieee_ets ets = dcb->ets;
	struct fake_hw *hw = &device->hw;

	device->ets_cap = ets.ets_cap;
	device->pfc_caps = dcb->pfc;
	ets.ets_cap = 0;
	hw->ets_known = !all_zero(&ets, sizeof(ets));
	hw->pfc_known = dcb->pfc.pfc_en || dcb->pfc.delay;
	hw->ets = dcb->ets;
	hw->pfc_en = dcb->pfc.pfc_en;
	hw->cable_m = dcb->pfc.delay;
	if (dcb->has_dcbx)
		hw->dcbx = dcb->dcbx;
	if (dcb->has_buffer)
		hw->buffer = dcb->buffer;
	if (dcb->has_maxrate)
		hw->maxrate = dcb->maxrate;
}

static void load_apps(struct fake_hw *hw, const struct os_dcb *dcb)
{
	hw->n_app = dcb->n_app;
	memcpy(hw->app, dcb->app, sizeof(hw->app));
	for (size_t i = 0; i < dcb->n_app; i++) {
		const struct dcb_app *app = &dcb->app[i];

		if (!fake_is_dscp(app))
			continue;
		hw->n_dscp++;
		hw->trust_dscp = true;
		hw->dscp_mapped |= 1ULL << app->protocol;
		hw->dscp2prio[app->protocol] = app->priority;
	}
}

static uint16_t parts_of(const struct bundle_link *link)
{
	const struct os_dcb *dcb = &link->dcb;
	uint16_t parts = 0;

	parts |= dcb->has_ets ? FAKE_HAS_ETS : 0;
	parts |= dcb->has_pfc ? FAKE_HAS_PFC : 0;
	parts |= dcb->has_app ? FAKE_HAS_APP : 0;
	parts |= dcb->has_dcbx ? FAKE_HAS_DCBX : 0;
	parts |= dcb->has_buffer ? FAKE_HAS_BUFFER : 0;
	parts |= dcb->has_maxrate ? FAKE_HAS_MAXRATE : 0;
	parts |= link->has_stall ? FAKE_HAS_STALL : 0;
	parts |= link->has_lldp_agent ? FAKE_HAS_FLAG : 0;
	return parts;
}

/* What the driver could do and the bundle has not got, the device has not got. */
static void load_hw(struct fake_device *device, const struct bundle_link *link)
{
	struct fake_hw *hw = &device->hw;

	device->driver = fake_driver_find(device->driver_name);
	fake_attach(device);
	device->parts = parts_of(link);
	if (device->parts & ~(FAKE_HAS_STALL | FAKE_HAS_FLAG))
		device->dcb_error = 0;
	if (link->has_dcb_error)
		device->dcb_error = -link->dcb_error;
	load_dcb(device, &link->dcb);
	load_apps(hw, &link->dcb);
	hw->pause = link->pause;
	hw->stall_ms = link->stall_ms;
	hw->lldp_agent = link->lldp_agent;
	if (link->has_pause)
		device->pause_error = 0;
	if (link->has_pause_error)
		device->pause_error = -link->pause_error;
}

static int load_counters(struct fake_device *device, const struct os_stats *stats)
{
	for (size_t i = 0; i < stats->n; i++) {
		if (array_grow(&device->counter, device->n_counter, &device->counter_room,
			       sizeof(*device->counter)) < 0)
			return -ENOMEM;
		memcpy(device->counter[i].name, stats->list[i].name,
		       sizeof(device->counter[i].name));
		device->counter[device->n_counter++].value = stats->list[i].value;
	}
	return 0;
}

static int load_link(struct fake *fake, const struct bundle_link *link)
{
	struct fake_device *device = fake_add_device(fake);
	char folder[OS_PATH_MAX];
	int r;

	if (!device)
		return -ENOMEM;
	device->ifindex = link->link.ifindex;
	device->lower = link->link.link_ifindex;
	device->master = link->link.master_ifindex;
	device->mtu = link->link.mtu;
	device->mtu_min = link->link.mtu_min;
	device->mtu_max = link->link.mtu_max;
	device->down = !link->link.up;
	device->unplugged = !link->link.carrier;
	device->present = true;
	memcpy(device->mac, link->link.mac, sizeof(device->mac));
	memcpy(device->name, link->link.name, sizeof(device->name));
	memcpy(device->kind, link->link.kind, sizeof(device->kind));
	(void)snprintf(folder, sizeof(folder), "/sys/class/net/%s", device->name);
	r = read_function(device, folder);
	load_hw(device, link);
	return r < 0 ? r : load_counters(device, &link->stats);
}

/* ---- RDMA devices ---- */

static const struct fake_inode *find_device(struct fake *fake, const char *class, const char *name)
{
	char path[OS_PATH_MAX];

	(void)snprintf(path, sizeof(path), "/sys/class/%s/%s/device", class, name);
	return fake_tree_find(fake, path, true);
}

/* The first network device on the same function: the others are representors. */
static struct fake_device *find_netdev(struct fake *fake, const char *rdma)
{
	const struct fake_inode *function = find_device(fake, "infiniband", rdma);
	char path[OS_PATH_MAX], parent[IFNAMSIZ];
	struct fake_device *found = NULL;

	(void)snprintf(path, sizeof(path), "/sys/class/infiniband/%s/parent", rdma);
	if (!function && os_read_text(&fake->os, path, parent, sizeof(parent)) >= 0)
		return fake_find_name(fake, parent);
	for (size_t i = 0; function && i < fake->n_device; i++) {
		struct fake_device *device = fake->device[i];

		if (device->present && !device->rdma.name[0] &&
		    find_device(fake, "net", device->name) == function &&
		    (!found || device->ifindex < found->ifindex))
			found = device;
	}
	return found;
}

static int load_rdma(struct fake *fake, const char *name)
{
	struct fake_device *device = find_netdev(fake, name);
	char path[OS_PATH_MAX], text[OS_NAME_MAX];
	int r = 0;

	(void)snprintf(path, sizeof(path), "/sys/class/infiniband/%s", name);
	if (!device || device->rdma.name[0]) {
		device = fake_add_device(fake);
		if (!device)
			return -ENOMEM;
		device->ifindex = 0;
		r = read_function(device, path);
		device->driver = fake_driver_find(device->driver_name);
		if (r < 0)
			return r;
	}
	(void)snprintf(device->rdma.name, sizeof(device->rdma.name), "%s", name);
	device->rdma.present = true;
	(void)snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/1/link_layer", name);
	device->rdma.infiniband = os_read_text(&fake->os, path, text, sizeof(text)) >= 0 &&
				  strcmp(text, "InfiniBand") == 0;
	(void)snprintf(path, sizeof(path), "/sys/class/infiniband/%s/tc", name);
	device->rdma.ofed = fake_tree_find(fake, path, true);
	fake_rdma_defaults(&device->rdma);
	r = fake_sysfs_rdma(device);
	return r < 0 ? r : fake_sysfs_cm_group(device);
}

/* Both forms of congestion control show the same values of the firmware, where there are files. */
static int attach_port(struct fake_device *device)
{
	char folder[OS_PATH_MAX];
	int r;

	if (!device->present)
		return 0;
	r = fake_sysfs_netdev(device);
	if (r < 0 || device->driver != &fake_mlx5)
		return r;
	(void)snprintf(folder, sizeof(folder), "/sys/class/net/%s", device->name);
	r = fake_ecn_sysfs(device, folder);
	if (r < 0)
		return r;
	(void)snprintf(folder, sizeof(folder), "/sys/kernel/debug/mlx5/%s", device->pci);
	return fake_ecn_debugfs(device, folder);
}

static int load_devices(struct fake *fake, const struct bundle *bundle)
{
	const struct fake_inode *class, *rdma;
	int r = 0;

	for (size_t i = 0; i < bundle->n_links && r == 0; i++)
		r = load_link(fake, &bundle->links[i]);
	class = fake_tree_find(fake, "/sys/class/infiniband", true);
	for (rdma = class ? class->children : NULL; rdma && r == 0; rdma = rdma->next)
		r = load_rdma(fake, rdma->name);
	for (size_t i = 0; i < fake->n_device && r == 0; i++)
		r = attach_port(fake->device[i]);
	return r;
}

int os_fake_load(const struct bundle *bundle, struct diags *diags, struct os **ret)
{
	struct fake *fake = fake_new();
	int r;

	if (!fake)
		return -ENOMEM;
	fake->replayed = fake->loading = true;
	r = load_tree(fake, bundle, diags);
	if (r == 0)
		r = load_devices(fake, bundle);
	if (r < 0) {
		(void)os_free(&fake->os);
		return r;
	}
	fake->loading = false;
	fake->os.privileged = bundle->privileged;
	*ret = &fake->os;
	return 0;
}
