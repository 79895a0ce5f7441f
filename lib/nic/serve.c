// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The privileged worker's work. Trusts of a request nothing but that it names a device: what the
 * device is, it finds out itself, and what is written goes through the same hooks as without a
 * worker.
 */
#include "lib/nic/serve.h"

#include <errno.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/nic/kill.h"
#include "lib/nic/nic.h"
#include "lib/nic/object.h"

enum { LOOPBACK_IFINDEX = 1 }; /* in every namespace: include/net/flow.h */

struct job {
	struct os *os;
	struct provider provider;
	struct wire_call call;
	struct state have;
	bool is_read; /* .have is what the object is */
	struct refusal refusal;
};

/* ---- which device ---- */

static bool fits(const struct nic *nic, const struct nic *named)
{
	return nic->ifindex == named->ifindex && nic->rdma_port == named->rdma_port &&
	       strcmp(nic->name, named->name) == 0 && strcmp(nic->rdma, named->rdma) == 0 &&
	       strcmp(nic->pci, named->pci) == 0;
}

static const struct nic *find(const struct nic *list, size_t n, const struct nic *named)
{
	for (size_t i = 0; i < n; i++)
		if (fits(&list[i], named))
			return &list[i];
	return NULL;
}

/* A bond has its slaves' link layer; InfiniBand below it is not ours. */
static bool is_ethernet(const struct inventory *inventory, const struct nic *nic)
{
	for (size_t i = 0; i < inventory->n; i++)
		if (inventory->list[i].link_layer == LINK_LAYER_INFINIBAND &&
		    nic_gives_to(nic, &inventory->list[i]))
			return false;
	return nic->link_layer == LINK_LAYER_ETHERNET;
}

/* A bond and a VLAN have an MTU, and a bond may have the RDMA device of its slaves. */
static bool may_be_stacked(const struct wire_call *call)
{
	return object_table[call->change.object].stacked || call->target.kind == TARGET_RDMA;
}

static int resolve(struct job *job)
{
	_cleanup_(inventory_done) struct inventory inventory = {};
	struct target *target = &job->call.target;
	const struct nic *nic;
	int r;

	if (target->nic.ifindex == LOOPBACK_IFINDEX || strcmp(target->nic.name, "lo") == 0)
		return nic_refuse(&job->refusal, -EPERM, "loopback is not ours");
	r = nic_inventory(job->os, &inventory);
	if (r < 0)
		return nic_refuse(&job->refusal, r, "the devices cannot be listed");
	nic = find(inventory.list, inventory.n, &target->nic);
	if (!nic && may_be_stacked(&job->call))
		nic = find(inventory.stacked.list, inventory.stacked.n, &target->nic);
	if (!nic)
		return nic_refuse(&job->refusal, -ENODEV,
				  "%s is gone, another device by now, or has no RDMA device",
				  target->name);
	if (!is_ethernet(&inventory, nic))
		return nic_refuse(&job->refusal, -EOPNOTSUPP, "is InfiniBand");
	target->nic = *nic;
	return 0;
}

/* ---- compare and set ---- */

static int read_object(struct job *job)
{
	const struct target *target = &job->call.target;
	int r;

	job->have = (struct state){ .target = *target };
	r = job->provider.ops->read(&job->provider, target, job->call.change.object, &job->have);
	job->is_read = r >= 0;
	if (r == -ENODEV)
		return nic_refuse(&job->refusal, r, "%s is gone or another device by now",
				  target->name);
	return r < 0 ? nic_written(r, NULL, &job->refusal) : 0;
}

/* All that can be known is as wanted, and something is. */
static bool is_reached(const struct job *job)
{
	const struct wire_call *call = &job->call;
	bool known = false;

	for (enum knob knob = 0; knob < KNOB_MAX; knob++) {
		if (!nic_wants(&call->want, knob) || job->have.value[knob].status != VALUE_KNOWN)
			continue;
		if (!change_reached(&call->change, knob, &call->want.value[knob],
				    &job->have.value[knob]))
			return false;
		known = true;
	}
	return known;
}

static bool is_expected(const struct job *job)
{
	const struct wire_call *call = &job->call;

	for (enum knob knob = 0; knob < KNOB_MAX; knob++)
		if (nic_wants(&call->want, knob) &&
		    !change_expected(&call->change, knob, &call->expect.value[knob],
				     &job->have.value[knob]))
			return false;
	return true;
}

/* The plan has said so already; a request need not come from a plan. */
static bool is_writable(const struct job *job)
{
	return !object_table[job->call.change.object].dcb ||
	       driver_find(job->call.target.nic.driver)->writes_dcb;
}

static int compare_and_set(struct job *job)
{
	const struct wire_call *call = &job->call;
	int r;

	if (is_reached(job))
		return 0;
	if (!is_expected(job))
		return nic_refuse(&job->refusal, -ESTALE, "changed by somebody else meanwhile");
	if (!is_writable(job))
		return nic_refuse(&job->refusal, -EOPNOTSUPP,
				  "how its driver takes DCB settings is not known");
	nic_kill_before_write();
	r = job->provider.ops->write(&job->provider, &call->target, &call->change, &call->want,
				     &job->have, &job->refusal);
	if (r > 0)
		nic_kill_after_write();
	return r;
}

/* What the object is now, whatever became of the write; its refusal is what is told. */
static void read_back(struct job *job)
{
	const struct refusal refusal = job->refusal;

	if (read_object(job) < 0)
		for (enum knob knob = 0; knob < KNOB_MAX; knob++)
			job->have.value[knob] = (struct value){ .status = VALUE_UNREADABLE,
								.error = job->refusal.error };
	job->is_read = true;
	job->refusal = refusal;
}

static int carry_out(struct job *job)
{
	int r;

	r = resolve(job);
	if (r < 0)
		return r;
	if (job->call.verb == WIRE_PROBE) {
		r = nic_write_probe(job->os, &job->call.target.nic);
		return r < 0 ? nic_refuse(&job->refusal, r, "cannot be written") : 0;
	}
	r = read_object(job);
	if (r < 0 || job->call.verb == WIRE_READ)
		return r;
	r = compare_and_set(job);
	if (r != 0 && r != -ESTALE)
		read_back(job);
	return r;
}

int nic_serve(struct os *os, const void *data, size_t size, struct wire_reply *ret)
{
	struct job job = { .os = os };
	const char *why;
	int r;

	nic_provider_init(&job.provider, os);
	r = wire_request_decode(data, size, &job.call, &why);
	if (r < 0) {
		(void)nic_refuse(&job.refusal, r, "%s", why);
		wire_reply_encode(job.call.id, r, &job.refusal, 0, NULL, ret);
		return r;
	}
	r = carry_out(&job);
	wire_reply_encode(job.call.id, r, &job.refusal, job.call.change.object,
			  job.is_read ? &job.have : NULL, ret);
	return 0;
}
