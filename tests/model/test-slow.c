// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The whole pipeline with a worker that does not answer a write as it should. What was sent may
 * have been done, or will be: links go down one at a time all the same.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/nic/nic.h"
#include "lib/os/link.h"
#include "tests/support/cases.h"
#include "tests/support/node.h"

#define A "ens1f0np0"
#define B "ens1f1np1"

/* Answers the first write of PFC on A with trouble, and does it at once or before the next one. */
static struct slow {
	struct provider provider, nic;
	struct provider_ops ops;
	struct os *os;
	int trouble;
	bool later;
	bool asked, waits;
	struct target target;	/* what waits */
	struct change change;
	struct state want, have;
	bool all_down;
} slow;

static bool are_all_down(void)
{
	_cleanup_(os_links_done) struct os_links links = {};

	assert_int_equal(os_link_dump(slow.os, &links), 0);
	for (size_t i = 0; i < links.n; i++)
		if (strncmp(links.list[i].name, "ens1", 4) == 0 && links.list[i].carrier)
			return false;
	return true;
}

static int take(const struct target *target, const struct change *change, const struct state *want,
		const struct state *have, struct refusal *ret)
{
	slow.waits = slow.later;
	if (!slow.waits)
		return slow.nic.ops->write(&slow.nic, target, change, want, have, ret);
	slow.target = *target;
	slow.change = *change;
	slow.want = *want;
	slow.have = *have;
	return 0;
}

static int slow_write(struct provider *provider, const struct target *target,
		      const struct change *change, const struct state *want,
		      const struct state *have, struct refusal *ret)
{
	bool waited = slow.waits;
	int r;

	slow.waits = false;
	if (waited)
		(void)slow.nic.ops->write(&slow.nic, &slow.target, &slow.change, &slow.want,
					  &slow.have, ret);
	if (!slow.asked && change->object == OBJECT_PFC && strcmp(target->name, A) == 0) {
		slow.asked = true;
		assert_true(take(target, change, want, have, ret) >= 0);
		*ret = (struct refusal){ .error = -slow.trouble };
		return slow.trouble;
	}
	r = slow.nic.ops->write(&slow.nic, target, change, want, have, ret);
	slow.all_down |= are_all_down();
	return r;
}

static const struct {
	const char *name;
	int trouble;
	bool later;
	enum exit_status exit;
	const char *failed, *skipped;
} cases[] = {
	{ "went away", -ECONNRESET, false, STATUS_OK, "", "" },
	{ "answers late", -ETIMEDOUT, false, STATUS_OK, "", "" },
	{ "answers what is no answer", -EBADMSG, false, STATUS_OK, "", "" },
	{ "does it later", -ETIMEDOUT, true, STATUS_FAILED, A " pfc, ", B " pfc, " },
};

/* "a pfc, b mtu, ": the steps that had this outcome, in their order */
static void steps_with(const struct plan *plan, enum step_outcome outcome, char text[512])
{
	size_t at = 0;

	text[0] = '\0';
	for (size_t i = 0; i < plan->n_steps; i++) {
		const struct step *step = &plan->steps[i];

		if (step->outcome == outcome)
			at += (size_t)snprintf(text + at, 512 - at, "%s %s, ",
					       plan->want->list[step->target].target.name,
					       object_table[step->object].name);
	}
}

static void slow_init(struct os *os, int trouble, bool later)
{
	slow = (struct slow){ .os = os, .trouble = trouble, .later = later };
	nic_provider_init(&slow.nic, os);
	slow.provider = slow.nic;
	slow.ops = *slow.nic.ops;
	slow.ops.write = slow_write;
	slow.provider.ops = &slow.ops;
}

static void test_slow(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct pass pass = { .provider = &slow.provider };
		struct node node;
		char text[512];

		node_init(&node, 2, false);
		slow_init(node.os, cases[i].trouble, cases[i].later);
		case_equal(cases[i].name, os_fake_add_qp(node.os, "mlx5_1", 1, true), 0);
		case_equal(cases[i].name,
			   pass_plan(&pass, node.os, node_spec, strlen(node_spec), "gpu-1"), 0);
		case_equal(cases[i].name, pass_apply(&pass, node.store, NULL), 0);
		case_true(cases[i].name, slow.asked && !slow.all_down);
		steps_with(&pass.plan, STEP_FAILED, text);
		case_string(cases[i].name, text, cases[i].failed);
		steps_with(&pass.plan, STEP_SKIPPED, text);
		case_string(cases[i].name, text, cases[i].skipped);
		case_equal(cases[i].name, pass.exit, cases[i].exit);
		pass_done(&pass);
		node_done(&node);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
