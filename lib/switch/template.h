/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lines of a dialect with placeholders: $port, ${min:kbytes}, ${port:json-pointer:shell}, $$. Read
 * once when the dialect is loaded, filled in for each line that is sent. Pure.
 */
#pragma once

#include "lib/base/arena.h"
#include "lib/model/switch.h"

enum {
	TEMPLATE_BYTES_MAX = 512, /* as written */
	LINE_BYTES_MAX = 1024, /* as sent, with the terminator */
	PIECES_MAX = 32,
	FILTERS_MAX = 3,
};

enum piece_kind {
	PIECE_TEXT,
	PIECE_PORT,
	PIECE_KEY,
	PIECE_FIELD, /* a number of the entry */
	PIECE_LIST, /* all keys of a list */
	PIECE_VAR,
	PIECE_SECONDS,
};

enum filter {
	FILTER_BYTES,
	FILTER_KBYTES,
	FILTER_MBYTES,
	FILTER_SECONDS,
	FILTER_TENTHS,
	FILTER_CLOCK,
	FILTER_JOIN,
	FILTER_WORDS,
	FILTER_BITMASK,
	FILTER_RANGES,
	FILTER_SHELL,
	FILTER_JSON_POINTER,
	FILTER_MAX,
};

struct piece {
	enum piece_kind kind;
	const char *text; /* PIECE_TEXT, with the name otherwise */
	size_t size;
	size_t index; /* of the field, of the variable */
	size_t n_filters;
	enum filter filter[FILTERS_MAX];
};

/* What a template asks for; what may be asked is decided where it stands. */
enum {
	USES_PORT = 1 << 0,
	USES_KEY = 1 << 1,
	USES_FIELD = 1 << 2,
	USES_LIST = 1 << 3,
	USES_SECONDS = 1 << 4,
	USES_WORDS = 1 << 5,
	USES_VAR = 1 << 6,
	USES_BARE = 1 << 7, /* a port that no shell filter quotes */
};

struct template
{
	const struct piece *piece;
	size_t n;
	unsigned int uses;
	const char *source;
	struct position where;
	unsigned int width;
};

struct lines {
	const struct template *list;
	size_t n;
};

/* What a value is called in the words of the switch: "3" is "af3". */
struct words {
	const struct word {
		const char *plain; /* as the fabric file says it; "none" for nothing */
		const char *vendor;
	} * list;
	size_t n;
};

struct template_names {
	const struct switch_knob_info *knob; /* NULL: no value is spoken of */
	const char *const *vars;
	size_t n_vars;
};

/*
 * Returns 0 and @ret, which borrows @text; -EINVAL with a sentence in @ret_why; -ENOMEM.
 */
int template_parse(const char *text, const struct template_names *names, struct arena *arena,
		   struct template *ret, char *ret_why, size_t size);

/* Where the values come from; what a template does not use may be left out. */
struct template_values {
	const struct switch_knob_info *knob;
	const char *port;
	const struct switch_entry *entry;
	const struct switch_value *list;
	const struct words *words;
	const char *const *vars; /* by index */
	unsigned int seconds;
};

/*
 * Fill in. Returns 0 and the line in @ret; -ENODATA if the value leaves open what the line is
 * about, so that there is no such line; -EINVAL with a sentence in @ret_why.
 */
int template_expand(const struct template *template, const struct template_values *values,
		    char ret[LINE_BYTES_MAX], char *ret_why, size_t size);

/* Number as the fabric file says it: "3", "true", "drop". */
void field_plain(const struct switch_field *field, uint64_t number, char *ret, size_t size);

/* The word of the switch for @plain, NULL if there is none. */
const char *words_vendor(const struct words *words, const char *plain);

/* True if nothing in @text could be anything but one line of printable ASCII. */
bool line_is_plain(const char *text);
