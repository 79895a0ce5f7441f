// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Plays the plan of a golden node on the node itself, brought to life from its bundle: each step is
 * one write, and afterwards there is nothing left to plan. The exit status after that stands at the
 * end of NAME.status.
 * play FOLDER NAME
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/node/node.h"
#include "lib/os/fake.h"

enum { FAILED = 1 };

static int fails;

static void check(const char *what, bool good)
{
	printf("%s %s\n", good ? "ok  " : "FAIL", what);
	fails += !good;
}

static char *load(const char *folder, const char *name, const char *suffix, size_t *ret_size)
{
	_cleanup_fclose_ FILE *file = NULL;
	char path[512], *text;

	(void)snprintf(path, sizeof(path), "%s/%s.%s", folder, name, suffix);
	file = fopen(path, "r");
	text = calloc(1, BUNDLE_SIZE_MAX);
	if (!file || !text) {
		printf("FAIL cannot read %s\n", path);
		exit(FAILED);
	}
	*ret_size = fread(text, 1, BUNDLE_SIZE_MAX - 1, file);
	return text;
}

static struct os *wake(const char *folder, const char *name, char *node, size_t size)
{
	_cleanup_(diags_done) struct diags diags = {};
	_cleanup_(bundle_done) struct bundle bundle = {};
	_cleanup_free_ char *text = NULL;
	struct os *os = NULL;
	size_t length;

	text = load(folder, name, "bundle", &length);
	if (bundle_parse(text, length, &bundle, &diags) == 0)
		(void)os_fake_load(&bundle, &diags, &os);
	diags_write(&diags, stdout, name, text, length);
	(void)snprintf(node, size, "%s", bundle.node);
	return os;
}

static int status_after(const char *folder, const char *name)
{
	_cleanup_free_ char *text = NULL;
	const char *found;
	size_t size;

	text = load(folder, name, "status", &size);
	found = strstr(text, ", after apply ");
	return found ? atoi(found + strlen(", after apply ")) : -1;
}

static void show(const struct pass *pass)
{
	for (size_t i = 0; i < pass->plan.n_steps; i++)
		if (pass->plan.steps[i].outcome != STEP_DONE)
			printf("     | %s %s: %s\n",
			       pass->plan.want->list[pass->plan.steps[i].target].target.name,
			       object_table[pass->plan.steps[i].object].name,
			       pass->plan.steps[i].reason);
	for (size_t i = 0; i < pass->after.n_steps; i++)
		printf("     | still to do: %s %s\n",
		       pass->after.want->list[pass->after.steps[i].target].target.name,
		       object_table[pass->after.steps[i].object].name);
	if (*pass->trouble)
		printf("     | %s\n", pass->trouble);
}

int main(int argc, char **argv)
{
	_cleanup_(os_freep) struct os *os = NULL;
	_cleanup_(pass_done) struct pass pass = {}, again = {};
	_cleanup_free_ char *text = NULL;
	char node[OS_NAME_MAX + 1];
	size_t size;
	int status;

	if (argc != 3)
		return FAILED;
	os = wake(argv[1], argv[2], node, sizeof(node));
	check("the bundle comes to life", os);
	if (!os)
		return FAILED;
	text = load(argv[1], argv[2], "yaml", &size);
	status = status_after(argv[1], argv[2]);
	if (pass_plan(&pass, os, text, size, node) == 0) {
		os_fake_writes_reset(os);
		(void)pass_apply(&pass, NULL, NULL);
		check("a step is one write",
		      os_fake_writes(os, FAKE_ANY_WRITE, NULL) == pass.plan.n_steps);
		check("nothing is left to do", pass.after.n_steps == 0 && !*pass.trouble);
		os_fake_writes_reset(os);
		(void)pass_plan(&again, os, text, size, node);
		check("the next plan is empty", again.plan.n_steps == 0 && again.exit == pass.exit);
		check("and reads only", os_fake_writes(os, FAKE_ANY_WRITE, NULL) == 0);
	}
	check("the exit status is the expected one", (int)pass.exit == status);
	if (fails > 0)
		show(&pass);
	return fails > 0;
}
