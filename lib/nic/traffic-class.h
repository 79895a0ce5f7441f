/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The text of the OFED attribute traffic_class; apart from its object so that it can be tried
 * without a device.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct traffic_class {
	bool set; /* a global value is in force */
	uint32_t number; /* 0..255 */
	unsigned int n_rules; /* lines of single flows */
};

/*
 * Parse what the attribute reads. Empty text is "not set". Returns 0; -EBADMSG if a line is of
 * neither form.
 */
int traffic_class_parse(const char *text, size_t size, struct traffic_class *ret);
