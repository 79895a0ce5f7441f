/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The lines of a bundle that speak of a network device, as a table: written and read from it. */
#pragma once

#include "lib/os/bundle.h"

enum bundle_field_kind {
	FIELD_NUMBER,		/* decimal */
	FIELD_HEX,		/* 0x08 */
	FIELD_MAC,
	FIELD_NAME,		/* "-": empty */
	FIELD_ERRNO,		/* EPERM */
};

struct bundle_field {
	const char *word;
	enum bundle_field_kind kind;
	size_t offset;		/* in struct bundle_link */
	size_t size;		/* of a number, or of a name's array */
	size_t count;		/* so many numbers, 1 of all else */
	uint64_t max;
};

struct bundle_line {
	const char *word;
	size_t present;		/* offset of the bool that says that the line is there */
	const struct bundle_field *fields;
	size_t n_fields;
};

enum { BUNDLE_LINES = 12 };

/* The first one is `link`, which is always there. */
extern const struct bundle_line bundle_lines[BUNDLE_LINES];
extern const char *const bundle_words[BUNDLE_KIND_MAX];
