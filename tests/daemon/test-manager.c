// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What may happen while the manager writes, reads or waits: timers that fire, jobs that are asked
 * for, events.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/macro.h"
#include "tests/daemon/manager-bed.h"
#include "tests/support/cases.h"

/* Room for a machine that is slow to get on with it in time */
enum { CONFIRM_MS = 2000, PAST_CONFIRM_MS = 2300, A_MOMENT_MS = 200 };

static const char before[] = BED_HEAD "roce: {traffic_class: 104}\n" BED_NODES;
static const char on_trial[] = BED_HEAD "roce: {traffic_class: 106}\n" BED_NODES;
static const char reporting[] = BED_HEAD "policy: {drift: report}\n" BED_NODES;
static const char after[] = BED_HEAD "roce: {traffic_class: 105}\n" BED_NODES;

/* ---- what is not its own ---- */

static void test_foreign_fd(void **state)
{
	struct stat was, is;

	assert_int_equal(fstat(STDIN_FILENO, &was), 0);
	bed_settle();
	assert_int_equal(bed_answer(JOB_APPLY, before, 0), STATUS_OK);
	bed_stop();
	assert_int_equal(fstat(STDIN_FILENO, &is), 0);
	assert_int_equal(is.st_ino, was.st_ino);
	bed_start();
}

/* ---- a confirm that runs out ---- */

static void try_it(void)
{
	assert_int_equal(bed_answer(JOB_APPLY, before, 0), STATUS_OK);
	assert_int_equal(bed_answer(JOB_APPLY, on_trial, CONFIRM_MS), STATUS_OK);
}

static void run_out(void)
{
	bed_wait_for(PAST_CONFIRM_MS);
}

static void confirm_in_time(void)
{
	bed_ask(JOB_CONFIRM, NULL, 0, &bed.asked);
	run_out();
}

static void confirm_late(void)
{
	run_out();
	bed_ask(JOB_CONFIRM, NULL, 0, &bed.asked);
}

static void drift(void)
{
	assert_int_equal(os_fake_poke_pfc(bed.os, BED_PORT, 0), 0);
	manager_dirty_port_name(bed.manager, BED_PORT, UINT32_MAX);
}

static void test_confirm_runs_out(void **state)
{
	try_it();
	bed_work_for(PAST_CONFIRM_MS);
	bed_in_force("nobody confirmed", before);
	assert_int_equal(bed.told[EVENT_RETURNED], 1);
}

static void test_apply_overtakes(void **state)
{
	try_it();
	bed.on_write = run_out;
	assert_int_equal(bed_answer(JOB_APPLY, after, 0), STATUS_OK);
	bed_work_for(A_MOMENT_MS);
	bed_in_force("what was asked for last", after);
	assert_int_equal(bed.told[EVENT_RETURNED], 0);
}

/* The second one has a time of its own. */
static void test_trial_overtakes(void **state)
{
	try_it();
	bed.on_write = run_out;
	assert_int_equal(bed_answer(JOB_APPLY, after, 3600 * 1000), STATUS_OK);
	bed_work_for(A_MOMENT_MS);
	bed_in_force("what was asked for last", after);
	assert_int_equal(bed.told[EVENT_RETURNED], 0);
}

static void test_rollback_overtakes(void **state)
{
	try_it();
	bed.on_write = run_out;
	assert_int_equal(bed_answer(JOB_ROLLBACK, NULL, 0), STATUS_OK);
	bed_work_for(A_MOMENT_MS);
	bed_in_force("rolled back once", before);
	assert_int_equal(bed.told[EVENT_ROLLED_BACK], 1);
	assert_int_equal(bed.told[EVENT_RETURNED], 0);
}

static void test_confirm_overtakes(void **state)
{
	static void (*const hooks[])(void) = { confirm_in_time, confirm_late };

	try_it();
	for (size_t i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (i)
			assert_int_equal(bed_answer(JOB_APPLY, after, CONFIRM_MS), STATUS_OK);
		bed.on_write = hooks[i];
		drift();
		bed_work_for(A_MOMENT_MS);
		assert_int_equal(bed.asked, STATUS_OK);
		bed_in_force("confirmed", i ? after : on_trial);
		assert_int_equal(bed.told[EVENT_RETURNED], 0);
	}
}

/* Neither an apply that changed nothing nor a clock that is set back keeps what is on trial. */
static void test_failed_apply(void **state)
{
	struct store_confirm confirm;

	try_it();
	assert_true(os_fake_fault(bed.os, &(struct fake_fault){ .call = FAKE_OPEN,
								.match = "/sys/",
								.mode = FAKE_ERRNO,
								.error = EROFS }) >= 0);
	confirm = store_get_confirm(bed.manager->store);
	confirm.until_s += 3600;
	store_set_confirm(bed.manager->store, confirm);
	bed_wait_for(CONFIRM_MS / 2);
	assert_int_equal(bed_answer(JOB_APPLY, after, 0), STATUS_FAILED);
	bed_in_force("not the new one", on_trial);
	os_fake_fault_clear(bed.os);
	bed_work_for(PAST_CONFIRM_MS - CONFIRM_MS / 2);
	bed_in_force("nobody confirmed", before);
	assert_int_equal(bed.told[EVENT_RETURNED], 1);
}

/* BED_PORT confirm that is not on disk is none. */
static void test_confirm_not_kept(void **state)
{
	char undo[96];

	try_it();
	(void)snprintf(undo, sizeof(undo), "%s/undo", bed.state_dir);
	assert_int_equal(unlink(undo), 0);
	assert_int_equal(mkdir(undo, 0755), 0);
	assert_int_equal(bed_answer(JOB_CONFIRM, NULL, 0), STATUS_FAILED);
	assert_int_equal(rmdir(undo), 0);
	bed_work_for(PAST_CONFIRM_MS);
	bed_in_force("nobody confirmed", before);
	assert_int_equal(bed.told[EVENT_RETURNED], 1);
}

/* It was over while losslessd was not there: who confirms after that is too late. */
static void test_restart_too_late(void **state)
{
	int confirmed;

	try_it();
	bed_stop();
	run_out();
	bed_start();
	assert_int_equal(manager_work(bed.manager), 0);
	bed_ask(JOB_CONFIRM, NULL, 0, &confirmed);
	bed_settle();
	assert_int_equal(confirmed, STATUS_FAILED);
	bed_in_force("before losslessd was there", before);
	assert_int_equal(bed.told[EVENT_RETURNED], 1);
}

/* BED_PORT restart does not make the time longer, nor is it over by that. */
static void test_restart_in_time(void **state)
{
	try_it();
	bed_stop();
	bed_start();
	bed_settle();
	bed_in_force("still on trial", on_trial);
	bed_work_for(PAST_CONFIRM_MS);
	bed_in_force("nobody confirmed", before);
}

static void test_full_queue(void **state)
{
	struct job *job;

	try_it();
	do {
		job = calloc(1, sizeof(*job));
		job->kind = JOB_STATUS;
	} while (manager_ask(bed.manager, job));
	(void)job_free(job);
	run_out();
	bed_settle();
	bed_in_force("nobody confirmed", before);
	assert_int_equal(bed.told[EVENT_RETURNED], 1);
}

/* ---- policy ---- */

static const struct finding *finding_of(const char *target, enum knob knob)
{
	const struct plan *plan = &manager_last(bed.manager)->plan;

	for (size_t i = 0; i < plan->n_findings; i++)
		if (plan->findings[i].knob == knob &&
		    strcmp(plan->want->list[plan->findings[i].target].target.name, target) == 0)
			return &plan->findings[i];
	fail_msg("nothing is told of %s", target);
	return NULL;
}

static void assert_reason(const char *name, const char *words)
{
	const struct finding *finding = finding_of(BED_PORT, KNOB_PFC);

	if (!strstr(finding->reason, words))
		fail_msg("%s: '%s', want '%s'", name, finding->reason, words);
}

static const struct {
	const char *name;
	const char *policy;
	bool boot;
	unsigned int writes; /* of PFC */
	const char *words;
} starts[] = {
	{ "the defaults", "", false, 1, "" },
	{ "report", "policy: {drift: report}\n", false, 0, "only reported" },
	{ "apply", "policy: {disruptive: apply}\n", false, 0, "waits for losslessctl apply" },
	{ "confirm", "policy: {disruptive: confirm}\n", false, 0, "waits for losslessctl confirm" },
	{ "never", "policy: {disruptive: never}\n", false, 0, "never done" },
	{ "boot: report", "policy: {drift: report}\n", true, 1, "" },
	{ "boot: never", "policy: {disruptive: never}\n", true, 1, "" },
};

/* What drifted while losslessd was not there. */
static void test_start(void **state)
{
	char text[512], started[96];

	(void)snprintf(started, sizeof(started), "%s/started", bed.run_dir);
	bed_settle();
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++) {
		(void)snprintf(text, sizeof(text), BED_HEAD "%s" BED_NODES, starts[i].policy);
		case_equal(starts[i].name, bed_answer(JOB_APPLY, text, 0), STATUS_OK);
		bed_stop();
		if (starts[i].boot)
			(void)unlink(started);
		case_equal(starts[i].name, os_fake_poke_pfc(bed.os, BED_PORT, 0), 0);
		os_fake_writes_reset(bed.os);
		bed_start();
		bed_settle();
		case_equal(starts[i].name, os_fake_writes(bed.os, FAKE_DCB_SET, BED_PORT "/pfc"),
			   starts[i].writes);
		assert_reason(starts[i].name, starts[i].words);
	}
}

/* Nothing was known any more, for the devices could not be listed. */
static void test_policy_after_nothing(void **state)
{
	static const struct fake_fault fault = { .call = FAKE_LINK_DUMP,
						 .mode = FAKE_ERRNO,
						 .error = EIO };

	assert_int_equal(bed_answer(JOB_APPLY, reporting, 0), STATUS_OK);
	assert_true(os_fake_fault(bed.os, &fault) >= 0);
	manager_dirty_devices(bed.manager);
	bed_settle();
	assert_null(manager_last(bed.manager));
	os_fake_fault_clear(bed.os);
	assert_int_equal(os_fake_poke_pfc(bed.os, BED_PORT, 0), 0);
	os_fake_writes_reset(bed.os);
	manager_dirty_devices(bed.manager);
	bed_settle();
	assert_int_equal(os_fake_writes(bed.os, FAKE_ANY_WRITE, NULL), 0);
	assert_reason("after nothing", "only reported");
}

static void expect_held(const char *name)
{
	os_fake_writes_reset(bed.os);
	drift();
	bed_settle();
	case_equal(name, os_fake_writes(bed.os, FAKE_DCB_SET, BED_PORT "/pfc"), 0);
	assert_reason(name, "waits for losslessctl confirm");
}

/* BED_PORT confirm is for what waits for it, and for nothing that comes later. */
static void test_confirm_releases_once(void **state)
{
	static const char text[] = BED_HEAD "policy: {disruptive: confirm}\n" BED_NODES;
	int confirmed;

	assert_int_equal(bed_answer(JOB_APPLY, text, 0), STATUS_OK);
	assert_int_equal(bed_answer(JOB_CONFIRM, NULL, 0), STATUS_OK);
	expect_held("nothing waited");
	assert_int_equal(bed_answer(JOB_CONFIRM, NULL, 0), STATUS_OK);
	assert_int_equal(os_fake_writes(bed.os, FAKE_DCB_SET, BED_PORT "/pfc"), 1);
	assert_reason("let go", "");
	expect_held("let go before");
	/* Somebody else sees to it before the confirm */
	assert_int_equal(os_fake_poke_pfc(bed.os, BED_PORT, 1 << 3), 0);
	assert_int_equal(bed_answer(JOB_CONFIRM, NULL, 0), STATUS_OK);
	expect_held("nothing was left to do");
	/* Devices are looked at anew meanwhile */
	manager_dirty_devices(bed.manager);
	assert_int_equal(bed_answer(JOB_CONFIRM, NULL, 0), STATUS_OK);
	assert_int_equal(os_fake_writes(bed.os, FAKE_DCB_SET, BED_PORT "/pfc"), 1);
	expect_held("let go with the devices");
	/* An apply comes first */
	bed_ask(JOB_CONFIRM, NULL, 0, &confirmed);
	assert_int_equal(bed_answer(JOB_APPLY, text, 0), STATUS_OK);
	assert_int_equal(confirmed, STATUS_OK);
	expect_held("applied");
}

/* ---- asked in the middle ---- */

static void look_in_between(void)
{
	struct manager_facts facts;

	manager_facts(bed.manager, &facts);
	assert_false(facts.in_sync);
	assert_int_equal(facts.drifted, 1);
	assert_reason("in the middle", "only reported");
	bed.asked++;
}

/* What was read last is what is so until all is read again. */
static void test_middle_of_audit(void **state)
{
	assert_int_equal(bed_answer(JOB_APPLY, reporting, 0), STATUS_OK);
	drift();
	bed_settle();
	bed.on_observe = look_in_between;
	assert_int_equal(bed_answer(JOB_STATUS, NULL, 0), STATUS_DRIFT);
	assert_true(bed.asked > 0);
}

/* ---- how long it took ---- */

/* BED_PORT device comes while there is no file: who applies one later did not wait for that. */
static void test_took_since_event(void **state)
{
	int64_t begin_us;

	manager_dirty_devices(bed.manager);
	bed_settle();
	bed_wait_for(A_MOMENT_MS);
	assert_int_equal(bed_answer(JOB_APPLY, before, 0), STATUS_OK);
	assert_true(bed.told[EVENT_DRIFT_REPAIRED] > 0);
	assert_int_equal(bed.took_us, -1);
	/* An event that a status saw to, before the one that counts */
	manager_dirty_port_name(bed.manager, BED_PORT, UINT32_MAX);
	assert_int_equal(bed_answer(JOB_STATUS, NULL, 0), STATUS_OK);
	bed_wait_for(A_MOMENT_MS);
	begin_us = manager_now_us();
	drift();
	bed_settle();
	assert_in_range(bed.took_us, 0, manager_now_us() - begin_us);
	/* One that waits when somebody applies */
	drift();
	bed.took_us = 0;
	assert_int_equal(bed_answer(JOB_APPLY, before, 0), STATUS_OK);
	assert_int_equal(bed.took_us, -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_foreign_fd, bed_begin, bed_end),
		cmocka_unit_test_setup_teardown(test_confirm_runs_out, bed_begin, bed_end),
		cmocka_unit_test_setup_teardown(test_apply_overtakes, bed_begin, bed_end),
		cmocka_unit_test_setup_teardown(test_trial_overtakes, bed_begin, bed_end),
		cmocka_unit_test_setup_teardown(test_rollback_overtakes, bed_begin, bed_end),
		cmocka_unit_test_setup_teardown(test_confirm_overtakes, bed_begin, bed_end),
		cmocka_unit_test_setup_teardown(test_failed_apply, bed_begin, bed_end),
		cmocka_unit_test_setup_teardown(test_confirm_not_kept, bed_begin, bed_end),
		cmocka_unit_test_setup_teardown(test_restart_too_late, bed_begin, bed_end),
		cmocka_unit_test_setup_teardown(test_restart_in_time, bed_begin, bed_end),
		cmocka_unit_test_setup_teardown(test_full_queue, bed_begin, bed_end),
		cmocka_unit_test_setup_teardown(test_start, bed_begin, bed_end),
		cmocka_unit_test_setup_teardown(test_policy_after_nothing, bed_begin, bed_end),
		cmocka_unit_test_setup_teardown(test_confirm_releases_once, bed_begin, bed_end),
		cmocka_unit_test_setup_teardown(test_middle_of_audit, bed_begin, bed_end),
		cmocka_unit_test_setup_teardown(test_took_since_event, bed_begin, bed_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
