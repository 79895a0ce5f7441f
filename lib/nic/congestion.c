// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Congestion control (DCQCN) on the NIC. Owns the attributes of MLNX_OFED below net/DEVICE/ecn
 * (mlx5/core/en_ecn.c of OFED 24.07: its stores take garbage for a number, so exact digits are
 * written; its notification point is one switch behind eight files, field case N10) and, without
 * OFED, two of debugfs mlx5/PCI/cc_params (drivers/infiniband/hw/mlx5/cong.c), which a locked-down
 * kernel shows to nobody.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/nic/object.h"
#include "lib/os/file.h"

#define DEBUGFS_ROOT  "/sys/kernel/debug"
#define LOCKDOWN_FILE "/sys/kernel/security/lockdown"

/* ---- one attribute for each priority ---- */

static void enable_path(const char *ifname, const char *point, unsigned int priority,
			char path[OS_PATH_MAX])
{
	(void)snprintf(path, OS_PATH_MAX, "/sys/class/net/%s/ecn/%s/enable/%u", ifname, point,
		       priority);
}

static int enable_read(struct nic_reader *reader, struct state *have, enum knob knob,
		       const char *point)
{
	struct switches switches = { .named = (1 << PRIORITIES) - 1 };
	char path[OS_PATH_MAX], words[NAME_MAX_BYTES];
	uint64_t on;
	int r;

	for (unsigned int i = 0; i < PRIORITIES; i++) {
		enable_path(reader->link.name, point, i, path);
		r = os_read_number(reader->os, path, 1, &on);
		if (r == -ENOENT && i == 0) {
			nic_driver_words(reader->driver, words, sizeof(words));
			nic_value_unsupported(have, knob, "%s has no switch for it", words);
			return 0;
		}
		if (r < 0)
			return nic_value_error(reader, have, knob, r, point);
		switches.on |= (uint8_t)(on << i);
	}
	have->value[knob].status = VALUE_KNOWN;
	have->value[knob].data.switches = switches;
	return 0;
}

/* The attribute of the one priority that the step is for; never 1 over 1, which is refused. */
static int enable_write(const struct nic_writer *writer, enum knob knob, const char *point,
			struct refusal *ret)
{
	const struct value *want = &writer->want->value[knob], *have = &writer->have->value[knob];
	char path[OS_PATH_MAX];
	uint64_t parts;
	unsigned int priority;

	if (!nic_wants(writer->want, knob) || have->status != VALUE_KNOWN)
		return 0;
	parts = value_difference(&knob_table[knob], want, have) & writer->parts;
	if (!parts)
		return 0;
	priority = (unsigned int)__builtin_ctzll(parts);
	enable_path(writer->link.name, point, priority, path);
	return nic_written(os_write_text(writer->os, path,
					 want->data.switches.on & (1U << priority) ? "1" : "0"),
			   NULL, ret);
}

int ecn_np_read(struct nic_reader *reader, struct state *have)
{
	return enable_read(reader, have, KNOB_ECN_NP, "roce_np");
}

int ecn_np_write(const struct nic_writer *writer, struct refusal *ret)
{
	return enable_write(writer, KNOB_ECN_NP, "roce_np", ret);
}

int ecn_rp_read(struct nic_reader *reader, struct state *have)
{
	return enable_read(reader, have, KNOB_ECN_RP, "roce_rp");
}

int ecn_rp_write(const struct nic_writer *writer, struct refusal *ret)
{
	return enable_write(writer, KNOB_ECN_RP, "roce_rp", ret);
}

/* ---- what CNPs carry ---- */

static const struct cnp_attribute {
	enum knob knob;
	const char *ofed;
	const char *debugfs;
	const char *clears; /* what a write to debugfs sets to 0 besides */
} cnp_dscp = { KNOB_CNP_DSCP, "cnp_dscp", "np_cnp_dscp", NULL },
  cnp_priority = { KNOB_CNP_PRIORITY, "cnp_802p_prio", "np_cnp_prio", "np_cnp_prio_mode" };

static void ofed_path(const struct cnp_attribute *attribute, const char *ifname,
		      char path[OS_PATH_MAX])
{
	(void)snprintf(path, OS_PATH_MAX, "/sys/class/net/%s/ecn/roce_np/%s", ifname,
		       attribute->ofed);
}

static void debugfs_path(const struct cnp_attribute *attribute, const struct nic *nic,
			 char path[OS_PATH_MAX])
{
	(void)snprintf(path, OS_PATH_MAX, DEBUGFS_ROOT "/mlx5/%s/cc_params/%s", nic->pci,
		       attribute->debugfs);
}

/* "none [integrity] confidentiality": the word in brackets is in force. */
static bool kernel_is_locked(struct os *os)
{
	char text[128];

	return os_read_text(os, LOCKDOWN_FILE, text, sizeof(text)) >= 0 &&
	       (strstr(text, "[integrity]") || strstr(text, "[confidentiality]"));
}

static int cnp_error(struct nic_reader *reader, struct state *have,
		     const struct cnp_attribute *attribute, int r)
{
	char words[NAME_MAX_BYTES];

	if (r == -ENOENT) {
		nic_driver_words(reader->driver, words, sizeof(words));
		/* The name is mlx5's own */
		if (reader->driver->vendor_driver)
			nic_value_unsupported(have, attribute->knob, "%s shows no %s", words,
					      attribute->debugfs);
		else
			nic_value_unsupported(have, attribute->knob, "%s has no such attribute",
					      words);
		return 0;
	}
	if ((r == -EPERM || r == -EACCES) && kernel_is_locked(reader->os)) {
		have->value[attribute->knob].status = VALUE_UNREADABLE;
		have->value[attribute->knob].error = -r;
		value_note(&have->value[attribute->knob], "unobservable: kernel lockdown");
		return 0;
	}
	return nic_value_error(reader, have, attribute->knob, r, attribute->debugfs);
}

static int cnp_read(struct nic_reader *reader, struct state *have,
		    const struct cnp_attribute *attribute)
{
	char path[OS_PATH_MAX];
	bool from_debugfs;
	uint64_t number;
	int r;

	ofed_path(attribute, reader->link.name, path);
	r = os_read_number(reader->os, path, UINT32_MAX, &number);
	from_debugfs = r == -ENOENT;
	if (from_debugfs) {
		debugfs_path(attribute, reader->nic, path);
		r = os_read_number(reader->os, path, UINT32_MAX, &number);
	}
	if (r < 0)
		return cnp_error(reader, have, attribute, r);
	nic_value_number(have, attribute->knob, (uint32_t)number);
	if (from_debugfs && attribute->clears)
		value_note(&have->value[attribute->knob], "writing it clears %s for good",
			   attribute->clears);
	return 0;
}

static int cnp_write(const struct nic_writer *writer, const struct cnp_attribute *attribute,
		     struct refusal *ret)
{
	const struct knob_info *knob = &knob_table[attribute->knob];
	const struct value *want = &writer->want->value[attribute->knob];
	const struct value *have = &writer->have->value[attribute->knob];
	char path[OS_PATH_MAX], text[16];
	int r;

	if (!nic_wants(writer->want, attribute->knob) || have->status != VALUE_KNOWN ||
	    value_equal(knob, want, have))
		return 0;
	if (want->data.number > knob->max)
		return nic_refuse(ret, -EINVAL, "at most %u", knob->max);
	ofed_path(attribute, writer->link.name, path);
	if (!os_exists(writer->os, path))
		debugfs_path(attribute, writer->nic, path);
	(void)snprintf(text, sizeof(text), "%u", want->data.number);
	r = os_write_text(writer->os, path, text);
	/* cc_params go with the RDMA device; the port is still there */
	if (r == -ENODEV || r == -ENOENT)
		return nic_refuse(ret, -ENXIO, "%s is gone", writer->nic->rdma);
	return nic_written(r, NULL, ret);
}

int cnp_dscp_read(struct nic_reader *reader, struct state *have)
{
	return cnp_read(reader, have, &cnp_dscp);
}

int cnp_dscp_write(const struct nic_writer *writer, struct refusal *ret)
{
	return cnp_write(writer, &cnp_dscp, ret);
}

int cnp_priority_read(struct nic_reader *reader, struct state *have)
{
	return cnp_read(reader, have, &cnp_priority);
}

int cnp_priority_write(const struct nic_writer *writer, struct refusal *ret)
{
	return cnp_write(writer, &cnp_priority, ret);
}
