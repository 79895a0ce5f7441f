// SPDX-License-Identifier: LGPL-2.1-or-later
/* Ruijie: a template, which says nothing but how its command line behaves. */
#include <string.h>

#include "tests/support/cases.h"
#include "tests/switch/render-case.h"

#define DIALECT "ruijie-rgos"

static void test_writes_nothing(void **state)
{
	struct dialect *dialect = case_dialect(DIALECT);

	assert_int_equal(dialect_verified(dialect), VERIFIED_FALSE);
	for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++) {
		enum switch_scope scope;
		const char *why;

		case_true(switch_knob_table[knob].name,
			  !dialect_has(dialect, NULL, 0, knob, &scope, &why));
		case_string(switch_knob_table[knob].name, why, "no source");
	}
	(void)dialect_free(dialect);
}

static void test_transaction(void **state)
{
	render_verb_case(DIALECT, TRANSACTION_BEGIN, 0, "configure terminal\n");
	render_verb_case(DIALECT, TRANSACTION_END, 0, "end\n");
	render_verb_case(DIALECT, TRANSACTION_SAVE, 0, "write\n");
	render_verb_case(DIALECT, TRANSACTION_TRIAL, 0, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_writes_nothing),
		cmocka_unit_test(test_transaction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
