/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tables of answers in transcripts/DIALECT/ and the values in them. */
#pragma once

#include "tests/switch/dialect-case.h"
#include "tests/switch/render-case.h"

struct case_have {
	enum switch_knob knob;
	const char *port;
	const char *have; /* as case_value_text(); NULL ends the list */
};

struct parse_case {
	const char *file;
	struct dialect_setting settings[SETTINGS_MAX];
	const char *query; /* it has to be one of those that are built for these values */
	struct case_have values[CHANGES_MAX];
	const char *why; /* in the sentence, if the answer is none */
};

void parse_cases(const char *dialect, const struct parse_case *cases, size_t n);
