// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What has to be found before libyaml sees the text: libyaml takes UTF-16 and gives NUL and invalid
 * UTF-8 the place 1:1.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/base/utf8.h"
#include "lib/spec/spec.h"
#include "lib/spec/yaml-tree.h"

static const char byte_order_mark[] = "\xef\xbb\xbf";
enum { BOM_BYTES = sizeof(byte_order_mark) - 1 };

static const char *encoding_find(const char *text, size_t size)
{
	if (size >= 4 &&
	    (memcmp(text, "\xff\xfe\0", 4) == 0 || memcmp(text, "\0\0\xfe\xff", 4) == 0))
		return "UTF-32";
	if (size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
		return "UTF-16";
	/* without a mark: the first character of a fabric file is ASCII */
	if (size >= 4 && memcmp(text, "\0\0", 3) == 0 && text[3])
		return "UTF-32";
	if (size >= 4 && text[0] && !text[1] && !text[2] && !text[3])
		return "UTF-32";
	if (size >= 2 && !text[0] != !text[1])
		return "UTF-16";
	return NULL;
}

static void scan_error(struct diags *diags, struct position where, size_t offset, size_t length,
		       uint32_t character)
{
	if (length == 0)
		diag_add(diags, SEVERITY_ERROR, where, 1, "not UTF-8: byte offset %zu", offset);
	else if (character == 0)
		diag_add(diags, SEVERITY_ERROR, where, 1, "a NUL byte, at byte offset %zu", offset);
	else if (character == '\r')
		diag_add(diags, SEVERITY_ERROR, where, 1,
			 "a carriage return without a line feed, at byte offset %zu", offset);
	else if (character == 0xfeff)
		diag_add(diags, SEVERITY_ERROR, where, 1,
			 "a byte order mark inside the file, at byte offset %zu", offset);
	else if (character == 0x85 || character == 0x2028 || character == 0x2029)
		diag_add(diags, SEVERITY_ERROR, where, 1,
			 "U+%04X is not accepted as a line end, at byte offset %zu", character,
			 offset);
	else
		diag_add(diags, SEVERITY_ERROR, where, 1,
			 "a control character, U+%04X, at byte offset %zu", character, offset);
}

/* Printable ASCII and tabs: nearly all of any file. */
static bool is_plain(char c)
{
	return (c >= ' ' && c < 0x7f) || c == '\t';
}

/*
 * Eight bytes at once: true if all are printable ASCII or line feeds. Bit 7 of a byte tells: of the
 * byte itself, of it less 0x20, of it and 1; what else was found so is looked at byte by byte.
 */
static bool are_plain(const char *text)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
	uint64_t word, low, feed;

	memcpy(&word, text, sizeof(word));
	low = (word | high) - ones * ' ';
	feed = ((word ^ ones * '\n') | high) - ones;
	return ((word | (word + ones) | (~low & feed)) & high) == 0;
}

/* The place of the byte at @at; only looked for when there is something to say of it. */
static struct position position_of(const char *text, size_t skip, size_t at)
{
	struct position where = { 1, 1 };
	size_t start = skip, length;
	uint32_t character;

	for (size_t i = skip; i < at; i++)
		if (text[i] == '\n') {
			where.line++;
			start = i + 1;
		}
	for (; start < at; start += MAX(length, (size_t)1), where.column++)
		length = utf8_decode(text + start, at - start, &character);
	return where;
}

/* The first byte from @at on that is wrong, @size if there is none. */
static size_t wrong_find(const char *text, size_t size, size_t at, bool *has_cr, size_t *ret_length,
			 uint32_t *ret_character)
{
	size_t length;

	for (; at < size; at += length) {
		length = 1;
		if (at + sizeof(uint64_t) <= size && are_plain(text + at)) {
			length = sizeof(uint64_t);
			continue;
		}
		if (is_plain(text[at]) || text[at] == '\n')
			continue;
		if (text[at] == '\r' && at + 1 < size && text[at + 1] == '\n') {
			*has_cr = true;
			continue;
		}
		length = utf8_decode(text + at, size - at, ret_character);
		*ret_length = length;
		if (length == 0 || utf8_is_control(*ret_character))
			break;
	}
	return at;
}

/* A %TAG line; in the place of its line's start. */
static const char *tag_find(const char *text, size_t size)
{
	static const char tag[] = "%TAG";
	const char *at = text, *end = text + size;

	while ((at = memmem(at, end - at, tag, sizeof(tag) - 1))) {
		if (at == text || at[-1] == '\n')
			return at;
		at++;
	}
	return NULL;
}

int yaml_scan(const char *text, size_t size, size_t *ret_skip, bool *ret_has_cr,
	      struct diags *diags)
{
	const char *encoding = encoding_find(text, size), *tag;
	bool has_cr = false;
	size_t skip = 0, at, length = 0;
	uint32_t character = 0;

	if (encoding) {
		diag_add(diags, SEVERITY_ERROR, (struct position){}, 1,
			 "the file is %s; save it as UTF-8", encoding);
		return -EINVAL;
	}
	if (size >= BOM_BYTES && memcmp(text, byte_order_mark, BOM_BYTES) == 0)
		skip = BOM_BYTES;
	at = wrong_find(text, size, skip, &has_cr, &length, &character);
	if (at < size) {
		scan_error(diags, position_of(text, skip, at), at, length, character);
		return -EINVAL;
	}
	tag = tag_find(text + skip, size - skip);
	if (tag) {
		diag_add(diags, SEVERITY_ERROR, position_of(text, skip, tag - text), 4,
			 "tags are not understood");
		return -EINVAL;
	}
	*ret_skip = skip;
	*ret_has_cr = has_cr;
	return 0;
}

char *yaml_remove_cr(const char *text, size_t size, size_t *ret_size)
{
	char *copy = malloc(size + 1);
	size_t n = 0;

	if (!copy)
		return NULL;
	for (size_t i = 0; i < size; i++)
		if (text[i] != '\r')
			copy[n++] = text[i];
	*ret_size = n;
	return copy;
}
