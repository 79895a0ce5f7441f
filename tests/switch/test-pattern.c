// SPDX-License-Identifier: LGPL-2.1-or-later
/* What patterns match, what they refuse, and that neither side of a match can make it expensive. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/switch/pattern.h"
#include "tests/support/cases.h"

static const struct {
	const char *name;
	const char *pattern;
	enum pattern_kind kind;
	const char *text;
	const char *all; /* NULL: no match */
} matches[] = {
	{ "whole", "a+", PATTERN_WHOLE, "aaa", "aaa" },
	{ "whole, something before", "a+", PATTERN_WHOLE, "baaa", NULL },
	{ "whole, something behind", "a+", PATTERN_WHOLE, "aaab", NULL },
	{ "whole, a newline behind", "a+", PATTERN_WHOLE, "aaa\n", NULL },
	{ "whole, alternatives", "a|ab", PATTERN_WHOLE, "ab", "ab" },
	{ "search", "a+", PATTERN_SEARCH, "baab", "aa" },
	{ "search knows no lines", "^b", PATTERN_SEARCH, "a\nb", NULL },
	{ "search, end before a newline", "a$", PATTERN_SEARCH, "a\n", NULL },
	{ "lines", "^b$", PATTERN_LINES, "a\nb\nc", "b" },
	{ "lines end with CR, too", "^b$", PATTERN_LINES, "a\r\r\nb\r\r\nc", "b" },
	{ "a dot is no line end", "a.c", PATTERN_LINES, "a\rc a\nc", NULL },
	{ "an escaped dollar", "\\$word", PATTERN_SEARCH, "$word", "$word" },
	{ "a dollar before a group's end", "(a$)", PATTERN_SEARCH, "ba", "a" },
	{ "a word, literally", "<$word>", PATTERN_WHOLE, "<a.b*[c]>", "<a.b*[c]>" },
	{ "a word is no pattern", "<$word>", PATTERN_WHOLE, "<axb*[c]>", NULL },
	{ "a word that is a pattern", "<$digits>", PATTERN_WHOLE, "<12>", "<12>" },
	{ "bytes that are not UTF-8", "a.b", PATTERN_WHOLE,
	  "a\xff"
	  "b",
	  "a\xff"
	  "b" },
};

static const struct pattern_word words[] = {
	{ "word", "a.b*[c]", false },
	{ "digits", "[0-9]+", true },
};

static void test_match(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(matches); i++) {
		const char *name = matches[i].name, *text = matches[i].text;
		struct pattern *pattern;
		struct pattern_text all;
		int r;

		r = pattern_compile(matches[i].pattern, matches[i].kind, words, ARRAY_SIZE(words),
				    &pattern, NULL);
		case_equal(name, r, 0);
		case_equal(name, pattern_match(pattern, text, strlen(text), 0),
			   matches[i].all != NULL);
		all = pattern_all(pattern);
		case_true(name, !all.text == !matches[i].all);
		if (all.text) {
			case_equal(name, all.size, strlen(matches[i].all));
			case_true(name, memcmp(all.text, matches[i].all, all.size) == 0);
		}
		(void)pattern_free(pattern);
	}
}

static const struct {
	const char *name;
	const char *pattern;
	const char *why; /* in the sentence */
} refused[] = {
	{ "open group", "(a", "parenthes" },
	{ "unknown word", "$nobody", "$nobody stands for nothing here" },
	{ "UTF mode", "(*UTF)a", "UTF" },
	{ "one byte of a character", "a\\Cb", "\\C" },
	{ "nested too deep", "(((((((((((((((((((a)))))))))))))))))))", "nested" },
	{ "too large", "((a{1000}){1000}){1000}", "too large" },
};

static void test_refused(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		char why[PATTERN_WHY_MAX] = "";
		struct pattern *pattern = NULL;

		case_equal(refused[i].name,
			   pattern_compile(refused[i].pattern, PATTERN_LINES, words,
					   ARRAY_SIZE(words), &pattern, why),
			   -EINVAL);
		case_true(refused[i].name, !pattern);
		if (!strstr(why, refused[i].why))
			fail_msg("%s: said: %s", refused[i].name, why);
	}
}

static void test_too_long(void **state)
{
	char text[PATTERN_BYTES_MAX + 2], literal[8 * PATTERN_BYTES_MAX];
	struct pattern_word word = { "word", literal, false };
	struct pattern *pattern = NULL;

	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(pattern_compile(text, PATTERN_LINES, NULL, 0, &pattern, NULL), -EINVAL);
	text[PATTERN_BYTES_MAX] = '\0';
	assert_int_equal(pattern_compile(text, PATTERN_LINES, NULL, 0, &pattern, NULL), 0);
	pattern = pattern_free(pattern);

	memset(literal, '.', sizeof(literal) - 1);
	literal[sizeof(literal) - 1] = '\0';
	assert_int_equal(pattern_compile("$word", PATTERN_LINES, &word, 1, &pattern, NULL),
			 -EINVAL);
}

/* Each would take a very long time, or all the memory, without limits. */
static void test_limits(void **state)
{
	static const char *const expensive[] = { "^(a+)+$", "(a|aa)+$", "(?:a|(a))*[bc]",
						 "^(?:(a|b|ab)*)*[cd]", "(a(?1)?)+[xy]" };
	static char subject[100 * 1000];

	memset(subject, 'a', sizeof(subject) - 1);
	subject[sizeof(subject) - 2] = '!';
	for (size_t i = 0; i < ARRAY_SIZE(expensive); i++) {
		struct pattern *pattern;

		case_equal(expensive[i],
			   pattern_compile(expensive[i], PATTERN_LINES, NULL, 0, &pattern, NULL),
			   0);
		case_equal(expensive[i], pattern_match(pattern, subject, sizeof(subject) - 1, 0),
			   -E2BIG);
		case_true(expensive[i], !pattern_all(pattern).text);
		(void)pattern_free(pattern);
	}
}

/* Neither deep nor large, only long: 2^22 ways to divide what cannot match. */
static void test_limit_of_steps(void **state)
{
	static const char subject[] = "aaaaaaaaaaaaaaaaaaaaaa!";
	struct pattern *pattern;

	assert_int_equal(pattern_compile("^(a+)+$", PATTERN_LINES, NULL, 0, &pattern, NULL), 0);
	assert_int_equal(pattern_match(pattern, subject, strlen(subject), 0), -E2BIG);
	assert_int_equal(pattern_match(pattern, subject + 10, strlen(subject + 10), 0), 0);
	(void)pattern_free(pattern);
}

static void test_groups(void **state)
{
	static const char text[] = "swp1 on; swp2 off";
	struct pattern *pattern;
	struct pattern_text group;

	assert_int_equal(
		pattern_compile("(?:(?<port>\\w+) (?<value>on)|(?<port>\\w+) off)(?<more>;)?",
				PATTERN_SEARCH, NULL, 0, &pattern, NULL),
		0);
	assert_true(pattern_has_group(pattern, "port"));
	assert_false(pattern_has_group(pattern, "key"));
	assert_string_equal(pattern_group_name(pattern, 0), "more");
	assert_string_equal(pattern_group_name(pattern, 3), "value");
	assert_null(pattern_group_name(pattern, 4));
	assert_null(pattern_group(pattern, "port").text);

	assert_int_equal(pattern_match(pattern, text, strlen(text), 0), 1);
	assert_int_equal(pattern_group(pattern, "port").size, 4);
	assert_ptr_equal(pattern_group(pattern, "value").text, text + 5);
	assert_int_equal(pattern_match(pattern, text, strlen(text), 8), 1);
	group = pattern_group(pattern, "port"); /* the second of that name */
	assert_ptr_equal(group.text, text + 9);
	assert_null(pattern_group(pattern, "value").text);
	assert_null(pattern_group(pattern, "more").text);
	assert_null(pattern_group(pattern, "key").text);
	assert_int_equal(pattern_match(pattern, text, strlen(text), 13), 0);
	assert_null(pattern_group(pattern, "port").text);
	(void)pattern_free(pattern);
}

#define VRP  "(HRP_[MS])?[<[](?<mark>[~*])?$host(-$mode)?[]>]"
#define ONYX "$host \\[[^]]*\\]( \\($mode\\))? [>#] ?"

static const struct {
	const char *prompt;
	const char *host; /* as learned, NULL: not yet */
	const char *text;
	const char *found_host; /* NULL: no match */
	const char *mode;
	const char *mark;
} prompts[] = {
	{ VRP, NULL, "<HUAWEI>", "HUAWEI", "", "" },
	{ VRP, "HUAWEI", "[~HUAWEI]", "HUAWEI", "", "~" },
	{ VRP, "HUAWEI", "[*HUAWEI-100GE1/0/1]", "HUAWEI", "100GE1/0/1", "*" },
	{ VRP, "leaf-1", "[~leaf-1]", "leaf-1", "", "~" },
	{ VRP, "leaf-1", "[~leaf-1-100GE1/0/1]", "leaf-1", "100GE1/0/1", "~" },
	{ VRP, "leaf.1", "[~leaf-1]", NULL, "", "" },
	{ VRP, "leaf-1", "<leaf-2>", NULL, "", "" },
	{ VRP, "leaf-1", "show <leaf-1>", NULL, "", "" },
	{ ONYX, NULL, "switch [standalone: master] > ", "switch", "", "" },
	{ ONYX, "switch", "switch [standalone: master] (config) # ", "switch", "config", "" },
};

static void case_group(const char *name, const struct pattern *pattern, const char *group,
		       const char *want)
{
	struct pattern_text found = pattern_group(pattern, group);

	case_equal(name, found.size, strlen(want));
	case_true(name, !found.size || memcmp(found.text, want, found.size) == 0);
}

static void test_prompts(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(prompts); i++) {
		const char *text = prompts[i].text;
		struct pattern *pattern;

		case_equal(
			text,
			pattern_compile_prompt(prompts[i].prompt, prompts[i].host, &pattern, NULL),
			0);
		case_equal(text, pattern_match(pattern, text, strlen(text), 0),
			   prompts[i].found_host != NULL);
		if (prompts[i].found_host) {
			case_group(text, pattern, "host", prompts[i].found_host);
			case_group(text, pattern, "mode", prompts[i].mode);
			case_group(text, pattern, "mark", prompts[i].mark);
		}
		(void)pattern_free(pattern);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_match),	       cmocka_unit_test(test_refused),
		cmocka_unit_test(test_too_long),       cmocka_unit_test(test_limits),
		cmocka_unit_test(test_limit_of_steps), cmocka_unit_test(test_groups),
		cmocka_unit_test(test_prompts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
