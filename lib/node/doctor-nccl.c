// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Check of what NCCL is told. The environment wins over a file, and the first line of a file over
 * those behind it (NCCL src/misc/param.cc: setenv without overwriting). Files of users are theirs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/nic/counters.h"
#include "lib/node/doctor-private.h"
#include "lib/node/nccl.h"
#include "lib/os/file.h"

#define CONF "/etc/nccl.conf"

struct told {
	struct doctor *doctor;
	struct nccl_env right; /* what it should be told */
	bool has_right;
	char conf[OS_TEXT_MAX];
	size_t wrong;
};

/* Is this NAME=VALUE? The value ends with the line. */
static bool is_of(const char *line, const char *name, char *ret, size_t size)
{
	size_t length = strlen(name);

	if (strncmp(line, name, length) != 0 || line[length] != '=')
		return false;
	line += length + 1;
	(void)snprintf(ret, size, "%.*s", (int)strcspn(line, "\n"), line);
	return true;
}

static bool find_line(const char *lines, const char *name, char *ret, size_t size)
{
	while (*lines) {
		if (is_of(lines, name, ret, size))
			return true;
		lines += strcspn(lines, "\n");
		lines += *lines == '\n';
	}
	return false;
}

/* Where it is set, NULL if it is not. */
static const char *find(const struct told *told, const char *name, char *ret, size_t size)
{
	const char *const *environment = told->doctor->question->environment;

	for (; environment && *environment; environment++)
		if (is_of(*environment, name, ret, size))
			return "the environment";
	return find_line(told->conf, name, ret, size) ? CONF : NULL;
}

static void say_wrong(struct told *told, const char *name, const char *value, const char *place,
		      const char *why)
{
	doctor_say(told->doctor, HEALTH_PROBLEM, "", "%s=%.40s in %s: %s", name, value, place, why);
	told->wrong++;
}

/* Numbers as strtoll reads them: 0x6a is 106. */
static bool same_number(const char *a, const char *b)
{
	return strtoll(a, NULL, 0) == strtoll(b, NULL, 0);
}

/* With MLNX_OFED's attribute verbs programs get the ToS whatever they ask for. */
static bool tos_is_forced(const struct doctor *doctor)
{
	const struct nic *nic;
	size_t at = 0;

	while ((nic = doctor_next_rdma(doctor, &at)))
		if (!doctor_want(doctor, TARGET_RDMA, nic->rdma, KNOB_TRAFFIC_CLASS) ||
		    states_find(&doctor->pass->found, TARGET_RDMA, nic->rdma)
				    ->value[KNOB_TRAFFIC_CLASS]
				    .status != VALUE_KNOWN)
			return false;
	return true;
}

static void check_tc(struct told *told)
{
	const struct nccl_setting *right =
		told->has_right ? nccl_env_find(&told->right, "NCCL_IB_TC") : NULL;
	char value[64], why[96];
	const char *place;

	if (!right)
		return;
	place = find(told, right->name, value, sizeof(value));
	if (!place && !tos_is_forced(told->doctor)) {
		doctor_say(told->doctor, HEALTH_PROBLEM, "",
			   "NCCL_IB_TC is not set: NCCL sends with ToS 0, and the file wants %s",
			   right->value);
		told->wrong++;
	} else if (place && !same_number(value, right->value)) {
		(void)snprintf(why, sizeof(why), "the file wants %.16s", right->value);
		say_wrong(told, right->name, value, place, why);
	}
}

/* NCCL uses what it is pointed to: any routed RoCE v2 GID does, not just the one that is best. */
static bool is_routed_v2(struct os *os, const struct nic *nic, long long index)
{
	_cleanup_(gids_done) struct gids gids = {};

	(void)nic_gids_read(os, nic, &gids);
	for (size_t i = 0; i < gids.n; i++)
		if (gids.list[i].index == index)
			return gid_is_routed_v2(&gids.list[i]);
	return false;
}

/* A pinned index has to be right on every device. */
static void check_index(struct told *told)
{
	static const char name[] = "NCCL_IB_GID_INDEX";
	struct doctor *doctor = told->doctor;
	const struct states *want = doctor->pass ? &doctor->pass->desired.states : NULL;
	char value[64], why[NAME_MAX_BYTES + 64];
	const struct nic *nic, *vlan;
	struct gid_choice best;
	long long index;
	const char *place;
	size_t at = 0;

	place = find(told, name, value, sizeof(value));
	index = place ? strtoll(value, NULL, 0) : -1;
	if (index < 0)
		return;
	while ((nic = doctor_next_rdma(doctor, &at))) {
		if (nic->vf ||
		    nccl_gid_find(doctor->os, doctor->inventory, want, nic, &best, &vlan) < 0 ||
		    best.rank < GID_RANK_GLOBAL || is_routed_v2(doctor->os, nic, index))
			continue;
		(void)snprintf(why, sizeof(why), "%s has its RoCE v2 GID at index %u", nic->rdma,
			       best.index);
		say_wrong(told, name, value, place, why);
		return;
	}
}

/* @port: NULL for any; what stands there is read as NCCL's atoi() does. */
static bool has_device(const struct doctor *doctor, const char *name, size_t length, bool exact,
		       const char *port)
{
	for (size_t i = 0; i < doctor->inventory->n; i++) {
		const struct nic *nic = &doctor->inventory->list[i];

		if (strncmp(nic->rdma, name, length) == 0 && (!exact || !nic->rdma[length]) &&
		    (!port || strtol(port, NULL, 10) == (long)nic->rdma_port))
			return true;
	}
	return false;
}

/* Of a NAME or NAME:PORT at @at how much is not there, 0: all of it is. */
static size_t missing(const struct doctor *doctor, const char *at, bool exact)
{
	size_t length = strcspn(at, ","), device = strcspn(at, ",:");

	if (!device)
		return 0;
	if (!has_device(doctor, at, device, exact, NULL))
		return device;
	if (device < length && !has_device(doctor, at, device, exact, at + device + 1))
		return length;
	return 0;
}

/* NCCL leaves out what it does not find, without a word: names here that are none. */
static void check_hca(struct told *told)
{
	static const char name[] = "NCCL_IB_HCA";
	char value[NCCL_VALUE_MAX], why[NAME_MAX_BYTES + 64];
	const char *place, *at = value;
	bool exact;

	place = find(told, name, value, sizeof(value));
	if (!place || *value == '^')
		return;
	exact = *at == '=';
	at += exact;
	while (*at) {
		size_t length = strcspn(at, ","), lacks = missing(told->doctor, at, exact);

		if (lacks) {
			(void)snprintf(why, sizeof(why), "there is no %.*s here",
				       (int)MIN(lacks, (size_t)NAME_MAX_BYTES), at);
			say_wrong(told, name, value, place, why);
			return;
		}
		at += length + (at[length] == ',');
	}
}

static void check_switch(struct told *told, const char *name, long long wrong, const char *why)
{
	const char *place;
	char value[64];

	place = find(told, name, value, sizeof(value));
	if (place && strtoll(value, NULL, 0) == wrong)
		say_wrong(told, name, value, place, why);
}

void doctor_nccl(struct doctor *doctor)
{
	_cleanup_free_ struct told *told = NULL;
	int r;

	if (!doctor->inventory->n)
		return;
	told = calloc(1, sizeof(*told));
	if (!told) {
		doctor->oom = true;
		return;
	}
	told->doctor = doctor;
	r = os_read_text(doctor->os, CONF, told->conf, sizeof(told->conf));
	if (r < 0 && r != -ENOENT) {
		doctor_unknown(doctor, "", CONF, r);
		return;
	}
	if (r < 0)
		told->conf[0] = '\0';
	told->has_right = doctor->pass && nccl_env_build(doctor->pass, &told->right) == 0;
	check_switch(told, "NCCL_IB_DISABLE", 1, "NCCL uses TCP");
	check_switch(told, "NCCL_IB_ROCE_VERSION_NUM", 1, "RoCE v1 is not routed and has no DSCP");
	check_tc(told);
	check_index(told);
	check_hca(told);
	if (!told->wrong)
		doctor_say(doctor, HEALTH_GOOD, "", "nothing of it is wrong");
}
