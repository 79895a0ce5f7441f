// SPDX-License-Identifier: LGPL-2.1-or-later
/* The node, the hooks and the loop of the tests of the manager. */
#include "tests/daemon/manager-bed.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/macro.h"
#include "tests/support/cases.h"

struct bed bed;

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

void bed_start(void)
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

void bed_stop(void)
{
	bed.manager->os = NULL;
	bed.manager = manager_free(bed.manager);
}

int bed_begin(void **state)
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
	bed_start();
	return 0;
}

static int delete (const char *path, const struct stat *info, int type, struct FTW *where)
{
	return remove(path);
}

int bed_end(void **state)
{
	bed_stop();
	bed.os = os_free(bed.os);
	bed.event = sd_event_unref(bed.event);
	return nftw(bed.folder, delete, 8, FTW_DEPTH | FTW_PHYS);
}

/* ---- what main does ---- */

void bed_work_for(int64_t ms)
{
	int64_t end_us = manager_now_us() + ms * 1000;

	do {
		bool busy = manager_has_work(bed.manager);
		int64_t left_us = end_us - manager_now_us();

		assert_true(sd_event_run(bed.event, busy || left_us < 0 ? 0 : (uint64_t)left_us) >=
			    0);
		if (manager_has_work(bed.manager))
			assert_int_equal(manager_work(bed.manager), 0);
	} while (manager_has_work(bed.manager) || manager_now_us() < end_us);
}

void bed_settle(void)
{
	bed_work_for(0);
}

void bed_wait_for(int64_t ms)
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

void bed_ask(enum job_kind kind, const char *text, uint64_t confirm_ms, int *ret)
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

int bed_answer(enum job_kind kind, const char *text, uint64_t confirm_ms)
{
	int exit;

	bed_ask(kind, text, confirm_ms, &exit);
	bed_settle();
	return exit;
}

void bed_in_force(const char *name, const char *text)
{
	case_true(name, bed.manager->text);
	case_true(name, bed.manager->size == strlen(text) &&
				memcmp(bed.manager->text, text, strlen(text)) == 0);
}
