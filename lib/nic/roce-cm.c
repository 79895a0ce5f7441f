// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The defaults of RDMA-CM connections: GID type and ToS, two attributes in configfs below
 * rdma_cm/DEVICE/ports/PORT. Mirrors drivers/infiniband/core/cma_configfs.c. The device's group has
 * to be made before anything can be read: that is the one thing that observing may do. It stays;
 * the values live in the ib_device and go with it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/nic/object.h"
#include "lib/os/file.h"

#define CM_ROOT "/sys/kernel/config/rdma_cm"

enum { TOS_MAX = 255 };

static const char *const mode_texts[] = {
	[ROCE_V1] = "IB/RoCE v1",
	[ROCE_V2] = "RoCE v2",
};

static void format_path(const struct nic *nic, const char *attribute, char path[OS_PATH_MAX])
{
	(void)snprintf(path, OS_PATH_MAX, CM_ROOT "/%s/ports/%u/%s", nic->rdma, nic->rdma_port,
		       attribute);
}

/*
 * Make the device's group, if it is not there. Returns 0 if the attributes can be read now; 1 if
 * the knob has got its status instead; -ENODEV if the device is gone.
 */
static int need_group(struct nic_reader *reader, struct state *have, enum knob knob)
{
	struct value *value = &have->value[knob];
	char path[OS_PATH_MAX];
	int r;

	(void)snprintf(path, sizeof(path), CM_ROOT "/%s", reader->nic->rdma);
	if (os_exists(reader->os, path))
		return 0;
	if (!os_exists(reader->os, CM_ROOT)) {
		(void)nic_value_error(reader, have, knob, -ENOENT, "rdma_cm");
		value_note(
			value,
			"module rdma_cm is not loaded (modprobe rdma_cm) or configfs not mounted");
		return 1;
	}
	if (!reader->os->privileged) {
		(void)nic_value_error(reader, have, knob, -EACCES, "rdma_cm");
		return 1;
	}
	r = reader->os->ops->make_dir(reader->os, path);
	if (r == 0 || r == -EEXIST)
		return 0;
	r = nic_value_error(reader, have, knob, r, "rdma_cm");
	return r < 0 ? r : 1;
}

int roce_cm_mode_read(struct nic_reader *reader, struct state *have)
{
	char path[OS_PATH_MAX], text[64], shown[48];
	int r;

	format_path(reader->nic, "default_roce_mode", path);
	r = os_read_text(reader->os, path, text, sizeof(text));
	if (r == -ENOENT) {
		r = need_group(reader, have, KNOB_CM_MODE);
		if (r != 0)
			return MIN(r, 0);
		r = os_read_text(reader->os, path, text, sizeof(text));
	}
	if (r < 0)
		return nic_value_error(reader, have, KNOB_CM_MODE, r, "default_roce_mode");
	for (uint32_t i = 0; i < ARRAY_SIZE(mode_texts); i++) {
		if (strcmp(text, mode_texts[i]) == 0) {
			nic_value_number(have, KNOB_CM_MODE, i);
			return 0;
		}
	}
	(void)nic_value_error(reader, have, KNOB_CM_MODE, -EBADMSG, "default_roce_mode");
	nic_printable(text, shown, sizeof(shown));
	value_note(&have->value[KNOB_CM_MODE], "default_roce_mode reads '%s'", shown);
	return 0;
}

int roce_cm_tos_read(struct nic_reader *reader, struct state *have)
{
	char path[OS_PATH_MAX];
	uint64_t tos;
	int r;

	format_path(reader->nic, "default_roce_tos", path);
	r = os_read_number(reader->os, path, TOS_MAX, &tos);
	if (r == -ENOENT) {
		r = need_group(reader, have, KNOB_CM_TOS);
		if (r != 0)
			return MIN(r, 0);
		r = os_read_number(reader->os, path, TOS_MAX, &tos);
	}
	if (r < 0)
		return nic_value_error(reader, have, KNOB_CM_TOS, r, "default_roce_tos");
	nic_value_number(have, KNOB_CM_TOS, (uint32_t)tos);
	return 0;
}

/* True if nothing is to be written: not managed, or as wanted already. */
static bool is_so(const struct nic_writer *writer, enum knob knob)
{
	const struct value *have = &writer->have->value[knob];

	return !nic_wants(writer->want, knob) ||
	       (have->status == VALUE_KNOWN &&
		have->data.number == writer->want->value[knob].data.number);
}

int roce_cm_mode_write(const struct nic_writer *writer, struct refusal *ret)
{
	uint32_t want = writer->want->value[KNOB_CM_MODE].data.number;
	char path[OS_PATH_MAX];

	if (is_so(writer, KNOB_CM_MODE))
		return 0;
	if (want >= ARRAY_SIZE(mode_texts))
		return nic_refuse(ret, -EINVAL, "no such mode");
	format_path(writer->nic, "default_roce_mode", path);
	return nic_written(os_write_text(writer->os, path, mode_texts[want]), NULL, ret);
}

int roce_cm_tos_write(const struct nic_writer *writer, struct refusal *ret)
{
	uint32_t want = writer->want->value[KNOB_CM_TOS].data.number;
	char path[OS_PATH_MAX], text[16];

	if (is_so(writer, KNOB_CM_TOS))
		return 0;
	if (want > TOS_MAX)
		return nic_refuse(ret, -EINVAL, "a ToS is 0 to %d", TOS_MAX);
	(void)snprintf(text, sizeof(text), "%u", want);
	format_path(writer->nic, "default_roce_tos", path);
	return nic_written(os_write_text(writer->os, path, text), NULL, ret);
}
