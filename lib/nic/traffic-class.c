// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The traffic class that the driver forces on queue pairs: sysfs
 * infiniband/DEVICE/tc/PORT/traffic_class, which only MLNX_OFED and DOCA-OFED have. Mirrors
 * drivers/infiniband/hw/mlx5/main_ext.c of OFED 24.07 (traffic_class_show, traffic_class_store). It
 * reads "Global tclass=106" and a line for each rule of single flows, and takes "106" or "-1".
 */
#include "lib/nic/traffic-class.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/nic/object.h"
#include "lib/os/file.h"

static const char global_prefix[] = "Global tclass=";
static const char rule_word[] = "tclass=";

enum { NUMBER_MAX = 255 };

/* One to three digits and nothing else. */
static int parse_number(const char *text, size_t size, uint32_t *ret)
{
	uint32_t number = 0;

	if (size == 0 || size > 3)
		return -EBADMSG;
	for (size_t i = 0; i < size; i++) {
		if (text[i] < '0' || text[i] > '9')
			return -EBADMSG;
		number = 10 * number + (uint32_t)(text[i] - '0');
	}
	if (number > NUMBER_MAX)
		return -EBADMSG;
	*ret = number;
	return 0;
}

static int parse_line(const char *line, size_t size, struct traffic_class *class)
{
	size_t prefix = sizeof(global_prefix) - 1;

	if (size == 0)
		return 0;
	if (size >= prefix && memcmp(line, global_prefix, prefix) == 0) {
		if (class->set)
			return -EBADMSG;
		class->set = true;
		return parse_number(line + prefix, size - prefix, &class->number);
	}
	if (!memmem(line, size, rule_word, sizeof(rule_word) - 1))
		return -EBADMSG;
	class->n_rules++;
	return 0;
}

int traffic_class_parse(const char *text, size_t size, struct traffic_class *ret)
{
	const char *end = text + size, *newline;
	struct traffic_class class = {};
	int r;

	while (text < end) {
		newline = memchr(text, '\n', (size_t)(end - text));
		if (!newline)
			newline = end;
		r = parse_line(text, (size_t)(newline - text), &class);
		if (r < 0)
			return r;
		text = newline < end ? newline + 1 : end;
	}
	*ret = class;
	return 0;
}

static void format_path(const struct nic *nic, char path[OS_PATH_MAX])
{
	(void)snprintf(path, OS_PATH_MAX, "/sys/class/infiniband/%s/tc/%u/traffic_class", nic->rdma,
		       nic->rdma_port);
}

int traffic_class_read(struct nic_reader *reader, struct state *have)
{
	struct value *value = &have->value[KNOB_TRAFFIC_CLASS];
	char path[OS_PATH_MAX], text[OS_TEXT_MAX + 1], shown[48];
	struct traffic_class class;
	int r;

	format_path(reader->nic, path);
	r = os_read_text(reader->os, path, text, sizeof(text));
	if (r == -ENOENT) {
		nic_driver_words(reader->driver, shown, sizeof(shown));
		nic_value_unsupported(have, KNOB_TRAFFIC_CLASS, "%s has no such attribute", shown);
		return 0;
	}
	if (r < 0)
		return nic_value_error(reader, have, KNOB_TRAFFIC_CLASS, r, "traffic_class");
	r = traffic_class_parse(text, (size_t)r, &class);
	if (r < 0) {
		(void)nic_value_error(reader, have, KNOB_TRAFFIC_CLASS, r, "traffic_class");
		nic_printable(text, shown, sizeof(shown));
		value_note(value, "traffic_class reads '%s'", shown);
		return 0;
	}
	value->status = VALUE_KNOWN;
	value->data.optional.set = class.set;
	value->data.optional.number = class.number;
	if (class.n_rules > 0)
		value_note(value, "%u per-flow override%s", class.n_rules,
			   class.n_rules == 1 ? "" : "s");
	return 0;
}

int traffic_class_write(const struct nic_writer *writer, struct refusal *ret)
{
	const struct value *want = &writer->want->value[KNOB_TRAFFIC_CLASS];
	const struct value *have = &writer->have->value[KNOB_TRAFFIC_CLASS];
	char path[OS_PATH_MAX], text[16] = "-1";

	if (!nic_wants(writer->want, KNOB_TRAFFIC_CLASS))
		return 0;
	if (have->status == VALUE_KNOWN && value_equal(&knob_table[KNOB_TRAFFIC_CLASS], want, have))
		return 0;
	if (want->data.optional.set) {
		if (want->data.optional.number > NUMBER_MAX)
			return nic_refuse(ret, -EINVAL, "a traffic class is 0 to %d", NUMBER_MAX);
		(void)snprintf(text, sizeof(text), "%u", want->data.optional.number);
	}
	format_path(writer->nic, path);
	return nic_written(os_write_text(writer->os, path, text), NULL, ret);
}
