// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * lldpad writes its own idea of PFC, ETS and APP on each link event (intel/openlldp
 * lldp_8021qaz.c), so people should know of it before the first write. Reads /proc only.
 */
#include "lib/node/rival.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "lib/os/file.h"

struct rival {
	struct os *os;
	char pid[16];
};

static int look_at(const char *name, void *data)
{
	struct rival *rival = data;
	char path[OS_PATH_MAX], comm[OS_NAME_MAX];

	if (!isdigit((unsigned char)*name) || strlen(name) >= sizeof(rival->pid))
		return 0;
	(void)snprintf(path, sizeof(path), "/proc/%s/comm", name);
	if (os_read_text(rival->os, path, comm, sizeof(comm)) < 0 || strcmp(comm, "lldpad") != 0)
		return 0;
	(void)snprintf(rival->pid, sizeof(rival->pid), "%s", name);
	return 1;
}

bool rival_process(struct os *os, char *pid, size_t size)
{
	struct rival rival = { .os = os };

	if (os->ops->list(os, "/proc", look_at, &rival) <= 0)
		return false;
	(void)snprintf(pid, size, "%s", rival.pid);
	return true;
}

void rival_find(struct os *os, char *text, size_t size)
{
	char pid[16];

	*text = '\0';
	if (!rival_process(os, pid, sizeof(pid)))
		return;
	(void)snprintf(text, size,
		       "lldpad is running (process %s) and overwrites DCB settings: stop it, or "
		       "set up its TLVs for "
		       "these ports",
		       pid);
}
