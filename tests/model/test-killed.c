// SPDX-License-Identifier: LGPL-2.1-or-later
/* A process ends in the middle of an apply or a rollback on a simulated node; another goes on. */
#include <stdio.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "tests/support/cases.h"
#include "tests/support/node.h"

/*
 * Killed after the record was made and before the end: told, finished by the next apply, returned
 * by rollback.
 */
static void test_interrupted(void **state)
{
	_cleanup_free_ char *before = NULL, *after = NULL;
	struct node node;
	struct pass pass;

	node_init(&node, 2, true);
	assert_int_equal(node_run(&node, node_spec, false, &pass), STATUS_DRIFT);
	before = node_dump(&node);
	assert_int_equal(store_accept(node.store, node_spec, strlen(node_spec), &pass.plan), 0);
	assert_int_equal(store_begin(node.store, &pass.plan, STORE_APPLYING), 0);
	pass_done(&pass);
	assert_int_equal(os_fake_poke_pfc(node.os, "ens1f0np0", 8), 0);
	node_reopen(&node);
	assert_int_equal(STORE_APPLYING, store_phase(node.store));
	assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
	assert_int_equal(STORE_IDLE, store_phase(node.store));
	assert_int_equal(node_rollback(&node), STATUS_OK);
	after = node_dump(&node);
	assert_string_equal(after, before);
	node_done(&node);
}

/* What the next process would find. */
static void expect_returning(struct pass *pass, void *data)
{
	const struct node *node = data;
	_cleanup_free_ char *accepted = NULL;
	struct store *store;
	char state[128], holder[8];
	size_t size;

	(void)snprintf(state, sizeof(state), "%s/state", node->dir);
	assert_int_equal(store_open(state, NULL, &store, holder, sizeof(holder)), 0);
	assert_int_equal(STORE_RETURNING, store_phase(store));
	assert_int_equal(store_generation(store), 1);
	assert_int_equal(store_accepted(store, &accepted, &size), 0);
	(void)store_close(store);
	(void)snprintf(pass->warning, sizeof(pass->warning), "called");
}

/* Switches are returned while the rollback goes on, whether NICs had something to return or not. */
static void test_rollback_has_switches(void **state)
{
	for (int changed = 0; changed < 2; changed++) {
		struct node node;
		struct pass pass = { .returned = expect_returning, .returned_data = &node };

		node_init(&node, 2, true);
		if (!changed)
			assert_int_equal(store_accept(node.store, node_spec, strlen(node_spec),
						      &(struct plan){}),
					 0);
		else
			assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
		assert_int_equal(pass_rollback(&pass, node.os, node.store, NULL), 0);
		assert_string_equal(pass.warning, "called");
		assert_int_equal(STORE_IDLE, store_phase(node.store));
		assert_int_equal(store_generation(node.store), 2);
		pass_done(&pass);
		node_done(&node);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_rollback_has_switches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
