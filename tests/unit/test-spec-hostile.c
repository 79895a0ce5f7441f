/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Files made to hurt: each is decided by a limit, and none by waiting. What has no limit of its own
 * is read, and has to be linear: a quadratic step would run into the time limit of the test.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/spec/select.h"
#include "lib/spec/yaml.h"
#include "tests/support/cases.h"
#include "tests/support/spec-case.h"

struct text {
	char *bytes;
	size_t size;
	FILE *out;
};

static FILE *text_begin(struct text *text)
{
	*text = (struct text){};
	text->out = open_memstream(&text->bytes, &text->size);
	assert_non_null(text->out);
	(void)fputs(SPEC_HEAD, text->out);
	return text->out;
}

/* Load what was written; the first finding begins with @first, NULL: there is none. */
static void text_decide(struct text *text, const char *first)
{
	char *shown;

	assert_int_equal(fclose(text->out), 0);
	shown = spec_findings(text->bytes, text->size);
	if (first ? strncmp(shown, first, strlen(first)) != 0 : shown[0] != '\0')
		fail_msg("shown is\n%.400s\nwant\n%s", shown, first ? first : "nothing");
	free(shown);
	free(text->bytes);
}

static void repeat(FILE *out, const char *piece, size_t times)
{
	for (size_t i = 0; i < times; i++)
		(void)fputs(piece, out);
}

static void alias_bomb(void **data)
{
	struct text text;
	FILE *out = text_begin(&text);

	(void)fputs("x-0: &a0 [1,1,1,1,1,1,1,1,1,1]\n", out);
	for (int i = 1; i < 20; i++)
		(void)fprintf(
			out, "x-%d: &a%d [*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d]\n", i,
			i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
	text_decide(&text, "f:9:19: error: more than 4000000 nodes when aliases are expanded\n");
}

/* What begins with x- is free, and counts: up to the last node, and one more. */
static void free_keys_count(void **data)
{
	for (int over = 0; over <= 1; over++) {
		struct text text;
		FILE *out = text_begin(&text);

		(void)fputs("x-a: &a [", out);
		repeat(out, "1,", 999);
		(void)fputs("]\nx-b: [", out);
		repeat(out, "*a,", 3998);
		/* 5 of the head, 1 + 1000 of x-a, 2 of x-b, 3998 * 1000 */
		repeat(out, "1,", YAML_NODES_MAX - 3998 * 1000 - 1008 + over);
		(void)fputs("]\n", out);
		text_decide(&text, over ? "f:4:13985: error: more than 4000000 nodes\n" : NULL);
	}
}

static void merge_bomb(void **data)
{
	struct text text;
	FILE *out = text_begin(&text);

	(void)fputs("x-0: &a {", out);
	for (int i = 0; i < 1000; i++)
		(void)fprintf(out, "k%d: 1, ", i);
	(void)fputs("}\nx-1: [", out);
	repeat(out, "{<<: *a}, ", 2000);
	(void)fputs("]\n", out);
	text_decide(&text, "f:4:19972: error: more than 4000000 nodes when aliases are expanded\n");
}

static void nesting(void **data)
{
	static const struct {
		const char *open;
		const char *first;
	} cases[] = {
		{ "[", "f:3:37: error: nested deeper than 32 levels\n" },
		{ "{a: ", "f:3:130: error: nested deeper than 32 levels\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct text text;
		FILE *out = text_begin(&text);

		(void)fputs("x-a: ", out);
		repeat(out, cases[i].open, 100000);
		text_decide(&text, cases[i].first);
	}
}

/* The root is the first level. */
static void nesting_to_the_limit(void **data)
{
	for (int levels = YAML_DEPTH_MAX - 1; levels <= YAML_DEPTH_MAX; levels++) {
		struct text text;
		FILE *out = text_begin(&text);

		(void)fputs("x-a: ", out);
		repeat(out, "[", levels);
		repeat(out, "]", levels);
		(void)fputs("\n", out);
		text_decide(&text, levels < YAML_DEPTH_MAX ? NULL : "f:3:37: error: nested deeper");
	}
}

static void nesting_by_alias(void **data)
{
	for (int levels = 30; levels <= 31; levels++) {
		struct text text;
		FILE *out = text_begin(&text);

		(void)fputs("x-a: &a ", out);
		repeat(out, "[", levels);
		repeat(out, "]", levels);
		(void)fputs("\nx-b: [*a]\n", out);
		text_decide(&text,
			    levels == 30 ? NULL : "f:4:7: error: nested deeper than 32 levels\n");
	}
}

static void too_many_bytes(void **data)
{
	for (size_t over = 0; over <= 1; over++) {
		struct text text;
		FILE *out = text_begin(&text);

		(void)fputs("# ", out);
		for (size_t i = strlen(SPEC_HEAD) + 2; i < SPEC_SIZE_MAX + over; i++)
			(void)fputc('x', out);
		text_decide(&text,
			    over ? "f: error: the file has 16777217 bytes, more than 16 MiB\n" :
				   NULL);
	}
}

static void many_keys(void **data)
{
	struct text text;
	FILE *out = text_begin(&text);

	(void)fputs("x-a:\n", out);
	for (unsigned long i = 0; i < 50000; i++)
		(void)fprintf(out, "  k%lu: 1\n", i * 7919 % 100003);
	text_decide(&text, NULL);
}

static void many_duplicate_keys(void **data)
{
	struct text text;
	FILE *out = text_begin(&text);

	(void)fputs("x-a:\n", out);
	repeat(out, "  k: 1\n", 100000);
	text_decide(&text, "f:5:3: error: duplicate key 'k', first on line 4\n");
}

static void many_unknown_keys(void **data)
{
	struct text text;
	FILE *out = text_begin(&text);

	for (int i = 0; i < 50000; i++)
		(void)fprintf(out, "qoz%d: 1\n", i);
	text_decide(&text, "f:3:1: error: unknown key 'qoz0'");
}

static void one_unknown_key_many_times(void **data)
{
	struct text text;
	FILE *out = text_begin(&text);

	(void)fputs("x-a: &a {qoz: 1}\nnodes:\n", out);
	for (int i = 0; i < 50000; i++)
		(void)fprintf(out, "  n%d: *a\n", i);
	text_decide(&text, "f:3:10: error: unknown key 'qoz', did you mean 'qos'?\n    3 | ");
}

static void many_anchors(void **data)
{
	struct text text;
	FILE *out = text_begin(&text);

	(void)fputs("x-a:\n", out);
	for (int i = 0; i < 50000; i++)
		(void)fprintf(out, "  - &a%d 1\n", i);
	(void)fputs("x-b: *a49999\n", out);
	text_decide(&text, NULL);
}

static void many_directives(void **data)
{
	struct text text = {};

	text.out = open_memstream(&text.bytes, &text.size);
	assert_non_null(text.out);
	repeat(text.out, "%TAG !a! b\n", 100000);
	text_decide(&text, "f:1:1: error: tags are not understood\n");
}

static void many_hosts(void **data)
{
	struct text text;
	FILE *out = text_begin(&text);

	(void)fputs("nodes:\n", out);
	for (int i = 0; i < 100; i++)
		(void)fprintf(out, "  n%d-[1-65536]: {}\n", i);
	text_decide(&text, "f:19:3: error: more than 1000000 names in all host lists\n");
}

/* Nodes times the items of a list that they share: 12 million combinations. */
static void many_combinations(void **data)
{
	struct text text;
	FILE *out = text_begin(&text);

	(void)fputs("nics: [", out);
	for (int i = 0; i < NICS_MAX; i++)
		(void)fprintf(out, "{name: a%d, mtu: 1500}, ", i);
	(void)fputs("]\nnodes:\n", out);
	for (int i = 0; i < 50000; i++)
		(void)fprintf(out, "  n%d: {mtu: 1500}\n", i);
	text_decide(&text, NULL);
}

static void many_items(void **data)
{
	struct text text;
	FILE *out = text_begin(&text);

	(void)fputs("nics:\n", out);
	for (int i = 0; i <= NICS_MAX; i++)
		(void)fprintf(out, "  - name: a%d\n", i);
	text_decide(&text, "f:260:5: error: more than 256 items in one nics list\n");
}

static void many_names_in_an_item(void **data)
{
	for (int n = 1024; n <= 1025; n++) {
		struct text text;
		FILE *out = text_begin(&text);

		(void)fputs("nics: [{name: [", out);
		repeat(out, "a, ", n);
		(void)fputs("]}]\n", out);
		text_decide(&text,
			    n == 1024 ? NULL : "f:3:15: error: name: 1025 names in one list");
	}
}

static void long_texts(void **data)
{
	static const char *const before[] = { "x-a: ", "mtu: ", "fabric2: ", "nodes: {", "\"" };

	for (size_t i = 0; i < ARRAY_SIZE(before); i++) {
		struct text text;
		FILE *out = text_begin(&text);

		(void)fputs(before[i], out);
		repeat(out, "9", 1000000);
		text_decide(&text, i == 0 ? NULL : "f:");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alias_bomb),
		cmocka_unit_test(free_keys_count),
		cmocka_unit_test(merge_bomb),
		cmocka_unit_test(nesting),
		cmocka_unit_test(nesting_to_the_limit),
		cmocka_unit_test(nesting_by_alias),
		cmocka_unit_test(too_many_bytes),
		cmocka_unit_test(many_keys),
		cmocka_unit_test(many_duplicate_keys),
		cmocka_unit_test(many_unknown_keys),
		cmocka_unit_test(one_unknown_key_many_times),
		cmocka_unit_test(many_anchors),
		cmocka_unit_test(many_directives),
		cmocka_unit_test(many_hosts),
		cmocka_unit_test(many_combinations),
		cmocka_unit_test(many_items),
		cmocka_unit_test(many_names_in_an_item),
		cmocka_unit_test(long_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
