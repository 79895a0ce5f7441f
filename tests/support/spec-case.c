/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fabric files as cases of a table. */
#include "tests/support/spec-case.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/cases.h"

static char *findings(const struct diags *diags, const char *text, size_t size)
{
	char *shown = NULL;
	size_t shown_size;
	FILE *out = open_memstream(&shown, &shown_size);

	assert_non_null(out);
	diags_write(diags, out, "f", text, size);
	assert_int_equal(fclose(out), 0);
	return shown;
}

/* Exactly as large as it is, so that a sanitizer sees a byte read behind it. */
static char *exact_copy(const char *text, size_t size)
{
	char *copy = malloc(size ? size : 1);

	assert_non_null(copy);
	memcpy(copy, text, size);
	return copy;
}

char *spec_findings(const char *text, size_t size)
{
	struct spec *spec = NULL;
	struct diags diags = {};
	char *copy = exact_copy(text, size), *shown;
	int r;

	r = spec_load(copy, size, &spec, &diags);
	shown = findings(&diags, copy, size);
	if (r == 0 && (diags_has_errors(&diags) || !spec))
		fail_msg("accepted with errors:\n%s", shown);
	if (r != 0 && (r != -EINVAL || !diags_has_errors(&diags) || spec))
		fail_msg("refused with %d and without errors:\n%s", r, shown);
	spec_free(spec);
	diags_done(&diags);
	free(copy);
	return shown;
}

static void case_run(const struct spec_case *at)
{
	char *shown = spec_findings(at->text, at->size ? at->size : strlen(at->text));
	char wanted[512];

	if (!at->first && shown[0])
		fail_msg("%s: refused:\n%s", at->name, shown);
	(void)snprintf(wanted, sizeof(wanted), "f:%s", at->first ? at->first : "");
	if (at->first && strncmp(shown, wanted, strlen(wanted)) != 0)
		fail_msg("%s: shown is\n%s\nwant\n%s", at->name, shown, wanted);
	if (at->also && !strstr(shown, at->also))
		fail_msg("%s: shown is\n%s\nwhich lacks\n%s", at->name, shown, at->also);
	free(shown);
}

void spec_cases_run(const struct spec_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++)
		case_run(&cases[i]);
}

struct spec *spec_good(const char *text)
{
	struct spec *spec = NULL;
	struct diags diags = {};
	char *shown;
	int r;

	r = spec_load(text, strlen(text), &spec, &diags);
	shown = findings(&diags, text, strlen(text));
	if (r != 0)
		fail_msg("%s", shown);
	free(shown);
	diags_done(&diags);
	return spec;
}
