/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Diagnostics: one form, sorted, limited, and harmless on a terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/diag.h"
#include "lib/base/macro.h"
#include "lib/base/utf8.h"
#include "tests/support/cases.h"

static char *written(const struct diags *diags, const char *text, size_t size)
{
	char *shown = NULL;
	size_t shown_size;
	FILE *out = open_memstream(&shown, &shown_size);

	assert_non_null(out);
	diags_write(diags, out, "fabric.yaml", text, size);
	assert_int_equal(fclose(out), 0);
	return shown;
}

static const struct {
	const char *name;
	const char *text;
	struct position where;
	unsigned int width;
	const char *shown; /* the source line and the caret line */
} lines[] = {
	{ "as in the specification",
	  "a\nqos:\n  pfc_prios: [3]\n",
	  { 3, 3 },
	  9,
	  "    3 |   pfc_prios: [3]\n      |   ^~~~~~~~~\n" },
	{ "width 0 is 1", "abc\n", { 1, 2 }, 0, "    1 | abc\n      |  ^\n" },
	{ "last line without an end", "a: 1\nb", { 2, 1 }, 1, "    2 | b\n      | ^\n" },
	{ "at the end of the line", "abc\n", { 1, 4 }, 1, "    1 | abc\n      |    ^\n" },
	{ "carriage return", "ab\r\ncd\r\n", { 2, 2 }, 1, "    2 | cd\n      |  ^\n" },
	{ "byte order mark",
	  "\xef\xbb\xbf"
	  "ab\n",
	  { 1, 2 },
	  1,
	  "    1 | ab\n      |  ^\n" },
	{ "control byte before",
	  "a\x07"
	  "bc\n",
	  { 1, 3 },
	  2,
	  "    1 | a\\x07bc\n      |      ^~\n" },
	{ "control byte under the caret",
	  "a\x1b"
	  "bc\n",
	  { 1, 2 },
	  1,
	  "    1 | a\\x1bbc\n      |  ^~~~\n" },
	{ "invalid UTF-8",
	  "a\xff"
	  "bc\n",
	  { 1, 3 },
	  1,
	  "    1 | a\\xffbc\n      |      ^\n" },
	{ "cut character at the end",
	  "ab\xe2\x82\n",
	  { 1, 3 },
	  1,
	  "    1 | ab\\xe2\\x82\n      |   ^~~~\n" },
	{ "overlong form", "a\xc0\xaf\n", { 1, 2 }, 1, "    1 | a\\xc0\\xaf\n      |  ^~~~\n" },
	{ "surrogate",
	  "a\xed\xa0\x80z\n",
	  { 1, 5 },
	  1,
	  "    1 | a\\xed\\xa0\\x80z\n      |              ^\n" },
	{ "umlauts count once",
	  "\xc3\xa4\xc3\xb6: x\n",
	  { 1, 5 },
	  1,
	  "    1 | \xc3\xa4\xc3\xb6: x\n      |     ^\n" },
	{ "C1 control", "a\xc2\x9bz\n", { 1, 3 }, 1, "    1 | a\\u009bz\n      |        ^\n" },
	{ "direction override",
	  "\xe2\x80\xaez\n",
	  { 1, 2 },
	  1,
	  "    1 | \\u202ez\n      |       ^\n" },
	{ "wide before and under the caret", "光: 光纤\n", { 1, 4 }, 2,
	  "    1 | 光: 光纤\n      |     ^~~~\n" },
	{ "combining before the caret", "e\xcc\x81: x\n", { 1, 5 }, 1,
	  "    1 | e\xcc\x81: x\n      |    ^\n" },
	{ "combining under the caret", "ae\xcc\x81\n", { 1, 3 }, 1,
	  "    1 | ae\xcc\x81\n      |   ^\n" },
	{ "tab before", "\ta\tbc\n", { 1, 4 }, 2, "    1 | \ta\tbc\n      | \t \t^~\n" },
	{ "empty line", "a\n\nb\n", { 2, 1 }, 1, "" },
	{ "line that is not there", "a\n", { 7, 1 }, 1, "" },
};

static void line_shown(void **data)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct diags diags = {};
		const char *second;
		char *shown;

		diag_add(&diags, SEVERITY_ERROR, lines[i].where, lines[i].width, "wrong");
		shown = written(&diags, lines[i].text, strlen(lines[i].text));
		second = strchr(shown, '\n');
		case_true(lines[i].name, second);
		case_string(lines[i].name, second + 1, lines[i].shown);
		free(shown);
		diags_done(&diags);
	}
}

static void form(void **data)
{
	struct diags diags = {};
	char *shown;

	diag_add(&diags, SEVERITY_WARNING, (struct position){ 2, 1 }, 1, "late");
	diag_add(&diags, SEVERITY_ERROR, (struct position){ 1, 3 }, 2, "unknown key '%s'", "b\x07");
	diag_add(&diags, SEVERITY_ERROR, (struct position){}, 1, "the file is UTF-16");
	shown = written(&diags, "a b\nc\n", 6);
	assert_string_equal(shown, "fabric.yaml: error: the file is UTF-16\n"
				   "fabric.yaml:1:3: error: unknown key 'b\\x07'\n"
				   "    1 | a b\n"
				   "      |   ^\n"
				   "fabric.yaml:2:1: warning: late\n"
				   "    2 | c\n"
				   "      | ^\n");
	free(shown);
	shown = written(&diags, NULL, 0);
	assert_string_equal(shown, "fabric.yaml: error: the file is UTF-16\n"
				   "fabric.yaml:1:3: error: unknown key 'b\\x07'\n"
				   "fabric.yaml:2:1: warning: late\n");
	free(shown);
	diags_done(&diags);
}

static void long_line_is_cut(void **data)
{
	char text[1200], expected[400];
	struct diags diags = {};
	char *shown;

	memset(text, 'x', sizeof(text));
	text[599] = 'A';
	text[sizeof(text) - 1] = '\n';
	diag_add(&diags, SEVERITY_ERROR, (struct position){ 1, 600 }, 3, "wrong");
	shown = written(&diags, text, sizeof(text));
	/* 60 columns before the caret stay, 100 in all */
	(void)snprintf(
		expected, sizeof(expected),
		"fabric.yaml:1:600: error: wrong\n    1 | ...%.60sA%.39s...\n      |    %60s^~~\n",
		text, text, "");
	assert_string_equal(shown, expected);
	free(shown);
	diags_done(&diags);
}

static void only_twenty_of_a_kind(void **data)
{
	struct diags diags = {};
	char *shown;

	for (unsigned int i = 30; i > 0; i--) /* the first by place are kept, not the first found */
		diag_add(&diags, SEVERITY_ERROR, (struct position){ i, 1 }, 1, "e%u", i);
	for (unsigned int i = 1; i <= 21; i++)
		diag_add(&diags, SEVERITY_WARNING, (struct position){ i, 1 }, 1, "w%u", i);
	assert_int_equal(diags.n, 2 * DIAG_MAX);
	shown = written(&diags, NULL, 0);
	assert_non_null(strstr(shown, "fabric.yaml:20:1: error: e20\n"));
	assert_null(strstr(shown, "e21"));
	assert_non_null(strstr(shown, "fabric.yaml:20:1: warning: w20\n"));
	assert_null(strstr(shown, "w21"));
	assert_non_null(strstr(shown, "fabric.yaml: 10 more errors\n"));
	assert_non_null(strstr(shown, "fabric.yaml: 1 more warning\n"));
	free(shown);
	diags_done(&diags);
}

static void the_same_is_said_once(void **data)
{
	struct diags diags = {};

	for (unsigned int i = 0; i < 3; i++)
		diag_add(&diags, SEVERITY_WARNING, (struct position){ 1, 1 }, 1, "again");
	diag_add(&diags, SEVERITY_WARNING, (struct position){ 1, 1 }, 1, "other");
	assert_int_equal(diags.n, 2);
	assert_int_equal(diags.count[SEVERITY_WARNING], 2);
	assert_false(diags_has_errors(&diags));
	assert_true(diags_has(&diags, SEVERITY_WARNING, (struct position){ 1, 1 }));
	assert_false(diags_has(&diags, SEVERITY_ERROR, (struct position){ 1, 1 }));
	assert_false(diags_has(&diags, SEVERITY_WARNING, (struct position){ 1, 2 }));
	diags_done(&diags);
}

static void long_message_is_cut(void **data)
{
	char text[4000];
	struct diags diags = {};

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	diag_add(&diags, SEVERITY_ERROR, (struct position){ 1, 1 }, 1, "%s", text);
	assert_in_range(strlen(diags.list[0].message), 400, 600);
	diags_done(&diags);
}

/* The first and the last character of each length, and what is just not one. */
static const struct {
	const char *bytes;
	size_t length; /* 0: not UTF-8 */
	uint32_t character;
} characters[] = {
	{ "\x7f", 1, 0x7f },
	{ "\xc2\x80", 2, 0x80 },
	{ "\xdf\xbf", 2, 0x7ff },
	{ "\xe0\xa0\x80", 3, 0x800 },
	{ "\xed\x9f\xbf", 3, 0xd7ff },
	{ "\xee\x80\x80", 3, 0xe000 },
	{ "\xef\xbf\xbf", 3, 0xffff },
	{ "\xf0\x90\x80\x80", 4, 0x10000 },
	{ "\xf4\x8f\xbf\xbf", 4, 0x10ffff },
	{ "\x80", 0, 0 },
	{ "\xbf", 0, 0 },
	{ "\xc0\x80", 0, 0 },
	{ "\xc1\xbf", 0, 0 },
	{ "\xc2", 0, 0 },
	{ "\xc2\x7f", 0, 0 },
	{ "\xc2\xc0", 0, 0 },
	{ "\xe0\x9f\xbf", 0, 0 },
	{ "\xe0\xa0", 0, 0 },
	{ "\xed\xa0\x80", 0, 0 },
	{ "\xed\xbf\xbf", 0, 0 },
	{ "\xf0\x8f\xbf\xbf", 0, 0 },
	{ "\xf0\x90\x80", 0, 0 },
	{ "\xf4\x90\x80\x80", 0, 0 },
	{ "\xf5\x80\x80\x80", 0, 0 },
	{ "\xff", 0, 0 },
	{ "", 0, 0 },
};

static void utf8(void **data)
{
	for (size_t i = 0; i < ARRAY_SIZE(characters); i++) {
		uint32_t character = 0;
		char name[32];

		(void)snprintf(name, sizeof(name), "character %zu", i);
		case_equal(
			name,
			utf8_decode(characters[i].bytes, strlen(characters[i].bytes), &character),
			characters[i].length);
		case_equal(name, character, characters[i].character);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(utf8),
		cmocka_unit_test(line_shown),
		cmocka_unit_test(form),
		cmocka_unit_test(long_line_is_cut),
		cmocka_unit_test(only_twenty_of_a_kind),
		cmocka_unit_test(the_same_is_said_once),
		cmocka_unit_test(long_message_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
