// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/support/store-place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "tests/support/cases.h"

const struct plan nothing;

int place_set_up(void **state)
{
	struct place *place = calloc(1, sizeof(*place));

	(void)snprintf(place->root, sizeof(place->root), "/tmp/test-store-XXXXXX");
	if (!mkdtemp(place->root))
		return -1;
	(void)snprintf(place->dir, sizeof(place->dir), "%s/lib/losslessd", place->root);
	(void)snprintf(place->lock, sizeof(place->lock), "%s/run/lock", place->root);
	*state = place;
	return 0;
}

int place_tear_down(void **state)
{
	struct place *place = *state;
	char command[128];
	int r;

	(void)snprintf(command, sizeof(command), "rm -r -- '%s'", place->root);
	r = system(command);
	free(place);
	return r;
}

struct store *opened(const struct place *place)
{
	struct store *store;
	char holder[64];

	assert_int_equal(store_open(place->dir, place->lock, &store, holder, sizeof(holder)), 0);
	return store;
}

int raw_write(const struct place *place, const char *name, const char *text, size_t size)
{
	char path[256];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/%s", place->dir, name);
	file = fopen(path, "w");
	if (!file)
		return -1;
	(void)fwrite(text, 1, size, file);
	return fclose(file);
}

struct value known(enum knob knob, const char *text)
{
	struct value value;

	assert_int_equal(value_parse(&knob_table[knob], text, &value), 0);
	return value;
}

void one_build(struct one *one, const char *name, enum knob knob, const char *from, const char *to)
{
	struct nic nic = { .rdma_port = 1, .driver = "mlx5_core" };

	(void)snprintf(nic.pci, sizeof(nic.pci), "0000:17:00.0");
	assert_non_null(states_add(&one->want, knob_table[knob].target, &nic, name));
	assert_non_null(states_add(&one->have, knob_table[knob].target, &nic, name));
	one->want.list[0].value[knob] = known(knob, to);
	one->have.list[0].value[knob] = known(knob, from);
	assert_int_equal(plan_build(&one->want, &one->have, PLAN_FORWARD, &one->plan), 0);
	assert_int_equal(one->plan.n_steps, 1);
}

void one_done(struct one *one)
{
	plan_done(&one->plan);
	states_done(&one->want);
	states_done(&one->have);
}

void expect_accepted(const struct store *store, const char *text)
{
	_cleanup_free_ char *got = NULL;
	size_t size;

	if (!text) {
		assert_int_equal(store_accepted(store, &got, &size), -ENOENT);
		return;
	}
	assert_int_equal(store_accepted(store, &got, &size), 0);
	assert_string_equal(got, text);
}
