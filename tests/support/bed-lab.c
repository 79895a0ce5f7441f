// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The bed made of a real kernel: a simnic port with a soft-RoCE device on it, simib's attributes,
 * configfs. The tester's hand is in debugfs. Needs root, and a machine that may be broken.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/macro.h"
#include "lib/os/ethtool.h"
#include "lib/os/file.h"
#include "lib/os/link.h"
#include "lib/os/rdma.h"
#include "tests/support/bed-kind.h"

enum {
	NOBODY = 65534,
	MTU_DEFAULT = 1500,
	RPING_STEP_MS = 1000,
	RPING_STEPS = 30,
};

static int poke(struct bed *bed, const char *file, const char *text)
{
	char path[OS_PATH_MAX];

	(void)snprintf(path, sizeof(path), "/sys/kernel/debug/simnic/%s/%s", bed->ifname, file);
	return os_write_text(bed->os, path, text);
}

static int poke_rdma(struct bed *bed, const char *file, const char *text)
{
	char path[OS_PATH_MAX];

	(void)snprintf(path, sizeof(path), "/sys/kernel/debug/simib/%s/%s", bed->rdma, file);
	return os_write_text(bed->os, path, text);
}

static int reset_rdma(struct bed *bed)
{
	char path[OS_PATH_MAX];
	int r;

	r = poke_rdma(bed, "fault_tclass", "off");
	if (r < 0)
		return r;
	(void)snprintf(path, sizeof(path), "/sys/class/infiniband/%s/tc/1/traffic_class",
		       bed->rdma);
	r = os_write_text(bed->os, path, "-1");
	if (r < 0)
		return r;
	(void)snprintf(path, sizeof(path), "/sys/kernel/config/rdma_cm/%s/ports/1/default_roce_tos",
		       bed->rdma);
	r = os_write_text(bed->os, path, "0");
	return r == -ENOENT ? 0 : r;
}

static int lab_begin(struct bed *bed)
{
	static const char *const faults[] = { "fault_dcbx",    "fault_pause",	"fault_ets",
					      "fault_app",     "fault_pfc",	"fault_buffer",
					      "fault_maxrate", "fault_tunable", "fault_ecn" };
	struct os_error error;
	char path[OS_PATH_MAX];
	uint64_t ifindex;
	int r;

	r = os_linux_new(&bed->os);
	if (r < 0)
		return r;
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++) {
		r = poke(bed, faults[i], "off");
		if (r < 0)
			return r;
	}
	/* A reset brings everything back but this; it is what a driver load finds */
	if (!strcmp(bed->personality, "ice")) {
		r = os_private_flag_set(bed->os, bed->ifname, "fw-lldp-agent", true);
		if (r < 0)
			return r;
	}
	r = poke(bed, "reset", "0");
	if (r < 0)
		return r;
	r = poke(bed, "link_delay_ms", "700"); /* long enough to be seen */
	if (r < 0)
		return r;
	(void)snprintf(path, sizeof(path), "/sys/class/net/%s/ifindex", bed->ifname);
	r = os_read_number(bed->os, path, INT32_MAX, &ifindex);
	if (r < 0)
		return r;
	r = os_link_set_mtu(bed->os, (int)ifindex, MTU_DEFAULT, &error);
	return r < 0 ? r : reset_rdma(bed);
}

static int lab_fault(struct bed *bed, const char *object, enum bed_fault fault,
		     unsigned int argument)
{
	char file[64];
	char text[64];

	switch (fault) {
	case BED_BUSY:
		(void)snprintf(text, sizeof(text), "busy %u", argument);
		break;
	case BED_SILENT:
		(void)snprintf(text, sizeof(text), "silent");
		break;
	case BED_STATUS:
		(void)snprintf(text, sizeof(text), "errno %u", argument);
		break;
	case BED_CLAMP:
		(void)snprintf(text, sizeof(text), "clamp");
		break;
	}
	(void)snprintf(file, sizeof(file), "fault_%s", object);
	return strcmp(object, "tclass") ? poke(bed, file, text) : poke_rdma(bed, file, text);
}

static bool hw_has(struct bed *bed, const char *line)
{
	char path[OS_PATH_MAX];
	char text[OS_TEXT_MAX];

	(void)snprintf(path, sizeof(path), "/sys/kernel/debug/simnic/%s/hw", bed->ifname);
	return os_read_text(bed->os, path, text, sizeof(text)) >= 0 && strstr(text, line);
}

static bool lab_trusts_dscp(struct bed *bed)
{
	return hw_has(bed, "trust dscp");
}

static int lab_dscp_priority(struct bed *bed, unsigned int dscp)
{
	char line[64];

	for (int priority = 0; priority < 8; priority++) {
		(void)snprintf(line, sizeof(line), "\ndscp %u prio %d", dscp, priority);
		if (hw_has(bed, line))
			return priority;
	}
	return (int)dscp >> 3;
}

static int lab_reregister(struct bed *bed)
{
	char command[256];

	(void)snprintf(command, sizeof(command),
		       "rdma link del %s && rdma link add %s type rxe netdev %s", bed->rdma,
		       bed->rdma, bed->ifname);
	return system(command) == 0 ? 0 : -EIO;
}

static int lab_storm(struct bed *bed, unsigned int priority, const char *counter)
{
	char text[16];

	(void)snprintf(text, sizeof(text), "%u", priority);
	return poke(bed, "pause_storm", text);
}

static pid_t spawn(const char *command)
{
	pid_t pid = fork();

	if (pid == 0) {
		(void)execl("/bin/sh", "sh", "-c", command, NULL);
		_exit(EXIT_FAILURE);
	}
	return pid;
}

static bool has_user(struct bed *bed)
{
	struct os_qps qps = {};
	bool found = false;

	if (os_qp_dump(bed->os, &qps) < 0)
		return false;
	for (size_t i = 0; i < qps.n; i++)
		found |= qps.list[i].user && !strcmp(qps.list[i].rdma, bed->rdma);
	os_qps_done(&qps);
	return found;
}

/* rping from one end of the wire to the other, with the addresses of guest/lib.sh. It does not end
 * by itself, but for a client that comes before its server listens. */
static int lab_use_rdma(struct bed *bed, bool use)
{
	static pid_t pid[2];

	if (use) {
		fflush(stdout);
		pid[0] = spawn("exec rping -s -a 10.9.0.2 > /dev/null 2>&1");
		for (int i = 0; i < RPING_STEPS && !has_user(bed); i++) {
			if (!pid[1] || waitpid(pid[1], NULL, WNOHANG) == pid[1])
				pid[1] = spawn("exec rping -c -a 10.9.0.2 -I 10.9.0.1 -C 1000000"
					       " > /dev/null 2>&1");
			bed->os->ops->sleep_ms(bed->os, RPING_STEP_MS);
		}
		return has_user(bed) ? 0 : -ETIMEDOUT;
	}
	for (size_t i = ARRAY_SIZE(pid); i-- > 0;) {
		if (pid[i] <= 0)
			continue;
		(void)kill(pid[i], SIGKILL);
		(void)waitpid(pid[i], NULL, 0);
		pid[i] = 0;
	}
	return 0;
}

/* In a child, so that the sockets are opened without rights too. */
static int lab_as_user(struct bed *bed, int (*call)(struct bed *bed))
{
	struct bed user = *bed;
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		return -errno;
	if (pid == 0) {
		if (setgid(NOBODY) < 0 || setuid(NOBODY) < 0 || os_linux_new(&user.os) < 0)
			_exit(UINT8_MAX);
		_exit(-call(&user));
	}
	if (waitpid(pid, &status, 0) < 0)
		return -errno;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EIO;
}

const struct bed_kind bed_lab = {
	.begin = lab_begin,
	.fault = lab_fault,
	.trusts_dscp = lab_trusts_dscp,
	.dscp_priority = lab_dscp_priority,
	.reregister = lab_reregister,
	.storm = lab_storm,
	.use_rdma = lab_use_rdma,
	.as_user = lab_as_user,
};
