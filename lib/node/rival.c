// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * lldpad writes its own idea of PFC, ETS and APP on each link event (intel/openlldp
 * lldp_8021qaz.c), so people should know of it before the first write. Scripts do so at boot. Reads
 * /proc and the scripts.
 */
#include "lib/node/rival.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "lib/os/file.h"

struct rival {
	struct os *os;
	char pid[16];
	bool any; /* a name of any kind */
};

static int look_at(const char *name, void *data)
{
	struct rival *rival = data;
	char path[OS_PATH_MAX], comm[OS_NAME_MAX];

	rival->any = true;
	if (!isdigit((unsigned char)*name) || strlen(name) >= sizeof(rival->pid))
		return 0;
	(void)snprintf(path, sizeof(path), "/proc/%s/comm", name);
	if (os_read_text(rival->os, path, comm, sizeof(comm)) < 0 || strcmp(comm, "lldpad") != 0)
		return 0;
	(void)snprintf(rival->pid, sizeof(rival->pid), "%s", name);
	return 1;
}

int rival_process(struct os *os, char *pid, size_t size)
{
	struct rival rival = { .os = os };
	int r = os->ops->list(os, "/proc", look_at, &rival);

	if (r > 0)
		(void)snprintf(pid, size, "%s", rival.pid);
	/* Where it is not mounted there is an empty folder */
	return r == 0 && !rival.any ? -ENOENT : r;
}

void rival_find(struct os *os, char *text, size_t size)
{
	char pid[16];

	*text = '\0';
	if (rival_process(os, pid, sizeof(pid)) <= 0)
		return;
	(void)snprintf(text, size,
		       "lldpad is running (process %s) and overwrites DCB settings: stop it, or "
		       "set up its TLVs for "
		       "these ports",
		       pid);
}

/* ---- scripts and units ---- */

struct lines {
	int (*each)(const char *line, void *data);
	void *data;
	char line[OS_TEXT_MAX + 1];
	size_t n;
};

static int end_line(struct lines *lines)
{
	lines->line[lines->n] = '\0';
	lines->n = 0;
	return fnmatch("*@(" RIVAL_SCRIPTS ")*", lines->line, FNM_EXTMATCH) == 0 ?
		       lines->each(lines->line, lines->data) :
		       0;
}

static int take_byte(struct lines *lines, char c)
{
	if (c == '\n')
		return end_line(lines);
	if (lines->n < OS_TEXT_MAX && c != '\r')
		lines->line[lines->n++] = iscntrl((unsigned char)c) ? ' ' : c;
	return 0;
}

int rival_lines(struct os *os, const char *path, int (*each)(const char *line, void *data),
		void *data)
{
	enum { FILE_MAX = 1024 * 1024 };
	struct lines lines = { .each = each, .data = data };
	char text[OS_TEXT_MAX];
	int handle, r = 0;
	size_t size = 0;
	ssize_t n;

	handle = os->ops->open(os, path, O_RDONLY);
	if (handle < 0)
		return handle;
	while (r == 0 && (n = os->ops->read(os, handle, text, sizeof(text))) != 0) {
		size += n < 0 ? 0 : (size_t)n;
		r = n < 0 ? (int)n : size > FILE_MAX ? -EFBIG : 0;
		for (ssize_t i = 0; r == 0 && i < n; i++)
			r = take_byte(&lines, text[i]);
	}
	if (r == 0)
		r = end_line(&lines);
	(void)os->ops->close(os, handle);
	return r;
}
