/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fabric files as cases of a table: what is accepted, and what the first complaint is. */
#pragma once

#include "lib/spec/spec.h"

/* How most cases begin; what they add stands on line 3. */
#define SPEC_HEAD "version: 1\nfabric: pod-a\n"

struct spec_case {
	const char *name;
	const char *text;
	size_t size; /* 0: up to its NUL */
	const char *first; /* begins the first finding, "3:5: error: ..."; NULL: nothing is found */
	const char *also; /* stands anywhere in all that is shown; NULL: nothing is looked for */
};

/* Load all; an error has to refuse the file, a warning must not. */
void spec_cases_run(const struct spec_case *cases, size_t n);

/* What diags_write() shows of this text, under the name "f"; the caller frees. */
char *spec_findings(const char *text, size_t size);

/* A good file; fails the test with what is wrong with it otherwise. */
struct spec *spec_good(const char *text);
