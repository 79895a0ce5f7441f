/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A dialect: how one kind of switch is spoken to, as data (lossless-dialect(5)). Loaded strictly
 * from YAML; nothing in it is a program. Pure: no I/O, no clock.
 */
#pragma once

#include "lib/base/diag.h"
#include "lib/model/switch.h"
#include "lib/switch/rules.h"

enum verified { VERIFIED_FALSE, VERIFIED_FIELD, VERIFIED_VENDOR };

enum transaction_verb {
	TRANSACTION_BEGIN, /* into the place where lines are configuration */
	TRANSACTION_DIFF,
	TRANSACTION_COMMIT,
	TRANSACTION_TRIAL, /* commit that returns by itself after $seconds */
	TRANSACTION_CONFIRM, /* ... unless this is said */
	TRANSACTION_RETURN, /* ... and at once if this is said */
	TRANSACTION_ABORT, /* drop what is staged */
	TRANSACTION_END, /* back to where one reads */
	TRANSACTION_SAVE,
	TRANSACTION_VERB_MAX,
};

/* What a fabric file sets for a switch of the dialect, and what the dialect found out by itself. */
struct dialect_setting {
	const char *name;
	const char *value;
};

struct dialect;

/*
 * Returns 0 and @ret; -EINVAL with what is wrong in @diags; -ENOMEM.
 */
int dialect_load(const char *text, size_t size, struct dialect **ret, struct diags *diags);

/* Takes NULL, returns NULL. */
struct dialect *dialect_free(struct dialect *dialect);

static inline void dialect_freep(struct dialect **dialect)
{
	*dialect = dialect_free(*dialect);
}

const char *dialect_name(const struct dialect *dialect);
enum verified dialect_verified(const struct dialect *dialect);

/* How its prompts, pagers, questions and errors look. */
const struct session_rules *dialect_rules(const struct dialect *dialect);

/* Has it lines for @verb? switch_render_verb() has them. */
bool dialect_has_verb(const struct dialect *dialect, enum transaction_verb verb);

/*
 * How a knob is written may depend on what the fabric file sets (model, layer3), so each of these
 * gets the @n settings of the switch.
 *
 * Does it implement @knob, and for whom. False with @ret_why: the vendor has none, or nobody knows.
 */
bool dialect_has(const struct dialect *dialect, const struct dialect_setting *settings, size_t n,
		 enum switch_knob knob, enum switch_scope *ret_scope, const char **ret_why);

enum verified dialect_knob_verified(const struct dialect *dialect,
				    const struct dialect_setting *settings, size_t n,
				    enum switch_knob knob);

/* What writing it does to more than this port ("" if nothing): said before it is done. */
const char *dialect_impact(const struct dialect *dialect, const struct dialect_setting *settings,
			   size_t n, enum switch_knob knob);

/* Bits of the knobs without which it has no effect. */
unsigned int dialect_needs(const struct dialect *dialect, const struct dialect_setting *settings,
			   size_t n, enum switch_knob knob);

/* Does what is read back prove that it is in force, or only that it is configured? */
bool dialect_proves_operation(const struct dialect *dialect, const struct dialect_setting *settings,
			      size_t n, enum switch_knob knob);

/*
 * May a fabric file set @name to @value? Returns 0; -EINVAL with a sentence in @ret_why that lists
 * what may be.
 */
int dialect_check_var(const struct dialect *dialect, const char *name, const char *value,
		      char *ret_why, size_t size);

/* Can a port be called so? Returns 0; -EINVAL with a sentence in @ret_why. */
int dialect_check_port(const struct dialect *dialect, const char *port, char *ret_why, size_t size);
