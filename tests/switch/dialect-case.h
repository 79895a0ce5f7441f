/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the tests of dialects share: loading a file of config/dialects, and values in short. */
#pragma once

#include <stddef.h>

#include "lib/switch/render.h"

/* Read a whole file below the sources; fails the test if it is not there. The caller frees. */
char *case_file(const char *path, size_t *ret_size);

/*
 * Load NAME.yaml of config/dialects, or of the folder in CASE_DIALECTS; fails the test with its
 * diagnostics.
 */
struct dialect *case_dialect(const char *name);

/* Values in short: a number, a list of keys, "26:3 48:6", "3:153600/1536000/100"; "": known, none.
 */
struct switch_value case_value(enum switch_knob knob, const char *text);

/* The value in the same form; "?" if it is unreadable, "-" if unmanaged, "!" behind what is not in
 * force. */
void case_value_text(enum switch_knob knob, const struct switch_value *value, char *ret,
		     size_t size);
