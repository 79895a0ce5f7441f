// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From a node to a bundle, through the seam. The tables say what is collected: nothing of people's
 * files, environment, addresses or processes but lldpad's is among it, and of some files in /etc
 * the lines that are for NCCL or set DCB by hand.
 */
#include "lib/node/record.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/macro.h"
#include "lib/base/text.h"
#include "lib/nic/pci.h"
#include "lib/node/rival.h"
#include "lib/os/bundle-bytes.h"
#include "lib/os/file.h"

/* ---- what is collected ---- */

static const struct {
	enum bundle_kind kind;
	const char *pattern;
	const char *only; /* a file with another text is nobody's business */
	const char *lines; /* fnmatch(3): other lines are nobody's business either */
	bool rival; /* lines that set DCB, ToS or the like by hand; without one it is the same */
	bool slots; /* of a GID table: those behind the last that is in use are left out */
} paths[] = {
	{ BUNDLE_SYMLINK, "/sys/class/net/*" },
	{ BUNDLE_SYMLINK, "/sys/class/net/*/device" },
	{ BUNDLE_SYMLINK, "/sys/class/net/*/device/driver" },
	{ BUNDLE_SYMLINK, "/sys/class/net/*/device/physfn" },
	{ BUNDLE_SYMLINK, "/sys/class/net/*/device/virtfn*" },
	{ BUNDLE_SYMLINK, "/sys/class/net/*/master" },
	{ BUNDLE_SYMLINK, "/sys/class/infiniband/*" },
	{ BUNDLE_SYMLINK, "/sys/class/infiniband/*/device" },
	{ BUNDLE_SYMLINK, "/sys/class/infiniband/*/device/driver" },
	{ BUNDLE_SYMLINK, "/sys/class/infiniband/*/device/physfn" },
	{ BUNDLE_DIR, "/sys/class/infiniband" },
	{ BUNDLE_DIR, "/sys/kernel/config" },
	{ BUNDLE_DIR, "/sys/kernel/config/rdma_cm" },
	{ BUNDLE_DIR, "/sys/module/ib_core" },
	{ BUNDLE_DIR, "/sys/module/rdma_cm" },
	{ BUNDLE_DIR, "/sys/module/mlx5_ib" },
	{ BUNDLE_DIR, "/sys/module/bnxt_re" },
	{ BUNDLE_DIR, "/sys/module/irdma" },
	{ BUNDLE_DIR, "/sys/module/rdma_rxe" },
	{ BUNDLE_DIR, "/sys/module/nvidia_peermem" },
	{ BUNDLE_FILE, "/sys/module/mlx5_core/version" },
	{ BUNDLE_FILE, "/sys/module/bnxt_en/version" },
	{ BUNDLE_FILE, "/sys/kernel/security/lockdown" },
	/* What doctor looks at besides */
	{ BUNDLE_DIR, "/sys/module/nvidia" },
	{ BUNDLE_SYMLINK, "/sys/bus/pci/drivers/nvidia/*:*" },
	{ BUNDLE_FILE, "/proc/driver/nvidia/version", .lines = "NVRM version*" },
	{ BUNDLE_FILE, "/sys/kernel/mm/memory_peers/nv_mem*/version" },
	{ BUNDLE_SYMLINK, "/sys/bus/pci/drivers/pcieport/*:*" },
	{ BUNDLE_BYTES, "/sys/bus/pci/drivers/pcieport/*:*/config" },
	{ BUNDLE_BYTES, "/sys/class/infiniband/*/device/config" },
	{ BUNDLE_FILE, "/sys/class/infiniband/*/device/current_link_speed" },
	{ BUNDLE_FILE, "/sys/class/infiniband/*/device/current_link_width" },
	{ BUNDLE_FILE, "/sys/class/infiniband/*/device/max_link_speed" },
	{ BUNDLE_FILE, "/sys/class/infiniband/*/device/max_link_width" },
	{ BUNDLE_SYMLINK, "/sys/class/infiniband/*/device/iommu_group" },
	{ BUNDLE_FILE, "/sys/class/infiniband/*/device/iommu_group/type" },
	{ BUNDLE_FILE, "/proc/self/limits", .lines = "Max locked memory *" },
	{ BUNDLE_FILE, "/etc/nccl.conf", .lines = "NCCL_IB_*" },
	{ BUNDLE_FILE, "/etc/infiniband/post-start-hook.sh", .rival = true },
	{ BUNDLE_FILE, "/etc/rc.local", .rival = true },
	{ BUNDLE_FILE, "/etc/systemd/system/*.service", .rival = true },
	/* Another owner of DCB (rival.c) */
	{ BUNDLE_FILE, "/proc/[0-9]*/comm", .only = "lldpad" },

	{ BUNDLE_FILE, "/sys/class/net/bonding_masters" },
	{ BUNDLE_FILE, "/sys/class/net/*/ifindex" },
	{ BUNDLE_FILE, "/sys/class/net/*/dev_port" },
	{ BUNDLE_FILE, "/sys/class/net/*/device/vendor" },
	{ BUNDLE_FILE, "/sys/class/net/*/device/device" },
	{ BUNDLE_FILE, "/sys/class/net/*/device/sriov_numvfs" },
	{ BUNDLE_FILE, "/sys/class/net/*/bonding/mode" },
	{ BUNDLE_FILE, "/sys/class/net/*/bonding/slaves" },
	/* MLNX_OFED */
	{ BUNDLE_FILE, "/sys/class/net/*/ecn/roce_[nr]p/*" },
	{ BUNDLE_FILE, "/sys/class/net/*/ecn/roce_[nr]p/enable/*" },
	{ BUNDLE_FILE, "/sys/class/net/*/qos/*" },
	{ BUNDLE_FILE, "/sys/class/net/*/settings/pfc_stall_prevention" },

	{ BUNDLE_FILE, "/sys/class/infiniband/*/node_type" },
	{ BUNDLE_FILE, "/sys/class/infiniband/*/fw_ver" },
	{ BUNDLE_FILE, "/sys/class/infiniband/*/parent" },
	{ BUNDLE_FILE, "/sys/class/infiniband/*/ports/*/link_layer" },
	{ BUNDLE_FILE, "/sys/class/infiniband/*/ports/*/state" },
	{ BUNDLE_FILE, "/sys/class/infiniband/*/ports/*/gids/*", .slots = true },
	{ BUNDLE_FILE, "/sys/class/infiniband/*/ports/*/gid_attrs/types/*", .slots = true },
	{ BUNDLE_FILE, "/sys/class/infiniband/*/ports/*/gid_attrs/ndevs/*", .slots = true },
	{ BUNDLE_FILE, "/sys/class/infiniband/*/ports/*/hw_counters/*" },
	{ BUNDLE_FILE, "/sys/class/infiniband/*/tc/*/traffic_class" },

	{ BUNDLE_FILE, "/sys/kernel/config/rdma_cm/*/ports/*/default_roce_mode" },
	{ BUNDLE_FILE, "/sys/kernel/config/rdma_cm/*/ports/*/default_roce_tos" },
	{ BUNDLE_FILE, "/sys/kernel/debug/mlx5/*/cc_params/*" },
	{ BUNDLE_FILE, "/sys/kernel/debug/bnxt_re/*/cc_config/*" },
};

/* Private counters that are kept: those of rings are many and say nothing of losslessness. */
static const char *const counters[] = {
	"*pause*",     "*pfc*",	    "*xo[nf]*", "rx_prio[0-7]*", "tx_prio[0-7]*",   "rx_priority_*",
	"*_pri[0-7]*", "*discard*", "*_ecn*",	"*cnp*",	 "*out_of_buffer*", "*dropped*",
};

/* ---- paths ---- */

struct names {
	char **list;
	size_t n;
	size_t room;
};

static void names_done(struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->list[i]);
	free(names->list);
}

static int add_name(const char *name, void *data)
{
	struct names *names = data;

	if (names->n >= BUNDLE_ENTRIES_MAX)
		return -E2BIG;
	if (array_grow(&names->list, names->n, &names->room, sizeof(*names->list)) < 0)
		return -ENOMEM;
	names->list[names->n] = strdup(name);
	if (!names->list[names->n])
		return -ENOMEM;
	names->n++;
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

struct recorder {
	struct os *os;
	struct bundle *bundle;
	size_t row;
};

static int add(struct recorder *recorder, enum bundle_kind kind, const char *path, const char *text)
{
	if (!bundle_path_fits(path, strlen(path)))
		return 0;
	return bundle_add_entry(recorder->bundle, kind, path, text, text ? strlen(text) : 0) ?
		       0 :
		       -E2BIG;
}

static int add_unreadable(struct recorder *recorder, const char *path, int r)
{
	struct bundle *bundle = recorder->bundle;

	r = -r;
	if (add(recorder, BUNDLE_UNREADABLE, path, NULL) < 0)
		return -E2BIG;
	bundle->entries[bundle->n_entries - 1].error = r;
	return 0;
}

static bool is_absent(int r)
{
	return r == -ENOENT || r == -ENOTDIR || r == -ENODEV || r == -EISDIR;
}

/* Keep the lines that match; each ends with a newline then. */
static void keep_lines(char *text, const char *pattern)
{
	char *to = text, *line = text, *end;

	for (bool more = *text; more; line = end + 1) {
		end = line + strcspn(line, "\n");
		more = *end && end[1];
		*end = '\0';
		if (fnmatch(pattern, line, FNM_EXTMATCH) != 0)
			continue;
		memmove(to, line, (size_t)(end - line));
		to += end - line;
		*to++ = '\n';
	}
	*to = '\0';
}

static int record_bytes(struct recorder *recorder, const char *path)
{
	char text[OS_TEXT_MAX + 1];
	struct pci_config config;
	int r;

	r = pci_config_read(recorder->os, path, &config);
	if (is_absent(r) || (r == 0 && !config.size))
		return 0;
	if (r < 0)
		return add_unreadable(recorder, path, r);
	pci_config_strip(&config);
	r = bundle_bytes_format(config.data, config.size, text, sizeof(text));
	return r < 0 ? r : add(recorder, BUNDLE_BYTES, path, text);
}

static int record_file(struct recorder *recorder, const char *path)
{
	const char *only = paths[recorder->row].only;
	char text[OS_TEXT_MAX + 1];
	int r;

	r = os_read_text(recorder->os, path, text, sizeof(text) - 1);
	if (is_absent(r) || (r < 0 && only))
		return 0;
	if (r < 0)
		return add_unreadable(recorder, path, r);
	if (only && strcmp(text, only) != 0)
		return 0;
	if (*text)
		strcat(text, "\n");
	if (paths[recorder->row].lines)
		keep_lines(text, paths[recorder->row].lines);
	return add(recorder, BUNDLE_FILE, path, text);
}

/* A line that has no room any more is one of many. */
static int add_line(const char *line, void *data)
{
	struct text *text = data;

	if (text->used + strlen(line) + 2 < text->size)
		text_put(text, "%s\n", line);
	return 0;
}

static int record_script(struct recorder *recorder, const char *path)
{
	char text[OS_TEXT_MAX + 1] = "";
	struct text out = { text, sizeof(text), 0 };
	int r = rival_lines(recorder->os, path, add_line, &out);

	if (is_absent(r) || (r == 0 && !*text))
		return 0;
	return r < 0 ? add_unreadable(recorder, path, r) :
		       add(recorder, BUNDLE_FILE, path, text);
}

static int ignore_name(const char *name, void *data)
{
	return 0;
}

static int record_path(struct recorder *recorder, const char *path)
{
	char target[OS_PATH_MAX];
	int r;

	switch (paths[recorder->row].kind) {
	case BUNDLE_FILE:
		return paths[recorder->row].rival ? record_script(recorder, path) :
						    record_file(recorder, path);
	case BUNDLE_BYTES:
		return record_bytes(recorder, path);
	case BUNDLE_SYMLINK:
		r = (int)recorder->os->ops->read_link(recorder->os, path, target, sizeof(target));
		return r < 0 || strpbrk(target, " \n\t") ?
			       0 :
			       add(recorder, BUNDLE_SYMLINK, path, target);
	case BUNDLE_DIR:
		r = recorder->os->ops->list(recorder->os, path, ignore_name, NULL);
		if (is_absent(r))
			return 0;
		return r < 0 ? add_unreadable(recorder, path, r) :
			       add(recorder, BUNDLE_DIR, path, NULL);
	case BUNDLE_UNREADABLE:
	case BUNDLE_KIND_MAX:
		break;
	}
	return 0;
}

/* A folder that may not be listed is told once, whatever was looked for in it. */
static int record_closed(struct recorder *recorder, const char *folder, int r)
{
	const struct bundle *bundle = recorder->bundle;

	for (size_t i = 0; i < bundle->n_entries; i++)
		if (bundle->entries[i].kind == BUNDLE_UNREADABLE &&
		    strcmp(bundle->entries[i].path, folder) == 0)
			return 0;
	return paths[recorder->row].kind == BUNDLE_FILE ? add_unreadable(recorder, folder, r) : 0;
}

/*
 * A table has hundreds of slots and few in use. A slot that is missing is its end, so that holes
 * stay, and one slot of an empty table.
 */
static void drop_empty_slots(struct bundle *bundle, size_t first)
{
	static const char zeros[] = "0000:0000:0000:0000:0000:0000:0000:0000\n";

	while (bundle->n_entries > first + 1) {
		const struct bundle_entry *last = &bundle->entries[bundle->n_entries - 1];

		if (last->error != EINVAL && (!last->text || strcmp(last->text, zeros) != 0))
			return;
		bundle_drop_entry(bundle);
	}
}

/* All paths that begin with @base and go on as @pattern: one level of names for each component. */
static int record_pattern(struct recorder *recorder, const char *base, const char *pattern)
{
	const char *star = strpbrk(pattern, "*["), *start, *rest;
	_cleanup_(names_done) struct names names = {};
	char folder[OS_PATH_MAX], path[2 * OS_PATH_MAX], wanted[OS_NAME_MAX];
	size_t first = recorder->bundle->n_entries;
	int r;

	if (!star) {
		(void)snprintf(path, sizeof(path), "%s%s", base, pattern);
		return record_path(recorder, path);
	}
	for (start = star; start[-1] != '/'; start--)
		;
	rest = star + strcspn(star, "/");
	(void)snprintf(folder, sizeof(folder), "%s%.*s", base, (int)(start - 1 - pattern), pattern);
	(void)snprintf(wanted, sizeof(wanted), "%.*s", (int)(rest - start), start);
	r = recorder->os->ops->list(recorder->os, folder, add_name, &names);
	if (r == -ENOMEM || r == -E2BIG)
		return r;
	if (r < 0)
		return is_absent(r) ? 0 : record_closed(recorder, folder, r);
	if (names.n > 0)
		qsort(names.list, names.n, sizeof(*names.list), compare_names);
	for (size_t i = 0; i < names.n; i++) {
		if (fnmatch(wanted, names.list[i], 0) != 0)
			continue;
		(void)snprintf(path, sizeof(path), "%s/%s", folder, names.list[i]);
		r = strlen(path) < OS_PATH_MAX ? record_pattern(recorder, path, rest) : 0;
		if (r < 0)
			return r;
	}
	if (paths[recorder->row].slots && !*rest)
		drop_empty_slots(recorder->bundle, first);
	return 0;
}

/* ---- network devices ---- */

static int record_stats(struct os *os, struct bundle_link *link)
{
	_cleanup_(os_stats_done) struct os_stats stats = {};
	bool wanted;
	int r;

	if (os_stats_get(os, link->link.name, &stats) < 0)
		return 0;
	for (size_t i = 0; i < stats.n; i++) {
		wanted = false;
		for (size_t k = 0; k < ARRAY_SIZE(counters); k++)
			wanted = wanted || fnmatch(counters[k], stats.list[i].name, 0) == 0;
		if (!wanted || strpbrk(stats.list[i].name, " /"))
			continue;
		r = bundle_add_stat(link, stats.list[i].name, stats.list[i].value);
		if (r < 0)
			return r;
	}
	return 0;
}

static void record_ethtool(struct os *os, struct bundle_link *link)
{
	int r;

	r = os_pause_get(os, link->link.ifindex, &link->pause);
	link->has_pause = r == 0;
	link->has_pause_error = r < 0 && r != -EOPNOTSUPP && r != -ENODEV;
	link->pause_error = link->has_pause_error ? -r : 0;
	link->has_stall = os_pfc_stall_get(os, link->link.name, &link->stall_ms) == 0;
	link->has_lldp_agent =
		os_private_flag_get(os, link->link.name, "fw-lldp-agent", &link->lldp_agent) == 0;
}

static int record_link(struct os *os, const struct os_link *found, struct bundle *bundle)
{
	struct bundle_link *link;
	int r;

	if (strpbrk(found->name, " /"))
		return 0;
	link = bundle_add_link(bundle);
	if (!link)
		return -E2BIG;
	link->link = *found;
	r = os_dcb_get(os, found->name, &link->dcb);
	if (r < 0)
		link->dcb = (struct os_dcb){};
	link->apps = (uint16_t)link->dcb.n_app;
	link->has_dcb_error = r < 0 && r != -EOPNOTSUPP && r != -ENODEV;
	link->dcb_error = link->has_dcb_error ? -r : 0;
	record_ethtool(os, link);
	return record_stats(os, link);
}

static int compare_links(const void *a, const void *b)
{
	const struct os_link *x = a, *y = b;

	return (x->ifindex > y->ifindex) - (x->ifindex < y->ifindex);
}

static int record_links(struct os *os, struct bundle *bundle)
{
	_cleanup_(os_links_done) struct os_links links = {};
	int r;

	r = os_link_dump(os, &links);
	if (r < 0)
		return r;
	if (links.n > 0)
		qsort(links.list, links.n, sizeof(*links.list), compare_links);
	for (size_t i = 0; i < links.n && r == 0; i++)
		r = record_link(os, &links.list[i], bundle);
	return r;
}

/* ---- the whole ---- */

static void record_head(struct os *os, const char *path, char *ret, size_t size)
{
	if (os_read_text(os, path, ret, size) < 1 || strpbrk(ret, " /\n\t"))
		(void)snprintf(ret, size, "unknown");
}

static int compare_entries(const void *a, const void *b)
{
	const struct bundle_entry *x = a, *y = b;

	return strverscmp(x->path, y->path);
}

int record_take(struct os *os, struct bundle *ret)
{
	_cleanup_(bundle_done) struct bundle bundle = { .privileged = os->privileged };
	struct recorder recorder = { .os = os, .bundle = &bundle };
	int r;

	record_head(os, "/proc/sys/kernel/hostname", bundle.node, sizeof(bundle.node));
	record_head(os, "/proc/sys/kernel/osrelease", bundle.kernel, sizeof(bundle.kernel));
	r = record_links(os, &bundle);
	for (; recorder.row < ARRAY_SIZE(paths) && r == 0; recorder.row++)
		r = record_pattern(&recorder, "", paths[recorder.row].pattern);
	if (r < 0)
		return r;
	/* What belongs to one device stands together, a link before what is below it */
	if (bundle.n_entries > 0)
		qsort(bundle.entries, bundle.n_entries, sizeof(*bundle.entries), compare_entries);
	*ret = bundle;
	bundle = (struct bundle){};
	return 0;
}
