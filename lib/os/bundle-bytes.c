// SPDX-License-Identifier: LGPL-2.1-or-later
/* Bytes to lines and back: one form, so that a bundle that is read and recorded is the same. */
#include "lib/os/bundle-bytes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/base/text.h"

enum { LINE_BYTES = 16, LINE_MAX = 64 };

static size_t line_size(size_t at, size_t size)
{
	return MIN(size - at, (size_t)LINE_BYTES);
}

static void format_line(const unsigned char *data, size_t at, size_t size, char line[LINE_MAX])
{
	struct text text = { .text = line, .size = LINE_MAX };

	text_put(&text, "0x%03zx ", at);
	for (size_t i = 0; i < line_size(at, size); i++)
		text_put(&text, "%02x", data[at + i]);
	text_put(&text, "\n");
}

int bundle_bytes_format(const unsigned char *data, size_t size, char *text, size_t room)
{
	static const unsigned char zeros[LINE_BYTES];
	struct text all = { .text = text, .size = room };
	char line[LINE_MAX];

	text_put(&all, "size %zu\n", size);
	for (size_t at = 0; at < size; at += LINE_BYTES) {
		if (memcmp(data + at, zeros, line_size(at, size)) == 0)
			continue;
		format_line(data, at, size, line);
		text_put(&all, "%s", line);
	}
	return all.used + 1 < room ? 0 : -E2BIG;
}

static int parse_line(const char *line, unsigned char *data, size_t size)
{
	unsigned int at, byte;
	int used = 0;

	if (sscanf(line, "0x%3x %n", &at, &used) != 1 || !used || at % LINE_BYTES || at >= size)
		return -EINVAL;
	for (size_t i = 0; i < line_size(at, size); i++) {
		if (sscanf(line + used + 2 * i, "%2x", &byte) != 1)
			return -EINVAL;
		data[at + i] = (unsigned char)byte;
	}
	return 0;
}

/* What is read is printed again: it was right if that is the same. */
int bundle_bytes_parse(const char *text, unsigned char *data, size_t room)
{
	char again[OS_TEXT_MAX + 1];
	const char *line = text;
	size_t size;

	if (sscanf(line, "size %zu", &size) != 1 || !size || size > room)
		return -EINVAL;
	memset(data, 0, size);
	while ((line = strchr(line, '\n')) && line[1])
		if (parse_line(++line, data, size) < 0)
			return -EINVAL;
	if (bundle_bytes_format(data, size, again, sizeof(again)) < 0 || strcmp(again, text) != 0)
		return -EINVAL;
	return (int)size;
}
