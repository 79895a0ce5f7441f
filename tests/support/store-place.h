/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A store in a folder of its own, and plans for it. */
#pragma once

#include <stddef.h>

#include "lib/node/store.h"

extern const struct plan nothing;

struct place {
	char root[64];
	char dir[96];
	char lock[96];
};

int place_set_up(void **state);
int place_tear_down(void **state);
#define STORE_TEST(function) \
	cmocka_unit_test_setup_teardown(function, place_set_up, place_tear_down)

struct store *opened(const struct place *place);
/* Replace a file of the store behind its back. */
int raw_write(const struct place *place, const char *name, const char *text, size_t size);
struct value known(enum knob knob, const char *text);

/* A plan of one target that changes @knob from @from to @to. */
struct one {
	struct states want, have;
	struct plan plan;
};
void one_build(struct one *one, const char *name, enum knob knob, const char *from, const char *to);
void one_done(struct one *one);

/* NULL: nothing is in force. */
void expect_accepted(const struct store *store, const char *text);
