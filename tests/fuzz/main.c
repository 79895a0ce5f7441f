// SPDX-License-Identifier: LGPL-2.1-or-later
/* Every file of the folders on the command line, once: the corpora as ordinary tests. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

enum { INPUT_MAX = 1024 * 1024 };

static void fail(const char *what)
{
	(void)fprintf(stderr, "%s: cannot be read\n", what);
	exit(EXIT_FAILURE);
}

static void try_file(const char *folder, const char *name)
{
	static uint8_t room[INPUT_MAX];
	char path[4096];
	uint8_t *data;
	size_t size;
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "re");
	if (!file)
		fail(path);
	size = fread(room, 1, sizeof(room), file);
	if (ferror(file))
		fail(path);
	(void)fclose(file);
	/* exactly as large as it is, so that valgrind sees a byte too far */
	data = malloc(size ? size : 1);
	if (!data)
		fail(path);
	memcpy(data, room, size);
	(void)printf("%s\n", path);
	(void)LLVMFuzzerTestOneInput(data, size);
	free(data);
}

int main(int argc, char **argv)
{
	unsigned int n = 0;

	for (int i = 1; i < argc; i++) {
		DIR *folder = opendir(argv[i]);
		const struct dirent *entry;

		if (!folder)
			fail(argv[i]);
		while ((entry = readdir(folder))) {
			if (entry->d_name[0] == '.')
				continue;
			try_file(argv[i], entry->d_name);
			n++;
		}
		(void)closedir(folder);
	}
	if (n == 0)
		fail("an empty corpus");
	return EXIT_SUCCESS;
}
