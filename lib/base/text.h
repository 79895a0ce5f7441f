/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A text that is put together in a buffer of the caller, and cut where that ends. */
#pragma once

#include <stddef.h>

#include "lib/base/cleanup.h"

struct text {
	char *text; /* terminated once something was put */
	size_t size;
	size_t used;
};

/* Append. */
void text_put(struct text *text, const char *format, ...) _printf_(2, 3);
