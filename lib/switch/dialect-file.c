// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads dialects from their folders; the name was checked where the fabric file was. */
#include "lib/switch/dialect-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/read.h"

enum { DIALECT_SIZE_MAX = 1024 * 1024, PATH_BYTES = 512 };

const char *dialect_folders(const char *otherwise)
{
	return getenv("LOSSLESSD_DIALECTS") ?: otherwise;
}

/* Returns a descriptor or a negative errno. */
static int find(const char *folder, const char *name, char path[PATH_BYTES])
{
	int fd = -ENOENT;

	while (*folder && fd == -ENOENT) {
		size_t n = strcspn(folder, ":");

		(void)snprintf(path, PATH_BYTES, "%.*s/%s.yaml", (int)n, folder, name);
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
		fd = fd < 0 ? -errno : fd;
		folder += n + (folder[n] == ':');
	}
	return fd;
}

/* "no dialect cisco in FOLDERS, which have arista-eos, sonic": as many as there is room for. */
static void say_none(const char *folders, const char *name, char *ret_why, size_t size)
{
	const char *before = ", which have ";
	int used = snprintf(ret_why, size, "no dialect %s in %s", name, folders);
	char pattern[PATH_BYTES];

	while (*folders) {
		size_t n = strcspn(folders, ":");
		glob_t found = {};

		(void)snprintf(pattern, sizeof(pattern), "%.*s/*.yaml", (int)n, folders);
		if (glob(pattern, 0, NULL, &found) != 0)
			found.gl_pathc = 0;
		for (size_t i = 0; i < found.gl_pathc && (size_t)used < size; i++) {
			const char *base = strrchr(found.gl_pathv[i], '/') + 1;

			used += snprintf(ret_why + used, size - (size_t)used, "%s%.*s", before,
					 (int)(strlen(base) - strlen(".yaml")), base);
			before = ", ";
		}
		globfree(&found);
		folders += n + (folders[n] == ':');
	}
}

int dialect_read(const char *folders, const char *name, struct dialect **ret, char *ret_why,
		 size_t size)
{
	_cleanup_(diags_done) struct diags diags = {};
	_cleanup_free_ char *text = NULL;
	_cleanup_close_ int fd = -1;
	char path[PATH_BYTES] = "";
	size_t text_size = 0;
	int r;

	fd = find(folders, name, path);
	if (fd == -ENOENT) {
		say_none(folders, name, ret_why, size);
		return -ENOENT;
	}
	r = fd < 0 ? fd : read_whole(fd, DIALECT_SIZE_MAX, &text, &text_size);
	if (r < 0) {
		(void)snprintf(ret_why, size, "cannot read %s: %s", path, strerrordesc_np(-r));
		return r == -ENOENT ? -EIO : r;
	}
	r = dialect_load(text, text_size, ret, &diags);
	if (r == -EINVAL)
		(void)snprintf(ret_why, size, "%s:%u:%u: %s", path, diags.list[0].where.line,
			       diags.list[0].where.column, diags.list[0].message);
	if (r == 0 && strcmp(dialect_name(*ret), name) != 0) {
		(void)snprintf(ret_why, size, "%s: its dialect is called %s: rename one of the two",
			       path, dialect_name(*ret));
		*ret = dialect_free(*ret);
		return -EINVAL;
	}
	return r;
}
