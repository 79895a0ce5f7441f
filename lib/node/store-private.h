/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The store from inside: for the files lib/node/store*.c only. */
#pragma once

#include "lib/node/store.h"

struct store {
	int dir;		/* -1: nothing there yet (reading only) */
	int lock;		/* -1: for reading only */
	uint64_t generation;
	uint64_t before;
	enum store_phase phase;
	uint64_t unborn;
	struct store_confirm confirm;
	struct store_confirm confirm_kept;	/* on disk */
	struct states undo;
	char *previous;		/* NULL: no spec before */
	size_t previous_size;
};

/* The target of exactly this kind, place and name; NULL if there is none. */
struct state *store_find_exactly(const struct states *states, enum target_kind kind,
				 const struct nic *nic, const char *name);
bool store_same_place(const struct nic *a, const struct nic *b);

/* The record of switches of generation @from is that of @to from now on; @to 0: it goes. */
void store_switch_move(const struct store *store, uint64_t from, uint64_t to);
/*
 * A rollback from @from leads to @to: what is still recorded of switches was not returned, and
 * belongs to @to unless that has a record of its own, so that another rollback goes on.
 */
void store_switch_left(const struct store *store, uint64_t from, uint64_t to);

/* The undo file's text into @store, which is empty so far. Returns 0, -EBADMSG, -ENOMEM. */
int store_text_parse(struct store *store, char *text, size_t size);
/* And back; the caller frees. Returns 0 or -ENOMEM. */
int store_text_format(const struct store *store, char **ret_text, size_t *ret_size);
