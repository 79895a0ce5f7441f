// SPDX-License-Identifier: LGPL-2.1-or-later
/* Checks of the node as a whole. Sources stand in the table of doctor.c. */
#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "lib/nic/nic.h"
#include "lib/node/doctor-private.h"
#include "lib/node/rival.h"
#include "lib/os/file.h"

/* ---- other owners ---- */

void doctor_lldpad(struct doctor *doctor)
{
	char pid[16];
	int r = rival_process(doctor->os, pid, sizeof(pid));

	if (r < 0)
		doctor_unknown(doctor, "", "/proc", r);
	else if (r > 0)
		doctor_say(
			doctor, HEALTH_PROBLEM, "",
			"lldpad is running (process %s) and overwrites PFC, ETS and the DSCP map",
			pid);
	else
		doctor_say(doctor, HEALTH_GOOD, "", "is not running");
}

struct script {
	struct doctor *doctor;
	const char *path;
};

static int take_line(const char *line, void *data)
{
	const struct script *script = data;

	/* A comment is no command */
	line += strspn(line, " \t");
	if (*line == '#' || *line == ';')
		return 0;
	doctor_say(script->doctor, HEALTH_NOTICE, "", "%s has '%.*s'", script->path, 100, line);
	if (strstr(line, "bnxt_setupcc"))
		doctor_cure(script->doctor,
			    "keep of it only what losslessd cannot write (CNP), without PFC, DSCP "
			    "and ETS: those the fabric file declares");
	return 0;
}

static void look_into(struct doctor *doctor, const char *path)
{
	struct script script = { doctor, path };
	int r = rival_lines(doctor->os, path, take_line, &script);

	if (r < 0 && r != -ENOENT && r != -ENOTDIR && r != -EISDIR)
		doctor_unknown(doctor, "", path, r);
}

static int look_at_unit(const char *name, void *data)
{
	char path[OS_PATH_MAX];
	int length;

	length = snprintf(path, sizeof(path), "/etc/systemd/system/%s", name);
	if (fnmatch("*.service", name, 0) != 0)
		return 0;
	if (length < (int)sizeof(path))
		look_into(data, path);
	else
		doctor_unknown(data, "", "a unit in /etc/systemd/system", -ENAMETOOLONG);
	return 0;
}

void doctor_scripts(struct doctor *doctor)
{
	size_t before = doctor->diagnoses->n;
	int r;

	r = doctor->os->ops->list(doctor->os, "/etc/systemd/system", look_at_unit, doctor);
	if (r < 0 && r != -ENOENT)
		doctor_unknown(doctor, "", "/etc/systemd/system", r);
	look_into(doctor, "/etc/rc.local");
	look_into(doctor, "/etc/infiniband/post-start-hook.sh");
	if (doctor->diagnoses->n == before)
		doctor_say(doctor, HEALTH_GOOD, "", "none found");
}

/* ---- where settings are written ---- */

void doctor_rdma_cm(struct doctor *doctor)
{
	if (!doctor->inventory->n)
		return;
	if (os_exists(doctor->os, "/sys/kernel/config/rdma_cm"))
		doctor_say(doctor, HEALTH_GOOD, "", "its folder in configfs is there");
	else if (os_exists(doctor->os, "/sys/module/rdma_cm"))
		doctor_say(doctor, HEALTH_PROBLEM, "",
			   "rdma_cm is loaded, and configfs is not mounted here: RDMA-CM's ToS "
			   "cannot be set");
	else
		doctor_say(doctor, HEALTH_PROBLEM, "",
			   "rdma_cm is not loaded: RDMA-CM's ToS cannot be set");
}

void doctor_sysfs(struct doctor *doctor)
{
	const struct nic *nic;
	size_t at = 0;

	while ((nic = doctor_next(doctor, &at))) {
		int r = nic_write_probe(doctor->os, nic);

		if (r == 0)
			doctor_say(doctor, HEALTH_GOOD, doctor_name(nic), "can be written");
		else if (r == -EACCES && !doctor->os->privileged)
			doctor_say(doctor, HEALTH_NOT_APPLICABLE, doctor_name(nic),
				   "only root and losslessd write");
		else
			doctor_say(doctor, HEALTH_PROBLEM, doctor_name(nic),
				   r == -EROFS ?
					   "sysfs is read-only here" :
					   "root may not write: SELinux or AppArmor forbids it");
	}
}

void doctor_lockdown(struct doctor *doctor)
{
	char text[OS_NAME_MAX];
	int r;

	r = os_read_text(doctor->os, "/sys/kernel/security/lockdown", text, sizeof(text));
	if (r == -ENOENT)
		doctor_say(doctor, HEALTH_NOT_APPLICABLE, "",
			   "this kernel has none, or securityfs is not mounted");
	else if (r < 0)
		doctor_unknown(doctor, "", "lockdown", r);
	else if (strstr(text, "[none]"))
		doctor_say(doctor, HEALTH_GOOD, "", "off");
	else
		doctor_say(
			doctor, HEALTH_NOTICE, "",
			"on (%s): congestion settings in debugfs and registers of NICs cannot be "
			"reached",
			strstr(text, "[confidentiality]") ? "confidentiality" : "integrity");
}

/* ---- memory ---- */

void doctor_memlock(struct doctor *doctor)
{
	static const char key[] = "Max locked memory";
	char text[OS_TEXT_MAX], soft[OS_NAME_MAX];
	const char *line;
	int r;

	if (!doctor->inventory->n)
		return;
	r = os_read_text(doctor->os, "/proc/self/limits", text, sizeof(text));
	line = r < 0 ? NULL : strstr(text, key);
	if (r < 0)
		doctor_unknown(doctor, "", "the limit", r);
	else if (!line || sscanf(line + sizeof(key) - 1, "%63s", soft) != 1)
		doctor_unknown(doctor, "", "the limit", -ENODATA);
	else if (strcmp(soft, "unlimited") == 0)
		doctor_say(doctor, HEALTH_GOOD, "", "unlimited for this process");
	else
		doctor_say(doctor, HEALTH_NOTICE, "",
			   "%s bytes for this process: RDMA programs of plain users pin more",
			   soft);
}

/* ---- the fabric file ---- */

void doctor_file(struct doctor *doctor)
{
	const struct pass *asked = doctor->asked;

	if (!asked) {
		doctor_say(doctor, HEALTH_NOTICE, "", "no fabric file is in force");
		doctor_cure(doctor, "write /etc/losslessd/fabric.yaml, or name one with -f");
	} else if (asked->exit == STATUS_SPEC) {
		doctor_say(doctor, HEALTH_PROBLEM, "", "the fabric file is refused");
		(void)snprintf(doctor->diagnoses->of_file, DIAGNOSIS_TEXT_MAX,
			       "losslessctl check %s says why", doctor->question->file);
		doctor_cure(doctor, doctor->diagnoses->of_file);
	} else if (*asked->trouble && doctor->inventory->n) {
		doctor_say(doctor, HEALTH_PROBLEM, "", "%s", asked->trouble);
		doctor_cure(doctor, NULL);
	} else if (*asked->trouble) {
		return; /* of a node without RDMA enough was said */
	} else if (asked->exit == STATUS_OK) {
		doctor_say(doctor, HEALTH_GOOD, "", "the node is as it declares");
	} else {
		doctor_say(doctor, HEALTH_PROBLEM, "", "the node is not as it declares: %s",
			   asked->exit == STATUS_DRIFT ? "something is to be changed" :
							 "something cannot be, or cannot be told");
		if (asked->exit != STATUS_DRIFT || !asked->plan.n_steps)
			doctor_cure(doctor, "losslessctl status says what");
	}
}
