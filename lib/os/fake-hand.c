// SPDX-License-Identifier: LGPL-2.1-or-later
/* The hand of somebody else on the simulated node, and the whole of its settings as text. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/os/fake-private.h"

int os_fake_poke_file(struct os *os, const char *path, const char *text)
{
	struct fake *fake = fake_of(os);
	struct fake_inode *inode = fake_tree_find(fake, path, true);
	char *copy;

	if (inode && inode->kind == FAKE_DIR)
		return -EISDIR;
	/* As if it were written; what no writer could bring about is put there as it stands */
	if (inode && inode->attribute && inode->attribute->store &&
	    inode->attribute->store(inode->device, inode->index, text, false) == 0) {
		free(inode->text);
		inode->text = NULL;
		return 0;
	}
	copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	if (!inode) {
		inode = fake_tree_make(fake, FAKE_FILE, path);
		if (!inode) {
			free(copy);
			return -ENOMEM;
		}
		inode->writable = true;
	}
	free(inode->text);
	inode->text = copy;
	return 0;
}

int os_fake_remove(struct os *os, const char *path)
{
	struct fake_inode *inode = fake_tree_find(fake_of(os), path, false);

	if (!inode)
		return -ENOENT;
	fake_tree_remove(inode);
	return 0;
}

int os_fake_poke_pfc(struct os *os, const char *ifname, uint8_t priorities)
{
	struct fake_device *device = fake_find_name(fake_of(os), ifname);
	const struct ieee_pfc pfc = { .pfc_en = priorities };
	const struct fake_verdict go = {};

	return device ? device->driver->set_pfc(device, &pfc, &go) : -ENODEV;
}

int os_fake_poke_dcbx(struct os *os, const char *ifname, uint8_t dcbx)
{
	struct fake_device *device = fake_find_name(fake_of(os), ifname);

	if (!device)
		return -ENODEV;
	device->hw.dcbx = dcbx;
	return 0;
}

/* Straight into the kernel's table, where a DSCP may stand twice. */
int os_fake_poke_app(struct os *os, const char *ifname, uint8_t dscp, uint8_t priority)
{
	struct fake_device *device = fake_find_name(fake_of(os), ifname);
	const struct dcb_app app = {
		.selector = IEEE_8021QAZ_APP_SEL_DSCP,
		.priority = priority,
		.protocol = dscp,
	};
	int r;

	if (!device)
		return -ENODEV;
	if (dscp >= FAKE_DSCPS || priority >= FAKE_PRIORITIES)
		return -EINVAL;
	r = fake_app_add(&device->hw, &app);
	if (r < 0)
		return r;
	device->hw.n_dscp++;
	device->hw.dscp_mapped |= 1ULL << dscp;
	device->hw.trust_dscp = true;
	device->hw.dscp2prio[dscp] = priority;
	return 0;
}

int os_fake_poke_pause(struct os *os, const char *ifname, bool autoneg, bool rx, bool tx)
{
	struct fake_device *device = fake_find_name(fake_of(os), ifname);

	if (!device)
		return -ENODEV;
	device->hw.pause = (struct os_pause){ .autoneg = autoneg, .rx = rx, .tx = tx };
	return 0;
}

/* The folder in sysfs keeps what is in it; its name and the link that leads to it change. */
int os_fake_rename(struct os *os, const char *ifname, const char *to)
{
	struct fake *fake = fake_of(os);
	struct fake_device *device = fake_find_name(fake, ifname);
	struct fake_inode *folder;
	char path[OS_PATH_MAX];

	if (!device)
		return -ENODEV;
	if (!*to || strlen(to) >= sizeof(device->name))
		return -EINVAL;
	if (fake_find_name(fake, to))
		return -EEXIST;
	(void)snprintf(path, sizeof(path), "/sys/class/net/%s", ifname);
	folder = fake_tree_find(fake, path, true);
	if (folder)
		strcpy(folder->name, to);
	fake_tree_remove(fake_tree_find(fake, path, false));
	strcpy(device->name, to);
	return fake_sysfs_netdev(device);
}

int os_fake_carrier(struct os *os, const char *ifname, bool carrier)
{
	struct fake_device *device = fake_find_name(fake_of(os), ifname);

	if (!device)
		return -ENODEV;
	device->unplugged = !carrier;
	device->carrier_from_ms = 0;
	return 0;
}

int os_fake_link_delay(struct os *os, const char *ifname, unsigned int ms)
{
	struct fake_device *device = fake_find_name(fake_of(os), ifname);

	if (!device)
		return -ENODEV;
	device->link_delay_ms = ms;
	return 0;
}

int os_fake_reregister_rdma(struct os *os, const char *rdma)
{
	struct fake_device *device = fake_find_rdma(fake_of(os), rdma);

	if (!device)
		return -ENODEV;
	fake_rdma_gone(device);
	device->rdma.present = true;
	return fake_sysfs_rdma(device);
}

void os_fake_np_coupled(struct os *os, bool coupled)
{
	fake_of(os)->np_coupled = coupled;
}

int os_fake_lockdown(struct os *os, bool on)
{
	fake_of(os)->lockdown = on;
	return fake_tree_text(fake_of(os),
			      on ? "none [integrity] confidentiality\n" :
				   "[none] integrity confidentiality\n",
			      "/sys/kernel/security/lockdown");
}

void os_fake_privileged(struct os *os, bool privileged)
{
	os->privileged = privileged;
}

/* ---- the whole as text ---- */

static void dump_ets(FILE *out, const struct ieee_ets *ets)
{
	fputs("  ets tc", out);
	for (int i = 0; i < FAKE_PRIORITIES; i++)
		fprintf(out, " %u", ets->prio_tc[i]);
	fputs(" tsa", out);
	for (int i = 0; i < FAKE_PRIORITIES; i++)
		fprintf(out, " %u", ets->tc_tsa[i]);
	fputs(" bw", out);
	for (int i = 0; i < FAKE_PRIORITIES; i++)
		fprintf(out, " %u", ets->tc_tx_bw[i]);
	fputs("\n", out);
}

static int compare_apps(const void *a, const void *b)
{
	const struct dcb_app *x = a, *y = b;

	if (x->selector != y->selector)
		return x->selector < y->selector ? -1 : 1;
	if (x->protocol != y->protocol)
		return x->protocol < y->protocol ? -1 : 1;
	return x->priority < y->priority ? -1 : x->priority > y->priority;
}

/* The kernel's table keeps the order of arrival; what it means does not depend on that. */
static void dump_apps(FILE *out, const struct fake_hw *hw)
{
	struct dcb_app app[OS_DCB_APP_MAX];

	memcpy(app, hw->app, sizeof(app));
	qsort(app, hw->n_app, sizeof(*app), compare_apps);
	for (size_t i = 0; i < hw->n_app; i++)
		fprintf(out, "  app selector %u protocol %u priority %u\n", app[i].selector,
			app[i].protocol, app[i].priority);
}

static void dump_buffer(FILE *out, const struct fake_hw *hw)
{
	fputs("  buffer of priority", out);
	for (int i = 0; i < FAKE_PRIORITIES; i++)
		fprintf(out, " %u", hw->buffer.prio2buffer[i]);
	fputs(" size", out);
	for (int i = 0; i < FAKE_PRIORITIES; i++)
		fprintf(out, " %u", hw->buffer.buffer_size[i]);
	fputs("\n  maxrate", out);
	for (int i = 0; i < FAKE_PRIORITIES; i++)
		fprintf(out, " %llu", (unsigned long long)hw->maxrate.tc_maxrate[i]);
	fputs("\n", out);
}

static void dump_hw(FILE *out, const struct fake_device *device)
{
	const struct fake_hw *hw = &device->hw;

	fprintf(out, "  dcbx 0x%02x\n", hw->dcbx);
	fprintf(out, "  pause autoneg %d rx %d tx %d\n", hw->pause.autoneg, hw->pause.rx,
		hw->pause.tx);
	dump_ets(out, &hw->ets);
	dump_apps(out, hw);
	fprintf(out, "  hardware trust %s\n", hw->trust_dscp ? "dscp" : "pcp");
	for (unsigned int i = 0; i < FAKE_DSCPS; i++)
		if (hw->dscp2prio[i] != i >> 3)
			fprintf(out, "  hardware dscp %u priority %d\n", i, hw->dscp2prio[i]);
	fprintf(out, "  pfc 0x%02x cable %u\n", hw->pfc_en, hw->cable_m);
	if (device->driver->set_buffer)
		dump_buffer(out, hw);
	if (device->driver->has_stall)
		fprintf(out, "  tunable %u\n", hw->stall_ms);
	if (device->driver->flag)
		fprintf(out, "  privflag %s %d\n", device->driver->flag, hw->lldp_agent);
	if (device->driver == &fake_mlx5)
		fake_ecn_dump(out, device);
}

static void dump_rdma(FILE *out, struct fake_device *device)
{
	const struct fake_rdma *rdma = &device->rdma;
	char text[OS_TEXT_MAX];

	fprintf(out, "rdma %s%s\n", rdma->name, rdma->present ? "" : " (gone)");
	if (!rdma->present)
		return;
	fprintf(out, "  cm %s tos %u\n", rdma->cm_v1 ? "v1" : "v2", rdma->cm_tos);
	if (!rdma->ofed)
		return;
	fake_traffic_class.show(device, 0, text, sizeof(text));
	fputs("  traffic_class", out);
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		fprintf(out, " '%.*s'", (int)strcspn(line, "\n"), line);
	fputs("\n", out);
}

char *os_fake_dump(const struct os *os)
{
	const struct fake *fake = (const struct fake *)os;
	char *text = NULL;
	size_t size;
	FILE *out;

	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	for (size_t i = 0; i < fake->n_device; i++) {
		struct fake_device *device = fake->device[i];

		if (device->name[0]) {
			fprintf(out, "netdev %s%s\n", device->name,
				device->present ? "" : " (gone)");
			fprintf(out, "  mtu %u\n", device->mtu);
			if (fake_has_dcb(device))
				dump_hw(out, device);
		}
		if (device->rdma.name[0])
			dump_rdma(out, device);
	}
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}
