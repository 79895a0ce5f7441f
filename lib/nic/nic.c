// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The NIC provider: finds out whether a target still is what its names say, and hands its objects
 * to the files that own them. It keeps no state but the seam: what is true is in the kernel.
 */
#include "lib/nic/nic.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/nic/map.h"
#include "lib/nic/object.h"
#include "lib/os/rdma.h"

/* Set all knobs of the object to a status that needs no look at the device. */
static void say_of_object(struct state *have, enum object object, enum value_status status,
			  const char *note)
{
	for (enum knob knob = 0; knob < KNOB_MAX; knob++) {
		if (knob_table[knob].object != object ||
		    knob_table[knob].target != have->target.kind)
			continue;
		have->value[knob].status = status;
		value_note(&have->value[knob], "%s", note);
	}
}

static void forget_object(struct state *have, enum object object)
{
	for (enum knob knob = 0; knob < KNOB_MAX; knob++)
		if (knob_table[knob].object == object)
			have->value[knob] = (struct value){};
}

static int read_object(struct nic_reader *reader, enum object object, struct state *have)
{
	const struct nic *nic = reader->nic;
	char note[VALUE_NOTE_MAX];

	forget_object(have, object);
	if (nic->link_layer == LINK_LAYER_INFINIBAND) {
		say_of_object(have, object, VALUE_NOT_APPLICABLE, "is InfiniBand");
		return 0;
	}
	if (nic->vf && nic_object_ops[object].of_port) {
		(void)snprintf(note, sizeof(note), "inherited from PF %s", nic->pf);
		say_of_object(have, object, VALUE_NOT_APPLICABLE, note);
		return 0;
	}
	return nic_object_ops[object].read(reader, have);
}

static bool wants_object(const struct state *want, enum object object)
{
	for (enum knob knob = 0; knob < KNOB_MAX; knob++)
		if (knob_table[knob].object == object &&
		    want->value[knob].status != VALUE_UNMANAGED)
			return true;
	return false;
}

static int reader_init(struct nic_reader *reader, struct os *os, const struct target *target)
{
	reader->os = os;
	reader->nic = &target->nic;
	reader->driver = driver_find(target->nic.driver);
	reader->dcb_result = 1;
	if (target->kind == TARGET_PORT)
		return map_check(os, &target->nic, false, &reader->link);
	reader->link = (struct os_link){};
	return map_check(os, &target->nic, true, NULL);
}

static int nic_observe(struct provider *provider, const struct target *target,
		       const struct state *want, struct state *have)
{
	struct nic_reader reader;
	int r;

	r = reader_init(&reader, provider->data, target);
	if (r < 0)
		return r;
	for (enum object object = 0; object < OBJECT_MAX; object++) {
		if (!wants_object(want, object))
			continue;
		r = read_object(&reader, object, have);
		if (r < 0)
			return r;
	}
	return 0;
}

static int nic_read(struct provider *provider, const struct target *target, enum object object,
		    struct state *have)
{
	struct nic_reader reader;
	int r;

	r = reader_init(&reader, provider->data, target);
	if (r < 0)
		return r;
	return read_object(&reader, object, have);
}

static int nic_write(struct provider *provider, const struct target *target,
		     const struct change *change, const struct state *want,
		     const struct state *have, struct refusal *ret)
{
	const struct nic_object_ops *ops = &nic_object_ops[change->object];
	struct nic_writer writer = {
		.os = provider->data,
		.nic = &target->nic,
		.driver = driver_find(target->nic.driver),
		.op = change->op,
		.parts = change->parts,
		.want = want,
		.have = have,
	};
	int r;

	*ret = (struct refusal){};
	if (!ops->write)
		return nic_refuse(ret, -EOPNOTSUPP, "%s cannot be written",
				  object_table[change->object].name);
	if (target->nic.link_layer == LINK_LAYER_INFINIBAND)
		return nic_refuse(ret, -EOPNOTSUPP, "is InfiniBand");
	if (target->nic.vf && ops->of_port)
		return nic_refuse(ret, -EOPNOTSUPP, "inherited from PF %s", target->nic.pf);
	r = map_check(writer.os, &target->nic, target->kind == TARGET_RDMA, &writer.link);
	if (r == -ENODEV)
		return nic_refuse(ret, r, "%s is gone or another device by now", target->name);
	if (r < 0)
		return nic_written(r, NULL, ret);
	return ops->write(&writer, ret);
}

static int nic_in_use(struct provider *provider, const struct target *target)
{
	_cleanup_(os_qps_done) struct os_qps qps = {};
	int r;

	r = os_qp_dump(provider->data, &qps);
	if (r < 0)
		return r;
	for (size_t i = 0; i < qps.n; i++)
		if (qps.list[i].user &&
		    (!target || strcmp(qps.list[i].rdma, target->nic.rdma) == 0))
			return 1;
	return 0;
}

static int nic_carrier(struct provider *provider, const struct target *target)
{
	struct os_link link;
	int r;

	r = os_link_get(provider->data, target->nic.ifindex, &link);
	return r < 0 ? r : link.carrier;
}

static int64_t nic_now_ms(struct provider *provider)
{
	struct os *os = provider->data;

	return os->ops->now_ms(os);
}

static void nic_sleep_ms(struct provider *provider, unsigned int ms)
{
	struct os *os = provider->data;

	os->ops->sleep_ms(os, ms);
}

static int nic_probe(struct provider *provider, const struct target *target)
{
	return nic_write_probe(provider->data, &target->nic);
}

static const struct provider_ops provider_ops = {
	.observe = nic_observe,
	.read = nic_read,
	.write = nic_write,
	.in_use = nic_in_use,
	.probe = nic_probe,
	.carrier = nic_carrier,
	.now_ms = nic_now_ms,
	.sleep_ms = nic_sleep_ms,
};

void nic_provider_init(struct provider *provider, struct os *os)
{
	*provider = (struct provider){ .ops = &provider_ops, .data = os };
}

static int probe(struct os *os, const char *path)
{
	int handle;

	handle = os->ops->open(os, path, O_WRONLY);
	if (handle >= 0) {
		(void)os->ops->close(os, handle);
		return 0;
	}
	if (handle == -EPERM)
		return -EACCES;
	return handle == -EROFS || handle == -EACCES ? handle : 0;
}

int nic_write_probe(struct os *os, const struct nic *nic)
{
	char path[OS_PATH_MAX];
	int r;

	(void)snprintf(path, sizeof(path),
		       "/sys/kernel/config/rdma_cm/%s/ports/%u/default_roce_tos", nic->rdma,
		       nic->rdma_port);
	r = probe(os, path);
	if (r < 0)
		return r;
	(void)snprintf(path, sizeof(path), "/sys/class/infiniband/%s/tc/%u/traffic_class",
		       nic->rdma, nic->rdma_port);
	r = probe(os, path);
	if (r < 0 || !*nic->name)
		return r;
	/* Never written, so that rights to it do not matter; it stands for the file system */
	(void)snprintf(path, sizeof(path), "/sys/class/net/%s/mtu", nic->name);
	return probe(os, path) == -EROFS ? -EROFS : 0;
}
