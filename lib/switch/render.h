/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From what is to change to the lines that are sent, and from what a switch answers to values. Both
 * go by the dialect and by nothing else: `switch render` prints exactly what a push sends. Pure.
 */
#pragma once

#include "lib/base/arena.h"
#include "lib/switch/dialect.h"

/* One knob of one port, or of the switch. */
struct switch_change {
	enum switch_knob knob;
	const char *port; /* "": the switch */
	const struct switch_value
		*from; /* as read; status other than known: nothing is known of it */
	const struct switch_value *to; /* status unmanaged: unset it */
};

struct switch_line {
	const char *text;
	/* Pattern that the prompt's mode has to match behind this line; NULL: it stays as it is;
	 * "": it changes. */
	const char *mode;
	bool leave; /* one mode up */
	size_t change; /* index of the change it belongs to */
};

struct switch_script {
	struct switch_line *list;
	size_t n;
	size_t room;
	struct arena texts;
};

void switch_script_done(struct switch_script *script);

/*
 * The lines of @changes, in their order; neighbours share their mode lines. Nothing that a template
 * does not say is sent, and names were checked where they came from and are checked again.
 *
 * Returns 0 and @ret; -EINVAL with a sentence in @ret_why (a placeholder that has no value here, a
 * name that this dialect cannot take); -ENOMEM.
 */
int switch_render(const struct dialect *dialect, const struct dialect_setting *settings, size_t n,
		  const struct switch_change *changes, size_t n_changes, struct switch_script *ret,
		  char *ret_why, size_t size);

/* The lines of one verb of the transaction; @seconds counts for trial only. */
int switch_render_verb(const struct dialect *dialect, const struct dialect_setting *settings,
		       size_t n, enum transaction_verb verb, unsigned int seconds,
		       struct switch_script *ret, char *ret_why, size_t size);

/* A line whose answer tells the value of some knobs of some ports. */
struct switch_query {
	const char *text;
	const char *port; /* the only one it is about; "": the switch, or all ports */
	unsigned int knobs; /* bits of those that its answer tells */
};

struct switch_queries {
	struct switch_query *list;
	size_t n;
	size_t room;
	struct arena texts;
};

void switch_queries_done(struct switch_queries *queries);

/* The lines that tell what @targets want (knobs that the dialect has), each once. */
int switch_queries_build(const struct dialect *dialect, const struct dialect_setting *settings,
			 size_t n, const struct switch_target *targets, size_t n_targets,
			 struct switch_queries *ret, char *ret_why, size_t size);

/*
 * Take what the switch said to @query out of its @answer of @size bytes (without echo and prompt)
 * and put it into .have of @targets. A value that the answer should have and has not gets status
 * unreadable, unless the dialect knows what is so when nothing is said.
 *
 * Returns 0; -EBADMSG with a sentence in @ret_why if the answer has not the form that the dialect
 * says; -ENOMEM.
 */
int switch_parse(const struct dialect *dialect, const struct dialect_setting *settings, size_t n,
		 const struct switch_query *query, const char *answer, size_t answer_size,
		 struct switch_target *targets, size_t n_targets, char *ret_why, size_t size);

/*
 * Is @have what @want asks for: entries that @want does not name may be there if @exclusive is not
 * set; sizes within the dialect's tolerance.
 */
bool switch_value_equal(const struct dialect *dialect, const struct dialect_setting *settings,
			size_t n, enum switch_knob knob, const struct switch_value *want,
			const struct switch_value *have, bool exclusive);
