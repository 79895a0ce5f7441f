// SPDX-License-Identifier: LGPL-2.1-or-later
/* Each dialect that is shipped loads without a word, and says what it owes. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "tests/switch/dialect-case.h"
#include "tests/support/cases.h"

static const char *const shipped[] = { SHIPPED_DIALECTS };
enum { N_SHIPPED = sizeof(shipped) / sizeof(shipped[0]) };

static void test_all_are_named(void **state)
{
	DIR *folder = opendir(SOURCE_DIR "/config/dialects");
	size_t n = 0;

	assert_non_null(folder);
	for (struct dirent *entry; (entry = readdir(folder));)
		n += strstr(entry->d_name, ".yaml") != NULL;
	(void)closedir(folder);
	assert_int_equal(n, N_SHIPPED);
}

/* Every knob is written, or there is a word on why not. */
static void owes(const struct dialect *dialect, const char *name)
{
	for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++) {
		const char *why = "", *what = switch_knob_table[knob].name;
		enum switch_scope scope = SCOPE_MAX;
		char line[128];

		(void)snprintf(line, sizeof(line), "%s %s", name, what);
		if (dialect_has(dialect, NULL, 0, knob, &scope, &why))
			case_true(line, switch_knob_table[knob].scopes & (1U << scope));
		else
			case_true(line, *why && strcmp(why, "the dialect does not know it") != 0);
	}
}

static void test_loads(void **state)
{
	for (size_t i = 0; i < N_SHIPPED; i++) {
		struct dialect *dialect = case_dialect(shipped[i]);

		case_string(shipped[i], dialect_name(dialect), shipped[i]);
		owes(dialect, shipped[i]);
		(void)dialect_free(dialect);
	}
}

/* The example of lossless-dialect(5) is one. */
static void test_example(void **state)
{
	struct dialect *dialect = NULL;
	struct diags diags = {};
	size_t size;
	char *page = case_file("man/lossless-dialect.5.scd", &size);
	char *start = strstr(page, "```\n"), *end = start ? strstr(start + 4, "```\n") : NULL;

	assert_non_null(end);
	start += 4;
	if (dialect_load(start, (size_t)(end - start), &dialect, &diags) < 0) {
		diags_write(&diags, stderr, "example", start, (size_t)(end - start));
		fail_msg("the example does not load");
	}
	assert_string_equal(dialect_name(dialect), "acme-os");
	(void)dialect_free(dialect);
	diags_done(&diags);
	free(page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_are_named),
		cmocka_unit_test(test_loads),
		cmocka_unit_test(test_example),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
