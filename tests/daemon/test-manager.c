// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The manager as it is, on a simulated node, with what may happen while a write or a reading
 * waits: timers that fire, jobs that are asked for, events. Waiting costs no time but where a
 * confirm runs out.
 */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/manager-private.h"
#include "lib/base/macro.h"
#include "lib/os/fake.h"
#include "tests/support/cases.h"

#define A "ens1f0np0"

/* Room for a machine that is slow to get on with it in time */
enum { CONFIRM_MS = 2000, PAST_CONFIRM_MS = 2300, A_MOMENT_MS = 200 };

#define HEAD  "version: 1\nfabric: test\nqos: {dscp_to_priority: {26: 3}, pfc: [3]}\n"
#define NODES "nodes: {\"*\": {}}\n"

static const char before[] = HEAD "roce: {traffic_class: 104}\n" NODES;
static const char on_trial[] = HEAD "roce: {traffic_class: 106}\n" NODES;
static const char after[] = HEAD "roce: {traffic_class: 105}\n" NODES;

/* One at a time: hooks know it without being told. */
static struct bed {
	char folder[64], state_dir[80], run_dir[80], fabric[80];
	sd_event *event;
	struct manager *manager;
	struct os *os;
	struct os_ops os_ops;
	const struct os_ops *fake;
	struct provider_ops provider;
	void (*on_write)(void);		/* before the next one, once */
	void (*on_observe)(void);	/* at each target */
	unsigned int told[EVENT_MAX];
	int64_t took_us;		/* of the last change */
	int asked;			/* exit status of what a hook asked for */
} bed;

/* ---- the node ---- */

static int64_t now_ms(struct os *os)
{
	return bed.fake->now_ms(os) + manager_now_us() / 1000;
}

static int hooked_write(struct provider *provider, const struct target *target,
			const struct change *change, const struct state *want,
			const struct state *have, struct refusal *ret)
{
	void (*hook)(void) = TAKE_PTR(bed.on_write);

	if (hook)
		hook();
	return bed.provider.write(provider, target, change, want, have, ret);
}

static int hooked_observe(struct provider *provider, const struct target *target,
			  const struct state *want, struct state *have)
{
	if (bed.on_observe)
		bed.on_observe();
	return bed.provider.observe(provider, target, want, have);
}

static void skip_time(struct provider *provider, unsigned int ms)
{
	bed.fake->sleep_ms(bed.os, ms);
}

static void on_happening(const struct manager_happening *happening, void *data)
{
	bed.told[happening->event]++;
	if (happening->event == EVENT_DRIFT_REPAIRED)
		bed.took_us = happening->took_us;
}

/* losslessd begins, on the node as it is now */
static void start(void)
{
	struct manager_places places = {
		.state_dir = bed.state_dir,
		.run_dir = bed.run_dir,
		.fabric = bed.fabric,
		.node = "gpu-1",
		.contest_window_ms = 0,
	};
	struct provider_ops *ops;
	char trouble[256];

	assert_int_equal(manager_new(&places, bed.event, &bed.manager, trouble, sizeof(trouble)),
			 0);
	bed.manager->os = os_free(bed.manager->os);
	bed.manager->os = bed.os;
	assert_int_equal(manager_provider_init(bed.manager), 0);
	ops = &bed.manager->provider.ops;
	bed.provider = *ops;
	ops->write = hooked_write;
	ops->observe = hooked_observe;
	ops->sleep_ms = skip_time;
	manager_on_event(bed.manager, on_happening, NULL);
}

static void stop(void)
{
	bed.manager->os = NULL;
	bed.manager = manager_free(bed.manager);
}

static int begin(void **state)
{
	bed = (struct bed){ .folder = "/tmp/manager-XXXXXX" };
	assert_non_null(mkdtemp(bed.folder));
	(void)snprintf(bed.state_dir, sizeof(bed.state_dir), "%s/state", bed.folder);
	(void)snprintf(bed.run_dir, sizeof(bed.run_dir), "%s/run", bed.folder);
	(void)snprintf(bed.fabric, sizeof(bed.fabric), "%s/fabric.yaml", bed.folder);
	assert_int_equal(mkdir(bed.run_dir, 0755), 0);
	assert_int_equal(sd_event_new(&bed.event), 0);
	assert_int_equal(os_fake_new(NULL, 0, &bed.os), 0);
	bed.fake = bed.os->ops;
	bed.os_ops = *bed.os->ops;
	bed.os_ops.now_ms = now_ms;
	bed.os->ops = &bed.os_ops;
	start();
	return 0;
}

static int delete(const char *path, const struct stat *info, int type, struct FTW *where)
{
	return remove(path);
}

static int end(void **state)
{
	stop();
	bed.os = os_free(bed.os);
	bed.event = sd_event_unref(bed.event);
	return nftw(bed.folder, delete, 8, FTW_DEPTH | FTW_PHYS);
}

/* ---- what main does ---- */

static void work_for(int64_t ms)
{
	int64_t end_us = manager_now_us() + ms * 1000;

	do {
		bool busy = manager_has_work(bed.manager);
		int64_t left_us = end_us - manager_now_us();

		assert_true(sd_event_run(bed.event,
					 busy || left_us < 0 ? 0 : (uint64_t)left_us) >= 0);
		if (manager_has_work(bed.manager))
			assert_int_equal(manager_work(bed.manager), 0);
	} while (manager_has_work(bed.manager) || manager_now_us() < end_us);
}

static void settle(void)
{
	work_for(0);
}

/* The loop alone, as while a pass waits */
static void wait_for(int64_t ms)
{
	int64_t end_us = manager_now_us() + ms * 1000;

	for (int64_t left = ms * 1000; left > 0; left = end_us - manager_now_us())
		assert_true(sd_event_run(bed.event, (uint64_t)left) >= 0);
}

static void on_done(struct job *job, const struct report *report, const struct diags *diags,
		    void *data)
{
	*(int *)data = (int)job->exit;
}

static void ask(enum job_kind kind, const char *text, uint64_t confirm_ms, int *ret)
{
	struct job *job = calloc(1, sizeof(*job));

	assert_non_null(job);
	*ret = -1;
	*job = (struct job){ .kind = kind, .confirm_ms = confirm_ms, .done = on_done, .data = ret };
	if (text) {
		job->text = strdup(text);
		job->size = strlen(text);
	}
	assert_true(manager_ask(bed.manager, job) > 0);
}

static int answer(enum job_kind kind, const char *text, uint64_t confirm_ms)
{
	int exit;

	ask(kind, text, confirm_ms, &exit);
	settle();
	return exit;
}

static void assert_in_force(const char *name, const char *text)
{
	case_true(name, bed.manager->text);
	case_true(name, bed.manager->size == strlen(text) &&
				memcmp(bed.manager->text, text, strlen(text)) == 0);
}

/* ---- what is not its own ---- */

static void test_foreign_fd(void **state)
{
	struct stat was, is;

	assert_int_equal(fstat(STDIN_FILENO, &was), 0);
	settle();
	assert_int_equal(answer(JOB_APPLY, before, 0), STATUS_OK);
	stop();
	assert_int_equal(fstat(STDIN_FILENO, &is), 0);
	assert_int_equal(is.st_ino, was.st_ino);
	start();
}

/* ---- a confirm that runs out ---- */

static void try_it(void)
{
	assert_int_equal(answer(JOB_APPLY, before, 0), STATUS_OK);
	assert_int_equal(answer(JOB_APPLY, on_trial, CONFIRM_MS), STATUS_OK);
}

static void run_out(void)
{
	wait_for(PAST_CONFIRM_MS);
}

static void confirm_in_time(void)
{
	ask(JOB_CONFIRM, NULL, 0, &bed.asked);
	run_out();
}

static void confirm_late(void)
{
	run_out();
	ask(JOB_CONFIRM, NULL, 0, &bed.asked);
}

static void drift(void)
{
	assert_int_equal(os_fake_poke_pfc(bed.os, A, 0), 0);
	manager_dirty_port_name(bed.manager, A, UINT32_MAX);
}

static void test_confirm_runs_out(void **state)
{
	try_it();
	work_for(PAST_CONFIRM_MS);
	assert_in_force("nobody confirmed", before);
	assert_int_equal(bed.told[EVENT_RETURNED], 1);
}

static void test_apply_overtakes(void **state)
{
	try_it();
	bed.on_write = run_out;
	assert_int_equal(answer(JOB_APPLY, after, 0), STATUS_OK);
	work_for(A_MOMENT_MS);
	assert_in_force("what was asked for last", after);
	assert_int_equal(bed.told[EVENT_RETURNED], 0);
}

/* The second one has a time of its own. */
static void test_trial_overtakes(void **state)
{
	try_it();
	bed.on_write = run_out;
	assert_int_equal(answer(JOB_APPLY, after, 3600 * 1000), STATUS_OK);
	work_for(A_MOMENT_MS);
	assert_in_force("what was asked for last", after);
	assert_int_equal(bed.told[EVENT_RETURNED], 0);
}

static void test_rollback_overtakes(void **state)
{
	try_it();
	bed.on_write = run_out;
	assert_int_equal(answer(JOB_ROLLBACK, NULL, 0), STATUS_OK);
	work_for(A_MOMENT_MS);
	assert_in_force("rolled back once", before);
	assert_int_equal(bed.told[EVENT_ROLLED_BACK], 1);
	assert_int_equal(bed.told[EVENT_RETURNED], 0);
}

static void test_confirm_overtakes(void **state)
{
	static void (*const hooks[])(void) = { confirm_in_time, confirm_late };

	try_it();
	for (size_t i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (i)
			assert_int_equal(answer(JOB_APPLY, after, CONFIRM_MS), STATUS_OK);
		bed.on_write = hooks[i];
		drift();
		work_for(A_MOMENT_MS);
		assert_int_equal(bed.asked, STATUS_OK);
		assert_in_force("confirmed", i ? after : on_trial);
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
	wait_for(CONFIRM_MS / 2);
	assert_int_equal(answer(JOB_APPLY, after, 0), STATUS_FAILED);
	assert_in_force("not the new one", on_trial);
	os_fake_fault_clear(bed.os);
	work_for(PAST_CONFIRM_MS - CONFIRM_MS / 2);
	assert_in_force("nobody confirmed", before);
	assert_int_equal(bed.told[EVENT_RETURNED], 1);
}

/* A confirm that is not on disk is none. */
static void test_confirm_not_kept(void **state)
{
	char undo[96];

	try_it();
	(void)snprintf(undo, sizeof(undo), "%s/undo", bed.state_dir);
	assert_int_equal(unlink(undo), 0);
	assert_int_equal(mkdir(undo, 0755), 0);
	assert_int_equal(answer(JOB_CONFIRM, NULL, 0), STATUS_FAILED);
	assert_int_equal(rmdir(undo), 0);
	work_for(PAST_CONFIRM_MS);
	assert_in_force("nobody confirmed", before);
	assert_int_equal(bed.told[EVENT_RETURNED], 1);
}

/* It was over while losslessd was not there: who confirms after that is too late. */
static void test_restart_too_late(void **state)
{
	int confirmed;

	try_it();
	stop();
	run_out();
	start();
	assert_int_equal(manager_work(bed.manager), 0);
	ask(JOB_CONFIRM, NULL, 0, &confirmed);
	settle();
	assert_int_equal(confirmed, STATUS_FAILED);
	assert_in_force("before losslessd was there", before);
	assert_int_equal(bed.told[EVENT_RETURNED], 1);
}

/* A restart does not make the time longer, nor is it over by that. */
static void test_restart_in_time(void **state)
{
	try_it();
	stop();
	start();
	settle();
	assert_in_force("still on trial", on_trial);
	work_for(PAST_CONFIRM_MS);
	assert_in_force("nobody confirmed", before);
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
	settle();
	assert_in_force("nobody confirmed", before);
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
	const struct finding *finding = finding_of(A, KNOB_PFC);

	if (!strstr(finding->reason, words))
		fail_msg("%s: '%s', want '%s'", name, finding->reason, words);
}

static const struct {
	const char *name;
	const char *policy;
	bool boot;
	unsigned int writes;	/* of PFC */
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
	settle();
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++) {
		(void)snprintf(text, sizeof(text), HEAD "%s" NODES, starts[i].policy);
		case_equal(starts[i].name, answer(JOB_APPLY, text, 0), STATUS_OK);
		stop();
		if (starts[i].boot)
			(void)unlink(started);
		case_equal(starts[i].name, os_fake_poke_pfc(bed.os, A, 0), 0);
		os_fake_writes_reset(bed.os);
		start();
		settle();
		case_equal(starts[i].name, os_fake_writes(bed.os, FAKE_DCB_SET, A "/pfc"),
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

	assert_int_equal(answer(JOB_APPLY, HEAD "policy: {drift: report}\n" NODES, 0), STATUS_OK);
	assert_true(os_fake_fault(bed.os, &fault) >= 0);
	manager_dirty_devices(bed.manager);
	settle();
	assert_null(manager_last(bed.manager));
	os_fake_fault_clear(bed.os);
	assert_int_equal(os_fake_poke_pfc(bed.os, A, 0), 0);
	os_fake_writes_reset(bed.os);
	manager_dirty_devices(bed.manager);
	settle();
	assert_int_equal(os_fake_writes(bed.os, FAKE_ANY_WRITE, NULL), 0);
	assert_reason("after nothing", "only reported");
}

static void expect_held(const char *name)
{
	os_fake_writes_reset(bed.os);
	drift();
	settle();
	case_equal(name, os_fake_writes(bed.os, FAKE_DCB_SET, A "/pfc"), 0);
	assert_reason(name, "waits for losslessctl confirm");
}

/* A confirm is for what waits for it, and for nothing that comes later. */
static void test_confirm_releases_once(void **state)
{
	static const char text[] = HEAD "policy: {disruptive: confirm}\n" NODES;
	int confirmed;

	assert_int_equal(answer(JOB_APPLY, text, 0), STATUS_OK);
	assert_int_equal(answer(JOB_CONFIRM, NULL, 0), STATUS_OK);
	expect_held("nothing waited");
	assert_int_equal(answer(JOB_CONFIRM, NULL, 0), STATUS_OK);
	assert_int_equal(os_fake_writes(bed.os, FAKE_DCB_SET, A "/pfc"), 1);
	assert_reason("let go", "");
	expect_held("let go before");
	/* Somebody else sees to it before the confirm */
	assert_int_equal(os_fake_poke_pfc(bed.os, A, 1 << 3), 0);
	assert_int_equal(answer(JOB_CONFIRM, NULL, 0), STATUS_OK);
	expect_held("nothing was left to do");
	/* Devices are looked at anew meanwhile */
	manager_dirty_devices(bed.manager);
	assert_int_equal(answer(JOB_CONFIRM, NULL, 0), STATUS_OK);
	assert_int_equal(os_fake_writes(bed.os, FAKE_DCB_SET, A "/pfc"), 1);
	expect_held("let go with the devices");
	/* An apply comes first */
	ask(JOB_CONFIRM, NULL, 0, &confirmed);
	assert_int_equal(answer(JOB_APPLY, text, 0), STATUS_OK);
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
	assert_int_equal(answer(JOB_APPLY, HEAD "policy: {drift: report}\n" NODES, 0), STATUS_OK);
	drift();
	settle();
	bed.on_observe = look_in_between;
	assert_int_equal(answer(JOB_STATUS, NULL, 0), STATUS_DRIFT);
	assert_true(bed.asked > 0);
}

/* ---- how long it took ---- */

/* A device comes while there is no file: who applies one later did not wait for that. */
static void test_took_since_event(void **state)
{
	int64_t begin_us;

	manager_dirty_devices(bed.manager);
	settle();
	wait_for(A_MOMENT_MS);
	assert_int_equal(answer(JOB_APPLY, before, 0), STATUS_OK);
	assert_true(bed.told[EVENT_DRIFT_REPAIRED] > 0);
	assert_int_equal(bed.took_us, -1);
	/* An event that a status saw to, before the one that counts */
	manager_dirty_port_name(bed.manager, A, UINT32_MAX);
	assert_int_equal(answer(JOB_STATUS, NULL, 0), STATUS_OK);
	wait_for(A_MOMENT_MS);
	begin_us = manager_now_us();
	drift();
	settle();
	assert_in_range(bed.took_us, 0, manager_now_us() - begin_us);
	/* One that waits when somebody applies */
	drift();
	bed.took_us = 0;
	assert_int_equal(answer(JOB_APPLY, before, 0), STATUS_OK);
	assert_int_equal(bed.took_us, -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_foreign_fd, begin, end),
		cmocka_unit_test_setup_teardown(test_confirm_runs_out, begin, end),
		cmocka_unit_test_setup_teardown(test_apply_overtakes, begin, end),
		cmocka_unit_test_setup_teardown(test_trial_overtakes, begin, end),
		cmocka_unit_test_setup_teardown(test_rollback_overtakes, begin, end),
		cmocka_unit_test_setup_teardown(test_confirm_overtakes, begin, end),
		cmocka_unit_test_setup_teardown(test_failed_apply, begin, end),
		cmocka_unit_test_setup_teardown(test_confirm_not_kept, begin, end),
		cmocka_unit_test_setup_teardown(test_restart_too_late, begin, end),
		cmocka_unit_test_setup_teardown(test_restart_in_time, begin, end),
		cmocka_unit_test_setup_teardown(test_full_queue, begin, end),
		cmocka_unit_test_setup_teardown(test_start, begin, end),
		cmocka_unit_test_setup_teardown(test_policy_after_nothing, begin, end),
		cmocka_unit_test_setup_teardown(test_confirm_releases_once, begin, end),
		cmocka_unit_test_setup_teardown(test_middle_of_audit, begin, end),
		cmocka_unit_test_setup_teardown(test_took_since_event, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
