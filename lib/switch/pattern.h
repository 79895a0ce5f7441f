/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Patterns of dialects: PCRE2 over bytes, with limits on what compiling and matching may cost,
 * since one side of a match comes from a switch. A $name in a pattern stands for a text or for a
 * pattern that the caller gives; \$ is a dollar, $ before anything but a lower-case letter the end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
	PATTERN_BYTES_MAX = 1024, /* as written */
	PATTERN_SUBJECT_MAX = 4 * 1024 * 1024,
	PATTERN_WHY_MAX = 256,
};

enum pattern_kind {
	PATTERN_WHOLE, /* matches all of the text, from its first byte to its last */
	PATTERN_SEARCH, /* somewhere in the text; ^ and $ are the ends of the text */
	PATTERN_LINES, /* somewhere in the text; ^ and $ are the ends of each line */
};

/* What $name stands for. */
struct pattern_word {
	const char *name;
	const char *text;
	bool pattern; /* @text is a pattern; otherwise it is taken literally */
};

/* For a prompt before its host is known, and for the place in any. */
#define PATTERN_HOST "(?<host>[^][\\s<>#]{1,128}?)"
#define PATTERN_MODE "(?<mode>[^][\\r\\n<>#]{1,128}?)"

struct pattern;

/*
 * Compile @text. Returns 0 and @ret; -EINVAL with a sentence in @ret_why (of PATTERN_WHY_MAX bytes;
 * may be NULL); -ENOMEM.
 */
int pattern_compile(const char *text, enum pattern_kind kind, const struct pattern_word *words,
		    size_t n_words, struct pattern **ret, char *ret_why);

/*
 * A prompt, PATTERN_WHOLE: $host is @host, literally and as group "host", or what PATTERN_HOST
 * matches if @host is NULL; $mode is PATTERN_MODE.
 */
int pattern_compile_prompt(const char *text, const char *host, struct pattern **ret, char *ret_why);

/* Takes NULL, returns NULL. */
struct pattern *pattern_free(struct pattern *pattern);

static inline void pattern_freep(struct pattern **pattern)
{
	*pattern = pattern_free(*pattern);
}

/*
 * Match @text of @size bytes, from @start on. Returns 1 if it matches; 0 if not; -E2BIG if the
 * limits were reached, which is for callers no match and worth a word.
 */
int pattern_match(struct pattern *pattern, const char *text, size_t size, size_t start);

/* A part of the text of the last match; invalid when that text or the pattern is gone. */
struct pattern_text {
	const char *text; /* not terminated; NULL: the group took no part */
	size_t size;
};

/* All that matched. */
struct pattern_text pattern_all(const struct pattern *pattern);

/* What the group @name matched. */
struct pattern_text pattern_group(const struct pattern *pattern, const char *name);

/* Has the pattern a group of that name? */
bool pattern_has_group(const struct pattern *pattern, const char *name);

/* The name of its @i-th group with a name, NULL behind the last. */
const char *pattern_group_name(const struct pattern *pattern, size_t i);
